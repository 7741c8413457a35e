// Mutations of the inputs of the evolution targets: mostly those that make
// sense, a step or a node more or less, other dice, another version; now and
// then any of a message (fuzz/proto_mutator.h).
#ifndef OPCOMPAT_FUZZ_EVOLUTION_CASE_MUTATOR_H_
#define OPCOMPAT_FUZZ_EVOLUTION_CASE_MUTATOR_H_

#include "fuzz/evolution/case.pb.h"

namespace opcompat {
namespace fuzz {

// `seed` determines what changes, and to what.
void MutateCase(Case* input, unsigned int seed);

// The history of one with the module of the other, or some steps or nodes of
// both.
Case CrossOverCases(const Case& a, const Case& b, unsigned int seed);

}  // namespace fuzz
}  // namespace opcompat

#endif  // OPCOMPAT_FUZZ_EVOLUTION_CASE_MUTATOR_H_
