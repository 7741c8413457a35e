// Shards put together are the whole run, by way of their reports.
#include "compat_matrix/merge_shards.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_matchers.h"
#include "compat_matrix/matrix.h"
#include "compat_matrix/modules_for_testing.h"
#include "compat_matrix/reports/json_report.h"
#include "compat_matrix/reports/json_results.h"
#include "compat_matrix/result.h"
#include "compat_matrix/run_units.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/text/history_loader.h"
#include "nlohmann/json.hpp"

namespace opcompat {
namespace {

using ::testing::HasSubstr;

// The JSON report of the demo's run, or of a part of it.
std::string RunDemo(Shard shard) {
  MatrixOptions options;
  options.histories = {*LoadHistoryOrError("opsets/demo")};
  options.modules = ModulesIn("opsets/demo/modules");
  options.modules.resize(12);
  options.writers = {"1.0", "1.3"};
  RunOptions run;
  run.shard = shard;
  absl::StatusOr<MatrixResult> result = RunMatrix(options, run);
  EXPECT_THAT(result, IsOk());
  result->names.part.run = "0123";
  return JsonText(MatrixToJson(*result));
}

absl::StatusOr<MatrixResult> Merge(const std::vector<std::string>& reports) {
  std::vector<ShardResult> shards;
  for (size_t i = 0; i < reports.size(); ++i) {
    absl::StatusOr<MatrixResult> result = ReadMatrixJson(reports[i]);
    EXPECT_THAT(result, IsOk());
    shards.push_back({absl::StrCat(i, ".json"), *std::move(result)});
  }
  return MergeShards(std::move(shards));
}

TEST(MergeShards, TheWholeRunComesOutByteForByte) {
  const std::string whole = RunDemo({0, 1});
  std::vector<std::string> shards;
  for (uint32_t i = 0; i < 3; ++i) shards.push_back(RunDemo({i, 3}));
  // In any order.
  std::swap(shards[0], shards[2]);
  const absl::StatusOr<MatrixResult> merged = Merge(shards);
  ASSERT_THAT(merged, IsOk());
  EXPECT_GT(merged->summary.cells, 50u);
  EXPECT_EQ(JsonText(MatrixToJson(*merged)), whole);
  // Of one shard, too.
  const absl::StatusOr<MatrixResult> alone = Merge({whole});
  ASSERT_THAT(alone, IsOk());
  EXPECT_EQ(JsonText(MatrixToJson(*alone)), whole);
}

TEST(MergeShards, OnlyAllShardsOfOneRunAreTaken) {
  const std::string first = RunDemo({0, 3});
  const std::string second = RunDemo({1, 3});
  EXPECT_THAT(Merge({}), StatusIs(absl::StatusCode::kInvalidArgument,
                                  HasSubstr("nothing to merge")));
  EXPECT_THAT(Merge({second}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("of 3 shards there are 1; missing: 1, 3")));
  EXPECT_THAT(Merge({first, second, first}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("0.json and 2.json: both are shard 1")));
  EXPECT_THAT(Merge({first, RunDemo({1, 2})}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("one is of 3 shards, the other of 2")));
  nlohmann::ordered_json other = nlohmann::ordered_json::parse(second);
  other["run"]["id"] = "4567";
  EXPECT_THAT(Merge({first, JsonText(other)}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("different runs")));
  other["run"]["id"] = "0123";
  other["testees"].push_back("old");
  EXPECT_THAT(Merge({first, JsonText(other)}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("different testees")));
}

// Whatever is wrong with a file is an error that says where.
TEST(ReadMatrixJson, ADamagedReportIsAnError) {
  EXPECT_THAT(ReadMatrixJson(""), StatusIs(absl::StatusCode::kInvalidArgument,
                                           HasSubstr("this is no JSON")));
  EXPECT_THAT(ReadMatrixJson("[]"), StatusIs(absl::StatusCode::kInvalidArgument,
                                             HasSubstr("expected an object")));
  const std::string good = RunDemo({0, 3});
  EXPECT_THAT(ReadMatrixJson(good.substr(0, good.size() / 2)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("this is no JSON")));
  // Each field of a cell, and of the document, gone or of another type.
  using nlohmann::ordered_json;
  const ordered_json document = ordered_json::parse(good);
  for (const char* field : {"schema", "run"}) {
    ordered_json damaged = document;
    damaged[field] = "x";
    EXPECT_THAT(ReadMatrixJson(JsonText(damaged)),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(field)));
  }
  for (const char* field :
       {"of_module", "module", "history", "writer", "reader", "testee",
        "predicted", "outcome", "state", "reasons"}) {
    for (const bool is_gone : {false, true}) {
      ordered_json damaged = document;
      ordered_json& cell = damaged["cells"][0];
      if (is_gone) {
        cell.erase(field);
      } else {
        cell[field] = 7;
      }
      EXPECT_THAT(
          ReadMatrixJson(JsonText(damaged)),
          StatusIs(absl::StatusCode::kInvalidArgument,
                   testing::AllOf(HasSubstr("cell 1: "), HasSubstr(field))));
    }
  }
  ordered_json damaged = document;
  damaged["cells"][1] = 7;
  EXPECT_THAT(
      ReadMatrixJson(JsonText(damaged)),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("cell 2: ")));
  damaged = document;
  damaged["cells"][0]["reader"] = "99";
  EXPECT_THAT(ReadMatrixJson(JsonText(damaged)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("a version of the history")));
}

// A report that lost something on its way is not taken for a whole one.
TEST(ReadMatrixJson, AReportWithoutAllItsCellsIsAnError) {
  using nlohmann::ordered_json;
  const ordered_json document = ordered_json::parse(RunDemo({0, 3}));
  const size_t last = document["cells"].size() - 1;
  ordered_json damaged = document;
  damaged["cells"].erase(last);
  EXPECT_THAT(ReadMatrixJson(JsonText(damaged)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       testing::AllOf(HasSubstr("cells, expected "),
                                      HasSubstr("\"of_module\" says"))));
  // Even if the summary was counted anew.
  damaged["summary"]["cells"] = last;
  EXPECT_THAT(ReadMatrixJson(JsonText(damaged)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("cells, expected ")));
  // All cells of the last module.
  damaged = document;
  size_t first_of_last = last;
  while (!damaged["cells"][first_of_last].contains("of_module")) {
    --first_of_last;
  }
  while (damaged["cells"].size() > first_of_last) {
    damaged["cells"].erase(damaged["cells"].size() - 1);
  }
  EXPECT_THAT(
      ReadMatrixJson(JsonText(damaged)),
      StatusIs(absl::StatusCode::kInvalidArgument,
               testing::AllOf(
                   HasSubstr(absl::StrCat("\"cells\" is ", last + 1)),
                   HasSubstr(absl::StrCat("the cells give ", first_of_last)))));
  // A state that was edited.
  damaged = document;
  damaged["cells"][0]["state"] = "hung";
  EXPECT_THAT(
      ReadMatrixJson(JsonText(damaged)),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"summary\": ")));
  damaged = document;
  damaged["cells"][0]["of_module"]["unit"] = 1;
  EXPECT_THAT(ReadMatrixJson(JsonText(damaged)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("is not of shard 1 of 3")));
  damaged = document;
  damaged.erase("summary");
  EXPECT_THAT(ReadMatrixJson(JsonText(damaged)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("\"summary\": expected an object")));
}

}  // namespace
}  // namespace opcompat
