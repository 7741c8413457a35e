// Valid modules at random, for tests of properties: nested blocks, constants
// as nodes and as literals, lists in every form, arguments left out anywhere.
// The same seed makes the same module, on every machine.
#ifndef OPCOMPAT_IR_MODULE_GENERATOR_H_
#define OPCOMPAT_IR_MODULE_GENERATOR_H_

#include <cstdint>
#include <vector>

#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {

struct GeneratorOptions {
  int num_functions = 2;
  // Calls that are tried in each block.
  int nodes_per_block = 8;
  // Levels of blocks below the function's own.
  int max_depth = 3;
  // Percentage of defaulted arguments that are given.
  int percent_given = 50;
  // Debug names and locations.
  bool with_debug = true;
  // Header data: attributes, tensors, metadata.
  bool with_header = true;
};

// A module that verifies, with calls of some of `entries`. An entry with an
// argument that nothing here can make (a Generator, a class) gets it as a
// parameter of the function.
Module GenerateModule(const std::vector<OperatorEntryPtr>& entries,
                      uint64_t seed, const GeneratorOptions& options = {});

// With the runtime's operators and opsets.
Module GenerateModule(const Runtime& runtime, uint64_t seed,
                      const GeneratorOptions& options = {});

}  // namespace opcompat

#endif  // OPCOMPAT_IR_MODULE_GENERATOR_H_
