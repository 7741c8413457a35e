#include "deserializer/known_entries.h"

#include <cstddef>

namespace opcompat {
namespace decoding {
namespace {

// Each entry looks for its opset among those of the file; no program has this
// many.
constexpr size_t kMostOpsetsAsked = 32;

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

std::array<OperatorEntryPtr, 2> KnownEntries::Find(absl::string_view history,
                                                   absl::string_view name,
                                                   uint32_t revision) const {
  std::array<OperatorEntryPtr, 2> found;
  const Opset* const opset = reader_.FindOpset(history);
  if (opset == nullptr) return found;
  found[0] = EntryOf(opset->FindByAnyName(name), revision);
  if (written_.size() > kMostOpsetsAsked) return found;
  for (const OpsetVersion& written : written_) {
    if (written.name != history) continue;
    const Opset* const then = opset->Earlier(written.version);
    if (then == nullptr) continue;
    found[1] = EntryOf(then->FindByAnyName(name), revision);
    break;
  }
  return found;
}

}  // namespace decoding
}  // namespace opcompat
