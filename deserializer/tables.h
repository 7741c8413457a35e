// What the tables of a file hold once they are read and checked. Knows nothing
// of bytes.
#ifndef OPCOMPAT_DESERIALIZER_TABLES_H_
#define OPCOMPAT_DESERIALIZER_TABLES_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace decoding {

struct Tables {
  std::vector<absl::string_view> strings;  // of the file's bytes
  std::vector<Type> types;
  // Of each of `types`: its parts and the bytes of their names, shared ones
  // counted each time.
  std::vector<uint64_t> type_sizes;
  // Message Constants; lists of integers are Values already.
  std::vector<uint64_t> floats;
  std::vector<Value> int_lists;
  std::vector<Value> others;
  // Of each of `others`: its parts and the bytes of its text, shared ones
  // counted each time.
  std::vector<uint64_t> other_sizes;
  std::vector<Value> tensors;
  // Of each of `tensors`: 0 if its hash tells it from all others, so that its
  // bytes are shared and never looked at; else how many bytes are looked at
  // when a constant with it is held against one with another tensor.
  std::vector<uint64_t> compared_tensor_bytes;
};

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_TABLES_H_
