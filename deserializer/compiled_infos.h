// What is in a compiled history, decoded as it is asked for: which operators
// each version has, and what each of them is.
#ifndef OPCOMPAT_DESERIALIZER_COMPILED_INFOS_H_
#define OPCOMPAT_DESERIALIZER_COMPILED_INFOS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/hash_map.h"
#include "deserializer/budget.h"
#include "deserializer/compiled_fields.h"
#include "deserializer/field_reader.h"
#include "deserializer/step_reader.h"
#include "deserializer/tables.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {
namespace decoding {

// The message HistoryVersion but for its id: indices of infos, in range.
struct VersionTable {
  std::vector<uint32_t> operators;
  std::vector<uint32_t> removed_operators;
};

// What is decoded stays: versions share it. Safe to use from several threads
// once it is open; what was decoded before is had without a lock.
class CompiledInfos {
 public:
  // `bytes` are used in place; `owner`, if not null, keeps them alive.
  CompiledInfos(absl::string_view bytes, std::shared_ptr<const void> owner)
      : owner_(std::move(owner)), bytes_(bytes), budget_(bytes.size()) {}

  // Reads what all versions have in common. To be called first, once.
  absl::Status Open();

  const std::string& name() const { return file_.name; }
  const std::vector<std::string>& aliases() const { return file_.aliases; }
  // Of the versions, oldest first; unique.
  const std::vector<std::string>& ids() const { return ids_; }
  Budget NewBudget() const { return Budget(bytes_.size()); }

  // By place.
  absl::StatusOr<VersionTable> ReadVersion(size_t version) const;

  // Of an info. Precondition of these: its index is in range.
  //
  // Which operator it is of.
  absl::StatusOr<uint32_t> OperatorNumber(uint32_t index) const;
  // Appends every name that the operator has or had, the last one first.
  absl::Status AppendNames(uint32_t index,
                           std::vector<absl::string_view>* names) const;
  // Not null: one that is malformed has a fault. The reference lives as long as
  // this does.
  const OperatorInfoPtr& Info(uint32_t index);
  // As Info, or what is wrong.
  absl::StatusOr<OperatorInfoPtr> InfoOrError(uint32_t index);

  // The info that a version (by place) has of operator `number`; null: none.
  absl::StatusOr<OperatorInfoPtr> InfoAt(size_t version, uint32_t number);

 private:
  struct Slot {
    std::atomic<bool> is_decoded{false};
    OperatorInfoPtr info;
    absl::Status status;  // what `info` has a fault for
  };
  // The fields of the message OperatorInfo.
  struct RawInfo {
    std::vector<FileSpan> revisions;
    uint32_t fault = 0;
    uint32_t added = 0;
    uint32_t removed = 0;
    FileSpan removed_in;
  };

  absl::StatusOr<std::vector<uint32_t>> ReadInfoColumn(
      const VarintColumn& column, size_t version) const;
  absl::StatusOr<RawInfo> ReadRawInfo(uint32_t index) const;
  absl::Status BadInfo(uint32_t index, absl::string_view what) const;
  OperatorInfoPtr FaultyInfo(uint32_t index, const absl::Status& status) const;

  // The mutex is held in these.
  absl::StatusOr<OperatorInfoPtr> ReadInfo(uint32_t index);
  absl::StatusOr<OperatorRevision> ReadRevision(const FileSpan& span,
                                                uint32_t index,
                                                const OperatorInfo& so_far);
  absl::Status CheckNames(const OperatorInfo& info, uint32_t index);
  absl::StatusOr<std::shared_ptr<const PresenceStep>> ReadPresence(
      uint32_t step, absl::string_view kind, uint32_t index);
  absl::StatusOr<Origin> ReadOrigin(const FileSpan& span, uint32_t index);
  // Empty for 0.
  absl::StatusOr<std::string> ReadString(uint32_t plus_one, uint32_t index);
  absl::StatusOr<OperatorEntryPtr> Entry(uint32_t entry, uint32_t index);

  const std::shared_ptr<const void> owner_;
  const absl::string_view bytes_;
  CompiledFields file_;
  Tables tables_;
  std::vector<std::string> ids_;

  std::vector<Slot> infos_;
  std::mutex mutex_;  // of decoding infos, and of what follows
  Budget budget_;
  absl::optional<StepReader> steps_;
  std::vector<OperatorEntryPtr> entries_;
  // By version, made when asked for: the info of each operator, by its number.
  std::vector<HashMap<uint32_t, uint32_t>> infos_at_;
};

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_COMPILED_INFOS_H_
