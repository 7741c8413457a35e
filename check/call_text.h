// Calls as statements in module text: counterexamples, and the modules of
// representative calls that revision_rules.h binds.
#ifndef OPCOMPAT_CHECK_CALL_TEXT_H_
#define OPCOMPAT_CHECK_CALL_TEXT_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "schema/operator_entry.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {

// What a call gives to one argument.
struct Passed {
  enum class Kind { kLeftOut, kConstant, kValue };
  Kind kind = Kind::kLeftOut;
  opcompat::Value constant;
  // kValue: a graph value of this type.
  Type type;
  // kValue: something else in the function writes to it.
  bool is_written = false;

  static Passed LeftOut() { return Passed(); }
  static Passed Constant(opcompat::Value constant);
  static Passed GraphValue(Type type, bool is_written = false);
};

struct SampleCall {
  OperatorEntryPtr entry;
  // By exposed argument.
  std::vector<Passed> arguments;
  // Types of further operands.
  std::vector<Type> variadic;
  // As declared at the call.
  std::vector<Type> results;
};

// The call that leaves out what it can and passes graph values for the rest.
SampleCall PlainCall(const OperatorEntryPtr& entry);

// PlainCall with exposed argument `i` passed so.
SampleCall CallWith(const OperatorEntryPtr& entry, size_t i, Passed passed);

// `%r : Tensor = t::f(%x, p=1)  # %x : Tensor`: a statement of a function in
// which the values after `#` stand for any of those types. (A line before it
// writes to a value, where that matters.)
std::string StatementText(const SampleCall& call);

// A function `name` whose one call is `call` and which returns all results.
std::string FunctionText(absl::string_view name, const SampleCall& call);

// The same of what StatementText made: the parameters are in the comment.
// Empty if `statement` is none.
std::string FunctionOfStatement(absl::string_view name,
                                absl::string_view statement);

}  // namespace opcompat

#endif  // OPCOMPAT_CHECK_CALL_TEXT_H_
