// Adding a version to a history, without touching the disk: what its files
// would be, and whether they would load. The history file is edited as text:
// what people wrote there stays as it is.
#ifndef OPCOMPAT_TOOLS_ADD_VERSION_PLAN_H_
#define OPCOMPAT_TOOLS_ADD_VERSION_PLAN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "check/finding.h"
#include "schema/differences/declaration_proposals.h"
#include "schema/differences/operator_difference.h"
#include "schema/text/history_file.h"
#include "tools/histories.h"

namespace opcompat {

struct AddVersionRequest {
  // A directory, or a history.textproto in it. If there is no such file, or no
  // version in it, the version is the first.
  std::string history;
  // The .ops file, or `-`.
  std::string operators;
  // Empty: as the header of the .ops file says.
  std::string id;
  // The name of a history that starts, or one that it has. Empty: as the header
  // of the .ops file says.
  std::string name;
  // Released versions before this one are missing.
  bool gap = false;
  // A file of declarations for the version's block. Empty: none.
  std::string changes;
  // Put proposals into the version's block, as comments.
  bool write_proposals = false;
};

struct AddVersionPlan {
  std::string history;  // its name
  std::string id;
  std::string before;  // the newest version so far; empty: there is none
  // The files as they would be written. The .ops file that is in its place
  // already is not (operators_path is empty).
  std::string history_path;
  std::string history_text;
  std::string operators_path;
  std::string operators_text;
  // The history with the new version. With faults, `loaded.history` is null and
  // nothing must be written. Places in the new text name the .ops file.
  LoadedHistory loaded;
  std::vector<DeclarationProposal> proposals;
  // From the version before (or from nothing), and what they break; only if it
  // loads.
  std::vector<Difference> differences;
  std::vector<Finding> findings;
};

// Reads what there is, and plans. Returns
//   * NotFound if there is no such directory or file;
//   * InvalidArgument if the history has faults already, the .ops file or the
//     changes do not parse (then with every fault and the payload
//     kHistoryFaultsPayload), the .ops file is of another history, or the id is
//     missing, contradicts the header, is taken or cannot be one
//     (FaultOfVersionId);
//   * AlreadyExists if another file is where the .ops file would go.
absl::StatusOr<AddVersionPlan> PlanAddVersion(const AddVersionRequest& request,
                                              Histories& histories);

// Writes the files of a plan that loads: the operators, then the history; if
// the second cannot be written, the first is taken away again.
absl::Status WriteAddedVersion(const AddVersionPlan& plan);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_ADD_VERSION_PLAN_H_
