#include "schema/random_types.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace {

constexpr TypeKind kLeafKinds[] = {
    TypeKind::kTensor,    TypeKind::kInt,          TypeKind::kFloat,
    TypeKind::kBool,      TypeKind::kComplex,      TypeKind::kString,
    TypeKind::kScalar,    TypeKind::kScalarType,   TypeKind::kLayout,
    TypeKind::kDevice,    TypeKind::kMemoryFormat, TypeKind::kGenerator,
    TypeKind::kStorage,   TypeKind::kStream,       TypeKind::kDimname,
    TypeKind::kQScheme,   TypeKind::kSymInt,       TypeKind::kSymFloat,
    TypeKind::kSymBool,   TypeKind::kAny,          TypeKind::kNone,
    TypeKind::kReduction,
};

constexpr int64_t kInts[] = {0,
                             1,
                             -1,
                             4,
                             int64_t{1} << 53,
                             (int64_t{1} << 53) + 1,
                             std::numeric_limits<int64_t>::max(),
                             std::numeric_limits<int64_t>::min()};

constexpr uint64_t kFloatBits[] = {
    0,                   // 0.0
    0x8000000000000000,  // -0.0
    0x3ff0000000000000,  // 1.0
    0x3fb999999999999a,  // 0.1
    0x0000000000000001,  // the smallest
    0x7fefffffffffffff,  // the largest
    0x7ff0000000000000,  // inf
    0x7ff8000000000000,  // nan
    0x7ff8000000000001,  // another
    0xfff8000000000000,  // a negative one
};

constexpr const char* kWords[] = {"float", "strided", "Mean", "per_tensor",
                                  "preserve_format"};

}  // namespace

std::vector<Type> RandomTypes::NextTypes(size_t count, int levels,
                                         bool with_variables) {
  std::vector<Type> types;
  for (size_t i = 0; i < count; ++i) {
    types.push_back(NextType(levels, with_variables));
  }
  return types;
}

Type RandomTypes::NextType(int levels, bool with_variables) {
  if (levels <= 1 || Below(3) == 0) {
    const size_t leaf = Below(with_variables ? 30 : 23);
    if (leaf < 22) return Type(kLeafKinds[leaf]);
    if (leaf == 22) return Type::Named("__torch__.Net");
    return Type::Variable(leaf % 2 == 0 ? "t" : "t1");
  }
  const auto next = [&] { return NextType(levels - 1, with_variables); };
  switch (Below(8)) {
    case 0:
    case 1: {
      // `T??` is no type that anyone can write.
      Type element = next();
      return element.kind() == TypeKind::kOptional ||
                     element.kind() == TypeKind::kNone
                 ? element
                 : Type::Optional(std::move(element));
    }
    case 2:
    case 3:
      return Type::List(next(), Below(4));
    case 4: {
      Type key = next();
      return Type::Dict(std::move(key), next());
    }
    case 5:
      return Type::Tuple(NextTypes(Below(4), levels - 1, with_variables));
    case 6: {
      const size_t count = Below(3);
      std::vector<std::string> names;
      for (size_t i = 0; i < count; ++i) names.push_back(absl::StrCat("f", i));
      return Type::NamedTuple(std::move(names),
                              NextTypes(count, levels - 1, with_variables));
    }
    default: {
      constexpr TypeKind kWrappers[] = {TypeKind::kFuture, TypeKind::kRRef,
                                        TypeKind::kAwait};
      const TypeKind kind = kWrappers[Below(3)];
      return Type::Wrapper(kind, next());
    }
  }
}

Value RandomTypes::NextLeaf() {
  switch (Below(9)) {
    case 0:
      return Value::None();
    case 1:
      return Value::Bool(Below(2) == 1);
    case 2:
    case 3:
      return Value::Int(kInts[Below(8)]);
    case 4:
      return Value::FloatBits(kFloatBits[Below(10)]);
    case 5:
      return Value::Complex(1.0, Below(2) == 0 ? -0.0 : 2.0);
    case 6:
      return Value::String(Below(2) == 0 ? "" : "sum\n");
    case 7:
      return Value::Word(kWords[Below(5)]);
    default:
      return Value::Tensor({"uint8", {2}, "\x01\xff", nullptr});
  }
}

Value RandomTypes::NextLiteral(int levels) {
  if (levels <= 1 || Below(2) == 0) return NextLeaf();
  std::vector<Value> elements;
  const size_t count = Below(4);
  for (size_t i = 0; i < count; ++i) {
    elements.push_back(NextLiteral(levels - 1));
  }
  switch (Below(3)) {
    case 0:
      return Value::List(std::move(elements));
    case 1:
      return Value::Tuple(std::move(elements));
    default:
      if (elements.size() % 2 == 1) elements.pop_back();
      return Value::Dict(std::move(elements));
  }
}

Value RandomTypes::NextLiteralFor(const Type& type) {
  if (Below(12) == 0) return NextLiteral(2);
  std::vector<Value> elements;
  switch (type.kind()) {
    case TypeKind::kOptional:
      return Below(3) == 0 ? Value::None() : NextLiteralFor(type.child());
    case TypeKind::kList: {
      if (type.size() > 0 && Below(3) == 0) return NextLiteralFor(type.child());
      const size_t count = Below(3);
      for (size_t i = 0; i < count; ++i) {
        elements.push_back(NextLiteralFor(type.child()));
      }
      return Value::List(std::move(elements));
    }
    case TypeKind::kTuple:
    case TypeKind::kNamedTuple:
      for (const Type& child : type.children()) {
        elements.push_back(NextLiteralFor(child));
      }
      return Value::Tuple(std::move(elements));
    case TypeKind::kDict:
      if (Below(2) == 0) {
        elements.push_back(NextLiteralFor(type.child(0)));
        elements.push_back(NextLiteralFor(type.child(1)));
      }
      return Value::Dict(std::move(elements));
    case TypeKind::kBool:
    case TypeKind::kSymBool:
      return Value::Bool(Below(2) == 1);
    case TypeKind::kString:
    case TypeKind::kDevice:
    case TypeKind::kDimname:
      return Value::String("cpu");
    case TypeKind::kQScheme:
      return Value::Word("per_tensor");
    case TypeKind::kFloat:
    case TypeKind::kSymFloat:
    case TypeKind::kComplex:
      return Below(2) == 0 ? Value::Int(kInts[Below(8)])
                           : Value::FloatBits(kFloatBits[Below(10)]);
    case TypeKind::kInt:
    case TypeKind::kSymInt:
    case TypeKind::kScalar:
      return Value::Int(kInts[Below(8)]);
    case TypeKind::kScalarType:
    case TypeKind::kLayout:
    case TypeKind::kMemoryFormat:
    case TypeKind::kReduction:
      return Below(2) == 0 ? Value::Int(1) : Value::Word(kWords[Below(5)]);
    case TypeKind::kNone:
      return Value::None();
    case TypeKind::kTensor:
      return Value::Tensor({"uint8", {2}, "\x01\xff", nullptr});
    default:
      return NextLiteral(3);
  }
}

}  // namespace opcompat
