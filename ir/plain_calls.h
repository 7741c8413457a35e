// Calls that are seen to be right by their form, the types of their values and
// the kinds of their literals: nearly all. Whoever makes nodes can ask here
// once per form, and leave to the verifier only the nodes that are not like
// that (VerifyOptions::doubtful). Nothing that the verifier would refuse is
// plain; much that it would accept is not.
#ifndef OPCOMPAT_IR_PLAIN_CALLS_H_
#define OPCOMPAT_IR_PLAIN_CALLS_H_

#include <cstdint>

#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/type.h"

namespace opcompat {

// What a literal is, as far as its place asks.
enum class LiteralKind : uint8_t {
  kNone,
  kBool,
  kInt,
  kFloat,
  kString,
  kInts,  // a list of integers, not empty
  kOther,
};

// Whether a node of the form is right if each operand is plain at the SlotType
// (place_types.h) of its slot. Costs little, whatever types there are.
// Precondition: the structure of the form verifies.
bool IsPlainForm(const Module& module, const CallForm& form);

// As IsPlainForm for calls of `entry`, whatever `form.op` is.
bool IsPlainCall(const Module& module, const CallForm& form,
                 const OperatorEntry& entry);

// Whether a value of type `value` is right where `slot` is expected.
bool IsPlainValue(const Type& value, const Type& slot);

// Whether every literal of the kind is right, in the one form that it has,
// where `slot` is expected.
bool IsPlainLiteral(LiteralKind kind, const Type& slot);

}  // namespace opcompat

#endif  // OPCOMPAT_IR_PLAIN_CALLS_H_
