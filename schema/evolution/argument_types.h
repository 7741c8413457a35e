// Which types one argument may have over the versions of one revision.
//
// Calls of different versions are compared by value, and values of different
// types relate (int 1 and float 1.0, a lone 2 and [2, 2]). That relation is an
// equality only among the types of two classes, one embedding in the other; a
// third would make 1 equal two values that differ. What fits where at one
// version is decided in schema/typing.h, not here.
#ifndef OPCOMPAT_SCHEMA_EVOLUTION_ARGUMENT_TYPES_H_
#define OPCOMPAT_SCHEMA_EVOLUTION_ARGUMENT_TYPES_H_

#include <vector>

#include "absl/status/status.h"
#include "schema/type.h"

namespace opcompat {

// `type` up to what makes no other class: without `?`, and `T[n]` as `T[]`, at
// every level.
Type TypeClass(const Type& type);

// Whether each value of class `from` stands for exactly one of class `to`
// (other than itself): int in float, Scalar, SymInt and the enum types, float
// in Scalar and SymFloat, bool in SymBool, lists, dicts and tuples by element.
// Preconditions: both are classes (TypeClass).
bool ClassEmbeds(const Type& from, const Type& to);

// The types of one argument at one revision. A plain value.
class ArgumentTypes {
 public:
  // Adds a type. Returns InvalidArgument, saying which types clash, if it may
  // not stand beside those before it; then nothing is added.
  absl::Status Add(const Type& type);

  // Distinct types, in the order in which they were added.
  const std::vector<Type>& types() const { return types_; }

  void Clear() { types_.clear(); }

 private:
  std::vector<Type> types_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_EVOLUTION_ARGUMENT_TYPES_H_
