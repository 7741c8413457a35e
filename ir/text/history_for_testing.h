// For tests: histories with step graphs from text in the test. (Faults are
// placed in history.textproto, ID.ops and the graphs' paths. Without graphs,
// schema/text/history_text.h.)
#ifndef OPCOMPAT_IR_TEXT_HISTORY_FOR_TESTING_H_
#define OPCOMPAT_IR_TEXT_HISTORY_FOR_TESTING_H_

#include <map>
#include <string>
#include <vector>

#include "ir/text/history_loader.h"

namespace opcompat {

struct TextVersion {
  std::string id;
  // Schemas, one a line, without the header.
  std::string operators;
  // What the version declares, as fields of message Version: `changes { ... }`,
  // `gap { ... }`.
  std::string declared = "";
};

// The history `t` of `versions`, and its faults. `graphs`: the texts of step
// graphs, by path.
LoadedHistory LoadText(const std::vector<TextVersion>& versions,
                       const std::map<std::string, std::string>& graphs = {});

}  // namespace opcompat

#endif  // OPCOMPAT_IR_TEXT_HISTORY_FOR_TESTING_H_
