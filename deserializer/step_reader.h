// Steps of a compiled history: conditions, and graphs, which are module files
// inside the file.
#ifndef OPCOMPAT_DESERIALIZER_STEP_READER_H_
#define OPCOMPAT_DESERIALIZER_STEP_READER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/hash_map.h"
#include "deserializer/budget.h"
#include "deserializer/compiled_fields.h"
#include "deserializer/field_reader.h"
#include "deserializer/tables.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {
namespace decoding {

// Keeps what it has decoded. Not safe to share between threads.
class StepReader {
 public:
  // All must outlive it.
  StepReader(const CompiledFields& file, const Tables& tables, Budget* budget);

  // The step between `before`, the last entry of a revision, and `after`, the
  // first of the next; both must outlive this. Precondition: `index` is in
  // range.
  absl::StatusOr<std::shared_ptr<const RevisionStep>> ReadRevisionStep(
      uint32_t index, const OperatorEntry& before, const OperatorEntry& after);

  // The fields of a presence step. `kind` is "upgrader" or "downgrader", a
  // literal. Precondition: `index` is in range.
  absl::StatusOr<uint32_t> EntryOfPresenceStep(uint32_t index) const;
  absl::StatusOr<std::shared_ptr<const PresenceStep>> ReadPresenceStep(
      uint32_t index, OperatorEntryPtr entry, absl::string_view kind);

 private:
  absl::StatusOr<StepGraph> ReadGraph(const FileSpan& span,
                                      const OperatorEntry& entry,
                                      absl::string_view kind);
  absl::StatusOr<StepConditions> ReadConditions(
      const std::vector<FileSpan>& spans);
  absl::StatusOr<StepCondition> ReadCondition(const FileSpan& span);
  absl::StatusOr<TypedValue> ReadConstant(const FileSpan& span);
  absl::StatusOr<std::string> ReadString(uint32_t index, const FileSpan& span);
  absl::StatusOr<std::shared_ptr<const Module>> ReadModule(uint32_t index);

  const CompiledFields& file_;
  const Tables& tables_;
  Budget& budget_;
  std::vector<std::shared_ptr<const Module>> modules_;
  HashMap<std::pair<uint32_t,
                    std::pair<const OperatorEntry*, const OperatorEntry*>>,
          std::shared_ptr<const RevisionStep>>
      revision_steps_;
  HashMap<std::pair<uint32_t, absl::string_view>,
          std::shared_ptr<const PresenceStep>>
      presence_steps_;
};

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_STEP_READER_H_
