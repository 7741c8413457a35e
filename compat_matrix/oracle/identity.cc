#include "compat_matrix/oracle/identity.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "compat_matrix/oracle/marks.h"

namespace opcompat {
namespace oracle {
namespace {

// Later than version number `after`, at the latest `first`.
struct Interval {
  int64_t after;
  int64_t first;
};

absl::optional<Interval> IntervalOf(const Origin& origin, const Opset& reader) {
  const absl::optional<size_t> first = reader.VersionIndex(origin.first);
  if (!first.has_value()) return absl::nullopt;
  Interval interval{static_cast<int64_t>(*first) - 1,
                    static_cast<int64_t>(*first)};
  if (!origin.after.empty()) {
    const absl::optional<size_t> after = reader.VersionIndex(origin.after);
    if (!after.has_value()) return absl::nullopt;
    interval.after = static_cast<int64_t>(*after);
  }
  return interval;
}

}  // namespace

bool OriginsMatch(const Origin& a, const Origin& b, const Opset& reader) {
  if (a.is_base() || b.is_base()) return true;
  const absl::optional<Interval> of_a = IntervalOf(a, reader);
  const absl::optional<Interval> of_b = IntervalOf(b, reader);
  if (!of_a.has_value() || !of_b.has_value()) return false;
  return std::max(of_a->after, of_b->after) <
         std::min(of_a->first, of_b->first);
}

Pairing Pair(const OperatorEntry& writer, const OperatorEntry& reader,
             const Opset& order) {
  Pairing pairing;
  pairing.reader_of.resize(writer.arguments.size());
  pairing.writer_of.resize(reader.arguments.size());
  absl::flat_hash_map<std::string, size_t> by_name;
  for (size_t j = 0; j < reader.arguments.size(); ++j) {
    for (const std::string& name : reader.arguments[j].names) {
      by_name.emplace(name, j);
    }
  }
  for (size_t i = 0; i < writer.arguments.size(); ++i) {
    const EntryArgument& argument = writer.arguments[i];
    for (const std::string& name : argument.names) {
      const auto found = by_name.find(name);
      if (found == by_name.end()) continue;
      const size_t j = found->second;
      const bool is_new = !pairing.reader_of[i].has_value();
      // Two names that lead to two arguments, or two arguments that claim one.
      const bool contradicts = is_new ? pairing.writer_of[j].has_value()
                                      : *pairing.reader_of[i] != j;
      if (contradicts ||
          (is_new &&
           !OriginsMatch(argument.origin, reader.arguments[j].origin, order))) {
        pairing.problems.push_back({"other_history", argument.name()});
        break;
      }
      pairing.reader_of[i] = j;
      pairing.writer_of[j] = i;
    }
  }
  if (!pairing.problems.empty()) {
    pairing.is_paired = false;
    return pairing;
  }

  std::vector<std::pair<size_t, size_t>> shared;
  for (size_t i = 0; i < writer.arguments.size(); ++i) {
    const absl::optional<size_t> j = pairing.reader_of[i];
    if (j.has_value() && writer.arguments[i].is_exposed() &&
        reader.arguments[*j].is_exposed()) {
      shared.emplace_back(i, *j);
    }
  }
  for (std::string& name : ChangedMarks(writer, reader, shared)) {
    pairing.problems.push_back({"alias_changed", std::move(name)});
  }
  return pairing;
}

}  // namespace oracle
}  // namespace opcompat
