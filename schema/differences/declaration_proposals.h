// What a person may want to declare about a version that was just added to a
// history: likely renames, values of arguments that came and went, revisions.
// Each is a question put as a declaration; none is ever taken for granted.
#ifndef OPCOMPAT_SCHEMA_DIFFERENCES_DECLARATION_PROPOSALS_H_
#define OPCOMPAT_SCHEMA_DIFFERENCES_DECLARATION_PROPOSALS_H_

#include <string>
#include <vector>

#include "schema/declared_history.h"
#include "schema/opset.h"

namespace opcompat {

struct DeclarationProposal {
  // The operator's name in the version.
  std::string op;
  // The history does not load as it is, and a fault names this operator.
  bool needed = false;
  // When to declare it: "if the argument `a` was renamed (likely: ...)".
  std::string reason;
  // Lines `changes { ... }` for history.textproto, each indented by two spaces.
  // A value that nobody can know is spelled `?`, and has to be filled in.
  std::string declaration;
};

// For the newest version of `declared`, which is otherwise checked: `before` is
// the version before it, and `faults` are those that the history has with it.
// Proposes
//   * renames (rename_proposals.h);
//   * a neutral value for each argument added to an operator that was there
//     before, where none follows: it was required, or came across a gap;
//   * a retired value for each argument removed likewise;
//   * an equal value where a default became None;
//   * annotation_fixed where alias or write marks changed;
//   * a semantic_change for operators with faults that none of these explains.
// What is declared already is not proposed. Needed ones first, then by
// operator.
// Precondition: declared.versions.size() > 1.
std::vector<DeclarationProposal> ProposeDeclarations(
    const DeclaredHistory& declared, const Opset& before,
    const std::vector<HistoryFault>& faults);

// The proposal as comment lines for history.textproto, inside its version: why
// behind `##`, in lines of at most 80 columns, and the declaration behind `#`,
// which it is without that mark.
std::string CommentOf(const DeclarationProposal& proposal);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_DIFFERENCES_DECLARATION_PROPOSALS_H_
