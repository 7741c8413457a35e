#include "binding/bind_module.h"

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
#include "binding/report.h"
#include "binding/rewrite_calls.h"
#include "binding/steps.h"
#include "ir/canonicalize.h"
#include "ir/module.h"
#include "ir/verifier.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {
namespace {

// The operator of `opset` that has one of the entry's names, or null.
// `*several` is set if different ones have.
const OperatorInfo* FindInfo(const OperatorEntry& entry, const Opset& opset,
                             bool* several = nullptr) {
  const OperatorInfo* found = nullptr;
  for (const std::string& name : entry.names) {
    const OperatorInfo* info = opset.FindByAnyName(name);
    if (info == nullptr) continue;
    if (found == nullptr) found = info;
    if (several != nullptr && info != found) *several = true;
  }
  return found;
}

class Binder {
 public:
  Binder(const Module& module, const Runtime& reader,
         const BindOptions& options)
      : module_(module), reader_(reader), options_(options) {}

  BindResult Run() {
    RewriteResult rewritten = RewriteCalls(
        module_,
        [this](const OperatorEntryPtr& entry) { return RuleFor(entry); },
        [this](const OperatorEntry& entry) { return Describe(entry); });
    BindResult result;
    result.reasons = std::move(rewritten.reasons);
    if (!result.reasons.empty()) return result;
    result.module = std::move(rewritten.module);
    result.report = std::move(rewritten.report);
    SetOpsets(&result.module);
    const absl::Status status = Verify(result.module);
    if (!status.ok()) {
      // What only shows on the whole module: a narrower result where blocks or
      // containers expect the wider one.
      Reason reason;
      reason.code = ReasonCode::kTypeMismatch;
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

 private:
  // `aten::gelu (torch 2.6.0)`
  std::string Describe(const OperatorEntry& entry) const {
    const std::string version = WriterVersion(entry.history);
    return absl::StrCat(entry.name(), " (", entry.history,
                        version.empty() ? "" : " ", version, ")");
  }

  std::string WriterVersion(absl::string_view history) const {
    for (const OpsetVersion& opset : module_.opsets) {
      if (opset.name == history) return opset.version;
    }
    return "";
  }

  OperatorRule Refused(ReasonCode code, std::string text) const {
    OperatorRule rule;
    rule.refusals.push_back({code, "", "", std::move(text)});
    return rule;
  }

  OperatorRule UnknownOperator(const OperatorEntryPtr& entry) const {
    if (options_.keep_unknown_operators) {
      OperatorRule rule;
      rule.same = entry;
      return rule;
    }
    const Opset* opset = reader_.FindOpset(entry->history);
    if (opset != nullptr) {
      return Refused(ReasonCode::kUnknownOperator,
                     absl::StrCat("is unknown to ", opset->name(), " ",
                                  opset->version(), OriginText(entry->origin)));
    }
    for (const Opset& other : reader_.opsets()) {
      if (FindInfo(*entry, other) != nullptr) {
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

  OperatorRule RuleFor(const OperatorEntryPtr& entry) {
    const Opset* opset = reader_.FindOpset(entry->history);
    bool several = false;
    const OperatorInfo* info =
        opset == nullptr ? nullptr : FindInfo(*entry, *opset, &several);
    if (info == nullptr) return UnknownOperator(entry);
    // Renames are one to one: two of the file's operators are not one of the
    // reader's, nor the reverse.
    const auto [first, is_new] = file_entry_of_.emplace(info, entry.get());
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
    const std::string written = WriterVersion(entry->history);
    if (opset->ContradictsVersion(written, *entry)) {
      return Refused(ReasonCode::kOtherHistory,
                     absl::StrCat("is not what ", reader_name,
                                  " knows of it at version ", written,
                                  ": the file was written with another history "
                                  "of that name"));
    }
    if (entry->revision > info->revision()) {
      return BindDown(entry, *opset, *info);
    }
    auto steps = Steps(*info, *opset);
    const EntryPair& direct = steps->DirectPair(entry);
    const bool one_stage = entry->revision == info->revision();
    OperatorRule rule;
    if (one_stage && direct.identical()) {
      rule.same = info->current();
      return rule;
    }
    if (one_stage) {
      for (size_t i = 0; i < entry->num_exposed(); ++i) {
        rule.passes_constants.push_back(direct.passes_constants(i));
      }
    }
    rule.rewrite = [steps](const Call& call, RewrittenCall* rewritten) {
      steps->BindUp(call, &rewritten->call, &rewritten->variables,
                    &rewritten->notes, &rewritten->refusals);
    };
    return rule;
  }

  // The reader's revision is lower: only a target takes steps down, with what
  // the writer knows of them.
  OperatorRule BindDown(const OperatorEntryPtr& entry, const Opset& opset,
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
    const Opset* writer = options_.down_steps->FindOpset(entry->history);
    const OperatorInfo* writer_info =
        writer == nullptr ? nullptr : FindInfo(*entry, *writer);
    if (writer_info == nullptr || writer_info->revision() < entry->revision) {
      return Refused(ReasonCode::kNewerRevision, newer);
    }
    auto down = Steps(*writer_info, *writer);
    auto last = Steps(info, opset);
    OperatorRule rule;
    const uint32_t revision = info.revision();
    rule.rewrite = [down, last, revision, newer](const Call& call,
                                                 RewrittenCall* rewritten) {
      Call current = call;
      while (current.entry->revision > revision) {
        absl::optional<Call> lower =
            down->StepDown(current, {}, &rewritten->notes);
        if (!lower.has_value()) {
          rewritten->refusals.push_back(
              {ReasonCode::kNoDowngrader, "", "",
               absl::StrCat(newer,
                            ", and no downgrader takes this call to "
                            "revision ",
                            current.entry->revision - 1)});
          return;
        }
        current = *std::move(lower);
      }
      last->BindUp(current, &rewritten->call, &rewritten->variables,
                   &rewritten->notes, &rewritten->refusals);
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

  const Module& module_;
  const Runtime& reader_;
  const BindOptions& options_;
  absl::flat_hash_map<const OperatorInfo*, std::shared_ptr<StepBinder>> steps_;
  // The file's entry that first was bound to an operator of the reader.
  absl::flat_hash_map<const OperatorInfo*, const OperatorEntry*> file_entry_of_;
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

BindResult BindModule(const Module& writer_module, const Runtime& reader,
                      const BindOptions& options) {
  if (!MayHoldConstantNodes(writer_module)) {
    return Binder(writer_module, reader, options).Run();
  }
  const absl::StatusOr<Module> canonical = Canonicalize(writer_module);
  if (!canonical.ok()) {
    BindResult result;
    Reason reason;
    reason.code = ReasonCode::kLimit;
    reason.message = std::string(canonical.status().message());
    result.reasons.push_back(std::move(reason));
    return result;
  }
  return Binder(*canonical, reader, options).Run();
}

}  // namespace opcompat
