// The judge: docs/compatibility.md (the model of meaning) implemented directly
// on normal forms, one call at a time (those of one shape once), plainly. Shares
// no line with binding, serializer or deserializer; only schema and ir. What it
// says is compared with what they do.
#ifndef OPCOMPAT_COMPAT_MATRIX_ORACLE_ORACLE_H_
#define OPCOMPAT_COMPAT_MATRIX_ORACLE_ORACLE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "ir/module.h"
#include "schema/opset.h"

namespace opcompat {

// What docs/compatibility.md says of reading `module` (which carries the
// entries of the version that wrote it) with `reader`.
struct Prediction {
  bool accepted = false;
  // If refused: the reason codes as INTERFACE names them (`unknown_argument`),
  // with the operator and argument: one per distinct (code, operator,
  // argument). What is refused inside a step graph is refused of the call in
  // whose place it stands, without an argument.
  struct Refusal {
    std::string code;
    std::string function;
    std::string op;
    std::string argument;
  };
  std::vector<Refusal> refusals;
};

// The predictor: decides from schemas and calls alone. Linear in the module.
// `writer` is what the module was made with: each call goes out at the lowest
// revision that the writer's unchanged steps reach.
// `as_target`: by "writing for a target" (steps down allowed) instead.
// Precondition: Verify(module) is OK.
Prediction Predict(const Module& module, const Runtime& writer,
                   const Runtime& reader, bool as_target = false);

// The judgement on a module that came out: nullopt if `result` (with the
// reader's entries) means what `original` (with the writer's entries) means,
// else the first difference in words. Never trusts that `result` was accepted
// rightly: a result that the model does not derive from `original` differs. So
// it makes the module that must come out, step graphs put in, and compares.
// Both modules are compared in their canonical forms; names of values do not
// count. Linear in the modules. Precondition: both verify.
absl::optional<std::string> MeaningDiffers(const Module& original,
                                           const Module& result,
                                           const Runtime& writer,
                                           const Runtime& reader,
                                           bool as_target = false);

// The same for many readers of one module: what depends on the module alone is
// worked out once.
class OriginalModule {
 public:
  // Both outlive the object. Precondition: Verify(module) is OK.
  OriginalModule(const Module& module, const Runtime& writer);
  // Nothing is known of the writer: no step down can have been taken.
  explicit OriginalModule(const Module& module);
  ~OriginalModule();
  OriginalModule(const OriginalModule&) = delete;
  OriginalModule& operator=(const OriginalModule&) = delete;

 private:
  friend class ExpectedReading;
  struct Prepared;
  const std::unique_ptr<const Prepared> prepared_;
};

// What must come of a module at one reader. Several results may be held against
// it. For one thread.
class ExpectedReading {
 public:
  // Both outlive the object.
  ExpectedReading(const OriginalModule& original, const Runtime& reader,
                  bool as_target);
  ~ExpectedReading();
  ExpectedReading(const ExpectedReading&) = delete;
  ExpectedReading& operator=(const ExpectedReading&) = delete;

  // As Predict says.
  const Prediction& prediction() const { return prediction_; }
  // As MeaningDiffers says.
  absl::optional<std::string> Differs(const Module& result);

 private:
  struct Expected;
  Prediction prediction_;
  const std::unique_ptr<Expected> expected_;
};

// As above, with nothing known of the writer: no step down can have been taken.
absl::optional<std::string> MeaningDiffers(const Module& original,
                                           const Module& result,
                                           const Runtime& reader);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_ORACLE_ORACLE_H_
