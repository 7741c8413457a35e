#include "tools/expected_refusals.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "compat_matrix/simulation/simulated_case.h"
#include "tools/output.h"
#include "tools/refusal_lines.h"

namespace opcompat {
namespace {

constexpr absl::string_view kSeparator = " # ";
constexpr absl::string_view kNewFile =
    "# Refusals that are meant to be: `MODULE HISTORY WRITER->READER # "
    "MESSAGE`, with\n"
    "# a `!` behind READER for files written for it. `opcompat matrix --expect "
    "--update`\n"
    "# rewrites them.\n";

// What a line says of a cell that is refused without a reason.
constexpr absl::string_view kNoReason = "(no reason given)";

std::vector<std::string> MessagesOf(const CellOutcome& outcome) {
  std::vector<std::string> messages;
  for (const Reason& reason : outcome.reasons) {
    std::string message(absl::StripAsciiWhitespace(OneLine(reason.message)));
    if (message.empty()) message = std::string(kNoReason);
    if (std::find(messages.begin(), messages.end(), message) ==
        messages.end()) {
      messages.push_back(std::move(message));
    }
  }
  if (messages.empty()) messages.emplace_back(kNoReason);
  return messages;
}

bool IsRefused(const Cell& cell) {
  return !cell.accepted && (cell.state == CellState::kRefused ||
                            cell.state == CellState::kUnexpected);
}

}  // namespace

absl::string_view RefusalFindingName(RefusalFinding::Kind kind) {
  switch (kind) {
    case RefusalFinding::Kind::kNew:
      return "new";
    case RefusalFinding::Kind::kPasses:
      return "passes";
    case RefusalFinding::Kind::kChanged:
      return "changed";
    case RefusalFinding::Kind::kStale:
      return "stale";
  }
  return "new";
}

absl::StatusOr<std::unique_ptr<ExpectedRefusals>> ExpectedRefusals::Parse(
    std::string path, absl::string_view text) {
  std::unique_ptr<ExpectedRefusals> file(new ExpectedRefusals(std::move(path)));
  std::vector<std::string> errors;
  std::map<std::pair<std::string, std::string>, int> seen;
  std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
  if (lines.back().empty()) lines.pop_back();
  std::string comments;
  for (size_t i = 0; i < lines.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    const absl::string_view stripped = absl::StripAsciiWhitespace(lines[i]);
    if (stripped.empty() || stripped[0] == '#') {
      absl::StrAppend(&comments, absl::StripSuffix(lines[i], "\r"), "\n");
      continue;
    }
    const auto error = [&](absl::string_view message) {
      errors.push_back(absl::StrCat(file->path_, ":", number, ": ", message));
    };
    const size_t separator = stripped.find(kSeparator, QuotedLength(stripped));
    if (separator == absl::string_view::npos) {
      error(
          "expected `MODULE HISTORY WRITER->READER # MESSAGE`, found no "
          "` # `");
      continue;
    }
    absl::StatusOr<RefusalPattern> pattern =
        RefusalPattern::Parse(stripped.substr(0, separator));
    if (!pattern.ok()) {
      error(pattern.status().message());
      continue;
    }
    Line line;
    line.number = number;
    line.comments = std::move(comments);
    comments.clear();
    line.text = std::string(stripped);
    line.message = std::string(absl::StripAsciiWhitespace(
        stripped.substr(separator + kSeparator.size())));
    const auto [place, is_new] =
        seen.try_emplace({pattern->ToString(), line.message}, number);
    if (!is_new) {
      error(absl::StrCat("this is in line ", place->second, " already"));
    }
    line.pattern = *std::move(pattern);
    file->lines_.push_back(std::move(line));
  }
  file->tail_ = std::move(comments);
  if (!errors.empty()) {
    return absl::InvalidArgumentError(absl::StrJoin(errors, "\n"));
  }
  return file;
}

std::vector<ExpectedRefusals::Candidate> ExpectedRefusals::CandidatesFor(
    const ModuleCells& module) const {
  std::vector<Candidate> candidates;
  for (size_t i = 0; i < lines_.size(); ++i) {
    const RefusalPattern& pattern = lines_[i].pattern;
    if (!pattern.MatchesModule(module.module, module.history->name)) continue;
    Candidate candidate;
    candidate.line = static_cast<uint32_t>(i);
    for (const std::string& version : module.history->versions) {
      candidate.writers.push_back(pattern.MatchesWriter(version));
      candidate.readers.push_back(pattern.MatchesReader(version));
    }
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

absl::Status ExpectedRefusals::Add(const ModuleCells& module) {
  if (module.history->group == simulation::kSimulatedGroup)
    return absl::OkStatus();
  const std::vector<Candidate> candidates = CandidatesFor(module);
  Module kept;
  kept.history = module.history;
  kept.path = module.module;
  for (const Cell& cell : module.cells) {
    if (cell.testee != 0 || cell.author != 0) continue;
    std::vector<uint32_t> about;
    for (const Candidate& candidate : candidates) {
      if (candidate.writers[cell.writer] && candidate.readers[cell.reader] &&
          lines_[candidate.line].pattern.for_target == cell.for_target) {
        about.push_back(candidate.line);
      }
    }
    kept.cells.push_back({cell.writer, cell.reader, cell.for_target});
    if (IsRefused(cell)) {
      AddRefused(module, cell, about, &kept);
      continue;
    }
    for (const uint32_t i : about) {
      Line& line = lines_[i];
      if (!cell.accepted) {
        ++line.unknown;
      } else if (line.passed++ == 0) {
        line.passed_cell = CellName(module, cell);
      }
    }
  }
  if (!kept.refused.empty()) modules_.push_back(std::move(kept));
  return absl::OkStatus();
}

void ExpectedRefusals::AddRefused(const ModuleCells& module, const Cell& cell,
                                  const std::vector<uint32_t>& about,
                                  Module* kept) {
  std::vector<Refused> refused;
  std::vector<std::string> not_covered;
  for (const std::string& message : MessagesOf(module.outcome(cell))) {
    auto place =
        std::find(kept->messages.begin(), kept->messages.end(), message);
    if (place == kept->messages.end()) {
      place = kept->messages.insert(kept->messages.end(), message);
    }
    Refused one;
    one.writer = cell.writer;
    one.reader = cell.reader;
    one.for_target = cell.for_target;
    one.message = static_cast<uint32_t>(place - kept->messages.begin());
    for (const uint32_t i : about) {
      if (lines_[i].message == message) one.lines.push_back(i);
    }
    if (one.lines.empty()) not_covered.push_back(message);
    refused.push_back(std::move(one));
  }
  for (const uint32_t i : about) {
    Line& line = lines_[i];
    const bool holds =
        std::any_of(refused.begin(), refused.end(), [&](const Refused& one) {
          return std::find(one.lines.begin(), one.lines.end(), i) !=
                 one.lines.end();
        });
    if (holds) {
      ++line.held;
      continue;
    }
    const std::string now = absl::StrJoin(
        not_covered.empty() ? MessagesOf(module.outcome(cell)) : not_covered,
        "; ");
    if (line.changed++ == 0) {
      line.changed_cell = CellName(module, cell);
      line.changed_to = now;
    }
    line.changed_alike =
        line.changed_alike && not_covered.size() == 1 && line.changed_to == now;
    for (Refused& one : refused) {
      if (!one.lines.empty()) continue;
      one.is_change = true;
      one.successors.push_back(i);
    }
  }
  for (Refused& one : refused) kept->refused.push_back(std::move(one));
}

bool ExpectedRefusals::Fails(const Line& line, const StaleScope& scope) {
  if (!line.has_cells()) return scope == nullptr || scope(line.pattern);
  return line.passed > 0 || line.changed > 0;
}

std::vector<RefusalFinding> ExpectedRefusals::Findings(
    const StaleScope& scope) const {
  using Kind = RefusalFinding::Kind;
  std::vector<RefusalFinding> findings;
  for (const Line& line : lines_) {
    if (!Fails(line, scope)) continue;
    if (!line.has_cells()) {
      findings.push_back({Kind::kStale, line.number, line.pattern.ToString(), 0,
                          line.message, ""});
    }
    if (line.passed > 0) {
      findings.push_back({Kind::kPasses, line.number, line.passed_cell,
                          line.passed, line.message, ""});
    }
    if (line.changed > 0) {
      findings.push_back({Kind::kChanged, line.number, line.changed_cell,
                          line.changed, line.message, line.changed_to});
    }
  }
  for (const Module& module : modules_) {
    // By whether for a target, and message.
    std::map<std::pair<bool, uint32_t>, size_t> places;
    for (const Refused& one : module.refused) {
      if (!one.lines.empty() || one.is_change) continue;
      const auto [place, is_new] = places.emplace(
          std::make_pair(one.for_target, one.message), findings.size());
      if (is_new) {
        findings.push_back(
            {Kind::kNew, 0,
             absl::StrCat(ModulePattern(module.path), " ", module.history->name,
                          " ", module.history->versions[one.writer], "->",
                          module.history->versions[one.reader],
                          one.for_target ? "!" : ""),
             0, "", module.messages[one.message]});
      }
      ++findings[place->second].cells;
    }
  }
  return findings;
}

std::string ExpectedRefusals::Text(const RefusalFinding& finding) const {
  const std::string place =
      finding.line > 0 ? absl::StrCat(path_, ":", finding.line) : path_;
  const std::string more =
      finding.cells > 1 ? absl::StrCat(" (and ", finding.cells - 1, " more)")
                        : "";
  switch (finding.kind) {
    case RefusalFinding::Kind::kNew:
      return absl::StrCat(
          place, ": new: no line expects this refusal: ", OneLine(finding.cell),
          more, kSeparator, finding.found);
    case RefusalFinding::Kind::kPasses:
      return absl::StrCat(
          place, ": passes: accepted, not refused: ", OneLine(finding.cell),
          more, kSeparator, finding.expected);
    case RefusalFinding::Kind::kChanged:
      return absl::StrCat(place, ": changed: ", OneLine(finding.cell), more,
                          "\n  expected: ", finding.expected,
                          "\n  found:    ", finding.found);
    case RefusalFinding::Kind::kStale:
      return absl::StrCat(place,
                          ": stale: no cell is meant: ", OneLine(finding.cell),
                          kSeparator, finding.expected);
  }
  return place;
}

ExpectedRefusals::Update ExpectedRefusals::Updated(
    const StaleScope& scope) const {
  Update update;
  std::vector<bool> stays(lines_.size());
  std::vector<bool> has_successor(lines_.size());
  for (size_t i = 0; i < lines_.size(); ++i) {
    const Line& line = lines_[i];
    stays[i] = !Fails(line, scope);
    has_successor[i] = !stays[i] && line.has_successor();
    if (stays[i]) {
      absl::StrAppend(&update.text, line.comments, line.text, "\n");
      ++update.kept;
    } else if (has_successor[i]) {
      absl::StrAppend(&update.text, line.comments, line.pattern.ToString(),
                      kSeparator, line.changed_to, "\n");
      ++update.dropped;
      ++update.added;
    } else {
      // What stands at the top is about the file.
      if (i == 0) update.text = line.comments;
      ++update.dropped;
    }
  }
  absl::StrAppend(&update.text, tail_);

  std::string added;
  for (const Module& module : modules_) {
    const size_t n = module.history->versions.size();
    const VersionGrid empty(n, std::vector<bool>(n));
    VersionGrid existing[2] = {empty, empty};
    for (const Place& cell : module.cells) {
      existing[cell.for_target][cell.writer][cell.reader] = true;
    }
    std::map<std::pair<bool, uint32_t>, VersionGrid> wanted;
    for (const Refused& one : module.refused) {
      const auto is_in = [](const std::vector<bool>& set) {
        return [&set](uint32_t line) { return set[line]; };
      };
      if (std::any_of(one.lines.begin(), one.lines.end(), is_in(stays)) ||
          std::any_of(one.successors.begin(), one.successors.end(),
                      is_in(has_successor))) {
        continue;
      }
      wanted.try_emplace({one.for_target, one.message}, empty)
          .first->second[one.writer][one.reader] = true;
    }
    for (const auto& [key, grid] : wanted) {
      for (const std::string& way :
           WaysOf(grid, existing[key.first], module.history->versions)) {
        absl::StrAppend(&added, ModulePattern(module.path), " ",
                        module.history->name, " ", way, key.first ? "!" : "",
                        kSeparator, module.messages[key.second], "\n");
        ++update.added;
      }
    }
  }
  if (!added.empty()) {
    if (update.text.empty()) update.text = std::string(kNewFile);
    absl::StrAppend(&update.text, added);
  }
  return update;
}

}  // namespace opcompat
