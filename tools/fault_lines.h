// Faults of text files with their places, as every command prints them:
// FILE:LINE:COLUMN: message.
#ifndef OPCOMPAT_TOOLS_FAULT_LINES_H_
#define OPCOMPAT_TOOLS_FAULT_LINES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"

namespace opcompat {

struct FaultLine {
  std::string file;
  int line = 0;    // 0: not known
  int column = 0;  // 0: not known
  std::string message;

  std::string ToString() const;
};

// From the message of a parser, which begins with `LINE:COLUMN: `; without
// that the place is not known.
FaultLine FaultOf(const std::string& file, absl::string_view message);

// By line, column and message, within one file.
void SortFaults(std::vector<FaultLine>* faults);

// On standard error, one a line.
void PrintFaults(const std::vector<FaultLine>& faults);

// [{"file", "line", "column", "message"}, ...]; places not known are left out.
nlohmann::ordered_json FaultsToJson(const std::vector<FaultLine>& faults);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_FAULT_LINES_H_
