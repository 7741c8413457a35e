// For tests of the rules: histories from text in the test.
#ifndef OPCOMPAT_CHECK_TESTING_H_
#define OPCOMPAT_CHECK_TESTING_H_

#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "check/finding.h"
#include "schema/history.h"
#include "schema/opset.h"
#include "schema/text/history_file.h"

namespace opcompat {

struct TextVersion {
  std::string id;
  // Schemas, one a line, without the header.
  std::string operators;
  // Fields of message Version: `changes { ... }`, `gap { ... }`.
  std::string declared = "";
};

// The history `t` of `versions`; `graphs`: texts of step graphs, by path.
LoadedHistory LoadText(const std::vector<TextVersion>& versions,
                       const std::map<std::string, std::string>& graphs = {});

// The same; a fault fails the test.
LoadedHistory LoadGoodText(
    const std::vector<TextVersion>& versions,
    const std::map<std::string, std::string>& graphs = {});

Runtime RuntimeOf(const Opset& opset);
// Fails the test if there is none.
Opset OpsetAt(const OpsetHistory& history, absl::string_view id);

}  // namespace opcompat

#endif  // OPCOMPAT_CHECK_TESTING_H_
