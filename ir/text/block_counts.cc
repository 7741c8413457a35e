#include "ir/text/block_counts.h"

#include <algorithm>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace opcompat {
namespace {

// The number in `block12(`, or false.
bool IsBlockHeader(absl::string_view line, uint32_t* number) {
  if (!absl::ConsumePrefix(&line, "block")) return false;
  const size_t digits = line.find_first_not_of("0123456789");
  return absl::SimpleAtoi(line.substr(0, digits), number);
}

}  // namespace

uint32_t BlockCounts::CountAt(size_t offset) {
  if (!counts_.contains(offset)) Scan(offset);
  return counts_[offset];
}

// Also counts the blocks of all nodes inside.
void BlockCounts::Scan(size_t offset) {
  struct OpenNode {
    size_t offset;
    uint32_t num_blocks;
    bool in_block;
  };
  std::vector<OpenNode> open = {{offset, 0, false}};
  const auto end_node = [&] {
    counts_[open.back().offset] = open.back().num_blocks;
    open.pop_back();
  };
  for (size_t begin = offset; begin < text_.size() && !open.empty();) {
    begin =
        std::min(text_.find_first_not_of(" \t\r\v\f\n", begin), text_.size());
    const size_t end = std::min(text_.find('\n', begin), text_.size());
    const absl::string_view line = text_.substr(begin, end - begin);
    uint32_t number;
    if (line.empty() || line[0] == '#') {
      begin = end;
      continue;
    }
    if (IsBlockHeader(line, &number)) {
      if (open.back().in_block) open.push_back({begin, 0, false});
      if (number != open.back().num_blocks) break;
      ++open.back().num_blocks;
      open.back().in_block = true;
    } else {
      // A node between two blocks has all of its blocks.
      if (!open.back().in_block) end_node();
      if (!open.empty() && absl::StartsWith(line, "->")) {
        open.back().in_block = false;
      }
    }
    begin = end;
  }
  while (!open.empty()) end_node();
}

}  // namespace opcompat
