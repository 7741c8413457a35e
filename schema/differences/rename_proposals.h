// Likely renames that nobody has declared, for a person to confirm. Nothing
// else in this project guesses: an undeclared rename reads as one thing removed
// and another added, and calls that depend on it are refused.
#ifndef OPCOMPAT_SCHEMA_DIFFERENCES_RENAME_PROPOSALS_H_
#define OPCOMPAT_SCHEMA_DIFFERENCES_RENAME_PROPOSALS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "schema/declared_history.h"

namespace opcompat {

enum class RenameConfidence {
  kLikely,    // place, type and default agree, and nothing else fits
  kPossible,  // it fits, but the surroundings changed too
};

// `likely`, `possible`.
absl::string_view RenameConfidenceName(RenameConfidence confidence);

struct RenameProposal {
  // The operator's name in the newer version.
  std::string op;
  // Names of the operator itself, or of an argument of it.
  bool of_operator = false;
  std::string from;
  std::string to;
  RenameConfidence confidence = RenameConfidence::kPossible;
  // Why: "same place and type; the only argument that went and the only one
  // that came".
  std::string reason;
  // For ranking: higher first.
  double score = 0;
};

// Renames that version `index` of `declared` may have made and does not
// declare. Operators: pairs of one removed and one added whose schemas are
// equal up to the name, and whose names are alike. Arguments: pairs of one
// removed and one added of the same operator, of one type, with nothing between
// that changed its order. One to one. SymInt counts as int: real registries
// changed all of these at once. The best first.
// Precondition: 0 < index < declared.versions.size().
std::vector<RenameProposal> ProposeRenames(const DeclaredHistory& declared,
                                           size_t index);

// The declaration for history.textproto: lines `changes { ... }`, each indented
// by two spaces.
std::string DeclarationOf(const RenameProposal& proposal);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_DIFFERENCES_RENAME_PROPOSALS_H_
