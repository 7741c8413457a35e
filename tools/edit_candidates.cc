#include "tools/edit_candidates.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "binding/report.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"
#include "schema/typing.h"
#include "schema/value.h"
#include "tools/edit_calls.h"
#include "tools/reader_edit.h"

namespace opcompat {
namespace {

// Long values are cut in texts for people.
constexpr size_t kMaxValueBytes = 30;

const OperatorInfo* FindInfo(const OperatorEntry& entry,
                             const Runtime* runtime) {
  const Opset* opset =
      runtime == nullptr ? nullptr : runtime->FindOpset(entry.history);
  return opset == nullptr ? nullptr : opset->FindByNamesOf(entry);
}

// The module's entries of the operator that a reason names.
std::vector<OperatorEntryPtr> EntriesOf(const Module& module,
                                        const std::string& op) {
  std::vector<OperatorEntryPtr> entries;
  for (const ModuleOperator& candidate : module.operators) {
    if (candidate.entry != nullptr && candidate.entry->name() == op) {
      entries.push_back(candidate.entry);
    }
  }
  return entries;
}

bool ShareName(const EntryArgument& a, const EntryArgument& b) {
  return std::find_first_of(a.names.begin(), a.names.end(), b.names.begin(),
                            b.names.end()) != a.names.end();
}

// The values that are worth trying at argument `index` of `entry`, at its type.
std::vector<Value> ValuesToTry(const OperatorEntry& entry, size_t index,
                               const Runtime& reader) {
  const EntryArgument& argument = entry.arguments[index];
  std::vector<Value> values;
  const auto add = [&](const absl::optional<Value>& value) {
    if (!value.has_value()) return;
    absl::StatusOr<Value> fitted = CoerceLiteral(*value, argument.type);
    if (fitted.ok() &&
        std::find(values.begin(), values.end(), *fitted) == values.end()) {
      values.push_back(*std::move(fitted));
    }
  };
  if (argument.neutral.has_value()) add(argument.neutral->value);
  const OperatorInfo* info = FindInfo(entry, &reader);
  if (info != nullptr) {
    for (const EntryArgument& other : info->current()->arguments) {
      if (!ShareName(argument, other)) continue;
      if (other.retired.has_value()) add(other.retired->value);
      add(other.default_value);
    }
  }
  add(argument.default_value);
  return values;
}

std::string Assignment(const std::string& name, const Value& value) {
  return absl::StrCat(name, "=", value.ToShortString(kMaxValueBytes));
}

std::string Shortened(const std::string& text) {
  if (text.size() <= kMaxValueBytes) return text;
  return absl::StrCat(text.substr(0, kMaxValueBytes), "...");
}

std::vector<EditCandidate> ArgumentCandidates(const OperatorEntry& entry,
                                              size_t index,
                                              const Runtime& reader,
                                              const Reason& reason) {
  const EntryArgument& argument = entry.arguments[index];
  std::vector<EditCandidate> candidates;
  if (argument.is_written()) return candidates;
  const bool is_default =
      argument.default_value.has_value() &&
      argument.default_value->ToShortString() == reason.value;
  for (const Value& value : ValuesToTry(entry, index, reader)) {
    if (value.ToShortString() == reason.value) continue;
    EditCandidate candidate;
    CallEdit edit{entry.name(), reason.argument, reason.value, value, 0};
    if (argument.default_value == value) {
      edit.new_value = absl::nullopt;
      candidate.kind = ReaderEdit::Kind::kLeaveOut;
      candidate.what = reason.value.empty()
                           ? absl::StrCat("leave out ", reason.argument,
                                          ", which is computed")
                           : absl::StrCat("leave out ", reason.argument, "=",
                                          Shortened(reason.value));
    } else {
      candidate.new_value = value.ToShortString();
      candidate.what = absl::StrCat(
          "pass ", Assignment(reason.argument, value), " instead of ",
          reason.value.empty() ? "a computed value" : Shortened(reason.value),
          is_default ? ", its default" : "");
    }
    candidate.edits.push_back(std::move(edit));
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

// What the `choice`-th alternative of each step asks of calls of `entry`;
// empty: it cannot be had.
std::vector<CallEdit> ConditionEdits(
    const OperatorEntry& entry, const std::vector<const RevisionStep*>& steps,
    size_t choice, std::vector<std::string>* assignments) {
  std::vector<CallEdit> edits;
  for (const RevisionStep* step : steps) {
    if (step->unchanged_when.empty()) return {};
    const StepConditions& conditions =
        step->unchanged_when[std::min(choice, step->unchanged_when.size() - 1)];
    for (const StepCondition& condition : conditions) {
      const absl::optional<size_t> index =
          FindArgument(entry, condition.argument);
      if (!index.has_value() || condition.one_of.empty()) return {};
      const EntryArgument& argument = entry.arguments[*index];
      const absl::StatusOr<Value> value =
          CoerceLiteral(condition.one_of[0].value, argument.type);
      if (!value.ok()) return {};
      edits.push_back({entry.name(), argument.name(), absl::nullopt, *value,
                       entry.revision});
      assignments->push_back(Assignment(argument.name(), *value));
    }
  }
  return edits;
}

std::vector<EditCandidate> RevisionCandidates(const OperatorEntry& entry,
                                              const Runtime* writer,
                                              const Runtime& reader) {
  const OperatorInfo* reader_info = FindInfo(entry, &reader);
  if (reader_info == nullptr) return {};
  const uint32_t low = std::min(entry.revision, reader_info->revision());
  const uint32_t high = std::max(entry.revision, reader_info->revision());
  // Only the newer side knows the steps.
  const OperatorInfo* info = entry.revision > reader_info->revision()
                                 ? FindInfo(entry, writer)
                                 : reader_info;
  if (info == nullptr || info->revision() < high) return {};
  std::vector<const RevisionStep*> steps;
  size_t choices = 0;
  for (uint32_t revision = low + 1; revision <= high; ++revision) {
    steps.push_back(info->revisions[revision - 1].step.get());
    choices = std::max(choices, steps.back()->unchanged_when.size());
  }
  std::vector<EditCandidate> candidates;
  for (size_t choice = 0; choice < choices; ++choice) {
    std::vector<std::string> assignments;
    EditCandidate candidate;
    candidate.edits = ConditionEdits(entry, steps, choice, &assignments);
    if (candidate.edits.empty()) continue;
    if (candidate.edits.size() == 1) {
      candidate.argument = candidate.edits[0].argument;
      candidate.new_value = candidate.edits[0].new_value->ToShortString();
    }
    candidate.what = absl::StrCat("pass ", absl::StrJoin(assignments, ", "));
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

// The reader's version of the entry's history: `torch 1.7.1`.
std::string VersionOf(const OperatorEntry* entry, const Runtime& reader) {
  const Opset* opset =
      entry == nullptr ? nullptr : reader.FindOpset(entry->history);
  return opset == nullptr ? "the reader"
                          : absl::StrCat(opset->name(), " ", opset->version());
}

// The type that the reader's argument of that name has; empty: none.
std::string TypeThere(const OperatorEntry* entry, const Runtime& reader,
                      const std::string& name) {
  const OperatorInfo* info =
      entry == nullptr ? nullptr : FindInfo(*entry, &reader);
  if (info == nullptr) return "";
  const absl::optional<size_t> index = FindArgument(*entry, name);
  const std::vector<std::string> names = index.has_value()
                                             ? entry->arguments[*index].names
                                             : std::vector<std::string>{name};
  for (const std::string& any : names) {
    const absl::optional<size_t> there = FindArgument(*info->current(), any);
    if (there.has_value()) {
      return info->current()->arguments[*there].type.ToString();
    }
  }
  return "";
}

}  // namespace

std::vector<EditCandidate> EditCandidates(const Module& module,
                                          const Runtime* writer,
                                          const Runtime& reader,
                                          const Reason& reason) {
  for (const OperatorEntryPtr& entry : EntriesOf(module, reason.op)) {
    std::vector<EditCandidate> candidates;
    switch (reason.code) {
      case ReasonCode::kUnknownArgument:
      case ReasonCode::kNoNeutralValue:
      case ReasonCode::kRetiredArgument:
      case ReasonCode::kValueDoesNotFit: {
        const absl::optional<size_t> index =
            FindArgument(*entry, reason.argument);
        if (index.has_value()) {
          candidates = ArgumentCandidates(*entry, *index, reader, reason);
        }
        break;
      }
      case ReasonCode::kNewerRevision:
      case ReasonCode::kNoUpgrader:
      case ReasonCode::kNoDowngrader:
        candidates = RevisionCandidates(*entry, writer, reader);
        break;
      default:
        break;
    }
    if (!candidates.empty()) return candidates;
  }
  return {};
}

ReaderEdit UncheckedEdit(const Module& module, const Runtime& reader,
                         const Reason& reason) {
  ReaderEdit edit;
  edit.op = reason.op;
  edit.argument = reason.argument;
  edit.value = reason.value;
  edit.function = reason.function;
  edit.node = reason.node;
  edit.location = reason.location;
  const std::vector<OperatorEntryPtr> entries = EntriesOf(module, reason.op);
  const OperatorEntry* entry = entries.empty() ? nullptr : entries[0].get();
  const std::string version = VersionOf(entry, reader);
  switch (reason.code) {
    case ReasonCode::kUnknownOperator:
      edit.kind = ReaderEdit::Kind::kReplace;
      edit.what = absl::StrCat("call what ", version, " has instead");
      break;
    case ReasonCode::kNewerRevision:
    case ReasonCode::kNoUpgrader:
    case ReasonCode::kNoDowngrader:
      edit.kind = ReaderEdit::Kind::kReplace;
      edit.what =
          absl::StrCat("call what means the same in ", version, " instead");
      break;
    case ReasonCode::kMissingResult:
      edit.kind = ReaderEdit::Kind::kResult;
      edit.what = absl::StrCat("use only the results that ", version, " has");
      break;
    case ReasonCode::kNoNeutralValue:
      edit.kind = ReaderEdit::Kind::kDeclare;
      edit.what = absl::StrCat("declare in the history which value of ",
                               reason.argument, " is meant");
      break;
    case ReasonCode::kAliasChanged:
      edit.kind = ReaderEdit::Kind::kDeclare;
      edit.what = "declare annotation_fixed, if only the marks were wrong";
      break;
    case ReasonCode::kOtherHistory:
      edit.kind = ReaderEdit::Kind::kDeclare;
      edit.what = "read it with the history that it was written with";
      break;
    default:
      if (reason.argument.empty()) {
        edit.what = absl::StrCat("call it as ", version, " has it");
        break;
      }
      const std::string type = TypeThere(entry, reader, reason.argument);
      edit.what = absl::StrCat("pass ", reason.argument, " as ",
                               type.empty() ? "something" : type, ", which ",
                               version, " takes");
      break;
  }
  return edit;
}

}  // namespace opcompat
