#include "check/revision_rules.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "binding/bind_module.h"
#include "binding/identity.h"
#include "binding/lower_revisions.h"
#include "binding/report.h"
#include "binding/value_relation.h"
#include "check/call_text.h"
#include "check/witnesses.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"
#include "schema/typing.h"

namespace opcompat {
namespace {

Runtime RuntimeOf(const Opset& opset) {
  absl::StatusOr<Runtime> runtime = Runtime::Create({opset});
  // One opset has nothing to share names with.
  return runtime.ok() ? *std::move(runtime) : Runtime();
}

class StepCheck {
 public:
  StepCheck(const OperatorInfo& writer, const OperatorInfo* reader,
            const Reading& reading, const std::vector<Breach>& direct,
            ReadingRuntimes* runtimes)
      : writer_(writer),
        entry_(writer.current()),
        reader_(reader),
        reading_(reading),
        direct_(direct),
        runtimes_(*runtimes) {
    if (reader == nullptr) {
      removed_ = reading.reader->FindRemoved(entry_->name());
    }
  }

  std::vector<Breach> Run();

 private:
  void CollectConditions();
  // Both sides know most steps: each condition once.
  void Collect(const StepConditions& conditions) {
    for (const StepCondition& condition : conditions) {
      const bool known = std::any_of(
          conditions_.begin(), conditions_.end(), [&](const StepCondition& c) {
            return c.argument == condition.argument &&
                   c.one_of == condition.one_of && c.types == condition.types;
          });
      if (!known) conditions_.push_back(condition);
    }
  }
  // Whether the condition is about exposed argument `i` of the writer's.
  bool IsAbout(const StepCondition& condition, size_t i) const;
  std::vector<Passed> Choices(size_t i, bool conditional) const;
  // Whether every schema on the way exposes argument `i` at one type.
  bool HasOneType(size_t i) const;
  // False: too many.
  bool MakeCalls();
  void Bind();
  void Explain(const Reason& reason, const SampleCall& call);
  bool SaidAlready(const Reason& reason) const;
  const Breach* DirectBreach(const Reason& reason) const;
  // The reader lacks the writer's revision: calls must get down to its own.
  bool IsAbove() const {
    return reader_ != nullptr && writer_.revision() > reader_->revision();
  }
  void Add(std::string rule, std::string message, std::string remedy,
           std::string counterexample, std::string graph = "");
  // What helps against revision-added.
  std::string RemedyOfAddedRevision() const;
  // The first step up at which a call may get stuck: revision r of the reader.
  uint32_t StuckStep() const;
  const StepGraph* BrokenUpgrader(std::string* why, bool* over_limit);

  const OperatorInfo& writer_;
  const OperatorEntryPtr& entry_;
  const OperatorInfo* const reader_;
  const OperatorInfo* removed_ = nullptr;
  const Reading& reading_;
  const std::vector<Breach>& direct_;
  ReadingRuntimes& runtimes_;
  std::vector<StepCondition> conditions_;
  size_t num_literals_ = 0;  // in `conditions_`
  std::vector<SampleCall> calls_;
  std::vector<Breach> breaches_;
};

void StepCheck::CollectConditions() {
  const auto collect = [&](const OperatorInfo& info) {
    for (const OperatorRevision& revision : info.revisions) {
      if (revision.step == nullptr) continue;
      for (const StepConditions& all : revision.step->unchanged_when) {
        Collect(all);
      }
      for (const StepGraph& graph : revision.step->upgraders) {
        Collect(graph.when);
      }
    }
    if (info.removed != nullptr) {
      for (const StepGraph& graph : info.removed->graphs) Collect(graph.when);
    }
  };
  collect(writer_);
  if (reader_ != nullptr) collect(*reader_);
  if (removed_ != nullptr) collect(*removed_);
  for (const StepCondition& condition : conditions_) {
    num_literals_ += condition.one_of.size();
  }
}

bool StepCheck::IsAbout(const StepCondition& condition, size_t i) const {
  const std::vector<std::string>& names = entry_->arguments[i].names;
  const auto has = [&](const std::vector<std::string>& list) {
    return std::find(list.begin(), list.end(), condition.argument) !=
           list.end();
  };
  if (has(names)) return true;
  // Under a name that it got later.
  for (const OperatorInfo* info : {reader_, removed_}) {
    if (info == nullptr) continue;
    for (const EntryArgument& argument : info->current()->arguments) {
      if (ShareName(argument.names, names) && has(argument.names)) return true;
    }
  }
  return false;
}

std::vector<Passed> StepCheck::Choices(size_t i, bool conditional) const {
  const EntryArgument& argument = entry_->arguments[i];
  std::vector<Passed> choices;
  if (argument.default_value.has_value()) choices.push_back(Passed::LeftOut());
  // A literal may lack a type to solve a variable with.
  if (HasVariables(argument.type)) {
    choices.push_back(Passed::GraphValue(WithoutVariables(argument.type)));
    return choices;
  }
  if (conditional) {
    for (const StepCondition& condition : conditions_) {
      if (!IsAbout(condition, i)) continue;
      for (const TypedValue& literal : condition.one_of) {
        absl::optional<Value> value =
            FitValue(literal.value, literal.type, argument.type);
        if (value.has_value()) {
          choices.push_back(Passed::Constant(*std::move(value)));
        }
      }
    }
  }
  // One more than what conditions and equal values can single out.
  const size_t count =
      1 + (conditional ? num_literals_ : 0) + argument.equal_values.size();
  for (Value& constant : WitnessConstants(argument.type, count)) {
    choices.push_back(Passed::Constant(std::move(constant)));
  }
  for (Type& type : WitnessGraphTypes(argument.type)) {
    choices.push_back(Passed::GraphValue(std::move(type)));
  }
  return choices;
}

bool StepCheck::HasOneType(size_t i) const {
  const EntryArgument& argument = entry_->arguments[i];
  if (HasVariables(argument.type)) return false;
  const auto has_it = [&](const OperatorEntry& entry) {
    return std::any_of(entry.arguments.begin(), entry.arguments.end(),
                       [&](const EntryArgument& other) {
                         return other.is_exposed() &&
                                other.type == argument.type &&
                                ShareName(other.names, argument.names);
                       });
  };
  for (const OperatorInfo* info : {&writer_, reader_, removed_}) {
    if (info == nullptr) continue;
    for (const OperatorRevision& revision : info->revisions) {
      if (!has_it(*revision.first) || !has_it(*revision.last)) return false;
    }
  }
  return true;
}

bool StepCheck::MakeCalls() {
  calls_ = {PlainCall(entry_)};
  std::vector<size_t> others;
  for (size_t i = 0; i < entry_->num_exposed(); ++i) {
    const bool conditional = std::any_of(
        conditions_.begin(), conditions_.end(),
        [&](const StepCondition& condition) { return IsAbout(condition, i); });
    if (!conditional) {
      others.push_back(i);
      continue;
    }
    std::vector<SampleCall> product;
    const std::vector<Passed> choices = Choices(i, true);
    if (calls_.size() * choices.size() > kMaxCalls) return false;
    for (const SampleCall& call : calls_) {
      for (const Passed& choice : choices) {
        product.push_back(call);
        product.back().arguments[i] = choice;
      }
    }
    calls_ = std::move(product);
  }
  const std::vector<SampleCall> combinations = calls_;
  // What the same types take on the whole way decides nothing but what becomes
  // of itself: all such arguments may change at once.
  std::vector<std::vector<size_t>> groups(1);
  for (const size_t i : others) {
    if (HasOneType(i)) {
      groups[0].push_back(i);
    } else {
      groups.push_back({i});
    }
  }
  for (const std::vector<size_t>& group : groups) {
    std::vector<std::vector<Passed>> choices;
    size_t most = 0;
    for (const size_t i : group) {
      choices.push_back(Choices(i, false));
      most = std::max(most, choices.back().size());
    }
    for (size_t k = 0; k < most; ++k) {
      for (const SampleCall& call : combinations) {
        if (calls_.size() >= kMaxCalls) return false;
        calls_.push_back(call);
        for (size_t g = 0; g < group.size(); ++g) {
          if (k < choices[g].size()) {
            calls_.back().arguments[group[g]] = choices[g][k];
          }
        }
      }
    }
  }
  return true;
}

void StepCheck::Add(std::string rule, std::string message, std::string remedy,
                    std::string counterexample, std::string graph) {
  for (const Breach& breach : breaches_) {
    if (breach.rule == rule) return;
  }
  Breach breach;
  breach.rule = std::move(rule);
  breach.message = std::move(message);
  breach.remedy = std::move(remedy);
  breach.counterexample = std::move(counterexample);
  breach.graph = std::move(graph);
  breaches_.push_back(std::move(breach));
}

std::string StepCheck::RemedyOfAddedRevision() const {
  constexpr char kUnchanged[] =
      "say when old and new meaning agree (unchanged_when)";
  bool all_have_graphs = true;
  for (uint32_t r = reader_->revision() + 1; r <= writer_.revision(); ++r) {
    const RevisionStep& step = *writer_.revisions[r - 1].step;
    if (step.one_way_down) {
      return absl::StrCat(kUnchanged, "; no target helps, as revision ", r,
                          " is declared one_way_down");
    }
    all_have_graphs = all_have_graphs && !step.downgraders.empty();
  }
  return absl::StrCat("write for the older version as a target",
                      all_have_graphs
                          ? ", which the declared downgraders serve; or "
                          : ", with a downgrader; or ",
                      kUnchanged);
}

bool StepCheck::SaidAlready(const Reason& reason) const {
  switch (reason.code) {
    case ReasonCode::kNoUpgrader:
    case ReasonCode::kNewerRevision:
    case ReasonCode::kUnknownOperator:
      return false;
    default:
      break;
  }
  return !IsAbove() && DirectBreach(reason) != nullptr;
}

const Breach* StepCheck::DirectBreach(const Reason& reason) const {
  for (const Breach& breach : direct_) {
    if (breach.argument == reason.argument) return &breach;
  }
  return nullptr;
}

uint32_t StepCheck::StuckStep() const {
  const uint32_t last = reader_->revision();
  for (uint32_t r = writer_.revision() + 1; r <= last; ++r) {
    const RevisionStep& step = *reader_->revisions[r - 1].step;
    const bool takes_all =
        !step.upgraders.empty() && step.upgraders.back().when.empty();
    if (!takes_all) return r;
  }
  return last;
}

const StepGraph* StepCheck::BrokenUpgrader(std::string* why, bool* over_limit) {
  std::vector<const StepGraph*> graphs;
  const OperatorInfo* const info = reader_ != nullptr ? reader_ : removed_;
  if (info != nullptr) {
    for (uint32_t r = writer_.revision() + 1; r <= info->revision(); ++r) {
      for (const StepGraph& graph : info->revisions[r - 1].step->upgraders) {
        graphs.push_back(&graph);
      }
    }
  }
  if (removed_ != nullptr && removed_->removed != nullptr) {
    for (const StepGraph& graph : removed_->removed->graphs) {
      graphs.push_back(&graph);
    }
  }
  for (const StepGraph* graph : graphs) {
    if (graph->body == nullptr) {
      *why = "its file was not read";
      return graph;
    }
    const BindResult bound = BindModule(*graph->body, runtimes_.reader());
    if (bound.accepted()) continue;
    const Reason& reason = bound.reasons[0];
    *over_limit = reason.code == ReasonCode::kLimit;
    *why =
        absl::StrCat(reason.op, " is refused: ", ReasonCodeName(reason.code));
    if (!reason.argument.empty()) {
      absl::StrAppend(why, " of argument `", reason.argument, "`");
    }
    return graph;
  }
  return nullptr;
}

void StepCheck::Explain(const Reason& reason, const SampleCall& call) {
  if (SaidAlready(reason)) return;
  const std::string example = StatementText(call);
  const std::string& to = reading_.reader->version();
  if (reason.code == ReasonCode::kNewerRevision) {
    Add("revision-added",
        absl::StrCat("the meaning changed with revision ", entry_->revision,
                     ", which ", to,
                     " does not have, and a call goes out at it"),
        RemedyOfAddedRevision(), example);
    return;
  }
  if (reason.code == ReasonCode::kNoUpgrader && reader_ != nullptr &&
      reader_->revision() > writer_.revision()) {
    const uint32_t r = StuckStep();
    const RevisionStep& step = *reader_->revisions[r - 1].step;
    Add(step.one_way_up ? "revision-one-way-up" : "revision-no-upgrader",
        step.one_way_up
            ? absl::StrCat("the meaning changed with revision ", r,
                           ", declared one_way_up: calls of ",
                           reading_.writer->version(), " are refused")
            : absl::StrCat("the meaning changed with revision ", r,
                           ", and no upgrader takes some call of ",
                           reading_.writer->version()),
        absl::StrCat("give `semantic_change { revision: ", r,
                     " }` an upgrader without conditions",
                     step.one_way_up ? " in place of one_way_up" : "",
                     ": `upgraders { graph: \"FILE.graph\" }`"),
        example);
    return;
  }
  const Breach* direct = DirectBreach(reason);
  if (IsAbove() && direct != nullptr) {
    Breach breach = *direct;
    breach.counterexample = example;
    const bool known = std::any_of(
        breaches_.begin(), breaches_.end(), [&](const Breach& other) {
          return other.rule == breach.rule && other.argument == breach.argument;
        });
    if (!known) breaches_.push_back(std::move(breach));
    return;
  }
  // Of an operator that the reader does not have.
  const bool is_declared = removed_ != nullptr && removed_->removed != nullptr;
  const char* const upgraders = is_declared ? "`removed` steps" : "upgraders";
  // A graph that takes the call may still be too much for one reading.
  const bool over_limit = reason.code == ReasonCode::kLimit;
  constexpr char kShorter[] =
      "let the graphs of steps expand to less: fewer operators in them that "
      "need steps of their own";
  if (reader_ == nullptr && over_limit) {
    Add("operator-removed",
        absl::StrCat("the operator is not there in ", to, ", and its ",
                     upgraders, " expand beyond what is read"),
        kShorter, example);
    return;
  }
  std::string why;
  bool is_limit = over_limit;
  const StepGraph* broken = BrokenUpgrader(&why, &is_limit);
  if (reader_ == nullptr && broken == nullptr) {
    Add("operator-removed",
        absl::StrCat("the operator is not there in ", to, ", and none of its ",
                     upgraders, " takes some call"),
        is_declared ? "give `removed` a step without conditions"
                    : "declare `removed` with a step without conditions",
        example);
    return;
  }
  if (broken != nullptr) {
    Add("upgrader-does-not-bind",
        absl::StrCat("the upgrader ", broken->path, ", written at ",
                     broken->version, ", does not bind at ", to, ": ", why),
        is_limit ? std::string(kShorter)
                 : "declare what changed in the operator that it calls, or "
                   "let that change be a semantic_change with an upgrader of "
                   "its own",
        example, broken->path);
    return;
  }
  Add("step-refuses",
      absl::StrCat("a call is refused on its way between revisions: ",
                   ReasonCodeName(reason.code),
                   reason.argument.empty()
                       ? std::string()
                       : absl::StrCat(" of argument `", reason.argument, "`")),
      over_limit ? kShorter : "give the step an upgrader that takes the call",
      example);
}

void StepCheck::Bind() {
  std::string text = absl::StrCat("opset ", reading_.writer->name(), " ",
                                  reading_.writer->version(), "\n");
  for (size_t i = 0; i < calls_.size(); ++i) {
    absl::StrAppend(&text, FunctionText(absl::StrCat("f", i), calls_[i]));
  }
  const absl::StatusOr<Module> module = ParseModule(text, runtimes_.writer());
  if (!module.ok()) {
    Add("undecided",
        absl::StrCat("calls of the operator cannot be written as text: ",
                     module.status().message()),
        "look at the steps by hand", StatementText(calls_[0]));
    return;
  }
  const BindResult bound = BindModule(
      LowerRevisions(*module, runtimes_.writer()), runtimes_.reader());
  for (const Reason& reason : bound.reasons) {
    size_t i = 0;
    if (!absl::SimpleAtoi(absl::string_view(reason.function).substr(1), &i) ||
        i >= calls_.size()) {
      i = 0;
    }
    Explain(reason, calls_[i]);
  }
}

std::vector<Breach> StepCheck::Run() {
  CollectConditions();
  if (MakeCalls()) {
    Bind();
  } else {
    Add("undecided",
        absl::StrCat("the conditions of the steps tell more than ", kMaxCalls,
                     " calls apart, which are not all tried"),
        "give the step an upgrader without conditions",
        StatementText(PlainCall(entry_)));
  }
  return std::move(breaches_);
}

bool HasUnchangedStep(const OperatorInfo& info) {
  return std::any_of(info.revisions.begin(), info.revisions.end(),
                     [](const OperatorRevision& revision) {
                       return revision.step != nullptr &&
                              !revision.step->unchanged_when.empty();
                     });
}

}  // namespace

const Runtime& ReadingRuntimes::writer() {
  if (!writer_.has_value()) writer_ = RuntimeOf(*reading_.writer);
  return *writer_;
}

const Runtime& ReadingRuntimes::reader() {
  if (!reader_.has_value()) reader_ = RuntimeOf(*reading_.reader);
  return *reader_;
}

bool MayTakeSteps(const OperatorInfo& writer, const OperatorInfo* reader) {
  return reader == nullptr || writer.revision() != reader->revision() ||
         HasUnchangedStep(writer);
}

std::vector<Breach> CheckSteps(const OperatorInfo& writer,
                               const OperatorInfo* reader,
                               const Reading& reading,
                               const std::vector<Breach>& direct,
                               ReadingRuntimes* runtimes) {
  return StepCheck(writer, reader, reading, direct, runtimes).Run();
}

}  // namespace opcompat
