#include "check/finding_places.h"

#include <cstddef>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/variant.h"

namespace opcompat {
namespace {

bool IsAbout(const DeclaredChange& change, const Finding& finding) {
  if (change.op != finding.op) return false;
  if (finding.rule == "operator-renamed") {
    return absl::holds_alternative<DeclaredChange::OperatorRenamed>(
        change.what);
  }
  if (finding.rule == "argument-renamed") {
    const auto* rename = absl::get_if<DeclaredRename>(&change.what);
    return rename != nullptr && rename->to == finding.argument;
  }
  if (finding.rule == "operator-removed") {
    return absl::holds_alternative<DeclaredChange::Removed>(change.what);
  }
  return (absl::StartsWith(finding.rule, "revision-") ||
          finding.rule == "step-refuses" || finding.rule == "undecided") &&
         absl::holds_alternative<DeclaredSemanticChange>(change.what);
}

}  // namespace

FindingPlaces::FindingPlaces(const DeclaredHistory* declared)
    : declared_(declared) {
  if (declared == nullptr) return;
  for (const DeclaredVersion& version : declared->versions) {
    absl::flat_hash_map<std::string, int>& lines = lines_[version.id];
    for (size_t i = 0;
         i < version.schemas.size() && i < version.schema_lines.size(); ++i) {
      lines.emplace(version.schemas[i].full_name(), version.schema_lines[i]);
    }
  }
}

SourcePlace FindingPlaces::Find(const Finding& finding) {
  if (declared_ == nullptr) return {};
  // A step graph: known by its path in the history.
  const std::string& graph = finding.place.file;
  if (!graph.empty()) {
    if (absl::StartsWith(graph, "/")) return {graph, 1};
    const std::string& history = declared_->place.file;
    return {absl::StrCat(history.substr(0, history.rfind('/') + 1), graph), 1};
  }
  for (const DeclaredVersion& version : declared_->versions) {
    if (version.id != finding.newer) continue;
    for (const DeclaredChange& change : version.changes) {
      if (IsAbout(change, finding)) return change.place;
    }
    const absl::flat_hash_map<std::string, int>& lines = lines_[version.id];
    const auto line = lines.find(finding.op);
    if (line == lines.end()) return version.place;
    return {version.operators_file, line->second};
  }
  return {};
}

}  // namespace opcompat
