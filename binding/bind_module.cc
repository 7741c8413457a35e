#include "binding/bind_module.h"

#include <algorithm>
#include <cstdint>
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
#include "binding/bind_call.h"
#include "binding/call.h"
#include "binding/identity.h"
#include "binding/operator_rule.h"
#include "binding/report.h"
#include "binding/rewrite_calls.h"
#include "binding/steps.h"
#include "ir/canonicalize.h"
#include "ir/module.h"
#include "ir/surely_canonical.h"
#include "ir/verifier.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"
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

class Binder : public CallRules {
 public:
  Binder(const Runtime& reader, const BindOptions& options)
      : reader_(reader), options_(options) {}

  BindResult Run(Module module) {
    RewriteResult rewritten = RewriteCalls(std::move(module), *this);
    BindResult result;
    result.num_plans = rewritten.num_plans;
    result.reasons = std::move(rewritten.reasons);
    if (!result.reasons.empty()) return result;
    result.module = std::move(rewritten.module);
    result.report = std::move(rewritten.report);
    SetOpsets(&result.module);
    absl::Status status;
    if (rewritten.needs_verifying) {
      VerifyOptions verify;
      verify.columns_are_sound = true;
      status = Verify(result.module, verify);
    }
    if (status.ok() && rewritten.expanded &&
        !IsSurelyCanonical(result.module)) {
      // What graphs returned may be constants.
      absl::StatusOr<Module> canonical = Canonicalize(result.module);
      if (canonical.ok()) {
        result.module = *std::move(canonical);
      } else {
        status = canonical.status();
      }
    }
    if (!status.ok()) {
      // What only shows on the whole module: a narrower result where blocks or
      // containers expect the wider one.
      Reason reason;
      reason.code = status.code() == absl::StatusCode::kResourceExhausted
                        ? ReasonCode::kLimit
                        : ReasonCode::kTypeMismatch;
      reason.message = absl::StrCat(
          "the module does not type-check for the "
          "reader: ",
          status.message());
      result.reasons.push_back(std::move(reason));
      result.module = Module();
      result.report = LoadReport();
    }
    return result;
  }

  // `aten::gelu (torch 2.6.0)`
  std::string Describe(const OperatorEntry& entry,
                       const Module& module) const override {
    const std::string version = WriterVersion(entry.history, module);
    return absl::StrCat(entry.name(), " (", entry.history,
                        version.empty() ? "" : " ", version, ")");
  }

  OperatorRule RuleFor(const OperatorEntryPtr& entry,
                       const Module& module) override {
    const Opset* opset = reader_.FindOpset(entry->history);
    if (opset == nullptr) return UnknownOperator(entry, opset);
    OperatorRule rule = RuleIn(*opset, entry, module);
    rule.reader_name = absl::StrCat(opset->name(), " ", opset->version());
    return rule;
  }

 private:
  OperatorRule RuleIn(const Opset& reader, const OperatorEntryPtr& entry,
                      const Module& module) {
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
    const auto [first, is_new] = file_entry_of_.emplace(info, entry);
    if (several || !ShareName(first->second->names, entry->names)) {
      return Refused(ReasonCode::kOtherHistory,
                     absl::StrCat("is one operator on one side and two on the "
                                  "other, by the names of ",
                                  info->current()->name(), " in ",
                                  opset->name(), " ", opset->version()));
    }
    const std::string reader_name =
        absl::StrCat(opset->name(), " ", opset->version());
    if (!info->fault.empty()) {
      return Refused(
          ReasonCode::kUnknownOperator,
          absl::StrCat("cannot be used in ", reader_name, ": ", info->fault));
    }
    const std::string written = WriterVersion(entry->history, module);
    if (opset->ContradictsVersion(written, *entry)) {
      return Refused(ReasonCode::kOtherHistory,
                     absl::StrCat("is not what ", reader_name,
                                  " knows of it at version ", written,
                                  ": the file was written with another history "
                                  "of that name"));
    }
    if (removed != nullptr) return RuleWithout(entry, *opset, removed);
    if (entry->revision > info->revision()) {
      return RuleDown(entry, *opset, *info);
    }
    auto steps = Steps(*info, *opset);
    OperatorRule rule;
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
      }
    }
    rule.rewrite = [steps](const Call& call, RewrittenCall* rewritten) {
      steps->BindUp(call, rewritten);
    };
    return rule;
  }

  static std::string WriterVersion(absl::string_view history,
                                   const Module& module) {
    for (const OpsetVersion& opset : module.opsets) {
      if (opset.name == history) return opset.version;
    }
    return "";
  }

  OperatorRule Refused(ReasonCode code, std::string text) const {
    OperatorRule rule;
    rule.refusals.push_back({code, "", "", std::move(text)});
    return rule;
  }

  // The reader lacks the operator; `removed`: what it knew of it, or null. The
  // reader's own steps come first: down to the revision that it knew, up to its
  // last schema, and the upgraders of what it removed. Then, for a target, what
  // the writer says of the versions before it added the operator.
  OperatorRule RuleWithout(const OperatorEntryPtr& entry, const Opset& opset,
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

  // The reader lacks the operator, and the history if `opset` is null.
  OperatorRule UnknownOperator(const OperatorEntryPtr& entry,
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
          absl::StrCat(
              "is unknown to ", opset->name(), " ", opset->version(),
              removed != nullptr
                  ? absl::StrCat(RemovalText(*removed),
                                 "; an upgrader, declared by the version that "
                                 "removed it, would help")
              : options_.down_steps != nullptr
                  ? absl::StrCat(OriginText(entry->origin),
                                 "; a downgrader, declared by the version that "
                                 "added it, would help")
                  : OriginText(entry->origin)));
    }
    for (const Opset& other : reader_.opsets()) {
      if (other.FindByNamesOf(*entry) != nullptr) {
        return Refused(ReasonCode::kOtherHistory,
                       absl::StrCat("belongs to the history ", entry->history,
                                    "; the reader has an operator of that "
                                    "name in ",
                                    other.name()));
      }
    }
    return Refused(
        ReasonCode::kUnknownOperator,
        absl::StrCat("is unknown: the reader has no history ", entry->history));
  }

  // What the writer knows of the operator, if steps down may be taken; else
  // null.
  const OperatorInfo* WriterInfo(const OperatorEntry& entry) const {
    const Opset* writer = options_.down_steps == nullptr
                              ? nullptr
                              : options_.down_steps->FindOpset(entry.history);
    if (writer == nullptr) return nullptr;
    // A step graph may call an operator that the writer has lost since.
    const OperatorInfo* info = writer->FindByNamesOf(entry);
    return info != nullptr ? info : Find(entry, *writer, &Opset::FindRemoved);
  }

  // The reader's revision is lower: only a target takes steps down, with what
  // the writer knows of them.
  OperatorRule RuleDown(const OperatorEntryPtr& entry, const Opset& opset,
                        const OperatorInfo& info) {
    const std::string newer = absl::StrCat(
        "is at revision ", entry->revision, "; ", opset.name(), " ",
        opset.version(), " knows it up to revision ", info.revision());
    if (options_.down_steps == nullptr) {
      return Refused(ReasonCode::kNewerRevision,
                     absl::StrCat(newer,
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
          refusal.text = absl::StrCat(newer, "; it ", refusal.text);
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

  std::shared_ptr<StepBinder> Steps(const OperatorInfo& info,
                                    const Opset& opset) {
    std::shared_ptr<StepBinder>& steps = steps_[&info];
    if (steps == nullptr) steps = std::make_shared<StepBinder>(info, opset);
    return steps;
  }

  // The module is now the reader's. Histories that the reader lacks stay only
  // with the opaque calls that need them.
  void SetOpsets(Module* module) const {
    std::vector<OpsetVersion> opsets;
    for (const OpsetVersion& opset : module->opsets) {
      const Opset* known = reader_.FindOpset(opset.name);
      if (known != nullptr) {
        opsets.push_back({known->name(), known->version()});
      } else if (options_.keep_unknown_operators) {
        opsets.push_back(opset);
      }
    }
    module->opsets = std::move(opsets);
  }

  const Runtime& reader_;
  const BindOptions& options_;
  absl::flat_hash_map<const OperatorInfo*, std::shared_ptr<StepBinder>> steps_;
  // The file's entry that first was bound to an operator of the reader.
  absl::flat_hash_map<const OperatorInfo*, OperatorEntryPtr> file_entry_of_;
};

// Whether constants may stand as nodes: a value that is built from constants
// only is a constant, however the graph spells it.
bool MayHoldConstantNodes(const Module& module) {
  for (const CallForm& form : module.forms) {
    switch (module.op(form.op).intrinsic) {
      case Intrinsic::kConstant:
      case Intrinsic::kListConstruct:
      case Intrinsic::kTupleConstruct:
      case Intrinsic::kDictConstruct:
        return true;
      default:
        break;
    }
  }
  return false;
}

}  // namespace

BindResult BindModule(Module writer_module, const Runtime& reader,
                      const BindOptions& options) {
  if (!MayHoldConstantNodes(writer_module) ||
      IsSurelyCanonical(writer_module)) {
    return Binder(reader, options).Run(std::move(writer_module));
  }
  absl::StatusOr<Module> canonical = Canonicalize(writer_module);
  if (!canonical.ok()) {
    BindResult result;
    Reason reason;
    reason.code = ReasonCode::kLimit;
    reason.message = std::string(canonical.status().message());
    result.reasons.push_back(std::move(reason));
    return result;
  }
  return Binder(reader, options).Run(*std::move(canonical));
}

}  // namespace opcompat
