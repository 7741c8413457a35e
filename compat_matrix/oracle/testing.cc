#include "compat_matrix/oracle/testing.h"

#include <map>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "ir/text/module_parser.h"

namespace opcompat {
namespace oracle {

std::shared_ptr<const OpsetHistory> MakeHistory(
    const std::vector<TextVersion>& versions,
    const std::map<std::string, std::string>& graphs) {
  LoadedHistory loaded = LoadText(versions, graphs);
  for (const HistoryFault& fault : loaded.faults) {
    ADD_FAILURE() << fault.ToString();
  }
  return loaded.history;
}

std::string SemanticChange(const std::string& op, int revision,
                           const std::string& fields) {
  return absl::StrCat("changes { operator: \"", op,
                      "\" semantic_change { revision: ", revision, " ", fields,
                      " } }\n");
}

std::string Upgraded(const std::string& op, int revision,
                     const std::string& graph) {
  return SemanticChange(
      op, revision,
      absl::StrCat("upgraders { graph: \"", graph, "\" } one_way_down: true"));
}

Runtime RuntimeAt(const OpsetHistory& history, absl::string_view id) {
  const absl::StatusOr<Opset> opset = history.At(id);
  if (!opset.ok()) {
    ADD_FAILURE() << opset.status();
    return Runtime();
  }
  absl::StatusOr<Runtime> runtime = Runtime::Create({*opset});
  EXPECT_TRUE(runtime.ok()) << runtime.status();
  return runtime.ok() ? *std::move(runtime) : Runtime();
}

Module MakeModule(absl::string_view text, const Runtime& runtime) {
  absl::StatusOr<Module> module = ParseModule(text, runtime);
  EXPECT_TRUE(module.ok()) << module.status() << "\n" << text;
  return module.ok() ? *std::move(module) : Module();
}

std::string Forward(absl::string_view statements, absl::string_view results,
                    absl::string_view types) {
  std::string text = absl::StrCat(
      "func forward(%x : Tensor, %y : Tensor, %n : int, %d : float, "
      "%l : int[]) -> (",
      types, "):\n");
  for (const absl::string_view line : absl::StrSplit(statements, '\n')) {
    absl::StrAppend(&text, "  ", line, "\n");
  }
  absl::StrAppend(&text, "  return (", results, ")\n");
  return text;
}

}  // namespace oracle
}  // namespace opcompat
