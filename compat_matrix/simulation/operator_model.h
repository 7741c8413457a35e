// An operator as the simulation thinks of it between two versions: what steps
// change, and what they must know to stay legal. Its text is what counts; no
// part of the library reads this.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_OPERATOR_MODEL_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_OPERATOR_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "compat_matrix/simulation/random.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace simulation {

struct ArgumentModel {
  std::string name;
  Type type;
  absl::optional<Value> default_value;  // nullopt: required
  bool keyword_only = false;
  bool is_out = false;  // `Tensor(a!)`
  bool is_input =
      false;  // `x`, `y`: what operators are about; no step takes it
  bool is_hint = false;
  // Its types are of two classes already, or changed in a way that leaves no
  // room for others.
  bool type_is_final = false;
  // None was a value of its own once: nothing may say later what it means.
  bool was_optional = false;
  // None means this; must be declared again with each revision.
  absl::optional<Value> none_means;
  // Values that conditions and declarations like, so that calls hit them.
  std::vector<Value> notable = {};
};

struct RetiredModel {
  ArgumentModel argument;
  bool has_value = true;  // a retired value
};

struct ResultModel {
  std::string name;
  Type type;
};

struct OperatorModel {
  std::string name;  // `sim1::op2`
  // Positional ones first, then keyword-only ones, out arguments last.
  std::vector<ArgumentModel> arguments;
  std::vector<RetiredModel> retired;
  std::vector<ResultModel> results;
  bool is_vararg = false;
  bool has_view_marks = false;  // x and the first result share a set
  uint32_t revision = 1;
  // Never gets a new revision and stays: graphs may call it wherever they are
  // written.
  bool is_stable = false;
  // A graph of an earlier version says what the revision means, so no graph of
  // a later one may.
  bool is_pinned = false;
  // Results went, so that none may come.
  bool has_shrunk = false;

  // The schema line.
  std::string Schema() const;
  ArgumentModel* Find(const std::string& argument_name);
  // No marks that matter, no `...`, no type variables, Tensor results: graphs
  // may call it and stand for it.
  bool IsSimple() const;
};

// A value of the type: one that has been noted, or any of those that break
// things (-0.0, nan, the ends of int64). Precondition: CanMakeValue(type).
Value AnyValue(const Type& type, Random* random);
// Whether literals of the type can stand in schemas and calls alike.
bool CanMakeValue(const Type& type);
// A type for a new argument, with literals.
Type AnyType(Random* random);
// The literal as history.textproto has it, inside quotes.
std::string EscapedLiteral(const Value& value);

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_OPERATOR_MODEL_H_
