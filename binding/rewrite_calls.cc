#include "binding/rewrite_calls.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "base/concat.h"
#include "base/hash_map.h"
#include "binding/bind_results.h"
#include "binding/call.h"
#include "binding/call_counts.h"
#include "binding/change_nodes.h"
#include "binding/expansion.h"
#include "binding/graph_writer.h"
#include "binding/new_names.h"
#include "binding/node_plan.h"
#include "binding/operator_rule.h"
#include "binding/output_tables.h"
#include "binding/pass_all.h"
#include "binding/reason_collector.h"
#include "binding/report.h"
#include "binding/step_instance.h"
#include "binding/written_operands.h"
#include "binding/written_versions.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"
#include "schema/type.h"
#include "schema/typing.h"
#include "schema/value.h"

namespace opcompat {
namespace {

// Whether a node of the form may be given a container that is no constant.
bool TakesContainer(const CallForm& form, const OperatorEntry& entry) {
  return std::any_of(
      form.slots.begin(), form.slots.end(), [&](const Slot& slot) {
        return !slot.is_constant &&
               (slot.argument == Slot::kVariadic ||
                MayBeContainer(entry.arguments[slot.argument].type));
      });
}

class Rewriter {
 public:
  // `depth`: how many graphs `in` stands in; 0: none. `owned` is `in` if its
  // functions may be taken, else null.
  // `versions` are of `in`.
  Rewriter(const Module& in, const WrittenVersions& versions, CallRules& rules,
           std::vector<OperatorRule> rules_of_operators,
           const WrittenAround& around, int depth, Module* owned = nullptr,
           const std::vector<std::vector<NodeId>>* doubtful = nullptr)
      : in_(in),
        owned_(owned),
        doubtful_in_(doubtful),
        call_rules_(rules),
        versions_(versions),
        around_(around),
        depth_(depth),
        tables_(in),
        reasons_(Describer(), depth > 0),
        warnings_(Describer(), depth > 0),
        rules_(std::move(rules_of_operators)),
        counts_(in.operators.size()) {
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
        passes_in_rows_.push_back(op.intrinsic != Intrinsic::kParam &&
                                  op.intrinsic != Intrinsic::kReturn &&
                                  form.num_blocks == 0);
      } else {
        passing_.push_back(FormId());
        passes_in_rows_.push_back(0);
        all_pass_ = false;
        asks_for_used_ |= !rule.keeps_results;
        asks_for_written_ |=
            !rule.keeps_results || TakesContainer(form, *op.entry);
      }
    }
    for (const CallForm& form : in.forms) {
      num_operands_.push_back(form.num_operands());
    }
    last_plans_.resize(in.forms.size());
  }

  RewriteResult Run() {
    for (size_t f = 0; f < in_.functions.size(); ++f) {
      BeginFunction(in_.functions[f]);
      doubtful_.emplace_back();
      if (owned_ != nullptr && RewriteInPlace(&owned_->functions[f])) {
        // Nodes stay where they are.
        if (doubtful_in_ != nullptr) doubtful_.back() = (*doubtful_in_)[f];
        continue;
      }
      RewriteFunction(in_.functions[f],
                      doubtful_in_ == nullptr ? nullptr : &(*doubtful_in_)[f]);
      needs_verifying_ = true;
    }
    RewriteResult result;
    result.needs_verifying = needs_verifying_;
    if (doubtful_in_ != nullptr && !any_may_be_wrong_) {
      result.doubtful = std::move(doubtful_);
    }
    result.num_plans = num_plans_ + plans_.size();
    result.reasons = std::move(reasons_).Take();
    if (!result.reasons.empty()) return result;
    result.module = std::move(tables_.out());
    result.expanded = expanded_;
    counts_.Fill(in_.operators, &result.report);
    for (Reason& warning : std::move(warnings_).Take()) {
      result.report.warnings.push_back(std::move(warning.message));
    }
    return result;
  }

 private:
  std::function<std::string(const OperatorEntry&)> Describer() const {
    return [this](const OperatorEntry& entry) {
      return call_rules_.Describe(entry, versions_);
    };
  }

  // Looks at what plans depend on, before any node of the function.
  void BeginFunction(const Function& function) {
    const Graph& graph = function.graph;
    function_ = &function;
    statement_ = 0;
    if (asks_for_written_) written_ = WrittenValues(in_, graph, around_);
    if (!asks_for_used_) return;
    // Constants count as one more value: no branch that nobody can foresee.
    const auto no_value = static_cast<uint32_t>(graph.num_values());
    used_.assign(size_t{no_value} + 1, 0);
    for (const Operand operand : graph.operands) {
      used_[std::min(operand.bits(), no_value)] = 1;
    }
  }

  // If every call becomes one call with the results of the old one, changes the
  // columns where they are, takes the function, and returns true. Else it is as
  // it was.
  bool RewriteInPlace(Function* function) {
    Graph& graph = function->graph;
    out_graph_ = &graph;
    values_.clear();
    NodeChanges changes;
    std::vector<uint64_t> calls(in_.forms.size());  // by form
    for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
      const Node& node = graph.nodes[i];
      if (passing_[node.form.index].valid()) {
        ++calls[node.form.index];
        continue;
      }
      const NodePlan& plan = PlanFor(node);
      if (!plan.refusals.empty() || plan.expansion != nullptr ||
          !plan.keeps_results || !plan.notes.warnings.empty()) {
        return false;
      }
      changes.emplace_back(i, &plan);
    }
    size_t most_operands = graph.operands.size();
    for (const auto& [n, plan] : changes) most_operands += plan->sources.size();
    if (most_operands >= Operand::kLimit) return false;
    CountPassed(calls);
    for (const auto& [n, plan] : changes) {
      counts_.Count(in_.form(graph.nodes[n]).op, plan->notes);
      needs_verifying_ |= plan->needs_verifying;
      any_may_be_wrong_ |= plan->needs_verifying;
    }
    ChangeNodes(changes, passing_, num_operands_, &graph);
    tables_.out().functions.push_back(std::move(*function));
    return true;
  }

  // `doubtful`: nodes that are not right by themselves; null: nobody knows.
  // The others still are where nothing has another type.
  void RewriteFunction(const Function& function,
                       const std::vector<NodeId>* doubtful) {
    const Graph& graph = function.graph;
    Function out_function;
    out_function.name = function.name;
    out_function.result_types = function.result_types;
    GraphWriter writer(graph, &out_function.graph);

    out_graph_ = &out_function.graph;
    writer_ = &writer;
    // One at least, for AddNodesOf.
    values_.assign(std::max<size_t>(graph.num_values(), 1), ValueId());
    calls_in_rows_.assign(in_.forms.size(), 0);
    new_names_.emplace(in_, graph);
    size_t next_doubtful = 0;
    const bool has_debug =
        !graph.value_names.empty() || !graph.node_locations.empty();
    for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
      if (!has_debug) {
        const size_t row_limit =
            doubtful != nullptr && next_doubtful < doubtful->size()
                ? (*doubtful)[next_doubtful].index
                : graph.nodes.size();
        i = AddRow(graph, i, static_cast<uint32_t>(row_limit));
        if (i == graph.nodes.size()) break;
      }
      const Node& node = graph.nodes[i];
      const Intrinsic intrinsic = in_.intrinsic(node);
      if (doubtful != nullptr && next_doubtful < doubtful->size() &&
          (*doubtful)[next_doubtful].index == i) {
        ++next_doubtful;
        Doubt(1);
      } else if (!passing_[node.form.index].valid()) {
        Doubt(1);
      }
      RewriteNode(node, NodeId(i), intrinsic);
      if (intrinsic != Intrinsic::kParam && intrinsic != Intrinsic::kReturn) {
        ++statement_;
      }
    }
    CountPassed(calls_in_rows_);
    tables_.out().functions.push_back(std::move(out_function));
  }

  // So many calls passed as they are, by form.
  void CountPassed(const std::vector<uint64_t>& calls) {
    for (size_t f = 0; f < calls.size(); ++f) {
      counts_.CountIdentical(in_.forms[f].op, calls[f]);
    }
  }

  // Adds the nodes from `begin` on that pass and are of no doubt, as many as
  // follow each other. Returns which is the first that is not one of them; at
  // most `limit`.
  uint32_t AddRow(const Graph& graph, uint32_t begin, uint32_t limit) {
    uint32_t end = begin;
    while (end < limit && passes_in_rows_[graph.nodes[end].form.index] != 0) {
      ++calls_in_rows_[graph.nodes[end].form.index];
      ++end;
    }
    if (end == begin) return begin;
    writer_->AddNodesOf(graph, NodeId(begin), NodeId(end), passing_,
                        absl::MakeSpan(values_));
    statement_ += end - begin;
    return end;
  }

  // So many nodes that are written next are to be verified.
  void Doubt(size_t num_nodes) {
    for (size_t i = 0; i < num_nodes; ++i) {
      const NodeId id(static_cast<uint32_t>(writer_->num_nodes() + i));
      if (doubtful_.back().empty() || doubtful_.back().back() < id) {
        doubtful_.back().push_back(id);
      }
    }
  }

  void RewriteNode(const Node& node, NodeId id, Intrinsic intrinsic) {
    const CallForm& form = in_.form(node);
    const absl::Span<const Operand> operands =
        in_.operands(function_->graph, node);
    const FormId passing = passing_[node.form.index];
    if (passing.valid()) {
      counts_.CountIdentical(form.op, 1);
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
      Refuse(
          {ReasonCode::kLimit, "", "",
           Concat("becomes too much: more than ", limit, " nodes or values")},
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
    Doubt(expansion.num_nodes());
    const std::vector<ValueId>& results =
        expansion.Append(operand_values_, names_, Location(id), writer_);
    for (size_t i = 0; i < used_results_.size(); ++i) {
      values_[used_results_[i]] = results[i];
      any_may_be_wrong_ |= out_graph_->value_types[results[i].index] !=
                           function_->graph.value_types[used_results_[i]];
    }
  }

  void AddOldResults(const Node& node, const CallForm& form) {
    for (uint32_t i = 0; i < form.result_types.size(); ++i) {
      AddOldResult(node.results_begin + i, form.result_types[i]);
    }
  }

  void AddOldResult(uint32_t old_value, TypeId type) {
    values_[old_value] = writer_->AddResult(type, NameOf(old_value));
    any_may_be_wrong_ |= type != function_->graph.value_types[old_value];
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
            ? Concat("%", in_.value_name(graph, ValueId(node.results_begin)))
            : Concat("#", statement_);
    std::string location;
    if (Location(id).valid()) location = in_.string(Location(id));
    return {std::move(name), std::move(location)};
  }

  // The plan for the shape of `node`.
  NodePlan& PlanFor(const Node& node) {
    // Nodes of one form are mostly alike.
    LastPlan& last = last_plans_[node.form.index];
    if (last.plan != nullptr) {
      const uint32_t* known = last.key.data();
      bool is_like_last = true;
      ForEachKeyPart(node,
                     [&](uint32_t part) { is_like_last &= part == *known++; });
      if (is_like_last) return *last.plan;
    }
    key_.clear();
    ForEachKeyPart(node, [&](uint32_t part) { key_.push_back(part); });
    std::unique_ptr<NodePlan>& plan = plans_[key_];
    if (plan == nullptr) plan = std::make_unique<NodePlan>(Plan(node));
    last = {key_, plan.get()};
    return *plan;
  }

  // The shape of `node`, all that its plan depends on: equally many parts for
  // all nodes of one form.
  template <typename Function>
  void ForEachKeyPart(const Node& node, Function add) const {
    const CallForm& form = in_.form(node);
    const OperatorRule& rule = rules_[form.op.index];
    const Operand* const operands =
        function_->graph.operands.data() + node.operands_begin;
    add(node.form.index);
    for (size_t i = 0; i < form.slots.size(); ++i) {
      const Slot& slot = form.slots[i];
      if (!slot.is_constant) {
        const uint32_t old = operands[i].value().index;
        add(TypeNow(old).index << 1 | static_cast<uint32_t>(IsWritten(old)));
      } else if (!Passes(rule, slot)) {
        add(operands[i].constant().index);
      }
    }
    // A graph takes attributes into itself.
    for (uint32_t i = static_cast<uint32_t>(form.slots.size());
         i < form.num_operands(); ++i) {
      add(operands[i].constant().index);
    }
    if (rule.keeps_results) return;
    for (uint32_t i = 0; i < form.result_types.size(); ++i) {
      const uint32_t result = node.results_begin + i;
      add(static_cast<uint32_t>(used_[result]) << 1 |
          static_cast<uint32_t>(written_[result]));
    }
  }

  bool IsWritten(uint32_t old_value) const {
    return asks_for_written_ && written_[old_value];
  }

  // The type that a value of the input has in the module that is made.
  TypeId TypeNow(uint32_t old_value) const {
    // In place, values stay what they are.
    return out_graph_
        ->value_types[values_.empty() ? old_value : values_[old_value].index];
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
    SetWhatStays(form, new_form, call, plan);
    plan.form = tables_.InternForm(std::move(new_form));
    return plan;
  }

  void SetWhatStays(const CallForm& form, const CallForm& new_form,
                    const Call& call, NodePlan& plan) const {
    plan.keeps_operands = plan.sources.size() == form.num_operands();
    for (size_t i = 0; i < plan.sources.size(); ++i) {
      plan.keeps_operands &= plan.sources[i] == static_cast<int64_t>(i);
    }
    plan.keeps_results = plan.results.size() == form.result_types.size();
    for (size_t i = 0; i < plan.results.size() && plan.keeps_results; ++i) {
      plan.keeps_results = plan.results[i].first == static_cast<int>(i) &&
                           plan.results[i].second == form.result_types[i];
    }
    plan.needs_verifying =
        std::any_of(
            call.entry->results.begin(), call.entry->results.end(),
            [](const EntryResult& r) { return HasVariables(r.type); }) ||
        std::any_of(new_form.slots.begin(), new_form.slots.end(),
                    [&](const Slot& slot) {
                      return slot.argument == Slot::kVariadic ||
                             !IsPlainlyRight(
                                 call.arguments[slot.argument],
                                 call.entry->arguments[slot.argument].type);
                    });
  }

  // Whether it takes no look at the whole module to see that the operand fits.
  bool IsPlainlyRight(const CallArgument& given, const Type& type) const {
    if (given.state != CallArgument::State::kValue) return FixesLiterals(type);
    return given.type == type ||
           (type.kind() == TypeKind::kOptional && given.type == type.child());
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
      plan.refusals.push_back(
          {code, "", "",
           Concat("cannot be replaced by ", rewritten.graph_name, ": ", why)});
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
      return refuse(ReasonCode::kLimit, Concat("more than ", kMaxGraphDepth,
                                               " graphs stand in each other"));
    }
    // The call is at the graph's schema: its results are the body's.
    std::vector<bool> used;
    WrittenAround around;
    for (const CallResult& result : rewritten.call.results) {
      used.push_back(result.used);
      if (!result.used) continue;
      around.results.push_back(
          IsWritten(node.results_begin + static_cast<uint32_t>(result.source)));
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
    const WrittenVersions versions(instance->module);
    RewriteResult bound =
        Rewriter(instance->module, versions, call_rules_,
                 RulesFor(instance->module, versions, call_rules_), around,
                 depth_ + 1)
            .Run();
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
           Concat("becomes ", rewritten.graph_name, ": ", warning)});
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
      call.results.push_back(
          {in_.type(form.result_types[i]),
           rule.keeps_results || used_[node.results_begin + i] != 0,
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
        argument.written = IsWritten(old);
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

  struct LastPlan {
    std::vector<uint32_t> key;
    NodePlan* plan = nullptr;
  };

  const Module& in_;
  Module* const owned_;
  const std::vector<std::vector<NodeId>>* const doubtful_in_;
  CallRules& call_rules_;
  const WrittenVersions& versions_;
  const WrittenAround& around_;
  const int depth_;
  OutputTables tables_;
  ReasonCollector reasons_;
  ReasonCollector warnings_;
  std::vector<OperatorRule> rules_;  // by operator
  std::vector<FormId> passing_;      // by form; not valid: ask the rule
  // By form: whether its nodes pass and neither begin nor end a block, nor have
  // any; and how many nodes AddRow has added.
  std::vector<uint8_t> passes_in_rows_;
  std::vector<uint64_t> calls_in_rows_;
  bool all_pass_ = true;
  bool asks_for_used_ = false;
  bool asks_for_written_ = false;
  std::vector<uint32_t> num_operands_;  // by form
  CallCounts counts_;
  HashMap<std::vector<uint32_t>, std::unique_ptr<NodePlan>> plans_;
  std::vector<LastPlan> last_plans_;  // by form
  std::vector<uint32_t> key_;

  // Of the function being rewritten.
  const Function* function_ = nullptr;
  const Graph* out_graph_ = nullptr;
  GraphWriter* writer_ = nullptr;
  std::vector<ValueId> values_;  // by old value; empty: they stay
  // By old value; nothing if nobody asks.
  std::vector<bool> written_;
  std::vector<uint8_t> used_;
  size_t statement_ = 0;
  absl::optional<NewNames> new_names_;

  bool expanded_ = false;
  bool needs_verifying_ = false;
  // By function, of what is made: VerifyOptions::doubtful, unless any node may
  // be wrong.
  std::vector<std::vector<NodeId>> doubtful_;
  bool any_may_be_wrong_ = false;
  size_t num_plans_ = 0;  // in graphs
  // Reused.
  std::vector<ValueId> operand_values_;
  std::vector<uint32_t> used_results_;
  std::vector<StringId> names_;
};

}  // namespace

RewriteResult RewriteCalls(Module module, CallRules& rules,
                           const std::vector<std::vector<NodeId>>* doubtful) {
  const WrittenVersions versions(module);
  std::vector<OperatorRule> rules_of_operators =
      RulesFor(module, versions, rules);
  if (AllPass(module, rules_of_operators)) {
    RewriteResult result;
    result.report = PassAll(rules_of_operators, &module);
    result.module = std::move(module);
    return result;
  }
  return Rewriter(module, versions, rules, std::move(rules_of_operators),
                  WrittenAround(), 0, &module, doubtful)
      .Run();
}

}  // namespace opcompat
