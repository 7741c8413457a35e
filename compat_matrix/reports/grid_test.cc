#include "compat_matrix/reports/grid.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "compat_matrix/reports/report.h"
#include "compat_matrix/reports/testing.h"
#include "compat_matrix/result.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

using testing::HasSubstr;
using testing::Not;

// One module over versions with ids of `length` bytes, all cells identical but
// the last, which is refused.
MatrixResult Square(size_t versions, size_t length, uint64_t modules = 1) {
  MatrixResult result;
  result.names.testees = {"in-process"};
  std::vector<std::string> ids;
  for (size_t v = 0; v < versions; ++v) {
    std::string id = absl::StrCat(v);
    id.insert(0, length - std::min(length, id.size()), 'v');
    ids.push_back(id);
  }
  const auto history = MakeHistory("h", "h", ids);
  for (uint64_t m = 0; m < modules; ++m) {
    ModuleCells module;
    module.history = history;
    module.module = absl::StrCat("m", m);
    for (size_t w = 0; w < versions; ++w) {
      for (size_t r = 0; r < versions; ++r) {
        AddCell(w, r,
                w == 0 && r + 1 == versions ? CellState::kRefused
                                            : CellState::kIdentical,
                false, &module);
      }
    }
    result.modules.push_back(std::move(module));
  }
  result.summary = SummaryOf(result);
  return result;
}

std::vector<std::string> Lines(const std::string& text) {
  return absl::StrSplit(text, '\n');
}

TEST(Grid, NoLineIsWiderThanAsked) {
  for (const size_t width : {80, 60, 120}) {
    for (size_t versions = 1; versions <= 40;
         versions += width == 80 ? 1 : 13) {
      for (const size_t length : {1, 5, 12, 60}) {
        GridOptions options;
        options.width = width;
        const MatrixResult result = Square(versions, length);
        GridReport report(result.names, options);
        ASSERT_TRUE(WriteReport(result, &report).ok());
        for (const std::string& line : Lines(report.Tables())) {
          // What letters mean is said in 80 columns.
          if (line.find(", ") != std::string::npos && width < 80) continue;
          EXPECT_LE(line.size(), width) << versions << " of " << length;
        }
      }
    }
  }
}

TEST(Grid, ThirtyVersionsAreOneTableOfEightyColumns) {
  const std::vector<std::string> lines = Lines(GridText(Square(30, 7), {}));
  EXPECT_EQ(lines[1], "writer     | reader");
  EXPECT_EQ(
      lines[2],
      "           |                   1 1 1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 "
      "2 2 3");
  EXPECT_EQ(
      lines[3],
      "           | 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 "
      "8 9 0");
  EXPECT_EQ(
      lines[5],
      " 1 vvvvvv0 | . . . . . . . . . . . . . . . . . . . . . . . . . . . "
      ". . R");
  EXPECT_EQ(lines[34].substr(0, 14), "30 vvvvv29 | .");
}

TEST(Grid, EveryCellIsInSomeBlock) {
  // 40 ids of 28 characters: columns in two blocks.
  size_t letters = 0;
  for (const std::string& line : Lines(GridText(Square(40, 60), {}))) {
    const size_t bar = line.find(" | ");
    if (bar == std::string::npos) continue;
    for (const char c : line.substr(bar)) letters += c == '.' || c == 'R';
  }
  EXPECT_EQ(letters, 40u * 40u);
}

TEST(Grid, FewVersionsHaveCounts) {
  EXPECT_THAT(GridText(Square(3, 3, 12), {}), HasSubstr(R"(writer | reader
       | vv0   vv1   vv2
-------+------------------
vv0    | 12/12 12/12 0/12
vv1    | 12/12 12/12 12/12
)"));
}

TEST(Grid, TheWorstOfAFieldIsItsLetter) {
  GridOptions narrow;
  narrow.width = 40;
  const std::vector<std::pair<std::vector<CellState>, char>> rows = {
      {{CellState::kIdentical}, '.'},
      {{CellState::kIdentical, CellState::kAdapted}, 'A'},
      {{CellState::kIdentical, CellState::kRefused}, 'a'},
      {{CellState::kRefused}, 'R'},
      {{CellState::kIdentical, CellState::kUnexpected}, 'U'},
      {{CellState::kUnexpected, CellState::kHung}, 'H'},
      {{CellState::kHung, CellState::kCrashed}, 'C'},
      {{CellState::kCrashed, CellState::kMisread}, 'M'},
  };
  for (const auto& [states, letter] : rows) {
    MatrixResult result;
    result.names.testees = {"in-process"};
    const auto history = MakeHistory("h", "h", {std::string(50, 'v'), "other"});
    for (const CellState state : states) {
      ModuleCells module;
      module.history = history;
      AddCell(0, 0, state, false, &module);
      result.modules.push_back(std::move(module));
    }
    EXPECT_THAT(GridText(result, narrow),
                HasSubstr(absl::StrCat("vv | ", std::string(1, letter), "\n")))
        << letter;
  }
}

TEST(Grid, HistoriesOfOneGroupAreOneTable) {
  const std::string text = GridText(EveryState(), {});
  EXPECT_THAT(text, HasSubstr("simulated: modules accepted, in-process"));
  EXPECT_THAT(text, Not(HasSubstr("simulated 1: modules")));
}

TEST(Grid, BadCellsAreToldOnOneLineEachUpToALimit) {
  GridOptions options;
  options.most_cells = 2;
  const MatrixResult result = EveryState();
  GridReport report(result.names, options);
  ASSERT_TRUE(WriteReport(result, &report).ok());
  const std::vector<std::string> lines = Lines(report.BadCells());
  // Two cells, the first with a reason, the rest, and the end.
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_TRUE(absl::StartsWith(lines[0], "unexpected: nasty/"));
  EXPECT_TRUE(absl::StartsWith(lines[1], "  \"q\""));
  EXPECT_TRUE(absl::StartsWith(lines[2], "misread: nasty/"));
  EXPECT_EQ(lines[3], "and 2 more such cells");
  EXPECT_THAT(report.text(), Not(HasSubstr("\x1b")));
}

TEST(Grid, ColoursChangeNoText) {
  GridOptions options;
  options.color = true;
  std::string text = GridText(EveryState(), options);
  EXPECT_THAT(text, HasSubstr("\x1b[31m"));
  for (size_t from = text.find('\x1b'); from != std::string::npos;
       from = text.find('\x1b')) {
    text.erase(from, text.find('m', from) - from + 1);
  }
  // But for spaces at the end of lines, which stay when they have a colour.
  std::string plain = GridText(EveryState(), {});
  for (std::string* each : {&text, &plain}) {
    std::vector<std::string> lines = Lines(*each);
    each->clear();
    for (const std::string& line : lines) {
      absl::StrAppend(each, line.substr(0, line.find_last_not_of(' ') + 1),
                      "\n");
    }
  }
  EXPECT_EQ(text, plain);
}

}  // namespace
}  // namespace opcompat
