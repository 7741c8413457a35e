#include "deserializer/known_entries.h"

namespace opcompat {
namespace decoding {
namespace {

OperatorEntryPtr EntryOf(const OperatorInfo* info, uint32_t revision) {
  // A faulty one would be refused if it were read.
  if (info == nullptr || !info->fault.empty() || revision == 0 ||
      revision > info->revision()) {
    return nullptr;
  }
  const OperatorEntryPtr& entry = info->revisions[revision - 1].last;
  return BeyondEntryLimits(*entry).empty() ? entry : nullptr;
}

}  // namespace

KnownEntries::KnownEntries(const Runtime& reader,
                           const std::vector<OpsetVersion>& written)
    : reader_(reader) {
  for (const OpsetVersion& opset : written) {
    const Opset* const now = reader.FindOpset(opset.name);
    if (now == nullptr) continue;
    const Opset* const then = now->Earlier(opset.version);
    if (then != nullptr) writers_.emplace(opset.name, then);
  }
}

std::array<OperatorEntryPtr, 2> KnownEntries::Find(absl::string_view history,
                                                   absl::string_view name,
                                                   uint32_t revision) const {
  std::array<OperatorEntryPtr, 2> found;
  const Opset* const opset = reader_.FindOpset(history);
  if (opset == nullptr) return found;
  found[0] = EntryOf(opset->FindByAnyName(name), revision);
  const auto writer = writers_.find(history);
  if (writer != writers_.end()) {
    found[1] = EntryOf(writer->second->FindByAnyName(name), revision);
  }
  return found;
}

}  // namespace decoding
}  // namespace opcompat
