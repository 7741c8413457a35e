#include "compat_matrix/simulation/new_operators.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace simulation {

OperatorModel FlagOperator(const std::string& history) {
  OperatorModel flag;
  flag.name = absl::StrCat(history, "::flag");
  flag.is_stable = true;
  ArgumentModel x;
  x.name = "x";
  x.type = Type(TypeKind::kTensor);
  x.is_input = true;
  flag.arguments = {x};
  flag.results = {{"", Type(TypeKind::kBool)}};
  return flag;
}

OperatorModel MixOperator(const std::string& history) {
  OperatorModel mix = FlagOperator(history);
  mix.name = absl::StrCat(history, "::mix");
  mix.results = {{"", Type(TypeKind::kTensor)}};
  ArgumentModel y = mix.arguments[0];
  y.name = "y";
  mix.arguments.push_back(std::move(y));
  ArgumentModel k;
  k.name = "k";
  k.type = Type(TypeKind::kInt);
  k.default_value = Value::Int(0);
  mix.arguments.push_back(std::move(k));
  return mix;
}

OperatorModel NewOperator(const std::string& history, NewNames* names,
                          Random* random) {
  OperatorModel op;
  op.name = absl::StrCat(history, "::", names->Next("op"));
  const auto input = [&](const char* name, Type type) {
    ArgumentModel argument;
    argument.name = name;
    argument.type = std::move(type);
    argument.is_input = true;
    op.arguments.push_back(std::move(argument));
  };
  const Type tensor(TypeKind::kTensor);
  op.results.push_back({"", tensor});
  const size_t shape = random->Below(12);
  if (shape == 0) {
    input("x", Type::Variable("t"));
    input("y", Type::Variable("t"));
    op.results[0].type = Type::Variable("t");
  } else {
    input("x", tensor);
    if (shape == 1) input("y", Type::List(tensor));
    if (shape == 2) input("y", tensor);
    op.is_vararg = shape == 3;
  }
  if (random->OneIn(6)) op.results.push_back({"", tensor});
  const size_t num_arguments = 1 + random->Below(3);
  for (size_t i = 0; i < num_arguments; ++i) {
    ArgumentModel argument;
    argument.name = names->Next("p");
    argument.type = AnyType(random);
    const Value value = AnyValue(argument.type, random);
    argument.notable.push_back(value);
    if (!random->OneIn(5)) argument.default_value = value;
    argument.keyword_only = op.is_vararg || random->OneIn(4);
    InsertArgument(std::move(argument), op.arguments.size(), &op);
  }
  if (shape == 4 && op.results.size() == 1) {
    ArgumentModel out;
    out.name = "out";
    out.type = tensor;
    out.keyword_only = true;
    out.is_out = true;
    op.arguments.push_back(std::move(out));
  }
  return op;
}

OperatorModel NumberedOperator(const std::string& history, NewNames* names,
                               Random* random) {
  OperatorModel op = NewOperator(history, names, random);
  while (!op.IsSimple()) op = NewOperator(history, names, random);
  ArgumentModel m;
  m.name = names->Next("m");
  m.type = Type(TypeKind::kInt);
  m.default_value = Value::Int(static_cast<int64_t>(random->Below(3)));
  m.notable = {Value::Int(0), Value::Int(1), Value::Int(2)};
  m.type_is_final = true;
  m.was_optional = true;
  InsertArgument(std::move(m), 0, &op);
  return op;
}

OperatorModel UnnamedOperator(const std::string& history, NewNames* names,
                              Random* random) {
  OperatorModel op;
  op.name = absl::StrCat(history, "::", names->Next("op"));
  ArgumentModel argument;
  argument.name = "x";
  argument.type = Type(TypeKind::kTensor);
  argument.is_input = true;
  op.arguments.push_back(argument);
  argument.is_input = false;
  argument.type = Type(TypeKind::kInt);
  for (const char* name : {"_0", "_1"}) {
    argument.name = name;
    argument.default_value = AnyValue(argument.type, random);
    op.arguments.push_back(argument);
  }
  op.results = {{"", Type(TypeKind::kTensor)}};
  return op;
}

}  // namespace simulation
}  // namespace opcompat
