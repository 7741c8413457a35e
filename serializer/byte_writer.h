// Protobuf's encoding, written by hand: varints, tags, length-delimited fields.
// Fields at their zero are left out, as generated code leaves them out, so that
// what protobuf writes again from our bytes is our bytes. Knows no message.
#ifndef OPCOMPAT_SERIALIZER_BYTE_WRITER_H_
#define OPCOMPAT_SERIALIZER_BYTE_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"

namespace opcompat {
namespace encoding {

// The sint64 of protobuf: small for small numbers of either sign.
constexpr uint64_t ZigZag(int64_t i) {
  return (static_cast<uint64_t>(i) << 1) ^ (i < 0 ? ~uint64_t{0} : 0);
}

// Appends to bytes of its own. Copyable; not for several threads.
class ByteWriter {
 public:
  // Elements of packed columns; tags and lengths are made of them too.
  void Varint(uint64_t v) {
    while (v >= 0x80) {
      bytes_.push_back(static_cast<char>(v | 0x80));
      v >>= 7;
    }
    bytes_.push_back(static_cast<char>(v));
  }
  void Raw64(uint64_t bits) {
    for (int shift = 0; shift < 64; shift += 8) {
      bytes_.push_back(static_cast<char>(bits >> shift));
    }
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
    Tag(field, kLengthType);
    Varint(bytes.size());
    bytes_.append(bytes.data(), bytes.size());
  }
  // A packed column; left out if it has no element.
  template <typename Elements>
  void Column(uint32_t field, const Elements& elements) {
    Bytes(field, elements.bytes());
  }

  // Fields that were written apart.
  void Append(const ByteWriter& fields) { bytes_.append(fields.bytes_); }

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

// A long column of varints, written without a look at the capacity for each
// byte.
class ColumnWriter {
 public:
  void Varint(uint64_t v) {
    if (static_cast<size_t>(end_ - next_) < kMaxVarint) Grow();
    if (v < uint64_t{1} << 14) {
      // Nearly all: one byte or two, and no branch on which.
      const bool has_two = v >= 0x80;
      next_[0] = static_cast<char>(v | (has_two ? 0x80 : 0));
      next_[1] = static_cast<char>(v >> 7);
      next_ += 1 + has_two;
      return;
    }
    while (v >= 0x80) {
      *next_++ = static_cast<char>(v | 0x80);
      v >>= 7;
    }
    *next_++ = static_cast<char>(v);
  }
  absl::string_view bytes() const {
    return absl::string_view(buffer_.data(),
                             static_cast<size_t>(next_ - buffer_.data()));
  }

 private:
  static constexpr size_t kMaxVarint = 10;

  void Grow() {
    const auto size = static_cast<size_t>(next_ - buffer_.data());
    buffer_.resize(buffer_.size() * 2 + 64);
    next_ = &buffer_[size];
    end_ = &buffer_[0] + buffer_.size();
  }

  std::string buffer_;
  char* next_ = &buffer_[0];
  char* end_ = next_;
};

}  // namespace encoding
}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_BYTE_WRITER_H_
