// Histories and modules at random, for tests of the laws: operators that gain
// and lose arguments, change defaults, come, go, and change their meaning, with
// graphs for every kind of step. The same seed gives the same text.
#ifndef OPCOMPAT_COMPAT_MATRIX_LAWS_TEST_HISTORIES_H_
#define OPCOMPAT_COMPAT_MATRIX_LAWS_TEST_HISTORIES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compat_matrix/oracle/testing.h"

namespace opcompat {

// `t::name(Tensor x, int p=0, ...) -> Tensor`.
struct GeneratedOperator {
  struct Number {
    std::string name;
    int default_value;
  };
  std::string name;
  int num_tensors = 1;  // x, y
  std::vector<Number> numbers;
  int revision = 1;
};

struct GeneratedHistory {
  std::vector<TextVersion> versions;
  std::map<std::string, std::string> graphs;
  // By version.
  std::vector<std::vector<GeneratedOperator>> operators;

  // All of it, to find out what went wrong.
  std::string ToString() const;
};

struct HistoryOptions {
  int num_versions = 4;
  // Only steps whose graphs undo each other, and no operator that comes or
  // goes: then a way down and up again is the identity.
  bool invertible = false;
};

GeneratedHistory GenerateHistory(uint64_t seed, const HistoryOptions& options);

// A module with a few calls of operators of version `version` (by place).
std::string GenerateModuleText(const GeneratedHistory& history, size_t version,
                               uint64_t seed);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_LAWS_TEST_HISTORIES_H_
