// The states of all cells over all runs, in an SQLite file: since when a cell
// has its state, and what changed. Keeps changes, not runs: a run in which
// nothing changes adds one row, so that years of nightly runs stay small. Holds
// no module texts and no LoadReports. docs/matrix.md has the tables.
#ifndef OPCOMPAT_COMPAT_MATRIX_REPORTS_RESULT_DATABASE_H_
#define OPCOMPAT_COMPAT_MATRIX_REPORTS_RESULT_DATABASE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "compat_matrix/reports/cell_pattern.h"
#include "compat_matrix/reports/report.h"
#include "compat_matrix/reports/sqlite.h"
#include "compat_matrix/result.h"

namespace opcompat {

struct RunInfo {
  std::string name;  // `nightly-2026-12-01`
  int64_t time = 0;  // seconds since 1970, UTC
};

struct StoredRun {
  int64_t id = 0;  // grows with each run
  RunInfo info;
};

// `2026-12-01 02:30:00 UTC`
std::string TimeText(int64_t time);

// What was stored of a cell before this run.
struct EarlierState {
  CellState state = CellState::kCrashed;  // when it ran last
  int64_t since = 0;  // the first run of an unbroken row with that state
};

// What a run changed, against the last run of each cell.
struct RunChanges {
  // The run before; nullopt: this is the first.
  absl::optional<StoredRun> last;
  uint64_t changed = 0;  // cells in another state
  uint64_t fresh = 0;    // cells that had no state
  // Cells of modules of this run that had a state and are in this run no more,
  // though nothing limits it: a module that verifies at fewer versions, say.
  uint64_t vanished = 0;
  // Modules that the last run had and this one has not: `MODULE HISTORY`.
  std::vector<std::string> gone;
};

// A change of a cell's state, or of what it says.
struct StoredChange {
  StoredRun run;
  absl::optional<CellState> state;  // nullopt: it did not run any more
  std::string outcome;              // CellOutcomeText
};

// CellStateName, or `did not run`.
absl::string_view StateNameOf(const StoredChange& change);

struct CellHistory {
  std::string module;
  std::string history;
  std::string writer;
  std::string reader;
  bool for_target = false;
  std::string testee;
  std::string author;
  std::vector<StoredChange> changes;  // oldest first
};

// What is stored of an outcome: the detail of a bad cell, else the reasons of a
// refusal as `CODE OPERATOR ARGUMENT; ...`, else nothing.
std::string CellOutcomeText(CellState state, const CellOutcome& outcome);

// Errors as of Sqlite::Error. InvalidArgument too: another program's database;
// Unimplemented: a newer opcompat's. Not for several threads.
class ResultDatabase {
 public:
  // For reading and writing; made if it is not there, or not at all.
  static absl::StatusOr<std::unique_ptr<ResultDatabase>> Open(
      const std::string& path, int busy_seconds = 60);
  // NotFound: there is no such file.
  static absl::StatusOr<std::unique_ptr<ResultDatabase>> OpenForReading(
      const std::string& path, int busy_seconds = 60);

  // Oldest first.
  absl::StatusOr<std::vector<StoredRun>> Runs();
  // The histories of the cells that match, in order of their names.
  absl::StatusOr<std::vector<CellHistory>> Find(const CellPattern& pattern);

 private:
  friend class DatabaseReport;
  explicit ResultDatabase(std::unique_ptr<Sqlite> file)
      : file_(std::move(file)) {}
  // The version of its tables; 0: there are none yet.
  absl::StatusOr<int64_t> CheckSchema(const std::string& path);
  absl::Status Prepare(const std::string& path);

  std::unique_ptr<Sqlite> file_;
};

// Stores a run: nothing before Finish(), then all of it at once. Until then the
// cells are in a temporary file of SQLite's, and other runs can be stored;
// those that finish at the same time wait for each other.
class DatabaseReport : public MatrixReport {
 public:
  // `database` must outlive the report. One report at a time.
  static absl::StatusOr<std::unique_ptr<DatabaseReport>> Create(
      RunNames names, RunInfo run, ResultDatabase* database);

  absl::Status Add(const ModuleCells& module) override;
  absl::Status Finish(const MatrixSummary& summary) override;

  // What was stored of the cells of the module that was added last, in their
  // order; nullopt: nothing.
  const std::vector<absl::optional<EarlierState>>& earlier() const {
    return earlier_;
  }
  // Whether Finish() was OK.
  bool stored() const { return stored_; }
  // Once it is stored.
  const RunChanges& changes() const { return changes_; }
  // All runs that are stored; this one, if it is, is the last.
  absl::StatusOr<std::vector<StoredRun>> Runs() const {
    return database_.Runs();
  }

 private:
  // A module with a history, as this run has it.
  struct Subject {
    std::string module;
    std::shared_ptr<const MatrixHistory> history;
  };
  // (author, testee, writer, reader, target), by the ids of the database.
  using Key = std::tuple<int64_t, int64_t, int64_t, int64_t, int64_t>;
  struct Last {
    absl::optional<EarlierState> state;  // nullopt: it has vanished
    std::string outcome;
  };
  using LastStates = absl::flat_hash_map<Key, Last>;

  DatabaseReport(RunNames names, RunInfo run, ResultDatabase* database)
      : names_(std::move(names)),
        run_(std::move(run)),
        database_(*database),
        file_(*database->file_) {}

  absl::Status Prepare();
  // The id of `name` in `table`; 0: it has none. Intern makes one.
  absl::StatusOr<int64_t> FindName(const std::string& table,
                                   const std::string& name);
  absl::StatusOr<int64_t> Intern(const std::string& table,
                                 const std::string& name);
  // The ids of the names of a run and a history; 0 for those without, unless
  // `make`.
  struct Ids {
    int64_t subject = 0;
    std::vector<int64_t> authors;
    std::vector<int64_t> testees;
    std::vector<int64_t> versions;
  };
  absl::StatusOr<Ids> IdsOf(const Subject& subject, bool make);
  absl::StatusOr<LastStates> LoadLast(int64_t subject);
  absl::Status Store(const MatrixSummary& summary);
  absl::Status StoreSubject(size_t index, int64_t run);
  // Of the subject's cells in `last`, those that are not in `ran`, if this run
  // would have them.
  absl::Status StoreVanished(const Ids& ids, const LastStates& last,
                             const absl::flat_hash_set<Key>& ran, int64_t run);
  absl::Status StoreState(const Ids& ids, const Key& key, int64_t run,
                          int64_t state, int64_t outcome);

  RunNames names_;
  RunInfo run_;
  ResultDatabase& database_;
  Sqlite& file_;
  std::vector<Subject> subjects_;
  std::vector<absl::optional<EarlierState>> earlier_;
  RunChanges changes_;
  bool stored_ = false;
  absl::optional<SqliteStatement> insert_cell_;
  absl::optional<SqliteStatement> insert_state_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_REPORTS_RESULT_DATABASE_H_
