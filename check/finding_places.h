// Where a history makes the change that a finding is about.
#ifndef OPCOMPAT_CHECK_FINDING_PLACES_H_
#define OPCOMPAT_CHECK_FINDING_PLACES_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "check/finding.h"
#include "schema/declared_history.h"

namespace opcompat {

class FindingPlaces {
 public:
  // `declared` may be null (then no place is known) and must outlive this.
  explicit FindingPlaces(const DeclaredHistory* declared);

  // The step graph whose path in the history finding.place.file is, if it has
  // one: beside the history's file. Else the declaration that a finding of a
  // rename, a revision or a removal is about; else the operator's line in the
  // newer version; else that version.
  SourcePlace Find(const Finding& finding);

 private:
  const DeclaredHistory* const declared_;
  // By version: the line of each operator.
  absl::flat_hash_map<std::string, absl::flat_hash_map<std::string, int>>
      lines_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_CHECK_FINDING_PLACES_H_
