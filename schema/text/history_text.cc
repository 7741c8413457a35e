#include "schema/text/history_text.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace opcompat {
namespace {

std::string OriginText(const Origin& origin) {
  if (origin.is_base()) return "base";
  if (origin.after.empty()) return origin.first;
  return absl::StrCat("(", origin.after, ", ", origin.first, "]");
}

std::string ValueText(const TypedValue& value) {
  return absl::StrCat(value.value.ToString(), " : ", value.type.ToString());
}

// Marks with `Tensor` in the place of whatever bears them.
std::string MarksText(const AliasAnnotations& marks) {
  Type type(TypeKind::kTensor);
  const uint32_t depth = marks.empty() ? 0 : marks.back().place;
  for (uint32_t i = 0; i < depth; ++i) type = Type::Optional(type);
  return TypeToString(type, marks);
}

std::string NamesText(const std::vector<std::string>& names) {
  std::string text = names[0];
  if (names.size() > 1) {
    absl::StrAppend(&text, " (was ",
                    absl::StrJoin(names.begin() + 1, names.end(), ", "), ")");
  }
  return text;
}

std::string Describe(const EntryArgument& argument) {
  std::string text = absl::StrCat("  ", NamesText(argument.names), " from ",
                                  OriginText(argument.origin));
  if (argument.neutral.has_value()) {
    absl::StrAppend(&text, ", neutral ", ValueText(*argument.neutral));
  }
  if (!argument.is_exposed()) {
    absl::StrAppend(
        &text, ", retired ",
        argument.retired.has_value() ? ValueText(*argument.retired) : "none");
  }
  if (argument.ignorable) absl::StrAppend(&text, ", ignorable");
  for (const EqualValues& equal : argument.equal_values) {
    absl::StrAppend(&text, ", ", ValueText(equal.value), " means ",
                    ValueText(equal.means));
  }
  return absl::StrCat(text, "\n");
}

}  // namespace

std::map<std::string, std::string> HistoryFiles(
    const std::vector<VersionText>& versions) {
  std::map<std::string, std::string> files;
  std::string history = "name: \"t\" aliases: \"tt\"\n";
  for (size_t i = 0; i < versions.size(); ++i) {
    const VersionText& version = versions[i];
    const std::string number = absl::StrCat(i + 1);
    const std::string id = version.id.empty() ? number : version.id;
    absl::StrAppend(&history, "versions { id: \"", id, "\" operators: \"",
                    number, ".ops\"\n", version.declarations);
    if (!version.declarations.empty() &&
        !absl::EndsWith(version.declarations, "\n")) {
      history += '\n';
    }
    history += "}\n";
    files[absl::StrCat("h/", number, ".ops")] =
        absl::StrCat("opset t ", id, "\n", version.schemas, "\n");
  }
  files["h/history.textproto"] = history;
  return files;
}

LoadedHistory LoadFromFiles(const std::map<std::string, std::string>& files) {
  return ReadHistory(
      "h", [&files](const std::string& path) -> absl::StatusOr<std::string> {
        const auto found = files.find(path);
        if (found != files.end()) return found->second;
        return absl::NotFoundError(absl::StrCat("no file ", path));
      });
}

LoadedHistory LoadFromText(const std::vector<VersionText>& versions) {
  return LoadFromFiles(HistoryFiles(versions));
}

std::vector<std::string> FaultStrings(const LoadedHistory& loaded) {
  std::vector<std::string> faults;
  for (const HistoryFault& fault : loaded.faults) {
    faults.push_back(fault.ToString());
  }
  return faults;
}

std::string Describe(const OperatorEntry& entry) {
  std::string text = entry.ToString();
  if (entry.names.size() > 1) {
    absl::StrAppend(
        &text, " was ",
        absl::StrJoin(entry.names.begin() + 1, entry.names.end(), ", "));
  }
  absl::StrAppend(&text, " from ", OriginText(entry.origin));
  if (entry.revision > 1) {
    absl::StrAppend(&text, " revision ", entry.revision, " from ",
                    OriginText(entry.revision_origin));
  }
  for (const CoveredMarks& covered : entry.covered_marks) {
    std::vector<std::string> marks;
    for (const CoveredMarks::OfArgument& a : covered.arguments) {
      marks.push_back(absl::StrCat(MarksText(a.alias), " ", a.name));
    }
    std::vector<std::string> results;
    for (const AliasAnnotations& alias : covered.results) {
      results.push_back(MarksText(alias));
    }
    absl::StrAppend(&text, " covers (", absl::StrJoin(marks, ", "), ") -> ",
                    absl::StrJoin(results, ", "));
  }
  text += '\n';
  for (const EntryArgument& argument : entry.arguments) {
    text += Describe(argument);
  }
  return text;
}

std::string DescribeVersion(const OpsetHistory& history,
                            const std::string& version) {
  const absl::StatusOr<Opset> opset = history.At(version);
  if (!opset.ok()) return "absent";
  std::string text;
  for (const OperatorInfoPtr& info : opset->operators()) {
    if (info->fault.empty()) {
      text += Describe(*info->current());
    } else {
      absl::StrAppend(&text, info->current()->name(), " fault: ", info->fault,
                      "\n");
    }
  }
  return text;
}

}  // namespace opcompat
