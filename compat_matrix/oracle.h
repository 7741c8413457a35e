// The judge: docs/compatibility.md (the model of meaning) implemented directly
// on normal forms, one call at a time, slowly and plainly. Shares no line with
// binding, serializer or deserializer; only schema and ir. What it says is
// compared with what they do.
#ifndef OPCOMPAT_COMPAT_MATRIX_ORACLE_H_
#define OPCOMPAT_COMPAT_MATRIX_ORACLE_H_

#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "ir/module.h"
#include "schema/opset.h"

namespace opcompat {

// What section 2 says of reading `module` (which carries the entries of the
// version that wrote it) with `reader`.
struct Prediction {
  bool accepted = false;
  // If refused: the reason codes as INTERFACE names them (`unknown_argument`),
  // with the operator and argument: one per distinct (code, operator,
  // argument).
  struct Refusal {
    std::string code;
    std::string function;
    std::string op;
    std::string argument;
  };
  std::vector<Refusal> refusals;
};

// The predictor: decides from schemas and calls alone.
// `as_target`: by "writing for a target" (steps down allowed).
Prediction Predict(const Module& module, const Runtime& reader,
                   bool as_target = false);

// The judgement on a module that came out: nullopt if `result` (with the
// reader's entries) means what `original` (with the writer's entries) means,
// else the first difference in words. Never trusts that `result` was accepted
// rightly: a result that section 2 does not derive from `original` differs.
absl::optional<std::string> MeaningDiffers(const Module& original,
                                           const Module& result,
                                           const Runtime& reader);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_ORACLE_H_
