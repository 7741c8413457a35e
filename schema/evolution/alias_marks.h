// Whether the alias and write marks of two versions of a schema say the same.
// (Binding compares marks of its own accord: it knows the arguments that it
// binds. Here the question is whether a version changed the marks.)
#ifndef OPCOMPAT_SCHEMA_EVOLUTION_ALIAS_MARKS_H_
#define OPCOMPAT_SCHEMA_EVOLUTION_ALIAS_MARKS_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "schema/operator_entry.h"
#include "schema/operator_schema.h"
#include "schema/type.h"

namespace opcompat {

// Compares the marks of one schema, argument by argument and result by result.
// The names of alias sets are local to a schema: `(a)` everywhere is the same
// as `(b)` everywhere. And marks stay where they are when `T` becomes `T?`.
class AliasMarksComparison {
 public:
  // Compares the marks at one argument or result before and after.
  void Compare(const Type& type_before, const AliasAnnotations& before,
               const Type& type_after, const AliasAnnotations& after);

  // Whether anything compared meant something else.
  bool changed() const { return changed_; }
  // Whether anything compared was written in another way.
  bool respelled() const { return respelled_; }

 private:
  bool SameSets(const std::vector<std::string>& before,
                const std::vector<std::string>& after);
  bool SameSet(const std::string& before, const std::string& after);

  // Names of sets before to those after, and back.
  absl::flat_hash_map<std::string, std::string> after_, before_;
  bool changed_ = false;
  bool respelled_ = false;
};

// The marks of the exposed arguments and of the results of `entry`: what an
// `annotation_fixed` declaration of the next version makes equal to its own.
// Each exposed argument is listed, those without marks too.
CoveredMarks MarksOf(const OperatorEntry& entry);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_EVOLUTION_ALIAS_MARKS_H_
