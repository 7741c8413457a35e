// For tests of the rules: histories from text in the test.
#ifndef OPCOMPAT_CHECK_TESTING_H_
#define OPCOMPAT_CHECK_TESTING_H_

#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "check/finding.h"
#include "ir/text/history_for_testing.h"
#include "schema/history.h"
#include "schema/opset.h"
#include "schema/text/history_file.h"

namespace opcompat {

// LoadText; a fault fails the test.
LoadedHistory LoadGoodText(
    const std::vector<TextVersion>& versions,
    const std::map<std::string, std::string>& graphs = {});

Runtime RuntimeOf(const Opset& opset);
// Fails the test if there is none.
Opset OpsetAt(const OpsetHistory& history, absl::string_view id);

}  // namespace opcompat

#endif  // OPCOMPAT_CHECK_TESTING_H_
