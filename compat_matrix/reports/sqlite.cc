#include "compat_matrix/reports/sqlite.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"

namespace opcompat {

absl::StatusOr<std::unique_ptr<Sqlite>> Sqlite::Open(const std::string& path,
                                                     Mode mode,
                                                     int busy_seconds) {
  // SQLite opens it, and then cannot read it.
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": this is a directory; name a file"));
  }
  std::unique_ptr<Sqlite> database(new Sqlite(path, busy_seconds));
  sqlite3* handle = nullptr;
  const int flags = mode == Mode::kReadOnly
                        ? SQLITE_OPEN_READONLY
                        : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  database->handle_.reset(handle);
  if (code != SQLITE_OK) return database->Error();
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, busy_seconds * 1000);
  return database;
}

absl::Status Sqlite::Error() const {
  if (handle_ == nullptr) {
    return absl::ResourceExhaustedError(absl::StrCat(path_, ": no memory"));
  }
  const int code = sqlite3_errcode(handle_.get()) & 0xff;
  const std::string message = sqlite3_errmsg(handle_.get());
  switch (code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return absl::UnavailableError(absl::StrCat(
          path_, ": another process has had it locked for ", busy_seconds_,
          " seconds; try again when that has ended"));
    case SQLITE_NOTADB:
      return absl::InvalidArgumentError(
          absl::StrCat(path_, ": this is no SQLite database; name another ",
                       "file, which is made if it does not exist"));
    case SQLITE_CORRUPT:
      return absl::InvalidArgumentError(absl::StrCat(
          path_, ": the database is damaged (", message,
          "); take a copy from before, save what is left with `sqlite3 ", path_,
          " .recover`, or begin a new file"));
    case SQLITE_FULL:
      return absl::ResourceExhaustedError(
          absl::StrCat(path_,
                       ": the disk is full, or that of temporary files; "
                       "nothing was stored"));
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
      if (const int why = sqlite3_system_errno(handle_.get()); why != 0) {
        return absl::UnavailableError(absl::StrCat(
            path_,
            code == SQLITE_CANTOPEN ? ": cannot be opened: "
                                    : ": cannot be read or written: ",
            strerror(why)));
      }
      return absl::UnavailableError(absl::StrCat(path_, ": ", message));
    case SQLITE_ERROR:
      // A table or a column that should be there is not.
      return absl::InvalidArgumentError(absl::StrCat(
          path_, ": the tables are not those of opcompat's results (", message,
          "); name another file, which is made if it does not exist"));
    default:
      return absl::UnavailableError(absl::StrCat(path_, ": ", message));
  }
}

absl::Status Sqlite::Execute(const std::string& sql) {
  if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) !=
      SQLITE_OK) {
    return Error();
  }
  return absl::OkStatus();
}

absl::StatusOr<SqliteStatement> Sqlite::Prepare(absl::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle_.get(), sql.data(),
                         static_cast<int>(sql.size()), &statement,
                         nullptr) != SQLITE_OK) {
    return Error();
  }
  return SqliteStatement(this, statement);
}

absl::StatusOr<int64_t> Sqlite::Number(absl::string_view sql) {
  OPCOMPAT_ASSIGN_OR_RETURN(SqliteStatement statement, Prepare(sql));
  OPCOMPAT_ASSIGN_OR_RETURN(const bool row, statement.Step());
  return row ? statement.Int(0) : 0;
}

int64_t Sqlite::last_insert_id() const {
  return sqlite3_last_insert_rowid(handle_.get());
}

void SqliteStatement::Bind(int parameter, int64_t value) {
  sqlite3_bind_int64(handle_.get(), parameter, value);
}

void SqliteStatement::Bind(int parameter, absl::string_view text) {
  // A null pointer would be NULL.
  sqlite3_bind_text64(handle_.get(), parameter,
                      text.data() == nullptr ? "" : text.data(), text.size(),
                      SQLITE_TRANSIENT, SQLITE_UTF8);
}

absl::StatusOr<bool> SqliteStatement::Step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  absl::Status error = database_->Error();
  Reset();
  return error;
}

absl::Status SqliteStatement::Run() {
  OPCOMPAT_RETURN_IF_ERROR(Step().status());
  Reset();
  return absl::OkStatus();
}

void SqliteStatement::Reset() { sqlite3_reset(handle_.get()); }

int64_t SqliteStatement::Int(int column) const {
  return sqlite3_column_int64(handle_.get(), column);
}

std::string SqliteStatement::Text(int column) const {
  const unsigned char* text = sqlite3_column_text(handle_.get(), column);
  if (text == nullptr) return "";
  return std::string(
      reinterpret_cast<const char*>(text),
      static_cast<size_t>(sqlite3_column_bytes(handle_.get(), column)));
}

}  // namespace opcompat
