// Workloads as modules, and the runtimes that write and read them.
#ifndef OPCOMPAT_BENCHMARKS_WORKLOAD_MODULE_H_
#define OPCOMPAT_BENCHMARKS_WORKLOAD_MODULE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "benchmarks/workload.h"
#include "ir/module.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {
namespace benchmarks {

// Versions of the history `bench`.
enum class WorkloadVersion {
  // The operators as they are: what writes.
  kWriter,
  // Arguments were added with defaults, which files of kWriter lack; defaults
  // have changed, so that what was left out must be written; an argument was
  // removed; arguments and operators have new names. No call changes its
  // meaning.
  kEvolved,
  // As kWriter, but operators that make about a tenth of the calls are at
  // revision 2, which takes an upgrader.
  kUpgraded,
};
Runtime WorkloadRuntime(WorkloadVersion version);

// The workload as a module of kWriter that verifies, without debug information.
// Lists of tensors are nodes of their own, prim::ListConstruct. With
// `tensor_bytes`, one constant of that size besides.
Module WorkloadModule(const Workload& workload, const Runtime& writer,
                      size_t tensor_bytes = 0);

// The text of an opset `large 1` of so many operators: those of the workload
// again and again under other names.
std::string LargeOpsetText(uint32_t num_operators);

// Its history.
std::shared_ptr<const OpsetHistory> LargeHistory(const std::string& text);

}  // namespace benchmarks
}  // namespace opcompat

#endif  // OPCOMPAT_BENCHMARKS_WORKLOAD_MODULE_H_
