#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/variant.h"
#include "schema/evolution/advance.h"

namespace opcompat {
namespace evolution_internal {

namespace {

// `_0`, `_1`: what stands for an argument without a name.
bool IsPlaceholder(absl::string_view name) {
  return name.size() > 1 && name[0] == '_' &&
         std::all_of(name.begin() + 1, name.end(), absl::ascii_isdigit);
}

}  // namespace

// Reads the declared renames of arguments. Returns whether they say clearly
// which argument is which.
bool Advance::ReadRenames(
    absl::flat_hash_map<std::string, size_t>* by_new_name) {
  bool clear = true;
  absl::flat_hash_map<size_t, std::string> taken;
  for (const DeclaredChange* change : change_.declared) {
    const auto* rename = absl::get_if<DeclaredRename>(&change->what);
    if (rename == nullptr) continue;
    const auto fault = [&](const std::string& message) {
      faults_.Add(change->place, absl::StrCat("argument `", rename->from,
                                              "` cannot be renamed to `",
                                              rename->to, "`: ", message));
      clear = false;
    };
    const auto found = track_.argument_by_name.find(rename->from);
    if (found == track_.argument_by_name.end() ||
        argument(found->second).entry.name() != rename->from) {
      fault(absl::StrCat("the version before has no argument `", rename->from,
                         "`"));
      continue;
    }
    const size_t id = found->second;
    if (!argument(id).entry.is_exposed()) {
      fault("it is retired; only its own name brings it back");
      continue;
    }
    if (schema_.FindArgument(rename->from).has_value()) {
      fault("this version still has an argument of the old name");
      continue;
    }
    if (!schema_.FindArgument(rename->to).has_value()) {
      fault("this version has no argument of the new name");
      continue;
    }
    const auto reserved = track_.argument_by_name.find(rename->to);
    if (reserved != track_.argument_by_name.end() && reserved->second != id) {
      fault(
          "another argument has or had the new name, and names stay reserved");
      continue;
    }
    if (!taken.emplace(id, rename->to).second) {
      fault(absl::StrCat("it is already renamed to `", taken[id], "`"));
      continue;
    }
    if (!by_new_name->emplace(rename->to, id).second) {
      fault("another argument is renamed to that");
    }
  }
  return clear;
}

// Finds which argument is which. Returns whether that is clear.
bool Advance::MatchArguments() {
  absl::flat_hash_map<std::string, size_t> renamed;
  if (!ReadRenames(&renamed)) return false;
  bool clear = true;
  const bool founding = track_.revisions.empty();
  news_.assign(track_.arguments.size(), News::kStaysRetired);
  for (size_t id : track_.exposed) news_[id] = News::kRemoved;
  std::vector<size_t> exposed;
  exposed.reserve(schema_.arguments().size());
  for (const Argument& a : schema_.arguments()) {
    const auto rename = renamed.find(a.name);
    if (rename != renamed.end()) {
      PutNameFirst(a.name, &argument(rename->second).entry.names);
      track_.argument_by_name[a.name] = rename->second;
      news_[rename->second] = News::kStays;
      exposed.push_back(rename->second);
      continue;
    }
    const auto found = track_.argument_by_name.find(a.name);
    if (found != track_.argument_by_name.end()) {
      const size_t id = found->second;
      if (argument(id).entry.name() != a.name) {
        faults_.Add(change_.schema_place,
                    absl::StrCat("argument `", a.name,
                                 "` takes an earlier name of argument `",
                                 argument(id).entry.name(),
                                 "`; names stay reserved (is a "
                                 "renamed_argument missing?)"));
        clear = false;
        continue;
      }
      news_[id] =
          argument(id).entry.is_exposed() ? News::kStays : News::kReturns;
      exposed.push_back(id);
      continue;
    }
    const size_t id = track_.arguments.size();
    track_.argument_by_name.emplace(a.name, id);
    track_.arguments.emplace_back();
    argument(id).entry.names = {a.name};
    argument(id).entry.origin = founding ? track_.origin : version_.origin;
    news_.push_back(founding ? News::kFounding : News::kAdded);
    exposed.push_back(id);
  }
  if (!clear) return false;
  // Retired ones keep their order; those removed now follow in schema order.
  std::vector<size_t> retired;
  for (size_t id : track_.retired) {
    if (news_[id] == News::kStaysRetired) retired.push_back(id);
  }
  for (size_t id : track_.exposed) {
    if (news_[id] == News::kRemoved) retired.push_back(id);
  }
  track_.exposed = std::move(exposed);
  track_.retired = std::move(retired);
  return true;
}

void Advance::UpdateArguments() {
  declared_.resize(track_.arguments.size());
  types_before_.resize(track_.arguments.size());
  if (semantic_change_ != nullptr) {
    track_.results_shrunk = false;
    for (TrackedArgument& a : track_.arguments) {
      a.types.Clear();
      a.entry.ignorable = false;
      a.entry.equal_values.clear();
    }
  }
  for (size_t i = 0; i < track_.exposed.size(); ++i) {
    UpdateArgument(i, track_.exposed[i]);
  }
  for (size_t id : track_.retired)
    argument(id).entry.state = ArgumentState::kRetired;
}

void Advance::UpdateArgument(size_t position, size_t id) {
  const Argument& now = schema_.arguments()[position];
  TrackedArgument& tracked = argument(id);
  EntryArgument& entry = tracked.entry;
  const News news = news_[id];
  const bool known = news == News::kStays || news == News::kReturns;
  if (known && IsPlaceholder(now.name) && position != tracked.position) {
    faults_.Add(
        change_.schema_place,
        absl::StrCat("argument `", now.name, "` moved from place ",
                     tracked.position + 1, " to place ", position + 1,
                     "; such names stand for places, so it is open which "
                     "argument it is (give the arguments names)"));
  }
  if (news == News::kStays) {
    marks_.Compare(entry.type, entry.alias, now.type, now.alias);
  }
  types_before_[id] = tracked.types.types().size();
  const absl::Status status = tracked.types.Add(now.type);
  if (!status.ok()) {
    faults_.Add(change_.schema_place,
                absl::StrCat("argument `", now.name, "`: ", status.message(),
                             "; a change of meaning needs a semantic_change"));
    tracked.types.Clear();
    // Cannot fail: the first one.
    (void)tracked.types.Add(now.type);
    types_before_[id] = 0;
  }
  tracked.position = position;
  entry.state = ArgumentState::kExposed;
  entry.type = now.type;
  entry.alias = now.alias;
  entry.keyword_only = now.keyword_only;
  entry.default_value = now.default_value;
  entry.retired.reset();
}

}  // namespace evolution_internal
}  // namespace opcompat
