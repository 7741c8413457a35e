// A bound step graph as what takes the place of a node: made once per shape of
// call, copied in for each node of the shape.
#ifndef OPCOMPAT_BINDING_EXPANSION_H_
#define OPCOMPAT_BINDING_EXPANSION_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "binding/graph_writer.h"
#include "binding/output_tables.h"
#include "ir/ids.h"
#include "ir/module.h"

namespace opcompat {

class Expansion {
 public:
  // `module` has one function, with the entries of the module that is made;
  // `sources` are the operands of the replaced node that its parameters stand
  // for. Interns what it needs.
  Expansion(const Module& module, const std::vector<int>& sources,
            OutputTables* tables);

  size_t num_nodes() const { return nodes_.size(); }
  size_t num_values() const { return value_types_.size(); }

  // Appends the nodes. `operand_values`: the value that each operand of the
  // replaced node is in the new graph (constants: any). `names`: debug names
  // for the num_values() values that the nodes define; empty: none. Returns the
  // values that stand for the function's results; good until the next call.
  const std::vector<ValueId>& Append(absl::Span<const ValueId> operand_values,
                                     absl::Span<const StringId> names,
                                     StringId location, GraphWriter* writer);

 private:
  struct ExpansionNode {
    FormId form;
    Intrinsic intrinsic;
    uint32_t num_operands;
    uint32_t num_results;
    uint32_t num_blocks;
  };

  std::vector<ExpansionNode> nodes_;
  // Values: the parameters, then those of the nodes.
  std::vector<Operand> operands_;
  std::vector<int> sources_;         // by parameter
  std::vector<TypeId> value_types_;  // of the nodes' values
  std::vector<uint32_t> results_;    // values
  // Reused.
  std::vector<ValueId> values_;
  std::vector<ValueId> result_values_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_EXPANSION_H_
