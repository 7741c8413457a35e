// A history with what its file declares, for commands that speak of the
// declarations themselves.
#ifndef OPCOMPAT_TOOLS_LOADED_HISTORY_H_
#define OPCOMPAT_TOOLS_LOADED_HISTORY_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "schema/declared_history.h"
#include "schema/text/history_file.h"
#include "tools/fault_lines.h"
#include "tools/histories.h"
#include "tools/history_input.h"

namespace opcompat {

// Reads and checks `NAME|DIR|FILE`, or a textproto on standard input for `-`
// (its paths are relative to the current directory). Returns NotFound if there
// is nothing there; faults are in the result. A compiled history is a fault: it
// has no declarations.
absl::StatusOr<LoadedHistory> LoadDeclaredHistory(const std::string& input,
                                                  Histories& histories);

// The same of what was opened already.
LoadedHistory LoadDeclaredHistory(const HistoryInput& input,
                                  Histories& histories);

// What comes of a compiled history at `path`: that fault.
LoadedHistory WithoutDeclarations(const std::string& path);

// `read_file` instead of the file system. `path` is of a history.textproto.
LoadedHistory LoadDeclaredHistory(const std::string& path,
                                  const FileReader& read_file,
                                  Histories& histories);

std::vector<FaultLine> FaultLinesOf(const std::vector<HistoryFault>& faults);

// InvalidArgument with every fault, one a line, and the payload
// kHistoryFaultsPayload.
absl::Status PlacedFaults(const std::vector<FaultLine>& faults);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_LOADED_HISTORY_H_
