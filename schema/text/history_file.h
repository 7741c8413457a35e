// Histories from files: history.textproto (message opcompat.schema.History)
// and the .ops files that it names.
#ifndef OPCOMPAT_SCHEMA_TEXT_HISTORY_FILE_H_
#define OPCOMPAT_SCHEMA_TEXT_HISTORY_FILE_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "schema/history.h"
#include "schema/history_builder.h"

namespace opcompat {

// Returns the contents of a file. The default reads the file system.
using FileReader =
    std::function<absl::StatusOr<std::string>(const std::string& path)>;

struct LoadedHistory {
  // Null if there are faults.
  std::shared_ptr<const OpsetHistory> history;
  // As far as they could be read.
  DeclaredHistory declared;
  // All of them: of the text format, of the .ops files, of the declarations.
  std::vector<HistoryFault> faults;
};

// Loads and checks `path`: a history.textproto, or a directory that has one.
LoadedHistory LoadHistory(const std::string& path,
                          const FileReader& read_file = nullptr);

// As LoadHistory: the history, or InvalidArgument (NotFound for a missing
// file) with every fault, one a line.
absl::StatusOr<std::shared_ptr<const OpsetHistory>> LoadHistoryOrError(
    const std::string& path);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_TEXT_HISTORY_FILE_H_
