#include "binding/identity.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/concat.h"
#include "base/hash_map.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {
namespace {

// The versions at which a thing may have begun: later than `low`, at the
// latest `high`, by index in the reader's order.
struct Span {
  long low;
  long high;
};

absl::optional<Span> SpanOf(const Origin& origin, const Opset& reader) {
  const absl::optional<size_t> first = reader.VersionIndex(origin.first);
  if (!first.has_value()) return absl::nullopt;
  const long high = static_cast<long>(*first);
  if (origin.after.empty()) return Span{high - 1, high};
  const absl::optional<size_t> after = reader.VersionIndex(origin.after);
  if (!after.has_value()) return absl::nullopt;
  return Span{static_cast<long>(*after), high};
}

}  // namespace

bool OriginsMatch(const Origin& a, const Origin& b, const Opset& reader) {
  if (a.is_base() || b.is_base()) return true;
  const absl::optional<Span> x = SpanOf(a, reader);
  const absl::optional<Span> y = SpanOf(b, reader);
  if (!x.has_value() || !y.has_value()) return false;
  return std::max(x->low, y->low) < std::min(x->high, y->high);
}

std::string OriginText(const Origin& origin) {
  if (origin.is_base()) return "";
  if (origin.after.empty()) return Concat(" (added in ", origin.first, ")");
  return Concat(" (added between ", origin.after, " and ", origin.first, ")");
}

std::string RemovalText(const OperatorInfo& info) {
  const Origin& removed = info.removed_in;
  if (removed.is_base()) return "";
  if (removed.after.empty()) {
    return Concat(" (removed in ", removed.first, ")");
  }
  return Concat(" (removed between ", removed.after, " and ", removed.first,
                ")");
}

bool ShareName(const std::vector<std::string>& a,
               const std::vector<std::string>& b) {
  for (const std::string& name : a) {
    if (std::find(b.begin(), b.end(), name) != b.end()) return true;
  }
  return false;
}

ArgumentLinks LinkArguments(const OperatorEntry& writer,
                            const OperatorEntry& reader_entry,
                            const Opset& reader) {
  HashMap<absl::string_view, size_t> by_name;
  for (size_t i = 0; i < reader_entry.arguments.size(); ++i) {
    for (const std::string& name : reader_entry.arguments[i].names) {
      by_name.emplace(name, i);
    }
  }
  ArgumentLinks result;
  std::vector<absl::optional<size_t>> writer_of(reader_entry.arguments.size());
  std::vector<ArgumentLink> writer_only;
  for (size_t i = 0; i < writer.arguments.size(); ++i) {
    const EntryArgument& argument = writer.arguments[i];
    absl::optional<size_t> match;
    bool other_origin = false;
    for (const std::string& name : argument.names) {
      const auto it = by_name.find(name);
      if (it == by_name.end() || it->second == match) continue;
      // One argument is one: neither two of the writer's nor two of the
      // reader's.
      if (match.has_value() || writer_of[it->second].has_value() ||
          !OriginsMatch(argument.origin,
                        reader_entry.arguments[it->second].origin, reader)) {
        other_origin = true;
        continue;
      }
      match = it->second;
    }
    if (other_origin) result.other_origin.push_back(i);
    if (match.has_value()) {
      writer_of[*match] = i;
    } else {
      writer_only.push_back({i, absl::nullopt});
    }
  }
  for (size_t i = 0; i < reader_entry.arguments.size(); ++i) {
    result.links.push_back({writer_of[i], i});
  }
  result.links.insert(result.links.end(), writer_only.begin(),
                      writer_only.end());
  return result;
}

}  // namespace opcompat
