// The golden files of compat_matrix/golden: what wire version 1 is, held fast.
// NAME.graph is a module as text, NAME.opc the file that it became, once and
// for all; future/NAME.opc is a file of a version of the format that does not
// exist yet. For the test and for the tool that makes files that are missing.
#ifndef OPCOMPAT_COMPAT_MATRIX_GOLDEN_FILES_H_
#define OPCOMPAT_COMPAT_MATRIX_GOLDEN_FILES_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/module.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {

// The names in `directory`, without extension, sorted; one of a text or of a
// file alone is there too.
std::vector<std::string> GoldenNames(const std::string& directory);

absl::StatusOr<std::string> ReadGoldenFile(const std::string& path);

// A text with the runtime that it is written at: the version of the history
// that its `opset` line names; without a line, the last one.
struct GoldenModule {
  Runtime writer;
  Module module;
};
absl::StatusOr<GoldenModule> ReadGoldenText(const std::string& directory,
                                            absl::string_view name,
                                            const OpsetHistory& history);

// The file of a text: everything as the module has it.
absl::StatusOr<std::string> MakeGoldenFile(const GoldenModule& golden);

// Files of the future, by name: what today's reader must refuse, by a text that
// is pinned.
std::vector<std::pair<std::string, std::string>> MakeFutureFiles();

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_GOLDEN_FILES_H_
