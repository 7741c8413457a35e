// All rules about one operator in two versions, both directions and text.
#ifndef OPCOMPAT_CHECK_OPERATOR_CHECK_H_
#define OPCOMPAT_CHECK_OPERATOR_CHECK_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/optional.h"
#include "check/breach.h"
#include "check/finding.h"
#include "check/revision_rules.h"
#include "schema/opset.h"

namespace opcompat {

// Two versions of one history. Keeps what is costly to make; not thread-safe.
class VersionPair {
 public:
  VersionPair(const Opset& older, const Opset& newer);
  VersionPair(const VersionPair&) = delete;
  VersionPair& operator=(const VersionPair&) = delete;

  const Opset& older() const { return older_; }
  const Opset& newer() const { return newer_; }

  // The findings about one operator as the two versions have it; null: it is
  // not there. Not both are null.
  std::vector<Finding> Check(const OperatorInfo* older,
                             const OperatorInfo* newer);
  Finding MakeFinding(const std::string& op, FindingCategory category,
                      Breach breach) const;

 private:
  std::vector<Breach> Read(const OperatorInfo* writer,
                           const OperatorInfo* reader, const Reading& reading,
                           ReadingRuntimes* runtimes);
  // The added operator with the same schema but for the name; empty: there is
  // none, or more than one.
  std::string LikelyNewName(const OperatorEntry& removed);

  const Opset older_;
  const Opset newer_;
  const Reading backward_;
  const Reading forward_;
  ReadingRuntimes backward_runtimes_;
  ReadingRuntimes forward_runtimes_;
  // By schema without name: the operator that the newer version adds, or empty
  // if several have it.
  absl::optional<absl::flat_hash_map<std::string, std::string>> added_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_CHECK_OPERATOR_CHECK_H_
