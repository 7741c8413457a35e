#include "deserializer/field_reader.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/concat.h"
#include "ir/huge_pages.h"

namespace opcompat {
namespace decoding {
namespace {

constexpr uint32_t kMaxFieldNumber = (1u << 29) - 1;

absl::string_view TypeName(uint8_t type) {
  constexpr absl::string_view kNames[] = {
      "a varint",      "a fixed64",    "a length-delimited value",
      "a start group", "an end group", "a fixed32",
      "wire type 6",   "wire type 7"};
  return kNames[type & 7];
}

uint64_t LittleEndian64(const char* p) {
  uint64_t bits = 0;
  for (int i = 7; i >= 0; --i) bits = bits << 8 | static_cast<uint8_t>(p[i]);
  return bits;
}

}  // namespace

bool VarintColumn::Add(absl::string_view piece) {
  if (piece.empty()) return true;
  if ((static_cast<uint8_t>(piece.back()) & 0x80) != 0) return false;
  if (piece_.empty()) {
    piece_ = piece;
    return true;
  }
  if (joined_.empty()) joined_.assign(piece_.data(), piece_.size());
  joined_.append(piece.data(), piece.size());
  return true;
}

uint64_t VarintColumn::count() const { return CountVarints(bytes()); }

FieldReader::FieldReader(const FileSpan& message, absl::string_view where)
    : begin_(message.bytes.data()),
      p_(begin_),
      end_(begin_ + message.bytes.size()),
      where_(where),
      offset_(message.offset) {}

void FieldReader::Fail(absl::string_view what) {
  if (!status_.ok()) return;
  status_ = absl::InvalidArgumentError(
      Concat("malformed file: ", where_, ": ", what, " (offset ",
             OffsetOf(value_begin_ != nullptr ? value_begin_ : p_), ")"));
}

bool FieldReader::Next() {
  if (!status_.ok() || p_ == end_) return false;
  value_begin_ = p_;
  uint64_t tag;
  if (!ReadVarint(&p_, end_, &tag) || (tag >> 3) == 0 ||
      (tag >> 3) > kMaxFieldNumber) {
    Fail("a field's tag was expected");
    return false;
  }
  number_ = static_cast<uint32_t>(tag >> 3);
  type_ = tag & 7;
  value_begin_ = p_;
  const auto left = static_cast<uint64_t>(end_ - p_);
  switch (type_) {
    case kVarint:
      if (!ReadVarint(&p_, end_, &integer_)) {
        Fail(Concat("field ", number_, ": not a varint of 64 bits"));
        return false;
      }
      return true;
    case kFixed64:
      if (left < 8) break;
      integer_ = LittleEndian64(p_);
      p_ += 8;
      return true;
    case kFixed32:
      if (left < 4) break;
      p_ += 4;
      return true;
    case kLength: {
      uint64_t length;
      if (!ReadVarint(&p_, end_, &length) ||
          length > static_cast<uint64_t>(end_ - p_)) {
        Fail(Concat("field ", number_, ": its length goes beyond the ", left,
                    " bytes that are left"));
        return false;
      }
      bytes_ = absl::string_view(p_, static_cast<size_t>(length));
      value_begin_ = p_;
      p_ += length;
      return true;
    }
    default:
      Fail(Concat("field ", number_, " is ", TypeName(type_),
                  ", which no field is"));
      return false;
  }
  Fail(Concat("field ", number_, ": ", TypeName(type_), " is cut off after ",
              left, " bytes"));
  return false;
}

bool FieldReader::Expect(WireType type) {
  if (type_ == type) return true;
  Fail(Concat("field ", number_, " is ", TypeName(type_), "; ", TypeName(type),
              " was expected"));
  return false;
}

uint64_t FieldReader::Uint64() { return Expect(kVarint) ? integer_ : 0; }

uint32_t FieldReader::Uint32() {
  const uint64_t value = Uint64();
  if (value > std::numeric_limits<uint32_t>::max()) {
    Fail(Concat("field ", number_, " is ", value,
                "; at most 32 bits were expected"));
    return 0;
  }
  return static_cast<uint32_t>(value);
}

bool FieldReader::Bool() {
  const uint64_t value = Uint64();
  if (value > 1) {
    Fail(Concat("field ", number_, " is ", value, "; 0 or 1 was expected"));
  }
  return value == 1;
}

uint64_t FieldReader::Fixed64() { return Expect(kFixed64) ? integer_ : 0; }

absl::string_view FieldReader::Bytes() {
  return Expect(kLength) ? bytes_ : absl::string_view();
}

FileSpan FieldReader::Span() {
  const absl::string_view bytes = Bytes();
  return {bytes, OffsetOf(value_begin_)};
}

void FieldReader::AddTo(VarintColumn* column) {
  if (type_ == kVarint) {
    column->Add(absl::string_view(value_begin_, p_ - value_begin_));
    return;
  }
  if (!Expect(kLength)) return;
  if (!column->Add(bytes_)) {
    Fail(Concat("field ", number_, ": its last varint is cut off"));
  }
}

void FieldReader::AddFixed64To(std::string* column) {
  if (type_ == kFixed64) {
    column->append(value_begin_, 8);
    return;
  }
  if (!Expect(kLength)) return;
  if (bytes_.size() % 8 != 0) {
    Fail(Concat("field ", number_, " has ", bytes_.size(),
                " bytes; a multiple of 8 was expected"));
    return;
  }
  column->append(bytes_.data(), bytes_.size());
}

absl::Status MalformedAt(const FileSpan& span, absl::string_view table,
                         size_t i, absl::string_view what) {
  return absl::InvalidArgumentError(Concat("malformed file: ", table, " ", i,
                                           " (offset ", span.offset,
                                           "): ", what));
}

absl::StatusOr<std::vector<uint32_t>> ReadUint32s(const VarintColumn& column,
                                                  absl::string_view what) {
  std::vector<uint32_t> values;
  const auto count = static_cast<size_t>(column.count());
  ReserveColumn(count, &values);
  values.resize(count);
  const size_t decoded = DecodeVarints(column.bytes(), values.data());
  if (decoded != count) {
    return absl::InvalidArgumentError(
        Concat("malformed file: ", what, ": element ", decoded,
               " is not a number of at most 32 bits"));
  }
  return values;
}

absl::StatusOr<std::vector<int64_t>> ReadSint64s(const VarintColumn& column,
                                                 absl::string_view what) {
  const auto count = static_cast<size_t>(column.count());
  std::vector<uint64_t> numbers(count);
  const size_t decoded = DecodeVarints(column.bytes(), numbers.data());
  if (decoded != count) {
    return absl::InvalidArgumentError(
        Concat("malformed file: ", what, ": element ", decoded,
               " is not a number of at most 64 bits"));
  }
  std::vector<int64_t> values(count);
  std::transform(numbers.begin(), numbers.end(), values.begin(), UnZigZag);
  return values;
}

}  // namespace decoding
}  // namespace opcompat
