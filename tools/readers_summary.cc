#include "tools/readers_summary.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "binding/report.h"
#include "nlohmann/json.hpp"
#include "tools/output.h"

namespace opcompat {
namespace {

using nlohmann::ordered_json;

constexpr size_t kReasonsInText = 20;

}  // namespace

void ReadersSummary::Add(const ModuleAnswer& answer) {
  ++modules_;
  if (answer.error_code != 0) {
    ++errors_;
    return;
  }
  // Of this module: the most calls that any version refuses for the reason.
  std::map<ReasonKey, uint64_t> calls;
  for (const VersionAnswer& version : answer.versions) {
    auto it = std::find_if(versions_.begin(), versions_.end(),
                           [&](const VersionCount& count) {
                             return count.history == version.history &&
                                    count.version == version.version;
                           });
    if (it == versions_.end()) {
      versions_.push_back({version.history, version.version, 0, 0});
      it = versions_.end() - 1;
    }
    ++(version.accepted ? it->accepted : it->refused);
    std::map<ReasonKey, uint64_t> calls_here;
    for (const Reason& reason : version.reasons) {
      calls_here[ReasonKey(std::string(ReasonCodeName(reason.code)), reason.op,
                           reason.argument)] += reason.calls;
    }
    for (const auto& item : calls_here) {
      uint64_t& most = calls[item.first];
      most = std::max(most, item.second);
    }
  }
  for (const auto& item : calls) {
    ReasonCount& count = reasons_[item.first];
    ++count.modules;
    count.calls += item.second;
  }
}

std::vector<std::pair<ReadersSummary::ReasonKey, ReadersSummary::ReasonCount>>
ReadersSummary::SortedReasons() const {
  std::vector<std::pair<ReasonKey, ReasonCount>> sorted(reasons_.begin(),
                                                        reasons_.end());
  // Equal ones by their keys.
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return std::tie(b.second.modules, b.second.calls, a.first) <
           std::tie(a.second.modules, a.second.calls, b.first);
  });
  return sorted;
}

ordered_json ReadersSummary::ToJson() const {
  ordered_json versions = ordered_json::array();
  for (const VersionCount& count : versions_) {
    versions.push_back({{"history", count.history},
                        {"version", count.version},
                        {"accepted", count.accepted},
                        {"refused", count.refused}});
  }
  ordered_json reasons = ordered_json::array();
  for (const auto& item : SortedReasons()) {
    ordered_json reason;
    reason["code"] = std::get<0>(item.first);
    if (!std::get<1>(item.first).empty()) {
      reason["operator"] = std::get<1>(item.first);
    }
    if (!std::get<2>(item.first).empty()) {
      reason["argument"] = std::get<2>(item.first);
    }
    reason["modules"] = item.second.modules;
    reason["calls"] = item.second.calls;
    reasons.push_back(std::move(reason));
  }
  ordered_json json;
  json["modules"] = modules_;
  json["errors"] = errors_;
  json["versions"] = std::move(versions);
  json["reasons"] = std::move(reasons);
  return json;
}

std::string ReadersSummary::ToText() const {
  std::string text =
      absl::StrCat(modules_, modules_ == 1 ? " module" : " modules");
  if (errors_ > 0) {
    absl::StrAppend(&text, ", ", errors_, " of them could not be judged");
  }
  absl::StrAppend(&text, "\n");
  for (const VersionCount& count : versions_) {
    absl::StrAppend(&text, "  ", count.history, " ", count.version, ": ",
                    count.accepted, " accepted, ", count.refused, " refused\n");
  }
  const auto reasons = SortedReasons();
  if (reasons.empty()) return text;
  absl::StrAppend(&text, "refused most:\n  modules  calls\n");
  const size_t shown = std::min(reasons.size(), kReasonsInText);
  for (size_t i = 0; i < shown; ++i) {
    const ReasonKey& key = reasons[i].first;
    absl::StrAppendFormat(&text, "  %7d  %5d  %s", reasons[i].second.modules,
                          reasons[i].second.calls, std::get<0>(key));
    if (!std::get<1>(key).empty()) {
      absl::StrAppend(&text, " ", OneLine(std::get<1>(key)));
    }
    if (!std::get<2>(key).empty()) {
      absl::StrAppend(&text, " ", OneLine(std::get<2>(key)));
    }
    absl::StrAppend(&text, "\n");
  }
  if (shown < reasons.size()) {
    absl::StrAppend(&text, "  and ", reasons.size() - shown,
                    " more (--format=json has all)\n");
  }
  return text;
}

}  // namespace opcompat
