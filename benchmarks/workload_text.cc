#include "benchmarks/workload_text.h"

#include <cstdint>
#include <cstdio>
#include <string>

#include "absl/strings/numbers.h"

namespace opcompat {
namespace benchmarks {

int PrintWorkload(int argc, char** argv, const char* program,
                  std::string (*print)(const Workload& workload)) {
  uint32_t num_nodes = 0;
  if (argc != 2 || !absl::SimpleAtoi(argv[1], &num_nodes)) {
    std::fprintf(stderr, "usage: %s NODES\n", program);
    return 2;
  }
  const std::string text = print(MakeWorkload(num_nodes, 1));
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0
                                                                         : 1;
}

}  // namespace benchmarks
}  // namespace opcompat
