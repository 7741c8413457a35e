// The histories over which the rules are proved.
#ifndef OPCOMPAT_CHECK_PROOF_LIVES_H_
#define OPCOMPAT_CHECK_PROOF_LIVES_H_

#include <string>
#include <vector>

#include "check/proof.h"

namespace opcompat {

// What one argument `p` may be; empty: not there.
std::vector<std::string> FewArguments();
std::vector<std::string> SomeArguments();
std::vector<std::string> ManyArguments();

// Each of `arguments` at each of three versions.
std::vector<OperatorLife> OneArgumentLives(
    const std::vector<std::string>& arguments);
// The same over three versions, with each declaration that the second or the
// third one can make.
std::vector<OperatorLife> DeclaredLives(
    const std::vector<std::string>& arguments);
// Two arguments at two versions: places, names, keyword-only.
std::vector<OperatorLife> TwoArgumentLives();
// Results, alias marks, `...`, at two versions.
std::vector<OperatorLife> ResultLives();
// Semantic changes with conditions.
std::vector<OperatorLife> RevisionLives(
    const std::vector<std::string>& arguments);
// Semantic changes with upgraders, whose operators change afterwards.
std::vector<OperatorLife> GraphLives();
// Type variables.
std::vector<OperatorLife> VariableLives();

}  // namespace opcompat

#endif  // OPCOMPAT_CHECK_PROOF_LIVES_H_
