#include "tools/loaded_history.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "ir/text/history_loader.h"
#include "tools/history_input.h"

namespace opcompat {
namespace {

LoadOptions OptionsFor(const FileReader& read_file, Histories& histories) {
  LoadOptions options;
  options.read_file = read_file;
  options.find_other = [&histories](absl::string_view name) {
    return histories.FindOther(name);
  };
  return options;
}

}  // namespace

absl::StatusOr<LoadedHistory> LoadDeclaredHistory(const std::string& input,
                                                  Histories& histories) {
  OPCOMPAT_ASSIGN_OR_RETURN(const std::string path, histories.PathOf(input));
  OPCOMPAT_ASSIGN_OR_RETURN(const HistoryInput file, OpenHistory(path));
  return LoadDeclaredHistory(file, histories);
}

LoadedHistory LoadDeclaredHistory(const HistoryInput& input,
                                  Histories& histories) {
  if (input.is_compiled) return WithoutDeclarations(input.path);
  return LoadTextHistory(input, OptionsFor(nullptr, histories));
}

LoadedHistory LoadDeclaredHistory(const std::string& path,
                                  const FileReader& read_file,
                                  Histories& histories) {
  return LoadHistory(path, OptionsFor(read_file, histories));
}

LoadedHistory WithoutDeclarations(const std::string& path) {
  LoadedHistory loaded;
  loaded.faults.push_back(
      {{path},
       "a compiled history has no declarations; give the history.textproto "
       "that it was made from"});
  return loaded;
}

std::vector<FaultLine> FaultLinesOf(const std::vector<HistoryFault>& faults) {
  std::vector<FaultLine> lines;
  lines.reserve(faults.size());
  for (const HistoryFault& fault : faults) {
    lines.push_back({fault.place.file, fault.place.line, fault.place.column,
                     fault.message});
  }
  return lines;
}

absl::Status PlacedFaults(const std::vector<FaultLine>& faults) {
  absl::Status status = absl::InvalidArgumentError(
      absl::StrJoin(faults, "\n", [](std::string* out, const FaultLine& fault) {
        absl::StrAppend(out, fault.ToString());
      }));
  status.SetPayload(kHistoryFaultsPayload, absl::Cord());
  return status;
}

}  // namespace opcompat
