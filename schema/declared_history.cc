#include "schema/declared_history.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace opcompat {

std::string HistoryFault::ToString() const {
  std::string text = place.file;
  if (place.line > 0) absl::StrAppend(&text, ":", place.line);
  if (place.column > 0) absl::StrAppend(&text, ":", place.column);
  if (!text.empty()) text += ": ";
  return text + message;
}

}  // namespace opcompat
