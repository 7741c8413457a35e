#include "tools/known_breaks.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "tools/output.h"

namespace opcompat {
namespace {

constexpr absl::string_view kNewFile =
    "# Breaks that are known and accepted: a finding of `opcompat check` a "
    "line,\n"
    "# and after it ` # ` and a reason. `opcompat check --update` rewrites "
    "them.\n";
constexpr absl::string_view kHeading =
    "# New: say why each is accepted, or declare what makes it safe.";

// What an entry says beside its message: OPERATOR OLDER->NEWER CATEGORY RULE.
struct BreakKey {
  std::string op;
  std::string older;
  std::string newer;
  std::string category;
  std::string rule;

  friend bool operator<(const BreakKey& a, const BreakKey& b) {
    return std::tie(a.op, a.older, a.newer, a.category, a.rule) <
           std::tie(b.op, b.older, b.newer, b.category, b.rule);
  }
};

bool IsCategory(absl::string_view word) {
  for (const FindingCategory category :
       {FindingCategory::kBackward, FindingCategory::kForward,
        FindingCategory::kSource}) {
    if (word == FindingCategoryName(category)) return true;
  }
  return false;
}

// Returns what was found instead if `entry` is no finding.
std::string ParseKey(absl::string_view entry, BreakKey* key) {
  const std::vector<std::string> words =
      absl::StrSplit(entry, absl::MaxSplits(' ', 4));
  if (words.size() < 5) return "too few words";
  const std::vector<std::string> pair =
      absl::StrSplit(words[1], absl::MaxSplits("->", 1));
  if (pair.size() != 2 || pair[0].empty() || pair[1].empty()) {
    return absl::StrCat("`", words[1], "` for OLDER->NEWER");
  }
  if (!IsCategory(words[2])) {
    return absl::StrCat("`", words[2], "` for backward, forward or source");
  }
  absl::string_view rule = words[3];
  if (!absl::ConsumeSuffix(&rule, ":") || rule.empty()) {
    return absl::StrCat("`", words[3], "` for RULE:");
  }
  *key = {words[0], pair[0], pair[1], words[2], std::string(rule)};
  return "";
}

BreakKey KeyOf(const Finding& finding) {
  return {finding.op, finding.older, finding.newer,
          FindingCategoryName(finding.category), finding.rule};
}

// A line of the file.
struct Line {
  absl::string_view text;  // as it is
  // Without spaces around it; empty: not an entry.
  absl::string_view entry;
  bool is_blank = false;
  enum class Verdict { kHolds, kOtherScope, kStale, kMalformed };
  Verdict verdict = Verdict::kHolds;  // of an entry
  std::string found;                  // if it is malformed
  std::string hint;                   // if it is stale
  std::string reason;
  BreakKey key;  // of a stale one
  // The finding that took the place of a stale one; -1: none.
  int successor = -1;
};

class Matcher {
 public:
  Matcher(absl::string_view text, const std::vector<Finding>& findings,
          const BreaksScope& scope)
      : findings_(findings), scope_(scope) {
    for (size_t i = 0; i < findings.size(); ++i) {
      if (findings[i].rule != kPublishedVersionChanged) {
        by_line_[FindingLine(findings[i])].push_back(i);
      }
    }
    known_.resize(findings.size(), 0);
    reasons_.resize(findings.size());
    std::vector<absl::string_view> texts = absl::StrSplit(text, '\n');
    if (texts.back().empty()) texts.pop_back();
    for (const absl::string_view line : texts) {
      lines_.emplace_back();
      lines_.back().text = absl::StripSuffix(line, "\r");
      Read(static_cast<int>(lines_.size()), &lines_.back());
    }
    FindSuccessors();
  }

  const std::vector<Line>& lines() const { return lines_; }
  int known(size_t finding) const { return known_[finding]; }
  const std::string& reason(size_t finding) const { return reasons_[finding]; }
  // Whether the finding is missing in the file.
  bool IsNew(size_t i) const {
    return known_[i] == 0 && findings_[i].rule != kPublishedVersionChanged &&
           InScope(findings_[i].newer,
                   FindingCategoryName(findings_[i].category));
  }

 private:
  bool InScope(absl::string_view newer, absl::string_view category) const {
    return scope_ == nullptr || scope_(newer, category);
  }

  void Read(int number, Line* line) {
    const absl::string_view entry = absl::StripAsciiWhitespace(line->text);
    line->is_blank = entry.empty();
    if (entry.empty() || entry[0] == '#') return;
    line->entry = entry;
    if (Hold(number, line)) return;
    line->found = ParseKey(entry, &line->key);
    if (!line->found.empty()) {
      line->verdict = Line::Verdict::kMalformed;
    } else if (!InScope(line->key.newer, line->key.category)) {
      line->verdict = Line::Verdict::kOtherScope;
    } else {
      line->verdict = Line::Verdict::kStale;
      if (line->key.rule == kPublishedVersionChanged) {
        line->hint = "such a finding cannot be known: it depends on --against";
      }
    }
  }

  // Looks for a finding that the entry is, with or without a reason. The
  // longest one counts: a message may have a `#`.
  bool Hold(int number, Line* line) {
    absl::string_view finding = line->entry;
    while (true) {
      const auto it = by_line_.find(
          std::string(absl::StripTrailingAsciiWhitespace(finding)));
      if (it != by_line_.end()) {
        absl::string_view reason = line->entry.substr(finding.size());
        absl::ConsumePrefix(&reason, " #");
        line->reason = std::string(absl::StripAsciiWhitespace(reason));
        const int first = known_[it->second[0]];
        if (first != 0) {
          line->verdict = Line::Verdict::kStale;
          line->hint = absl::StrCat("it is in line ", first, " already");
          return true;
        }
        for (const size_t i : it->second) {
          known_[i] = number;
          reasons_[i] = line->reason;
        }
        return true;
      }
      const size_t end = finding.rfind(" #");
      if (end == absl::string_view::npos) return false;
      finding = finding.substr(0, end);
    }
  }

  // A finding with another message than the one stale entry of its operator,
  // versions, category and rule.
  void FindSuccessors() {
    std::map<BreakKey, std::vector<size_t>> stale;
    for (size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].verdict == Line::Verdict::kStale &&
          lines_[i].hint.empty()) {
        stale[lines_[i].key].push_back(i);
      }
    }
    std::map<BreakKey, std::vector<size_t>> fresh;
    for (size_t i = 0; i < findings_.size(); ++i) {
      if (IsNew(i)) fresh[KeyOf(findings_[i])].push_back(i);
    }
    for (const auto& lines : stale) {
      const auto it = fresh.find(lines.first);
      if (it == fresh.end()) continue;
      if (lines.second.size() == 1 && it->second.size() == 1) {
        Line& line = lines_[lines.second[0]];
        line.successor = static_cast<int>(it->second[0]);
        line.hint = absl::StrCat("the message is now: ",
                                 findings_[it->second[0]].message);
        // What stands after the last ` #` may be the end of the old message,
        // but hardly is.
        const size_t reason = line.entry.rfind(" # ");
        if (reason != absl::string_view::npos) {
          line.reason = std::string(
              absl::StripAsciiWhitespace(line.entry.substr(reason + 3)));
        }
        continue;
      }
      for (const size_t i : lines.second) {
        lines_[i].hint = "the rule finds something else there now";
      }
    }
  }

  const std::vector<Finding>& findings_;
  const BreaksScope& scope_;
  std::map<std::string, std::vector<size_t>> by_line_;
  std::vector<int> known_;  // line of each finding, or 0
  std::vector<std::string> reasons_;
  std::vector<Line> lines_;
};

// Whether any entry of the paragraph that begins at `begin` stays; `end`
// receives where it ends. One without entries stays.
bool ParagraphStays(const std::vector<Line>& lines, size_t begin, size_t* end) {
  bool stays = false;
  bool has_entry = false;
  size_t i = begin;
  for (; i < lines.size() && !lines[i].is_blank; ++i) {
    if (lines[i].entry.empty()) continue;
    has_entry = true;
    stays = stays || lines[i].verdict != Line::Verdict::kStale ||
            lines[i].successor >= 0;
  }
  *end = i;
  return stays || !has_entry;
}

std::string WithReason(const std::string& finding, const std::string& reason) {
  return reason.empty() ? finding : absl::StrCat(finding, " # ", reason);
}

}  // namespace

std::string FindingLine(const Finding& finding) {
  const std::string line = OneLine(FindingText(finding));
  return std::string(absl::StripAsciiWhitespace(line));
}

KnownBreaks MatchKnownBreaks(absl::string_view text,
                             const std::vector<Finding>& findings,
                             const BreaksScope& scope) {
  const Matcher matcher(text, findings, scope);
  KnownBreaks breaks;
  for (size_t i = 0; i < findings.size(); ++i) {
    breaks.findings.push_back({matcher.known(i), matcher.reason(i)});
  }
  int number = 0;
  for (const Line& line : matcher.lines()) {
    ++number;
    if (line.entry.empty()) continue;
    if (line.verdict == Line::Verdict::kMalformed) {
      breaks.malformed.push_back(
          {number, static_cast<int>(line.entry.data() - line.text.data()) + 1,
           absl::StrCat("this is no finding: expected `OPERATOR OLDER->NEWER "
                        "CATEGORY RULE: MESSAGE`, found ",
                        line.found)});
    } else if (line.verdict == Line::Verdict::kStale) {
      breaks.stale.push_back({number, std::string(line.entry), line.hint});
    }
  }
  return breaks;
}

KnownBreaksUpdate UpdateKnownBreaks(absl::string_view text,
                                    const std::vector<Finding>& findings,
                                    const BreaksScope& scope) {
  const Matcher matcher(text, findings, scope);
  const std::vector<Line>& lines = matcher.lines();
  KnownBreaksUpdate update;
  std::vector<std::string> kept;
  std::vector<bool> is_placed(findings.size(), false);
  bool under_heading = false;  // the last paragraph has the heading
  for (size_t i = 0; i < lines.size();) {
    if (lines[i].is_blank) {
      kept.emplace_back(lines[i].text);
      ++i;
      continue;
    }
    size_t end = i;
    const bool stays = ParagraphStays(lines, i, &end);
    under_heading = stays ? false : under_heading;
    for (; i < end; ++i) {
      const Line& line = lines[i];
      if (line.entry.empty() || line.verdict != Line::Verdict::kStale) {
        if (!stays) continue;
        kept.emplace_back(line.text);
        under_heading = under_heading || line.text == kHeading;
        continue;
      }
      if (line.successor < 0) {
        update.dropped.emplace_back(line.entry);
        continue;
      }
      is_placed[line.successor] = true;
      kept.push_back(
          WithReason(FindingLine(findings[line.successor]), line.reason));
      update.changed.emplace_back(line.entry, kept.back());
    }
    // The blank lines after a paragraph that goes.
    while (!stays && i < lines.size() && lines[i].is_blank) ++i;
  }
  std::set<std::string> is_added;
  for (size_t i = 0; i < findings.size(); ++i) {
    if (!matcher.IsNew(i) || is_placed[i]) continue;
    const std::string line = FindingLine(findings[i]);
    if (is_added.insert(line).second) update.added.push_back(line);
  }
  if (update.added.empty() && update.dropped.empty() &&
      update.changed.empty()) {
    update.text = std::string(text);
    return update;
  }
  while (!kept.empty() && absl::StripAsciiWhitespace(kept.back()).empty()) {
    kept.pop_back();
  }
  if (!update.added.empty()) {
    if (kept.empty()) {
      kept = absl::StrSplit(kNewFile, '\n');
    } else if (!under_heading) {
      kept.insert(kept.end(), {"", std::string(kHeading)});
    }
    kept.insert(kept.end(), update.added.begin(), update.added.end());
  }
  for (const std::string& line : kept)
    absl::StrAppend(&update.text, line, "\n");
  return update;
}

}  // namespace opcompat
