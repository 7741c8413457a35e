// The flags of `opcompat matrix` that bring programs into it: readers that are
// columns (--testee), writers of its files (--writer-program), their limits.
#ifndef OPCOMPAT_TOOLS_TESTEE_FLAGS_H_
#define OPCOMPAT_TOOLS_TESTEE_FLAGS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "CLI/App.hpp"
#include "CLI/Config.hpp"
#include "CLI/Formatter.hpp"
#include "absl/status/status.h"
#include "compat_matrix/run_units.h"
#include "tools/histories.h"

namespace opcompat {

struct TesteeFlags {
  std::vector<std::string> testees;
  std::vector<std::string> writer_programs;
  double timeout_seconds = 10;
  uint64_t memory = uint64_t{4} << 30;
};

void AddTesteeFlags(CLI::App* app, TesteeFlags* flags);

// What the command lines of the programs name: programs, scripts, arguments.
std::vector<std::string> FilesOfPrograms(const TesteeFlags& flags);

// Adds the programs to a run: readers as testees, writers as authors. Starts
// each once, to know before the first cell that it is one. Returns
// InvalidArgument if a command line is none, a name comes twice or is
// `in-process`, or a program does not start or does not speak the protocol.
// `histories` outlives the run.
absl::Status AddPrograms(const TesteeFlags& flags, const Histories& histories,
                         RunOptions* run);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_TESTEE_FLAGS_H_
