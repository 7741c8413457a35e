// Numbers for things in order of first use: what every table of a file is. The
// things themselves stay with the user, who hashes and compares them, so that
// asking for one copies and allocates nothing.
//
// Not for sets that must forget.
#ifndef OPCOMPAT_SERIALIZER_FIRST_USE_INDEX_H_
#define OPCOMPAT_SERIALIZER_FIRST_USE_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace opcompat {
namespace encoding {

// Copyable; not for several threads.
class FirstUseIndex {
 public:
  struct Found {
    uint32_t index;
    // The index is the number of things before: the user must add this one.
    bool is_new;
  };

  // Returns the number of the thing with this hash for which `is_same(number)`
  // is true. `hash` should be one that the makers of files cannot foresee
  // (absl::Hash), and equal things must have equal ones.
  template <typename IsSame>
  Found Find(size_t hash, const IsSame& is_same) {
    if (hashes_.size() * 2 >= slots_.size()) Grow();
    const size_t mask = slots_.size() - 1;
    for (size_t s = hash & mask;; s = (s + 1) & mask) {
      const uint32_t index = slots_[s];
      if (index == kFree) {
        const auto next = static_cast<uint32_t>(hashes_.size());
        slots_[s] = next;
        hashes_.push_back(hash);
        return {next, true};
      }
      if (hashes_[index] == hash && is_same(index)) return {index, false};
    }
  }

 private:
  static constexpr uint32_t kFree = 0xffffffff;

  void Grow() {
    slots_.assign(slots_.empty() ? 32 : slots_.size() * 4, kFree);
    const size_t mask = slots_.size() - 1;
    for (size_t i = 0; i < hashes_.size(); ++i) {
      size_t s = hashes_[i] & mask;
      while (slots_[s] != kFree) s = (s + 1) & mask;
      slots_[s] = static_cast<uint32_t>(i);
    }
  }

  std::vector<uint32_t> slots_;  // a power of two of them
  std::vector<size_t> hashes_;   // by number
};

}  // namespace encoding
}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_FIRST_USE_INDEX_H_
