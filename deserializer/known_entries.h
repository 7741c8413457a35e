// The entries that the reader of a file has at hand, to be taken where the file
// carries the same ones (entry_match.h).
#ifndef OPCOMPAT_DESERIALIZER_KNOWN_ENTRIES_H_
#define OPCOMPAT_DESERIALIZER_KNOWN_ENTRIES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {
namespace decoding {

class KnownEntries {
 public:
  // `written`: the versions that the file was written with. Both must outlive
  // this object.
  KnownEntries(const Runtime& reader, const std::vector<OpsetVersion>& written);

  // What the reader has of that operator at that revision, and what it knows
  // that the writer had; each may be null. Only entries that satisfy all that
  // an entry of a file must.
  std::array<OperatorEntryPtr, 2> Find(absl::string_view history,
                                       absl::string_view name,
                                       uint32_t revision) const;

 private:
  // Of one of the reader's.
  size_t PlaceOf(const Opset& opset) const;

  const Runtime& reader_;
  // By opset of the reader: what it knows that the file's writer had; may be
  // null.
  std::vector<const Opset*> writers_;
};

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_KNOWN_ENTRIES_H_
