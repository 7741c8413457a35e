#include "compat_matrix/reports/junit_report.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "compat_matrix/reports/plain_text.h"
#include "compat_matrix/result.h"

namespace opcompat {
namespace {

// CI systems refuse large files; the JSON report has all.
constexpr size_t kLongestMessage = 2000;
constexpr size_t kLongestCase = 16000;

// `text` as the content of an element or, on one line, of an attribute.
std::string Xml(absl::string_view plain) {
  return absl::StrReplaceAll(
      plain, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

std::string Attribute(absl::string_view name, absl::string_view value) {
  return absl::StrCat(" ", name, "=\"", Xml(PlainLine(value)), "\"");
}

std::string Attribute(absl::string_view name, uint64_t value) {
  return absl::StrCat(" ", name, "=\"", value, "\"");
}

// What is wrong with a cell, one line each.
std::string Lines(const RunNames& names, const ModuleCells& module,
                  const Cell& cell) {
  const CellOutcome& outcome = module.outcome(cell);
  std::string lines = absl::StrCat(
      CellStateName(cell.state), ": ", CellName(names, module, cell), ": ",
      Shortened(PlainLine(outcome.detail), kLongestMessage), "\n");
  for (const Reason& reason : outcome.reasons) {
    absl::StrAppend(&lines, "  ",
                    Shortened(PlainLine(reason.message), kLongestMessage),
                    "\n");
  }
  return lines;
}

}  // namespace

JunitReport::Suite& JunitReport::SuiteOf(const ModuleCells& module,
                                         const Cell& cell) {
  std::string name = module.history->group;
  if (cell.author != 0) {
    absl::StrAppend(&name, ", written by ", names_.authors[cell.author]);
  }
  if (names_.testees.size() > 1) {
    absl::StrAppend(&name, ", ", names_.testees[cell.testee]);
  }
  const auto [it, is_new] = suite_of_name_.try_emplace(name, suites_.size());
  if (is_new) {
    suites_.emplace_back();
    suites_.back().name = name;
  }
  return suites_[it->second];
}

absl::Status JunitReport::Add(const ModuleCells& module) {
  std::map<std::tuple<uint16_t, uint16_t, uint16_t>, std::vector<const Cell*>>
      cases;
  for (const Cell& cell : module.cells) {
    cases[{cell.author, cell.testee, cell.writer}].push_back(&cell);
  }
  for (const auto& [key, cells] : cases) {
    AddCase(module, cells, &SuiteOf(module, *cells[0]));
  }
  return absl::OkStatus();
}

void JunitReport::AddCase(const ModuleCells& module,
                          const std::vector<const Cell*>& cells,
                          Suite* suite) const {
  ++suite->tests;
  MatrixSummary summary;
  std::string text;
  for (const Cell* cell : cells) {
    summary.Add(cell->state);
    if (IsGood(cell->state)) continue;
    if (text.size() < kLongestCase) {
      absl::StrAppend(&text, Lines(names_, module, *cell));
    }
  }
  const std::string history =
      module.history->name == module.history->group
          ? ""
          : absl::StrCat(" (", module.history->name, ")");
  absl::StrAppend(
      &suite->cases, "  <testcase",
      Attribute("classname", absl::StrCat("matrix.", suite->name)),
      Attribute("name", absl::StrCat(module.module, history, " written by ",
                                     module.writer(*cells[0]))));
  if (summary.good()) {
    absl::StrAppend(&suite->cases, "/>\n");
    return;
  }
  const bool failed = summary.misread + summary.unexpected > 0;
  ++(failed ? suite->failures : suite->errors);
  const absl::string_view element = failed ? "failure" : "error";
  const std::string message = absl::StrCat(
      summary.misread, " misread, ", summary.crashed, " crashed, ",
      summary.unexpected, " unexpected of ", summary.cells, " cells");
  absl::StrAppend(&suite->cases, ">\n    <", element,
                  Attribute("message", message),
                  Attribute("type", summary.misread > 0 ? "misread"
                                    : failed            ? "unexpected"
                                                        : "crashed"),
                  ">", Xml(Shortened(text, kLongestCase)), "</", element,
                  ">\n  </testcase>\n");
}

absl::Status JunitReport::Finish(const MatrixSummary& /*summary*/) {
  Suite all;
  for (const Suite& suite : suites_) {
    all.tests += suite.tests;
    all.failures += suite.failures;
    all.errors += suite.errors;
  }
  const auto counts = [](const Suite& suite) {
    return absl::StrCat(
        Attribute("tests", suite.tests), Attribute("failures", suite.failures),
        Attribute("errors", suite.errors), Attribute("skipped", uint64_t{0}));
  };
  OPCOMPAT_RETURN_IF_ERROR(sink_.Append(
      absl::StrCat("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites",
                   Attribute("name", "opcompat matrix"), counts(all), ">\n")));
  for (Suite& suite : suites_) {
    OPCOMPAT_RETURN_IF_ERROR(sink_.Append(absl::StrCat(
        " <testsuite", Attribute("name", suite.name), counts(suite), ">\n")));
    OPCOMPAT_RETURN_IF_ERROR(sink_.Append(suite.cases));
    OPCOMPAT_RETURN_IF_ERROR(sink_.Append(" </testsuite>\n"));
  }
  return sink_.Append("</testsuites>\n");
}

}  // namespace opcompat
