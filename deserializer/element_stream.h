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
  explicit ElementStream(absl::string_view column)
      : p_(column.data()), end_(column.data() + column.size()) {}

  // The next `count` elements, good until the next call; null if one of them is
  // no varint of 64 bits, or the column has no more. One more may be read, and
  // means nothing.
  const uint64_t* Take(size_t count) {
    if (decoded_ - taken_ < count && !Refill(count)) return nullptr;
    const uint64_t* const elements = batch_.data() + taken_;
    taken_ += count;
    return elements;
  }

 private:
  // Decodes at least until there are `count`. False if there are not.
  bool Refill(size_t count);
  // False if there is no varint; then the column ends there.
  bool ReadOne(uint64_t* element);

  const char* p_;
  const char* end_;
  std::vector<uint64_t> batch_ = {0};
  size_t decoded_ = 0;  // elements in the batch
  size_t taken_ = 0;    // of those
};

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_ELEMENT_STREAM_H_
