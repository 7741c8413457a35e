// Calls of one module that a reader must treat alike, so that each kind of them
// is worked out once. Says nothing about what becomes of a call: that is what
// Expander says of the first one of its shape, whose graph values are named by
// the operands that they are.
#ifndef OPCOMPAT_COMPAT_MATRIX_ORACLE_CALL_SHAPES_H_
#define OPCOMPAT_COMPAT_MATRIX_ORACLE_CALL_SHAPES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "compat_matrix/oracle/call.h"
#include "compat_matrix/oracle/expand.h"
#include "compat_matrix/oracle/identity.h"
#include "ir/module.h"
#include "schema/type.h"

namespace opcompat {
namespace oracle {

// What becomes of all calls of one shape.
struct CallShape {
  size_t index = 0;  // of all shapes, in order of their first calls
  // A graph value ValueId(i) in it, or in the parameters of its instance, is
  // what operand `i` of the node gives.
  Expansion expansion;
  // By argument of expansion.call: the operand of the node that it takes over,
  // constant or value. Nullopt: what the expansion says.
  std::vector<absl::optional<size_t>> operand_of;
  // If it is refused.
  std::vector<Problem> problems;
};

// For one thread. Keeps references to what it is given.
class CallShapes {
 public:
  // `each_alone`: no two calls have one shape. The results must be the same.
  CallShapes(const Module& module, Expander* expander, bool each_alone = false)
      : module_(module), expander_(expander), each_alone_(each_alone) {}

  // The calls asked for from now on are of this graph. Both outlive them.
  void BeginGraph(const Graph& graph, const GraphFacts& facts);

  // Calls must be asked for in the order of the graph: what comes of one may
  // change the types that later ones are given. What is returned stays.
  // Precondition: `node` calls an operator that has an entry.
  const CallShape& Of(const Node& node);

 private:
  struct Known {
    CallShape shape;
    std::vector<uint32_t> result_types;
  };
  using Key = std::vector<uint32_t>;

  const std::vector<uint32_t>& FirstSame(absl::Span<const Operand> operands);
  // Of all that the derivation may look at.
  const Key& KeyOf(const Node& node);
  // By operand of the form that is a constant: whether no value that it may
  // have makes a difference.
  const std::vector<bool>& PassedOn(const Node& node);
  std::unique_ptr<Known> Derive(const Node& node);
  // The node's results get their types.
  const CallShape& Applied(const Node& node, const Known& known);
  uint32_t IdOf(const Type& type);

  const Module& module_;
  Expander* const expander_;
  const bool each_alone_;
  const Graph* graph_ = nullptr;
  const GraphFacts* facts_ = nullptr;
  // Of the graph's values, at the reader: as types, and as places in types_.
  ValueTypes value_types_;
  std::vector<uint32_t> value_type_ids_;

  std::vector<Type> types_;
  absl::flat_hash_map<Type, uint32_t> type_ids_;
  std::vector<uint32_t> declared_ids_;  // by TypeId of the module
  std::vector<absl::optional<std::vector<bool>>> passed_on_;  // by form
  absl::flat_hash_map<Key, std::unique_ptr<Known>> shapes_;
  // Of the node at hand.
  Key key_;
  std::vector<uint32_t> first_same_;
  absl::flat_hash_map<uint32_t, uint32_t> place_of_;  // by value
};

}  // namespace oracle
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_ORACLE_CALL_SHAPES_H_
