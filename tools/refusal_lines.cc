#include "tools/refusal_lines.h"

#include <cstddef>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace opcompat {
namespace {

using Versions = std::vector<bool>;

VersionGrid Transposed(const VersionGrid& grid) {
  VersionGrid transposed(grid.size(), Versions(grid.size()));
  for (size_t r = 0; r < grid.size(); ++r) {
    for (size_t c = 0; c < grid.size(); ++c) transposed[c][r] = grid[r][c];
  }
  return transposed;
}

bool Any(const Versions& versions) {
  for (const bool is_in : versions) {
    if (is_in) return true;
  }
  return false;
}

// Rows with the same columns together, by the first of the rows.
std::vector<std::pair<Versions, Versions>> Rectangles(const VersionGrid& grid) {
  std::vector<std::pair<Versions, Versions>> rectangles;
  std::map<Versions, size_t> by_columns;
  for (size_t row = 0; row < grid.size(); ++row) {
    if (!Any(grid[row])) continue;
    const auto [place, is_new] =
        by_columns.emplace(grid[row], rectangles.size());
    if (is_new) rectangles.emplace_back(Versions(grid.size()), grid[row]);
    rectangles[place->second].first[row] = true;
  }
  return rectangles;
}

std::string Listed(const Versions& versions,
                   const std::vector<std::string>& ids) {
  std::vector<std::string> listed;
  for (size_t i = 0; i < versions.size(); ++i) {
    if (versions[i]) listed.push_back(ids[i]);
  }
  return absl::StrJoin(listed, ",");
}

size_t Count(const Versions& versions) {
  size_t count = 0;
  for (const bool is_in : versions) count += is_in;
  return count;
}

// `*` for `rows` if no cell of `existing` in other rows and `columns` is there.
std::string Named(const Versions& rows, const Versions& columns,
                  const VersionGrid& existing,
                  const std::vector<std::string>& ids) {
  if (Count(rows) < 2) return Listed(rows, ids);
  for (size_t r = 0; r < rows.size(); ++r) {
    for (size_t c = 0; c < rows.size(); ++c) {
      if (!rows[r] && columns[c] && existing[r][c]) return Listed(rows, ids);
    }
  }
  return "*";
}

}  // namespace

std::vector<std::string> WaysOf(const VersionGrid& wanted,
                                const VersionGrid& existing,
                                const std::vector<std::string>& versions) {
  auto by_writer = Rectangles(wanted);
  auto by_reader = Rectangles(Transposed(wanted));
  if (by_reader.size() < by_writer.size()) {
    by_writer.clear();
    for (auto& [readers, writers] : by_reader) {
      by_writer.emplace_back(std::move(writers), std::move(readers));
    }
  }
  const VersionGrid transposed = Transposed(existing);
  std::vector<std::string> ways;
  for (const auto& [writers, readers] : by_writer) {
    std::string named_writers = Named(writers, readers, existing, versions);
    // What `*` of the writers takes in counts for the readers.
    const Versions all(versions.size(), true);
    const std::string named_readers = Named(
        readers, named_writers == "*" ? all : writers, transposed, versions);
    ways.push_back(absl::StrCat(named_writers, "->", named_readers));
  }
  return ways;
}

}  // namespace opcompat
