// The few things that we ask of SQLite, with Status for its error codes and
// nothing to close by hand. Not a layer over SQL: statements are SQLite's own.
#ifndef OPCOMPAT_COMPAT_MATRIX_REPORTS_SQLITE_H_
#define OPCOMPAT_COMPAT_MATRIX_REPORTS_SQLITE_H_

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace opcompat {

class SqliteStatement;

// An open file. Neither copyable nor movable, not for several threads; must
// outlive its statements.
class Sqlite {
 public:
  enum class Mode {
    kReadOnly,         // the file must exist
    kReadWriteCreate,  // made if it is not there
  };
  Sqlite(const Sqlite&) = delete;
  Sqlite& operator=(const Sqlite&) = delete;

  // `busy_seconds`: how long to wait for other processes.
  static absl::StatusOr<std::unique_ptr<Sqlite>> Open(const std::string& path,
                                                      Mode mode,
                                                      int busy_seconds);

  // Statements without results, separated by `;`.
  absl::Status Execute(const std::string& sql);
  absl::StatusOr<SqliteStatement> Prepare(absl::string_view sql);
  // The first column of the only row.
  absl::StatusOr<int64_t> Number(absl::string_view sql);
  int64_t last_insert_id() const;

  // The error that the file's last call gave, with the path and what helps:
  // Unavailable: locked, or cannot be opened, read or written. InvalidArgument:
  // not a database, or a damaged one. ResourceExhausted: the disk is full.
  absl::Status Error() const;

 private:
  friend class SqliteStatement;
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  Sqlite(std::string path, int busy_seconds)
      : path_(std::move(path)), busy_seconds_(busy_seconds) {}

  std::string path_;
  int busy_seconds_;
  std::unique_ptr<sqlite3, Close> handle_;
};

// A prepared statement:
//
//   statement.Bind(1, name);
//   OPCOMPAT_ASSIGN_OR_RETURN(bool row, statement.Step());
//   if (row) id = statement.Int(0);
//   statement.Reset();
class SqliteStatement {
 public:
  // Parameters count from 1, columns from 0.
  void Bind(int parameter, int64_t value);
  void Bind(int parameter, absl::string_view text);
  // Whether there is a row (more).
  absl::StatusOr<bool> Step();
  // Steps once and resets, for statements without rows.
  absl::Status Run();
  void Reset();
  int64_t Int(int column) const;
  std::string Text(int column) const;

 private:
  friend class Sqlite;
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
  };
  SqliteStatement(const Sqlite* database, sqlite3_stmt* handle)
      : database_(database), handle_(handle) {}

  const Sqlite* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_REPORTS_SQLITE_H_
