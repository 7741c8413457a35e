// Histories from files: history.textproto (message opcompat.schema.History)
// and the .ops files that it names. What a history must be is not decided
// here but in schema/history_builder.h. Step graphs are not understood here:
// ir/text/history_loader.h loads histories whole.
#ifndef OPCOMPAT_SCHEMA_TEXT_HISTORY_FILE_H_
#define OPCOMPAT_SCHEMA_TEXT_HISTORY_FILE_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "schema/declared_history.h"
#include "schema/evolution/step_graph_use.h"
#include "schema/history.h"

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
  // A text that is no message of the text format has only its own faults; an
  // operator whose schema cannot be read has no further ones.
  std::vector<HistoryFault> faults;
  // See HistoryResult::warnings.
  std::vector<HistoryFault> warnings;
  // `path` itself could not be read (which is one of the faults).
  bool missing = false;
  // All that was read, or tried: the history itself first.
  std::vector<std::string> files;
};

// The history; or, if it has faults, InvalidArgument (NotFound if it is missing)
// with every one of them, one a line.
absl::StatusOr<std::shared_ptr<const OpsetHistory>> HistoryOrError(
    LoadedHistory loaded);

// As StepGraphReader, given the text of the graph's file.
using StepGraphParser =
    std::function<absl::StatusOr<StepGraphBody>(absl::string_view text,
                                                const StepGraphUse& use,
                                                const Opset& written_at)>;

// Reads and checks `path`: a history.textproto, or a directory that has one.
// With a `read_file` of your own a path that does not end in `.textproto` is a
// directory. Paths in the file are relative to it.
// Without `parse_graph` the files of step graphs need only be there.
LoadedHistory ReadHistory(const std::string& path,
                          const FileReader& read_file = nullptr,
                          const StepGraphParser& parse_graph = nullptr);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_TEXT_HISTORY_FILE_H_
