// The elements of a column of varints in batches: decoding them apart from what
// they are used for needs no branch that a processor could not foresee, and the
// batch stays in its cache.
#ifndef OPCOMPAT_DESERIALIZER_ELEMENT_STREAM_H_
#define OPCOMPAT_DESERIALIZER_ELEMENT_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"

namespace opcompat {
namespace decoding {

class ElementStream {
 public:
  // The bytes must outlive the stream.
  explicit ElementStream(absl::string_view column) : left_(column) {}

  // The next `count` elements, good until the next call; null if one of them is
  // no varint of 64 bits, or the column has no more. kSpare more may be read,
  // and mean nothing.
  const uint64_t* Take(size_t count) {
    if (decoded_ - taken_ < count && !Refill(count)) return nullptr;
    const uint64_t* const elements = batch_.data() + taken_;
    taken_ += count;
    return elements;
  }

  static constexpr size_t kSpare = 4;

 private:
  // Decodes at least until there are `count`. False if there are not.
  bool Refill(size_t count);

  absl::string_view left_;  // of the column
  std::vector<uint64_t> batch_ = std::vector<uint64_t>(kSpare);
  size_t decoded_ = 0;  // elements in the batch
  size_t taken_ = 0;    // of those
};

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_ELEMENT_STREAM_H_
