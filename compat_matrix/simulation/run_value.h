// What stands behind a value of a graph while simulated kernels execute it.
// Used by kernels.h only.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_RUN_VALUE_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_RUN_VALUE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace simulation {

// Copies share their tensors.
struct RunValue {
  // A tensor is a number that operators may write to; a list has elements;
  // else it is the constant.
  std::shared_ptr<uint64_t> tensor;
  bool is_list = false;
  std::vector<RunValue> elements;
  Value constant;
};

RunValue ConstantValue(Value constant);
RunValue TensorValue(uint64_t number);
// A list of constants is a constant, as in modules.
RunValue ListValue(std::vector<RunValue> elements);

// A number for a value; equal values have equal ones, on every machine.
uint64_t HashOf(const RunValue& value);
uint64_t HashText(absl::string_view text);
// A number for a number and what follows.
uint64_t Mix(uint64_t hash, uint64_t more);

// Something of the type, other in each trial, for the input of a function.
RunValue InputOf(const Type& type, uint64_t trial);

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_RUN_VALUE_H_
