#include "schema/text/literal_parser.h"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"
#include "schema/enum_words.h"
#include "schema/typing.h"

namespace opcompat {
namespace {

// Bytes of one element, by ScalarType number.
constexpr int kElementBytes[] = {1, 1, 2,  4, 8, 2, 4, 8,
                                 4, 8, 16, 1, 1, 1, 4, 2};

// Reads the float at the front of `*text`, sign included, and removes it. On
// failure returns what is wrong, as the end of a sentence.
absl::Status TakeFloat(absl::string_view* text, double* value) {
  absl::string_view rest = *text;
  const bool negative = absl::ConsumePrefix(&rest, "-");
  if (!negative) absl::ConsumePrefix(&rest, "+");
  if (absl::ConsumePrefix(&rest, "inf")) {
    *value = std::numeric_limits<double>::infinity();
  } else if (absl::ConsumePrefix(&rest, "nan")) {
    uint64_t bits = 0x7ff8000000000000;
    if (absl::ConsumePrefix(&rest, "(0x")) {
      const char* end = rest.data() + rest.size();
      const auto [stop, error] = std::from_chars(rest.data(), end, bits, 16);
      if (error != std::errc() || stop == end || *stop != ')') {
        return absl::InvalidArgumentError(
            "is not nan(0x...) with 1 to 16 hexadecimal digits");
      }
      rest.remove_prefix(static_cast<size_t>(stop + 1 - rest.data()));
      if (negative) {
        return absl::InvalidArgumentError(
            "has a sign before nan(0x...), whose bits say it already");
      }
    }
    std::memcpy(value, &bits, sizeof bits);
    if (!std::isnan(*value)) {
      return absl::InvalidArgumentError("has the bits of a number, not a nan");
    }
  } else {
    const char* begin = rest.data();
    const char* end = begin + rest.size();
    const auto [stop, error] =
        std::from_chars(begin, end, *value, std::chars_format::general);
    if (stop == begin) return absl::InvalidArgumentError("is not a number");
    const absl::string_view digits(begin, static_cast<size_t>(stop - begin));
    const absl::string_view mantissa =
        digits.substr(0, digits.find_first_of("eE"));
    const bool zero =
        mantissa.find_first_of("123456789") == absl::string_view::npos;
    if (error != std::errc() || std::isinf(*value) || (*value == 0) != zero) {
      return absl::InvalidArgumentError(
          "is out of range for a float (write inf or 0.0 if that is meant)");
    }
    rest.remove_prefix(digits.size());
  }
  if (negative) *value = std::copysign(*value, -1.0);
  *text = rest;
  return absl::OkStatus();
}

absl::StatusOr<Value> ParseInt(absl::string_view text) {
  const absl::string_view digits = absl::StripPrefix(text, "-");
  if (digits.size() > 1 && digits[0] == '0') {
    return absl::InvalidArgumentError(
        "has needless zeros: ints are decimal, without leading zeros");
  }
  if (text == "-0") {
    return absl::InvalidArgumentError(
        "is no int of its own: write 0, or -0.0 for the float");
  }
  int64_t value;
  if (!absl::SimpleAtoi(text, &value)) {
    return absl::InvalidArgumentError(
        "is beyond int64 (-9223372036854775808 to 9223372036854775807)");
  }
  return Value::Int(value);
}

absl::StatusOr<Value> ParseNumber(absl::string_view text) {
  const absl::string_view digits = absl::StripPrefix(text, "-");
  bool is_int = !digits.empty();
  for (char c : digits) is_int = is_int && absl::ascii_isdigit(c);
  if (is_int) return ParseInt(text);

  absl::string_view rest = text;
  double first;
  OPCOMPAT_RETURN_IF_ERROR(TakeFloat(&rest, &first));
  if (rest.empty()) return Value::Float(first);
  if (rest == "j") return Value::Complex(0.0, first);
  if (rest[0] == '+' || rest[0] == '-') {
    double second;
    OPCOMPAT_RETURN_IF_ERROR(TakeFloat(&rest, &second));
    if (rest == "j") return Value::Complex(first, second);
  }
  return absl::InvalidArgumentError(
      "is not a number: ints are decimal, floats have '.', 'e', inf or nan, "
      "complex numbers end in 'j'");
}

absl::Status LiteralTooDeep(const Scanner& scanner) {
  return scanner.Error(absl::StrCat("the literal is nested deeper than ",
                                    kMaxValueDepth, " levels"));
}

absl::StatusOr<Value> ParseAtDepth(Scanner& scanner, int depth);

// Elements up to `close`, which is passed over. `*commas` counts commas.
absl::Status ParseElements(Scanner& scanner, int depth, absl::string_view close,
                           std::vector<Value>* elements, size_t* commas) {
  while (!scanner.Is(close)) {
    OPCOMPAT_ASSIGN_OR_RETURN(Value element, ParseAtDepth(scanner, depth + 1));
    elements->push_back(std::move(element));
    if (scanner.Take(",")) {
      ++*commas;
      // Only a tuple of one ends in a comma.
      if (scanner.Is(close) && (close != ")" || elements->size() != 1)) {
        return scanner.Expected("a literal");
      }
    } else if (!scanner.Is(close)) {
      return scanner.Expected(absl::StrCat("',' or '", close, "'"));
    }
  }
  scanner.Next();
  return absl::OkStatus();
}

absl::StatusOr<Value> ParseDictLiteral(Scanner& scanner, int depth) {
  std::vector<Value> items;
  absl::flat_hash_set<Value> keys;
  bool more = !scanner.Is("}");
  while (more) {
    const size_t begin = scanner.peek().offset;
    OPCOMPAT_ASSIGN_OR_RETURN(Value key, ParseAtDepth(scanner, depth + 1));
    if (!keys.insert(key).second) {
      return scanner.ErrorAt(
          begin, absl::StrCat("the key ", key.ToShortString(), " is repeated"));
    }
    OPCOMPAT_RETURN_IF_ERROR(scanner.Expect(":"));
    OPCOMPAT_ASSIGN_OR_RETURN(Value value, ParseAtDepth(scanner, depth + 1));
    items.push_back(std::move(key));
    items.push_back(std::move(value));
    more = scanner.Take(",");
  }
  if (!scanner.Is("}")) return scanner.Expected("',' or '}'");
  scanner.Next();
  return Value::Dict(std::move(items));
}

// `(dtype, [shape], hex"...")` after the word `tensor`.
absl::StatusOr<Value> ParseTensorLiteral(Scanner& scanner) {
  TensorData data;
  OPCOMPAT_RETURN_IF_ERROR(scanner.Expect("("));
  const absl::optional<int64_t> dtype =
      scanner.peek().kind == Token::Kind::kWord
          ? EnumNumber(TypeKind::kScalarType, scanner.peek().text)
          : absl::nullopt;
  if (!dtype.has_value()) {
    return scanner.Expected("the dtype of a tensor, such as float32");
  }
  data.dtype = std::string(EnumWord(TypeKind::kScalarType, *dtype));
  scanner.Next();
  OPCOMPAT_RETURN_IF_ERROR(scanner.Expect(","));
  OPCOMPAT_RETURN_IF_ERROR(scanner.Expect("["));
  // How many bytes there must be; nullopt: more than any text has.
  absl::optional<uint64_t> bytes = static_cast<uint64_t>(kElementBytes[*dtype]);
  bool empty = false;
  while (!scanner.Is("]")) {
    int64_t size;
    if (scanner.peek().kind != Token::Kind::kNumber ||
        !absl::SimpleAtoi(scanner.peek().text, &size) || size < 0 ||
        absl::StrCat(size) != scanner.peek().text) {
      return scanner.Expected("a size (0 or more)");
    }
    scanner.Next();
    data.shape.push_back(size);
    empty = empty || size == 0;
    uint64_t product;
    if (bytes.has_value() &&
        !__builtin_mul_overflow(*bytes, static_cast<uint64_t>(size),
                                &product)) {
      bytes = product;
    } else {
      bytes = absl::nullopt;
    }
    if (scanner.Take(",")) {
      if (scanner.Is("]")) return scanner.Expected("a size (0 or more)");
    } else if (!scanner.Is("]")) {
      return scanner.Expected("',' or ']'");
    }
  }
  if (empty) bytes = 0;
  scanner.Next();
  OPCOMPAT_RETURN_IF_ERROR(scanner.Expect(","));
  const size_t hex_begin = scanner.peek().offset;
  if (!scanner.Take("hex") || !scanner.FollowsDirectly() ||
      scanner.peek().kind != Token::Kind::kString) {
    return scanner.ErrorAt(hex_begin,
                           "expected the bytes of the tensor as hex\"...\"");
  }
  absl::string_view hex = scanner.Next().text;
  hex = hex.substr(1, hex.size() - 2);
  for (size_t i = 0; i < hex.size(); ++i) {
    if (!absl::ascii_isxdigit(hex[i])) {
      return scanner.ErrorAt(hex_begin + 4 + i, "expected a hexadecimal digit");
    }
  }
  if (hex.size() % 2 != 0 || !bytes.has_value() || hex.size() / 2 != *bytes) {
    return scanner.ErrorAt(
        hex_begin,
        absl::StrCat("expected ",
                     bytes.has_value() ? absl::StrCat(*bytes) : "many more",
                     " bytes for this dtype and shape, found ", hex.size(),
                     " hexadecimal digits"));
  }
  auto owner = std::make_shared<const std::string>(absl::HexStringToBytes(hex));
  data.bytes = *owner;
  data.owner = owner;
  OPCOMPAT_RETURN_IF_ERROR(scanner.Expect(")"));
  return Value::Tensor(std::move(data));
}

absl::StatusOr<Value> ParseAtDepth(Scanner& scanner, int depth) {
  if (depth > kMaxValueDepth) return LiteralTooDeep(scanner);
  const Token token = scanner.peek();
  if (const absl::string_view number = scanner.TakeNumber(); !number.empty()) {
    absl::StatusOr<Value> value = ParseNumber(number);
    if (value.ok()) return value;
    return scanner.ErrorAt(
        token.offset,
        absl::StrCat("'", number.substr(0, 60), number.size() > 60 ? "..." : "",
                     "' ", value.status().message()));
  }
  switch (token.kind) {
    case Token::Kind::kString: {
      std::string text;
      const absl::Status status = UnquoteString(token.text, &text);
      if (!status.ok()) return scanner.Error(status.message());
      scanner.Next();
      return Value::String(text);
    }
    case Token::Kind::kWord:
      scanner.Next();
      if (token.text == "None") return Value::None();
      if (token.text == "True") return Value::Bool(true);
      if (token.text == "False") return Value::Bool(false);
      if (token.text == "tensor" && scanner.Is("(")) {
        return ParseTensorLiteral(scanner);
      }
      return Value::Word(token.text);
    case Token::Kind::kSymbol:
      break;
    default:
      return scanner.Expected("a literal");
  }
  std::vector<Value> elements;
  size_t commas = 0;
  if (scanner.Take("[")) {
    OPCOMPAT_RETURN_IF_ERROR(
        ParseElements(scanner, depth, "]", &elements, &commas));
    return Value::List(std::move(elements));
  }
  if (scanner.Take("(")) {
    OPCOMPAT_RETURN_IF_ERROR(
        ParseElements(scanner, depth, ")", &elements, &commas));
    if (elements.size() == 1 && commas == 0) {
      return scanner.ErrorAt(token.offset,
                             "a tuple of one is written `(a,)`, with a comma");
    }
    return Value::Tuple(std::move(elements));
  }
  if (scanner.Take("{")) return ParseDictLiteral(scanner, depth);
  return scanner.Expected("a literal");
}

}  // namespace

absl::StatusOr<Value> ParseLiteral(Scanner& scanner) {
  const size_t begin = scanner.peek().offset;
  OPCOMPAT_ASSIGN_OR_RETURN(Value value, ParseAtDepth(scanner, 1));
  if (!IsWithinValueLimits(value)) {
    return scanner.ErrorAt(begin, absl::StrCat("the literal has more than ",
                                               kMaxValueParts, " parts"));
  }
  return value;
}

absl::StatusOr<Value> ParseLiteralAt(Scanner& scanner, const Type& type) {
  const size_t begin = scanner.peek().offset;
  OPCOMPAT_ASSIGN_OR_RETURN(const Value literal, ParseLiteral(scanner));
  absl::StatusOr<Value> value = CoerceLiteral(literal, type);
  if (value.ok()) return value;
  return scanner.ErrorAt(begin, value.status().message());
}

absl::StatusOr<Value> ParseLiteralAt(absl::string_view text, const Type& type) {
  Scanner scanner(text);
  OPCOMPAT_ASSIGN_OR_RETURN(Value value, ParseLiteralAt(scanner, type));
  if (!scanner.AtEnd()) return scanner.Expected("the end of the literal");
  return value;
}

}  // namespace opcompat
