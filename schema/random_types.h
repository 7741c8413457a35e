// Types and literals at random, for tests of properties. The same seed gives
// the same ones everywhere.
#ifndef OPCOMPAT_SCHEMA_RANDOM_TYPES_H_
#define OPCOMPAT_SCHEMA_RANDOM_TYPES_H_

#include <cstdint>
#include <random>
#include <vector>

#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {

class RandomTypes {
 public:
  explicit RandomTypes(uint64_t seed) : random_(seed) {}

  // Any type with at most `levels` levels; variables `t`, `t1` if asked for.
  Type NextType(int levels, bool with_variables = false);

  // Any literal with at most `levels` levels.
  Value NextLiteral(int levels);

  // A literal that somebody could write at `type`: mostly one that fits.
  Value NextLiteralFor(const Type& type);

  // A number below `n`.
  size_t Below(size_t n) { return random_() % n; }

 private:
  Value NextLeaf();
  std::vector<Type> NextTypes(size_t count, int levels, bool with_variables);

  std::mt19937_64 random_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_RANDOM_TYPES_H_
