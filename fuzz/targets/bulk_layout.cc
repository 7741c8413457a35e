#include "fuzz/targets/bulk_layout.h"

#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>

#include "wire/module.pb.h"
#include "wire/testing/seal.h"

namespace opcompat {
namespace {

// Enough for the sizes around which a writer and a reader decide.
constexpr uint64_t kMaxTensorBytes = 2100;

// One behind the other, as a writer lays them out.
void LayOut(std::mt19937* random, wire::Module* module, std::string* bulk) {
  std::string laid_out;
  for (wire::Tensor& tensor : *module->mutable_tensors()) {
    if (tensor.bulk_size() == 0) continue;
    tensor.set_bulk_size(tensor.bulk_size() % (kMaxTensorBytes + 1));
    const size_t size = tensor.bulk_size();
    const size_t from = std::min<size_t>(tensor.bulk_offset(), bulk->size());
    std::string bytes = bulk->substr(from, size);
    bytes.resize(size, static_cast<char>((*random)()));
    laid_out.resize(BulkBegin(laid_out.size()));
    tensor.set_bulk_offset(laid_out.size());
    laid_out += bytes;
    if ((*random)() % 2 == 0) {
      tensor.clear_shape();
      tensor.add_shape(static_cast<int64_t>(size));
    }
  }
  *bulk = laid_out;
}

}  // namespace

void FitBulk(unsigned int seed, google::protobuf::Message* message,
             std::string* bulk) {
  auto* module = static_cast<wire::Module*>(message);
  std::mt19937 random(seed);
  if (!bulk->empty() && random() % 4 == 0) {
    (*bulk)[random() % bulk->size()] ^= static_cast<char>(1 << (random() % 8));
  }
  if (random() % 2 == 0) LayOut(&random, module, bulk);
  for (wire::Tensor& tensor : *module->mutable_tensors()) {
    if (tensor.bulk_offset() > bulk->size() ||
        tensor.bulk_size() > bulk->size() - tensor.bulk_offset() ||
        tensor.bulk_size() == 0) {
      continue;
    }
    tensor.set_bulk_hash(
        XXH3_64bits(bulk->data() + tensor.bulk_offset(), tensor.bulk_size()));
  }
}

}  // namespace opcompat
