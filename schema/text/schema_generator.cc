#include "schema/text/schema_generator.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace opcompat {
namespace {

constexpr TypeKind kPlainKinds[] = {
    TypeKind::kTensor,    TypeKind::kTensor,    TypeKind::kInt,
    TypeKind::kFloat,     TypeKind::kBool,      TypeKind::kComplex,
    TypeKind::kString,    TypeKind::kScalar,    TypeKind::kScalarType,
    TypeKind::kLayout,    TypeKind::kDevice,    TypeKind::kMemoryFormat,
    TypeKind::kGenerator, TypeKind::kStorage,   TypeKind::kStream,
    TypeKind::kDimname,   TypeKind::kQScheme,   TypeKind::kSymInt,
    TypeKind::kSymFloat,  TypeKind::kSymBool,   TypeKind::kAny,
    TypeKind::kNone,      TypeKind::kReduction,
};

// Names that a parser could take for something else.
constexpr absl::string_view kOddNames[] = {
    "self", "from", "in", "None", "True", "inf",    "nan",   "t",     "int",
    "hex",  "Dict", "j",  "e5",   "_",    "Tensor", "opset", "tensor"};

constexpr absl::string_view kNamedTypes[] = {
    "__torch__.torch.classes.rnn.CellParamsBase",
    "__torch__.Net",
    "AnyEnumType",
    "DispatchKeySet",
    "tensor",
    "x"};

}  // namespace

uint64_t SchemaGenerator::Below(uint64_t limit) {
  // SplitMix64.
  state_ += 0x9e3779b97f4a7c15;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return (z ^ (z >> 31)) % limit;
}

int64_t SchemaGenerator::NextInt() {
  switch (Below(8)) {
    case 0:
      return std::numeric_limits<int64_t>::min();
    case 1:
      return std::numeric_limits<int64_t>::max();
    case 2:
      return static_cast<int64_t>(Below(std::numeric_limits<uint64_t>::max()));
    default:
      return static_cast<int64_t>(Below(7)) - 3;
  }
}

double SchemaGenerator::NextFloat() {
  constexpr double kSpecial[] = {0.0,
                                 -0.0,
                                 1.0,
                                 0.1,
                                 1e-5,
                                 1e10,
                                 1e22,
                                 5e-324,
                                 std::numeric_limits<double>::max(),
                                 std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN()};
  const uint64_t choice = Below(24);
  if (choice < 12) return kSpecial[choice];
  uint64_t bits = Below(std::numeric_limits<uint64_t>::max());
  if (choice < 15) bits |= 0x7ff0000000000001;  // a NaN with a payload
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::string SchemaGenerator::NextString() {
  constexpr absl::string_view kPieces[] = {
      "a",    " ",    "\"",   "'", "\\", "\n",  "\t",          "\r",
      "\f",   "#",    ",",    ")", "=",  "->",  "\xc3\xa9",    "\xe2\x82\xac",
      "\x7f", "\xff", "\xc3", "0", "n",  "sum", "\xed\xa0\x80"};
  std::string text;
  for (uint64_t n = Below(6); n > 0; --n) {
    if (OneIn(6)) {
      text += static_cast<char>(Below(256));
    } else {
      absl::StrAppend(&text, kPieces[Below(std::size(kPieces))]);
    }
  }
  return text;
}

std::string SchemaGenerator::NextName() {
  if (OneIn(3)) {
    return absl::StrCat(kOddNames[Below(std::size(kOddNames))]);
  }
  return absl::StrCat("a", Below(100));
}

Type SchemaGenerator::NextType(int max_depth) {
  if (max_depth <= 1 || !OneIn(2)) {
    switch (Below(10)) {
      case 0:
        return Type::Named(kNamedTypes[Below(std::size(kNamedTypes))]);
      case 1:
        return Type::Variable(OneIn(2) ? "t" : "t1");
      default:
        return Type(kPlainKinds[Below(std::size(kPlainKinds))]);
    }
  }
  const auto children = [&](uint64_t least) {
    std::vector<Type> types;
    for (uint64_t n = least + Below(3); n > 0; --n) {
      types.push_back(NextType(max_depth - 1));
    }
    return types;
  };
  switch (Below(9)) {
    case 0:
    case 1:
      return Type::List(NextType(max_depth - 1));
    case 2:
      return Type::List(NextType(max_depth - 1),
                        1 + static_cast<int64_t>(Below(3)));
    case 3:
    case 4: {
      Type element = NextType(max_depth - 1);
      if (element.kind() == TypeKind::kOptional) return element;
      return Type::Optional(std::move(element));
    }
    case 5:
      return Type::Dict(NextType(1), NextType(max_depth - 1));
    case 6:
      return Type::Tuple(children(0));
    case 7: {
      std::vector<Type> types = children(1);
      std::vector<std::string> names;
      for (size_t i = 0; i < types.size(); ++i) {
        names.push_back(absl::StrCat("f", i));
      }
      return Type::NamedTuple(std::move(names), std::move(types));
    }
    default: {
      constexpr TypeKind kWrappers[] = {TypeKind::kFuture, TypeKind::kRRef,
                                        TypeKind::kAwait};
      return Type::Wrapper(kWrappers[Below(3)], NextType(max_depth - 1));
    }
  }
}

Value SchemaGenerator::NextLiteral(int max_depth) {
  const uint64_t choice = Below(max_depth <= 1 ? 7 : 10);
  if (choice < 7) {
    switch (choice) {
      case 0:
        return Value::None();
      case 1:
        return Value::Bool(OneIn(2));
      case 2:
      case 3:
        return Value::Int(NextInt());
      case 4:
        return Value::Float(NextFloat());
      case 5:
        return Value::Complex(NextFloat(), NextFloat());
      default:
        return Value::String(NextString());
    }
  }
  std::vector<Value> elements;
  const uint64_t size = Below(4);
  for (uint64_t i = 0; i < size; ++i) {
    // A dict's keys must differ.
    if (choice == 9) elements.push_back(Value::Int(static_cast<int64_t>(i)));
    elements.push_back(NextLiteral(max_depth - 1));
  }
  if (choice == 7) return Value::List(std::move(elements));
  if (choice == 8) return Value::Tuple(std::move(elements));
  return Value::Dict(std::move(elements));
}

absl::optional<Value> SchemaGenerator::NextValue(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kInt:
    case TypeKind::kSymInt:
    case TypeKind::kScalarType:
    case TypeKind::kLayout:
    case TypeKind::kMemoryFormat:
    case TypeKind::kReduction:
      return Value::Int(NextInt());
    case TypeKind::kFloat:
    case TypeKind::kSymFloat:
      return Value::Float(NextFloat());
    case TypeKind::kBool:
    case TypeKind::kSymBool:
      return Value::Bool(OneIn(2));
    case TypeKind::kComplex:
      return Value::Complex(NextFloat(), NextFloat());
    case TypeKind::kString:
    case TypeKind::kDevice:
    case TypeKind::kDimname:
      return Value::String(NextString());
    case TypeKind::kScalar:
      return OneIn(2) ? Value::Int(NextInt()) : Value::Float(NextFloat());
    case TypeKind::kQScheme:
      return Value::Word("per_tensor_affine");
    case TypeKind::kNone:
      return Value::None();
    case TypeKind::kAny:
    case TypeKind::kNamed:
    case TypeKind::kVariable:
      return NextLiteral();
    case TypeKind::kOptional:
      if (OneIn(2)) return Value::None();
      return NextValue(type.child());
    case TypeKind::kList: {
      std::vector<Value> elements;
      uint64_t size = Below(4);
      // A default of `T[n]`, n > 1, has no elements or n.
      if (type.size() > 1 && size > 0)
        size = static_cast<uint64_t>(type.size());
      for (uint64_t i = 0; i < size; ++i) {
        absl::optional<Value> element = NextValue(type.child());
        if (!element.has_value()) return Value::List({});
        elements.push_back(*std::move(element));
      }
      return Value::List(std::move(elements));
    }
    case TypeKind::kTuple:
    case TypeKind::kNamedTuple: {
      std::vector<Value> elements;
      for (const Type& child : type.children()) {
        absl::optional<Value> element = NextValue(child);
        if (!element.has_value()) return absl::nullopt;
        elements.push_back(*std::move(element));
      }
      return Value::Tuple(std::move(elements));
    }
    case TypeKind::kDict: {
      absl::optional<Value> key = NextValue(type.child(0));
      absl::optional<Value> value = NextValue(type.child(1));
      if (!key.has_value() || !value.has_value()) return Value::Dict({});
      return Value::Dict({*std::move(key), *std::move(value)});
    }
    case TypeKind::kTensor:
    case TypeKind::kGenerator:
    case TypeKind::kStorage:
    case TypeKind::kStream:
    case TypeKind::kFuture:
    case TypeKind::kRRef:
    case TypeKind::kAwait:
      return absl::nullopt;
  }
  return absl::nullopt;
}

AliasAnnotations SchemaGenerator::NextAnnotations(const Type& type) {
  constexpr absl::string_view kSets[] = {"a", "b", "c", "*", "$0"};
  AliasAnnotations annotations;
  if (!OneIn(3)) return annotations;
  const auto sets = [&] {
    std::vector<std::string> names;
    for (uint64_t n = 1 + Below(2); n > 0; --n) {
      names.emplace_back(kSets[Below(std::size(kSets))]);
    }
    return names;
  };
  for (int64_t place = 0; place < type.num_parts(); ++place) {
    if (!OneIn(2)) continue;
    AliasAnnotation annotation;
    annotation.place = static_cast<uint32_t>(place);
    annotation.write = OneIn(2);
    // `!` alone has no sets.
    if (!annotation.write || !OneIn(4)) {
      annotation.before = sets();
      annotation.after = OneIn(3) ? sets() : annotation.before;
    }
    annotations.push_back(std::move(annotation));
  }
  return annotations;
}

Argument SchemaGenerator::NextArgument(bool keyword_only, bool needs_default) {
  while (true) {
    Argument argument;
    // Numbered, so that no name occurs twice.
    argument.name = absl::StrCat(NextName(), next_name_++);
    argument.type = NextType();
    argument.alias = NextAnnotations(argument.type);
    argument.keyword_only = keyword_only;
    if (!needs_default && OneIn(2)) return argument;
    argument.default_value = NextValue(argument.type);
    if (argument.default_value.has_value() || !needs_default) return argument;
  }
}

OperatorSchema SchemaGenerator::NextSchema() {
  next_name_ = 0;
  std::vector<Argument> arguments;
  bool defaulted = false;
  for (uint64_t n = Below(4); n > 0; --n) {
    arguments.push_back(NextArgument(/*keyword_only=*/false, defaulted));
    defaulted = arguments.back().default_value.has_value();
  }
  for (uint64_t n = Below(3); n > 0; --n) {
    arguments.push_back(
        NextArgument(/*keyword_only=*/true, /*needs_default=*/false));
  }
  // One name without a number: an argument may be called anything.
  if (!arguments.empty() && OneIn(2)) {
    arguments[0].name = std::string(kOddNames[Below(std::size(kOddNames))]);
  }
  std::vector<Result> results;
  for (uint64_t n = Below(4); n > 0; --n) {
    Result result;
    if (OneIn(3)) result.name = NextName();
    result.type = NextType();
    result.alias = NextAnnotations(result.type);
    results.push_back(std::move(result));
  }
  constexpr absl::string_view kOverloads[] = {"", "out", "Scalar_out", "2d",
                                              "a.b"};
  SchemaSpelling spelling;
  spelling.single_result_in_parentheses = OneIn(2);
  absl::StatusOr<OperatorSchema> schema = OperatorSchema::Create(
      absl::StrCat(OneIn(2) ? "aten::" : "my.lib::_", NextName()),
      std::string(kOverloads[Below(std::size(kOverloads))]),
      std::move(arguments), std::move(results), /*is_vararg=*/OneIn(5),
      /*is_varret=*/OneIn(5), spelling);
  if (!schema.ok()) {
    // A bug of this generator, which no caller can do anything about.
    std::cerr << schema.status() << std::endl;
    std::abort();
  }
  return *std::move(schema);
}

}  // namespace opcompat
