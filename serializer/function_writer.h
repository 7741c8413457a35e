// The graphs of a module as columns: one element per node, per operand that is
// a value, per operand that is a constant. And their debug information.
#ifndef OPCOMPAT_SERIALIZER_FUNCTION_WRITER_H_
#define OPCOMPAT_SERIALIZER_FUNCTION_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "ir/module.h"
#include "serializer/byte_writer.h"
#include "serializer/call_forms.h"
#include "serializer/column_writer.h"
#include "serializer/constant_elements.h"
#include "serializer/form_plan.h"
#include "serializer/table_writer.h"

namespace opcompat {
namespace encoding {

// Goes once through all nodes, which tells the numbers of the forms and writes
// the other columns; then writes the field `functions`, with the numbers.
class FunctionWriter {
 public:
  // The arguments outlive this object.
  FunctionWriter(const Module& module, const FormPlans& plans,
                 ConstantElements* elements, CallForms* forms,
                 TableWriter* tables);

  // Numbers `forms`, and uses tables and constants as the functions do.
  void ReadNodes();

  // About what Write appends.
  size_t size() const;
  // Appends the elements of the file's field `functions`.
  // Precondition: ReadNodes() has been called.
  void Write(ByteWriter* out) const;

 private:
  // So many nodes are handled at once: enough to ask for room only rarely, few
  // enough for the nearest cache.
  static constexpr size_t kNodesAtOnce = 1024;

  void AddFunction(const Function& function);
  // At most kNodesAtOnce; `variants` are the function's.
  void AddNodes(const Graph& graph, size_t begin, size_t end,
                uint32_t* variants);
  // The parts of AddNodes; `num_operands` have the nodes together.
  void AddValues(const Graph& graph, absl::Span<const Node> nodes,
                 size_t num_operands);
  void AddConstants(const Graph& graph, absl::Span<const Node> nodes,
                    size_t num_operands);
  // Adds the constants to the tables that are written and not used yet.
  void UseConstants(const FormPlan& plan, const Operand* operands);
  // Adds the constants of a node whose plan is unusual.
  void AddUnusualConstants(const FormPlan& plan, const Operand* operands);
  void WriteFormNumbers();

  const Module& module_;
  const FormPlans& plans_;
  ConstantElements& elements_;
  CallForms& forms_;
  TableWriter& tables_;

  // The columns of all functions, one after the other.
  std::vector<uint32_t> variants_;  // by node
  ColumnWriter result_types_;
  ColumnWriter form_numbers_;
  ColumnWriter values_;
  ColumnWriter constants_;
  // What of them is of one function, by the ends.
  struct Part {
    uint32_t name = 0;
    size_t nodes_end = 0;
    size_t result_types_end = 0;
    size_t form_numbers_end = 0;
    size_t values_end = 0;
    size_t constants_end = 0;
  };
  std::vector<Part> parts_;
  // Of the nodes at hand: what their constants are.
  CallForms::Kinds kinds_[kNodesAtOnce];
};

// Appends the field `debug`, if the module has names or locations.
void WriteDebug(const Module& module, ByteWriter* out);

}  // namespace encoding
}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_FUNCTION_WRITER_H_
