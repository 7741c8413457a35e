// The modules of a directory, for tests that run the matrix over them.
#ifndef OPCOMPAT_COMPAT_MATRIX_MODULES_FOR_TESTING_H_
#define OPCOMPAT_COMPAT_MATRIX_MODULES_FOR_TESTING_H_

#include <string>
#include <vector>

#include "compat_matrix/matrix.h"

namespace opcompat {

// All .graph files in and below `directory`, by path.
std::vector<MatrixModule> ModulesIn(const std::string& directory);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_MODULES_FOR_TESTING_H_
