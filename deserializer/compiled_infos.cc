#include "deserializer/compiled_infos.h"

#include <algorithm>
#include <utility>

#include "base/concat.h"
#include "base/hash_map.h"
#include "base/status_macros.h"
#include "deserializer/entry_reader.h"
#include "deserializer/table_reader.h"

namespace opcompat {
namespace decoding {
namespace {

// Of the values of conditions and defaults.
constexpr uint64_t kMaxTensorBytes = uint64_t{1} << 28;

// The fields of the message Revision.
struct RawRevision {
  uint32_t first = 0;
  uint32_t last = 0;
  uint32_t step = 0;
};

absl::StatusOr<RawRevision> ReadRawRevision(const FileSpan& span) {
  RawRevision raw;
  FieldReader fields(span, "a revision");
  while (fields.Next()) {
    if (fields.number() == 1) raw.first = fields.Uint32();
    if (fields.number() == 2) raw.last = fields.Uint32();
    if (fields.number() == 3) raw.step = fields.Uint32();
  }
  OPCOMPAT_RETURN_IF_ERROR(fields.status());
  return raw;
}

}  // namespace

absl::Status CompiledInfos::Open() {
  OPCOMPAT_ASSIGN_OR_RETURN(file_, ReadCompiledFields(bytes_));
  DecodeOptions options;
  options.limits.max_tensor_bytes = kMaxTensorBytes;
  OPCOMPAT_ASSIGN_OR_RETURN(tables_,
                            ReadTables(file_.tables, options, &budget_));
  HashSet<absl::string_view> seen;
  for (const FileSpan& span : file_.versions) {
    absl::string_view id;
    FieldReader fields(span, "a version");
    while (fields.Next()) {
      if (fields.number() == 1) id = fields.Bytes();
    }
    OPCOMPAT_RETURN_IF_ERROR(fields.status());
    if (id.empty()) {
      return MalformedAt(span, "version", ids_.size(), "it has no id");
    }
    if (!seen.insert(id).second) {
      return MalformedAt(span, "version", ids_.size(), "its id is there twice");
    }
    ids_.emplace_back(id);
  }
  infos_ = std::vector<Slot>(file_.infos.size());
  steps_.emplace(file_, tables_, &budget_);
  entries_.resize(file_.tables.operators.size());
  infos_at_.resize(ids_.size());
  return absl::OkStatus();
}

absl::StatusOr<VersionTable> CompiledInfos::ReadVersion(size_t version) const {
  VarintColumn operators;
  VarintColumn removed_operators;
  FieldReader fields(file_.versions[version], "a version");
  while (fields.Next()) {
    if (fields.number() == 2) fields.AddTo(&operators);
    if (fields.number() == 3) fields.AddTo(&removed_operators);
  }
  OPCOMPAT_RETURN_IF_ERROR(fields.status());
  VersionTable table;
  OPCOMPAT_ASSIGN_OR_RETURN(table.operators,
                            ReadInfoColumn(operators, version));
  OPCOMPAT_ASSIGN_OR_RETURN(table.removed_operators,
                            ReadInfoColumn(removed_operators, version));
  return table;
}

absl::StatusOr<std::vector<uint32_t>> CompiledInfos::ReadInfoColumn(
    const VarintColumn& column, size_t version) const {
  OPCOMPAT_ASSIGN_OR_RETURN(std::vector<uint32_t> indices,
                            ReadUint32s(column, "infos of a version"));
  for (const uint32_t index : indices) {
    if (index >= infos_.size()) {
      return MalformedAt(
          file_.versions[version], "version", version,
          Concat("it names info ", index, " of ", infos_.size()));
    }
  }
  return indices;
}

absl::StatusOr<uint32_t> CompiledInfos::OperatorNumber(uint32_t index) const {
  uint32_t number = 0;
  FieldReader fields(file_.infos[index], "an info");
  while (fields.Next()) {
    if (fields.number() == 1) number = fields.Uint32();
  }
  OPCOMPAT_RETURN_IF_ERROR(fields.status());
  return number;
}

// All of them are in the last entry of the last revision (see CheckNames).
absl::Status CompiledInfos::AppendNames(
    uint32_t index, std::vector<absl::string_view>* names) const {
  FileSpan revision;
  bool has_revision = false;
  FieldReader fields(file_.infos[index], "an info");
  while (fields.Next()) {
    if (fields.number() != 2) continue;
    revision = fields.Span();
    has_revision = true;
  }
  OPCOMPAT_RETURN_IF_ERROR(fields.status());
  if (!has_revision) return BadInfo(index, "it has no revision");
  OPCOMPAT_ASSIGN_OR_RETURN(const RawRevision raw, ReadRawRevision(revision));
  if (raw.last >= file_.tables.operators.size()) {
    return BadInfo(index, Concat("it names operator ", raw.last, " of ",
                                 file_.tables.operators.size()));
  }
  const FileSpan& entry = file_.tables.operators[raw.last];
  VarintColumn column;
  FieldReader entry_fields(entry, "an operator");
  while (entry_fields.Next()) {
    if (entry_fields.number() == 1) entry_fields.AddTo(&column);
  }
  OPCOMPAT_RETURN_IF_ERROR(entry_fields.status());
  const char* p = column.bytes().data();
  const char* const end = p + column.bytes().size();
  if (p == end) return MalformedAt(entry, "operator", raw.last, "no name");
  while (p != end) {
    uint64_t name = 0;
    if (!ReadVarint(&p, end, &name) || name >= tables_.strings.size()) {
      return MalformedAt(
          entry, "operator", raw.last,
          Concat("its name is string ", name, " of ", tables_.strings.size()));
    }
    names->push_back(tables_.strings[name]);
  }
  return absl::OkStatus();
}

const OperatorInfoPtr& CompiledInfos::Info(uint32_t index) {
  Slot& slot = infos_[index];
  if (slot.is_decoded.load(std::memory_order_acquire)) return slot.info;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (slot.is_decoded.load(std::memory_order_relaxed)) return slot.info;
  absl::StatusOr<OperatorInfoPtr> read = ReadInfo(index);
  if (read.ok()) {
    slot.info = *std::move(read);
  } else {
    slot.status = std::move(read).status();
    slot.info = FaultyInfo(index, slot.status);
  }
  slot.is_decoded.store(true, std::memory_order_release);
  return slot.info;
}

absl::StatusOr<OperatorInfoPtr> CompiledInfos::InfoOrError(uint32_t index) {
  const OperatorInfoPtr& info = Info(index);
  if (!infos_[index].status.ok()) return infos_[index].status;
  return info;
}

absl::StatusOr<OperatorInfoPtr> CompiledInfos::InfoAt(size_t version,
                                                      uint32_t number) {
  uint32_t index = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    HashMap<uint32_t, uint32_t>& infos = infos_at_[version];
    if (infos.empty()) {
      OPCOMPAT_ASSIGN_OR_RETURN(const VersionTable table, ReadVersion(version));
      for (const uint32_t info : table.operators) {
        OPCOMPAT_ASSIGN_OR_RETURN(const uint32_t of, OperatorNumber(info));
        infos.try_emplace(of, info);
      }
    }
    const auto found = infos.find(number);
    if (found == infos.end()) return OperatorInfoPtr();
    index = found->second;
  }
  return InfoOrError(index);
}

absl::Status CompiledInfos::BadInfo(uint32_t index,
                                    absl::string_view what) const {
  return MalformedAt(file_.infos[index], "info", index, what);
}

OperatorInfoPtr CompiledInfos::FaultyInfo(uint32_t index,
                                          const absl::Status& status) const {
  std::vector<absl::string_view> names;
  if (!AppendNames(index, &names).ok() || names.empty()) names = {""};
  auto entry = std::make_shared<OperatorEntry>();
  for (const absl::string_view name : names) entry->names.emplace_back(name);
  entry->history = name();
  auto info = std::make_shared<OperatorInfo>();
  info->revisions.push_back({entry, entry, nullptr});
  info->fault = Concat("the compiled history is malformed: ", status.message());
  return info;
}

absl::StatusOr<CompiledInfos::RawInfo> CompiledInfos::ReadRawInfo(
    uint32_t index) const {
  RawInfo raw;
  FieldReader fields(file_.infos[index], "an info");
  while (fields.Next()) {
    switch (fields.number()) {
      case 2:
        raw.revisions.push_back(fields.Span());
        break;
      case 3:
        raw.fault = fields.Uint32();
        break;
      case 4:
        raw.added = fields.Uint32();
        break;
      case 5:
        raw.removed = fields.Uint32();
        break;
      case 6:
        raw.removed_in = fields.Span();
        break;
      default:
        break;
    }
  }
  OPCOMPAT_RETURN_IF_ERROR(fields.status());
  return raw;
}

absl::StatusOr<OperatorInfoPtr> CompiledInfos::ReadInfo(uint32_t index) {
  OPCOMPAT_ASSIGN_OR_RETURN(const RawInfo raw, ReadRawInfo(index));
  if (raw.revisions.empty()) return BadInfo(index, "it has no revision");
  auto info = std::make_shared<OperatorInfo>();
  info->revisions.reserve(raw.revisions.size());
  for (const FileSpan& span : raw.revisions) {
    OPCOMPAT_ASSIGN_OR_RETURN(OperatorRevision revision,
                              ReadRevision(span, index, *info));
    info->revisions.push_back(std::move(revision));
  }
  OPCOMPAT_RETURN_IF_ERROR(CheckNames(*info, index));
  OPCOMPAT_ASSIGN_OR_RETURN(info->fault, ReadString(raw.fault, index));
  OPCOMPAT_ASSIGN_OR_RETURN(info->added,
                            ReadPresence(raw.added, "downgrader", index));
  OPCOMPAT_ASSIGN_OR_RETURN(info->removed,
                            ReadPresence(raw.removed, "upgrader", index));
  OPCOMPAT_ASSIGN_OR_RETURN(info->removed_in,
                            ReadOrigin(raw.removed_in, index));
  for (const PresenceStep* step : {info->added.get(), info->removed.get()}) {
    if (step != nullptr && step->entry->revision > info->revision()) {
      return BadInfo(index, "a step of it is at a revision that it lacks");
    }
  }
  return OperatorInfoPtr(std::move(info));
}

absl::StatusOr<OperatorRevision> CompiledInfos::ReadRevision(
    const FileSpan& span, uint32_t index, const OperatorInfo& so_far) {
  OPCOMPAT_ASSIGN_OR_RETURN(const RawRevision raw, ReadRawRevision(span));
  OperatorRevision revision;
  OPCOMPAT_ASSIGN_OR_RETURN(revision.first, Entry(raw.first, index));
  OPCOMPAT_ASSIGN_OR_RETURN(revision.last, Entry(raw.last, index));
  const size_t number = so_far.revisions.size() + 1;
  for (const OperatorEntry* entry :
       {revision.first.get(), revision.last.get()}) {
    if (entry->revision != number) {
      return BadInfo(index,
                     Concat("an entry of revision ", number,
                            " says that it is of revision ", entry->revision));
    }
  }
  if (raw.step > file_.revision_steps.size() ||
      (raw.step == 0) != (number == 1)) {
    return BadInfo(index,
                   Concat("revision ", number, " has step ", raw.step,
                          " (plus one) of ", file_.revision_steps.size()));
  }
  if (raw.step != 0) {
    OPCOMPAT_ASSIGN_OR_RETURN(
        revision.step,
        steps_->ReadRevisionStep(raw.step - 1, *so_far.revisions.back().last,
                                 *revision.first));
  }
  return revision;
}

// Opsets find an operator by the names of its last entry.
absl::Status CompiledInfos::CheckNames(const OperatorInfo& info,
                                       uint32_t index) {
  const OperatorEntry& current = *info.current();
  HashSet<absl::string_view> names;
  for (const OperatorRevision& revision : info.revisions) {
    for (const OperatorEntry* entry :
         {revision.first.get(), revision.last.get()}) {
      if (entry == &current) continue;
      OPCOMPAT_RETURN_IF_ERROR(
          budget_.SpendParts(entry->names.size(), "names"));
      if (names.empty()) {
        OPCOMPAT_RETURN_IF_ERROR(
            budget_.SpendParts(current.names.size(), "names"));
        names.insert(current.names.begin(), current.names.end());
      }
      for (const std::string& name : entry->names) {
        if (!names.contains(name)) {
          return BadInfo(index, "it had a name that its last entry lacks");
        }
      }
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const PresenceStep>> CompiledInfos::ReadPresence(
    uint32_t step, absl::string_view kind, uint32_t index) {
  if (step == 0) return std::shared_ptr<const PresenceStep>();
  if (step > file_.presence_steps.size()) {
    return BadInfo(index, Concat("it names presence step ", step - 1, " of ",
                                 file_.presence_steps.size()));
  }
  OPCOMPAT_ASSIGN_OR_RETURN(const uint32_t at,
                            steps_->EntryOfPresenceStep(step - 1));
  OPCOMPAT_ASSIGN_OR_RETURN(OperatorEntryPtr entry, Entry(at, index));
  return steps_->ReadPresenceStep(step - 1, std::move(entry), kind);
}

absl::StatusOr<Origin> CompiledInfos::ReadOrigin(const FileSpan& span,
                                                 uint32_t index) {
  uint32_t first = 0;
  uint32_t after = 0;
  FieldReader fields(span, "an origin");
  while (fields.Next()) {
    if (fields.number() == 1) first = fields.Uint32();
    if (fields.number() == 2) after = fields.Uint32();
  }
  OPCOMPAT_RETURN_IF_ERROR(fields.status());
  if (first == 0 && after != 0) {
    return BadInfo(index, "its removal has a beginning but no end");
  }
  Origin origin;
  OPCOMPAT_ASSIGN_OR_RETURN(origin.first, ReadString(first, index));
  OPCOMPAT_ASSIGN_OR_RETURN(origin.after, ReadString(after, index));
  return origin;
}

absl::StatusOr<std::string> CompiledInfos::ReadString(uint32_t plus_one,
                                                      uint32_t index) {
  if (plus_one == 0) return std::string();
  if (plus_one > tables_.strings.size()) {
    return BadInfo(index, Concat("it names string ", plus_one - 1, " of ",
                                 tables_.strings.size()));
  }
  const absl::string_view s = tables_.strings[plus_one - 1];
  if (s.empty()) return BadInfo(index, "a string that it names is empty");
  OPCOMPAT_RETURN_IF_ERROR(budget_.SpendText(s.size(), "names"));
  return std::string(s);
}

absl::StatusOr<OperatorEntryPtr> CompiledInfos::Entry(uint32_t entry,
                                                      uint32_t index) {
  if (entry >= entries_.size()) {
    return BadInfo(
        index, Concat("it names operator ", entry, " of ", entries_.size()));
  }
  OperatorEntryPtr& cached = entries_[entry];
  if (cached == nullptr) {
    OPCOMPAT_ASSIGN_OR_RETURN(
        cached, ReadEntry(file_.tables, entry, tables_, &budget_));
  }
  return cached;
}

}  // namespace decoding
}  // namespace opcompat
