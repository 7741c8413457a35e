// Small histories for tests, written in a few lines, and entries as text to
// compare them with.
#ifndef OPCOMPAT_SCHEMA_TEXT_HISTORY_TEXT_H_
#define OPCOMPAT_SCHEMA_TEXT_HISTORY_TEXT_H_

#include <map>
#include <string>
#include <vector>

#include "schema/operator_entry.h"
#include "schema/text/history_file.h"

namespace opcompat {

// One version. Its id is "1", "2", ... by its place, unless `id` says so.
struct VersionText {
  // Schemas, one a line; without the header. Lines count from 2.
  std::string schemas;
  // Fields of message Version other than id and operators, any lines.
  std::string declarations = {};
  std::string id = {};
};

// The files of a history named `t` in the folder `h`. history.textproto has
// `name` in line 1, then for each version a line with id and operators, the
// lines of its declarations (none if empty) and a line `}`; the operators of
// version N are in N.ops.
std::map<std::string, std::string> HistoryFiles(
    const std::vector<VersionText>& versions);

// Loads "h/history.textproto" from such files.
LoadedHistory LoadFromFiles(const std::map<std::string, std::string>& files);

// HistoryFiles and LoadFromFiles.
LoadedHistory LoadFromText(const std::vector<VersionText>& versions);

// Each fault as it prints, for comparing.
std::vector<std::string> FaultStrings(const LoadedHistory& loaded);

// All that an entry says, in one line for itself and one for each argument.
std::string Describe(const OperatorEntry& entry);

// Describe() of the present entries of all operators of a version, "fault: .."
// for an unusable one, and "absent" if the version does not exist.
std::string DescribeVersion(const OpsetHistory& history,
                            const std::string& version);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_TEXT_HISTORY_TEXT_H_
