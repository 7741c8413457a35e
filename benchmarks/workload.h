// The graphs that benchmarks run on, before any format: straight-line graphs
// over 40 real ATen overloads. The same seed makes the same graph on every
// machine, so that formats, programs and commits can be compared.
//
// For benchmarks only; tests want ir/module_generator.h, which makes everything
// that a module can have.
#ifndef OPCOMPAT_BENCHMARKS_WORKLOAD_H_
#define OPCOMPAT_BENCHMARKS_WORKLOAD_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "schema/operator_schema.h"
#include "schema/value.h"

namespace opcompat {
namespace benchmarks {

// What a call gives to one argument of its operator.
struct WorkloadArgument {
  enum class Kind : uint8_t { kTensor, kTensorList, kConstant };
  Kind kind = Kind::kConstant;
  // It is what the schema's default is: a format that elides drops it.
  bool is_default = false;
  // Of a tensor: the value. Of a list: its values are
  // Workload::list_values[index, index + length). Of a constant: an element of
  // Workload::constants.
  uint32_t index = 0;
  uint32_t length = 0;
};

struct WorkloadNode {
  uint32_t op = 0;               // of WorkloadOperators()
  uint32_t arguments_begin = 0;  // one for each argument of the operator
  uint32_t first_result = 0;
};

struct Workload {
  uint32_t num_inputs = 0;  // the values 0, 1, ...
  uint32_t num_values = 0;
  uint32_t output = 0;
  std::vector<WorkloadNode> nodes;
  std::vector<WorkloadArgument> arguments;
  std::vector<uint32_t> list_values;
  std::vector<Value> constants;  // unique

  absl::Span<const WorkloadArgument> arguments_of(
      const WorkloadNode& node) const;
};

// The schemas, in the order of WorkloadNode::op.
const std::vector<OperatorSchema>& WorkloadOperators();
// The same as the lines of a .ops file.
std::string WorkloadOperatorText();

// `period`: the random choices begin anew after so many nodes, as the layers of
// a network repeat; 0: never. Every value is used.
Workload MakeWorkload(uint32_t num_nodes, uint32_t seed, uint32_t period = 0);

}  // namespace benchmarks
}  // namespace opcompat

#endif  // OPCOMPAT_BENCHMARKS_WORKLOAD_H_
