#include "compat_matrix/reports/markdown_report.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "compat_matrix/reports/grid.h"
#include "compat_matrix/reports/plain_text.h"
#include "compat_matrix/reports/result_database.h"
#include "compat_matrix/result.h"

namespace opcompat {
namespace {

// Shares of the whole; what remains is for headings and notes.
constexpr size_t kMostChanges = 200 * 1000;
constexpr size_t kMostGone = 50 * 1000;
constexpr size_t kMostTables = 350 * 1000;
constexpr size_t kMostBadCells = 350 * 1000;

// A block that is shown as it is. The fence is longer than any in `text`.
std::string Fenced(absl::string_view text) {
  size_t longest = 2;
  size_t row = 0;
  for (const char c : text) {
    row = c == '`' ? row + 1 : 0;
    longest = std::max(longest, row);
  }
  const std::string fence(longest + 1, '`');
  return absl::StrCat(fence, "text\n", text,
                      text.empty() || text.back() == '\n' ? "" : "\n", fence,
                      "\n");
}

// The whole lines of `text` that fit, and a note if some do not.
std::string FencedUpTo(absl::string_view text, size_t most) {
  if (text.size() <= most) return Fenced(text);
  const size_t end = text.rfind('\n', most);
  const size_t kept = end == absl::string_view::npos ? 0 : end + 1;
  return absl::StrCat(Fenced(text.substr(0, kept)), "\n", text.size() - kept,
                      " more bytes are left out here; the JSON report and the "
                      "HTML page have them.\n");
}

// A name within a sentence.
std::string Code(absl::string_view name) {
  return absl::StrCat(
      "<code>",
      absl::StrReplaceAll(Shortened(PlainLine(name), 200), {{"&", "&amp;"},
                                                            {"<", "&lt;"},
                                                            {">", "&gt;"},
                                                            {"*", "&#42;"},
                                                            {"_", "&#95;"},
                                                            {"`", "&#96;"},
                                                            {"[", "&#91;"},
                                                            {"|", "&#124;"},
                                                            {"\\", "&#92;"},
                                                            {"~", "&#126;"}}),
      "</code>");
}

GridOptions ForMarkdown() {
  GridOptions options;
  options.most_cells = 1000;
  return options;
}

}  // namespace

MarkdownReport::MarkdownReport(RunNames names, RunInfo run,
                               const DatabaseReport* database, ByteSink* sink)
    : names_(names),
      run_(std::move(run)),
      database_(database),
      sink_(*sink),
      grid_(std::move(names), ForMarkdown()) {}

absl::Status MarkdownReport::Add(const ModuleCells& module) {
  if (database_ != nullptr) AddChanges(module);
  return grid_.Add(module);
}

void MarkdownReport::AddChanges(const ModuleCells& module) {
  for (size_t c = 0; c < module.cells.size(); ++c) {
    // One line too many tells FencedUpTo that there are more.
    if (changes_.size() > kMostChanges) return;
    const absl::optional<EarlierState>& earlier = database_->earlier()[c];
    const Cell& cell = module.cells[c];
    if (!earlier.has_value() || earlier->state == cell.state) continue;
    absl::StrAppend(&changes_, CellStateName(earlier->state), " -> ",
                    CellStateName(cell.state), ": ",
                    CellName(names_, module, cell), "\n");
  }
}

absl::Status MarkdownReport::Finish(const MatrixSummary& summary) {
  std::string text = absl::StrCat(
      "# Compatibility matrix: ", summary.good() ? "good" : "not good", "\n\n");
  // A run that nobody gave a name is called by its time.
  const std::string time = TimeText(run_.time);
  if (run_.name == time) {
    absl::StrAppend(&text, "Run of ", time, ".\n\n");
  } else if (!run_.name.empty()) {
    absl::StrAppend(&text, "Run ", Code(run_.name), ", ", time, ".\n\n");
  }
  absl::StrAppend(
      &text,
      "| cells | accepted | identical | refused | misread | crashed | hung | "
      "unexpected |\n|--:|--:|--:|--:|--:|--:|--:|--:|\n| ",
      summary.cells, " | ", summary.accepted, " | ", summary.identical, " | ",
      summary.refused, " | ", summary.misread, " | ", summary.crashed, " | ",
      summary.hung, " | ", summary.unexpected, " |\n");
  if (const std::string bad = grid_.BadCells(); !bad.empty()) {
    absl::StrAppend(&text, "\n## Misread, crashed or unexpected\n\n",
                    FencedUpTo(bad, kMostBadCells));
  }
  if (database_ != nullptr && !database_->stored()) {
    absl::StrAppend(&text, "\nThis run could not be stored.\n");
  } else if (database_ != nullptr) {
    const RunChanges& changes = database_->changes();
    if (!changes.last.has_value()) {
      absl::StrAppend(&text, "\nThis is the first run that is stored.\n");
    } else {
      absl::StrAppend(&text, "\n## Since run ", Code(changes.last->info.name),
                      "\n\nCells that changed their state: ", changes.changed,
                      "; new cells: ", changes.fresh,
                      "; cells that this run does not have: ",
                      changes.vanished,
                      "; modules that did not run: ", changes.gone.size(),
                      ".\n");
      if (!changes_.empty()) {
        absl::StrAppend(&text, "\n", FencedUpTo(changes_, kMostChanges));
      }
      std::string gone;
      for (const std::string& module : changes.gone) {
        if (gone.size() > kMostGone) break;
        absl::StrAppend(&gone, "did not run: ", module, "\n");
      }
      if (!gone.empty()) {
        absl::StrAppend(&text, "\n", FencedUpTo(gone, kMostGone));
      }
    }
  }
  absl::StrAppend(&text, "\n## Grid\n\n",
                  FencedUpTo(grid_.Tables(), kMostTables));
  return sink_.Append(Shortened(text, kMostMarkdownBytes - 8));
}

}  // namespace opcompat
