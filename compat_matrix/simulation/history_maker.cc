#include "compat_matrix/simulation/history_maker.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "compat_matrix/simulation/argument_steps.h"
#include "compat_matrix/simulation/new_operators.h"
#include "compat_matrix/simulation/operator_model.h"
#include "compat_matrix/simulation/random.h"
#include "compat_matrix/simulation/step_graph_text.h"
#include "compat_matrix/simulation/step_kinds.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace simulation {
namespace {

using Operators = std::vector<OperatorModel>;

constexpr size_t kMaxOperators = 6;

bool ChangesRevision(StepKind kind) {
  return (kind >= StepKind::kUpgrader && kind <= StepKind::kOneWay) ||
         kind == StepKind::kWrongUpgrader;
}

// A kind by its weight.
StepKind DrawKind(Random* random) {
  size_t sum = 0;
  for (const StepWeight& weight : StepWeights()) {
    sum += static_cast<size_t>(weight.weight);
  }
  size_t drawn = random->Below(sum);
  for (const StepWeight& weight : StepWeights()) {
    if (drawn < static_cast<size_t>(weight.weight)) return weight.kind;
    drawn -= static_cast<size_t>(weight.weight);
  }
  return StepKind::kArgumentAdded;
}

class Maker {
 public:
  Maker(uint64_t seed, const SimulationOptions& options)
      : options_(options), random_(seed * 2 + (options.careless ? 1 : 0)) {
    history_.seed = seed;
    history_.name = absl::StrCat("sim", seed);
  }

  SimulatedHistory Make() {
    const int num_versions = options_.num_versions > 0
                                 ? options_.num_versions
                                 : 3 + static_cast<int>(random_.Below(3));
    careless_version_ =
        options_.careless
            ? 1 + random_.Below(static_cast<size_t>(num_versions) - 1)
            : 0;
    careless_kind_ = static_cast<StepKind>(
        static_cast<size_t>(StepKind::kMeaningChanged) + history_.seed % 5);
    text_ = absl::StrCat("name: \"", history_.name, "\"\n");
    if (random_.OneIn(4)) {
      absl::StrAppend(&text_, "aliases: \"", history_.name, "_too\"\n");
    }
    FirstVersion();
    for (int v = 1; v < num_versions; ++v) NextVersion();
    history_.files["history.textproto"] = std::move(text_);
    return std::move(history_);
  }

 private:
  void FirstVersion() {
    Operators operators;
    OperatorModel flag;
    flag.name = absl::StrCat(history_.name, "::flag");
    flag.is_stable = true;
    ArgumentModel x;
    x.name = "x";
    x.type = Type(TypeKind::kTensor);
    x.is_input = true;
    flag.arguments = {x};
    flag.results = {{"", Type(TypeKind::kBool)}};
    operators.push_back(flag);
    OperatorModel mix = flag;
    mix.name = absl::StrCat(history_.name, "::mix");
    mix.results = {{"", Type(TypeKind::kTensor)}};
    x.name = "y";
    mix.arguments.push_back(x);
    ArgumentModel k;
    k.name = "k";
    k.type = Type(TypeKind::kInt);
    k.default_value = Value::Int(0);
    mix.arguments.push_back(k);
    operators.push_back(mix);
    operators.push_back(NumberedOperator(history_.name, &names_, &random_));
    if (careless_kind_ == StepKind::kPositionsReordered && options_.careless) {
      operators.push_back(UnnamedOperator(history_.name, &names_, &random_));
    }
    const size_t wanted = options_.num_operators > 0
                              ? static_cast<size_t>(options_.num_operators)
                              : 3 + random_.Below(2);
    while (operators.size() < wanted)
      operators.push_back(NewOperator(history_.name, &names_, &random_));
    before_ = std::move(operators);
    WriteVersion({}, absl::nullopt, {});
  }

  // --- The next version.

  // A change of the version at hand whose graphs are still to be made: they
  // call operators of a whole version.
  struct Revised {
    StepKind kind;
    size_t before;  // place in before_
    size_t after;   // place in after_; of a removed operator: not used
    bool is_added = false;
    bool is_removed = false;
  };

  void NextVersion() {
    ++version_;
    after_.clear();
    declared_.clear();
    revised_.clear();
    absl::optional<GapModel> gap;
    if (!options_.invertible && random_.OneIn(6)) {
      gap = GapModel{random_.OneIn(2), random_.OneIn(2)};
    }
    gap_ = gap.has_value() ? &*gap : nullptr;
    exceptions_.clear();
    for (size_t i = 0; i < before_.size(); ++i) {
      OperatorModel op = before_[i];
      if (!IsGoneAfterSteps(i, &op)) after_.push_back(std::move(op));
    }
    AddOperators();
    if (options_.careless && version_ >= careless_version_ &&
        history_.secrets.empty()) {
      TakeCarelessStep();
    }
    std::string graphs;
    for (const Revised& revised : revised_) {
      absl::StrAppend(&graphs, DeclareGraphs(revised));
    }
    before_ = after_;
    WriteVersion(graphs, gap, exceptions_);
  }

  void Declare(const std::string& op, const std::string& field) {
    declared_.push_back(
        absl::StrCat("  changes { operator: \"", op, "\" ", field, " }\n"));
  }

  SimulatedStep& Record(StepKind kind, const std::string& before,
                        const std::string& after) {
    SimulatedStep step;
    step.version = version_;
    step.kind = kind;
    step.before = before;
    step.op = after;
    step.promise = PromiseOf(kind);
    history_.steps.push_back(step);
    return history_.steps.back();
  }

  // Takes one step with operator `i`, or none. True: the operator is gone.
  bool IsGoneAfterSteps(size_t i, OperatorModel* op) {
    if (!random_.OneIn(3)) {
      for (int attempt = 0; attempt < 6; ++attempt) {
        const StepKind kind = DrawKind(&random_);
        if (options_.invertible && !StaysInvertible(kind)) continue;
        if (kind == StepKind::kOperatorAdded ||
            kind == StepKind::kAddedWithDowngrader) {
          continue;  // AddOperators
        }
        if (kind == StepKind::kOperatorRemoved ||
            kind == StepKind::kRemovedWithUpgrader) {
          if (op->is_stable || before_.size() <= 3 || num_gone_ > 0) continue;
          if (kind == StepKind::kRemovedWithUpgrader &&
              (op->is_pinned || !op->IsSimple())) {
            continue;
          }
          ++num_gone_;
          Record(kind, op->name, op->name);
          if (kind == StepKind::kRemovedWithUpgrader) {
            revised_.push_back({kind, i, 0, false, true});
          }
          return true;
        }
        if (TakeStep(kind, i, op)) break;
      }
    }
    return false;
  }

  static bool StaysInvertible(StepKind kind) {
    return kind == StepKind::kInvertible || kind < StepKind::kOperatorAdded;
  }

  bool TakeStep(StepKind kind, size_t i, OperatorModel* op) {
    const std::string before = op->name;
    if (kind == StepKind::kOperatorRenamed) {
      op->name = absl::StrCat(history_.name, "::", names_.Next("op"));
      Declare(op->name, absl::StrCat("renamed_from: \"", before, "\""));
      Record(kind, before, op->name);
      return true;
    }
    if (ChangesRevision(kind)) {
      if (!CanRevise(kind, *op)) return false;
      Revise(kind, i, op);
      return true;
    }
    // Graphs of all versions call stable ones.
    if (op->is_stable &&
        (kind == StepKind::kMarksFixed || kind == StepKind::kMarksChanged)) {
      return false;
    }
    const absl::optional<TakenStep> taken =
        TakeArgumentStep(kind, gap_, op, &names_, &random_);
    if (!taken.has_value()) return false;
    for (const std::string& field : taken->declared) Declare(op->name, field);
    if (taken->is_exception) {
      exceptions_.push_back(absl::StrCat("except { operator: \"", op->name,
                                         "\" argument: \"", taken->argument,
                                         "\" }"));
    }
    SimulatedStep& step = Record(kind, before, op->name);
    step.argument = taken->argument;
    step.promise = taken->promise;
    if (IsCareless(kind)) {
      history_.secrets.push_back(
          {version_, kind, op->name, taken->argument, taken->truth});
    }
    return true;
  }

  // Constants that conditions can be about.
  static std::vector<size_t> Conditional(const OperatorModel& op) {
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
  static absl::optional<size_t> ScalarPlace(const OperatorModel& op) {
    for (size_t i = 0; i < op.arguments.size(); ++i) {
      if (IsPlain(op.arguments[i]) &&
          op.arguments[i].type.kind() == TypeKind::kScalar) {
        return i;
      }
    }
    return absl::nullopt;
  }
  static absl::optional<size_t> NumberedPlace(const OperatorModel& op) {
    for (size_t i = 0; i < op.arguments.size(); ++i) {
      if (op.arguments[i].name[0] == 'm' &&
          op.arguments[i].type.kind() == TypeKind::kInt) {
        return i;
      }
    }
    return absl::nullopt;
  }

  bool CanRevise(StepKind kind, const OperatorModel& op) const {
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

  void Revise(StepKind kind, size_t i, OperatorModel* op) {
    ++op->revision;
    op->is_pinned = kind == StepKind::kDowngrader;
    // Nothing declared of retired ones is repeated.
    for (RetiredModel& retired : op->retired) {
      retired.argument.none_means.reset();
      retired.argument.is_hint = false;
      retired.argument.was_optional = true;
    }
    for (const std::string& field : DeclaredAgain(*op)) {
      Declare(op->name, field);
    }
    revised_.push_back({kind, i, after_.size()});
    Record(kind, op->name, op->name);
  }

  void AddOperators() {
    num_gone_ = 0;
    if (options_.invertible) return;
    if (after_.size() >= kMaxOperators || !random_.OneIn(3)) return;
    OperatorModel op = NewOperator(history_.name, &names_, &random_);
    const bool downgrader = random_.OneIn(2) && op.IsSimple();
    const StepKind kind =
        downgrader ? StepKind::kAddedWithDowngrader : StepKind::kOperatorAdded;
    Record(kind, op.name, op.name);
    op.is_pinned = downgrader;
    after_.push_back(std::move(op));
    if (downgrader) revised_.push_back({kind, 0, after_.size() - 1, true});
  }

  // The step that the seed says, with the first operator that allows it and
  // has taken none at this version.
  void TakeCarelessStep() {
    for (size_t i = 0; i < after_.size(); ++i) {
      OperatorModel& op = after_[i];
      const auto was = std::find_if(
          before_.begin(), before_.end(),
          [&](const OperatorModel& other) { return other.name == op.name; });
      const bool has_changed =
          std::any_of(history_.steps.begin(), history_.steps.end(),
                      [&](const SimulatedStep& step) {
                        return step.version == version_ && step.op == op.name;
                      });
      if (was == before_.end() || has_changed || op.is_stable) continue;
      const size_t place = static_cast<size_t>(was - before_.begin());
      if (careless_kind_ == StepKind::kMeaningChanged) {
        Record(careless_kind_, op.name, op.name);
        history_.secrets.push_back({version_, careless_kind_, op.name, "", ""});
        return;
      }
      if (careless_kind_ == StepKind::kWrongUpgrader) {
        if (!CanRevise(careless_kind_, op)) continue;
        ++op.revision;
        for (const std::string& field : DeclaredAgain(op)) {
          Declare(op.name, field);
        }
        revised_.push_back({careless_kind_, place, i});
        Record(careless_kind_, op.name, op.name);
        history_.secrets.push_back({version_, careless_kind_, op.name, "", ""});
        return;
      }
      if (TakeStep(careless_kind_, place, &op)) return;
    }
  }

  // --- Graphs.

  static std::vector<const OperatorModel*> Callable(const Operators& operators,
                                                    bool stable_only) {
    std::vector<const OperatorModel*> callable;
    for (const OperatorModel& op : operators) {
      if (op.IsSimple() && (op.is_stable || !stable_only)) {
        callable.push_back(&op);
      }
    }
    return callable;
  }

  std::string AddGraph(std::string text) {
    const std::string path = absl::StrCat("steps/g", num_graphs_++, ".graph");
    history_.files[path] = std::move(text);
    return path;
  }

  static std::string When(const std::string& argument, const Value& value) {
    return absl::StrCat("all { argument: \"", argument, "\" one_of: \"",
                        EscapedLiteral(value), "\" }");
  }

  static std::string Step(const char* field, const std::string& when,
                          const std::string& path) {
    return absl::StrCat(
        field, " { ", when.empty() ? "" : absl::StrCat("when { ", when, " } "),
        "graph: \"", path, "\" } ");
  }

  std::string Composite(const OperatorModel& from, const Operators& operators,
                        bool stable_only,
                        const std::map<std::string, std::string>& fixed,
                        const Random& random) {
    return AddGraph(
        CompositeGraph(from, Callable(operators, stable_only), fixed, random));
  }

  Value NotableOf(const ArgumentModel& argument) {
    if (argument.default_value.has_value() && random_.OneIn(3)) {
      return *argument.default_value;
    }
    return argument.notable.empty() || random_.OneIn(3)
               ? AnyValue(argument.type, &random_)
               : random_.Pick(argument.notable);
  }

  // The change that belongs to `revised`.
  std::string DeclareGraphs(const Revised& revised) {
    // Both graphs of a pair are made with equal dice.
    const Random dice(random_.Bits());
    if (revised.is_added) {
      const OperatorModel& op = after_[revised.after];
      return absl::StrCat(
          "  changes { operator: \"", op.name, "\" added { ",
          Step("steps", "", Composite(op, before_, true, {}, dice)), "} }\n");
    }
    const OperatorModel& from = before_[revised.before];
    if (revised.is_removed) {
      return absl::StrCat(
          "  changes { operator: \"", from.name, "\" removed { ",
          Step("steps", "", Composite(from, after_, false, {}, dice)), "} }\n");
    }
    OperatorModel& to = after_[revised.after];
    std::string fields;
    switch (revised.kind) {
      case StepKind::kUpgrader:
      case StepKind::kWrongUpgrader:
        fields = absl::StrCat(
            Step("upgraders", "", Composite(from, after_, false, {}, dice)),
            "one_way_down: true ");
        break;
      case StepKind::kUpgraderByValue: {
        const ArgumentModel& argument =
            from.arguments[random_.Pick(Conditional(from))];
        for (int i = 0; i < 2; ++i) {
          const Value value = NotableOf(argument);
          absl::StrAppend(
              &fields,
              Step("upgraders", When(argument.name, value),
                   Composite(from, after_, false,
                             {{argument.name, value.ToString()}}, dice)));
        }
        absl::StrAppend(
            &fields,
            Step("upgraders", "", Composite(from, after_, false, {}, dice)),
            "one_way_down: true ");
        break;
      }
      case StepKind::kUpgraderByType: {
        const std::string& name = from.arguments[*ScalarPlace(from)].name;
        for (const char* type : {"int", "float"}) {
          absl::StrAppend(&fields,
                          Step("upgraders",
                               absl::StrCat("all { argument: \"", name,
                                            "\" types: \"", type, "\" }"),
                               Composite(from, after_, false, {}, dice)));
        }
        absl::StrAppend(&fields, "one_way_down: true ");
        break;
      }
      case StepKind::kInvertible:
        fields = Renumbered(from, to);
        break;
      case StepKind::kUnchangedWhen: {
        const ArgumentModel& argument =
            from.arguments[random_.Pick(Conditional(from))];
        const Value same = NotableOf(argument);
        const Value other = NotableOf(argument);
        fields =
            absl::StrCat("unchanged_when { ", When(argument.name, same), " } ");
        if (other == same || random_.OneIn(3)) {
          absl::StrAppend(&fields, "one_way_up: true ");
        } else {
          absl::StrAppend(&fields,
                          Step("upgraders", When(argument.name, other),
                               Composite(from, after_, false, {}, dice)));
        }
        absl::StrAppend(&fields, "one_way_down: true ");
        break;
      }
      case StepKind::kDowngrader:
        fields = absl::StrCat(
            Step("downgraders", "", Composite(to, before_, true, {}, dice)),
            "one_way_up: true ");
        break;
      default:
        fields = "one_way_up: true one_way_down: true ";
        break;
    }
    return absl::StrCat("  changes { operator: \"", to.name,
                        "\" semantic_change { revision: ", to.revision, " ",
                        fields, "} }\n");
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
          AddGraph(SameCallGraph(from, to, m, absl::StrCat(moved)));
      const std::string down =
          AddGraph(SameCallGraph(to, from, m, absl::StrCat(value)));
      absl::StrAppend(&fields,
                      Step("upgraders", When(m, Value::Int(value)), up),
                      Step("downgraders", When(m, Value::Int(moved)), down));
    }
    return fields;
  }

  // --- Text.

  void WriteVersion(const std::string& graphs,
                    const absl::optional<GapModel>& gap,
                    const std::vector<std::string>& exceptions) {
    const std::string id = absl::StrCat(version_ + 1);
    absl::StrAppend(&text_, "versions {\n  id: \"", id, "\"\n  operators: \"",
                    id, ".ops\"\n");
    if (gap.has_value()) {
      absl::StrAppend(&text_, "  gap { ");
      if (gap->added_defaults_are_neutral) {
        absl::StrAppend(&text_, "added_defaults_are_neutral: true ");
      }
      if (gap->removed_defaults_are_retired) {
        absl::StrAppend(&text_, "removed_defaults_are_retired: true ");
      }
      for (const std::string& exception : exceptions) {
        absl::StrAppend(&text_, exception, " ");
      }
      absl::StrAppend(&text_, "}\n");
    }
    for (const std::string& declared : declared_) {
      absl::StrAppend(&text_, declared);
    }
    absl::StrAppend(&text_, graphs, "}\n");
    std::string& ops = history_.files[absl::StrCat(id, ".ops")];
    ops = absl::StrCat("opset ", history_.name, " ", id, "\n");
    for (const OperatorModel& op : before_) {
      absl::StrAppend(&ops, op.Schema(), "\n");
    }
    declared_.clear();
  }

  const SimulationOptions options_;
  Random random_;
  SimulatedHistory history_;
  NewNames names_;
  std::string text_;  // history.textproto
  size_t careless_version_ = 0;
  StepKind careless_kind_ = StepKind::kMeaningChanged;
  int num_graphs_ = 0;

  // The version at hand.
  size_t version_ = 0;
  Operators before_;
  Operators after_;
  const GapModel* gap_ = nullptr;
  std::vector<std::string> declared_;
  std::vector<std::string> exceptions_;
  std::vector<Revised> revised_;
  int num_gone_ = 0;
};

}  // namespace

SimulatedHistory MakeHistory(uint64_t seed, const SimulationOptions& options) {
  return Maker(seed, options).Make();
}

}  // namespace simulation
}  // namespace opcompat
