#include "deserializer/tensor_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/concat.h"
#include "base/escape.h"
#include "base/hash_map.h"
#include "base/status_macros.h"
#include "base/xxh3.h"
#include "deserializer/field_reader.h"
#include "schema/enum_words.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace decoding {
namespace {

constexpr uint64_t kAlignment = 64;
constexpr absl::string_view kBulkFeature = "bulk_tensors";

// How much is hashed or copied at once.
constexpr size_t kPieceSize = size_t{4} << 20;

// Tensors of this size and more are told apart in hash tables by their own
// hash, which whoever makes a file can choose. So many of one size may have the
// same one; no honest file has two.
constexpr size_t kLargeTensor = 1024;
constexpr int kMaxSameHash = 8;

// Bytes of an element of a tensor, by the number of its ScalarType.
constexpr uint8_t kElementSizes[] = {1, 1, 2,  4, 8, 2, 4, 8,
                                     4, 8, 16, 1, 1, 1, 4, 2};

// Whether `size` bytes are what the shape needs, as far as we know the dtype.
bool HasSizeOf(const TensorData& tensor, uint64_t size) {
  const absl::optional<int64_t> dtype =
      EnumNumber(TypeKind::kScalarType, tensor.dtype);
  bool is_empty = false;
  for (const int64_t dimension : tensor.shape) {
    if (dimension < 0) return false;
    is_empty |= dimension == 0;
  }
  if (!dtype || static_cast<size_t>(*dtype) >= sizeof kElementSizes) {
    return true;
  }
  if (is_empty) return size == 0;
  uint64_t needed = kElementSizes[*dtype];
  for (const int64_t dimension : tensor.shape) {
    if (static_cast<uint64_t>(dimension) > size / needed) return false;
    needed *= static_cast<uint64_t>(dimension);
  }
  return needed == size;
}

// Memory for a copy, at a multiple of kAlignment.
std::shared_ptr<char> AlignedMemory(size_t size) {
  constexpr auto kAlign = std::align_val_t{kAlignment};
  return std::shared_ptr<char>(static_cast<char*>(::operator new(size, kAlign)),
                               [](char* p) { ::operator delete(p, kAlign); });
}

struct FreeHashState {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

class TensorReader {
 public:
  TensorReader(const FileFields& file, const DecodeOptions& options,
               Budget* budget, Tables* tables)
      : file_(file), options_(options), budget_(*budget), tables_(*tables) {}

  absl::Status Read() {
    tables_.tensors.reserve(file_.tensors.size());
    HashSet<Value> seen;
    for (const FileSpan& span : file_.tensors) {
      const size_t i = tables_.tensors.size();
      OPCOMPAT_ASSIGN_OR_RETURN(Value tensor, ReadTensor(span, i));
      if (!seen.insert(tensor).second) {
        return MalformedAt(span, "tensor", i, "is there twice");
      }
      tables_.tensors.push_back(std::move(tensor));
    }
    CountComparedBytes();
    return CheckEnd();
  }

 private:
  // The fields of the message Tensor.
  struct RawTensor {
    uint32_t dtype = 0;
    VarintColumn shape;
    absl::string_view data;
    uint64_t bulk_offset = 0;
    uint64_t bulk_size = 0;
    uint64_t bulk_hash = 0;
  };
  // Bytes of the bulk data that one tensor or several have.
  struct Region {
    uint64_t size = 0;
    uint64_t hash = 0;
    absl::string_view bytes;
    std::shared_ptr<const void> owner;
  };

  absl::StatusOr<Value> ReadTensor(const FileSpan& span, size_t i) {
    RawTensor raw;
    FieldReader fields(span, "a tensor");
    while (fields.Next()) {
      switch (fields.number()) {
        case 1:
          raw.dtype = fields.Uint32();
          break;
        case 2:
          fields.AddTo(&raw.shape);
          break;
        case 3:
          raw.data = fields.Bytes();
          break;
        case 4:
          raw.bulk_offset = fields.Uint64();
          break;
        case 5:
          raw.bulk_size = fields.Uint64();
          break;
        case 6:
          raw.bulk_hash = fields.Fixed64();
          break;
        default:
          break;
      }
    }
    OPCOMPAT_RETURN_IF_ERROR(fields.status());
    if (raw.dtype >= tables_.strings.size()) {
      return MalformedAt(span, "tensor", i,
                         Concat("its dtype is string ", raw.dtype, " of ",
                                tables_.strings.size()));
    }
    const bool is_bulk = raw.bulk_size != 0;
    if (is_bulk ? !raw.data.empty()
                : raw.bulk_offset != 0 || raw.bulk_hash != 0) {
      return MalformedAt(span, "tensor", i,
                         is_bulk ? "it has bytes in the message and behind it"
                                 : "it has a place behind the message, but no "
                                   "bytes there");
    }
    TensorData tensor;
    tensor.dtype = std::string(tables_.strings[raw.dtype]);
    OPCOMPAT_RETURN_IF_ERROR(budget_.SpendText(tensor.dtype.size(), "tensors"));
    OPCOMPAT_ASSIGN_OR_RETURN(tensor.shape,
                              ReadSint64s(raw.shape, "shape of a tensor"));
    const uint64_t size = is_bulk ? raw.bulk_size : raw.data.size();
    if (!HasSizeOf(tensor, size)) {
      return MalformedAt(
          span, "tensor", i,
          Concat("its ", size, " bytes are not what its shape and dtype ",
                 HexEscape(tensor.dtype.substr(0, 80)), " need"));
    }
    if (is_bulk) {
      OPCOMPAT_ASSIGN_OR_RETURN(const Region* region, RegionOf(raw, span, i));
      tensor.bytes = region->bytes;
      tensor.owner = region->owner;
      tensor.hash = region->hash;
      return Value::Tensor(std::move(tensor));
    }
    OPCOMPAT_RETURN_IF_ERROR(CheckCopyLimit(size));
    const std::shared_ptr<char> copy = AlignedMemory(raw.data.size());
    std::copy(raw.data.begin(), raw.data.end(), copy.get());
    tensor.bytes = absl::string_view(copy.get(), raw.data.size());
    tensor.owner = copy;
    Value value = Value::Tensor(std::move(tensor));
    if (size >= kLargeTensor) {
      OPCOMPAT_RETURN_IF_ERROR(CountHash(size, *value.tensor().hash));
    }
    return value;
  }

  // The bytes behind the message at which `raw` points: new ones, which must
  // begin where those before end, or ones that an earlier tensor has. Valid
  // until the next call.
  absl::StatusOr<const Region*> RegionOf(const RawTensor& raw,
                                         const FileSpan& span, size_t i) {
    const auto malformed = [&](const auto&... what) {
      return MalformedAt(span, "tensor", i, Concat(what...));
    };
    if (!file_.required_features.contains(kBulkFeature)) {
      return malformed("it uses the feature \"", kBulkFeature,
                       "\", which the file does not require");
    }
    const auto found = regions_.find(raw.bulk_offset);
    if (found != regions_.end()) {
      const Region& region = found->second;
      if (region.size != raw.bulk_size || region.hash != raw.bulk_hash) {
        return malformed(
            "its bytes begin where those of an earlier tensor do "
            "(bulk offset ",
            raw.bulk_offset, "), but have another size or another hash");
      }
      return &region;
    }
    // Where bulk data begins and ends, in the file.
    const uint64_t begin = Align(file_.message_size);
    const uint64_t expected = Align(bulk_end_);
    if (raw.bulk_offset != expected) {
      return malformed("its bytes begin at bulk offset ", raw.bulk_offset, "; ",
                       expected,
                       ", where those before end, or those of an earlier "
                       "tensor were expected");
    }
    const uint64_t in_file = file_.message_size + file_.rest.size();
    if (begin > in_file || expected > in_file - begin ||
        raw.bulk_size > in_file - begin - expected) {
      return malformed("its ", raw.bulk_size, " bytes begin at offset ",
                       begin + expected, ", but the file ends at ", in_file,
                       ": it was cut off");
    }
    OPCOMPAT_RETURN_IF_ERROR(CountHash(raw.bulk_size, raw.bulk_hash));
    const absl::string_view padding = Rest(begin + bulk_end_, begin + expected);
    const absl::string_view before =
        bulk_end_ == 0 ? Rest(file_.message_size, begin) : padding;
    if (options_.check_tensor_hashes &&
        before.find_first_not_of('\0') != absl::string_view::npos) {
      return malformed(
          "there is something other than zeros before its bytes, which begin "
          "at offset ",
          begin + expected, ": the file was damaged or changed");
    }
    Region region;
    region.size = raw.bulk_size;
    region.hash = raw.bulk_hash;
    region.bytes = Rest(begin + expected, begin + expected + raw.bulk_size);
    OPCOMPAT_ASSIGN_OR_RETURN(const uint64_t hash, Take(&region));
    if (options_.check_tensor_hashes && hash != region.hash) {
      return malformed("the hash of its bytes, at offset ", begin + expected,
                       ", is ", Hex16{hash}, "; ", Hex16{region.hash},
                       " was expected: the file was damaged or changed");
    }
    bulk_end_ = expected + raw.bulk_size;
    return &regions_.emplace(raw.bulk_offset, std::move(region)).first->second;
  }

  // Makes a copy if that is wanted. Returns the hash of the bytes if that is
  // to be checked.
  absl::StatusOr<uint64_t> Take(Region* region) {
    std::shared_ptr<char> copy;
    if (options_.tensors.views()) {
      region->owner = options_.tensors.owner();
    } else {
      OPCOMPAT_RETURN_IF_ERROR(CheckCopyLimit(region->size));
      copy = AlignedMemory(static_cast<size_t>(region->size));
    }
    const bool check = options_.check_tensor_hashes;
    if (check) XXH3_64bits_reset(hash_state_.get());
    absl::string_view rest = region->bytes;
    while ((copy != nullptr || check) && !rest.empty()) {
      absl::string_view piece = rest.substr(0, kPieceSize);
      rest.remove_prefix(piece.size());
      if (copy != nullptr) {
        char* const to = copy.get() + (piece.data() - region->bytes.data());
        std::memcpy(to, piece.data(), piece.size());
        piece = absl::string_view(to, piece.size());  // it is in the cache
      }
      if (check) {
        XXH3_64bits_update(hash_state_.get(), piece.data(), piece.size());
      }
      if (options_.progress && piece.size() == kPieceSize) {
        const auto done =
            static_cast<uint64_t>(rest.data() - file_.rest.data());
        options_.progress(file_.message_size + done,
                          file_.message_size + file_.rest.size());
      }
    }
    if (copy != nullptr) {
      region->bytes = absl::string_view(copy.get(), region->bytes.size());
      region->owner = std::move(copy);
    }
    return check ? XXH3_64bits_digest(hash_state_.get()) : 0;
  }

  absl::Status CheckCopyLimit(uint64_t size) {
    const uint64_t limit = options_.limits.max_tensor_bytes;
    if (size > limit - copied_) {
      return absl::ResourceExhaustedError(
          Concat("the file's tensors have more than ", limit,
                 " bytes, the limit for copies of them"));
    }
    copied_ += size;
    return absl::OkStatus();
  }

  // Of different bytes, or of the same at several places.
  absl::Status CountHash(uint64_t size, uint64_t hash) {
    if (++hashes_[{size, hash}] <= kMaxSameHash) return absl::OkStatus();
    return absl::ResourceExhaustedError(Concat(
        "the file has more than ", kMaxSameHash, " tensors of ", size,
        " bytes with the hash ", Hex16{hash}, " at several places, the limit"));
  }

  // Who claims a hash, or has found bytes that collide, could otherwise have
  // them compared once for each constant that has such a tensor.
  void CountComparedBytes() {
    tables_.compared_tensor_bytes.reserve(tables_.tensors.size());
    for (const Value& value : tables_.tensors) {
      const TensorData& tensor = value.tensor();
      const auto found = hashes_.find({tensor.bytes.size(), *tensor.hash});
      const bool has_twin = found != hashes_.end() && found->second > 1;
      tables_.compared_tensor_bytes.push_back(has_twin ? tensor.bytes.size()
                                                       : 0);
    }
  }

  absl::Status CheckEnd() const {
    const uint64_t end = bulk_end_ == 0 ? file_.message_size
                                        : Align(file_.message_size) + bulk_end_;
    const uint64_t in_file = file_.message_size + file_.rest.size();
    if (end == in_file) return absl::OkStatus();
    return absl::InvalidArgumentError(
        Concat("malformed file: ", in_file - end,
               in_file - end == 1 ? " byte (offset " : " bytes (offset ", end,
               ") behind its ", bulk_end_ == 0 ? "checksum" : "last tensor",
               ", which no tensor has: something was appended to it"));
  }

  // Bytes behind the message, by their offsets in the file.
  absl::string_view Rest(uint64_t begin, uint64_t end) const {
    return file_.rest.substr(static_cast<size_t>(begin - file_.message_size),
                             static_cast<size_t>(end - begin));
  }

  static constexpr uint64_t Align(uint64_t offset) {
    return (offset + kAlignment - 1) / kAlignment * kAlignment;
  }

  const FileFields& file_;
  const DecodeOptions& options_;
  Budget& budget_;
  Tables& tables_;
  // By bulk offset.
  HashMap<uint64_t, Region> regions_;
  uint64_t bulk_end_ = 0;
  uint64_t copied_ = 0;
  HashMap<std::pair<uint64_t, uint64_t>, int> hashes_;
  std::unique_ptr<XXH3_state_t, FreeHashState> hash_state_{XXH3_createState()};
};

}  // namespace

absl::Status ReadTensors(const FileFields& file, const DecodeOptions& options,
                         Budget* budget, Tables* tables) {
  return TensorReader(file, options, budget, tables).Read();
}

}  // namespace decoding
}  // namespace opcompat
