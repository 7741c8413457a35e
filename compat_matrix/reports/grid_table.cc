#include "compat_matrix/reports/grid_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/reports/plain_text.h"
#include "compat_matrix/result.h"

namespace opcompat {
namespace {

constexpr absl::string_view kRed = "\x1b[31m";
constexpr absl::string_view kGreen = "\x1b[32m";
constexpr absl::string_view kYellow = "\x1b[33m";
constexpr absl::string_view kReset = "\x1b[0m";

// Longer version ids are cut where a table has letters: the room is for cells.
constexpr size_t kLongestLabel = 28;

absl::string_view ColorOf(const GridSum& sum) {
  if (!sum.good()) return kRed;
  return sum.accepted == sum.cells ? kGreen : kYellow;
}

std::string Colored(const std::string& field, const GridSum& sum, bool color) {
  if (!color || sum.cells == 0) return field;
  return absl::StrCat(ColorOf(sum), field, kReset);
}

bool ContinuesCharacter(char byte) {
  return (static_cast<uint8_t>(byte) & 0xc0) == 0x80;
}

// How many columns of a terminal `text` takes, or nearly so.
size_t Width(absl::string_view text) {
  return text.size() - static_cast<size_t>(std::count_if(
                           text.begin(), text.end(), ContinuesCharacter));
}

std::string Padded(absl::string_view text, size_t width) {
  std::string padded(text);
  padded.append(width - std::min(width, Width(text)), ' ');
  return padded;
}

// The first `characters` of `text`.
absl::string_view Head(absl::string_view text, size_t characters) {
  size_t end = 0;
  while (end < text.size() &&
         (characters > 0 || ContinuesCharacter(text[end]))) {
    if (!ContinuesCharacter(text[end])) --characters;
    ++end;
  }
  return text.substr(0, end);
}

// Keeps the end too, which tells nightly builds apart.
std::string Cut(const std::string& text, size_t width) {
  const size_t all = Width(text);
  if (all <= width) return text;
  const size_t tail = (width - 2) / 2;
  return absl::StrCat(Head(text, width - 2 - tail), "..",
                      text.substr(Head(text, all - tail).size()));
}

void TrimAndEnd(std::string* text) {
  while (!text->empty() && text->back() == ' ') text->pop_back();
  *text += '\n';
}

}  // namespace

void GridSum::Add(const Cell& cell) {
  ++cells;
  accepted += cell.accepted && cell.state != CellState::kMisread;
  identical += cell.state == CellState::kIdentical;
  misread += cell.state == CellState::kMisread;
  crashed += cell.state == CellState::kCrashed;
  hung += cell.state == CellState::kHung;
  unexpected += cell.state == CellState::kUnexpected;
}

std::string GridSum::Counts() const {
  if (cells == 0) return "-";
  return absl::StrCat(accepted, "/", cells, misread > 0 ? " M" : "",
                      crashed > 0 ? " C" : "", hung > 0 ? " H" : "",
                      unexpected > 0 ? " U" : "");
}

char GridSum::Letter() const {
  if (cells == 0) return '-';
  if (misread > 0) return 'M';
  if (crashed > 0) return 'C';
  if (hung > 0) return 'H';
  if (unexpected > 0) return 'U';
  if (identical == cells) return '.';
  if (accepted == cells) return 'A';
  return accepted > 0 ? 'a' : 'R';
}

GridTable::GridTable(std::string title,
                     const std::vector<std::string>& versions)
    : title_(std::move(title)) {
  for (const std::string& version : versions) IndexOf(version);
}

size_t GridTable::IndexOf(const std::string& version) {
  const auto [it, is_new] = indices_.try_emplace(version, versions_.size());
  if (is_new) versions_.push_back(version);
  return it->second;
}

void GridTable::Add(const ModuleCells& module, const Cell& cell) {
  const size_t row = IndexOf(module.writer(cell));
  const size_t column = IndexOf(module.reader(cell));
  sums_.resize(std::max(sums_.size(), row + 1));
  std::vector<GridSum>& sums = sums_[row];
  sums.resize(std::max(sums.size(), column + 1));
  sums[column].Add(cell);
}

GridSum GridTable::At(size_t row, size_t column) const {
  if (row >= sums_.size() || column >= sums_[row].size()) return GridSum();
  return sums_[row][column];
}

GridTable::Shown GridTable::FindShown() const {
  Shown shown;
  std::vector<bool> has_cells(versions_.size(), false);
  for (size_t r = 0; r < sums_.size(); ++r) {
    if (!sums_[r].empty()) shown.rows.push_back(r);
    for (size_t c = 0; c < sums_[r].size(); ++c) {
      if (sums_[r][c].cells > 0) has_cells[c] = true;
    }
  }
  for (size_t c = 0; c < has_cells.size(); ++c) {
    if (has_cells[c]) shown.columns.push_back(c);
  }
  return shown;
}

std::string GridTable::WithCounts(const Shown& shown, size_t width,
                                  bool color) const {
  size_t first = std::string("writer").size();
  for (const size_t r : shown.rows) {
    first = std::max(first, Width(PlainLine(versions_[r])));
  }
  std::vector<size_t> widths;
  size_t all = first + 2;
  for (const size_t c : shown.columns) {
    size_t column = Width(PlainLine(versions_[c]));
    for (const size_t r : shown.rows) {
      column = std::max(column, At(r, c).Counts().size());
    }
    widths.push_back(column);
    all += column + 1;
  }
  if (all > width) return "";
  std::string text = absl::StrCat(Padded("writer", first), " | reader\n",
                                  std::string(first, ' '), " |");
  for (size_t i = 0; i < shown.columns.size(); ++i) {
    absl::StrAppend(&text, " ",
                    Padded(PlainLine(versions_[shown.columns[i]]), widths[i]));
  }
  TrimAndEnd(&text);
  absl::StrAppend(&text, std::string(first + 1, '-'), "+");
  for (const size_t column : widths) {
    absl::StrAppend(&text, std::string(column + 1, '-'));
  }
  absl::StrAppend(&text, "\n");
  for (const size_t r : shown.rows) {
    absl::StrAppend(&text, Padded(PlainLine(versions_[r]), first), " |");
    for (size_t i = 0; i < shown.columns.size(); ++i) {
      const GridSum sum = At(r, shown.columns[i]);
      absl::StrAppend(&text, " ",
                      Colored(Padded(sum.Counts(), widths[i]), sum, color));
    }
    TrimAndEnd(&text);
  }
  return text;
}

std::string GridTable::WithLetters(const Shown& shown, size_t width,
                                   bool color) const {
  // Rows and columns have the same numbers: those of the versions that occur
  // as either, from 1.
  std::vector<size_t> listed = shown.rows;
  listed.insert(listed.end(), shown.columns.begin(), shown.columns.end());
  std::sort(listed.begin(), listed.end());
  listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
  const auto number = [&](size_t version) {
    return static_cast<size_t>(
               std::lower_bound(listed.begin(), listed.end(), version) -
               listed.begin()) +
           1;
  };
  const size_t digits = absl::StrCat(listed.size()).size();
  size_t longest = std::string("writer").size();
  for (const size_t v : listed) {
    longest =
        std::max(longest, Width(Cut(PlainLine(versions_[v]), kLongestLabel)));
  }
  const size_t first = digits + 1 + longest;
  const size_t room = width > first + 4 ? (width - first - 2) / 2 : 1;
  const std::string left = std::string(first, ' ');
  std::string text;
  for (size_t from = 0; from < shown.columns.size(); from += room) {
    const size_t to = std::min(from + room, shown.columns.size());
    if (from > 0) absl::StrAppend(&text, "\n");
    absl::StrAppend(&text, Padded("writer", first), " | reader\n");
    for (size_t digit = 0; digit < digits; ++digit) {
      absl::StrAppend(&text, left, " |");
      for (size_t i = from; i < to; ++i) {
        std::string spelled = absl::StrCat(number(shown.columns[i]));
        spelled.insert(0, digits - spelled.size(), ' ');
        absl::StrAppend(&text, " ", spelled.substr(digit, 1));
      }
      TrimAndEnd(&text);
    }
    absl::StrAppend(&text, std::string(first + 1, '-'), "+",
                    std::string(2 * (to - from), '-'), "\n");
    for (const size_t v : listed) {
      // A version that reads only is listed for its number.
      std::string spelled = absl::StrCat(number(v));
      spelled.insert(0, digits - spelled.size(), ' ');
      absl::StrAppend(
          &text, spelled, " ",
          Padded(Cut(PlainLine(versions_[v]), kLongestLabel), longest), " |");
      for (size_t i = from; i < to; ++i) {
        const GridSum sum = At(v, shown.columns[i]);
        absl::StrAppend(&text, " ",
                        Colored(std::string(1, sum.Letter()), sum, color));
      }
      TrimAndEnd(&text);
    }
  }
  return text;
}

std::string GridTable::Text(size_t width, bool color, bool* letters) const {
  const Shown shown = FindShown();
  std::string table = WithCounts(shown, width, color);
  if (table.empty()) {
    *letters = true;
    table = WithLetters(shown, width, color);
  }
  return absl::StrCat(title_, "\n", table);
}

}  // namespace opcompat
