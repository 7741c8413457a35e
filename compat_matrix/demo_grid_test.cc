// Holds the oracle to opsets/demo/expected_grid.txt, which people worked out
// from docs/compatibility.md: every module, writer, and reader or target.
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "compat_matrix/oracle/oracle.h"
#include "compat_matrix/oracle/testing.h"
#include "gtest/gtest.h"
#include "ir/text/history_loader.h"
#include "ir/text/module_parser.h"
#include "schema/history.h"

namespace opcompat {
namespace {

constexpr char kDemo[] = "opsets/demo/";

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Reasons as the grid spells them: `code operator argument`.
using Reasons = std::set<std::string>;

struct Grid {
  std::vector<std::string> readers;
  std::vector<std::string> modules;
  // By (module, writer), then by reader.
  std::map<std::pair<std::string, std::string>, std::vector<Reasons>> readings;
  std::map<std::pair<std::string, std::string>, std::vector<Reasons>> targets;
};

// A row whose letters are not told yet.
struct Row {
  std::string writer;
  bool is_target;
  std::vector<std::string> cells;
};

void EndModule(const std::string& module, const std::vector<Row>& rows,
               const std::map<char, std::string>& legend, Grid* grid) {
  std::set<char> used;
  for (const Row& row : rows) {
    std::vector<Reasons> cells;
    for (const std::string& cell : row.cells) {
      Reasons reasons;
      for (const char letter : cell == "." ? "" : cell) {
        const auto found = legend.find(letter);
        ASSERT_TRUE(found != legend.end()) << module << ": " << letter;
        reasons.insert(found->second);
        used.insert(letter);
      }
      cells.push_back(std::move(reasons));
    }
    ASSERT_EQ(cells.size(), grid->readers.size())
        << module << " " << row.writer;
    auto& rows_of_kind = row.is_target ? grid->targets : grid->readings;
    ASSERT_TRUE(
        rows_of_kind.emplace(std::make_pair(module, row.writer), cells).second)
        << module << " " << row.writer << ": twice";
  }
  ASSERT_EQ(used.size(), legend.size())
      << module << ": a reason without a cell";
}

Grid ReadGrid() {
  Grid grid;
  std::string module;
  std::vector<Row> rows;
  std::map<char, std::string> legend;
  const auto end_module = [&] {
    if (!module.empty()) EndModule(module, rows, legend, &grid);
    rows.clear();
    legend.clear();
  };
  for (const absl::string_view line : absl::StrSplit(
           ReadFile(absl::StrCat(kDemo, "expected_grid.txt")), '\n')) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> words =
        absl::StrSplit(line, ' ', absl::SkipWhitespace());
    if (words[0] == "readers") {
      grid.readers.assign(words.begin() + 1, words.end());
    } else if (line[0] != ' ') {
      end_module();
      module = words[0];
      grid.modules.push_back(module);
    } else if (words.size() > 2 && words[1] == "=") {
      legend[words[0][0]] = absl::StrJoin(words.begin() + 2, words.end(), " ");
    } else {
      Row row{words[0], words[1] == "target", {}};
      row.cells.assign(words.begin() + (row.is_target ? 2 : 1), words.end());
      rows.push_back(std::move(row));
    }
  }
  end_module();
  return grid;
}

class DemoGridTest : public testing::Test {
 protected:
  DemoGridTest() {
    absl::StatusOr<std::shared_ptr<const OpsetHistory>> history =
        LoadHistoryOrError(kDemo);
    EXPECT_TRUE(history.ok()) << history.status();
    if (history.ok()) history_ = *std::move(history);
  }

  // The versions that `text` is written at, with the modules.
  std::map<std::string, Module> Written(const std::string& text) {
    std::map<std::string, Module> written;
    const std::vector<OpsetVersion> opsets = ReadOpsetLines(text);
    for (const Opset& opset : history_->versions()) {
      if (!opsets.empty() && opsets[0].version != opset.version()) continue;
      absl::StatusOr<Module> module =
          ParseModule(text, oracle::RuntimeAt(*history_, opset.version()));
      if (module.ok()) {
        written.emplace(opset.version(), *std::move(module));
      } else {
        EXPECT_TRUE(opsets.empty()) << module.status();
      }
    }
    return written;
  }

  std::shared_ptr<const OpsetHistory> history_;
};

Reasons ReasonsOf(const Prediction& prediction) {
  Reasons reasons;
  for (const Prediction::Refusal& refusal : prediction.refusals) {
    reasons.insert(std::string(absl::StripSuffix(
        absl::StrCat(refusal.code, " ", refusal.op, " ", refusal.argument),
        " ")));
  }
  EXPECT_EQ(prediction.accepted, reasons.empty());
  return reasons;
}

TEST_F(DemoGridTest, EveryCellIsAsWorkedOutByHand) {
  ASSERT_NE(history_, nullptr);
  const Grid grid = ReadGrid();
  ASSERT_EQ(grid.readers.size(), history_->versions().size());
  size_t rows = 0;
  for (const std::string& name : grid.modules) {
    const std::string text =
        ReadFile(absl::StrCat(kDemo, "modules/", name, ".graph"));
    const std::map<std::string, Module> written = Written(text);
    for (const auto& [writer_id, module] : written) {
      SCOPED_TRACE(absl::StrCat(name, " written at ", writer_id));
      const auto key = std::make_pair(name, writer_id);
      const auto reading = grid.readings.find(key);
      ASSERT_TRUE(reading != grid.readings.end()) << "no row in the grid";
      ++rows;
      const auto target = grid.targets.find(key);
      const std::vector<Reasons>& target_row =
          target != grid.targets.end() ? target->second : reading->second;
      const Runtime writer = oracle::RuntimeAt(*history_, writer_id);
      for (size_t i = 0; i < grid.readers.size(); ++i) {
        SCOPED_TRACE(absl::StrCat("read at ", grid.readers[i]));
        const Runtime reader = oracle::RuntimeAt(*history_, grid.readers[i]);
        EXPECT_EQ(ReasonsOf(Predict(module, writer, reader)),
                  reading->second[i]);
        EXPECT_EQ(ReasonsOf(Predict(module, writer, reader, true)),
                  target_row[i])
            << "as a target";
      }
    }
  }
  EXPECT_EQ(rows, grid.readings.size()) << "rows that nothing is written for";
}

// A module that nobody listed would go unjudged.
TEST_F(DemoGridTest, EveryModuleIsInTheGrid) {
  const Grid grid = ReadGrid();
  const std::set<std::string> in_grid(grid.modules.begin(), grid.modules.end());
  EXPECT_EQ(in_grid.size(), grid.modules.size()) << "a module twice";
  std::set<std::string> files;
  for (const auto& file :
       std::filesystem::directory_iterator(absl::StrCat(kDemo, "modules"))) {
    files.insert(file.path().stem().string());
  }
  EXPECT_EQ(files, in_grid);
}

}  // namespace
}  // namespace opcompat
