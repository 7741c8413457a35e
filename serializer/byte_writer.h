// Protobuf's encoding, written by hand: varints, tags, length-delimited fields.
// Fields at their zero are left out, as generated code leaves them out, so that
// what protobuf writes again from our bytes is our bytes. Knows no message.
#ifndef OPCOMPAT_SERIALIZER_BYTE_WRITER_H_
#define OPCOMPAT_SERIALIZER_BYTE_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"

namespace opcompat {
namespace encoding {

// The sint64 of protobuf: small for small numbers of either sign.
constexpr uint64_t ZigZag(int64_t i) {
  return (static_cast<uint64_t>(i) << 1) ^ (i < 0 ? ~uint64_t{0} : 0);
}

// No varint is longer.
inline constexpr size_t kMaxVarint = 10;

// Writes `v` as a varint at `to`, where kMaxVarint bytes must be free. Returns
// its end.
inline char* PutVarint(uint64_t v, char* to) {
  while (v >= 0x80) {
    *to++ = static_cast<char>(v | 0x80);
    v >>= 7;
  }
  *to++ = static_cast<char>(v);
  return to;
}

constexpr size_t VarintSize(uint64_t v) {
  size_t size = 1;
  for (; v >= 0x80; v >>= 7) ++size;
  return size;
}

// Appends to bytes of its own. Copyable; not for several threads.
class ByteWriter {
 public:
  // Elements of packed columns; tags and lengths are made of them too.
  void Varint(uint64_t v) {
    if (v < 0x80) {
      bytes_.push_back(static_cast<char>(v));
      return;
    }
    char buffer[kMaxVarint];
    bytes_.append(buffer, PutVarint(v, buffer));
  }
  void Raw64(uint64_t bits) {
    char buffer[8];
    for (int i = 0; i < 8; ++i) buffer[i] = static_cast<char>(bits >> (8 * i));
    bytes_.append(buffer, sizeof buffer);
  }

  // A uint32, uint64 or bool field.
  void Uint(uint32_t field, uint64_t v) {
    if (v == 0) return;
    Tag(field, kVarintType);
    Varint(v);
  }
  void Sint(uint32_t field, int64_t v) { Uint(field, ZigZag(v)); }
  void Fixed64(uint32_t field, uint64_t bits) {
    if (bits == 0) return;
    AlwaysFixed64(field, bits);
  }
  void AlwaysFixed64(uint32_t field, uint64_t bits) {
    Tag(field, kFixed64Type);
    Raw64(bits);
  }

  // A singular bytes or string field.
  void Bytes(uint32_t field, absl::string_view bytes) {
    if (!bytes.empty()) Element(field, bytes);
  }
  // An element of a repeated field of bytes or messages, or a message that is
  // there even if it is empty.
  void Element(uint32_t field, absl::string_view bytes) {
    ElementOfSize(field, bytes.size());
    bytes_.append(bytes.data(), bytes.size());
  }
  // An element whose content, of that size, is appended next.
  void ElementOfSize(uint32_t field, size_t size) {
    Tag(field, kLengthType);
    Varint(size);
  }
  // A packed column; left out if it has no element.
  template <typename Elements>
  void Column(uint32_t field, const Elements& elements) {
    Bytes(field, elements.bytes());
  }

  // The same written in place: what is appended between Begin and End is the
  // content. They nest; the inner one ends first. (The length goes where one
  // byte was left for it; long contents move to make room for more.)
  struct Nested {
    size_t tag;
    size_t content;
  };
  Nested BeginElement(uint32_t field) {
    Nested nested;
    nested.tag = bytes_.size();
    Tag(field, kLengthType);
    bytes_.push_back(0);
    nested.content = bytes_.size();
    return nested;
  }
  void EndElement(Nested nested) {
    const size_t size = bytes_.size() - nested.content;
    if (size < 0x80) {
      bytes_[nested.content - 1] = static_cast<char>(size);
      return;
    }
    char buffer[kMaxVarint];
    bytes_.replace(nested.content - 1, 1, buffer,
                   static_cast<size_t>(PutVarint(size, buffer) - buffer));
  }
  Nested BeginColumn(uint32_t field) { return BeginElement(field); }
  void EndColumn(Nested nested) {
    if (bytes_.size() == nested.content) {
      bytes_.resize(nested.tag);
    } else {
      EndElement(nested);
    }
  }

  // Fields that were written apart.
  void Append(const ByteWriter& fields) { bytes_.append(fields.bytes_); }

  // Room for so many bytes at once.
  void Reserve(size_t size) { bytes_.reserve(size); }
  absl::string_view bytes() const { return bytes_; }
  std::string Release() && { return std::move(bytes_); }

 private:
  static constexpr uint32_t kVarintType = 0;
  static constexpr uint32_t kFixed64Type = 1;
  static constexpr uint32_t kLengthType = 2;

  void Tag(uint32_t field, uint32_t wire_type) {
    Varint(uint64_t{field} << 3 | wire_type);
  }

  std::string bytes_;
};

}  // namespace encoding
}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_BYTE_WRITER_H_
