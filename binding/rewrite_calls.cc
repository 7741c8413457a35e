#include "binding/rewrite_calls.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "binding/call.h"
#include "binding/reason_collector.h"
#include "binding/report.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/type.h"
#include "schema/typing.h"
#include "schema/value.h"

namespace opcompat {
namespace {

// The tables of the module that comes out: those of the one that went in, and
// what is added.
class Tables {
 public:
  explicit Tables(const Module& in) {
    out_.opsets = in.opsets;
    out_.metadata = in.metadata;
    out_.attributes = in.attributes;
    out_.tensors = in.tensors;
    out_.strings = in.strings;
    out_.types = in.types;
    out_.constants = in.constants;
    for (uint32_t i = 0; i < out_.types.size(); ++i) {
      types_.emplace(out_.types[i], i);
    }
  }

  TypeId InternType(const Type& type) {
    const auto [it, is_new] =
        types_.emplace(type, static_cast<uint32_t>(out_.types.size()));
    if (is_new) out_.types.push_back(type);
    return TypeId(it->second);
  }

  ConstantId InternConstant(const Value& value) {
    if (constants_.empty()) {
      for (uint32_t i = 0; i < out_.constants.size(); ++i) {
        constants_.emplace(out_.constants[i], i);
      }
    }
    const auto [it, is_new] =
        constants_.emplace(value, static_cast<uint32_t>(out_.constants.size()));
    if (is_new) out_.constants.push_back(value);
    return ConstantId(it->second);
  }

  OperatorId InternOperator(const ModuleOperator& op) {
    const std::pair<const OperatorEntry*, Intrinsic> key(op.entry.get(),
                                                         op.intrinsic);
    const auto [it, is_new] =
        operators_.emplace(key, static_cast<uint32_t>(out_.operators.size()));
    if (is_new) out_.operators.push_back(op);
    return OperatorId(it->second);
  }

  FormId InternForm(CallForm form) {
    std::string key;
    const auto add = [&key](uint32_t word) {
      key.append(reinterpret_cast<const char*>(&word), sizeof word);
    };
    add(form.op.index);
    add(static_cast<uint32_t>(form.slots.size()));
    for (const Slot& slot : form.slots) {
      add(slot.argument);
      add(slot.is_constant);
    }
    add(static_cast<uint32_t>(form.attribute_names.size()));
    for (const StringId name : form.attribute_names) add(name.index);
    for (const TypeId type : form.result_types) add(type.index);
    add(form.num_blocks);
    const auto [it, is_new] = forms_.emplace(
        std::move(key), static_cast<uint32_t>(out_.forms.size()));
    if (is_new) out_.forms.push_back(std::move(form));
    return FormId(it->second);
  }

  Module& out() { return out_; }
  const Module& out() const { return out_; }

 private:
  Module out_;
  absl::flat_hash_map<Type, uint32_t> types_;
  absl::flat_hash_map<Value, uint32_t> constants_;
  absl::flat_hash_map<std::pair<const OperatorEntry*, Intrinsic>, uint32_t>
      operators_;
  absl::flat_hash_map<std::string, uint32_t> forms_;
};

// What becomes of the nodes of one shape.
struct NodePlan {
  std::vector<Refusal> refusals;
  FormId form;
  // The operands of the new node: an operand of the old one (>= 0), or a
  // constant (~index).
  std::vector<int64_t> sources;
  // By old result: whether the new node has it.
  std::vector<bool> keeps_result;
  std::vector<TypeId> result_types;
  CallNotes notes;
};

// Values to which something may write: operands at written arguments and,
// since they may be written through another name, what is stored, yielded,
// or given to other functions.
std::vector<bool> WrittenValues(const Module& module, const Graph& graph) {
  std::vector<bool> written(graph.num_values(), false);
  for (const Node& node : graph.nodes) {
    const CallForm& form = module.form(node);
    const ModuleOperator& op = module.op(form.op);
    const bool escapes =
        op.intrinsic == Intrinsic::kSetAttr ||
        op.intrinsic == Intrinsic::kCallMethod ||
        op.intrinsic == Intrinsic::kCallFunction ||
        op.intrinsic == Intrinsic::kLoop ||
        op.intrinsic == Intrinsic::kListConstruct ||
        op.intrinsic == Intrinsic::kTupleConstruct ||
        op.intrinsic == Intrinsic::kDictConstruct ||
        (op.intrinsic == Intrinsic::kReturn && &node != &graph.nodes.back());
    const absl::Span<const Operand> operands = module.operands(graph, node);
    for (size_t i = 0; i < form.slots.size(); ++i) {
      if (!operands[i].is_value()) continue;
      const uint32_t argument = form.slots[i].argument;
      if (escapes || (op.entry != nullptr && argument != Slot::kVariadic &&
                      op.entry->arguments[argument].is_written())) {
        written[operands[i].value().index] = true;
      }
    }
  }
  return written;
}

class Rewriter {
 public:
  Rewriter(const Module& in,
           const std::function<OperatorRule(const OperatorEntryPtr&)>& rule_for,
           const std::function<std::string(const OperatorEntry&)>& describe)
      : in_(in), tables_(in), reasons_(describe), warnings_(describe) {
    for (const ModuleOperator& op : in.operators) {
      rules_.push_back(op.entry == nullptr ? OperatorRule()
                                           : rule_for(op.entry));
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
    reports_.resize(in.operators.size());
  }

  RewriteResult Run() {
    for (const Function& function : in_.functions) RewriteFunction(function);
    RewriteResult result;
    result.reasons = std::move(reasons_).Take();
    if (!result.reasons.empty()) return result;
    result.module = std::move(tables_.out());
    FillReport(&result.report);
    return result;
  }

 private:
  void RewriteFunction(const Function& function) {
    const Graph& graph = function.graph;
    Function out_function;
    out_function.name = function.name;
    out_function.result_types = function.result_types;
    Graph& out = out_function.graph;
    out.blocks = graph.blocks;
    out.node_locations = graph.node_locations;
    out.nodes.reserve(graph.nodes.size());
    out.operands.reserve(graph.operands.size());
    out.value_types.reserve(graph.num_values());
    out.value_nodes.reserve(graph.num_values());

    function_ = &function;
    values_.assign(graph.num_values(), ValueId());
    written_ = WrittenValues(in_, graph);
    used_.assign(graph.num_values(), false);
    for (const Operand operand : graph.operands) {
      if (operand.is_value()) used_[operand.value().index] = true;
    }
    statement_ = 0;
    for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
      const Node& node = graph.nodes[i];
      const Intrinsic intrinsic = in_.intrinsic(node);
      RewriteNode(node, NodeId(i), out);
      if (intrinsic != Intrinsic::kParam && intrinsic != Intrinsic::kReturn) {
        ++statement_;
      }
    }
    tables_.out().functions.push_back(std::move(out_function));
  }

  void RewriteNode(const Node& node, NodeId id, Graph& out) {
    const Graph& graph = function_->graph;
    const CallForm& form = in_.form(node);
    const absl::Span<const Operand> operands = in_.operands(graph, node);
    Node out_node = node;
    out_node.operands_begin = static_cast<uint32_t>(out.operands.size());
    out_node.results_begin = static_cast<uint32_t>(out.num_values());

    OperatorReport& report = reports_[form.op.index];
    ++report.calls;
    const FormId passing = passing_[node.form.index];
    if (passing.valid()) {
      ++report.identical;
      out_node.form = passing;
      for (const Operand operand : operands) {
        out.operands.push_back(Mapped(operand));
      }
      for (uint32_t i = 0; i < form.result_types.size(); ++i) {
        AddResult(node.results_begin + i, form.result_types[i], id, out);
      }
      out.nodes.push_back(out_node);
      return;
    }

    const NodePlan& plan = PlanFor(node, out);
    if (!plan.refusals.empty()) {
      const OperatorEntry& entry = *in_.op(form.op).entry;
      for (const Refusal& refusal : plan.refusals) {
        reasons_.Add(refusal, entry, function_->name,
                     [&] { return Place(node, id); });
      }
      // What follows is bound too, for its own reasons; that the results are
      // still there keeps it from reporting this one again.
      for (uint32_t i = 0; i < form.result_types.size(); ++i) {
        AddResult(node.results_begin + i, form.result_types[i], id, out);
      }
      return;
    }
    Count(plan.notes, report);
    for (const Refusal& warning : plan.notes.warnings) {
      warnings_.Add(warning, *in_.op(form.op).entry, function_->name,
                    [&] { return Place(node, id); });
    }
    out_node.form = plan.form;
    for (const int64_t source : plan.sources) {
      out.operands.push_back(
          source >= 0 ? Mapped(operands[static_cast<size_t>(source)])
                      : Operand(ConstantId(static_cast<uint32_t>(~source))));
    }
    for (size_t i = 0; i < plan.keeps_result.size(); ++i) {
      if (plan.keeps_result[i]) {
        AddResult(node.results_begin + static_cast<uint32_t>(i),
                  plan.result_types[i], id, out);
      }
    }
    for (size_t i = plan.keeps_result.size(); i < plan.result_types.size();
         ++i) {
      AddResult(Id<struct ValueTag>::kNoIndex, plan.result_types[i], id, out);
    }
    out.nodes.push_back(out_node);
  }

  // `old_value`: the value of the input that it replaces, or kNoIndex.
  void AddResult(uint32_t old_value, TypeId type, NodeId node, Graph& out) {
    const Graph& graph = function_->graph;
    const ValueId value(static_cast<uint32_t>(out.num_values()));
    out.value_types.push_back(type);
    out.value_nodes.push_back(node);
    const bool is_old = old_value != ValueId::kNoIndex;
    if (is_old) values_[old_value] = value;
    if (!graph.value_names.empty()) {
      out.value_names.push_back(is_old ? graph.value_names[old_value]
                                       : StringId());
    }
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
    if (!graph.node_locations.empty() &&
        graph.node_locations[id.index].valid()) {
      location = in_.string(graph.node_locations[id.index]);
    }
    return {std::move(name), std::move(location)};
  }

  // The shape of `node`: all that its plan depends on.
  const NodePlan& PlanFor(const Node& node, const Graph& out) {
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
        add(out.value_types[values_[old].index].index << 1 |
            static_cast<uint32_t>(written_[old]));
      } else if (!Passes(rule, slot)) {
        add(operands[i].constant().index);
      }
    }
    for (uint32_t i = 0; i < form.result_types.size(); ++i) {
      add(used_[node.results_begin + i]);
    }
    std::unique_ptr<NodePlan>& plan = plans_[key_];
    if (plan == nullptr) plan = std::make_unique<NodePlan>(Plan(node, out));
    return *plan;
  }

  static bool Passes(const OperatorRule& rule, const Slot& slot) {
    return slot.argument < rule.passes_constants.size() &&
           rule.passes_constants[slot.argument];
  }

  NodePlan Plan(const Node& node, const Graph& out) {
    NodePlan plan;
    const CallForm& form = in_.form(node);
    const OperatorRule& rule = rules_[form.op.index];
    if (!rule.refusals.empty()) {
      plan.refusals = rule.refusals;
      return plan;
    }
    RewrittenCall rewritten;
    rule.rewrite(MakeCall(node, out), &rewritten);
    plan.refusals = std::move(rewritten.refusals);
    // Every reason at once: results too, if it is known against what.
    if (rewritten.call.entry != nullptr) PlanResults(node, rewritten, plan);
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
    new_form.result_types = plan.result_types;
    // Results that are gone leave no type.
    for (size_t i = plan.keeps_result.size(); i-- > 0;) {
      if (!plan.keeps_result[i]) {
        new_form.result_types.erase(new_form.result_types.begin() +
                                    static_cast<std::ptrdiff_t>(i));
      }
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
    plan.keeps_result.assign(form.result_types.size(), true);
    plan.result_types = form.result_types;
    return plan;
  }

  Call MakeCall(const Node& node, const Graph& out) const {
    const CallForm& form = in_.form(node);
    const OperatorRule& rule = rules_[form.op.index];
    const absl::Span<const Operand> operands =
        in_.operands(function_->graph, node);
    Call call;
    call.entry = in_.op(form.op).entry;
    call.arguments.resize(call.entry->num_exposed());
    for (size_t i = 0; i < form.slots.size(); ++i) {
      const Slot& slot = form.slots[i];
      CallArgument argument;
      argument.source = static_cast<int>(i);
      if (operands[i].is_value()) {
        const uint32_t old = operands[i].value().index;
        argument.state = CallArgument::State::kValue;
        argument.type = tables_.out().type(out.value_types[values_[old].index]);
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

  // Results go by position: a used one must be there, with a subtype of what
  // the writer declared.
  void PlanResults(const Node& node, const RewrittenCall& rewritten,
                   NodePlan& plan) {
    const CallForm& form = in_.form(node);
    const OperatorEntry& writer = *in_.op(form.op).entry;
    const OperatorEntry& reader = *rewritten.call.entry;
    const size_t num_old = form.result_types.size();
    plan.keeps_result.assign(num_old, true);
    plan.result_types = form.result_types;
    if (reader.is_varret || writer.is_varret) {
      if (reader.is_varret != writer.is_varret) {
        AddRefusal({ReasonCode::kMissingResult, "", "",
                    "has any number of results (`...`) on one side only"},
                   &plan.refusals);
      }
      return;
    }
    for (size_t i = 0; i < std::max(num_old, reader.results.size()); ++i) {
      const bool used =
          i < num_old && used_[node.results_begin + static_cast<uint32_t>(i)];
      if (i >= reader.results.size()) {
        plan.keeps_result[i] = false;
        if (used) {
          AddRefusal(
              {ReasonCode::kMissingResult, "", "",
               absl::StrCat("result ", i, " is used, but the reader has ",
                            reader.results.size(), " results only")},
              &plan.refusals);
        }
        continue;
      }
      const Type type = Substitute(reader.results[i].type, rewritten.variables);
      if (i >= num_old) {
        plan.result_types.push_back(tables_.InternType(type));
        continue;
      }
      if (i < writer.results.size() &&
          reader.results[i].type == writer.results[i].type) {
        continue;  // as the node declares it
      }
      const Type& declared = in_.type(form.result_types[i]);
      if (used && i < writer.results.size() &&
          !IsSubtype(type, writer.results[i].type) &&
          !IsSubtype(type, declared)) {
        AddRefusal(
            {ReasonCode::kTypeMismatch, "", "",
             absl::StrCat("result ", i, " is used and has type ",
                          type.ToString(), " for the reader, where ",
                          writer.results[i].type.ToString(), " was written")},
            &plan.refusals);
        continue;
      }
      if (!IsSubtype(declared, type)) {
        plan.result_types[i] = tables_.InternType(type);
      }
    }
  }

  static void Count(const CallNotes& notes, OperatorReport& report) {
    report.filled += notes.filled;
    report.materialized += notes.materialized;
    report.dropped += notes.dropped;
    report.retired += notes.retired;
    report.renamed += notes.renamed;
    report.upgraded += notes.stepped;
  }

  void FillReport(LoadReport* report) {
    std::map<std::string, OperatorReport> by_name;
    for (size_t i = 0; i < reports_.size(); ++i) {
      const OperatorReport& from = reports_[i];
      const OperatorEntryPtr& entry = in_.operators[i].entry;
      if (entry == nullptr || from.calls == 0) continue;
      OperatorReport& to = by_name[entry->name()];
      to.op = entry->name();
      to.calls += from.calls;
      to.identical += from.identical;
      to.filled += from.filled;
      to.materialized += from.materialized;
      to.dropped += from.dropped;
      to.retired += from.retired;
      to.renamed += from.renamed;
      to.upgraded += from.upgraded;
    }
    for (auto& [name, entry] : by_name) {
      report->operators.push_back(std::move(entry));
    }
    for (Reason& warning : std::move(warnings_).Take()) {
      report->warnings.push_back(std::move(warning.message));
    }
  }

  const Module& in_;
  Tables tables_;
  ReasonCollector reasons_;
  ReasonCollector warnings_;
  std::vector<OperatorRule> rules_;      // by operator
  std::vector<FormId> passing_;          // by form; not valid: ask the rule
  std::vector<OperatorReport> reports_;  // by operator
  absl::flat_hash_map<std::string, std::unique_ptr<NodePlan>> plans_;
  std::string key_;

  // Of the function being rewritten.
  const Function* function_ = nullptr;
  std::vector<ValueId> values_;  // by old value
  std::vector<bool> written_;
  std::vector<bool> used_;
  size_t statement_ = 0;
};

}  // namespace

RewriteResult RewriteCalls(
    const Module& module,
    const std::function<OperatorRule(const OperatorEntryPtr&)>& rule_for,
    const std::function<std::string(const OperatorEntry&)>& describe) {
  return Rewriter(module, rule_for, describe).Run();
}

}  // namespace opcompat
