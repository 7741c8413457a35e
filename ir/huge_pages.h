// Memory for large columns. What a fresh page costs, by far the most of a large
// graph's time, is paid once for two megabytes instead of once for four
// kilobytes, where the system does such a thing.
#ifndef OPCOMPAT_IR_HUGE_PAGES_H_
#define OPCOMPAT_IR_HUGE_PAGES_H_

#include <cstddef>
#include <vector>

namespace opcompat {

// Asks the system for huge pages where they fit whole into the memory. Only an
// advice: nothing happens where there are none, and for less than a few
// megabytes. To be given before the memory is touched.
void AdviseHugePages(void* begin, size_t num_bytes);

// `column->reserve(size)`, with the advice. For columns that are about to be
// filled.
template <typename T>
void ReserveColumn(size_t size, std::vector<T>* column) {
  if (size <= column->capacity()) return;
  column->reserve(size);
  AdviseHugePages(column->data() + column->size(),
                  (size - column->size()) * sizeof(T));
}

}  // namespace opcompat

#endif  // OPCOMPAT_IR_HUGE_PAGES_H_
