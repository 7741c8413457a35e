#include "compat_matrix/reports/result_database.h"

#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_matchers.h"
#include "compat_matrix/reports/cell_pattern.h"
#include "compat_matrix/reports/report.h"
#include "compat_matrix/reports/testing.h"
#include "compat_matrix/result.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ResultDatabaseTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = absl::StrCat(
        testing::TempDir(), "/",
        testing::UnitTest::GetInstance()->current_test_info()->name(),
        ".sqlite");
    unlink(path_.c_str());
  }

  std::unique_ptr<ResultDatabase> Open() {
    absl::StatusOr<std::unique_ptr<ResultDatabase>> database =
        ResultDatabase::Open(path_);
    EXPECT_TRUE(database.ok()) << database.status();
    return *std::move(database);
  }

  // Stores a run; returns what changed.
  RunChanges Store(const MatrixResult& result, const std::string& name) {
    const std::unique_ptr<ResultDatabase> database = Open();
    absl::StatusOr<std::unique_ptr<DatabaseReport>> report =
        DatabaseReport::Create(result.names, {name, 1000}, database.get());
    EXPECT_TRUE(report.ok()) << report.status();
    const absl::Status status = WriteReport(result, report->get());
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_TRUE((*report)->stored());
    return (*report)->changes();
  }

  // `RUN STATE` of each change of the cells that match.
  std::vector<std::string> Changes(const std::string& pattern) {
    const std::unique_ptr<ResultDatabase> database = Open();
    const absl::StatusOr<std::vector<CellHistory>> cells =
        database->Find(*ParseCellPattern(pattern));
    EXPECT_TRUE(cells.ok()) << cells.status();
    std::vector<std::string> changes;
    for (const CellHistory& cell : *cells) {
      for (const StoredChange& change : cell.changes) {
        changes.push_back(absl::StrCat(
            change.run.info.name, " ",
            change.state.has_value() ? CellStateName(*change.state) : "none"));
      }
    }
    return changes;
  }

  int64_t Rows(const std::string& table) {
    sqlite3* file = nullptr;
    sqlite3_open(path_.c_str(), &file);
    sqlite3_stmt* select = nullptr;
    const std::string sql = absl::StrCat("SELECT count(*) FROM ", table);
    sqlite3_prepare_v2(file, sql.c_str(), -1, &select, nullptr);
    sqlite3_step(select);
    const int64_t rows = sqlite3_column_int64(select, 0);
    sqlite3_finalize(select);
    sqlite3_close(file);
    return rows;
  }

  std::string path_;
};

// A cell of `m`, 1 -> 2.
MatrixResult One(CellState state, const std::string& module = "m") {
  MatrixResult result;
  result.names.testees = {"in-process"};
  ModuleCells cells;
  cells.history = MakeHistory("h", "h", {"1", "2"});
  cells.module = module;
  AddCell(0, 1, state, false, &cells);
  result.modules.push_back(std::move(cells));
  result.summary = SummaryOf(result);
  return result;
}

TEST_F(ResultDatabaseTest, ACellHasARowForEachChangeOfItsState) {
  Store(One(CellState::kAdapted), "a");
  Store(One(CellState::kAdapted), "b");
  Store(One(CellState::kMisread), "c");
  Store(One(CellState::kMisread), "d");
  Store(One(CellState::kAdapted), "e");
  EXPECT_THAT(Changes("m h 1->2"),
              ElementsAre("a adapted", "c misread", "e adapted"));
  EXPECT_EQ(Rows("runs"), 5);
  EXPECT_EQ(Rows("cell_states"), 3);
}

TEST_F(ResultDatabaseTest, ARunKnowsTheStateBeforeAndSinceWhen) {
  Store(One(CellState::kAdapted), "a");
  Store(One(CellState::kMisread), "b");
  Store(One(CellState::kMisread), "c");
  const std::unique_ptr<ResultDatabase> database = Open();
  const MatrixResult now = One(CellState::kAdapted);
  const auto report =
      *DatabaseReport::Create(now.names, {"d", 1000}, database.get());
  ASSERT_TRUE(report->Add(now.modules[0]).ok());
  ASSERT_EQ(report->earlier().size(), 1u);
  ASSERT_TRUE(report->earlier()[0].has_value());
  EXPECT_EQ(report->earlier()[0]->state, CellState::kMisread);
  EXPECT_EQ(report->earlier()[0]->since, 2);
  const MatrixResult other = One(CellState::kAdapted, "other");
  ASSERT_TRUE(report->Add(other.modules[0]).ok());
  ASSERT_EQ(report->earlier().size(), 1u);
  EXPECT_FALSE(report->earlier()[0].has_value());
}

TEST_F(ResultDatabaseTest, AnotherReasonIsAChangeButNoOtherState) {
  MatrixResult result = One(CellState::kRefused);
  Store(result, "a");
  result.modules[0].outcomes[0].reasons[0].argument = "other";
  const RunChanges changes = Store(result, "b");
  EXPECT_EQ(changes.changed, 0u);
  EXPECT_THAT(Changes("m h 1->2"), ElementsAre("a refused", "b refused"));
  // The row of states is unbroken.
  const std::unique_ptr<ResultDatabase> database = Open();
  const auto report =
      *DatabaseReport::Create(result.names, {"c", 1000}, database.get());
  ASSERT_TRUE(report->Add(result.modules[0]).ok());
  EXPECT_EQ(report->earlier()[0]->since, 1);
}

TEST_F(ResultDatabaseTest, ARunSaysWhatChangedSinceTheLast) {
  MatrixResult first = One(CellState::kAdapted);
  first.modules.push_back(One(CellState::kAdapted, "gone").modules[0]);
  EXPECT_FALSE(Store(first, "a").last.has_value());
  MatrixResult second = One(CellState::kRefused);
  second.modules.push_back(One(CellState::kAdapted, "new").modules[0]);
  const RunChanges changes = Store(second, "b");
  ASSERT_TRUE(changes.last.has_value());
  EXPECT_EQ(changes.last->info.name, "a");
  EXPECT_EQ(changes.changed, 1u);
  EXPECT_EQ(changes.fresh, 1u);
  EXPECT_THAT(changes.gone, ElementsAre("gone h"));
  // What did not run keeps its state.
  EXPECT_EQ(Store(first, "c").changed, 1u);
}

// Cells of `m`, 1 -> 1 and 1 -> 2.
MatrixResult Two(CellState state) {
  MatrixResult result = One(state);
  AddCell(0, 0, CellState::kIdentical, false, &result.modules[0]);
  result.summary = SummaryOf(result);
  return result;
}

TEST_F(ResultDatabaseTest, ACellThatARunLacksIsToldOnce) {
  Store(Two(CellState::kMisread), "a");
  RunChanges changes = Store(One(CellState::kMisread), "b");
  EXPECT_EQ(changes.vanished, 1u);
  EXPECT_THAT(changes.gone, IsEmpty());
  EXPECT_EQ(Store(One(CellState::kMisread), "c").vanished, 0u);
  EXPECT_THAT(Changes("m h 1->1"), ElementsAre("a identical", "b none"));
  // Back again it is new, and not as it was long ago.
  changes = Store(Two(CellState::kMisread), "d");
  EXPECT_EQ(changes.vanished, 0u);
  EXPECT_EQ(changes.fresh, 1u);
  EXPECT_EQ(changes.changed, 0u);
  EXPECT_THAT(Changes("m h 1->1"),
              ElementsAre("a identical", "b none", "d identical"));
  EXPECT_THAT(Changes("m h 1->2"), ElementsAre("a misread"));
}

TEST_F(ResultDatabaseTest, WhatARunIsNotAskedForDoesNotVanish) {
  Store(Two(CellState::kAdapted), "a");
  // Limited to some versions.
  MatrixResult limited = One(CellState::kAdapted);
  limited.names.part.limited = true;
  EXPECT_EQ(Store(limited, "b").vanished, 0u);
  // Without a program that read before.
  MatrixResult with_program = Two(CellState::kAdapted);
  with_program.names.testees.push_back("old");
  AddCell(0, 1, CellState::kAdapted, false, &with_program.modules[0]);
  with_program.modules[0].cells.back().testee = 1;
  EXPECT_EQ(Store(with_program, "c").fresh, 1u);
  EXPECT_EQ(Store(Two(CellState::kAdapted), "d").vanished, 0u);
  EXPECT_THAT(Changes("m h 1->2 old"), ElementsAre("c adapted"));
}

TEST_F(ResultDatabaseTest, DatabasesOfBeforeAreReadAndTakenFurther) {
  Store(Two(CellState::kAdapted), "a");
  sqlite3* other = nullptr;
  sqlite3_open(path_.c_str(), &other);
  sqlite3_exec(other,
               "DELETE FROM states WHERE id = 7; PRAGMA user_version = 1",
               nullptr, nullptr, nullptr);
  sqlite3_close(other);
  const auto reader = ResultDatabase::OpenForReading(path_);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_EQ((*(*reader)->Find(*ParseCellPattern("* * *->*"))).size(), 2u);
  EXPECT_EQ(Rows("states"), 7);
  EXPECT_EQ(Store(One(CellState::kAdapted), "b").vanished, 1u);
  EXPECT_EQ(Rows("states"), 8);
}

TEST_F(ResultDatabaseTest, CellsAreFoundByTheirPattern) {
  Store(EveryState(), "a");
  EXPECT_THAT(Changes("modules/*.graph t 2->1"), ElementsAre("a refused"));
  EXPECT_THAT(Changes("modules/*.graph t 2->1!"), ElementsAre("a adapted"));
  EXPECT_THAT(Changes("modules/* t 2->2"),
              ElementsAre("a identical", "a identical"));
  EXPECT_THAT(Changes("modules/* t 2->2 writer-0.9=>old*"),
              ElementsAre("a identical"));
  EXPECT_THAT(Changes("modules/* t 2->2 in-process"),
              ElementsAre("a identical"));
  EXPECT_THAT(Changes("* simulated* 1->1,2*"),
              ElementsAre("a unexpected", "a misread"));
  EXPECT_THAT(Changes("none t 2->2"), IsEmpty());
}

TEST_F(ResultDatabaseTest, RunsWithoutChangesStaySmall) {
  const MatrixResult result = LargeResult(3, 20, 5);
  Store(result, "first");
  const int64_t rows = Rows("cell_states");
  EXPECT_EQ(rows, static_cast<int64_t>(result.summary.cells));
  struct stat before, after;
  ASSERT_EQ(stat(path_.c_str(), &before), 0);
  for (int run = 0; run < 50; ++run) Store(result, absl::StrCat("run ", run));
  EXPECT_EQ(Rows("cell_states"), rows);
  ASSERT_EQ(stat(path_.c_str(), &after), 0);
  EXPECT_LT(after.st_size, before.st_size + 50 * 200);
  // A row takes a few tens of bytes.
  EXPECT_LT(after.st_size / rows, 60);
}

TEST_F(ResultDatabaseTest, WithoutFinishNothingIsStored) {
  Store(One(CellState::kAdapted), "a");
  {
    const std::unique_ptr<ResultDatabase> database = Open();
    const MatrixResult result = One(CellState::kMisread);
    const auto report =
        *DatabaseReport::Create(result.names, {"b", 1000}, database.get());
    ASSERT_TRUE(report->Add(result.modules[0]).ok());
  }
  EXPECT_THAT(Changes("m h 1->2"), ElementsAre("a adapted"));
  EXPECT_EQ(Rows("runs"), 1);
}

TEST_F(ResultDatabaseTest, RunsAtOnceAreStoredOneAfterTheOther) {
  Open();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this, t] {
      for (int run = 0; run < 3; ++run) {
        Store(
            One((t + run) % 2 == 0 ? CellState::kAdapted : CellState::kMisread),
            absl::StrCat(t, " ", run));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Rows("runs"), 12);
  // Each row is a change.
  const std::unique_ptr<ResultDatabase> database = Open();
  const auto cells = database->Find(*ParseCellPattern("m h 1->2"));
  ASSERT_TRUE(cells.ok());
  ASSERT_EQ(cells->size(), 1u);
  const std::vector<StoredChange>& changes = (*cells)[0].changes;
  for (size_t i = 1; i < changes.size(); ++i) {
    EXPECT_NE(changes[i].state, changes[i - 1].state);
    EXPECT_GT(changes[i].run.id, changes[i - 1].run.id);
  }
}

TEST_F(ResultDatabaseTest, TwoRunsThatOverlapAreBothStored) {
  const std::unique_ptr<ResultDatabase> one = Open();
  const std::unique_ptr<ResultDatabase> two = Open();
  const MatrixResult good = One(CellState::kAdapted);
  const MatrixResult bad = One(CellState::kMisread);
  const auto first =
      *DatabaseReport::Create(good.names, {"first", 1000}, one.get());
  const auto second =
      *DatabaseReport::Create(bad.names, {"second", 1000}, two.get());
  ASSERT_TRUE(first->Add(good.modules[0]).ok());
  ASSERT_TRUE(second->Add(bad.modules[0]).ok());
  ASSERT_TRUE(second->Finish(bad.summary).ok());
  ASSERT_TRUE(first->Finish(good.summary).ok());
  EXPECT_THAT(Changes("m h 1->2"),
              ElementsAre("second misread", "first adapted"));
  EXPECT_EQ(first->changes().changed, 1u);
}

TEST_F(ResultDatabaseTest, ALockedFileIsToldAndNothingIsLost) {
  Store(One(CellState::kAdapted), "a");
  sqlite3* other = nullptr;
  sqlite3_open(path_.c_str(), &other);
  sqlite3_exec(other, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr);
  EXPECT_THAT(ResultDatabase::Open(path_, /*busy_seconds=*/0).status(),
              StatusIs(absl::StatusCode::kUnavailable,
                       HasSubstr("another process has had it locked")));
  sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  EXPECT_THAT(Changes("m h 1->2"), ElementsAre("a adapted"));
}

TEST_F(ResultDatabaseTest, WhatIsNoDatabaseIsToldAndStays) {
  const std::string content(5000, 'x');
  std::ofstream(path_) << content;
  for (const auto& status : {ResultDatabase::Open(path_).status(),
                             ResultDatabase::OpenForReading(path_).status()}) {
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument,
                                 HasSubstr("this is no SQLite database")));
  }
  std::ifstream file(path_);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), content);
}

TEST_F(ResultDatabaseTest, AnotherProgramsDatabaseIsTold) {
  sqlite3* other = nullptr;
  sqlite3_open(path_.c_str(), &other);
  sqlite3_exec(other, "CREATE TABLE t(x)", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  EXPECT_THAT(ResultDatabase::Open(path_).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("another program's database")));
}

TEST_F(ResultDatabaseTest, ANewerSchemaIsTold) {
  Open();
  sqlite3* other = nullptr;
  sqlite3_open(path_.c_str(), &other);
  sqlite3_exec(other, "PRAGMA user_version = 99", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  EXPECT_THAT(ResultDatabase::Open(path_).status(),
              StatusIs(absl::StatusCode::kUnimplemented,
                       HasSubstr("its tables are of version 99")));
}

TEST_F(ResultDatabaseTest, ADamagedFileIsAnErrorAndNoCrash) {
  Store(LargeResult(2, 6, 0), "a");
  std::string good;
  {
    std::ifstream file(path_, std::ios::binary);
    good.assign(std::istreambuf_iterator<char>(file), {});
  }
  const MatrixResult result = LargeResult(2, 6, 0);
  size_t refused = 0;
  for (size_t at = 100; at < good.size(); at += 997) {
    std::string bad = good;
    for (size_t i = at; i < std::min(at + 300, bad.size()); ++i) {
      bad[i] = static_cast<char>(bad[i] ^ 0x5a);
    }
    std::ofstream(path_, std::ios::binary) << bad;
    absl::StatusOr<std::unique_ptr<ResultDatabase>> database =
        ResultDatabase::Open(path_);
    absl::Status status = database.status();
    if (status.ok()) {
      status.Update((*database)->Find(*ParseCellPattern("* * *->*")).status());
      auto report =
          DatabaseReport::Create(result.names, {"b", 1000}, database->get());
      status.Update(report.status());
      if (report.ok()) status.Update(WriteReport(result, report->get()));
    }
    refused += !status.ok();
  }
  EXPECT_GT(refused, 0u);
}

TEST_F(ResultDatabaseTest, ADirectoryIsToldPlainly) {
  ASSERT_EQ(mkdir(path_.c_str(), 0700), 0);
  for (const auto& status : {ResultDatabase::Open(path_).status(),
                             ResultDatabase::OpenForReading(path_).status()}) {
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument,
                                 HasSubstr("this is a directory")));
  }
  rmdir(path_.c_str());
}

// A limit of file sizes stands for the full disk.
TEST_F(ResultDatabaseTest, ANewFileThatCannotBeWrittenDoesNotStay) {
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit little = before;
  little.rlim_cur = 0;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
  const absl::Status status = ResultDatabase::Open(path_).status();
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kUnavailable,
                               HasSubstr("cannot be read or written: File")));
  EXPECT_NE(access(path_.c_str(), F_OK), 0);
}

TEST_F(ResultDatabaseTest, ReadingMakesNoFile) {
  EXPECT_THAT(ResultDatabase::OpenForReading(path_).status(),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("there is no such file")));
  EXPECT_NE(access(path_.c_str(), F_OK), 0);
  EXPECT_THAT(ResultDatabase::Open("/no/such/place/x.sqlite").status(),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("/no/such")));
}

TEST_F(ResultDatabaseTest, NastyNamesComeBackPlain) {
  Store(EveryState(), "a");
  const std::unique_ptr<ResultDatabase> database = Open();
  const auto cells = database->Find(*ParseCellPattern("nasty* * 1->2*"));
  ASSERT_TRUE(cells.ok()) << cells.status();
  ASSERT_EQ(cells->size(), 1u);
  EXPECT_THAT((*cells)[0].module, HasSubstr("</script>"));
  EXPECT_THAT((*cells)[0].changes[0].outcome, HasSubstr("\\x1b[31m"));
}

}  // namespace
}  // namespace opcompat
