// What a binary of one version of one history knows: its operators, at each
// revision that it can read, with neutral and retired values worked out from
// the versions up to it and nothing later. And the runtime: several opsets
// together. Immutable; safe to share between threads; copying shares.
#ifndef OPCOMPAT_SCHEMA_OPSET_H_
#define OPCOMPAT_SCHEMA_OPSET_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "schema/operator_entry.h"

namespace opcompat {

struct Module;

// A test on the arguments of a call: `argument`'s effective value is a
// constant equal to one of `one_of`, or its static type is one of `types`.
struct StepCondition {
  std::string argument;
  std::vector<TypedValue> one_of;
  std::vector<Type> types;
};

// All must hold; none: always.
using StepConditions = std::vector<StepCondition>;

// A graph that expresses one side of a step in the other.
struct StepGraph {
  StepConditions when;
  // Path as the history names it.
  std::string path;
  // The version that it is written at, whose operators it calls.
  std::string version;
  // One function, verified and canonical. Its parameters are the arguments
  // that the schema on its side of the step exposes, in order; it returns the
  // operator's results. Null: nobody read the file, and the step refuses.
  // (schema/ only carries it; ir/text/history_loader.h reads it.)
  std::shared_ptr<const Module> body;
  // Why the graph must not stand for a call although it type-checks: what it
  // writes to, or what its results alias, is not what the schema's marks say.
  // Empty: it may.
  std::string mismatch;
};

// How revision r relates to r+1.
struct RevisionStep {
  std::vector<StepGraph> upgraders;
  std::vector<StepGraph> downgraders;
  // Any of these: a call means the same at both revisions.
  std::vector<StepConditions> unchanged_when;
  bool one_way_up = false;
  bool one_way_down = false;
};

// Where an operator begins or ends to exist: what a call of it means in terms
// of the versions that lack it.
struct PresenceStep {
  // The first (last) schema of the operator; conditions are read on it, and its
  // exposed arguments are the parameters of the graphs.
  OperatorEntryPtr entry;
  // Tried in order: downgraders where it begins, upgraders where it ends.
  std::vector<StepGraph> graphs;
};

// One revision of an operator as one version knows it.
struct OperatorRevision {
  // The schema with which the revision began, and the last one known.
  OperatorEntryPtr first;
  OperatorEntryPtr last;
  // From the revision before to this one; null for revision 1.
  std::shared_ptr<const RevisionStep> step;
};

struct OperatorInfo {
  // By rising number: revisions[0] is revision 1.
  std::vector<OperatorRevision> revisions;
  // The schema line cannot be used (a repeated argument name): calls to it are
  // refused with this. Empty: usable.
  std::string fault;
  // What the version that added it (last, if several did) declared for those
  // that lack it. Null: nothing.
  std::shared_ptr<const PresenceStep> added;
  // The same of the version that removed it. Null unless it is one of
  // Opset::removed_operators().
  std::shared_ptr<const PresenceStep> removed;
  // The version that removed it; base: it is there.
  Origin removed_in;

  const OperatorEntryPtr& current() const { return revisions.back().last; }
  uint32_t revision() const { return static_cast<uint32_t>(revisions.size()); }
  // Whether some graph may take calls of `revision` away from the operator: on
  // the way up, to where it ends, or down, to where it began.
  bool HasUpgraderFrom(uint32_t revision) const;
  bool HasDowngraderFrom(uint32_t revision) const;
};

using OperatorInfoPtr = std::shared_ptr<const OperatorInfo>;

class Opset;

// The operators of an opset, each made when it is asked for: a program uses a
// few of thousands. Operators that an opset has come first, then those that it
// has removed; indices count over both. Safe to use from several threads.
class LazyOperators {
 public:
  virtual ~LazyOperators() = default;

  virtual size_t num_operators() const = 0;
  virtual size_t num_removed_operators() const = 0;
  // Every name that operator `i` has or had, the one at this version first; at
  // least one. The views live as long as this does.
  virtual absl::Span<const absl::string_view> names(size_t i) const = 0;
  // Operator `i`, whose names are these. Not null: one that cannot be made is
  // there with a fault. The reference lives as long as this does.
  virtual const OperatorInfoPtr& info(size_t i) const = 0;
  // What the version at place `version`, before this one, knew of operator `i`;
  // null: it lacked it. An error if that cannot be made.
  virtual absl::StatusOr<OperatorInfoPtr> InfoAt(size_t version,
                                                 size_t i) const = 0;
};

// What an Opset is made of; see history.h for who makes it.
struct OpsetParts {
  std::string name;
  std::vector<std::string> aliases;
  // Ids of the versions up to and with this one, oldest first.
  std::vector<std::string> versions;
  std::vector<OperatorInfoPtr> operators;
  // Operators that an earlier version had and this one lacks.
  std::vector<OperatorInfoPtr> removed_operators;
  // The opsets of `versions` before the last, in order; may be empty. Lets a
  // reader see that a version id which it knows comes with an entry which it
  // does not.
  std::vector<Opset> earlier;
  // Not null: instead of the three above.
  std::shared_ptr<const LazyOperators> lazy;
};

class Opset {
 public:
  // Returns InvalidArgument if two operators share a name. Makes none of the
  // lazy ones.
  static absl::StatusOr<Opset> Create(OpsetParts parts);

  const std::string& name() const { return parts_->name; }
  const std::vector<std::string>& aliases() const { return parts_->aliases; }
  // Whether `name` is the history's name or an alias of it.
  bool HasName(absl::string_view name) const;
  const std::string& version() const { return parts_->versions.back(); }
  const std::vector<std::string>& versions() const { return parts_->versions; }
  // Place of a version id in versions(), or nullopt: not known here.
  absl::optional<size_t> VersionIndex(absl::string_view id) const;

  // In the order of the .ops file. (Makes all of the lazy ones.)
  const std::vector<OperatorInfoPtr>& operators() const;
  // Operators that an earlier version had and this one lacks, as last known.
  const std::vector<OperatorInfoPtr>& removed_operators() const;
  // By the name at this version; null: none.
  const OperatorInfo* Find(absl::string_view full_name) const;
  // By any name that it ever had; null: none. (Names stay reserved, so at most
  // one operator has it.)
  const OperatorInfo* FindByAnyName(absl::string_view full_name) const;

  // By any of the names that a file's entry has; null: none.
  const OperatorInfo* FindByNamesOf(const OperatorEntry& entry) const;
  // As FindByAnyName, among removed_operators().
  const OperatorInfo* FindRemoved(absl::string_view full_name) const;

  // What this opset knows that the version `id`, before its own, had; null: it
  // does not know, or not without making it.
  const Opset* Earlier(absl::string_view id) const;

  // Whether the version `id` (known here) had an entry of this operator at
  // this revision, and it was another one than `entry`, or cannot be made.
  // False when `id` is not known here.
  bool ContradictsVersion(absl::string_view id,
                          const OperatorEntry& entry) const;

 private:
  friend class Runtime;
  struct Index;

  size_t num_operators() const;
  // Of operator `i` at this version.
  absl::string_view name_of(size_t i) const;
  const OperatorInfo* info(size_t i) const;
  // What the version at place `version`, before this one, knew of the operator
  // that `entry` names; null: it lacked it, or nobody can say.
  absl::StatusOr<OperatorInfoPtr> FindAt(size_t version,
                                         const OperatorEntry& entry) const;

  std::shared_ptr<const OpsetParts> parts_;
  std::shared_ptr<const Index> index_;
};

// The opsets that one program runs with.
class Runtime {
 public:
  // No opset: a runtime that knows no operator.
  Runtime() = default;

  // Returns InvalidArgument if two opsets have a name, an alias or an operator
  // (by its current name) in common.
  static absl::StatusOr<Runtime> Create(std::vector<Opset> opsets);

  const std::vector<Opset>& opsets() const { return opsets_; }
  // The opset of that name or alias; null: none.
  const Opset* FindOpset(absl::string_view name) const;
  // By current name, over all opsets; null: none. `opset`, if not null,
  // receives where it was found.
  const OperatorInfo* Find(absl::string_view full_name,
                           const Opset** opset = nullptr) const;

 private:
  std::vector<Opset> opsets_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_OPSET_H_
