// What `opcompat matrix` runs on: histories and modules as the flags name them.
#ifndef OPCOMPAT_TOOLS_MATRIX_INPUTS_H_
#define OPCOMPAT_TOOLS_MATRIX_INPUTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compat_matrix/matrix.h"
#include "tools/histories.h"

namespace opcompat {

struct MatrixInputFlags {
  std::vector<std::string> histories;
  std::vector<std::string> modules;  // patterns
  std::vector<std::string> writers;
  std::vector<std::string> readers;
};

// Histories that are run together, with their modules, one after the other: all
// histories over the modules that patterns name; or, without patterns, each
// with the modules beside it. What has no part in the versions asked for is
// left out. Returns an error for a history that does not load or has no
// modules, a pattern without files, a file that is no text, or a version that
// no history has.
absl::StatusOr<std::vector<MatrixOptions>> MatrixInputs(
    const MatrixInputFlags& flags, Histories& histories);

// Adds the files that `input` was made of: modules, histories and what lies
// beside these and belongs to them.
void AddInputFiles(const MatrixOptions& input, const Histories& histories,
                   std::vector<std::string>* files);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_MATRIX_INPUTS_H_
