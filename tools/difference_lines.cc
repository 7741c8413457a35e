#include "tools/difference_lines.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"
#include "schema/differences/operator_difference.h"
#include "schema/differences/opset_difference.h"
#include "tools/output.h"

namespace opcompat {
namespace {

constexpr char kRed[] = "\x1b[31m";
constexpr char kGreen[] = "\x1b[32m";
constexpr char kPlain[] = "\x1b[0m";

std::string Colored(absl::string_view text, const char* code, bool color) {
  const std::string line = OneLine(text);
  return color ? absl::StrCat(code, line, kPlain) : line;
}

// What stands for a part that there is not, where that has a word.
absl::string_view WordForNone(DifferenceKind kind) {
  return kind == DifferenceKind::kDefaultChanged ? "required" : "";
}

// Whose the difference is: `aten::slice.Tensor start: `. The schema line, or
// its argument, says by itself.
std::string Subject(const Difference& difference) {
  switch (difference.kind) {
    case DifferenceKind::kOperatorAdded:
    case DifferenceKind::kOperatorRemoved:
    case DifferenceKind::kOperatorRenamed:
      return "";
    case DifferenceKind::kArgumentAdded:
    case DifferenceKind::kArgumentRemoved:
    case DifferenceKind::kArgumentRenamed:
    case DifferenceKind::kMadeKeywordOnly:
    case DifferenceKind::kMadePositional:
    case DifferenceKind::kResultAdded:
    case DifferenceKind::kResultRemoved:
      return absl::StrCat(difference.op, ": ");
    default:
      return difference.argument.empty()
                 ? absl::StrCat(difference.op, ": ")
                 : absl::StrCat(difference.op, " ", difference.argument, ": ");
  }
}

}  // namespace

std::string BeforeAndAfter(const Difference& difference, bool color) {
  absl::string_view before = difference.before;
  absl::string_view after = difference.after;
  if (before.empty()) before = WordForNone(difference.kind);
  if (after.empty()) after = WordForNone(difference.kind);
  if (before.empty()) return Colored(absl::StrCat("+ ", after), kGreen, color);
  if (after.empty()) return Colored(absl::StrCat("- ", before), kRed, color);
  return absl::StrCat(Colored(before, kRed, color), " -> ",
                      Colored(after, kGreen, color));
}

std::string DifferencesText(const std::vector<Difference>& differences,
                            bool color) {
  const std::array<size_t, kNumDifferenceKinds> counts =
      CountDifferences(differences);
  std::string text;
  const Difference* last = nullptr;
  for (const Difference& difference : differences) {
    if (last == nullptr || last->kind != difference.kind) {
      absl::StrAppend(&text, DifferenceKindTitle(difference.kind), ": ",
                      counts[static_cast<size_t>(difference.kind)], "\n");
    }
    last = &difference;
    absl::StrAppend(&text, "  ", OneLine(Subject(difference)),
                    BeforeAndAfter(difference, color), "\n");
  }
  return text;
}

std::string DifferenceCountsText(const std::vector<Difference>& differences) {
  const std::array<size_t, kNumDifferenceKinds> counts =
      CountDifferences(differences);
  std::string text;
  for (int kind = 0; kind < kNumDifferenceKinds; ++kind) {
    if (counts[kind] == 0) continue;
    absl::StrAppend(&text,
                    DifferenceKindTitle(static_cast<DifferenceKind>(kind)),
                    ": ", counts[kind], "\n");
  }
  return text;
}

nlohmann::ordered_json DifferenceCountsToJson(
    const std::vector<Difference>& differences) {
  const std::array<size_t, kNumDifferenceKinds> counts =
      CountDifferences(differences);
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (int kind = 0; kind < kNumDifferenceKinds; ++kind) {
    if (counts[kind] == 0) continue;
    json[std::string(DifferenceKindId(static_cast<DifferenceKind>(kind)))] =
        counts[kind];
  }
  return json;
}

nlohmann::ordered_json DifferencesToJson(
    const std::vector<Difference>& differences) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Difference& difference : differences) {
    nlohmann::ordered_json one;
    one["kind"] = std::string(DifferenceKindId(difference.kind));
    one["operator"] = difference.op;
    if (!difference.argument.empty()) one["argument"] = difference.argument;
    if (!difference.before.empty()) one["before"] = difference.before;
    if (!difference.after.empty()) one["after"] = difference.after;
    json.push_back(std::move(one));
  }
  return json;
}

}  // namespace opcompat
