#include "binding/reader_rules.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "base/concat.h"
#include "binding/bind_call.h"
#include "binding/call.h"
#include "binding/identity.h"
#include "binding/report.h"
#include "schema/typing.h"

namespace opcompat {
namespace {

// The operator of `opset` that has one of the entry's names, or null; `look_up`
// says among which. `*several` is set if different ones have.
const OperatorInfo* Find(
    const OperatorEntry& entry, const Opset& opset,
    const OperatorInfo* (Opset::*look_up)(absl::string_view) const,
    bool* several = nullptr) {
  const OperatorInfo* found = nullptr;
  for (const std::string& name : entry.names) {
    const OperatorInfo* info = (opset.*look_up)(name);
    if (info == nullptr) continue;
    if (found == nullptr) found = info;
    if (several != nullptr && info != found) *several = true;
  }
  return found;
}

// Whether binding leaves results as they are, used or not.
bool HaveSameResults(const OperatorEntry& a, const OperatorEntry& b) {
  return a.is_varret == b.is_varret &&
         std::equal(a.results.begin(), a.results.end(), b.results.begin(),
                    b.results.end(),
                    [](const EntryResult& x, const EntryResult& y) {
                      return x.type == y.type && !HasVariables(x.type);
                    });
}

// `torch 1.7.1`
std::string NameOf(const Opset& opset) {
  return Concat(opset.name(), " ", opset.version());
}

OperatorRule Refused(ReasonCode code, std::string text) {
  OperatorRule rule;
  rule.refusals.push_back({code, "", "", std::move(text)});
  return rule;
}

}  // namespace

// `aten::gelu (torch 2.6.0)`
std::string ReaderRules::Describe(const OperatorEntry& entry,
                                  const WrittenVersions& versions) const {
  const absl::string_view version = versions.Of(entry.history);
  return Concat(entry.name(), " (", entry.history, version.empty() ? "" : " ",
                version, ")");
}

OperatorRule ReaderRules::RuleFor(const OperatorEntryPtr& entry,
                                  const WrittenVersions& versions) {
  const Opset* opset = reader_.FindOpset(entry->history);
  if (opset == nullptr) return UnknownOperator(entry, opset);
  OperatorRule rule = RuleIn(*opset, entry, versions);
  // Of a call that passes as it is nothing is said.
  if (rule.same == nullptr) rule.reader_name = NameOf(*opset);
  return rule;
}

OperatorRule ReaderRules::RuleIn(const Opset& reader,
                                 const OperatorEntryPtr& entry,
                                 const WrittenVersions& versions) {
  const Opset* const opset = &reader;
  bool several = false;
  const OperatorInfo* info =
      Find(*entry, *opset, &Opset::FindByAnyName, &several);
  const OperatorInfo* removed = nullptr;
  if (info == nullptr) {
    removed = Find(*entry, *opset, &Opset::FindRemoved, &several);
    if (removed == nullptr) return RuleWithout(entry, *opset, nullptr);
    info = removed;
  }
  // Renames are one to one: two of the file's operators are not one of the
  // reader's, nor the reverse.
  if (!IsOneOperator(info, entry) || several) {
    return Refused(ReasonCode::kOtherHistory,
                   Concat("is one operator on one side and two on the "
                          "other, by the names of ",
                          info->current()->name(), " in ", opset->name(), " ",
                          opset->version()));
  }
  if (!info->fault.empty()) {
    return Refused(
        ReasonCode::kUnknownOperator,
        Concat("cannot be used in ", NameOf(*opset), ": ", info->fault));
  }
  const absl::string_view written = versions.Of(entry->history);
  if (opset->ContradictsVersion(written, *entry)) {
    return Refused(ReasonCode::kOtherHistory,
                   Concat("is not what ", NameOf(*opset),
                          " knows of it at version ", written,
                          ": the file was written with another history "
                          "of that name"));
  }
  if (removed != nullptr) return RuleWithout(entry, *opset, removed);
  if (entry->revision > info->revision()) {
    return RuleDown(entry, *opset, *info);
  }
  OperatorRule rule;
  if (entry == info->current()) {
    rule.same = entry;
    return rule;
  }
  auto steps = Steps(*info, *opset);
  const EntryPair& direct = steps->DirectPair(entry);
  const bool one_stage = entry->revision == info->revision();
  if (one_stage && direct.identical()) {
    rule.same = info->current();
    return rule;
  }
  if (one_stage) {
    rule.keeps_results = HaveSameResults(*entry, *info->current());
    for (size_t i = 0; i < entry->num_exposed(); ++i) {
      rule.passes_constants.push_back(direct.passes_constants(i));
      rule.passes_non_words.push_back(direct.passes_non_words(i));
    }
  }
  rule.rewrite = [steps](const Call& call, RewrittenCall* rewritten) {
    steps->BindUp(call, rewritten);
  };
  return rule;
}

bool ReaderRules::IsOneOperator(const OperatorInfo* info,
                                const OperatorEntryPtr& entry) {
  const auto [met, is_new] = file_entries_of_.try_emplace(info);
  Entries& entries = met->second;
  if (is_new) {
    entries.first = entry;
    return true;
  }
  if (entries.first == entry) return true;
  met_one_twice_ = true;
  // Two that share names with a third need not share one.
  if (entries.names.empty()) entries.names = entries.first->names;
  std::vector<std::string> common;
  for (const std::string& name : entries.names) {
    if (std::find(entry->names.begin(), entry->names.end(), name) !=
        entry->names.end())
      common.push_back(name);
  }
  if (common.empty()) return false;
  entries.names = std::move(common);
  return true;
}

OperatorRule ReaderRules::RuleWithout(const OperatorEntryPtr& entry,
                                      const Opset& opset,
                                      const OperatorInfo* removed) {
  const OperatorInfo* writer = WriterInfo(*entry);
  std::shared_ptr<StepBinder> down;
  if (writer != nullptr && writer->revision() >= entry->revision) {
    down = Steps(*writer, *options_.down_steps->FindOpset(entry->history));
  }
  const bool added =
      down != nullptr && writer->HasDowngraderFrom(entry->revision);
  std::shared_ptr<StepBinder> up;
  const uint32_t revision =
      removed == nullptr ? 0 : std::min(removed->revision(), entry->revision);
  const bool is_newer = entry->revision > revision;
  if (removed != nullptr && (!is_newer || down != nullptr) &&
      (removed->HasUpgraderFrom(revision) || (is_newer && added))) {
    up = Steps(*removed, opset);
  }
  if (up == nullptr && !added) return UnknownOperator(entry, &opset);
  OperatorRule rule;
  rule.rewrite = [up, down, added, revision](const Call& call,
                                             RewrittenCall* rewritten) {
    if (up != nullptr) {
      rewritten->call = call;
      if (call.entry->revision > revision) {
        down->BindDown(call, revision, rewritten);
      }
      if (rewritten->refusals.empty() && rewritten->graph == nullptr) {
        const Call known = std::move(rewritten->call);
        rewritten->call = Call();
        up->BindRemoved(known, rewritten);
      }
      if (rewritten->refusals.empty() || !added) return;
    }
    RewrittenCall other;
    down->BindAdded(call, &other);
    // If both refuse: whoever had something to say.
    const bool says_nothing =
        up == nullptr ||
        (rewritten->refusals.size() == 1 &&
         rewritten->refusals[0].code == ReasonCode::kUnknownOperator);
    if (other.refusals.empty() || says_nothing) {
      *rewritten = std::move(other);
    }
  };
  return rule;
}

OperatorRule ReaderRules::UnknownOperator(const OperatorEntryPtr& entry,
                                          const Opset* opset) {
  if (options_.keep_unknown_operators) {
    OperatorRule rule;
    rule.same = entry;
    return rule;
  }
  if (opset != nullptr) {
    const OperatorInfo* removed = Find(*entry, *opset, &Opset::FindRemoved);
    return Refused(
        ReasonCode::kUnknownOperator,
        Concat("is unknown to ", opset->name(), " ", opset->version(),
               removed != nullptr
                   ? Concat(RemovalText(*removed),
                            "; an upgrader, declared by the version that "
                            "removed it, would help")
               : options_.down_steps != nullptr
                   ? Concat(OriginText(entry->origin),
                            "; a downgrader, declared by the version that "
                            "added it, would help")
                   : OriginText(entry->origin)));
  }
  for (const Opset& other : reader_.opsets()) {
    if (other.FindByNamesOf(*entry) != nullptr) {
      return Refused(ReasonCode::kOtherHistory,
                     Concat("belongs to the history ", entry->history,
                            "; the reader has an operator of that "
                            "name in ",
                            other.name()));
    }
  }
  return Refused(
      ReasonCode::kUnknownOperator,
      Concat("is unknown: the reader has no history ", entry->history));
}

const OperatorInfo* ReaderRules::WriterInfo(const OperatorEntry& entry) const {
  const Opset* writer = options_.down_steps == nullptr
                            ? nullptr
                            : options_.down_steps->FindOpset(entry.history);
  if (writer == nullptr) return nullptr;
  // A step graph may call an operator that the writer has lost since.
  const OperatorInfo* info = writer->FindByNamesOf(entry);
  return info != nullptr ? info : Find(entry, *writer, &Opset::FindRemoved);
}

OperatorRule ReaderRules::RuleDown(const OperatorEntryPtr& entry,
                                   const Opset& opset,
                                   const OperatorInfo& info) {
  const std::string newer =
      Concat("is at revision ", entry->revision, "; ", opset.name(), " ",
             opset.version(), " knows it up to revision ", info.revision());
  if (options_.down_steps == nullptr) {
    return Refused(ReasonCode::kNewerRevision,
                   Concat(newer,
                          " (write for that version, or read with one "
                          "that knows the revision)"));
  }
  const OperatorInfo* writer_info = WriterInfo(*entry);
  if (writer_info == nullptr || writer_info->revision() < entry->revision) {
    return Refused(ReasonCode::kNewerRevision, newer);
  }
  auto down =
      Steps(*writer_info, *options_.down_steps->FindOpset(entry->history));
  auto last = Steps(info, opset);
  OperatorRule rule;
  const uint32_t revision = info.revision();
  rule.rewrite = [down, last, revision, newer](const Call& call,
                                               RewrittenCall* rewritten) {
    down->BindDown(call, revision, rewritten);
    if (!rewritten->refusals.empty()) {
      rewritten->call = Call();
      for (Refusal& refusal : rewritten->refusals) {
        refusal.text = Concat(newer, "; it ", refusal.text);
      }
      return;
    }
    if (rewritten->graph != nullptr) return;
    const Call lowered = std::move(rewritten->call);
    rewritten->call = Call();
    last->BindUp(lowered, rewritten);
  };
  return rule;
}

std::shared_ptr<StepBinder> ReaderRules::Steps(const OperatorInfo& info,
                                               const Opset& opset) {
  std::shared_ptr<StepBinder>& steps = steps_[&info];
  if (steps == nullptr) steps = std::make_shared<StepBinder>(info, opset);
  return steps;
}

void ReaderRules::SetOpsets(Module* module) const {
  std::vector<OpsetVersion> opsets;
  // A file may name one opset by its name and by an alias, and any number of
  // others.
  std::set<std::pair<absl::string_view, absl::string_view>> named;
  const auto add = [&](absl::string_view name, absl::string_view version) {
    if (named.emplace(name, version).second) {
      opsets.push_back({std::string(name), std::string(version)});
    }
  };
  for (const OpsetVersion& opset : module->opsets) {
    const Opset* known = reader_.FindOpset(opset.name);
    if (known != nullptr) {
      add(known->name(), known->version());
    } else if (options_.keep_unknown_operators) {
      add(opset.name, opset.version);
    }
  }
  // What a file calls need not be named in its header; nor what a step calls.
  for (const ModuleOperator& op : module->operators) {
    if (op.entry == nullptr) continue;
    const Opset* opset = nullptr;
    if (reader_.Find(op.entry->name(), &opset) != nullptr) {
      add(opset->name(), opset->version());
    }
  }
  module->opsets = std::move(opsets);
}

}  // namespace opcompat
