// How many blocks follow a node whose operator does not say it. A node comes
// before its blocks, in text and in a graph, so the parser has to look ahead.
// For the parser of modules only.
#ifndef OPCOMPAT_IR_TEXT_BLOCK_COUNTS_H_
#define OPCOMPAT_IR_TEXT_BLOCK_COUNTS_H_

#include <cstddef>
#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"

namespace opcompat {

class BlockCounts {
 public:
  // `text` must live as long as this.
  explicit BlockCounts(absl::string_view text) : text_(text) {}

  // The number of blocks of the node whose first one begins at `offset`, with
  // its `block0`. Goes by the first words of lines alone: where they make no
  // sense, the parser will find out. All calls together take time linear in the
  // text.
  uint32_t CountAt(size_t offset);

 private:
  void Scan(size_t offset);

  absl::string_view text_;
  absl::flat_hash_map<size_t, uint32_t> counts_;  // by offset
};

}  // namespace opcompat

#endif  // OPCOMPAT_IR_TEXT_BLOCK_COUNTS_H_
