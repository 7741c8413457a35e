#include "tools/fault_lines.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "tools/output.h"

namespace opcompat {

std::string FaultLine::ToString() const {
  std::string text = file;
  if (line > 0) absl::StrAppend(&text, ":", line);
  if (line > 0 && column > 0) absl::StrAppend(&text, ":", column);
  absl::StrAppend(&text, ": ", message);
  return text;
}

FaultLine FaultOf(const std::string& file, absl::string_view message) {
  FaultLine fault;
  fault.file = file;
  const std::vector<absl::string_view> parts =
      absl::StrSplit(message, absl::MaxSplits(':', 2));
  int line = 0;
  int column = 0;
  if (parts.size() == 3 && absl::SimpleAtoi(parts[0], &line) &&
      absl::SimpleAtoi(parts[1], &column)) {
    fault.line = line;
    fault.column = column;
    message = absl::StripLeadingAsciiWhitespace(parts[2]);
  }
  fault.message = std::string(message);
  return fault;
}

void SortFaults(std::vector<FaultLine>* faults) {
  std::sort(faults->begin(), faults->end(),
            [](const FaultLine& a, const FaultLine& b) {
              return std::tie(a.line, a.column, a.message) <
                     std::tie(b.line, b.column, b.message);
            });
}

void PrintFaults(const std::vector<FaultLine>& faults) {
  for (const FaultLine& fault : faults) PrintError(OneLine(fault.ToString()));
}

nlohmann::ordered_json FaultsToJson(const std::vector<FaultLine>& faults) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const FaultLine& fault : faults) {
    nlohmann::ordered_json item;
    item["file"] = fault.file;
    if (fault.line > 0) item["line"] = fault.line;
    if (fault.column > 0) item["column"] = fault.column;
    item["message"] = fault.message;
    json.push_back(std::move(item));
  }
  return json;
}

}  // namespace opcompat
