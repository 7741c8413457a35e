#include "tools/equal_command.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"
#include "binding/bind_module.h"
#include "binding/report.h"
#include "compat_matrix/reports/json_report.h"
#include "compat_matrix/oracle/oracle.h"
#include "ir/equality.h"
#include "nlohmann/json.hpp"
#include "tools/histories.h"
#include "tools/modules.h"
#include "tools/output.h"

namespace opcompat {
namespace {

struct EqualOptions {
  OutputOptions output;
  HistoryOptions history;
  std::string a;
  std::string b;
};

constexpr char kFooter[] = R"(Example:
  opcompat equal net.graph net.opc

Says "same bytes", "equal modules" (as written, up to names of values), "same
meaning" (both read at one version: --version, or that of A, of B, or the
newest, the first that reads both), or "different" with the first difference.
Exit status: 0 one of the first three; 1 different, or no version reads both;
2 usage, or input that is unreadable or malformed.
)";

struct Verdict {
  std::string verdict;     // as printed
  std::string at;          // the versions at which meanings were compared
  std::string difference;  // of "different"
};

class Comparison {
 public:
  Comparison(const EqualOptions& options, Histories& histories)
      : options_(options), histories_(histories) {}

  absl::StatusOr<Verdict> Run() {
    OPCOMPAT_ASSIGN_OR_RETURN(const ModuleFile file_a,
                              ReadModuleFile(options_.a, options_.output));
    OPCOMPAT_ASSIGN_OR_RETURN(const ModuleFile file_b,
                              ReadModuleFile(options_.b, options_.output));
    // Text is read at its own version; --version is for comparing.
    HistoryOptions own = options_.history;
    own.versions.clear();
    OPCOMPAT_ASSIGN_OR_RETURN(
        const WrittenModule a,
        ReadAsWritten(file_a, histories_, own, &reasons_));
    OPCOMPAT_ASSIGN_OR_RETURN(
        const WrittenModule b,
        ReadAsWritten(file_b, histories_, own, &reasons_));
    if (file_a.content == file_b.content) return Verdict{"same bytes", "", ""};
    const absl::optional<std::string> as_written =
        FirstDifference(a.module, b.module);
    if (!as_written.has_value()) return Verdict{"equal modules", "", ""};
    return CompareMeaning(a.module, b.module);
  }

  const std::vector<Reason>& reasons() const { return reasons_; }

 private:
  // The versions at which the two may be compared, best first.
  absl::StatusOr<std::vector<RuntimeChoice>> Candidates(const Module& a,
                                                        const Module& b) {
    std::vector<OpsetVersion> all = a.opsets;
    all.insert(all.end(), b.opsets.begin(), b.opsets.end());
    // One set of histories for both; each candidate picks the versions.
    OPCOMPAT_ASSIGN_OR_RETURN(const RuntimeChoice of_a,
                              ChooseReaders(histories_, options_.history, all));
    std::vector<RuntimeChoice> candidates = {of_a};
    if (!options_.history.versions.empty()) return candidates;
    RuntimeChoice of_b = of_a;
    RuntimeChoice newest = of_a;
    for (size_t i = 0; i < of_a.histories.size(); ++i) {
      const OpsetHistory& history = *of_a.histories[i];
      OPCOMPAT_ASSIGN_OR_RETURN(newest, WithOpset(newest, i, history.newest()));
      for (const OpsetVersion& opset : b.opsets) {
        if (!history.HasName(opset.name)) continue;
        const absl::StatusOr<Opset> version = history.At(opset.version);
        if (!version.ok()) continue;
        OPCOMPAT_ASSIGN_OR_RETURN(of_b, WithOpset(of_b, i, *version));
      }
    }
    candidates.push_back(std::move(of_b));
    candidates.push_back(std::move(newest));
    return candidates;
  }

  absl::StatusOr<Verdict> CompareMeaning(const Module& a, const Module& b) {
    OPCOMPAT_ASSIGN_OR_RETURN(const std::vector<RuntimeChoice> candidates,
                              Candidates(a, b));
    std::string refusal;
    for (const RuntimeChoice& reader : candidates) {
      const BindResult read_a = BindModule(a, reader.runtime);
      const BindResult read_b = BindModule(b, reader.runtime);
      if (read_a.accepted() && read_b.accepted()) {
        // Each as the reader has it must mean what the other one means.
        const absl::optional<std::string> difference =
            MeaningDiffers(a, read_b.module, reader.runtime);
        return difference.has_value()
                   ? Verdict{"different", reader.ToString(), *difference}
                   : Verdict{"same meaning", reader.ToString(), ""};
      }
      if (refusal.empty()) {
        const bool is_a = !read_a.accepted();
        refusal =
            absl::StrCat("no version reads both; ", reader.ToString(),
                         " refuses ", is_a ? options_.a : options_.b, ": ",
                         (is_a ? read_a : read_b).reasons[0].message);
      }
    }
    return Verdict{"different", "", std::move(refusal)};
  }

  const EqualOptions& options_;
  Histories& histories_;
  std::vector<Reason> reasons_;
};

int RunEqual(const EqualOptions& options, Histories& histories) {
  if (options.a == "-" && options.b == "-") {
    PrintError("opcompat equal: only one of A and B can be standard input");
    return kExitBadInput;
  }
  Comparison comparison(options, histories);
  const absl::StatusOr<Verdict> result = comparison.Run();
  if (!result.ok()) {
    const std::vector<Reason>& reasons = comparison.reasons();
    const int code = FailureExitCode(reasons);
    if (!options.output.json || reasons.empty()) {
      PrintFailure(result.status(), reasons);
      return code;
    }
    nlohmann::ordered_json answer;
    answer["reasons"] = ReasonsToJson(reasons);
    return Finish(options.output.path, JsonText(answer), code);
  }
  const int code = result->verdict == "different" ? kExitRefused : kExitDone;
  if (options.output.json) {
    nlohmann::ordered_json answer;
    answer["verdict"] = result->verdict;
    if (!result->at.empty()) answer["at"] = result->at;
    if (!result->difference.empty()) answer["difference"] = result->difference;
    return Finish(options.output.path, JsonText(answer), code);
  }
  std::string text = result->verdict;
  if (!result->at.empty()) absl::StrAppend(&text, " at ", result->at);
  if (!result->difference.empty()) {
    absl::StrAppend(&text, ": ", OneLine(result->difference));
  }
  return Finish(options.output.path, text + "\n", code);
}

}  // namespace

void AddEqualCommand(CLI::App* app, CommandContext* context) {
  CLI::App* command = app->add_subcommand(
      "equal", "Whether two modules are the same, and in which sense");
  auto options = std::make_shared<EqualOptions>();
  command
      ->add_option("A", options->a,
                   "A module, text or bytes; `-` is standard "
                   "input")
      ->required()
      ->type_name("");
  command->add_option("B", options->b, "Another one")
      ->required()
      ->type_name("");
  AddHistoryFlags(command, &options->history);
  AddOutputFlags(command, &options->output,
                 "Where the answer goes. Default: standard output");
  command->footer(kFooter);
  command->callback([options, context] {
    context->run = [options, context] {
      return RunEqual(*options, context->histories);
    };
  });
}

}  // namespace opcompat
