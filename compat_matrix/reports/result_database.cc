#include "compat_matrix/reports/result_database.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "base/status_macros.h"
#include "compat_matrix/reports/cell_pattern.h"
#include "compat_matrix/reports/plain_text.h"
#include "compat_matrix/reports/sqlite.h"
#include "compat_matrix/result.h"
#include "compat_matrix/wildcards.h"

namespace opcompat {
namespace {

// `opcm`, so that files of other programs are told apart.
constexpr int64_t kApplicationId = 0x6f70636d;
// 1 had no kVanished.
constexpr int64_t kSchemaVersion = 2;

constexpr size_t kLongestOutcome = 1000;

// A cell's states are rows of cell_states from the run on in which they
// changed. Its key stands in every row, in the order in which it is looked up:
// that is smaller than a table of cells with an index.
constexpr char kSchema[] = R"(
CREATE TABLE states(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE runs(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, time INTEGER NOT NULL,
  cells INTEGER NOT NULL, accepted INTEGER NOT NULL,
  identical INTEGER NOT NULL, refused INTEGER NOT NULL,
  misread INTEGER NOT NULL, crashed INTEGER NOT NULL, hung INTEGER NOT NULL,
  unexpected INTEGER NOT NULL);
CREATE TABLE modules(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE histories(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE versions(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE testees(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE authors(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE outcomes(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE subjects(
  id INTEGER PRIMARY KEY, module INTEGER NOT NULL REFERENCES modules(id),
  history INTEGER NOT NULL REFERENCES histories(id),
  last_run INTEGER NOT NULL REFERENCES runs(id), UNIQUE(module, history));
CREATE INDEX subjects_by_last_run ON subjects(last_run);
CREATE TABLE cell_states(
  subject INTEGER NOT NULL REFERENCES subjects(id),
  author INTEGER NOT NULL REFERENCES authors(id),
  testee INTEGER NOT NULL REFERENCES testees(id),
  writer INTEGER NOT NULL REFERENCES versions(id),
  reader INTEGER NOT NULL REFERENCES versions(id),
  for_target INTEGER NOT NULL,
  first_run INTEGER NOT NULL REFERENCES runs(id),
  state INTEGER NOT NULL REFERENCES states(id),
  outcome INTEGER NOT NULL REFERENCES outcomes(id),
  PRIMARY KEY(subject, author, testee, writer, reader, for_target, first_run))
  WITHOUT ROWID;
)";

constexpr CellState kStates[] = {CellState::kIdentical, CellState::kAdapted,
                                 CellState::kRefused,   CellState::kUnexpected,
                                 CellState::kMisread,   CellState::kCrashed,
                                 CellState::kHung};

// What is stored of a cell that a run does not have any more.
constexpr int64_t kVanished = 7;
constexpr absl::string_view kVanishedName = "did not run";

absl::Status SetSchemaVersion(Sqlite& file) {
  return file.Execute(absl::StrCat("PRAGMA user_version = ", kSchemaVersion));
}

absl::Status InsertState(Sqlite& file, int64_t id, absl::string_view name) {
  OPCOMPAT_ASSIGN_OR_RETURN(
      SqliteStatement insert,
      file.Prepare("INSERT INTO states(id, name) VALUES(?, ?)"));
  insert.Bind(1, id);
  insert.Bind(2, name);
  return insert.Run();
}

absl::Status InsertVanished(Sqlite& file) {
  return InsertState(file, kVanished, kVanishedName);
}

absl::Status MakeSchema(Sqlite& file) {
  OPCOMPAT_RETURN_IF_ERROR(file.Execute(
      absl::StrCat(kSchema, "PRAGMA application_id = ", kApplicationId, ";")));
  for (const CellState state : kStates) {
    OPCOMPAT_RETURN_IF_ERROR(
        InsertState(file, static_cast<int64_t>(state), CellStateName(state)));
  }
  OPCOMPAT_RETURN_IF_ERROR(InsertVanished(file));
  return SetSchemaVersion(file);
}

// nullopt: kVanished.
absl::StatusOr<absl::optional<CellState>> StateOf(int64_t id) {
  if (id == kVanished) return absl::nullopt;
  for (const CellState state : kStates) {
    if (static_cast<int64_t>(state) == id) return state;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the database is damaged: it has a cell in state ", id));
}

// Runs `body` as one transaction that nobody else writes during.
template <typename Body>
absl::Status InTransaction(Sqlite& file, const Body& body) {
  OPCOMPAT_RETURN_IF_ERROR(file.Execute("BEGIN IMMEDIATE"));
  absl::Status status = body();
  if (status.ok()) status = file.Execute("COMMIT");
  // Some errors have rolled back already.
  if (!status.ok()) file.Execute("ROLLBACK").IgnoreError();
  return status;
}

}  // namespace

std::string TimeText(int64_t time) {
  return absl::FormatTime("%Y-%m-%d %H:%M:%S UTC", absl::FromUnixSeconds(time),
                          absl::UTCTimeZone());
}

absl::string_view StateNameOf(const StoredChange& change) {
  return change.state.has_value() ? CellStateName(*change.state)
                                  : kVanishedName;
}

std::string CellOutcomeText(CellState state, const CellOutcome& outcome) {
  std::string text;
  if (!IsGood(state)) {
    text = outcome.detail;
  } else if (state == CellState::kRefused) {
    text = absl::StrJoin(
        outcome.reasons, "; ", [](std::string* out, const Reason& reason) {
          absl::StrAppend(out, ReasonCodeName(reason.code),
                          reason.op.empty() ? "" : " ", reason.op,
                          reason.argument.empty() ? "" : " ", reason.argument);
        });
  }
  return Shortened(PlainLine(text), kLongestOutcome);
}

absl::StatusOr<int64_t> ResultDatabase::CheckSchema(const std::string& path) {
  OPCOMPAT_ASSIGN_OR_RETURN(
      const int64_t tables,
      file_->Number("SELECT count(*) FROM sqlite_master"));
  OPCOMPAT_ASSIGN_OR_RETURN(const int64_t application,
                            file_->Number("PRAGMA application_id"));
  OPCOMPAT_ASSIGN_OR_RETURN(const int64_t version,
                            file_->Number("PRAGMA user_version"));
  if (tables == 0 && application == 0) return 0;
  if (application == kApplicationId && version >= 1 &&
      version <= kSchemaVersion) {
    return version;
  }
  if (application != kApplicationId) {
    return absl::InvalidArgumentError(absl::StrCat(
        path, ": this is another program's database; name another file, ",
        "which is made if it does not exist"));
  }
  return absl::UnimplementedError(absl::StrCat(
      path, ": its tables are of version ", version, ", this opcompat has ",
      kSchemaVersion, "; use the newer opcompat that made it"));
}

absl::Status ResultDatabase::Prepare(const std::string& path) {
  OPCOMPAT_ASSIGN_OR_RETURN(int64_t version, CheckSchema(path));
  if (version == kSchemaVersion) return absl::OkStatus();
  return InTransaction(*file_, [&]() -> absl::Status {
    // Another process may have been faster.
    OPCOMPAT_ASSIGN_OR_RETURN(version, CheckSchema(path));
    if (version == 0) return MakeSchema(*file_);
    if (version == kSchemaVersion) return absl::OkStatus();
    OPCOMPAT_RETURN_IF_ERROR(InsertVanished(*file_));
    return SetSchemaVersion(*file_);
  });
}

absl::StatusOr<std::unique_ptr<ResultDatabase>> ResultDatabase::Open(
    const std::string& path, int busy_seconds) {
  const bool is_new = access(path.c_str(), F_OK) != 0;
  OPCOMPAT_ASSIGN_OR_RETURN(
      std::unique_ptr<Sqlite> file,
      Sqlite::Open(path, Sqlite::Mode::kReadWriteCreate, busy_seconds));
  std::unique_ptr<ResultDatabase> database(new ResultDatabase(std::move(file)));
  const absl::Status status = database->Prepare(path);
  if (status.ok()) return database;
  // A full disk would leave a file with nothing in it.
  database.reset();
  struct stat info;
  if (is_new && stat(path.c_str(), &info) == 0 && info.st_size == 0) {
    unlink(path.c_str());
  }
  return status;
}

absl::StatusOr<std::unique_ptr<ResultDatabase>> ResultDatabase::OpenForReading(
    const std::string& path, int busy_seconds) {
  if (access(path.c_str(), F_OK) != 0) {
    return absl::NotFoundError(absl::StrCat(
        path, ": there is no such file; `opcompat matrix --db=", path,
        "` makes it"));
  }
  OPCOMPAT_ASSIGN_OR_RETURN(
      std::unique_ptr<Sqlite> file,
      Sqlite::Open(path, Sqlite::Mode::kReadOnly, busy_seconds));
  std::unique_ptr<ResultDatabase> database(new ResultDatabase(std::move(file)));
  OPCOMPAT_ASSIGN_OR_RETURN(const int64_t version, database->CheckSchema(path));
  if (version == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": the file is empty; `opcompat matrix --db=", path,
                     "` stores runs in it"));
  }
  return database;
}

absl::StatusOr<std::vector<StoredRun>> ResultDatabase::Runs() {
  OPCOMPAT_ASSIGN_OR_RETURN(
      SqliteStatement select,
      file_->Prepare("SELECT id, name, time FROM runs ORDER BY id"));
  std::vector<StoredRun> runs;
  for (;;) {
    OPCOMPAT_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) return runs;
    runs.push_back({select.Int(0), {select.Text(1), select.Int(2)}});
  }
}

absl::StatusOr<std::vector<CellHistory>> ResultDatabase::Find(
    const CellPattern& pattern) {
  OPCOMPAT_ASSIGN_OR_RETURN(const std::vector<StoredRun> all, Runs());
  absl::flat_hash_map<int64_t, StoredRun> runs;
  for (const StoredRun& run : all) runs[run.id] = run;

  // Modules and histories first: most are not asked for.
  struct Subject {
    int64_t id = 0;
    std::string module;
    std::string history;
  };
  std::vector<Subject> subjects;
  OPCOMPAT_ASSIGN_OR_RETURN(
      SqliteStatement select_subjects,
      file_->Prepare("SELECT s.id, m.name, h.name FROM subjects s "
                     "JOIN modules m ON m.id = s.module "
                     "JOIN histories h ON h.id = s.history "
                     "ORDER BY m.name, h.name"));
  for (;;) {
    OPCOMPAT_ASSIGN_OR_RETURN(const bool row, select_subjects.Step());
    if (!row) break;
    Subject subject{select_subjects.Int(0), select_subjects.Text(1),
                    select_subjects.Text(2)};
    if (MatchesGlob(pattern.module, subject.module) &&
        MatchesGlob(pattern.history, subject.history)) {
      subjects.push_back(std::move(subject));
    }
  }

  OPCOMPAT_ASSIGN_OR_RETURN(
      SqliteStatement select,
      file_->Prepare(
          "SELECT w.name, r.name, t.name, a.name, a.id, c.first_run, c.state, "
          "o.name FROM cell_states c "
          "JOIN versions w ON w.id = c.writer "
          "JOIN versions r ON r.id = c.reader "
          "JOIN testees t ON t.id = c.testee "
          "JOIN authors a ON a.id = c.author "
          "JOIN outcomes o ON o.id = c.outcome "
          "WHERE c.subject = ? AND c.for_target = ? "
          "ORDER BY c.author, c.testee, c.writer, c.reader, c.first_run"));
  std::vector<CellHistory> found;
  for (const Subject& subject : subjects) {
    select.Reset();
    select.Bind(1, subject.id);
    select.Bind(2, static_cast<int64_t>(pattern.for_target));
    const size_t first = found.size();
    for (;;) {
      OPCOMPAT_ASSIGN_OR_RETURN(const bool row, select.Step());
      if (!row) break;
      CellHistory cell;
      cell.module = subject.module;
      cell.history = subject.history;
      cell.writer = select.Text(0);
      cell.reader = select.Text(1);
      cell.for_target = pattern.for_target;
      cell.testee = select.Text(2);
      cell.author = select.Text(3);
      if (!MatchesAnyGlob(pattern.writer, cell.writer) ||
          !MatchesAnyGlob(pattern.reader, cell.reader) ||
          !(MatchesGlob(pattern.testee, cell.testee) ||
            MatchesGlob(pattern.testee,
                        absl::StrCat(cell.author, "=>", cell.testee)))) {
        continue;
      }
      const bool same = found.size() > first &&
                        found.back().writer == cell.writer &&
                        found.back().reader == cell.reader &&
                        found.back().testee == cell.testee &&
                        found.back().author == cell.author;
      if (!same) found.push_back(std::move(cell));
      OPCOMPAT_ASSIGN_OR_RETURN(const absl::optional<CellState> state,
                                StateOf(select.Int(6)));
      found.back().changes.push_back(
          {runs[select.Int(5)], state, select.Text(7)});
    }
  }
  return found;
}

absl::StatusOr<std::unique_ptr<DatabaseReport>> DatabaseReport::Create(
    RunNames names, RunInfo run, ResultDatabase* database) {
  std::unique_ptr<DatabaseReport> report(
      new DatabaseReport(std::move(names), std::move(run), database));
  OPCOMPAT_RETURN_IF_ERROR(report->Prepare());
  return report;
}

absl::Status DatabaseReport::Prepare() {
  OPCOMPAT_RETURN_IF_ERROR(file_.Execute(
      "DROP TABLE IF EXISTS temp.run_cells;"
      "CREATE TEMP TABLE run_cells(subject INTEGER, author INTEGER, "
      "testee INTEGER, writer INTEGER, reader INTEGER, for_target INTEGER, "
      "state INTEGER, outcome TEXT);"));
  OPCOMPAT_ASSIGN_OR_RETURN(
      insert_cell_,
      file_.Prepare(
          "INSERT INTO temp.run_cells VALUES(?, ?, ?, ?, ?, ?, ?, ?)"));
  OPCOMPAT_ASSIGN_OR_RETURN(
      insert_state_,
      file_.Prepare("INSERT OR REPLACE INTO cell_states VALUES(?, ?, ?, ?, ?, "
                    "?, ?, ?, ?)"));
  return absl::OkStatus();
}

absl::StatusOr<int64_t> DatabaseReport::FindName(const std::string& table,
                                                 const std::string& name) {
  OPCOMPAT_ASSIGN_OR_RETURN(
      SqliteStatement select,
      file_.Prepare(absl::StrCat("SELECT id FROM ", table, " WHERE name = ?")));
  select.Bind(1, name);
  OPCOMPAT_ASSIGN_OR_RETURN(const bool row, select.Step());
  return row ? select.Int(0) : 0;
}

absl::StatusOr<int64_t> DatabaseReport::Intern(const std::string& table,
                                               const std::string& name) {
  OPCOMPAT_ASSIGN_OR_RETURN(const int64_t id, FindName(table, name));
  if (id != 0) return id;
  OPCOMPAT_ASSIGN_OR_RETURN(
      SqliteStatement insert,
      file_.Prepare(absl::StrCat("INSERT INTO ", table, "(name) VALUES(?)")));
  insert.Bind(1, name);
  OPCOMPAT_RETURN_IF_ERROR(insert.Run());
  return file_.last_insert_id();
}

absl::StatusOr<DatabaseReport::Ids> DatabaseReport::IdsOf(
    const Subject& subject, bool make) {
  const auto id = [&](const std::string& table, const std::string& name) {
    return make ? Intern(table, PlainLine(name))
                : FindName(table, PlainLine(name));
  };
  const auto all_ids = [&](const std::string& table,
                           const std::vector<std::string>& names)
      -> absl::StatusOr<std::vector<int64_t>> {
    std::vector<int64_t> found;
    for (const std::string& name : names) {
      OPCOMPAT_ASSIGN_OR_RETURN(const int64_t one, id(table, name));
      found.push_back(one);
    }
    return found;
  };
  Ids ids;
  OPCOMPAT_ASSIGN_OR_RETURN(ids.authors, all_ids("authors", names_.authors));
  OPCOMPAT_ASSIGN_OR_RETURN(ids.testees, all_ids("testees", names_.testees));
  OPCOMPAT_ASSIGN_OR_RETURN(ids.versions,
                            all_ids("versions", subject.history->versions));
  OPCOMPAT_ASSIGN_OR_RETURN(const int64_t module,
                            id("modules", subject.module));
  OPCOMPAT_ASSIGN_OR_RETURN(const int64_t history,
                            id("histories", subject.history->name));
  OPCOMPAT_ASSIGN_OR_RETURN(
      SqliteStatement select,
      file_.Prepare(
          "SELECT id FROM subjects WHERE module = ? AND history = ?"));
  select.Bind(1, module);
  select.Bind(2, history);
  OPCOMPAT_ASSIGN_OR_RETURN(const bool row, select.Step());
  if (row) {
    ids.subject = select.Int(0);
  } else if (make) {
    OPCOMPAT_ASSIGN_OR_RETURN(
        SqliteStatement insert,
        file_.Prepare("INSERT INTO subjects(module, history, last_run) "
                      "VALUES(?, ?, 0)"));
    insert.Bind(1, module);
    insert.Bind(2, history);
    OPCOMPAT_RETURN_IF_ERROR(insert.Run());
    ids.subject = file_.last_insert_id();
  }
  return ids;
}

absl::StatusOr<DatabaseReport::LastStates> DatabaseReport::LoadLast(
    int64_t subject) {
  OPCOMPAT_ASSIGN_OR_RETURN(
      SqliteStatement select,
      file_.Prepare(
          "SELECT c.author, c.testee, c.writer, c.reader, c.for_target, "
          "c.first_run, c.state, o.name FROM cell_states c "
          "JOIN outcomes o ON o.id = c.outcome WHERE c.subject = ? "
          "ORDER BY c.first_run"));
  select.Bind(1, subject);
  LastStates last;
  for (;;) {
    OPCOMPAT_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) return last;
    OPCOMPAT_ASSIGN_OR_RETURN(const absl::optional<CellState> state,
                              StateOf(select.Int(6)));
    Last& cell = last[Key(select.Int(0), select.Int(1), select.Int(2),
                          select.Int(3), select.Int(4))];
    if (!state.has_value()) {
      cell.state = absl::nullopt;
    } else if (!cell.state.has_value() || cell.state->state != *state) {
      // Another outcome in the same state does not end the row.
      cell.state = EarlierState{*state, select.Int(5)};
    }
    cell.outcome = select.Text(7);
  }
}

absl::Status DatabaseReport::Add(const ModuleCells& module) {
  const Subject subject{module.module, module.history};
  OPCOMPAT_ASSIGN_OR_RETURN(const Ids ids, IdsOf(subject, /*make=*/false));
  OPCOMPAT_ASSIGN_OR_RETURN(const LastStates last, LoadLast(ids.subject));
  earlier_.clear();
  for (const Cell& cell : module.cells) {
    const auto it = last.find(Key(
        ids.authors[cell.author], ids.testees[cell.testee],
        ids.versions[cell.writer], ids.versions[cell.reader], cell.for_target));
    earlier_.push_back(it == last.end() ? absl::nullopt : it->second.state);
  }
  // One transaction of the temporary file; the database is not written.
  OPCOMPAT_RETURN_IF_ERROR(file_.Execute("SAVEPOINT module"));
  for (const Cell& cell : module.cells) {
    insert_cell_->Bind(1, static_cast<int64_t>(subjects_.size()));
    insert_cell_->Bind(2, static_cast<int64_t>(cell.author));
    insert_cell_->Bind(3, static_cast<int64_t>(cell.testee));
    insert_cell_->Bind(4, static_cast<int64_t>(cell.writer));
    insert_cell_->Bind(5, static_cast<int64_t>(cell.reader));
    insert_cell_->Bind(6, static_cast<int64_t>(cell.for_target));
    insert_cell_->Bind(7, static_cast<int64_t>(cell.state));
    insert_cell_->Bind(8, absl::string_view(CellOutcomeText(
                              cell.state, module.outcome(cell))));
    OPCOMPAT_RETURN_IF_ERROR(insert_cell_->Run());
  }
  OPCOMPAT_RETURN_IF_ERROR(file_.Execute("RELEASE module"));
  subjects_.push_back(subject);
  return absl::OkStatus();
}

absl::Status DatabaseReport::Finish(const MatrixSummary& summary) {
  OPCOMPAT_RETURN_IF_ERROR(
      InTransaction(file_, [&] { return Store(summary); }));
  stored_ = true;
  return file_.Execute("DELETE FROM temp.run_cells");
}

absl::Status DatabaseReport::Store(const MatrixSummary& summary) {
  OPCOMPAT_ASSIGN_OR_RETURN(
      SqliteStatement last,
      file_.Prepare(
          "SELECT id, name, time FROM runs ORDER BY id DESC LIMIT 1"));
  OPCOMPAT_ASSIGN_OR_RETURN(const bool has_last, last.Step());
  if (has_last) {
    changes_.last = StoredRun{last.Int(0), {last.Text(1), last.Int(2)}};
  }
  last.Reset();
  OPCOMPAT_ASSIGN_OR_RETURN(
      SqliteStatement insert,
      file_.Prepare("INSERT INTO runs(name, time, cells, accepted, identical, "
                    "refused, misread, crashed, hung, unexpected) "
                    "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  insert.Bind(1, absl::string_view(PlainLine(run_.name)));
  insert.Bind(2, run_.time);
  int parameter = 3;
  for (const uint64_t count :
       {summary.cells, summary.accepted, summary.identical, summary.refused,
        summary.misread, summary.crashed, summary.hung, summary.unexpected}) {
    insert.Bind(parameter++, static_cast<int64_t>(count));
  }
  OPCOMPAT_RETURN_IF_ERROR(insert.Run());
  const int64_t run = file_.last_insert_id();
  // In the order of their modules: SQLite sorts them on disk if need be.
  OPCOMPAT_RETURN_IF_ERROR(
      file_.Execute("CREATE INDEX IF NOT EXISTS temp.run_cells_by_subject ON "
                    "run_cells(subject)"));
  for (size_t s = 0; s < subjects_.size(); ++s) {
    OPCOMPAT_RETURN_IF_ERROR(StoreSubject(s, run));
  }
  if (!changes_.last.has_value()) return absl::OkStatus();
  OPCOMPAT_ASSIGN_OR_RETURN(
      SqliteStatement gone,
      file_.Prepare("SELECT m.name, h.name FROM subjects s "
                    "JOIN modules m ON m.id = s.module "
                    "JOIN histories h ON h.id = s.history "
                    "WHERE s.last_run = ? ORDER BY m.name, h.name"));
  gone.Bind(1, changes_.last->id);
  for (;;) {
    OPCOMPAT_ASSIGN_OR_RETURN(const bool row, gone.Step());
    if (!row) return absl::OkStatus();
    changes_.gone.push_back(absl::StrCat(gone.Text(0), " ", gone.Text(1)));
  }
}

absl::Status DatabaseReport::StoreSubject(size_t index, int64_t run) {
  OPCOMPAT_ASSIGN_OR_RETURN(const Ids ids,
                            IdsOf(subjects_[index], /*make=*/true));
  OPCOMPAT_ASSIGN_OR_RETURN(LastStates last, LoadLast(ids.subject));
  OPCOMPAT_ASSIGN_OR_RETURN(
      SqliteStatement select,
      file_.Prepare("SELECT author, testee, writer, reader, for_target, state, "
                    "outcome FROM temp.run_cells WHERE subject = ?"));
  absl::flat_hash_set<Key> ran;
  absl::flat_hash_map<std::string, int64_t> outcomes;
  select.Bind(1, static_cast<int64_t>(index));
  for (;;) {
    OPCOMPAT_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) break;
    const Key key(ids.authors[static_cast<size_t>(select.Int(0))],
                  ids.testees[static_cast<size_t>(select.Int(1))],
                  ids.versions[static_cast<size_t>(select.Int(2))],
                  ids.versions[static_cast<size_t>(select.Int(3))],
                  select.Int(4));
    ran.insert(key);
    const int64_t state = select.Int(5);
    const std::string outcome = select.Text(6);
    const auto it = last.find(key);
    if (it == last.end() || !it->second.state.has_value()) {
      ++changes_.fresh;
    } else if (static_cast<int64_t>(it->second.state->state) != state) {
      ++changes_.changed;
    } else if (it->second.outcome == outcome) {
      continue;
    }
    int64_t& outcome_id = outcomes[outcome];
    if (outcome_id == 0) {
      OPCOMPAT_ASSIGN_OR_RETURN(outcome_id, Intern("outcomes", outcome));
    }
    OPCOMPAT_RETURN_IF_ERROR(StoreState(ids, key, run, state, outcome_id));
  }
  if (!names_.part.limited) {
    OPCOMPAT_RETURN_IF_ERROR(StoreVanished(ids, last, ran, run));
  }
  OPCOMPAT_ASSIGN_OR_RETURN(
      SqliteStatement update,
      file_.Prepare("UPDATE subjects SET last_run = ? WHERE id = ?"));
  update.Bind(1, run);
  update.Bind(2, ids.subject);
  return update.Run();
}

absl::Status DatabaseReport::StoreVanished(const Ids& ids,
                                           const LastStates& last,
                                           const absl::flat_hash_set<Key>& ran,
                                           int64_t run) {
  const auto is_of_run = [](const std::vector<int64_t>& all, int64_t id) {
    return std::find(all.begin(), all.end(), id) != all.end();
  };
  OPCOMPAT_ASSIGN_OR_RETURN(const int64_t nothing, Intern("outcomes", ""));
  for (const auto& [key, cell] : last) {
    if (!cell.state.has_value() || ran.contains(key) ||
        !is_of_run(ids.authors, std::get<0>(key)) ||
        !is_of_run(ids.testees, std::get<1>(key))) {
      continue;
    }
    ++changes_.vanished;
    OPCOMPAT_RETURN_IF_ERROR(StoreState(ids, key, run, kVanished, nothing));
  }
  return absl::OkStatus();
}

absl::Status DatabaseReport::StoreState(const Ids& ids, const Key& key,
                                        int64_t run, int64_t state,
                                        int64_t outcome) {
  insert_state_->Bind(1, ids.subject);
  insert_state_->Bind(2, std::get<0>(key));
  insert_state_->Bind(3, std::get<1>(key));
  insert_state_->Bind(4, std::get<2>(key));
  insert_state_->Bind(5, std::get<3>(key));
  insert_state_->Bind(6, std::get<4>(key));
  insert_state_->Bind(7, run);
  insert_state_->Bind(8, state);
  insert_state_->Bind(9, outcome);
  return insert_state_->Run();
}

}  // namespace opcompat
