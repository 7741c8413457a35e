// Protobuf's encoding, read by hand and believed in nothing: fields one after
// the other, columns of varints. Knows no message.
//
// What it accepts is what protobuf's own readers accept: fields in any order,
// unknown fields (skipped), packed and unpacked columns, varints padded up to
// ten bytes. What they would bend silently is malformed here: a 32-bit field
// that holds more, a bool above 1, a known field of another wire type, groups.
#ifndef OPCOMPAT_DESERIALIZER_FIELD_READER_H_
#define OPCOMPAT_DESERIALIZER_FIELD_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "deserializer/varints.h"

namespace opcompat {
namespace decoding {

// Bytes of the file, and where in it they are.
struct FileSpan {
  absl::string_view bytes;
  size_t offset = 0;
};

// A packed column of varints, as bytes of the file. Where it came in pieces (a
// protobuf writer may do that) it is put together here.
class VarintColumn {
 public:
  // False if the last varint of `piece` is cut off.
  bool Add(absl::string_view piece);

  absl::string_view bytes() const {
    return joined_.empty() ? piece_ : absl::string_view(joined_);
  }
  // How many varints: counted, so that memory can be sized from what is there
  // and not from what a number says.
  uint64_t count() const;

 private:
  absl::string_view piece_;
  std::string joined_;
};

// Goes through the fields of one message:
//
//   FieldReader fields(span, "a tensor");
//   while (fields.Next()) {
//     switch (fields.number()) {
//       case 1: dtype = fields.Uint32(); break;
//     }
//   }
//   OPCOMPAT_RETURN_IF_ERROR(fields.status());
//
// Each getter takes the value of the current field. If that is not of the
// getter's type, it returns zero, Next() returns false from then on, and
// status() says what was wrong, with the offset in the file.
class FieldReader {
 public:
  // `where` names the message in errors; it and the span's bytes must outlive
  // the reader.
  FieldReader(const FileSpan& message, absl::string_view where);

  bool Next();
  uint32_t number() const { return number_; }
  bool is_bytes() const { return type_ == kLength; }

  uint64_t Uint64();
  uint32_t Uint32();
  bool Bool();
  int64_t Sint64() { return UnZigZag(Uint64()); }
  uint64_t Fixed64();
  absl::string_view Bytes();
  FileSpan Span();
  // An element of a column of varints, or all of them packed.
  void AddTo(VarintColumn* column);
  // The same for fixed64: appends raw bytes, a multiple of eight.
  void AddFixed64To(std::string* column);

  // Makes the message malformed for a reason of the caller's.
  void Fail(absl::string_view what);
  const absl::Status& status() const { return status_; }

 private:
  enum WireType : uint8_t {
    kVarint = 0,
    kFixed64 = 1,
    kLength = 2,
    kFixed32 = 5
  };

  size_t OffsetOf(const char* p) const { return offset_ + (p - begin_); }
  bool Expect(WireType type);

  const char* begin_;
  const char* p_;
  const char* end_;
  absl::string_view where_;
  size_t offset_;

  uint32_t number_ = 0;
  uint8_t type_ = 0;
  const char* value_begin_ = nullptr;  // behind the tag
  uint64_t integer_ = 0;               // of varint and fixed64
  absl::string_view bytes_;            // of length-delimited
  absl::Status status_;
};

// "malformed file: TABLE I (offset N): WHAT", of an element of a table.
absl::Status MalformedAt(const FileSpan& span, absl::string_view table,
                         size_t i, absl::string_view what);

// All elements of a column of 32-bit numbers; `what` names it in errors.
absl::StatusOr<std::vector<uint32_t>> ReadUint32s(const VarintColumn& column,
                                                  absl::string_view what);
absl::StatusOr<std::vector<int64_t>> ReadSint64s(const VarintColumn& column,
                                                 absl::string_view what);

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_FIELD_READER_H_
