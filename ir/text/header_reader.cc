#include "ir/text/header_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"
#include "ir/text/cursor.h"
#include "schema/enum_words.h"
#include "schema/text/literal_parser.h"
#include "schema/text/type_parser.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace {

// Bytes of one element; 0: no dtype.
int64_t ElementSize(int64_t scalar_type) {
  // By number (enum_words.h): uint8, int8, int16, int32, int64, float16,
  // float32, float64, complex32, complex64, complex128, bool, qint8, quint8,
  // qint32, bfloat16.
  static constexpr int8_t kSizes[] = {1, 1, 2,  4, 8, 2, 4, 8,
                                      4, 8, 16, 1, 1, 1, 4, 2};
  constexpr int64_t kNumSizes = sizeof(kSizes) / sizeof(kSizes[0]);
  return scalar_type >= 0 && scalar_type < kNumSizes ? kSizes[scalar_type] : 0;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

class HeaderReader {
 public:
  HeaderReader(Scanner& scanner, const Runtime& runtime, ModuleBuilder* builder,
               std::vector<const Opset*>* opsets)
      : scanner_(scanner),
        runtime_(runtime),
        builder_(builder),
        opsets_(opsets) {}

  absl::Status Read();

 private:
  absl::Status ReadOpset();
  absl::Status ReadAttribute();
  absl::Status ReadTensor();
  absl::Status ReadMetadata();
  // Reads `[2, 2]`; multiplies `*size` by all of it.
  absl::Status ReadShape(std::vector<int64_t>* shape, int64_t* size);
  // Reads `hex"..."`, which must have `size` bytes.
  absl::StatusOr<std::string> ReadHex(int64_t size);
  // Reads a name that must be new among `names`.
  absl::StatusOr<std::string> ReadNewName(
      absl::string_view what, absl::flat_hash_set<std::string>* names);

  Scanner& scanner_;
  const Runtime& runtime_;
  ModuleBuilder* const builder_;
  std::vector<const Opset*>* const opsets_;
  absl::flat_hash_set<std::string> attributes_;
  absl::flat_hash_set<std::string> tensors_;
};

absl::Status HeaderReader::Read() {
  for (;;) {
    SkipNewlines(scanner_);
    if (scanner_.Is("opset")) {
      OPCOMPAT_RETURN_IF_ERROR(ReadOpset());
    } else if (scanner_.Is("attr")) {
      OPCOMPAT_RETURN_IF_ERROR(ReadAttribute());
    } else if (scanner_.Is("tensor")) {
      OPCOMPAT_RETURN_IF_ERROR(ReadTensor());
    } else if (scanner_.Is("meta")) {
      OPCOMPAT_RETURN_IF_ERROR(ReadMetadata());
    } else if (scanner_.AtEnd() || scanner_.Is("func")) {
      return absl::OkStatus();
    } else {
      return scanner_.Expected("'opset', 'attr', 'tensor', 'meta' or 'func'");
    }
    OPCOMPAT_RETURN_IF_ERROR(ExpectEndOfLine(scanner_));
  }
}

// Versions are no tokens (`2.6.0`, `1.0-rc1`), so the line is split as it is.
absl::Status HeaderReader::ReadOpset() {
  const size_t begin = scanner_.peek().offset;
  const RawLine line = ReadRawLine(scanner_.text(), begin);
  if (line.fields.size() != 3) {
    return scanner_.ErrorAt(
        begin, absl::StrCat("expected 'opset NAME VERSION', found '",
                            absl::StrJoin(line.fields, " "), "'"));
  }
  const auto error = [&](size_t field, absl::string_view message) {
    return scanner_.ErrorAt(line.fields[field].data() - scanner_.text().data(),
                            message);
  };
  const absl::string_view name = line.fields[1];
  const absl::string_view version = line.fields[2];
  const Opset* const opset = runtime_.FindOpset(name);
  if (opset == nullptr) {
    std::vector<std::string> known;
    for (const Opset& other : runtime_.opsets()) known.push_back(other.name());
    return error(
        1, absl::StrCat("unknown opset '", name, "'; the opsets at hand are: ",
                        known.empty() ? "none" : absl::StrJoin(known, ", ")));
  }
  if (std::find(opsets_->begin(), opsets_->end(), opset) != opsets_->end()) {
    return error(1, absl::StrCat("opset '", opset->name(), "' is named twice"));
  }
  if (version != opset->version()) {
    return error(2, absl::StrCat("the text is written with ", opset->name(),
                                 " ", version, ", but is read as ",
                                 opset->name(), " ", opset->version()));
  }
  opsets_->push_back(opset);
  scanner_.TakeUpTo(line.end);
  return absl::OkStatus();
}

absl::Status HeaderReader::ReadAttribute() {
  scanner_.Next();
  OPCOMPAT_ASSIGN_OR_RETURN(std::string name,
                            ReadNewName("attribute", &attributes_));
  OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect(":"));
  OPCOMPAT_ASSIGN_OR_RETURN(const Type type, ParseType(scanner_, nullptr));
  OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect("="));
  OPCOMPAT_ASSIGN_OR_RETURN(const Value value, ParseLiteralAt(scanner_, type));
  builder_->AddAttribute(std::move(name), builder_->InternType(type),
                         builder_->Constant(value));
  return absl::OkStatus();
}

absl::Status HeaderReader::ReadTensor() {
  scanner_.Next();
  OPCOMPAT_ASSIGN_OR_RETURN(std::string name, ReadNewName("tensor", &tensors_));
  OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect(":"));
  const absl::optional<int64_t> dtype =
      scanner_.peek().kind == Token::Kind::kWord
          ? EnumNumber(TypeKind::kScalarType, scanner_.peek().text)
          : absl::nullopt;
  int64_t size = dtype.has_value() ? ElementSize(*dtype) : 0;
  if (size == 0) return scanner_.Expected("a dtype such as float32");
  scanner_.Next();
  TensorData data;
  data.dtype = std::string(EnumWord(TypeKind::kScalarType, *dtype));
  OPCOMPAT_RETURN_IF_ERROR(ReadShape(&data.shape, &size));
  OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect("="));
  OPCOMPAT_ASSIGN_OR_RETURN(std::string bytes, ReadHex(size));
  const auto owner = std::make_shared<const std::string>(std::move(bytes));
  data.bytes = *owner;
  data.owner = owner;
  builder_->AddTensor(std::move(name),
                      builder_->Constant(Value::Tensor(std::move(data))));
  return absl::OkStatus();
}

absl::Status HeaderReader::ReadShape(std::vector<int64_t>* shape,
                                     int64_t* size) {
  OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect("["));
  if (scanner_.Take("]")) return absl::OkStatus();
  bool empty = false;  // some dimension is 0: no bytes, whatever the others
  size_t too_large_at = 0;  // offset of a dimension; 0: none
  do {
    const Token& token = scanner_.peek();
    int64_t dimension;
    if (token.kind != Token::Kind::kNumber ||
        !absl::SimpleAtoi(token.text, &dimension) || dimension < 0 ||
        absl::StrCat(dimension) != token.text) {
      return scanner_.Expected("a size, 0 or more");
    }
    if (dimension == 0) {
      empty = true;
    } else if (*size > std::numeric_limits<int64_t>::max() / dimension) {
      too_large_at = token.offset;
    } else {
      *size *= dimension;
    }
    shape->push_back(dimension);
    scanner_.Next();
  } while (scanner_.Take(","));
  if (empty) {
    *size = 0;
  } else if (too_large_at != 0) {
    return scanner_.ErrorAt(too_large_at, "the tensor is too large");
  }
  return scanner_.Expect("]");
}

absl::StatusOr<std::string> HeaderReader::ReadHex(int64_t size) {
  const size_t begin = scanner_.peek().offset;
  if (!scanner_.Take("hex") || scanner_.peek().kind != Token::Kind::kString ||
      scanner_.peek().text[0] != '"') {
    return scanner_.Expected("the bytes, hex\"...\"");
  }
  const size_t digits_begin = scanner_.peek().offset + 1;
  const absl::string_view digits =
      scanner_.text().substr(digits_begin, scanner_.peek().text.size() - 2);
  if (digits.size() % 2 != 0 ||
      digits.size() / 2 != static_cast<uint64_t>(size)) {
    return scanner_.ErrorAt(
        begin, absl::StrCat("expected ", size, " bytes of two digits, found ",
                            digits.size(), " digits"));
  }
  std::string bytes(digits.size() / 2, '\0');
  for (size_t i = 0; i < digits.size(); ++i) {
    const int digit = HexDigit(digits[i]);
    if (digit < 0) {
      return scanner_.ErrorAt(digits_begin + i, "expected a hexadecimal digit");
    }
    bytes[i / 2] = static_cast<char>(bytes[i / 2] * 16 + digit);
  }
  scanner_.Next();
  return bytes;
}

absl::Status HeaderReader::ReadMetadata() {
  scanner_.Next();
  // A key may be there several times, as in a file: metadata are a list.
  OPCOMPAT_ASSIGN_OR_RETURN(std::string key,
                            ReadString(scanner_, "a string, the key"));
  OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect("="));
  OPCOMPAT_ASSIGN_OR_RETURN(std::string value,
                            ReadString(scanner_, "a string, the value"));
  builder_->AddMetadata(std::move(key), std::move(value));
  return absl::OkStatus();
}

absl::StatusOr<std::string> HeaderReader::ReadNewName(
    absl::string_view what, absl::flat_hash_set<std::string>* names) {
  const size_t offset = scanner_.peek().offset;
  OPCOMPAT_ASSIGN_OR_RETURN(
      std::string name,
      ReadName(scanner_, absl::StrCat("the name of the ", what)));
  if (!names->insert(name).second) {
    return scanner_.ErrorAt(offset,
                            absl::StrCat(what, " '", name, "' is given twice"));
  }
  return name;
}

}  // namespace

bool IsHeaderWord(absl::string_view word) {
  return word == "opset" || word == "attr" || word == "tensor" ||
         word == "meta";
}

absl::Status ReadHeader(Scanner& scanner, const Runtime& runtime,
                        ModuleBuilder* builder,
                        std::vector<const Opset*>* opsets) {
  return HeaderReader(scanner, runtime, builder, opsets).Read();
}

}  // namespace opcompat
