// How the rules of evolution read the literals and types that declarations
// carry as text: through functions that the caller gives, so that nothing here
// needs a text parser.
#ifndef OPCOMPAT_SCHEMA_EVOLUTION_LITERALS_H_
#define OPCOMPAT_SCHEMA_EVOLUTION_LITERALS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {

// Reads a literal of the schema language at a type.
using LiteralReader = absl::StatusOr<Value> (*)(absl::string_view text,
                                                const Type& type);
// Reads a type.
using TypeReader = absl::StatusOr<Type> (*)(absl::string_view text);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_EVOLUTION_LITERALS_H_
