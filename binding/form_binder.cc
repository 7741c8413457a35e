#include "binding/form_binder.h"

#include <utility>

#include "binding/call_counts.h"
#include "binding/reader_rules.h"
#include "binding/written_operands.h"
#include "binding/written_versions.h"
#include "ir/plain_calls.h"
#include "schema/typing.h"

namespace opcompat {

FormBinder::FormBinder(const Runtime& reader, const BindOptions& options,
                       const std::vector<OperatorEntryPtr>& entries,
                       const Module& header)
    : entries_(entries), reader_rules_(reader, options) {
  const WrittenVersions versions(header);
  rules_.reserve(entries.size());
  for (const OperatorEntryPtr& entry : entries) {
    rules_.push_back(reader_rules_.RuleFor(entry, versions));
    const OperatorRule& rule = rules_.back();
    may_bind_ = may_bind_ && (rule.same != nullptr ||
                              (rule.refusals.empty() && rule.keeps_results));
    // Which of several are called decides whether they are one operator.
    may_bind_ = may_bind_ && !reader_rules_.met_one_twice();
    if (!may_bind_) return;
  }
}

absl::optional<BoundForm> FormBinder::Bind(
    size_t i, absl::Span<const Given> given,
    absl::Span<const Type* const> results) const {
  const OperatorRule& rule = rules_[i];
  const OperatorEntry& writer = *entries_[i];
  Call call;
  call.entry = entries_[i];
  call.arguments.resize(writer.num_exposed());
  size_t num_known = 0;
  for (size_t k = 0; k < given.size(); ++k) {
    const uint32_t a = given[k].slot.argument;
    if (a == Slot::kVariadic) return absl::nullopt;
    CallArgument& argument = call.arguments[a];
    argument.source = static_cast<int>(k);
    if (given[k].slot.is_constant) {
      // What is written, or depends on its value, is for others.
      if (!writer.arguments[a].alias.empty()) return absl::nullopt;
      if (rule.passes_non_words[a]) {
        argument.state = CallArgument::State::kPassedConstant;
        continue;
      }
      if (!given[k].constant.has_value()) return absl::nullopt;
      argument.state = CallArgument::State::kConstant;
      argument.constant = *given[k].constant;
      ++num_known;
      continue;
    }
    // Whether a container is written depends on the graph.
    if (MayBeContainer(writer.arguments[a].type)) return absl::nullopt;
    argument.state = CallArgument::State::kValue;
    argument.type = *given[k].type;
  }
  call.results.reserve(results.size());
  for (size_t r = 0; r < results.size(); ++r) {
    call.results.push_back({*results[r], true, static_cast<int>(r)});
  }

  RewrittenCall rewritten;
  rule.rewrite(call, &rewritten);
  if (!rewritten.refusals.empty() || rewritten.graph != nullptr ||
      !rewritten.notes.warnings.empty() || !rewritten.call.variadic.empty() ||
      rewritten.call.results.size() != results.size()) {
    return absl::nullopt;
  }
  for (size_t r = 0; r < results.size(); ++r) {
    const CallResult& result = rewritten.call.results[r];
    if (result.source != static_cast<int>(r) || result.type != *results[r] ||
        HasVariables(rewritten.call.entry->results[r].type)) {
      return absl::nullopt;
    }
  }
  BoundForm bound;
  bound.entry = rewritten.call.entry;
  bound.slots.reserve(rewritten.call.arguments.size());
  size_t num_kept = 0;
  for (uint32_t a = 0; a < rewritten.call.arguments.size(); ++a) {
    CallArgument& argument = rewritten.call.arguments[a];
    const Type& type = bound.entry->arguments[a].type;
    switch (argument.state) {
      case CallArgument::State::kLeftOut:
        continue;
      case CallArgument::State::kConstant:
        bound.sources.push_back(~static_cast<int64_t>(bound.constants.size()));
        bound.constants.push_back(std::move(argument.constant));
        break;
      case CallArgument::State::kPassedConstant:
      case CallArgument::State::kValue:
        bound.sources.push_back(argument.source);
        ++num_kept;
        break;
    }
    const bool is_value = argument.state == CallArgument::State::kValue;
    // Else it takes a look at the whole module to see that the call is right.
    if (is_value ? !IsPlainValue(argument.type, type) : !FixesLiterals(type)) {
      return absl::nullopt;
    }
    bound.slots.push_back({a, !is_value});
  }
  if (num_kept + num_known != given.size()) return absl::nullopt;
  bound.notes = std::move(rewritten.notes);
  return bound;
}

LoadReport FormBinder::Report(absl::Span<const FormCalls> calls) const {
  CallCounts counts(entries_.size());
  for (const FormCalls& form : calls) {
    const OperatorId op(static_cast<uint32_t>(form.entry));
    if (form.notes == nullptr) {
      counts.CountIdentical(op, form.calls);
    } else {
      counts.Count(op, *form.notes, form.calls);
    }
  }
  std::vector<ModuleOperator> operators;
  for (const OperatorEntryPtr& entry : entries_) {
    operators.push_back({entry, Intrinsic::kNone});
  }
  LoadReport report;
  counts.Fill(operators, &report);
  return report;
}

}  // namespace opcompat
