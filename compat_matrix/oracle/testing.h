// Histories and modules for tests of the oracle, from text in the test.
#ifndef OPCOMPAT_COMPAT_MATRIX_ORACLE_TESTING_H_
#define OPCOMPAT_COMPAT_MATRIX_ORACLE_TESTING_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "ir/module.h"
#include "ir/text/history_for_testing.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {
namespace oracle {

// The history `t` of `versions`. Fails the test, and returns null, if it has
// faults.
std::shared_ptr<const OpsetHistory> MakeHistory(
    const std::vector<TextVersion>& versions,
    const std::map<std::string, std::string>& graphs = {});

// A declared change: `op` gets `revision`, whose step has `fields` of message
// SemanticChange.
std::string SemanticChange(const std::string& op, int revision,
                           const std::string& fields);

// A semantic change that reads older calls with the graph of that path, and has
// no way down.
std::string Upgraded(const std::string& op, int revision,
                     const std::string& graph);

// What a program of version `id` runs with. Fails the test if there is none.
Runtime RuntimeAt(const OpsetHistory& history, absl::string_view id);

// A module written with `runtime`. Fails the test if `text` is none.
Module MakeModule(absl::string_view text, const Runtime& runtime);

// `forward` with the parameters that tests use (%x, %y : Tensor, %n : int,
// %d : float, %l : int[]) around `statements`, one a line.
std::string Forward(absl::string_view statements,
                    absl::string_view results = "%r",
                    absl::string_view types = "Tensor");

}  // namespace oracle
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_ORACLE_TESTING_H_
