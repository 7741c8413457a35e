// What a fuzz target of cases defines; case_target.cc makes the functions of an
// engine of it.
#ifndef OPCOMPAT_FUZZ_EVOLUTION_CASE_TARGET_H_
#define OPCOMPAT_FUZZ_EVOLUTION_CASE_TARGET_H_

#include "absl/strings/string_view.h"
#include "fuzz/evolution/prepared_case.h"

namespace opcompat {
namespace fuzz {

// Ends the process (FailWith) if a property does not hold for `input`, which is
// what `bytes` say.
void JudgeCase(PreparedCase input, absl::string_view bytes);

}  // namespace fuzz
}  // namespace opcompat

#endif  // OPCOMPAT_FUZZ_EVOLUTION_CASE_TARGET_H_
