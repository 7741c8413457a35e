#include "compat_matrix/run_units.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_matchers.h"
#include "compat_matrix/result.h"
#include "compat_matrix/testees/testee.h"
#include "compat_matrix/worker.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

using ::testing::ElementsAre;

// Unit i has i % 3 modules, `i.0` and so on, of one cell each. Counts how many
// results are alive.
class TestUnits : public UnitSource {
 public:
  explicit TestUnits(size_t size, size_t failing = 1000000)
      : size_(size), failing_(failing) {}

  size_t size() const override { return size_; }
  absl::StatusOr<std::vector<ModuleCells>> Run(size_t i,
                                               Worker& worker) const override {
    if (i >= failing_) {
      return absl::InvalidArgumentError(absl::StrCat("unit ", i));
    }
    EXPECT_EQ(worker.testees.size(), 1u);
    std::vector<ModuleCells> modules(i % 3);
    for (size_t m = 0; m < modules.size(); ++m) {
      modules[m].module = absl::StrCat(i, ".", m);
      modules[m].cells.resize(1);
      modules[m].cells[0].state = CellState::kAdapted;
    }
    if (!modules.empty()) {
      const size_t alive = ++*alive_;
      size_t most = *most_alive_;
      while (alive > most && !most_alive_->compare_exchange_weak(most, alive)) {
      }
      modules[0].history = std::shared_ptr<const MatrixHistory>(
          new MatrixHistory,
          [alive_count = alive_](const MatrixHistory* history) {
            --*alive_count;
            delete history;
          });
    }
    return modules;
  }

  size_t most_alive() const { return *most_alive_; }

 private:
  const size_t size_;
  const size_t failing_;
  const std::shared_ptr<std::atomic<size_t>> alive_ =
      std::make_shared<std::atomic<size_t>>(0);
  const std::shared_ptr<std::atomic<size_t>> most_alive_ =
      std::make_shared<std::atomic<size_t>>(0);
};

class Names : public ResultSink {
 public:
  absl::Status Add(const ModuleCells& module) override {
    if (names.size() == fails_at) return absl::DataLossError("disk");
    names.push_back(module.module);
    units.push_back(module.unit);
    return absl::OkStatus();
  }
  std::vector<std::string> names;
  std::vector<uint64_t> units;
  size_t fails_at = 1000000;
};

RunOptions Threads(int threads) {
  RunOptions options;
  options.threads = threads;
  return options;
}

TEST(RunUnits, TheSinkGetsModulesInTheOrderOfTheUnits) {
  const TestUnits first(4);
  const TestUnits second(3);
  for (const int threads : {1, 2, 8}) {
    Names sink;
    const auto summary = RunUnits({&first, &second}, Threads(threads), &sink);
    ASSERT_THAT(summary, IsOk());
    EXPECT_EQ(summary->cells, 6u);
    EXPECT_THAT(sink.names,
                ElementsAre("1.0", "2.0", "2.1", "1.0", "2.0", "2.1"));
    EXPECT_THAT(sink.units, ElementsAre(1, 2, 2, 5, 6, 6));
  }
}

TEST(RunUnits, ShardsHaveEveryUnitOnce) {
  const TestUnits units(50);
  Names whole;
  ASSERT_THAT(RunUnits({&units}, {}, &whole), IsOk());
  std::vector<std::pair<uint64_t, std::string>> parts;
  for (uint32_t i = 0; i < 7; ++i) {
    RunOptions options;
    options.shard = {i, 7};
    Names part;
    ASSERT_THAT(RunUnits({&units}, options, &part), IsOk());
    for (size_t m = 0; m < part.names.size(); ++m) {
      EXPECT_EQ(part.units[m] % 7, i);
      parts.emplace_back(part.units[m], part.names[m]);
    }
  }
  std::stable_sort(
      parts.begin(), parts.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (const auto& part : parts) names.push_back(part.second);
  EXPECT_EQ(names, whole.names);
}

TEST(RunUnits, AShardMayBeEmpty) {
  const TestUnits units(2);
  RunOptions options;
  options.shard = {2, 3};
  Names sink;
  const auto summary = RunUnits({&units}, options, &sink);
  ASSERT_THAT(summary, IsOk());
  EXPECT_EQ(summary->cells, 0u);
}

// What a run has in memory does not grow with its units.
TEST(RunUnits, MoreUnitsThanThereIsMemoryForBeginAtOnce) {
  const TestUnits few(4);
  const TestUnits many(size_t{1} << 60, /*failing=*/1000);
  RunOptions options = Threads(4);
  options.shard = {2, 3};
  Names sink;
  EXPECT_THAT(RunUnits({&few, &many}, options, &sink),
              StatusIs(absl::StatusCode::kInvalidArgument, "unit 1000"));
  EXPECT_THAT(sink.units, testing::Contains(5));
  EXPECT_EQ(sink.units.back(), 1001u);
}

// With a sink that is slower than the threads, or as slow as it likes.
TEST(RunUnits, NoMoreResultsAreAliveThanTheWindowIsWide) {
  for (const size_t window : {1, 3}) {
    const TestUnits units(500);
    RunOptions options;
    options.threads = 8;
    options.window = window;
    Names sink;
    ASSERT_THAT(RunUnits({&units}, options, &sink), IsOk());
    EXPECT_LE(units.most_alive(), window);
    EXPECT_EQ(sink.names.size(), 499u);
  }
}

TEST(RunUnits, TheFirstErrorInOrderEndsTheRun) {
  const TestUnits units(100, /*failing=*/50);
  for (const int threads : {1, 8}) {
    Names sink;
    EXPECT_THAT(RunUnits({&units}, Threads(threads), &sink),
                StatusIs(absl::StatusCode::kInvalidArgument, "unit 50"));
    EXPECT_EQ(sink.units.back(), 49u);
  }
}

TEST(RunUnits, AnErrorOfTheSinkEndsTheRun) {
  const TestUnits units(100);
  Names sink;
  sink.fails_at = 10;
  EXPECT_THAT(RunUnits({&units}, Threads(8), &sink),
              StatusIs(absl::StatusCode::kDataLoss, "disk"));
  EXPECT_EQ(sink.names.size(), 10u);
}

TEST(RunUnits, ProgressEndsAtAllUnits) {
  const TestUnits units(10);
  RunOptions options = Threads(4);
  std::vector<size_t> done;
  uint64_t cells = 0;
  options.progress = [&](const RunProgress& progress) {
    EXPECT_EQ(progress.units, 10u);
    done.push_back(progress.units_done);
    cells = progress.cells;
  };
  Names sink;
  ASSERT_THAT(RunUnits({&units}, options, &sink), IsOk());
  EXPECT_THAT(done, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  EXPECT_EQ(cells, 9u);
}

// Each thread asks for readers of its own.
TEST(RunUnits, NoTesteeIsSharedBetweenThreads) {
  const TestUnits units(100);
  RunOptions options = Threads(5);
  std::atomic<int> made{0};
  options.testees = {{"counted", [&made] {
                        ++made;
                        return std::make_unique<InProcessTestee>();
                      }}};
  Names sink;
  ASSERT_THAT(RunUnits({&units}, options, &sink), IsOk());
  EXPECT_EQ(made, 5);
  EXPECT_THAT(NamesOf(options).testees, ElementsAre("counted"));
}

}  // namespace
}  // namespace opcompat
