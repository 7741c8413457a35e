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
#include "absl/status/statusor.h"
#include "compat_matrix/testees/testee_program.h"

namespace opcompat {

struct TesteeFlags {
  std::vector<std::string> testees;
  std::vector<std::string> writer_programs;
  double timeout_seconds = 10;
  uint64_t memory = uint64_t{4} << 30;
};

void AddTesteeFlags(CLI::App* app, TesteeFlags* flags);

// The programs as they are to be run, ready for PipeTestee and PipeAuthor.
struct TesteePrograms {
  std::vector<TesteeProgramOptions> readers;
  std::vector<TesteeProgramOptions> writers;
};

// Starts each program once, to know before the first cell that it is one.
// Returns InvalidArgument if a command line is none, a name comes twice or is
// `in-process`, or a program does not start or does not speak the protocol.
absl::StatusOr<TesteePrograms> MakeTesteePrograms(const TesteeFlags& flags);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_TESTEE_FLAGS_H_
