// Programs that print a workload in another system's language.
#ifndef OPCOMPAT_BENCHMARKS_WORKLOAD_TEXT_H_
#define OPCOMPAT_BENCHMARKS_WORKLOAD_TEXT_H_

#include <string>

#include "benchmarks/workload.h"

namespace opcompat {
namespace benchmarks {

// The main function of `PROGRAM NODES`: prints what `print` makes of the
// workload of so many nodes. Returns the exit status.
int PrintWorkload(int argc, char** argv, const char* program,
                  std::string (*print)(const Workload& workload));

}  // namespace benchmarks
}  // namespace opcompat

#endif  // OPCOMPAT_BENCHMARKS_WORKLOAD_TEXT_H_
