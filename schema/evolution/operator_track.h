// What is known of one operator while the versions of its history pass by,
// oldest first. This is where the rules about neutral and retired values,
// origins and identity of arguments are (docs/compatibility.md); which
// schemas are one operator is decided in schema/history_builder.cc.
#ifndef OPCOMPAT_SCHEMA_EVOLUTION_OPERATOR_TRACK_H_
#define OPCOMPAT_SCHEMA_EVOLUTION_OPERATOR_TRACK_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "schema/declared_history.h"
#include "schema/evolution/argument_types.h"
#include "schema/evolution/literals.h"
#include "schema/evolution/step_graph_use.h"
#include "schema/operator_entry.h"
#include "schema/operator_schema.h"
#include "schema/opset.h"

namespace opcompat {

// An argument by whatever names it had. It is never forgotten: its names stay
// reserved, and a version that exposes it again exposes the same argument.
struct TrackedArgument {
  EntryArgument entry;
  // At the present revision.
  ArgumentTypes types;
  // Among the arguments of the last schema that exposed it.
  size_t position = 0;
};

// A plain value, changed by AdvanceOperator only.
struct OperatorTrack {
  // The present one first, then the earlier ones, most recent first.
  std::vector<std::string> names;
  Origin origin;
  // By rising number; empty until a version had a usable schema. The last
  // entry of the last one is the newest that any version so far had.
  std::vector<OperatorRevision> revisions;
  // What the present version knows; null if it lacks the operator.
  OperatorInfoPtr info;
  // Index of the newest version that had it, and of the newest whose schema
  // was usable.
  size_t newest_version = 0;
  size_t last_seen = 0;
  // See OperatorInfo::added.
  std::shared_ptr<const PresenceStep> added;
  // A fault left it open which argument is which, or a schema could not be
  // read: nothing that follows would be more than an echo.
  bool lost = false;

  // In the order in which they were first seen.
  std::vector<TrackedArgument> arguments;
  // Places in `arguments`: by every name that each ever had; those exposed now
  // in schema order; those retired now, in the order in which they were.
  absl::flat_hash_map<std::string, size_t> argument_by_name;
  std::vector<size_t> exposed;
  std::vector<size_t> retired;
  // Whether the list of results has shrunk in the present revision.
  bool results_shrunk = false;
};

// What a version brings to an operator.
struct OperatorChange {
  const OperatorSchema* schema = nullptr;
  SourcePlace schema_place;
  // About this operator; a renaming of it is left to the caller.
  std::vector<const DeclaredChange*> declared;
  std::vector<const DeclaredGap::Exception*> except;
  // Whether the version before lacks the operator.
  bool appears = false;
};

// What the rules need to know of the version itself, and of the versions since
// the operator was last seen.
struct VersionStep {
  const std::string* history = nullptr;
  const std::string* id = nullptr;
  size_t index = 0;
  // Of whatever this version introduces.
  Origin origin;
  // Versions are missing since the operator was last seen; whether a person
  // asserts that nevertheless defaults are neutral and retired values.
  bool gap = false;
  bool added_defaults_are_neutral = false;
  bool removed_defaults_are_retired = false;
  LiteralReader read_literal = nullptr;
  TypeReader read_type = nullptr;
};

// Moves `track` on to a version that has the operator: checks what the version
// declares and what its schema does, and sets track->info. Adds the step graphs
// that it declares to `graphs`. Preconditions: `track` has the operator's names
// at this version and is not lost.
void AdvanceOperator(const VersionStep& version, const OperatorChange& change,
                     OperatorTrack* track, std::vector<PendingGraph>* graphs,
                     std::vector<HistoryFault>* faults);

// Puts `name` before the other names of an operator or argument: it is the
// present one. Each name occurs once.
void PutNameFirst(const std::string& name, std::vector<std::string>* names);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_EVOLUTION_OPERATOR_TRACK_H_
