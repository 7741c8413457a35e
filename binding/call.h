// One call while it is bound: what each exposed argument of an entry is given.
// A call is bound once per shape (form, constants that matter, types of
// values), not once per node; so graph values appear as "operand k of the
// node", with their type.
#ifndef OPCOMPAT_BINDING_CALL_H_
#define OPCOMPAT_BINDING_CALL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "binding/report.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"
#include "schema/type.h"
#include "schema/typing.h"
#include "schema/value.h"

namespace opcompat {

struct CallArgument {
  enum class State : uint8_t {
    kLeftOut,   // at its default
    kConstant,  // `constant`, at the entry's argument type
    kValue,     // a graph value of static type `type`
    // A constant that passes as it is whatever it is: both sides have the same
    // type and declare nothing about its values.
    kPassedConstant,
  };
  State state = State::kLeftOut;
  Value constant;
  Type type;
  // Of kValue: something writes to it, so it cannot pass by covariance.
  bool written = false;
  // The operand of the node from which it comes; -1: it was not written there.
  int source = -1;
};

struct CallResult {
  // As the node declares it, or as an entry has it that the call was bound to.
  Type type;
  bool used = false;
  // The result of the node that it is; -1: only the entry has it.
  int source = -1;
};

struct Call {
  OperatorEntryPtr entry;
  // One per exposed argument of the entry.
  std::vector<CallArgument> arguments;
  // The operands of `...`.
  std::vector<CallArgument> variadic;
  std::vector<CallResult> results;
};

// Why one call cannot be bound: a Reason without its place.
struct Refusal {
  ReasonCode code;
  std::string argument;  // the writer's name; empty: not about one
  std::string value;     // a constant's text; empty: none, or a graph value
  // What follows "OPERATOR (HISTORY VERSION): " in the message.
  std::string text;
};

// Adds a refusal; those of one call that differ in their text only (several
// results) become one.
void AddRefusal(Refusal refusal, std::vector<Refusal>* refusals);

// What happened to a call, for the LoadReport.
struct CallNotes {
  bool filled = false;
  bool materialized = false;
  bool dropped = false;
  bool retired = false;
  bool renamed = false;
  bool stepped = false;
  // What would have been refused, had it not been declared ignorable.
  std::vector<Refusal> warnings;
};

// What becomes of one call.
struct RewrittenCall {
  Call call;
  TypeVariables variables;
  CallNotes notes;
  std::vector<Refusal> refusals;  // not empty: `call` means nothing
  // Not null: the call is only at the schema where this graph begins, and the
  // graph stands for it. Its exposed arguments are the graph's parameters.
  const StepGraph* graph = nullptr;
  // What `graph` is, for messages: "its upgrader to revision 2, up.graph".
  std::string graph_name;
  // What it means if the graph cannot stand for the call.
  ReasonCode graph_code = ReasonCode::kNoUpgrader;
};

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_CALL_H_
