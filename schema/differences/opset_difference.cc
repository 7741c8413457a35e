#include "schema/differences/opset_difference.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "schema/differences/operator_difference.h"
#include "schema/operator_entry.h"
#include "schema/operator_schema.h"
#include "schema/opset.h"

namespace opcompat {
namespace {

// The schema line, as far as there is a usable one.
std::string LineOf(const ListedOperator& op) {
  return op.fault.empty() ? op.entry->ToString() : op.entry->name();
}

std::vector<Difference> DiffListed(const ListedOperator& older,
                                   const ListedOperator& newer) {
  if (older.fault.empty() && newer.fault.empty()) {
    return DiffOperators(*older.entry, *newer.entry);
  }
  if (older.fault == newer.fault) return {};
  return {{DifferenceKind::kUsabilityChanged, newer.entry->name(), "",
           older.fault.empty() ? older.entry->ToString() : older.fault,
           newer.fault.empty() ? newer.entry->ToString() : newer.fault}};
}

}  // namespace

std::vector<ListedOperator> ListOperators(const Opset& opset) {
  std::vector<ListedOperator> listed;
  listed.reserve(opset.operators().size());
  for (const OperatorInfoPtr& info : opset.operators()) {
    listed.push_back({info->current(), info->fault});
  }
  return listed;
}

std::vector<ListedOperator> ListOperators(
    const std::vector<OperatorSchema>& schemas) {
  std::vector<ListedOperator> listed;
  listed.reserve(schemas.size());
  for (const OperatorSchema& schema : schemas) {
    listed.push_back(
        {std::make_shared<const OperatorEntry>(EntryOfSchema(schema)),
         schema.has_repeated_name()
             ? absl::StrCat("the schema repeats an argument name: ",
                            schema.ToString())
             : ""});
  }
  return listed;
}

std::vector<ListedOperator> ListSchemas(const Opset& opset) {
  std::vector<ListedOperator> listed = ListOperators(opset);
  for (ListedOperator& op : listed) {
    OperatorEntry entry;
    entry.names = {op.entry->name()};
    for (const EntryArgument& known : op.entry->arguments) {
      if (!known.is_exposed()) break;
      EntryArgument argument;
      argument.names = {known.name()};
      argument.type = known.type;
      argument.alias = known.alias;
      argument.keyword_only = known.keyword_only;
      argument.default_value = known.default_value;
      entry.arguments.push_back(std::move(argument));
    }
    entry.is_vararg = op.entry->is_vararg;
    entry.results = op.entry->results;
    entry.is_varret = op.entry->is_varret;
    op.entry = std::make_shared<const OperatorEntry>(std::move(entry));
  }
  return listed;
}

std::vector<Difference> DiffOperatorLists(
    const std::vector<ListedOperator>& older,
    const std::vector<ListedOperator>& newer) {
  absl::flat_hash_map<absl::string_view, size_t> by_name;
  for (size_t i = 0; i < older.size(); ++i) {
    for (const std::string& name : older[i].entry->names) {
      by_name.emplace(name, i);
    }
  }
  std::vector<bool> kept(older.size());
  std::vector<Difference> found;
  for (const ListedOperator& op : newer) {
    const ListedOperator* before = nullptr;
    for (const std::string& name : op.entry->names) {
      const auto match = by_name.find(name);
      if (match == by_name.end() || kept[match->second]) continue;
      kept[match->second] = true;
      before = &older[match->second];
      break;
    }
    if (before == nullptr) {
      found.push_back({DifferenceKind::kOperatorAdded, op.entry->name(), "", "",
                       LineOf(op)});
      continue;
    }
    std::vector<Difference> differences = DiffListed(*before, op);
    std::move(differences.begin(), differences.end(),
              std::back_inserter(found));
  }
  for (size_t i = 0; i < older.size(); ++i) {
    if (kept[i]) continue;
    found.push_back({DifferenceKind::kOperatorRemoved, older[i].entry->name(),
                     "", LineOf(older[i]), ""});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Difference& a, const Difference& b) {
                     return a.kind != b.kind ? a.kind < b.kind : a.op < b.op;
                   });
  return found;
}

std::array<size_t, kNumDifferenceKinds> CountDifferences(
    const std::vector<Difference>& differences) {
  std::array<size_t, kNumDifferenceKinds> counts = {};
  for (const Difference& difference : differences) {
    ++counts[static_cast<size_t>(difference.kind)];
  }
  return counts;
}

}  // namespace opcompat
