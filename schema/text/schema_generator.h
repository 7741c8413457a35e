// Random schemas, types and values for property tests and fuzzers: every
// construct of the schema language turns up, in small and odd combinations.
// Not for histories: what one schema may become in the next version is not
// known here.
#ifndef OPCOMPAT_SCHEMA_TEXT_SCHEMA_GENERATOR_H_
#define OPCOMPAT_SCHEMA_TEXT_SCHEMA_GENERATOR_H_

#include <cstdint>
#include <string>

#include "absl/types/optional.h"
#include "schema/operator_schema.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {

// Equal seeds give equal sequences, on every machine. Not safe to share
// between threads.
class SchemaGenerator {
 public:
  explicit SchemaGenerator(uint64_t seed) : state_(seed) {}

  // A valid schema: OperatorSchema::Create has made it.
  OperatorSchema NextSchema();

  // A type of at most `max_depth` levels.
  Type NextType(int max_depth = 4);

  // A constant of `type`, in the form that CoerceLiteral gives it; nullopt if
  // none was found (no literal can spell a Generator).
  absl::optional<Value> NextValue(const Type& type);

  // Any literal, of any kind but tensors and words.
  Value NextLiteral(int max_depth = 3);

  // Bits of any float, special ones often.
  double NextFloat();

  // Bytes of any kind, troublesome ones often.
  std::string NextString();

  // A number from 0 to `limit` - 1. Precondition: `limit` > 0.
  uint64_t Below(uint64_t limit);

 private:
  bool OneIn(uint64_t n) { return Below(n) == 0; }
  int64_t NextInt();
  std::string NextName();
  AliasAnnotations NextAnnotations(const Type& type);
  Argument NextArgument(bool keyword_only, bool needs_default);

  uint64_t state_;
  int next_name_ = 0;
};

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_TEXT_SCHEMA_GENERATOR_H_
