#include "binding/bind_module.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/concat.h"
#include "binding/reader_rules.h"
#include "binding/report.h"
#include "binding/rewrite_calls.h"
#include "ir/canonicalize.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "ir/surely_canonical.h"
#include "ir/verifier.h"
#include "schema/opset.h"

namespace opcompat {
namespace {

BindResult Bind(Module module, const Runtime& reader,
                const BindOptions& options,
                const std::vector<std::vector<NodeId>>* doubtful) {
  ReaderRules rules(reader, options);
  RewriteResult rewritten = RewriteCalls(std::move(module), rules, doubtful);
  BindResult result;
  result.num_plans = rewritten.num_plans;
  result.reasons = std::move(rewritten.reasons);
  if (!result.reasons.empty()) return result;
  result.module = std::move(rewritten.module);
  result.report = std::move(rewritten.report);
  rules.SetOpsets(&result.module);
  absl::Status status;
  if (rewritten.needs_verifying) {
    VerifyOptions verify;
    verify.columns_are_sound = true;
    if (rewritten.doubtful.has_value()) verify.doubtful = &*rewritten.doubtful;
    status = Verify(result.module, verify);
  }
  if (status.ok() && rewritten.expanded && !IsSurelyCanonical(result.module)) {
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
    reason.message = Concat(
        "the module does not type-check for the "
        "reader: ",
        status.message());
    result.reasons.push_back(std::move(reason));
    result.module = Module();
    result.report = LoadReport();
  }
  return result;
}

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
    return Bind(std::move(writer_module), reader, options, options.doubtful);
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
  return Bind(*std::move(canonical), reader, options, nullptr);
}

}  // namespace opcompat
