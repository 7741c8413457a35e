#include "schema/fingerprint.h"

#include <xxhash.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "schema/operator_entry.h"
#include "schema/operator_schema.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace {

// The bytes that are hashed. No two entries give the same: numbers have eight
// bytes, all that varies in length begins with how much of it there is.
class Bytes {
 public:
  const std::string& bytes() const { return bytes_; }

  // The little end first.
  void Add(uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) {
      bytes_.push_back(static_cast<char>((number >> shift) & 0xff));
    }
  }
  void Add(absl::string_view s) {
    Add(uint64_t{s.size()});
    bytes_.append(s.data(), s.size());
  }
  void Add(const std::string& s) { Add(absl::string_view(s)); }
  template <typename T>
  void Add(absl::Span<const T> items) {
    Add(uint64_t{items.size()});
    for (const T& item : items) Add(item);
  }
  template <typename T>
  void Add(const std::vector<T>& items) {
    Add(absl::MakeConstSpan(items));
  }
  template <typename T>
  void Add(const absl::optional<T>& item) {
    Add(uint64_t{item.has_value()});
    if (item.has_value()) Add(*item);
  }

  void Add(const Type& type) {
    Add(static_cast<uint64_t>(type.kind()));
    Add(type.name());
    Add(static_cast<uint64_t>(type.size()));
    Add(type.children());
    Add(type.field_names());
  }
  void Add(const Value& value);
  void Add(const TypedValue& value) {
    Add(value.type);
    Add(value.value);
  }
  void Add(const EqualValues& equal) {
    Add(equal.value);
    Add(equal.means);
  }
  void Add(const Origin& origin) {
    Add(origin.after);
    Add(origin.first);
  }
  void Add(const AliasAnnotation& alias) {
    Add(uint64_t{alias.place});
    Add(alias.before);
    Add(alias.after);
    Add(uint64_t{alias.write});
  }
  void Add(const EntryArgument& argument) {
    Add(argument.names);
    Add(argument.origin);
    Add(static_cast<uint64_t>(argument.state));
    Add(argument.type);
    Add(argument.alias);
    Add(uint64_t{argument.keyword_only});
    Add(uint64_t{argument.ignorable});
    Add(argument.equal_values);
    Add(argument.default_value);
    Add(argument.neutral);
    Add(argument.retired);
  }
  void Add(const EntryResult& result) {
    Add(result.name);
    Add(result.type);
    Add(result.alias);
  }
  void Add(const CoveredMarks::OfArgument& marks) {
    Add(marks.name);
    Add(marks.alias);
  }
  void Add(const CoveredMarks& marks) {
    Add(marks.arguments);
    Add(marks.results);
  }
  void Add(const OperatorEntry& entry) {
    Add(entry.names);
    Add(entry.history);
    Add(entry.origin);
    Add(uint64_t{entry.revision});
    Add(entry.revision_origin);
    Add(entry.arguments);
    Add(uint64_t{entry.is_vararg});
    Add(entry.results);
    Add(uint64_t{entry.is_varret});
    Add(entry.covered_marks);
  }

 private:
  void AddBits(double number) { Add(Value::Float(number).float_bits()); }

  std::string bytes_;
};

void Bytes::Add(const Value& value) {
  Add(static_cast<uint64_t>(value.kind()));
  switch (value.kind()) {
    case ValueKind::kNone:
      break;
    case ValueKind::kBool:
      Add(uint64_t{value.bool_value()});
      break;
    case ValueKind::kInt:
      Add(static_cast<uint64_t>(value.int_value()));
      break;
    case ValueKind::kFloat:
      Add(value.float_bits());
      break;
    case ValueKind::kComplex:
      AddBits(value.real());
      AddBits(value.imag());
      break;
    case ValueKind::kString:
    case ValueKind::kWord:
      Add(value.string_value());
      break;
    case ValueKind::kList:
    case ValueKind::kTuple:
    case ValueKind::kDict:
      Add(value.elements());
      break;
    case ValueKind::kTensor: {
      const TensorData& tensor = value.tensor();
      Add(tensor.dtype);
      Add(uint64_t{tensor.shape.size()});
      for (const int64_t size : tensor.shape) Add(static_cast<uint64_t>(size));
      Add(tensor.bytes);
      break;
    }
  }
}

}  // namespace

uint64_t Fingerprint(const OperatorEntry& entry) {
  Bytes bytes;
  bytes.Add(entry);
  return XXH3_64bits(bytes.bytes().data(), bytes.bytes().size());
}

}  // namespace opcompat
