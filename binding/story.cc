#include "binding/story.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "binding/bind_module.h"
#include "binding/report.h"
#include "gtest/gtest.h"
#include "ir/module.h"
#include "ir/text/history_loader.h"
#include "ir/text/module_parser.h"
#include "ir/text/module_printer.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {
namespace {

Runtime RuntimeAt(const OpsetHistory& history, absl::string_view version) {
  absl::StatusOr<Opset> opset = history.At(version);
  EXPECT_TRUE(opset.ok()) << opset.status();
  absl::StatusOr<Runtime> runtime = Runtime::Create({*opset});
  EXPECT_TRUE(runtime.ok()) << runtime.status();
  return *runtime;
}

}  // namespace

std::shared_ptr<const OpsetHistory> MakeHistory(
    const std::vector<StoryVersion>& versions,
    const std::map<std::string, std::string>& graphs) {
  std::string text = "name: \"t\"\n";
  for (const StoryVersion& version : versions) {
    absl::StrAppend(&text, "versions { id: \"", version.id, "\" operators: \"",
                    version.id, ".ops\" ", version.declared, " }\n");
  }
  const FileReader read =
      [&](const std::string& path) -> absl::StatusOr<std::string> {
    const std::string name = path.substr(path.rfind('/') + 1);
    if (name == "history.textproto") return text;
    for (const StoryVersion& version : versions) {
      if (name == version.id + ".ops") {
        return absl::StrCat("opset t ", version.id, "\n", version.schemas,
                            "\n");
      }
    }
    const auto graph = graphs.find(name);
    if (graph != graphs.end()) return graph->second;
    return absl::NotFoundError(path);
  };
  const LoadedHistory loaded = LoadHistory("story/history.textproto", {read});
  for (const HistoryFault& fault : loaded.faults) {
    ADD_FAILURE() << fault.ToString();
  }
  return loaded.history;
}

std::string StoryModuleText(absl::string_view lines,
                            absl::string_view returned) {
  return absl::StrCat(
      "func forward(%x : Tensor, %y : Tensor, %n : int, %d : float, %b : bool, "
      "%s : str, %l : int[], %c : Scalar, %o : Tensor?) -> (",
      returned.empty() ? "" : "Tensor", "):\n", lines, "\nreturn (", returned,
      ")\n");
}

Module StoryModule(const OpsetHistory& history, absl::string_view version,
                   absl::string_view lines, absl::string_view returned) {
  absl::StatusOr<Module> module = ParseModule(StoryModuleText(lines, returned),
                                              RuntimeAt(history, version));
  EXPECT_TRUE(module.ok()) << module.status() << "\n" << lines;
  return module.ok() ? *std::move(module) : Module();
}

std::string StoryLines(const Module& module) {
  std::vector<std::string> lines;
  for (absl::string_view line :
       absl::StrSplit(PrintModule(module), '\n', absl::SkipEmpty())) {
    line = absl::StripAsciiWhitespace(line);
    if (absl::StrContains(line, "= ") && line.substr(0, 4) != "func") {
      lines.emplace_back(line);
    }
  }
  return absl::StrJoin(lines, "\n");
}

std::string ReasonsText(const std::vector<Reason>& reasons) {
  std::vector<std::string> parts;
  for (const Reason& reason : reasons) {
    parts.push_back(absl::StrCat(
        ReasonCodeName(reason.code),
        reason.argument.empty() ? ""
                                : absl::StrCat("(", reason.argument, ")")));
  }
  return absl::StrCat("refused: ", absl::StrJoin(parts, ", "));
}

std::string Retell(const OpsetHistory& history, absl::string_view from,
                   absl::string_view to, absl::string_view lines,
                   absl::string_view returned) {
  const BindResult result = BindModule(
      StoryModule(history, from, lines, returned), RuntimeAt(history, to));
  return result.accepted() ? StoryLines(result.module)
                           : ReasonsText(result.reasons);
}

}  // namespace opcompat
