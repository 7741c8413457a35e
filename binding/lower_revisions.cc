#include "binding/lower_revisions.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/types/optional.h"
#include "binding/call.h"
#include "binding/operator_rule.h"
#include "binding/rewrite_calls.h"
#include "binding/steps.h"
#include "binding/written_versions.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {
namespace {

OperatorRule Unchanged(const OperatorEntryPtr& entry) {
  OperatorRule rule;
  rule.same = entry;
  return rule;
}

OperatorRule RuleFor(const OperatorEntryPtr& entry, const Runtime& writer) {
  if (entry->revision == 1) return Unchanged(entry);
  const Opset* opset = writer.FindOpset(entry->history);
  const OperatorInfo* info =
      opset == nullptr ? nullptr : opset->FindByAnyName(entry->name());
  if (info == nullptr || info->revision() < entry->revision) {
    return Unchanged(entry);
  }
  auto steps = std::make_shared<StepBinder>(*info, *opset);
  OperatorRule rule;
  rule.keeps_refused = true;
  rule.rewrite = [steps](const Call& call, RewrittenCall* rewritten) {
    Call current = call;
    EntryPair::Options options;
    options.drop_ignorable = false;
    while (current.entry->revision > 1) {
      absl::optional<Call> lower =
          steps->StepDown(current, options, &rewritten->notes);
      if (!lower.has_value()) break;
      current = *std::move(lower);
    }
    rewritten->call = std::move(current);
  };
  return rule;
}

class LoweringRules : public CallRules {
 public:
  explicit LoweringRules(const Runtime& writer) : writer_(writer) {}

  OperatorRule RuleFor(const OperatorEntryPtr& entry,
                       const WrittenVersions&) override {
    return opcompat::RuleFor(entry, writer_);
  }
  std::string Describe(const OperatorEntry& entry,
                       const WrittenVersions&) const override {
    return entry.name();
  }

 private:
  const Runtime& writer_;
};

}  // namespace

Module LowerRevisions(const Module& module, const Runtime& writer) {
  const bool all_first =
      std::all_of(module.operators.begin(), module.operators.end(),
                  [](const ModuleOperator& op) {
                    return op.entry == nullptr || op.entry->revision == 1;
                  });
  if (all_first) return module;
  LoweringRules rules(writer);
  return RewriteCalls(module, rules).module;
}

}  // namespace opcompat
