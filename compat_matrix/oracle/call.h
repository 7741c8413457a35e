// One call of an operator, taken out of its module: what it gives to each
// argument that the entry exposes, and which results it has. The rules of
// docs/compatibility.md are about these.
#ifndef OPCOMPAT_COMPAT_MATRIX_ORACLE_CALL_H_
#define OPCOMPAT_COMPAT_MATRIX_ORACLE_CALL_H_

#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "compat_matrix/oracle/values.h"
#include "ir/module.h"
#include "schema/operator_entry.h"

namespace opcompat {
namespace oracle {

// What a call gives to one argument.
struct Given {
  enum class Kind { kLeftOut, kConstant, kGraphValue };
  Kind kind = Kind::kLeftOut;
  // kConstant: at the argument's type.
  Value constant;
  // kGraphValue, with its own static type.
  ValueId value;
  Type type;
  // kGraphValue: something may write to the container that it is.
  bool is_written = false;

  static Given LeftOut() { return Given(); }
  static Given Constant(Value constant);
};

struct CallResult {
  Type type;  // as declared at the call
  bool is_used = false;
  // As Given::is_written.
  bool is_written = false;
};

struct Call {
  OperatorEntryPtr entry;
  // By exposed argument of the entry.
  std::vector<Given> arguments;
  // One list, behind the arguments; empty where the entry has no `...`.
  std::vector<Given> varargs;
  std::vector<CallResult> results;
  bool has_blocks = false;
};

// What calls must know of the graph around them. Linear. `written_outside`:
// values that something beyond the graph may write to.
struct GraphFacts {
  std::vector<bool> is_used;     // by value
  std::vector<bool> is_written;  // by value: see Given::is_written
};
GraphFacts FactsOf(const Module& module, const Graph& graph,
                   const std::vector<ValueId>& written_outside = {});

// By value of a graph.
using ValueTypes = std::vector<Type>;
// As the graph declares them.
ValueTypes DeclaredTypes(const Module& module, const Graph& graph);

// What graph values are given has the types in `types`.
// Precondition: `node` calls an operator that has an entry.
Call CallOf(const Module& module, const Graph& graph, const GraphFacts& facts,
            const ValueTypes& types, const Node& node);

// The constant at which exposed argument `i` of the call stands: as written, or
// the default. Nullopt: a graph value, or a required argument left out.
absl::optional<Constant> EffectiveConstant(const Call& call, size_t i);

}  // namespace oracle
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_ORACLE_CALL_H_
