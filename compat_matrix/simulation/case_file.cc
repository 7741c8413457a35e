#include "compat_matrix/simulation/case_file.h"

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"
#include "compat_matrix/reason_codes.h"
#include "compat_matrix/simulation/step_kinds.h"

namespace opcompat {
namespace simulation {
namespace {

constexpr absl::string_view kFileMark = "--- ";
constexpr absl::string_view kModule = "module";

class Parser {
 public:
  explicit Parser(absl::string_view text) : rest_(text) {}

  absl::StatusOr<CaseFile> Parse() {
    absl::string_view line;
    while (NextLine(&line)) {
      if (absl::ConsumePrefix(&line, kFileMark)) {
        OPCOMPAT_RETURN_IF_ERROR(BeginFile(std::string(line)));
      } else if (contents_ != nullptr) {
        absl::StrAppend(contents_, line, "\n");
      } else {
        OPCOMPAT_RETURN_IF_ERROR(ReadHeader(line));
      }
    }
    if (!has_versions_) {
      return Error("no line `written at VERSION, read at VERSION`");
    }
    if (!has_module_) return Error("no line `--- module`");
    if (file_.the_case.files.count("history.textproto") == 0) {
      return Error("no line `--- history.textproto`");
    }
    return std::move(file_);
  }

 private:
  bool NextLine(absl::string_view* line) {
    if (rest_.empty()) return false;
    ++line_;
    const size_t end = rest_.find('\n');
    *line = rest_.substr(0, end);
    rest_.remove_prefix(end == absl::string_view::npos ? rest_.size()
                                                       : end + 1);
    // As editors on some systems end lines. A history or a module has no use
    // for it either.
    absl::ConsumeSuffix(line, "\r");
    return true;
  }

  absl::Status Error(absl::string_view message) const {
    return absl::InvalidArgumentError(absl::StrCat(line_, ": ", message));
  }

  absl::Status BeginFile(const std::string& path) {
    if (path == kModule) {
      if (has_module_) return Error("a second module");
      has_module_ = true;
      contents_ = &file_.the_case.module;
      return absl::OkStatus();
    }
    const auto [file, is_new] = file_.the_case.files.emplace(path, "");
    if (!is_new) return Error(absl::StrCat("a second file `", path, "`"));
    contents_ = &file->second;
    return absl::OkStatus();
  }

  absl::Status ReadHeader(absl::string_view line) {
    if (!line.empty() && line[0] == '#') {
      absl::StrAppend(&file_.comment, line, "\n");
      return absl::OkStatus();
    }
    if (line.empty()) return absl::OkStatus();
    if (absl::ConsumePrefix(&line, "written at ")) {
      if (has_versions_) return Error("a second line `written at`");
      return ReadVersions(line);
    }
    if (absl::ConsumePrefix(&line, "expected: ")) {
      if (file_.expected.has_value()) return Error("a second line `expected:`");
      return ReadExpected(line);
    }
    if (absl::ConsumePrefix(&line, "secret: ")) return ReadSecret(line);
    if (absl::ConsumePrefix(&line, "known: ") && !line.empty()) {
      if (!file_.known.empty()) return Error("a second line `known:`");
      file_.known = std::string(line);
      return absl::OkStatus();
    }
    return Error(absl::StrCat("found `", line,
                              "`, expected a comment (#), `written at`, "
                              "`expected:`, `known:`, `secret:` or "
                              "`--- module`"));
  }

  absl::Status ReadVersions(absl::string_view line) {
    for (const bool for_target : {false, true}) {
      const std::vector<std::string> ids =
          absl::StrSplit(line, for_target ? ", for " : ", read at ");
      if (ids.size() != 2 || ids[0].empty() || ids[1].empty()) continue;
      file_.the_case.writer = ids[0];
      file_.the_case.reader = ids[1];
      file_.the_case.for_target = for_target;
      has_versions_ = true;
      return absl::OkStatus();
    }
    return Error(
        "expected `written at VERSION, read at VERSION`, or `written at "
        "VERSION, for VERSION`");
  }

  absl::Status ReadExpected(absl::string_view line) {
    file_.expected.emplace();
    if (line == "accepted") return absl::OkStatus();
    if (!absl::ConsumePrefix(&line, "refused ")) {
      return Error(absl::StrCat("found `", line,
                                "`, expected `accepted` or `refused CODE`"));
    }
    for (const absl::string_view code : absl::StrSplit(line, ", ")) {
      if (!ReasonCodeOfName(code).has_value()) {
        return Error(absl::StrCat("there is no reason `", code, "`"));
      }
      file_.expected->insert(std::string(code));
    }
    return absl::OkStatus();
  }

  absl::Status ReadSecret(absl::string_view line) {
    const std::vector<std::string> fields =
        absl::StrSplit(line, absl::MaxSplits(" | ", 4));
    if (fields.size() != 5) {
      return Error(
          "expected `secret: VERSION | KIND | OPERATOR | ARGUMENT | TRUTH`");
    }
    const absl::optional<StepKind> kind = StepKindOfName(fields[1]);
    if (!kind.has_value() || !IsCareless(*kind)) {
      return Error(absl::StrCat("there is no careless step `", fields[1], "`"));
    }
    file_.the_case.secrets.push_back(
        {fields[0], *kind, fields[2], fields[3], fields[4]});
    return absl::OkStatus();
  }

  absl::string_view rest_;
  int line_ = 0;
  CaseFile file_;
  bool has_versions_ = false;
  bool has_module_ = false;
  std::string* contents_ = nullptr;  // of the file at hand
};

}  // namespace

absl::StatusOr<CaseFile> ParseCaseFile(absl::string_view text) {
  return Parser(text).Parse();
}

std::string CaseFileText(const CaseFile& file) {
  std::string text = file.the_case.ToString();
  std::string outcome;
  if (file.expected.has_value()) {
    outcome = file.expected->empty()
                  ? "expected: accepted\n"
                  : absl::StrCat("expected: refused ",
                                 absl::StrJoin(*file.expected, ", "), "\n");
  }
  if (!file.known.empty()) {
    absl::StrAppend(&outcome, "known: ", file.known, "\n");
  }
  text.insert(text.find('\n') + 1, outcome);
  return absl::StrCat(file.comment, text);
}

}  // namespace simulation
}  // namespace opcompat
