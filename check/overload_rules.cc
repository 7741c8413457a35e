#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "check/source_rules.h"
#include "schema/typing.h"

namespace opcompat {
namespace {

// `aten::add` of `aten::add.Tensor`.
absl::string_view BaseName(absl::string_view full_name) {
  const size_t ns = full_name.rfind("::");
  const size_t dot =
      full_name.find('.', ns == absl::string_view::npos ? 0 : ns);
  return full_name.substr(0, dot);
}

constexpr absl::string_view kNone = "None";

// The type of a value that fits both types, or kNone if only that does, or
// nullopt: none does.
absl::optional<std::string> CommonValue(const Type& a, const Type& b) {
  TypeVariables variables;
  if (IsSubtype(a, b, &variables, nullptr)) return a.ToString();
  variables.clear();
  if (IsSubtype(b, a, &variables, nullptr)) return b.ToString();
  const bool optional_a = a.kind() == TypeKind::kOptional;
  const bool optional_b = b.kind() == TypeKind::kOptional;
  if (!optional_a && !optional_b) return absl::nullopt;
  absl::optional<std::string> inner =
      CommonValue(optional_a ? a.child() : a, optional_b ? b.child() : b);
  if (inner.has_value()) return inner;
  if (optional_a && optional_b) return std::string(kNone);
  return absl::nullopt;
}

// A call without an overload's name that both take, with the first
// `num_positional` arguments by position and whatever else one of them
// requires by name. Operands are named as the arguments of `a`, and a comment
// tells their types.
absl::optional<std::string> CommonCall(const OperatorEntry& a,
                                       const OperatorEntry& b,
                                       size_t num_positional) {
  std::vector<std::string> operands;
  std::vector<std::string> types;
  const auto operand = [&](const std::string& name, const std::string& value) {
    if (value == kNone) return value;
    types.push_back(absl::StrCat(name, " : ", value));
    return name;
  };
  for (size_t i = 0; i < num_positional; ++i) {
    absl::optional<std::string> value =
        CommonValue(a.arguments[i].type, b.arguments[i].type);
    if (!value.has_value()) return absl::nullopt;
    operands.push_back(operand(a.arguments[i].name(), *value));
  }
  std::vector<std::string> done;
  for (const auto& [one, other] :
       {std::make_pair(&a, &b), std::make_pair(&b, &a)}) {
    for (size_t i = num_positional; i < one->num_exposed(); ++i) {
      const EntryArgument& argument = one->arguments[i];
      if (argument.default_value.has_value() ||
          std::find(done.begin(), done.end(), argument.name()) != done.end()) {
        continue;
      }
      const absl::optional<size_t> j = other->FindExposed(argument.name());
      if (!j.has_value() || *j < num_positional) return absl::nullopt;
      absl::optional<std::string> value =
          CommonValue(argument.type, other->arguments[*j].type);
      if (!value.has_value()) return absl::nullopt;
      done.push_back(argument.name());
      operands.push_back(
          absl::StrCat(argument.name(), "=", operand(argument.name(), *value)));
    }
  }
  return absl::StrCat(BaseName(a.name()), "(", absl::StrJoin(operands, ", "),
                      types.empty() ? ")" : ")  # ",
                      absl::StrJoin(types, ", "));
}

size_t NumPositional(const OperatorEntry& entry) {
  size_t n = 0;
  while (n < entry.num_exposed() && !entry.arguments[n].keyword_only) ++n;
  return n;
}

absl::optional<std::string> CommonCall(const OperatorEntry& a,
                                       const OperatorEntry& b) {
  const size_t n = std::min(NumPositional(a), NumPositional(b));
  // By position as far as possible: that is how such calls are written.
  for (size_t k = n + 1; k > 0; --k) {
    absl::optional<std::string> call = CommonCall(a, b, k - 1);
    if (call.has_value()) return call;
  }
  return absl::nullopt;
}

}  // namespace

std::vector<OverloadBreach> CheckOverloads(const Opset& older,
                                           const Opset& newer) {
  // In the order of the newer version: the first that takes a call has it.
  absl::flat_hash_map<absl::string_view, std::vector<size_t>> by_base;
  const std::vector<OperatorInfoPtr>& operators = newer.operators();
  for (size_t i = 0; i < operators.size(); ++i) {
    if (operators[i]->fault.empty()) {
      by_base[BaseName(operators[i]->current()->name())].push_back(i);
    }
  }
  std::vector<OverloadBreach> breaches;
  for (size_t i = 0; i < operators.size(); ++i) {
    const OperatorEntry& added = *operators[i]->current();
    if (!operators[i]->fault.empty()) continue;
    const std::vector<size_t>& beside = by_base[BaseName(added.name())];
    if (beside.size() < 2) continue;
    const auto existed = [&](const OperatorEntry& entry) {
      return std::any_of(
          entry.names.begin(), entry.names.end(),
          [&](const std::string& name) { return older.Find(name) != nullptr; });
    };
    if (existed(added)) continue;
    for (const size_t j : beside) {
      const OperatorEntry& other = *operators[j]->current();
      const OperatorInfo* before = older.Find(other.name());
      // What text of the older version could call by this base name.
      if (j == i || before == nullptr || !before->fault.empty()) continue;
      absl::optional<std::string> call = CommonCall(*before->current(), added);
      if (!call.has_value()) continue;
      OverloadBreach breach;
      breach.op = added.name();
      breach.breach.rule =
          i < j ? "overload-steals-call" : "overload-ambiguous";
      breach.breach.message =
          i < j ? absl::StrCat("the new overload stands before ", other.name(),
                               " and takes a call that was its")
                : absl::StrCat("the new overload takes a call that ",
                               other.name(), " takes too");
      breach.breach.counterexample = *std::move(call);
      breach.breach.remedy =
          "give it a name of its own, or an argument without a default that "
          "tells it apart";
      breaches.push_back(std::move(breach));
      break;
    }
  }
  return breaches;
}

}  // namespace opcompat
