#include "tools/reader_edits.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/status_matchers.h"
#include "binding/report.h"
#include "binding/story.h"
#include "deserializer/decode.h"
#include "deserializer/deserialize.h"
#include "gtest/gtest.h"
#include "ir/module.h"
#include "ir/text/history_loader.h"
#include "ir/text/module_parser.h"
#include "nlohmann/json.hpp"
#include "schema/history.h"
#include "schema/opset.h"
#include "schema/value.h"
#include "serializer/serialize.h"
#include "tools/edit_calls.h"
#include "tools/edits_text.h"
#include "tools/reader_edit.h"

namespace opcompat {
namespace {

Runtime RuntimeAt(const OpsetHistory& history, absl::string_view version) {
  const absl::StatusOr<Opset> opset = history.At(version);
  EXPECT_THAT(opset, IsOk());
  const absl::StatusOr<Runtime> runtime = Runtime::Create({*opset});
  EXPECT_THAT(runtime, IsOk());
  return *runtime;
}

// A module as the file that its writer makes of it, and why `reader` refuses
// that.
struct Refused {
  Module written;
  std::vector<Reason> reasons;
};

Refused Ask(const Module& module, const Runtime& writer,
            const Runtime& reader) {
  Refused refused;
  const absl::StatusOr<std::string> bytes = Serialize(module, writer);
  EXPECT_THAT(bytes, IsOk());
  if (!bytes.ok()) return refused;
  const absl::StatusOr<Module> written = Decode(*bytes);
  EXPECT_THAT(written, IsOk());
  refused.written = *written;
  (void)Deserialize(*bytes, reader, {}, &refused.reasons);
  return refused;
}

// The advice on `lines`, written at the first of the versions and read at the
// last, or the other way: "suffice: " or "", the edits with `?` before those
// that are not checked, "; target" at the end.
std::string Advice(const OpsetHistory& history, absl::string_view from,
                   absl::string_view to, absl::string_view lines,
                   bool with_writer = true) {
  const Runtime writer = RuntimeAt(history, from);
  const Runtime reader = RuntimeAt(history, to);
  const Refused refused =
      Ask(StoryModule(history, from, lines), writer, reader);
  EXPECT_FALSE(refused.reasons.empty()) << lines;
  const ReaderAdvice advice =
      AdviseEdits(refused.written, with_writer ? &writer : nullptr, reader,
                  refused.reasons);
  return absl::StrCat(
      advice.edits_suffice ? "suffice: " : "",
      absl::StrJoin(advice.edits, "; ",
                    [](std::string* out, const ReaderEdit& edit) {
                      absl::StrAppend(out, edit.is_checked ? "" : "?",
                                      edit.what, " x", edit.calls);
                    }),
      advice.can_be_target ? "; target" : "");
}

struct Row {
  const char* what;
  const char* old_schema;
  const char* new_schema;
  const char* declared;
  bool new_reads_old;  // else the old version reads what the new one wrote
  const char* lines;
  const char* advice;
};

// At least one row for each reason that a reader can have against a call.
const Row kRows[] = {
    {"unknown_argument: the default is neutral", "t::f(Tensor x) -> Tensor",
     "t::f(Tensor x, int p=0) -> Tensor", "", false,
     "%r : Tensor = t::f(%x, 2)\n%q1 : Tensor = t::f(%r, 2)\n"
     "%q2 : Tensor = t::f(%q1, 3)\n%q3 : Tensor = t::f(%q2, 0)",
     "suffice: leave out p=2 x2; leave out p=3 x1"},
    {"unknown_argument: the default is not neutral",
     "t::f(Tensor x) -> Tensor", "t::f(Tensor x, int p=1) -> Tensor",
     "changes { operator: \"t::f\" "
     "neutral_value { argument: \"p\" value: \"0\" } }",
     false, "%r : Tensor = t::f(%x)",
     "suffice: pass p=0 instead of 1, its default x1"},
    {"unknown_argument: computed", "t::f(Tensor x) -> Tensor",
     "t::f(Tensor x, int p=0) -> Tensor", "", false,
     "%r : Tensor = t::f(%x, %n)",
     "suffice: leave out p, which is computed x1"},
    {"retired_argument", "t::f(Tensor x, int p=4) -> Tensor",
     "t::f(Tensor x) -> Tensor",
     "changes { operator: \"t::f\" "
     "retired_value { argument: \"p\" value: \"7\" } }",
     true, "%r : Tensor = t::f(%x, 5)",
     "suffice: pass p=7 instead of 5 x1"},
    {"no_neutral_value: the reader's own argument",
     "t::f(Tensor x) -> Tensor", "t::f(Tensor x, int p) -> Tensor", "", true,
     "%r : Tensor = t::f(%x)",
     "?declare in the history which value of p is meant x1"},
    {"no_neutral_value: the writer's argument", "t::f(Tensor x) -> Tensor",
     "t::f(Tensor x, int p) -> Tensor", "", false,
     "%r : Tensor = t::f(%x, 3)",
     "?declare in the history which value of p is meant x1"},
    {"no_neutral_value: the default does not help either",
     "t::f(Tensor x) -> Tensor", "t::f(Tensor x, int p=0) -> Tensor",
     "changes { operator: \"t::f\" "
     "neutral_value { argument: \"p\" none: true } }",
     false, "%r : Tensor = t::f(%x, 3)",
     "?declare in the history which value of p is meant x1"},
    {"value_does_not_fit, and a default does",
     "t::f(Tensor x, int p=0) -> Tensor",
     "t::f(Tensor x, Scalar p=0) -> Tensor", "", false,
     "%r : Tensor = t::f(%x, 2.5)", "suffice: leave out p=2.5 x1"},
    {"value_does_not_fit, and nothing is known that does",
     "t::f(Tensor x, int p) -> Tensor", "t::f(Tensor x, Scalar p) -> Tensor",
     "", false, "%r : Tensor = t::f(%x, 2.5)",
     "?pass p as int, which t 1 takes x1"},
    {"type_mismatch", "t::f(Tensor x) -> Tensor", "t::f(Tensor? x) -> Tensor",
     "", false, "%r : Tensor = t::f(%o)",
     "?pass x as Tensor, which t 1 takes x1"},
    {"missing_result", "t::f(Tensor x) -> Tensor",
     "t::f(Tensor x) -> (Tensor, Tensor)", "", false,
     "%r : Tensor, %q1 : Tensor = t::f(%x)\n"
     "%q2 : Tensor, %q3 : Tensor = t::f(%q1)",
     "?use only the results that t 1 has x1"},
    {"alias_changed, twice for one call", "t::f(Tensor(a!) x) -> Tensor(a!)",
     "t::f(Tensor x) -> Tensor", "", false, "%r : Tensor = t::f(%x)",
     "?declare annotation_fixed, if only the marks were wrong x1"},
    {"unknown_operator", "t::g(Tensor x) -> Tensor",
     "t::g(Tensor x) -> Tensor\nt::f(Tensor x) -> Tensor", "", false,
     "%r : Tensor = t::f(%x)", "?call what t 1 has instead x1"},
    {"newer_revision, with a condition", "t::f(Tensor x, int p=0) -> Tensor",
     "t::f(Tensor x, int p=0) -> Tensor",
     "changes { operator: \"t::f\" semantic_change { revision: 2 "
     "unchanged_when { all { argument: \"p\" one_of: \"3\" } } "
     "one_way_up: true one_way_down: true } }",
     false, "%r : Tensor = t::f(%x, 2)\n%q1 : Tensor = t::f(%r, 3)",
     "suffice: pass p=3 x1"},
    {"newer_revision, without", "t::f(Tensor x) -> Tensor",
     "t::f(Tensor x) -> Tensor",
     "changes { operator: \"t::f\" semantic_change { revision: 2 "
     "one_way_up: true one_way_down: true } }",
     false, "%r : Tensor = t::f(%x)",
     "?call what means the same in t 1 instead x1"},
    {"no_upgrader, with a condition", "t::f(Tensor x, int p=0) -> Tensor",
     "t::f(Tensor x, int p=0) -> Tensor",
     "changes { operator: \"t::f\" semantic_change { revision: 2 "
     "unchanged_when { all { argument: \"p\" one_of: \"3\" } } "
     "one_way_up: true one_way_down: true } }",
     true, "%r : Tensor = t::f(%x, 2)", "suffice: pass p=3 x1"},
    {"two reasons, of which an edit helps against one",
     "t::g(Tensor x) -> Tensor",
     "t::g(Tensor x, int p=0) -> Tensor\nt::f(Tensor x) -> Tensor", "", false,
     "%r : Tensor = t::f(%x)\n%q1 : Tensor = t::g(%r, 1)",
     "?call what t 1 has instead x1; leave out p=1 x1"},
    {"two reasons against one call", "t::f(Tensor x) -> Tensor",
     "t::f(Tensor x, int p=0, str m=\"a\") -> Tensor", "", false,
     "%r : Tensor = t::f(%x, 1, \"b\")",
     "suffice: leave out p=1 x1; leave out m=\"b\" x1"},
};

TEST(ReaderEditsTest, ByReason) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.what);
    const auto history = MakeHistory({{"1", row.old_schema, ""},
                                      {"2", row.new_schema, row.declared}});
    const char* from = row.new_reads_old ? "1" : "2";
    const char* to = row.new_reads_old ? "2" : "1";
    EXPECT_EQ(Advice(*history, from, to, row.lines), row.advice);
  }
}

TEST(ReaderEditsTest, ATargetIsTried) {
  const auto history = MakeHistory(
      {{"1", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor", ""},
       {"2", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor",
        "changes { operator: \"t::f\" semantic_change { revision: 2 "
        "one_way_up: true downgraders { graph: \"down.graph\" } } }"}},
      {{"down.graph",
        "func down(%x : Tensor) -> (Tensor):\n"
        "  %r : Tensor = t::g(%x)\n"
        "  return (%r)\n"}});
  EXPECT_EQ(Advice(*history, "2", "1", "%r : Tensor = t::f(%x)"),
            "?call what means the same in t 1 instead x1; target");
  // Nothing is tried for a writer that is not known.
  EXPECT_EQ(
      Advice(*history, "2", "1", "%r : Tensor = t::f(%x)", false),
      "?call what means the same in t 1 instead x1");
}

// What the edits of demo modules claim is so: made again by hand, with the
// values as their texts have them, they leave nothing to refuse.
TEST(ReaderEditsTest, EditsOfDemoModulesSuffice) {
  const absl::StatusOr<std::shared_ptr<const OpsetHistory>> history =
      LoadHistoryOrError("opsets/demo/history.textproto");
  ASSERT_THAT(history, IsOk());
  int suffice = 0;
  int do_not = 0;
  for (const auto& file :
       std::filesystem::directory_iterator("opsets/demo/modules")) {
    std::ifstream stream(file.path());
    std::stringstream text;
    text << stream.rdbuf();
    for (const Opset& from : (*history)->versions()) {
      const Runtime writer = RuntimeAt(**history, from.version());
      const absl::StatusOr<Module> module = ParseModule(text.str(), writer);
      if (!module.ok()) continue;  // not valid at this version
      for (const Opset& to : (*history)->versions()) {
        SCOPED_TRACE(absl::StrCat(file.path().string(), " ", from.version(),
                                  " -> ", to.version()));
        const Runtime reader = RuntimeAt(**history, to.version());
        const Refused refused = Ask(*module, writer, reader);
        if (refused.reasons.empty()) continue;
        const ReaderAdvice advice =
            AdviseEdits(refused.written, &writer, reader, refused.reasons);
        EXPECT_FALSE(advice.edits.empty());
        const std::string advice_text = AdviceText(advice, "demo@1.0");
        for (const absl::string_view line :
             absl::StrSplit(advice_text, '\n')) {
          EXPECT_LE(line.size(), 80u) << line;
        }
        std::vector<CallEdit> edits;
        for (const ReaderEdit& edit : advice.edits) {
          EXPECT_GT(edit.calls, 0u);
          if (!edit.is_checked) continue;
          CallEdit call_edit{edit.op, edit.argument, edit.value, {}, 0};
          // An edit of a revision is for whatever is passed.
          if (edit.value.empty() &&
              (edit.op == "demo::round" || edit.op == "demo::median")) {
            call_edit.value.reset();
          }
          if (edit.kind == ReaderEdit::Kind::kPass) {
            // All demo values are ints, floats, strings or bools.
            if (edit.new_value[0] == '"') {
              call_edit.new_value = Value::String(
                  edit.new_value.substr(1, edit.new_value.size() - 2));
            } else if (edit.new_value.find('.') != std::string::npos) {
              call_edit.new_value = Value::Float(std::stod(edit.new_value));
            } else {
              call_edit.new_value = Value::Int(std::stoll(edit.new_value));
            }
          }
          edits.push_back(call_edit);
        }
        const absl::StatusOr<Module> edited =
            EditCalls(refused.written, edits);
        ASSERT_THAT(edited, IsOk());
        const std::vector<Reason> left = Ask(*edited, writer, reader).reasons;
        EXPECT_EQ(left.empty(), advice.edits_suffice);
        EXPECT_LE(left.size(), refused.reasons.size());
        ++(advice.edits_suffice ? suffice : do_not);
      }
    }
  }
  EXPECT_GT(suffice, 30);
  EXPECT_GT(do_not, 30);
}

TEST(EditsTextTest, SaysWhatWasTriedInEightyColumns) {
  ReaderAdvice advice;
  EXPECT_EQ(AdviceText(advice, "torch@1.7.1"), "");
  ReaderEdit edit;
  edit.kind = ReaderEdit::Kind::kLeaveOut;
  edit.op = "aten::gelu";
  edit.argument = "approximate";
  edit.value = "\"tanh\"";
  edit.what = "leave out approximate=\"tanh\"";
  edit.calls = 3;
  edit.function = "forward";
  edit.node = "%12";
  edit.location = "net.py:20";
  edit.is_checked = true;
  advice.edits.push_back(edit);
  advice.edits_suffice = true;
  EXPECT_EQ(AdviceText(advice, "torch@1.7.1"),
            "    this edit makes it readable:\n"
            "      aten::gelu: leave out approximate=\"tanh\" (3 calls, first "
            "at forward:%12,\n"
            "          net.py:20)\n");
  edit.op = "aten::mish";
  edit.kind = ReaderEdit::Kind::kReplace;
  edit.what = "call what torch 1.7.1 has instead";
  edit.calls = 1;
  edit.location = "";
  edit.is_checked = false;
  advice.edits.push_back(edit);
  advice.edits_suffice = false;
  advice.can_be_target = true;
  EXPECT_EQ(AdviceText(advice, "torch@1.7.1"),
            "    readable when written for it: opcompat convert "
            "--target=torch@1.7.1\n"
            "    this edit helps:\n"
            "      aten::gelu: leave out approximate=\"tanh\" (3 calls, first "
            "at forward:%12,\n"
            "          net.py:20)\n"
            "    what else would have to change:\n"
            "      aten::mish: call what torch 1.7.1 has instead (1 call, at "
            "forward:%12)\n");
  nlohmann::ordered_json json;
  AddAdviceToJson(advice, "torch@1.7.1", &json);
  EXPECT_EQ(json["edits"].size(), 2u);
  EXPECT_EQ(json["edits"][0]["kind"], "leave_out");
  EXPECT_EQ(json["edits"][0]["checked"], true);
  EXPECT_EQ(json["edits"][1]["kind"], "replace");
  EXPECT_EQ(json["edits_suffice"], false);
  EXPECT_EQ(json["target"], "torch@1.7.1");
}

}  // namespace
}  // namespace opcompat
