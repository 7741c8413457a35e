// Columns of varints for tests, as the wire has them.
#ifndef OPCOMPAT_DESERIALIZER_VARINT_COLUMNS_H_
#define OPCOMPAT_DESERIALIZER_VARINT_COLUMNS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace opcompat {
namespace decoding {

inline std::string Varint(uint64_t v) {
  std::string bytes;
  for (; v >= 0x80; v >>= 7) bytes.push_back(static_cast<char>(v | 0x80));
  bytes.push_back(static_cast<char>(v));
  return bytes;
}

inline std::string Column(const std::vector<uint64_t>& numbers) {
  std::string column;
  for (const uint64_t number : numbers) column += Varint(number);
  return column;
}

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_VARINT_COLUMNS_H_
