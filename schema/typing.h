// What fits where inside one version: literals at types, subtypes of graph
// values, type variables. How values of two versions relate is not decided
// here but in binding/.
#ifndef OPCOMPAT_SCHEMA_TYPING_H_
#define OPCOMPAT_SCHEMA_TYPING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/hash_map.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {

// The form that `literal` takes as a constant of `type`: the one Value that
// stands for it there, whichever spelling was used.
//   * `1` at float is 1.0 (if exact), at Scalar it stays int 1;
//   * an enum word at its type is its number; a word that the table lacks
//     stays a word (QScheme has no table: all its words do). Words of
//     Reduction (Mean, Sum) are their numbers at int, too, which is what
//     schemas call that type. The literal None at Reduction is the word of
//     that name: 0;
//   * a lone n at `T[n]` (n > 0), n being no container, is the list of n
//   copies;
//   * a string at Device, Dimname is the string;
//   * None fits `T?`, None, Any, type variables and named types only; and, as
//     one real schema language lets it be a default there, `T?[]`;
//   * lists, tuples and dicts by element; any literal fits a named (opaque)
//     type as it is; any but a word fits Any and type variables.
// A list at `T[n]` may have any length. (Schemas restrict their defaults
// further: see operator_schema.h.)
//
// Returns InvalidArgument "expected int, found 1.5" otherwise. The result of
// coercing a result again is the same Value. Parts that are shared are coerced
// once; `*steps`, if not null, grows by the number of parts that were.
absl::StatusOr<Value> CoerceLiteral(const Value& literal, const Type& type,
                                    uint64_t* steps = nullptr);

// The type of a literal that stands where no type is expected (`Any`, type
// variables, elements of constructs): int, float, bool, complex, str, None,
// Tensor, lists of the common element type (None and T give T?), tuples, dicts.
// Returns InvalidArgument for what has no such type: an empty list or dict, a
// word, a list of mixed elements.
absl::StatusOr<Type> TypeOfLiteral(const Value& literal,
                                   uint64_t* steps = nullptr);

// Bindings of type variables while one call is checked.
using TypeVariables = HashMap<std::string, Type>;

// Whether a value of type `value` may stand where `expected` is declared:
//   * equal types, any type at Any, `T[n]` and `T[m]` being `T[]`;
//   * int, SymInt and the enum types are one type; float and SymFloat too,
//     bool and SymBool too;
//   * int, float and complex at Scalar; T and None at `T?`;
//   * a type variable takes the type that it meets first; later ones must be
//     subtypes of that; one that is a supertype of it takes its place;
//   * NamedTuple at a tuple of its elements' types;
//   * containers by element. If the elements' types only are subtypes (not the
//     one same type), `*covariant` is set: allowed only where nothing writes
//     the container. Tuples are not containers in this sense: immutable.
// `covariant` may be null; it is never cleared. Variables of `expected` are
// solved in `variables` (after a mismatch, whatever was found until then). As a
// variable may widen, whoever checks a whole call goes over its operands twice
// with the same `variables`: only the second pass is the answer.
bool IsSubtype(const Type& value, const Type& expected,
               TypeVariables* variables, bool* covariant);

// IsSubtype without variables: those in `expected` match only themselves.
bool IsSubtype(const Type& value, const Type& expected);

// `type` with the variables replaced. Unbound ones stay.
Type Substitute(const Type& type, const TypeVariables& variables);

// Whether the type mentions a type variable.
bool HasVariables(const Type& type);

// Whether the type alone says what a literal is: it mentions neither Any nor a
// type variable.
bool FixesLiterals(const Type& type);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_TYPING_H_
