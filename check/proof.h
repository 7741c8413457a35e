// The proof of the rules by enumeration: every history of one operator within a
// bound, every call of each of its versions within a bound, and the oracle's
// word on each (compat_matrix/oracle.h), against what the rules say.
#ifndef OPCOMPAT_CHECK_PROOF_H_
#define OPCOMPAT_CHECK_PROOF_H_

#include <cstddef>
#include <string>
#include <vector>

namespace opcompat {

// One operator at one version.
struct OperatorState {
  // What follows the name: `(Tensor x, int p=0) -> Tensor`; empty: not there.
  std::string schema;
  // What the version declares about it, each a field of message Change without
  // the operator: `neutral_value { argument: "p" value: "0" }`.
  // `$graph` in it stands for the path of `graph`.
  std::vector<std::string> declared;
  // Another operator, which graphs call; as `schema` and `declared`.
  std::string helper = "";
  std::vector<std::string> helper_declared = {};
  // The text of a step graph; `$helper` in it is the name of the other one.
  std::string graph = "";
};

// By version.
using OperatorLife = std::vector<OperatorState>;

struct ProofOptions {
  // For each version, fields of message Version: `gap { ... }`.
  std::vector<std::string> versions;
  // Whether the rules claim to be exact here; else only that no finding means
  // no refusal.
  bool exact = true;
};

struct ProofSize {
  size_t operators = 0;   // whose history has no fault
  size_t pairs = 0;       // of an operator, two versions and a direction
  size_t calls = 0;       // of an operator and two versions
  size_t compatible = 0;  // pairs without a finding
};

// Fails the test for each pair of versions and direction in which the rules
// find something and the oracle refuses no call, or the other way round.
// Lives whose history is at fault are left out. All have `lives[0].size()`
// versions.
ProofSize Prove(const std::vector<OperatorLife>& lives,
                const ProofOptions& options = {});

}  // namespace opcompat

#endif  // OPCOMPAT_CHECK_PROOF_H_
