#include "compat_matrix/reports/testing.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "binding/report.h"
#include "compat_matrix/result.h"

namespace opcompat {

const char kNastyText[] =
    "\"q\" 'a' <b>&amp; </script><script>window.hacked=1</script> <!-- ]]> "
    "`c` | * _ \\ \n\t\r\x1b[31m\x01\x7f \xff\xc3( \xed\xa0\x80 \xe2\x80\xa8 "
    "\xf0\x9f\x98\x80 end";

std::shared_ptr<const MatrixHistory> MakeHistory(
    std::string name, std::string group, std::vector<std::string> versions) {
  auto history = std::make_shared<MatrixHistory>();
  history->name = std::move(name);
  history->group = std::move(group);
  history->versions = std::move(versions);
  return history;
}

void AddCell(size_t writer, size_t reader, CellState state, bool for_target,
             ModuleCells* module, size_t testee, size_t author) {
  Cell cell;
  cell.outcome = static_cast<uint32_t>(module->outcomes.size());
  cell.writer = static_cast<uint16_t>(writer);
  cell.reader = static_cast<uint16_t>(reader);
  cell.testee = static_cast<uint16_t>(testee);
  cell.author = static_cast<uint16_t>(author);
  cell.for_target = for_target;
  cell.state = state;
  cell.accepted = state == CellState::kIdentical ||
                  state == CellState::kAdapted || state == CellState::kMisread;
  cell.predicted_accepted = cell.accepted || state == CellState::kCrashed ||
                            state == CellState::kUnexpected;
  CellOutcome outcome;
  if (cell.accepted) {
    OperatorReport op;
    op.op = "t::f";
    op.calls = 2;
    op.identical = state == CellState::kIdentical ? 2 : 1;
    op.filled = state == CellState::kIdentical ? 0 : 1;
    outcome.report.operators.push_back(op);
  } else if (state == CellState::kRefused || state == CellState::kUnexpected) {
    Reason reason;
    reason.code = ReasonCode::kUnknownArgument;
    reason.function = "forward";
    reason.node = "%12";
    reason.op = "t::f";
    reason.argument = "mode";
    reason.value = "\"mean\"";
    reason.calls = 2;
    reason.message = "t::f (t 2): argument mode=\"mean\" is unknown to t 1";
    outcome.reasons.push_back(reason);
    outcome.predicted_reasons = {"unknown_argument t::f mode"};
  }
  if (!IsGood(state)) {
    outcome.detail = absl::StrCat("it is ", CellStateName(state));
  }
  module->outcomes.push_back(std::move(outcome));
  module->cells.push_back(cell);
}

MatrixSummary SummaryOf(const MatrixResult& result) {
  MatrixSummary summary;
  for (const ModuleCells& module : result.modules) {
    for (const Cell& cell : module.cells) summary.Add(cell.state);
  }
  return summary;
}

MatrixResult EveryState() {
  MatrixResult result;
  result.names.testees = {"in-process", absl::StrCat("old ", kNastyText)};
  result.names.authors = {"in-process", "writer-0.9"};

  ModuleCells plain;
  plain.history = MakeHistory("t", "t", {"1", "2"});
  plain.module = "modules/plain.graph";
  plain.text =
      "func forward(%x : Tensor) -> (Tensor):\n"
      "  %y : Tensor = t::f(%x, \"s::no(\")\n  return (%y)\n";
  AddCell(0, 0, CellState::kIdentical, false, &plain);
  AddCell(0, 1, CellState::kAdapted, false, &plain);
  AddCell(0, 1, CellState::kAdapted, true, &plain);
  AddCell(1, 0, CellState::kRefused, false, &plain);
  AddCell(1, 0, CellState::kAdapted, true, &plain);
  AddCell(1, 1, CellState::kIdentical, false, &plain);
  AddCell(1, 1, CellState::kIdentical, false, &plain, 1, 1);
  result.modules.push_back(std::move(plain));

  ModuleCells nasty;
  nasty.history = MakeHistory("simulated 1", "simulated",
                              {"1", absl::StrCat("2 ", kNastyText)});
  nasty.module = absl::StrCat("nasty/", kNastyText);
  nasty.text = absl::StrCat("# ", kNastyText, "\nt::g(%x)\n");
  AddCell(0, 0, CellState::kUnexpected, false, &nasty);
  AddCell(0, 1, CellState::kMisread, false, &nasty);
  AddCell(1, 0, CellState::kCrashed, false, &nasty);
  AddCell(1, 1, CellState::kHung, false, &nasty, 1);
  for (CellOutcome& outcome : nasty.outcomes) {
    outcome.detail = kNastyText;
    for (Reason& reason : outcome.reasons) {
      reason.message = reason.function = reason.node = reason.location =
          reason.op = reason.argument = reason.value = kNastyText;
    }
    outcome.predicted_reasons = {kNastyText};
    outcome.report.warnings = {kNastyText};
    for (OperatorReport& op : outcome.report.operators) op.op = kNastyText;
  }
  result.modules.push_back(std::move(nasty));

  ModuleCells other;
  other.history = MakeHistory("simulated 2", "simulated", {"1", "3"});
  other.module = "plain";
  AddCell(0, 1, CellState::kRefused, false, &other);
  result.modules.push_back(std::move(other));
  result.summary = SummaryOf(result);
  return result;
}

MatrixResult LargeResult(size_t modules, size_t versions, size_t bad) {
  MatrixResult result;
  result.names.testees = {"in-process"};
  std::vector<std::string> ids;
  for (size_t v = 0; v < versions; ++v)
    ids.push_back(absl::StrCat("2.", v, ".0"));
  const auto history = MakeHistory("large", "large", ids);
  for (size_t m = 0; m < modules; ++m) {
    ModuleCells module;
    module.history = history;
    module.module =
        absl::StrCat("models/family", m % 23, "/module_", m, ".graph");
    module.text = "func forward(%x : Tensor) -> (Tensor):\n";
    for (size_t line = 0; line < 40; ++line) {
      absl::StrAppend(&module.text, "  %", line, " : Tensor = aten::op",
                      (m * 7 + line) % 300, "(%x, alpha=", m, ")\n");
    }
    absl::StrAppend(&module.text, "  return (%0)\n");
    for (size_t w = 0; w < versions; ++w) {
      for (size_t r = 0; r < versions; ++r) {
        for (const bool for_target : {false, true}) {
          if (for_target && w == r) continue;
          CellState state = w == r                    ? CellState::kIdentical
                            : (w * 3 + m) % 7 < r % 7 ? CellState::kAdapted
                            : w < r                   ? CellState::kIdentical
                                                      : CellState::kRefused;
          if (bad > 0 && (w * 31 + r * 17 + m) % 97 == 5) {
            --bad;
            state = CellState::kMisread;
          }
          AddCell(w, r, state, for_target, &module);
          CellOutcome& outcome = module.outcomes.back();
          for (Reason& reason : outcome.reasons) {
            reason.message = absl::StrCat(
                "aten::op", m % 300, " (large 2.", w,
                ".0): argument mode=\"tanh\" is unknown to large 2.", r,
                ".0 (added in 2.", w, ".0); 3 calls, first at forward:%12");
          }
        }
      }
    }
    result.modules.push_back(std::move(module));
  }
  result.summary = SummaryOf(result);
  return result;
}

}  // namespace opcompat
