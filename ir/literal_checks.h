// Whether constants have the form that their places want, each question asked
// once: part of the verifier.
#ifndef OPCOMPAT_IR_LITERAL_CHECKS_H_
#define OPCOMPAT_IR_LITERAL_CHECKS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "base/hash_map.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "ir/place_types.h"

namespace opcompat {

class LiteralChecks {
 public:
  // The arguments outlive this object.
  LiteralChecks(const Module& module, TypeRelations* relations)
      : module_(module), relations_(*relations) {}

  // OK iff the constant is what CoerceLiteral makes of it at `type` (a number
  // of the relations). The message says what was expected.
  absl::Status CheckForm(ConstantId constant, uint32_t type);

  // The type that the literal has of itself, as a number of the relations;
  // nullopt: none.
  absl::optional<uint32_t> OwnType(ConstantId constant);

 private:
  // The type with every `T[n]` a `T[]`, which is all the same to a list.
  uint32_t WithoutSizes(uint32_t type);

  static constexpr uint32_t kUnknown = 0xffffffff;

  const Module& module_;
  TypeRelations& relations_;
  HashMap<std::pair<uint32_t, uint32_t>, bool> has_form_;
  HashMap<uint32_t, absl::optional<uint32_t>> own_types_;
  std::vector<uint32_t> without_sizes_;  // by number; kUnknown: not yet
};

}  // namespace opcompat

#endif  // OPCOMPAT_IR_LITERAL_CHECKS_H_
