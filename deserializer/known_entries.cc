#include "deserializer/known_entries.h"

#include <cstddef>

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
    : reader_(reader), writers_(reader.opsets().size()) {
  for (const OpsetVersion& opset : written) {
    const Opset* const now = reader.FindOpset(opset.name);
    if (now == nullptr) continue;
    const Opset*& then = writers_[PlaceOf(*now)];
    if (then == nullptr) then = now->Earlier(opset.version);
  }
}

std::array<OperatorEntryPtr, 2> KnownEntries::Find(absl::string_view history,
                                                   absl::string_view name,
                                                   uint32_t revision) const {
  std::array<OperatorEntryPtr, 2> found;
  const Opset* const opset = reader_.FindOpset(history);
  if (opset == nullptr) return found;
  found[0] = EntryOf(opset->FindByAnyName(name), revision);
  const Opset* const writer = writers_[PlaceOf(*opset)];
  if (writer != nullptr) {
    found[1] = EntryOf(writer->FindByAnyName(name), revision);
  }
  return found;
}

size_t KnownEntries::PlaceOf(const Opset& opset) const {
  return static_cast<size_t>(&opset - reader_.opsets().data());
}

}  // namespace decoding
}  // namespace opcompat
