// Appends nodes to a graph in preorder, keeping its columns (values, blocks,
// debug information) complete. For rewriting: no checks, no interning.
#ifndef OPCOMPAT_BINDING_GRAPH_WRITER_H_
#define OPCOMPAT_BINDING_GRAPH_WRITER_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "ir/ids.h"
#include "ir/module.h"

namespace opcompat {

class GraphWriter {
 public:
  // The graph gets the debug columns that `like` has, and about its size.
  GraphWriter(const Graph& like, Graph* out);

  // Begins a node: then its operands, then its results are added. kParam nodes
  // open the next block of the innermost node that has blocks left (the first
  // one: the function's own), kReturn nodes close it.
  void BeginNode(FormId form, Intrinsic intrinsic, uint32_t num_blocks,
                 StringId location);
  void AddOperand(Operand operand) { out_.operands.push_back(operand); }
  ValueId AddResult(TypeId type, StringId name);

  // Adds the nodes from `begin` to before `end` of `in`, each of the form that
  // `forms` has for its own. Operands that are values of `in` become what
  // `values` has for them, and it gets what the results become.
  // Precondition: none of them is kParam or kReturn or has blocks, the graph
  // has no debug columns, and `values` is not empty.
  void AddNodesOf(const Graph& in, NodeId begin, NodeId end,
                  absl::Span<const FormId> forms, absl::Span<ValueId> values);

  size_t num_nodes() const { return out_.nodes.size(); }
  size_t num_values() const { return out_.num_values(); }

 private:
  struct OpenNode {
    BlockId next_block;
    uint32_t blocks_left;
  };

  Graph& out_;
  const bool has_names_;
  const bool has_locations_;
  std::vector<OpenNode> open_nodes_;
  std::vector<BlockId> open_blocks_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_GRAPH_WRITER_H_
