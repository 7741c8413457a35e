// Executes modules with kernels that compute numbers from what a call really
// means (truth.h), so that two modules can be compared by what they do. The
// numbers are hashes: two calls of different meaning give, in all likelihood,
// different numbers, and so does whatever is computed from them.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_KERNELS_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_KERNELS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "compat_matrix/simulation/truth.h"
#include "ir/module.h"

namespace opcompat {
namespace simulation {

// Executes each function of `original` at version `writer`, and the one of that
// name in `result` at version `reader`, on equal inputs of several kinds, and
// compares results and what was written to the inputs. The first difference in
// words, or nullopt. Loops end after three rounds, whatever they ask for;
// a program that cannot be executed (an intrinsic of objects, 100,000 nodes)
// is a difference that says so.
// Precondition: both modules verify, with operators of `truth`'s history.
absl::optional<std::string> ExecutionDiffers(const Module& original,
                                             absl::string_view writer,
                                             const Module& result,
                                             absl::string_view reader,
                                             const Truth& truth);

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_KERNELS_H_
