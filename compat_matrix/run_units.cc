#include "compat_matrix/run_units.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"

namespace opcompat {
namespace {

using UnitResult = absl::StatusOr<std::vector<ModuleCells>>;

// A run of a few units for each thread evens out what one unit takes.
constexpr size_t kWindowPerThread = 4;

struct Unit {
  const UnitSource* source = nullptr;
  size_t index = 0;    // of the source
  uint64_t place = 0;  // in the whole run
};

// The units of a shard by number, in order. They are computed, not listed: a
// run may have more than there is memory for.
class ShardUnits {
 public:
  ShardUnits(const std::vector<const UnitSource*>& sources, Shard shard)
      : sources_(sources), shard_(shard) {
    uint64_t end = 0;
    for (const UnitSource* source : sources) {
      end += source->size();
      ends_.push_back(end);
    }
    if (end > shard.index) size_ = (end - shard.index - 1) / shard.count + 1;
  }

  size_t size() const { return size_; }
  Unit At(size_t i) const {
    Unit unit;
    unit.place = shard_.index + uint64_t{i} * shard_.count;
    const auto end = std::upper_bound(ends_.begin(), ends_.end(), unit.place);
    const uint64_t begin = end == ends_.begin() ? 0 : *(end - 1);
    unit.source = sources_[static_cast<size_t>(end - ends_.begin())];
    unit.index = static_cast<size_t>(unit.place - begin);
    return unit;
  }

 private:
  const std::vector<const UnitSource*> sources_;
  const Shard shard_;
  std::vector<uint64_t> ends_;  // by source: the place after its last unit
  size_t size_ = 0;
};

class Run {
 public:
  Run(const std::vector<const UnitSource*>& sources, const RunOptions& options)
      : options_(options), units_(sources, options.shard) {
    size_t threads = options.threads > 0 ? static_cast<size_t>(options.threads)
                                         : std::thread::hardware_concurrency();
    num_threads_ = std::max<size_t>(1, std::min(threads, units_.size()));
    window_ =
        options.window > 0 ? options.window : num_threads_ * kWindowPerThread;
    finished_.resize(window_);
  }

  absl::StatusOr<MatrixSummary> ToSink(ResultSink* sink) {
    std::vector<std::thread> threads;
    for (size_t i = 0; i < num_threads_; ++i) {
      threads.emplace_back([this] { Work(); });
    }
    const absl::Status status = HandOver(sink);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
    }
    may_begin_.notify_all();
    for (std::thread& thread : threads) thread.join();
    OPCOMPAT_RETURN_IF_ERROR(status);
    return summary_;
  }

 private:
  // What a thread does: unit after unit.
  void Work() {
    Worker worker;
    for (const TesteeFactory& testee : options_.testees) {
      worker.testees.push_back(testee.make());
    }
    for (const AuthorFactory& author : options_.authors) {
      worker.authors.push_back(author.make());
    }
    while (const absl::optional<size_t> unit = Begin()) {
      const Unit what = units_.At(*unit);
      UnitResult result = what.source->Run(what.index, worker);
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        finished_[*unit % window_] = std::move(result);
      }
      is_finished_.notify_one();
    }
  }

  absl::optional<size_t> Begin() {
    std::unique_lock<std::mutex> lock(mutex_);
    may_begin_.wait(lock, [this] {
      return stop_ || begun_ == units_.size() ||
             begun_ < handed_over_ + window_;
    });
    if (stop_ || begun_ == units_.size()) return absl::nullopt;
    return begun_++;
  }

  absl::Status HandOver(ResultSink* sink) {
    RunProgress progress;
    progress.units = units_.size();
    for (size_t unit = 0; unit < units_.size(); ++unit) {
      {
        UnitResult result = Finished(unit);
        OPCOMPAT_RETURN_IF_ERROR(result.status());
        for (ModuleCells& module : *result) {
          module.unit = units_.At(unit).place;
          for (const Cell& cell : module.cells) summary_.Add(cell.state);
          OPCOMPAT_RETURN_IF_ERROR(sink->Add(module));
        }
      }
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        ++handed_over_;
      }
      may_begin_.notify_one();
      progress.units_done = unit + 1;
      progress.cells = summary_.cells;
      if (options_.progress) options_.progress(progress);
    }
    return absl::OkStatus();
  }

  UnitResult Finished(size_t unit) {
    absl::optional<UnitResult>& place = finished_[unit % window_];
    std::unique_lock<std::mutex> lock(mutex_);
    is_finished_.wait(lock, [&] { return place.has_value(); });
    UnitResult result = *std::move(place);
    place.reset();
    return result;
  }

  const RunOptions& options_;
  const ShardUnits units_;
  size_t num_threads_ = 1;
  size_t window_ = 1;
  MatrixSummary summary_;

  std::mutex mutex_;
  std::condition_variable may_begin_;
  std::condition_variable is_finished_;
  // All guarded by mutex_.
  std::vector<absl::optional<UnitResult>> finished_;  // by unit % window_
  size_t begun_ = 0;
  size_t handed_over_ = 0;
  bool stop_ = false;
};

}  // namespace

RunNames NamesOf(const RunOptions& options, std::string run) {
  RunNames names;
  for (const TesteeFactory& testee : options.testees) {
    names.testees.push_back(testee.name);
  }
  names.authors.clear();
  for (const AuthorFactory& author : options.authors) {
    names.authors.push_back(author.name);
  }
  names.part = {std::move(run), options.shard.index, options.shard.count};
  return names;
}

absl::StatusOr<MatrixSummary> RunUnits(
    const std::vector<const UnitSource*>& sources, const RunOptions& options,
    ResultSink* sink) {
  return Run(sources, options).ToSink(sink);
}

}  // namespace opcompat
