#include "compat_matrix/merge_shards.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace opcompat {
namespace {

// How the two cannot be of one run; empty: they can.
std::string Contradiction(const RunNames& a, const RunNames& b) {
  if (a.part.run != b.part.run) {
    return "they are of different runs: other modules (of other names: the "
           "paths by which they were found), histories or flags";
  }
  if (a.part.shards != b.part.shards) {
    return absl::StrCat("one is of ", a.part.shards, " shards, the other of ",
                        b.part.shards);
  }
  if (a.testees != b.testees) return "they have different testees";
  if (a.authors != b.authors) return "they have different authors";
  return "";
}

}  // namespace

absl::StatusOr<MatrixResult> MergeShards(std::vector<ShardResult> shards) {
  if (shards.empty()) {
    return absl::InvalidArgumentError("there is nothing to merge");
  }
  const RunNames names = shards[0].result.names;
  std::vector<const ShardResult*> by_number(shards.size());
  std::vector<uint32_t> missing;
  for (const ShardResult& shard : shards) {
    const std::string contradiction = Contradiction(names, shard.result.names);
    if (!contradiction.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          shards[0].name, " and ", shard.name, ": ", contradiction));
    }
    const uint32_t number = shard.result.names.part.shard;
    if (number >= by_number.size()) continue;
    if (by_number[number] != nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat(by_number[number]->name, " and ", shard.name,
                       ": both are shard ", number + 1));
    }
    by_number[number] = &shard;
  }
  if (shards.size() < names.part.shards) {
    std::vector<bool> is_there(names.part.shards);
    for (const ShardResult& shard : shards) {
      is_there[shard.result.names.part.shard] = true;
    }
    for (uint32_t i = 0; i < names.part.shards && missing.size() < 10; ++i) {
      if (!is_there[i]) missing.push_back(i + 1);
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "of ", names.part.shards, " shards there are ", shards.size(),
        "; missing: ", absl::StrJoin(missing, ", ")));
  }

  MatrixResult merged;
  merged.names = names;
  merged.names.part.shard = 0;
  merged.names.part.shards = 1;
  for (ShardResult& shard : shards) {
    merged.summary.Add(shard.result.summary);
    std::move(shard.result.modules.begin(), shard.result.modules.end(),
              std::back_inserter(merged.modules));
  }
  // Modules of one unit are in one shard, in their order.
  std::stable_sort(merged.modules.begin(), merged.modules.end(),
                   [](const ModuleCells& a, const ModuleCells& b) {
                     return a.unit < b.unit;
                   });
  return merged;
}

}  // namespace opcompat
