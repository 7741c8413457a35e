#include "binding/rewrite_calls.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "binding/bind_results.h"
#include "binding/call.h"
#include "binding/call_counts.h"
#include "binding/expansion.h"
#include "binding/graph_writer.h"
#include "binding/new_names.h"
#include "binding/output_tables.h"
#include "binding/reason_collector.h"
#include "binding/report.h"
#include "binding/step_instance.h"
#include "binding/written_operands.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"
#include "schema/type.h"
#include "schema/typing.h"
#include "schema/value.h"

namespace opcompat {
namespace {

// What becomes of the nodes of one shape.
struct NodePlan {
  std::vector<Refusal> refusals;
  FormId form;
  // The operands of the new node: an operand of the old one (>= 0), or a
  // constant (~index).
  std::vector<int64_t> sources;
  // The results of the new node: a result of the old one (>= 0), or a new one.
  std::vector<std::pair<int, TypeId>> results;
  CallNotes notes;
  // Not null: this takes the node's place, and returns the used ones of its
  // results.
  std::unique_ptr<Expansion> expansion;
};

class Rewriter {
 public:
  // `depth`: how many graphs `in` stands in; 0: none.
  Rewriter(const Module& in, CallRules& rules, const WrittenAround& around,
           int depth)
      : in_(in),
        call_rules_(rules),
        around_(around),
        depth_(depth),
        tables_(in),
        reasons_(Describer(), depth > 0),
        warnings_(Describer(), depth > 0),
        counts_(in.operators.size()) {
    for (const ModuleOperator& op : in.operators) {
      rules_.push_back(op.entry == nullptr ? OperatorRule()
                                           : rules.RuleFor(op.entry, in));
    }
    // Forms that pass as they are.
    for (const CallForm& form : in.forms) {
      const ModuleOperator& op = in.op(form.op);
      const OperatorRule& rule = rules_[form.op.index];
      if (op.entry == nullptr || rule.same != nullptr) {
        CallForm copy = form;
        copy.op = tables_.InternOperator(
            op.entry == nullptr ? op
                                : ModuleOperator{rule.same, Intrinsic::kNone});
        passing_.push_back(tables_.InternForm(std::move(copy)));
      } else {
        passing_.push_back(FormId());
      }
    }
  }

  RewriteResult Run() {
    for (const Function& function : in_.functions) RewriteFunction(function);
    RewriteResult result;
    result.num_plans = num_plans_ + plans_.size();
    result.reasons = std::move(reasons_).Take();
    if (!result.reasons.empty()) return result;
    result.module = std::move(tables_.out());
    result.expanded = expanded_;
    counts_.Fill(in_, &result.report);
    for (Reason& warning : std::move(warnings_).Take()) {
      result.report.warnings.push_back(std::move(warning.message));
    }
    return result;
  }

 private:
  std::function<std::string(const OperatorEntry&)> Describer() const {
    return [this](const OperatorEntry& entry) {
      return call_rules_.Describe(entry, in_);
    };
  }

  void RewriteFunction(const Function& function) {
    const Graph& graph = function.graph;
    Function out_function;
    out_function.name = function.name;
    out_function.result_types = function.result_types;
    GraphWriter writer(graph, &out_function.graph);

    function_ = &function;
    out_graph_ = &out_function.graph;
    writer_ = &writer;
    values_.assign(graph.num_values(), ValueId());
    written_ = WrittenValues(in_, graph, around_);
    used_.assign(graph.num_values(), false);
    for (const Operand operand : graph.operands) {
      if (operand.is_value()) used_[operand.value().index] = true;
    }
    statement_ = 0;
    new_names_.emplace(in_, graph);
    for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
      const Node& node = graph.nodes[i];
      const Intrinsic intrinsic = in_.intrinsic(node);
      RewriteNode(node, NodeId(i), intrinsic);
      if (intrinsic != Intrinsic::kParam && intrinsic != Intrinsic::kReturn) {
        ++statement_;
      }
    }
    tables_.out().functions.push_back(std::move(out_function));
  }

  void RewriteNode(const Node& node, NodeId id, Intrinsic intrinsic) {
    const CallForm& form = in_.form(node);
    const absl::Span<const Operand> operands =
        in_.operands(function_->graph, node);
    const FormId passing = passing_[node.form.index];
    if (passing.valid()) {
      counts_.CountIdentical(form.op);
      writer_->BeginNode(passing, intrinsic, form.num_blocks, Location(id));
      for (const Operand operand : operands) {
        writer_->AddOperand(Mapped(operand));
      }
      AddOldResults(node, form);
      return;
    }

    NodePlan& plan = PlanFor(node);
    const OperatorEntry& entry = *in_.op(form.op).entry;
    if (!plan.refusals.empty()) {
      for (const Refusal& refusal : plan.refusals) Refuse(refusal, node, id);
      // What follows is bound too, for its own reasons; that the results are
      // still there keeps it from reporting this one again.
      writer_->BeginNode(FormId(), intrinsic, form.num_blocks, Location(id));
      AddOldResults(node, form);
      return;
    }
    counts_.Count(form.op, plan.notes);
    for (const Refusal& warning : plan.notes.warnings) {
      warnings_.Add(warning, entry, function_->name,
                    [&] { return Place(node, id); });
    }
    if (plan.expansion != nullptr) {
      Expand(node, id, operands, *plan.expansion);
      return;
    }
    writer_->BeginNode(plan.form, intrinsic, form.num_blocks, Location(id));
    for (const int64_t source : plan.sources) {
      writer_->AddOperand(
          source >= 0 ? Mapped(operands[static_cast<size_t>(source)])
                      : Operand(ConstantId(static_cast<uint32_t>(~source))));
    }
    for (const auto& [old_result, type] : plan.results) {
      if (old_result < 0) {
        writer_->AddResult(type, StringId());
      } else {
        AddOldResult(node.results_begin + static_cast<uint32_t>(old_result),
                     type);
      }
    }
  }

  void Refuse(const Refusal& refusal, const Node& node, NodeId id) {
    reasons_.Add(refusal, *in_.op(node).entry, function_->name,
                 [&] { return Place(node, id); });
  }

  // Puts the expansion in the place of the node.
  void Expand(const Node& node, NodeId id, absl::Span<const Operand> operands,
              Expansion& expansion) {
    // Inside a graph, what one call becomes is limited; outside, ids are.
    const size_t limit = depth_ > 0 ? kMaxExpandedNodes : Operand::kLimit / 2;
    if (std::max(writer_->num_nodes() + expansion.num_nodes(),
                 writer_->num_values() + expansion.num_values()) > limit) {
      Refuse({ReasonCode::kLimit, "", "",
              absl::StrCat("becomes too much: more than ", limit,
                           " nodes or values")},
             node, id);
      writer_->BeginNode(FormId(), Intrinsic::kNone, 0, Location(id));
      AddOldResults(node, in_.form(node));
      return;
    }
    expanded_ = true;
    operand_values_.assign(operands.size(), ValueId());
    for (size_t i = 0; i < operands.size(); ++i) {
      if (operands[i].is_value()) {
        operand_values_[i] = values_[operands[i].value().index];
      }
    }
    used_results_.clear();
    for (uint32_t i = 0; i < in_.num_results(node); ++i) {
      const uint32_t result = node.results_begin + i;
      if (!used_[result]) continue;
      used_results_.push_back(result);
    }
    names_.clear();
    if (!function_->graph.value_names.empty()) {
      while (names_.size() < expansion.num_values()) {
        names_.push_back(tables_.InternString(new_names_->Next()));
      }
    }
    const std::vector<ValueId>& results =
        expansion.Append(operand_values_, names_, Location(id), writer_);
    for (size_t i = 0; i < used_results_.size(); ++i) {
      values_[used_results_[i]] = results[i];
    }
  }

  void AddOldResults(const Node& node, const CallForm& form) {
    for (uint32_t i = 0; i < form.result_types.size(); ++i) {
      AddOldResult(node.results_begin + i, form.result_types[i]);
    }
  }

  void AddOldResult(uint32_t old_value, TypeId type) {
    values_[old_value] = writer_->AddResult(type, NameOf(old_value));
  }

  StringId NameOf(uint32_t old_value) const {
    const Graph& graph = function_->graph;
    return graph.value_names.empty() ? StringId()
                                     : graph.value_names[old_value];
  }

  StringId Location(NodeId id) const {
    const Graph& graph = function_->graph;
    return graph.node_locations.empty() ? StringId()
                                        : graph.node_locations[id.index];
  }

  Operand Mapped(Operand operand) const {
    return operand.is_value() ? Operand(values_[operand.value().index])
                              : operand;
  }

  CallPlace Place(const Node& node, NodeId id) const {
    const Graph& graph = function_->graph;
    std::string name =
        in_.num_results(node) > 0
            ? absl::StrCat("%",
                           in_.value_name(graph, ValueId(node.results_begin)))
            : absl::StrCat("#", statement_);
    std::string location;
    if (Location(id).valid()) location = in_.string(Location(id));
    return {std::move(name), std::move(location)};
  }

  // The shape of `node`: all that its plan depends on.
  NodePlan& PlanFor(const Node& node) {
    const CallForm& form = in_.form(node);
    const OperatorRule& rule = rules_[form.op.index];
    const absl::Span<const Operand> operands =
        in_.operands(function_->graph, node);
    key_.clear();
    const auto add = [this](uint32_t word) {
      key_.append(reinterpret_cast<const char*>(&word), sizeof word);
    };
    add(node.form.index);
    for (size_t i = 0; i < form.slots.size(); ++i) {
      const Slot& slot = form.slots[i];
      if (operands[i].is_value()) {
        const uint32_t old = operands[i].value().index;
        add(TypeNow(old).index << 1 | static_cast<uint32_t>(written_[old]));
      } else if (!Passes(rule, slot)) {
        add(operands[i].constant().index);
      }
    }
    // A graph takes attributes into itself.
    for (size_t i = form.slots.size(); i < operands.size(); ++i) {
      add(operands[i].constant().index);
    }
    for (uint32_t i = 0; i < form.result_types.size(); ++i) {
      const uint32_t result = node.results_begin + i;
      add(static_cast<uint32_t>(used_[result]) << 1 |
          static_cast<uint32_t>(written_[result]));
    }
    std::unique_ptr<NodePlan>& plan = plans_[key_];
    if (plan == nullptr) plan = std::make_unique<NodePlan>(Plan(node));
    return *plan;
  }

  // The type that a value of the input has in the module that is made.
  TypeId TypeNow(uint32_t old_value) const {
    return out_graph_->value_types[values_[old_value].index];
  }

  static bool Passes(const OperatorRule& rule, const Slot& slot) {
    return slot.argument < rule.passes_constants.size() &&
           rule.passes_constants[slot.argument];
  }

  NodePlan Plan(const Node& node) {
    NodePlan plan;
    const CallForm& form = in_.form(node);
    const OperatorRule& rule = rules_[form.op.index];
    if (!rule.refusals.empty()) {
      plan.refusals = rule.refusals;
      return plan;
    }
    RewrittenCall rewritten;
    rule.rewrite(MakeCall(node), &rewritten);
    plan.refusals = std::move(rewritten.refusals);
    if (plan.refusals.empty() && rewritten.graph != nullptr) {
      PlanGraph(node, rewritten, plan);
      return plan;
    }
    if (!plan.refusals.empty()) {
      return rule.keeps_refused ? Kept(form) : std::move(plan);
    }
    plan.notes = std::move(rewritten.notes);

    const Call& call = rewritten.call;
    CallForm new_form;
    new_form.op =
        tables_.InternOperator(ModuleOperator{call.entry, Intrinsic::kNone});
    new_form.attribute_names = form.attribute_names;
    new_form.num_blocks = form.num_blocks;
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      AddOperand(static_cast<uint32_t>(i), call.arguments[i], new_form, plan);
    }
    for (const CallArgument& argument : call.variadic) {
      AddOperand(Slot::kVariadic, argument, new_form, plan);
    }
    for (size_t i = 0; i < form.attribute_names.size(); ++i) {
      plan.sources.push_back(static_cast<int64_t>(form.slots.size() + i));
    }
    for (const CallResult& result : call.results) {
      plan.results.emplace_back(result.source, tables_.InternType(result.type));
      new_form.result_types.push_back(plan.results.back().second);
    }
    plan.form = tables_.InternForm(std::move(new_form));
    return plan;
  }

  NodePlan Kept(const CallForm& form) {
    NodePlan plan;
    CallForm copy = form;
    copy.op = tables_.InternOperator(in_.op(form.op));
    plan.form = tables_.InternForm(std::move(copy));
    for (uint32_t i = 0; i < form.num_operands(); ++i) {
      plan.sources.push_back(i);
    }
    for (size_t i = 0; i < form.result_types.size(); ++i) {
      plan.results.emplace_back(static_cast<int>(i), form.result_types[i]);
    }
    return plan;
  }

  // What the graph that stands for the call becomes.
  void PlanGraph(const Node& node, const RewrittenCall& rewritten,
                 NodePlan& plan) {
    const CallForm& form = in_.form(node);
    const auto refuse = [&](ReasonCode code, absl::string_view why) {
      plan.refusals.push_back({code, "", "",
                               absl::StrCat("cannot be replaced by ",
                                            rewritten.graph_name, ": ", why)});
    };
    const StepGraph& step = *rewritten.graph;
    if (step.body == nullptr) {
      return refuse(rewritten.graph_code, "the graph was not read");
    }
    if (!step.mismatch.empty()) {
      return refuse(ReasonCode::kAliasChanged, step.mismatch);
    }
    if (!rewritten.call.variadic.empty() || form.num_blocks > 0 ||
        rewritten.call.entry->is_varret) {
      return refuse(rewritten.graph_code,
                    "a graph takes no operands of `...` and no blocks, and "
                    "gives no results of `...`");
    }
    if (depth_ >= kMaxGraphDepth) {
      return refuse(ReasonCode::kLimit,
                    absl::StrCat("more than ", kMaxGraphDepth,
                                 " graphs stand in each other"));
    }
    // The call is at the graph's schema: its results are the body's.
    std::vector<bool> used;
    WrittenAround around;
    for (const CallResult& result : rewritten.call.results) {
      used.push_back(result.used);
      if (!result.used) continue;
      around.results.push_back(
          written_[node.results_begin + static_cast<uint32_t>(result.source)]);
    }
    std::vector<NamedConstant> attributes;
    const absl::Span<const Operand> operands =
        in_.operands(function_->graph, node);
    for (size_t i = 0; i < form.attribute_names.size(); ++i) {
      attributes.emplace_back(
          in_.string(form.attribute_names[i]),
          in_.constant(operands[form.slots.size() + i].constant()));
    }
    absl::StatusOr<StepInstance> instance =
        Instantiate(*step.body, rewritten.call, used, attributes);
    if (!instance.ok()) {
      return refuse(
          instance.status().code() == absl::StatusCode::kResourceExhausted
              ? ReasonCode::kLimit
              : rewritten.graph_code,
          instance.status().message());
    }
    around.parameters = instance->written;
    RewriteResult bound =
        Rewriter(instance->module, call_rules_, around, depth_ + 1).Run();
    num_plans_ += bound.num_plans;
    for (const Reason& reason : bound.reasons)
      refuse(reason.code, reason.message);
    if (!bound.reasons.empty()) return;
    PlanGraphResults(node, bound.module, plan);
    if (!plan.refusals.empty()) return;
    plan.notes = rewritten.notes;
    plan.notes.stepped = true;
    for (const std::string& warning : bound.report.warnings) {
      plan.notes.warnings.push_back(
          {rewritten.graph_code, "", "",
           absl::StrCat("becomes ", rewritten.graph_name, ": ", warning)});
    }
    plan.expansion =
        std::make_unique<Expansion>(bound.module, instance->sources, &tables_);
  }

  // A used result must still have a subtype of what the writer declared.
  void PlanGraphResults(const Node& node, const Module& bound, NodePlan& plan) {
    const CallForm& form = in_.form(node);
    const OperatorEntry& writer = *in_.op(form.op).entry;
    const Function& function = bound.functions[0];
    const absl::Span<const Operand> returned =
        bound.operands(function.graph, function.graph.nodes.back());
    size_t k = 0;
    for (uint32_t i = 0; i < form.result_types.size(); ++i) {
      if (!used_[node.results_begin + i]) continue;
      const TypeId type =
          returned[k].is_value()
              ? function.graph.value_types[returned[k].value().index]
              : function.result_types[k];
      ++k;
      CheckResultType(writer, i, in_.type(form.result_types[i]),
                      bound.type(type), rules_[form.op.index].reader_name,
                      &plan.refusals);
    }
  }

  Call MakeCall(const Node& node) const {
    const CallForm& form = in_.form(node);
    const OperatorRule& rule = rules_[form.op.index];
    const absl::Span<const Operand> operands =
        in_.operands(function_->graph, node);
    Call call;
    call.entry = in_.op(form.op).entry;
    call.arguments.resize(call.entry->num_exposed());
    for (uint32_t i = 0; i < form.result_types.size(); ++i) {
      call.results.push_back({in_.type(form.result_types[i]),
                              used_[node.results_begin + i],
                              static_cast<int>(i)});
    }
    for (size_t i = 0; i < form.slots.size(); ++i) {
      const Slot& slot = form.slots[i];
      CallArgument argument;
      argument.source = static_cast<int>(i);
      if (operands[i].is_value()) {
        const uint32_t old = operands[i].value().index;
        argument.state = CallArgument::State::kValue;
        argument.type = tables_.out().type(TypeNow(old));
        argument.written = written_[old];
      } else if (Passes(rule, slot)) {
        argument.state = CallArgument::State::kPassedConstant;
      } else {
        argument.state = CallArgument::State::kConstant;
        argument.constant = in_.constant(operands[i].constant());
      }
      if (slot.argument == Slot::kVariadic) {
        call.variadic.push_back(std::move(argument));
      } else {
        call.arguments[slot.argument] = std::move(argument);
      }
    }
    return call;
  }

  void AddOperand(uint32_t argument, const CallArgument& given, CallForm& form,
                  NodePlan& plan) {
    switch (given.state) {
      case CallArgument::State::kLeftOut:
        return;
      case CallArgument::State::kConstant:
        form.slots.push_back({argument, true});
        plan.sources.push_back(~static_cast<int64_t>(
            tables_.InternConstant(given.constant).index));
        return;
      case CallArgument::State::kPassedConstant:
        form.slots.push_back({argument, true});
        plan.sources.push_back(given.source);
        return;
      case CallArgument::State::kValue:
        form.slots.push_back({argument, false});
        plan.sources.push_back(given.source);
        return;
    }
  }

  const Module& in_;
  CallRules& call_rules_;
  const WrittenAround& around_;
  const int depth_;
  OutputTables tables_;
  ReasonCollector reasons_;
  ReasonCollector warnings_;
  std::vector<OperatorRule> rules_;  // by operator
  std::vector<FormId> passing_;      // by form; not valid: ask the rule
  CallCounts counts_;
  absl::flat_hash_map<std::string, std::unique_ptr<NodePlan>> plans_;
  std::string key_;

  // Of the function being rewritten.
  const Function* function_ = nullptr;
  const Graph* out_graph_ = nullptr;
  GraphWriter* writer_ = nullptr;
  std::vector<ValueId> values_;  // by old value
  std::vector<bool> written_;
  std::vector<bool> used_;
  size_t statement_ = 0;
  absl::optional<NewNames> new_names_;

  bool expanded_ = false;
  size_t num_plans_ = 0;  // in graphs
  // Reused.
  std::vector<ValueId> operand_values_;
  std::vector<uint32_t> used_results_;
  std::vector<StringId> names_;
};

}  // namespace

RewriteResult RewriteCalls(const Module& module, CallRules& rules) {
  return Rewriter(module, rules, WrittenAround(), 0).Run();
}

}  // namespace opcompat
