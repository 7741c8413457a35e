#include "compat_matrix/cell_runner.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "binding/report.h"

namespace opcompat {
namespace {

// Whether that is what the testee says; it need not say anything.
bool ReadAsItStands(const LoadReport& report) {
  return !report.operators.empty() &&
         std::all_of(
             report.operators.begin(), report.operators.end(),
             [](const OperatorReport& op) { return op.identical == op.calls; });
}

}  // namespace

// A module as one version writes it.
struct CellRunner::Written {
  size_t version;
  const Runtime& runtime;
  const Module& module;
  OriginalModule original;
  std::vector<AuthorAnswer> files;  // by author; for no target
};

// A cell and its own outcome.
struct CellRunner::NewCell : Cell {
  NewCell(const Written& written, size_t reader_index,
          const Prediction& prediction, bool written_for_target) {
    writer = static_cast<uint16_t>(written.version);
    reader = static_cast<uint16_t>(reader_index);
    for_target = written_for_target;
    predicted_accepted = prediction.accepted;
    for (const Prediction::Refusal& refusal : prediction.refusals) {
      outcome.predicted_reasons.push_back(
          absl::StrCat(refusal.code, " ", refusal.op,
                       refusal.argument.empty() ? "" : " ", refusal.argument));
    }
  }
  CellOutcome outcome;
};

CellRunner::CellRunner(Options options, Worker* worker)
    : options_(std::move(options)), worker_(worker) {}

void CellRunner::AddWriter(size_t version, const Runtime& writer,
                           const Module& module) {
  Written written{version, writer, module, OriginalModule(module, writer), {}};
  for (const std::unique_ptr<Author>& author : worker_->authors) {
    written.files.push_back(author->Write(module, writer, nullptr));
  }
  for (size_t r = 0; r < options_.versions->size(); ++r) {
    if (options_.is_reader != nullptr && !(*options_.is_reader)[r]) continue;
    RunPlain(written, r);
    if (r != version) RunTarget(written, r);
  }
}

void CellRunner::RunPlain(const Written& written, size_t reader) {
  ExpectedReading expected(written.original,
                           (*options_.versions)[reader].runtime,
                           /*as_target=*/false);
  for (size_t a = 0; a < written.files.size(); ++a) {
    RunTestees(written, written.files[a], a, reader, /*for_target=*/false,
               &expected);
  }
}

void CellRunner::RunTarget(const Written& written, size_t reader) {
  const Runtime& target = (*options_.versions)[reader].runtime;
  ExpectedReading expected(written.original, target, /*as_target=*/true);
  for (size_t a = 0; a < worker_->authors.size(); ++a) {
    RunTestees(
        written,
        worker_->authors[a]->Write(written.module, written.runtime, &target), a,
        reader, /*for_target=*/true, &expected);
  }
}

void CellRunner::RunTestees(const Written& written, const AuthorAnswer& answer,
                            size_t author, size_t reader, bool for_target,
                            ExpectedReading* expected) {
  for (size_t t = 0; t < worker_->testees.size(); ++t) {
    NewCell cell(written, reader, expected->prediction(), for_target);
    cell.testee = static_cast<uint16_t>(t);
    cell.author = static_cast<uint16_t>(author);
    if (answer.file.has_value()) {
      Read(*answer.file, written, *worker_->testees[t], expected, &cell);
      // What was written for a version must be readable there.
      if (for_target && !cell.accepted && cell.state == CellState::kRefused) {
        cell.state = CellState::kUnexpected;
        cell.outcome.detail = "written for this version, which refuses it";
      }
    } else if (!answer.crash.empty()) {
      cell.state = answer.hung ? CellState::kHung : CellState::kCrashed;
      cell.outcome.detail = answer.crash;
    } else {
      cell.outcome.reasons = answer.reasons;
      const bool is_predicted = for_target && !cell.predicted_accepted;
      cell.state = is_predicted ? CellState::kRefused : CellState::kUnexpected;
      if (!is_predicted) {
        cell.outcome.detail = for_target ? "predicted: accepted"
                                         : "its writer refuses to write it";
      }
    }
    Add(std::move(cell));
  }
}

// Runs and judges one cell.
void CellRunner::Read(absl::string_view file, const Written& written,
                      Testee& testee, ExpectedReading* expected,
                      NewCell* cell) {
  const Runtime& reader = (*options_.versions)[cell->reader].runtime;
  TesteeAnswer answer = testee.Read(file, reader);
  if (!answer.crash.empty()) {
    cell->outcome.detail = std::move(answer.crash);
    if (answer.hung) cell->state = CellState::kHung;
    return;
  }
  cell->accepted = answer.module.has_value();
  cell->outcome.reasons = std::move(answer.reasons);
  cell->outcome.report = std::move(answer.report);
  if (cell->accepted) {
    absl::optional<std::string> difference = expected->Differs(*answer.module);
    if (!difference.has_value() && options_.execution) {
      difference = options_.execution(
          written.module, (*options_.versions)[written.version].id,
          *answer.module, (*options_.versions)[cell->reader].id);
    }
    if (difference.has_value()) {
      cell->state = CellState::kMisread;
      cell->outcome.detail = *std::move(difference);
      return;
    }
  }
  if (cell->accepted != cell->predicted_accepted) {
    cell->state = CellState::kUnexpected;
    cell->outcome.detail = absl::StrCat(
        "predicted: ", cell->predicted_accepted ? "accepted" : "refused");
  } else if (!cell->accepted) {
    cell->state = CellState::kRefused;
  } else {
    cell->state = ReadAsItStands(cell->outcome.report) ? CellState::kIdentical
                                                       : CellState::kAdapted;
  }
}

void CellRunner::Add(NewCell cell) {
  static_cast<Cell&>(cell).outcome = outcomes_.Add(std::move(cell.outcome));
  cells_.cells.push_back(cell);
}

ModuleCells CellRunner::Take(std::string path, std::string text) {
  ModuleCells cells = std::move(cells_);
  cells.history = options_.history;
  cells.module = std::move(path);
  cells.text = std::move(text);
  cells.outcomes = outcomes_.Take();
  cells_ = ModuleCells();
  return cells;
}

}  // namespace opcompat
