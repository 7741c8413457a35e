#include "ir/text/history_loader.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "ir/graph_effects.h"
#include "ir/module.h"
#include "ir/step_graph_check.h"
#include "ir/text/module_parser.h"
#include "schema/declared_history.h"
#include "schema/evolution/step_graph_use.h"
#include "schema/opset.h"

namespace opcompat {
namespace {

absl::string_view KindName(StepGraphUse::Kind kind) {
  return kind == StepGraphUse::Kind::kUpgrader ? "upgrader" : "downgrader";
}

// The runtime that the graph's text is parsed with: the history itself, and
// the others that its `opset` lines name.
absl::StatusOr<Runtime> RuntimeOfGraph(absl::string_view text,
                                       const StepGraphUse& use,
                                       const Opset& written_at,
                                       const LoadOptions& options) {
  std::vector<Opset> opsets = {written_at};
  for (const OpsetVersion& line : ReadOpsetLines(text)) {
    if (written_at.HasName(line.name)) {
      if (line.version == written_at.version()) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          "the graph says `opset ", line.name, " ", line.version, "`; this ",
          KindName(use.kind), " is written at ", written_at.version(),
          use.kind == StepGraphUse::Kind::kUpgrader
              ? ", the version that declares it"
              : ", the version before the one that declares it"));
    }
    if (options.find_other == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("the graph calls operators of the history ", line.name,
                       ", and no other history is loaded"));
    }
    OPCOMPAT_ASSIGN_OR_RETURN(const std::shared_ptr<const OpsetHistory> other,
                              options.find_other(line.name));
    OPCOMPAT_ASSIGN_OR_RETURN(Opset opset, other->At(line.version));
    opsets.push_back(std::move(opset));
  }
  return Runtime::Create(std::move(opsets));
}

absl::StatusOr<StepGraphBody> ParseGraph(absl::string_view text,
                                         const StepGraphUse& use,
                                         const Opset& written_at,
                                         const LoadOptions& options) {
  OPCOMPAT_ASSIGN_OR_RETURN(const Runtime runtime,
                            RuntimeOfGraph(text, use, written_at, options));
  OPCOMPAT_ASSIGN_OR_RETURN(Module module, ParseModule(text, runtime));
  OPCOMPAT_RETURN_IF_ERROR(
      CheckStepGraph(module, *use.entry, KindName(use.kind)));
  StepGraphBody body;
  body.mismatch = EffectsDiffer(module, module.functions[0], *use.entry);
  body.module = std::make_shared<const Module>(std::move(module));
  return body;
}

}  // namespace

LoadedHistory LoadHistory(const std::string& path, const LoadOptions& options) {
  return ReadHistory(path, options.read_file,
                     [&options](absl::string_view text, const StepGraphUse& use,
                                const Opset& written_at) {
                       return ParseGraph(text, use, written_at, options);
                     });
}

absl::StatusOr<std::shared_ptr<const OpsetHistory>> LoadHistoryOrError(
    const std::string& path, const LoadOptions& options) {
  return HistoryOrError(LoadHistory(path, options));
}

}  // namespace opcompat
