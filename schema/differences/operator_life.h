// The life of one operator over a history: each version that changed it, what
// changed, and what that version declares about it. What a change breaks is
// decided in check/.
#ifndef OPCOMPAT_SCHEMA_DIFFERENCES_OPERATOR_LIFE_H_
#define OPCOMPAT_SCHEMA_DIFFERENCES_OPERATOR_LIFE_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "schema/declared_history.h"
#include "schema/differences/operator_difference.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {

enum class LifeEvent {
  kThere,  // in the first version of the history
  kAdded,  // by this version
  kChanged,
  kRemoved,
  kReturned,  // after a version that lacked it
};

// `there`, `added`, ...: for programs.
absl::string_view LifeEventId(LifeEvent event);

// A version that changed the operator.
struct LifeChange {
  LifeEvent event = LifeEvent::kChanged;
  size_t version = 0;  // its place in the history
  // As this version knows it; of kRemoved, as it was last known. Never null.
  const OperatorInfo* info = nullptr;
  // From the version that had it before; empty where there is none.
  std::vector<Difference> differences;
  // What this version declares about it, in the order of the file.
  std::vector<const DeclaredChange*> declared;
};

struct OperatorLife {
  // All its names, the newest first.
  std::vector<std::string> names;
  // Oldest first; never empty.
  std::vector<LifeChange> changes;
};

// The operator that ever had the name `full_name`; nullopt: none. Versions that
// did nothing to it are left out. The pointers are into the two arguments.
// Precondition: `declared` is what `history` was made of.
absl::optional<OperatorLife> LifeOf(const OpsetHistory& history,
                                    const DeclaredHistory& declared,
                                    absl::string_view full_name);

// For a name that nothing in `histories` has: at most `limit` names that may be
// meant. Other overloads of it; else operators that are called so in any
// namespace, with any overload (`aten::gelu` for `gelu`); else names that are
// nearly spelled like it, with their namespaces or, if it has none, without.
std::vector<std::string> SuggestOperators(
    const std::vector<const OpsetHistory*>& histories,
    absl::string_view full_name, size_t limit);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_DIFFERENCES_OPERATOR_LIFE_H_
