// Calls as program text, as a person writes them: `t::f(x, count=count)`.
// Operands are by position as long as possible, then by keyword, and are named
// after their arguments. Counterexamples of the rules about program text; for
// statements in module text see call_text.h.
#ifndef OPCOMPAT_CHECK_PROGRAM_TEXT_H_
#define OPCOMPAT_CHECK_PROGRAM_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "schema/operator_entry.h"

namespace opcompat {

// With every argument that the entry exposes.
std::string FullProgramCall(const OperatorEntry& entry);

// With what is required only.
std::string ShortProgramCall(const OperatorEntry& entry);

// With what is required, and with the exposed argument `argument` by keyword as
// `operand`; what stands behind it is by keyword too.
std::string ProgramCallByName(const OperatorEntry& entry,
                              absl::string_view argument,
                              absl::string_view operand);

}  // namespace opcompat

#endif  // OPCOMPAT_CHECK_PROGRAM_TEXT_H_
