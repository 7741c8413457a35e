#include "tools/edits_text.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"
#include "tools/output.h"
#include "tools/reader_edit.h"
#include "tools/reader_edits.h"

namespace opcompat {
namespace {

using nlohmann::ordered_json;

constexpr size_t kColumns = 80;

// Appends `text` in lines, the first indented by `indent`, others by four more.
void AppendWrapped(size_t indent, absl::string_view text, std::string* out) {
  std::string line(indent, ' ');
  bool is_begun = false;
  for (const absl::string_view word : absl::StrSplit(text, ' ')) {
    if (is_begun && line.size() + 1 + word.size() > kColumns) {
      absl::StrAppend(out, line, "\n");
      line.assign(indent + 4, ' ');
      is_begun = false;
    }
    absl::StrAppend(&line, is_begun ? " " : "", word);
    is_begun = true;
  }
  absl::StrAppend(out, line, "\n");
}

std::string LineOf(const ReaderEdit& edit) {
  return OneLine(absl::StrCat(
      edit.op, ": ", edit.what, " (", edit.calls,
      edit.calls == 1 ? " call, at " : " calls, first at ", edit.function, ":",
      edit.node, edit.location.empty() ? "" : ", ", edit.location, ")"));
}

// Appends those edits that are checked (or not) under a heading.
void AppendEdits(const ReaderAdvice& advice, bool checked,
                 absl::string_view heading, std::string* out) {
  bool is_first = true;
  for (const ReaderEdit& edit : advice.edits) {
    if (edit.is_checked != checked) continue;
    if (is_first) AppendWrapped(4, heading, out);
    is_first = false;
    AppendWrapped(6, LineOf(edit), out);
  }
}

}  // namespace

std::string AdviceText(const ReaderAdvice& advice, absl::string_view target) {
  std::string text;
  if (advice.can_be_target) {
    AppendWrapped(4,
                  absl::StrCat("readable when written for it: "
                               "opcompat convert --target=",
                               target),
                  &text);
  }
  size_t checked = 0;
  for (const ReaderEdit& edit : advice.edits) checked += edit.is_checked;
  const bool is_one = checked == 1;
  const std::string these =
      is_one ? "this edit" : absl::StrCat("these ", checked, " edits");
  AppendEdits(advice, true,
              advice.edits_suffice
                  ? absl::StrCat(these, is_one ? " makes" : " make",
                                 " it readable:")
                  : absl::StrCat(these, is_one ? " helps:" : " help:"),
              &text);
  AppendEdits(advice, false,
              checked == 0 ? "what would have to change:"
                           : "what else would have to change:",
              &text);
  return text;
}

void AddAdviceToJson(const ReaderAdvice& advice, absl::string_view target,
                     ordered_json* json) {
  ordered_json edits = ordered_json::array();
  for (const ReaderEdit& edit : advice.edits) {
    ordered_json item;
    item["kind"] = std::string(ReaderEditKindName(edit.kind));
    const auto add = [&item](const char* name, const std::string& text) {
      if (!text.empty()) item[name] = text;
    };
    add("operator", edit.op);
    add("argument", edit.argument);
    add("value", edit.value);
    add("new_value", edit.new_value);
    item["calls"] = edit.calls;
    add("function", edit.function);
    add("node", edit.node);
    add("location", edit.location);
    item["checked"] = edit.is_checked;
    item["message"] = LineOf(edit);
    edits.push_back(std::move(item));
  }
  (*json)["edits"] = std::move(edits);
  (*json)["edits_suffice"] = advice.edits_suffice;
  if (advice.can_be_target) (*json)["target"] = std::string(target);
}

}  // namespace opcompat
