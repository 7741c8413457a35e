#include "compat_matrix/simulation/step_graph_text.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "schema/type.h"

namespace opcompat {
namespace simulation {
namespace {

bool IsTensor(const Type& type) { return type.kind() == TypeKind::kTensor; }

std::string Head(const OperatorModel& from) {
  const auto parameter = [](std::string* out, const ArgumentModel& argument) {
    absl::StrAppend(out, "%", argument.name, " : ", argument.type.ToString());
  };
  const auto result = [](std::string* out, const ResultModel& r) {
    absl::StrAppend(out, r.type.ToString());
  };
  return absl::StrCat("func step(",
                      absl::StrJoin(from.arguments, ", ", parameter), ") -> (",
                      absl::StrJoin(from.results, ", ", result), "):\n");
}

std::string Results(const OperatorModel& op, const std::string& name) {
  std::vector<std::string> results;
  for (size_t i = 0; i < op.results.size(); ++i) {
    results.push_back(
        absl::StrCat("%", name, i, " : ", op.results[i].type.ToString()));
  }
  return absl::StrJoin(results, ", ");
}

}  // namespace

bool IsPlain(const ArgumentModel& argument) {
  return !argument.is_input && !argument.is_out && !argument.is_hint &&
         !argument.none_means.has_value() && CanMakeValue(argument.type) &&
         argument.type != Type::Optional(Type(TypeKind::kTensor));
}

std::string CompositeGraph(const OperatorModel& from,
                           const std::vector<const OperatorModel*>& operators,
                           const std::map<std::string, std::string>& fixed,
                           Random random) {
  std::string text = Head(from);
  std::vector<std::string> tensors;
  for (const ArgumentModel& argument : from.arguments) {
    if (IsTensor(argument.type)) tensors.push_back("%" + argument.name);
  }
  // The results must be values of their own: no parameter, none twice.
  const size_t num_calls = from.results.size() + random.Below(2);
  std::vector<std::string> made;
  for (size_t call = 0; call < num_calls; ++call) {
    const OperatorModel& op = *operators[random.Below(operators.size())];
    std::vector<std::string> operands;
    for (const ArgumentModel& argument : op.arguments) {
      std::string operand;
      if (IsTensor(argument.type)) {
        operand = random.Pick(tensors);
      } else {
        if (argument.type == Type::List(Type(TypeKind::kTensor))) {
          const std::string list = absl::StrCat("%l", call);
          absl::StrAppend(&text, "  ", list,
                          " : Tensor[] = prim::ListConstruct(",
                          random.Pick(tensors), ")\n");
          operand = list;
        } else {
          const bool left_out =
              argument.default_value.has_value() && random.OneIn(3);
          const Value literal = AnyValue(argument.type, &random);
          std::vector<std::string> candidates;
          for (const ArgumentModel& parameter : from.arguments) {
            if (parameter.type == argument.type && IsPlain(parameter)) {
              candidates.push_back(parameter.name);
            }
          }
          const size_t chosen =
              candidates.empty() ? 0 : random.Below(candidates.size());
          if (left_out) continue;
          if (candidates.empty() || random.OneIn(4)) {
            operand = literal.ToString();
          } else {
            const auto found = fixed.find(candidates[chosen]);
            operand =
                found != fixed.end() ? found->second : "%" + candidates[chosen];
          }
        }
      }
      operands.push_back(absl::StrCat(argument.name, "=", operand));
    }
    const std::string name = absl::StrCat("v", call, "_");
    absl::StrAppend(&text, "  ", Results(op, name), " = ", op.name, "(",
                    absl::StrJoin(operands, ", "), ")\n");
    made.push_back(absl::StrCat("%", name, "0"));
    tensors.push_back(made.back());
  }
  return absl::StrCat(
      text, "  return (",
      absl::StrJoin(made.end() - static_cast<ptrdiff_t>(from.results.size()),
                    made.end(), ", "),
      ")\n");
}

std::string SameCallGraph(const OperatorModel& from, const OperatorModel& to,
                          const std::string& argument,
                          const std::string& literal) {
  std::vector<std::string> operands;
  for (const ArgumentModel& other : to.arguments) {
    const bool has = std::any_of(
        from.arguments.begin(), from.arguments.end(),
        [&](const ArgumentModel& a) { return a.name == other.name; });
    if (has) {
      operands.push_back(
          absl::StrCat(other.name, "=",
                       other.name == argument ? literal : "%" + other.name));
    }
  }
  std::vector<std::string> results;
  for (size_t i = 0; i < from.results.size(); ++i) {
    results.push_back(absl::StrCat("%r", i));
  }
  return absl::StrCat(Head(from), "  ", Results(to, "r"), " = ", to.name, "(",
                      absl::StrJoin(operands, ", "), ")\n  return (",
                      absl::StrJoin(results, ", "), ")\n");
}

}  // namespace simulation
}  // namespace opcompat
