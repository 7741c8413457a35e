// The baseline: the same graph as plain nested protobuf (nested.proto), with
// generated code and an arena, and the module built from it in the simplest
// fast way. It knows less than our wire: no writer's schemas, no checks.
#ifndef OPCOMPAT_BENCHMARKS_NESTED_BASELINE_H_
#define OPCOMPAT_BENCHMARKS_NESTED_BASELINE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "ir/module.h"
#include "schema/opset.h"

namespace opcompat {
namespace benchmarks {

// A module of WorkloadModule as bytes; arguments at their default are left out.
std::string WriteNested(const Module& module);

// Parses and no more; the number of nodes.
size_t ParseNested(absl::string_view bytes);

// Parses and builds a module with the operators of `reader`. Not verified.
Module ReadNested(absl::string_view bytes, const Runtime& reader);

}  // namespace benchmarks
}  // namespace opcompat

#endif  // OPCOMPAT_BENCHMARKS_NESTED_BASELINE_H_
