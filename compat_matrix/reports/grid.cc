#include "compat_matrix/reports/grid.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/result.h"

namespace opcompat {
namespace {

constexpr absl::string_view kRed = "\x1b[31m";
constexpr absl::string_view kGreen = "\x1b[32m";
constexpr absl::string_view kYellow = "\x1b[33m";
constexpr absl::string_view kReset = "\x1b[0m";

// One field of a table.
struct Sum {
  uint64_t cells = 0;
  uint64_t accepted = 0;
  uint64_t misread = 0;
  uint64_t crashed = 0;
  uint64_t unexpected = 0;

  void Add(const Cell& cell) {
    ++cells;
    accepted += cell.accepted && cell.state != CellState::kMisread;
    misread += cell.state == CellState::kMisread;
    crashed +=
        cell.state == CellState::kCrashed || cell.state == CellState::kHung;
    unexpected += cell.state == CellState::kUnexpected;
  }
  std::string Text() const {
    if (cells == 0) return "-";
    return absl::StrCat(accepted, "/", cells, misread > 0 ? " M" : "",
                        crashed > 0 ? " C" : "", unexpected > 0 ? " U" : "");
  }
  absl::string_view Color() const {
    if (misread + crashed + unexpected > 0) return kRed;
    return accepted == cells ? kGreen : kYellow;
  }
};

class Table {
 public:
  // `versions` in the order in which rows and columns are to stand; those
  // without cells are not printed, others follow.
  Table(std::string title, const std::vector<std::string>& versions, bool color)
      : title_(std::move(title)),
        color_(color),
        rows_(versions),
        columns_(versions),
        sums_(versions.size()) {}

  void Add(const ModuleCells& module, const Cell& cell) {
    const size_t row = IndexOf(module.writer(cell), &rows_);
    const size_t column = IndexOf(module.reader(cell), &columns_);
    sums_.resize(std::max(sums_.size(), rows_.size()));
    std::vector<Sum>& sums = sums_[row];
    sums.resize(std::max(sums.size(), columns_.size()));
    sums[column].Add(cell);
  }

  std::string Text() const {
    size_t first = std::string("writer").size();
    for (const std::string& row : rows_) first = std::max(first, row.size());
    std::vector<size_t> widths;
    std::vector<size_t> shown;  // columns
    for (size_t c = 0; c < columns_.size(); ++c) {
      size_t width = columns_[c].size();
      uint64_t cells = 0;
      for (const std::vector<Sum>& sums : sums_) {
        width = std::max(width, At(sums, c).Text().size());
        cells += At(sums, c).cells;
      }
      if (cells == 0) continue;
      shown.push_back(c);
      widths.push_back(width);
    }
    std::string text = absl::StrCat(title_, "\n");
    absl::StrAppend(&text, Padded("writer", first), " | reader\n",
                    std::string(first, ' '), " |");
    for (size_t i = 0; i < shown.size(); ++i) {
      absl::StrAppend(&text, " ", Padded(columns_[shown[i]], widths[i]));
    }
    TrimAndEnd(&text);
    absl::StrAppend(&text, std::string(first + 1, '-'), "+");
    for (const size_t width : widths) {
      absl::StrAppend(&text, std::string(width + 1, '-'));
    }
    absl::StrAppend(&text, "\n");
    for (size_t r = 0; r < rows_.size(); ++r) {
      if (sums_[r].empty()) continue;
      absl::StrAppend(&text, Padded(rows_[r], first), " |");
      for (size_t i = 0; i < shown.size(); ++i) {
        const Sum sum = At(sums_[r], shown[i]);
        const std::string field = Padded(sum.Text(), widths[i]);
        if (color_ && sum.cells > 0) {
          absl::StrAppend(&text, " ", sum.Color(), field, kReset);
        } else {
          absl::StrAppend(&text, " ", field);
        }
      }
      TrimAndEnd(&text);
    }
    return text;
  }

 private:
  static size_t IndexOf(const std::string& name,
                        std::vector<std::string>* names) {
    const auto it = std::find(names->begin(), names->end(), name);
    if (it != names->end()) return static_cast<size_t>(it - names->begin());
    names->push_back(name);
    return names->size() - 1;
  }
  static Sum At(const std::vector<Sum>& sums, size_t column) {
    return column < sums.size() ? sums[column] : Sum();
  }
  static std::string Padded(absl::string_view text, size_t width) {
    std::string padded(text);
    padded.resize(std::max(width, padded.size()), ' ');
    return padded;
  }
  static void TrimAndEnd(std::string* text) {
    while (!text->empty() && text->back() == ' ') text->pop_back();
    *text += '\n';
  }

  std::string title_;
  bool color_;
  std::vector<std::string> rows_;
  std::vector<std::string> columns_;
  std::vector<std::vector<Sum>> sums_;
};

std::string Title(const RunNames& names, const ModuleCells& module,
                  const Cell& cell) {
  return absl::StrCat(
      module.history->group,
      cell.for_target ? ": accepted when written for the reader's version"
                      : ": modules accepted",
      names.testees.size() > 1 ? absl::StrCat(", ", names.testees[cell.testee])
                               : "");
}

}  // namespace

std::string GridText(const MatrixResult& result, const GridOptions& options) {
  std::vector<std::string> titles;
  std::vector<Table> tables;
  for (const ModuleCells& module : result.modules) {
    for (const Cell& cell : module.cells) {
      const std::string title = Title(result.names, module, cell);
      const auto it = std::find(titles.begin(), titles.end(), title);
      const size_t index = static_cast<size_t>(it - titles.begin());
      if (it == titles.end()) {
        titles.push_back(title);
        tables.emplace_back(title, module.history->versions, options.color);
      }
      tables[index].Add(module, cell);
    }
  }
  std::string text;
  for (const Table& table : tables) absl::StrAppend(&text, table.Text(), "\n");

  const MatrixSummary& summary = result.summary;
  absl::StrAppend(&text, summary.cells, " cells: ", summary.accepted,
                  " accepted, ", summary.refused, " refused, ", summary.misread,
                  " misread, ", summary.crashed, " crashed, ",
                  summary.unexpected, " unexpected\n");
  for (const ModuleCells& module : result.modules) {
    for (const Cell& cell : module.cells) {
      if (IsGood(cell.state)) continue;
      const CellOutcome& outcome = module.outcome(cell);
      absl::StrAppend(&text, CellStateName(cell.state), ": ", module.module,
                      " ", module.history->name, " ", module.writer(cell),
                      " -> ", module.reader(cell),
                      cell.for_target ? " (as target)" : "", ": ",
                      outcome.detail, "\n");
      for (const Reason& reason : outcome.reasons) {
        absl::StrAppend(&text, "  ", reason.message, "\n");
      }
    }
  }
  return text;
}

}  // namespace opcompat
