#include "compat_matrix/simulation/revision_steps.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "compat_matrix/simulation/step_graph_text.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace simulation {
namespace {

using Operators = std::vector<OperatorModel>;

// Constants that conditions can be about.
std::vector<size_t> Conditional(const OperatorModel& op) {
  std::vector<size_t> places;
  for (size_t i = 0; i < op.arguments.size(); ++i) {
    const ArgumentModel& argument = op.arguments[i];
    if (IsPlain(argument) && (argument.type.kind() == TypeKind::kInt ||
                              argument.type.kind() == TypeKind::kBool ||
                              argument.type.kind() == TypeKind::kString ||
                              argument.type.kind() == TypeKind::kFloat)) {
      places.push_back(i);
    }
  }
  return places;
}

absl::optional<size_t> ScalarPlace(const OperatorModel& op) {
  for (size_t i = 0; i < op.arguments.size(); ++i) {
    if (IsPlain(op.arguments[i]) &&
        op.arguments[i].type.kind() == TypeKind::kScalar) {
      return i;
    }
  }
  return absl::nullopt;
}

absl::optional<size_t> NumberedPlace(const OperatorModel& op) {
  for (size_t i = 0; i < op.arguments.size(); ++i) {
    if (op.arguments[i].name[0] == 'm' &&
        op.arguments[i].type.kind() == TypeKind::kInt) {
      return i;
    }
  }
  return absl::nullopt;
}

std::vector<const OperatorModel*> Callable(const Operators& operators,
                                           bool stable_only) {
  std::vector<const OperatorModel*> callable;
  for (const OperatorModel& op : operators) {
    if (op.IsSimple() && (op.is_stable || !stable_only)) {
      callable.push_back(&op);
    }
  }
  return callable;
}

std::string When(const std::string& argument, const Value& value) {
  return absl::StrCat("all { argument: \"", argument, "\" one_of: \"",
                      EscapedLiteral(value), "\" }");
}

std::string Step(const char* field, const std::string& when,
                 const std::string& path) {
  return absl::StrCat(field, " { ",
                      when.empty() ? "" : absl::StrCat("when { ", when, " } "),
                      "graph: \"", path, "\" } ");
}

class Declaration {
 public:
  // Both graphs of a pair are made with equal dice.
  Declaration(const StepSides& sides, Random* random)
      : sides_(sides), random_(*random), dice_(random->Bits()) {}

  std::string Added(const OperatorModel& op) {
    return absl::StrCat(
        "  changes { operator: \"", op.name, "\" added { ",
        Step("steps", "", Composite(op, sides_.before, true, {})), "} }\n");
  }

  std::string Removed(const OperatorModel& op) {
    return absl::StrCat(
        "  changes { operator: \"", op.name, "\" removed { ",
        Step("steps", "", Composite(op, sides_.after, false, {})), "} }\n");
  }

  std::string Revised(StepKind kind, const OperatorModel& from,
                      const OperatorModel& to) {
    return absl::StrCat("  changes { operator: \"", to.name,
                        "\" semantic_change { revision: ", to.revision, " ",
                        Fields(kind, from, to), "} }\n");
  }

 private:
  std::string Composite(const OperatorModel& from, const Operators& operators,
                        bool stable_only,
                        const std::map<std::string, std::string>& fixed) {
    return sides_.add_graph(
        CompositeGraph(from, Callable(operators, stable_only), fixed, dice_));
  }
  // In the operators of the newer version.
  std::string Upgrade(const OperatorModel& from,
                      const std::map<std::string, std::string>& fixed = {}) {
    return Composite(from, sides_.after, false, fixed);
  }

  Value NotableOf(const ArgumentModel& argument) {
    if (argument.default_value.has_value() && random_.OneIn(3)) {
      return *argument.default_value;
    }
    return argument.notable.empty() || random_.OneIn(3)
               ? AnyValue(argument.type, &random_)
               : random_.Pick(argument.notable);
  }

  std::string Fields(StepKind kind, const OperatorModel& from,
                     const OperatorModel& to) {
    switch (kind) {
      case StepKind::kUpgrader:
      case StepKind::kWrongUpgrader:
        return absl::StrCat(Step("upgraders", "", Upgrade(from)),
                            "one_way_down: true ");
      case StepKind::kUpgraderByValue:
        return ByValue(from);
      case StepKind::kUpgraderByType:
        return ByType(from);
      case StepKind::kInvertible:
        return Renumbered(from, to);
      case StepKind::kUnchangedWhen:
        return UnchangedWhen(from);
      case StepKind::kDowngrader:
        return absl::StrCat(
            Step("downgraders", "", Composite(to, sides_.before, true, {})),
            "one_way_up: true ");
      default:
        return "one_way_up: true one_way_down: true ";
    }
  }

  std::string ByValue(const OperatorModel& from) {
    const ArgumentModel& argument =
        from.arguments[random_.Pick(Conditional(from))];
    std::string fields;
    for (int i = 0; i < 2; ++i) {
      const Value value = NotableOf(argument);
      absl::StrAppend(&fields,
                      Step("upgraders", When(argument.name, value),
                           Upgrade(from, {{argument.name, value.ToString()}})));
    }
    return absl::StrCat(fields, Step("upgraders", "", Upgrade(from)),
                        "one_way_down: true ");
  }

  std::string ByType(const OperatorModel& from) {
    const std::string& name = from.arguments[*ScalarPlace(from)].name;
    std::string fields;
    for (const char* type : {"int", "float"}) {
      absl::StrAppend(&fields, Step("upgraders",
                                    absl::StrCat("all { argument: \"", name,
                                                 "\" types: \"", type, "\" }"),
                                    Upgrade(from)));
    }
    return absl::StrCat(fields, "one_way_down: true ");
  }

  std::string UnchangedWhen(const OperatorModel& from) {
    const ArgumentModel& argument =
        from.arguments[random_.Pick(Conditional(from))];
    const Value same = NotableOf(argument);
    const Value other = NotableOf(argument);
    std::string fields =
        absl::StrCat("unchanged_when { ", When(argument.name, same), " } ");
    if (other == same || random_.OneIn(3)) {
      absl::StrAppend(&fields, "one_way_up: true ");
    } else {
      absl::StrAppend(&fields, Step("upgraders", When(argument.name, other),
                                    Upgrade(from)));
    }
    return absl::StrCat(fields, "one_way_down: true ");
  }

  // `m` is numbered anew, here and back: a turn of all three, or an exchange of
  // two that leaves the third.
  std::string Renumbered(const OperatorModel& from, const OperatorModel& to) {
    const std::string& m = from.arguments[*NumberedPlace(from)].name;
    const int turn = static_cast<int>(random_.Below(3));
    std::string fields;
    if (turn == 0) {
      absl::StrAppend(&fields, "unchanged_when { ", When(m, Value::Int(2)),
                      " } ");
    }
    for (int value = 0; value < 3; ++value) {
      const int moved =
          turn == 0 ? (value == 2 ? 2 : 1 - value) : (value + turn) % 3;
      if (moved == value) continue;
      const std::string up =
          sides_.add_graph(SameCallGraph(from, to, m, absl::StrCat(moved)));
      const std::string down =
          sides_.add_graph(SameCallGraph(to, from, m, absl::StrCat(value)));
      absl::StrAppend(&fields,
                      Step("upgraders", When(m, Value::Int(value)), up),
                      Step("downgraders", When(m, Value::Int(moved)), down));
    }
    return fields;
  }

  const StepSides& sides_;
  Random& random_;
  const Random dice_;
};

}  // namespace

bool ChangesRevision(StepKind kind) {
  return (kind >= StepKind::kUpgrader && kind <= StepKind::kOneWay) ||
         kind == StepKind::kWrongUpgrader;
}

bool CanRevise(StepKind kind, const OperatorModel& op) {
  if (op.is_stable) return false;
  if (kind == StepKind::kOneWay) return true;
  if (!op.IsSimple()) return false;
  if (kind == StepKind::kDowngrader) return true;
  if (op.is_pinned) return false;
  switch (kind) {
    case StepKind::kUpgraderByType:
      return ScalarPlace(op).has_value();
    case StepKind::kInvertible:
      return NumberedPlace(op).has_value();
    case StepKind::kUpgraderByValue:
    case StepKind::kUnchangedWhen:
      return !Conditional(op).empty();
    default:
      return true;
  }
}

bool CanComeOrGoByGraph(const OperatorModel& op) {
  return !op.is_pinned && op.IsSimple();
}

std::string DeclaredRevision(StepKind kind, const OperatorModel* from,
                             const OperatorModel* to, const StepSides& sides,
                             Random* random) {
  Declaration declaration(sides, random);
  if (from == nullptr) return declaration.Added(*to);
  if (to == nullptr) return declaration.Removed(*from);
  return declaration.Revised(kind, *from, *to);
}

}  // namespace simulation
}  // namespace opcompat
