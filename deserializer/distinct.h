// Tables of a file have each element once: whether one is there already.
#ifndef OPCOMPAT_DESERIALIZER_DISTINCT_H_
#define OPCOMPAT_DESERIALIZER_DISTINCT_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "base/hash_map.h"

namespace opcompat {
namespace decoding {

// An index of one table, without copies of its elements.
class Distinct {
 public:
  // About as many elements as the table will have.
  explicit Distinct(size_t size) { index_.Reserve(size); }

  // Adds the element to the table and returns true, or returns false: it is
  // there. All elements of the table must have come by this.
  template <typename T>
  bool Add(T element, std::vector<T>* table) {
    const auto hash = static_cast<uint32_t>(absl::HashOf(element));
    const auto is_it = [&](uint32_t i) { return (*table)[i] == element; };
    if (index_.Find(hash, is_it) != HashIndex::kFree) return false;
    index_.Add(hash, table->size());
    table->push_back(std::move(element));
    return true;
  }

 private:
  HashIndex index_;
};

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_DISTINCT_H_
