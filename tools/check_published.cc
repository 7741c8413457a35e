#include "tools/check_published.h"

#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "tools/check_declarations.h"
#include "tools/known_breaks.h"

namespace opcompat {
namespace {

// A step graph's text as far as it says something.
std::string Substance(absl::string_view text) {
  std::string substance;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    line = absl::StripAsciiWhitespace(line);
    if (line.empty() || line[0] == '#') continue;
    absl::StrAppend(&substance, line, "\n");
  }
  return substance;
}

// One thing that a version says of one operator.
struct Statement {
  std::string what;  // for comparing
  std::string text;  // for people
  SourcePlace place;
};

using Statements =
    std::map<std::string, std::vector<Statement>>;  // by operator

Statements DeclarationsOf(const DeclaredVersion& version,
                          const HistoryState& state) {
  Statements statements;
  for (const DeclaredChange& change : version.changes) {
    const std::string what =
        DeclarationText(change, [&state](const std::string& path) {
          const absl::StatusOr<std::string> text = state.read_graph(path);
          return text.ok() ? Substance(*text) : path;
        });
    statements[change.op].push_back(
        {what, DeclarationText(change), change.place});
  }
  return statements;
}

std::map<std::string, Statement> SchemasOf(const DeclaredVersion& version) {
  std::map<std::string, Statement> schemas;
  for (size_t i = 0; i < version.schemas.size(); ++i) {
    SourcePlace place = version.place;
    if (i < version.schema_lines.size()) {
      place = {version.operators_file, version.schema_lines[i]};
    }
    const std::string text = version.schemas[i].ToString();
    schemas[version.schemas[i].full_name()] = {text, text, std::move(place)};
  }
  return schemas;
}

class Comparison {
 public:
  Comparison(const HistoryState& published, const HistoryState& now)
      : published_(published), now_(now) {}

  std::vector<Finding> Run() {
    const DeclaredHistory& then = *published_.declared;
    const DeclaredHistory& now = *now_.declared;
    if (then.name != now.name && !then.versions.empty()) {
      Add(then.versions[0].id, "", now.place,
          absl::StrCat("the history was published as `", then.name,
                       "` and is called `", now.name, "` now"));
    }
    for (size_t i = 0; i < now.versions.size(); ++i) {
      now_index_[now.versions[i].id] = i;
    }
    size_t latest = 0;  // after the published versions seen so far, in `now`
    for (size_t i = 0; i < then.versions.size(); ++i) {
      const DeclaredVersion& version = then.versions[i];
      const auto it = now_index_.find(version.id);
      if (it == now_index_.end()) {
        Add(version.id, "", now.place,
            absl::StrCat("the published version ", version.id, " is gone"));
        continue;
      }
      const DeclaredVersion& successor = now.versions[it->second];
      if (it->second < latest) {
        Add(version.id, "", successor.place,
            absl::StrCat("the published version ", version.id,
                         " stands before version ", now.versions[latest - 1].id,
                         " now"));
      } else {
        AddInserted(latest, it->second);
        latest = it->second + 1;
      }
      CompareVersion(version, successor);
    }
    return std::move(findings_);
  }

 private:
  bool IsPublished(const std::string& id) const {
    for (const DeclaredVersion& version : published_.declared->versions) {
      if (version.id == id) return true;
    }
    return false;
  }

  // Versions [begin, end) of `now` stand before the published version `end`.
  void AddInserted(size_t begin, size_t end) {
    const std::vector<DeclaredVersion>& versions = now_.declared->versions;
    for (size_t i = begin; i < end; ++i) {
      if (IsPublished(versions[i].id)) continue;  // out of order: told there
      Add(versions[i].id, "", versions[i].place,
          absl::StrCat("the new version ", versions[i].id,
                       " stands before the published version ",
                       versions[end].id));
    }
  }

  void CompareVersion(const DeclaredVersion& then, const DeclaredVersion& now) {
    const std::string gap_then = then.gap ? GapText(*then.gap) : "none";
    const std::string gap_now = now.gap ? GapText(*now.gap) : "none";
    if (gap_then != gap_now) {
      Add(now.id, "", now.place,
          absl::StrCat("its gap was `", gap_then,
                       "` when it was published, and is `", gap_now, "` now"));
    }
    CompareSchemas(then, now);
    CompareDeclarations(then, now);
  }

  void CompareSchemas(const DeclaredVersion& then, const DeclaredVersion& now) {
    const std::map<std::string, Statement> old_schemas = SchemasOf(then);
    const std::map<std::string, Statement> schemas = SchemasOf(now);
    for (const auto& old : old_schemas) {
      const auto it = schemas.find(old.first);
      if (it == schemas.end()) {
        Add(now.id, old.first, {now.operators_file, 1},
            "it had the operator when it was published, and lacks it now");
      } else if (it->second.what != old.second.what) {
        Add(now.id, old.first, it->second.place,
            absl::StrCat("the schema was `", old.second.text,
                         "` when it was published, and is `", it->second.text,
                         "` now"));
      }
    }
    for (const auto& schema : schemas) {
      if (old_schemas.count(schema.first) != 0) continue;
      Add(now.id, schema.first, schema.second.place,
          "it lacked the operator when it was published, and has it now");
    }
  }

  void CompareDeclarations(const DeclaredVersion& then,
                           const DeclaredVersion& now) {
    Statements old_changes = DeclarationsOf(then, published_);
    Statements changes = DeclarationsOf(now, now_);
    // What both have says nothing.
    for (auto& of_operator : changes) {
      const auto old = old_changes.find(of_operator.first);
      if (old == old_changes.end()) continue;
      std::vector<Statement> rest;
      for (Statement& statement : of_operator.second) {
        size_t i = 0;
        while (i < old->second.size() &&
               old->second[i].what != statement.what) {
          ++i;
        }
        if (i == old->second.size()) {
          rest.push_back(std::move(statement));
        } else {
          old->second.erase(old->second.begin() + static_cast<ptrdiff_t>(i));
        }
      }
      of_operator.second = std::move(rest);
    }
    for (const auto& of_operator : old_changes) {
      for (const Statement& old : of_operator.second) {
        const bool graph = HasText(changes, of_operator.first, old.text);
        Add(now.id, of_operator.first, now.place,
            absl::StrCat("it declared `", old.text, "` ",
                         graph ? "with another step graph " : "",
                         "when it was published",
                         graph ? "" : ", and does not now"));
      }
    }
    for (const auto& of_operator : changes) {
      for (const Statement& statement : of_operator.second) {
        // The same text with another graph was told above.
        if (HasText(old_changes, of_operator.first, statement.text)) continue;
        Add(now.id, of_operator.first, statement.place,
            absl::StrCat("it declares `", statement.text,
                         "` now, and did not when it was published"));
      }
    }
  }

  static bool HasText(const Statements& statements, const std::string& op,
                      const std::string& text) {
    const auto it = statements.find(op);
    if (it == statements.end()) return false;
    for (const Statement& statement : it->second) {
      if (statement.text == text) return true;
    }
    return false;
  }

  void Add(const std::string& version, const std::string& op,
           const SourcePlace& place, const std::string& message) {
    Finding finding;
    finding.rule = std::string(kPublishedVersionChanged);
    finding.category = FindingCategory::kSource;
    finding.history = now_.declared->name;
    finding.older = version;
    finding.newer = version;
    finding.op = op;
    finding.message = message;
    finding.remedy =
        "Put it back: programs and files of that version are out. A change "
        "belongs into a new version after all published ones.";
    finding.place = place;
    findings_.push_back(std::move(finding));
  }

  const HistoryState& published_;
  const HistoryState& now_;
  std::map<std::string, size_t> now_index_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> ComparePublished(const HistoryState& published,
                                      const HistoryState& now) {
  return Comparison(published, now).Run();
}

}  // namespace opcompat
