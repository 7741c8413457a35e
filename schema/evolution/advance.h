// One step of one operator: what AdvanceOperator does (operator_track.h). For
// the files that implement it only:
//   * operator_track.cc: the order of things, revisions, results, marks;
//   * argument_identity.cc: which argument is which;
//   * argument_declarations.cc: neutral, retired, equal and ignorable values.
#ifndef OPCOMPAT_SCHEMA_EVOLUTION_ADVANCE_H_
#define OPCOMPAT_SCHEMA_EVOLUTION_ADVANCE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/optional.h"
#include "schema/declared_history.h"
#include "schema/evolution/alias_marks.h"
#include "schema/evolution/fault_list.h"
#include "schema/evolution/operator_track.h"
#include "schema/evolution/step_graph_use.h"
#include "schema/operator_entry.h"
#include "schema/operator_schema.h"
#include "schema/type.h"

namespace opcompat {
namespace evolution_internal {

// What a version does with an argument that it or an earlier one has.
enum class News : uint8_t {
  kStaysRetired,
  kRemoved,   // the schema before exposed it
  kStays,     // exposed before and now
  kReturns,   // retired before
  kAdded,     // to an operator that there was
  kFounding,  // in the operator's first schema
};

// One call of AdvanceOperator.
class Advance {
 public:
  Advance(const VersionStep& version, const OperatorChange& change,
          OperatorTrack* track, std::vector<PendingGraph>* graphs,
          std::vector<HistoryFault>* faults)
      : version_(version),
        change_(change),
        schema_(*change.schema),
        track_(*track),
        graphs_(*graphs),
        faults_(track->names[0], *version.history, *version.id, faults) {}

  void Run();

 private:
  // What was declared about an argument, so that nothing is declared twice.
  struct Declared {
    const DeclaredChange* neutral = nullptr;
    const DeclaredChange* retired = nullptr;
    const DeclaredChange* ignorable = nullptr;
    bool excepted = false;
  };

  void RunUnusable();
  void FindSemanticChange();
  bool MatchArguments();
  bool ReadRenames(absl::flat_hash_map<std::string, size_t>* by_new_name);
  void UpdateArguments();
  void UpdateArgument(size_t position, size_t id);
  void ApplyDeclarations();
  void ApplyNeutral(const DeclaredChange& change,
                    const DeclaredArgumentValue& value);
  void ApplyRetired(const DeclaredChange& change,
                    const DeclaredArgumentValue& value);
  void ApplyIgnorable(const DeclaredChange& change,
                      const std::string& argument);
  void ApplyEqual(const DeclaredChange& change,
                  const DeclaredEqualValue& equal);
  void ApplyExceptions();
  void FillNeutral(size_t id);
  void FillRetired(size_t id);
  void CheckResults();
  OperatorEntryPtr MakeEntry();
  void CoverMarks(OperatorEntry* entry);
  void ReadAdded(const OperatorEntryPtr& entry);
  void Publish(OperatorEntryPtr entry);

  // Null if no version before had a usable schema.
  const OperatorEntry* before() const {
    return track_.revisions.empty() ? nullptr
                                    : track_.revisions.back().last.get();
  }
  TrackedArgument& argument(size_t id) { return track_.arguments[id]; }
  bool declared_anew(size_t id) const {
    return semantic_change_ != nullptr && news_[id] != News::kFounding;
  }

  // The argument of that name that the present schema exposes (or that is
  // retired, if a new revision may declare anew), or nullopt and a fault.
  absl::optional<size_t> FindNow(const DeclaredChange& change,
                                 const std::string& name, const char* what);
  absl::optional<TypedValue> Read(const DeclaredChange& change,
                                  const std::string& literal,
                                  const std::string& argument,
                                  const Type& type);
  // Reports a second declaration of one thing.
  bool First(const DeclaredChange& change, const DeclaredChange** slot,
             const char* what, const std::string& argument);
  std::string KnownSince(size_t id) const;

  const VersionStep& version_;
  const OperatorChange& change_;
  const OperatorSchema& schema_;
  OperatorTrack& track_;
  std::vector<PendingGraph>& graphs_;
  FaultList faults_;

  const DeclaredSemanticChange* semantic_change_ = nullptr;
  SourcePlace semantic_place_;
  const DeclaredChange* annotation_fixed_ = nullptr;
  AliasMarksComparison marks_;

  // For each of track_.arguments.
  std::vector<News> news_;
  std::vector<Declared> declared_;
  // How many types each had at this revision before this version.
  std::vector<size_t> types_before_;
};

}  // namespace evolution_internal
}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_EVOLUTION_ADVANCE_H_
