// What a fuzz target of files of ours defines; sealed_target.cc makes the
// functions of an engine of it.
#ifndef OPCOMPAT_FUZZ_SEALED_TARGET_H_
#define OPCOMPAT_FUZZ_SEALED_TARGET_H_

#include "absl/strings/string_view.h"
#include "fuzz/sealed_mutator.h"

namespace opcompat {

// How its inputs are changed.
SealedForm FormOfInputs();

// Ends the process if a property does not hold for `file`.
void TestFile(absl::string_view file);

}  // namespace opcompat

#endif  // OPCOMPAT_FUZZ_SEALED_TARGET_H_
