#include "compat_matrix/simulation/argument_ways.h"

#include <algorithm>
#include <vector>

#include "absl/status/statusor.h"
#include "compat_matrix/simulation/operator_model.h"
#include "schema/opset.h"
#include "schema/type.h"
#include "schema/typing.h"

namespace opcompat {
namespace simulation {
namespace {

void AddNotable(const Value& value, const Type& type,
                std::vector<Value>* notable) {
  const absl::StatusOr<Value> here = CoerceLiteral(value, type);
  if (!here.ok() || here->ToString() == "None" ||
      std::find(notable->begin(), notable->end(), *here) != notable->end()) {
    return;
  }
  notable->push_back(*here);
}

void AddConditions(const StepConditions& conditions,
                   const EntryArgument& argument, std::vector<Value>* notable) {
  for (const StepCondition& condition : conditions) {
    if (condition.argument != argument.name()) continue;
    for (const TypedValue& value : condition.one_of) {
      AddNotable(value.value, argument.type, notable);
    }
  }
}

}  // namespace

std::vector<Value> NotableValues(const OpsetHistory& history,
                                 const OperatorEntry& entry,
                                 const EntryArgument& argument) {
  std::vector<Value> notable;
  if (!CanMakeValue(argument.type)) return notable;
  for (const Opset& opset : history.versions()) {
    const OperatorInfo* info = opset.FindByAnyName(entry.names.back());
    if (info == nullptr) continue;
    for (const OperatorRevision& revision : info->revisions) {
      for (const EntryArgument& other : revision.last->arguments) {
        if (other.names.back() != argument.names.back()) continue;
        if (other.default_value.has_value()) {
          AddNotable(*other.default_value, argument.type, &notable);
        }
        if (other.retired.has_value()) {
          AddNotable(other.retired->value, argument.type, &notable);
        }
        if (other.neutral.has_value()) {
          AddNotable(other.neutral->value, argument.type, &notable);
        }
        for (const EqualValues& equal : other.equal_values) {
          AddNotable(equal.means.value, argument.type, &notable);
        }
      }
      if (revision.step == nullptr) continue;
      for (const StepGraph& graph : revision.step->upgraders) {
        AddConditions(graph.when, argument, &notable);
      }
      for (const StepGraph& graph : revision.step->downgraders) {
        AddConditions(graph.when, argument, &notable);
      }
      for (const StepConditions& when : revision.step->unchanged_when) {
        AddConditions(when, argument, &notable);
      }
    }
  }
  return notable;
}

std::vector<Way> WaysOf(const EntryArgument& argument,
                        const std::vector<Value>& notable) {
  std::vector<Way> ways;
  const bool has_literals = CanMakeValue(argument.type);
  if (argument.default_value.has_value()) {
    ways.push_back(Way::kLeftOut);
    ways.push_back(Way::kDefault);
  }
  if (argument.neutral.has_value() && has_literals &&
      CoerceLiteral(argument.neutral->value, argument.type).ok()) {
    ways.push_back(Way::kNeutral);
  }
  if (!notable.empty()) ways.push_back(Way::kNotable);
  if (has_literals) ways.push_back(Way::kOther);
  ways.push_back(Way::kGraphValue);
  return ways;
}

}  // namespace simulation
}  // namespace opcompat
