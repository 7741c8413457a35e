#include "tools/check_published.h"

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "check/finding.h"
#include "gtest/gtest.h"
#include "schema/text/history_text.h"
#include "tools/check_declarations.h"

namespace opcompat {
namespace {

using Files = std::map<std::string, std::string>;

Files With(Files files, const std::string& path, const std::string& text) {
  files[path] = text;
  return files;
}

// Three versions with a gap and a declaration of each kind.
std::vector<VersionText> Published() {
  return {
      {"t::f(int a) -> int\nt::g(int a, int b=0) -> int\nt::h(int a) -> int\n"
       "t::v(Tensor a) -> Tensor\nt::z(int a) -> int\n"},
      {"t::f(int a, int n=1, bool hint=False) -> int\n"
       "t::g(int a) -> int\nt::k(int? a) -> int\n"
       "t::v(Tensor(a) a) -> Tensor(a)\n",
       "changes { operator: \"t::f\" neutral_value { argument: \"n\" value: "
       "\"0\" } }\n"
       "changes { operator: \"t::f\" ignorable_argument: \"hint\" }\n"
       "changes { operator: \"t::g\" retired_value { argument: \"b\" value: "
       "\"3\" } }\n"
       "changes { operator: \"t::k\" renamed_from: \"t::h\" }\n"
       "changes { operator: \"t::k\" equal_value { argument: \"a\" value: "
       "\"None\" means: \"0\" } }\n"
       "changes { operator: \"t::v\" annotation_fixed: true }\n"
       "changes { operator: \"t::z\" removed { steps { graph: \"z.graph\" } } "
       "}"},
      {"t::f(int a, int m=1, bool hint=False, int o=2) -> int\n"
       "t::g(int a) -> int\nt::k(int? a) -> int\n"
       "t::v(Tensor(a) a) -> Tensor(a)\n",
       "gap { added_defaults_are_neutral: true "
       "except { operator: \"t::f\" argument: \"o\" } }\n"
       "changes { operator: \"t::f\" renamed_argument { from: \"n\" to: \"m\" "
       "} }\n"
       "changes { operator: \"t::g\" semantic_change { revision: 2 "
       "unchanged_when { all { argument: \"a\" one_of: \"0\" one_of: \"1\" } } "
       "one_way_up: true one_way_down: true } }"},
  };
}

constexpr char kGraph[] =
    "func f(%a : int) -> (int):\n  %b : int = t::g(%a)\n  return (%b)\n";

Files FilesOf(const std::vector<VersionText>& versions) {
  return With(HistoryFiles(versions), "h/z.graph", kGraph);
}

// What is found, one a line: the version, the operator and the message.
std::string Compare(const Files& published_files, const Files& now_files) {
  const LoadedHistory published = LoadFromFiles(published_files);
  const LoadedHistory now = LoadFromFiles(now_files);
  const auto reader = [](const Files& files) {
    return [files](const std::string& path) -> absl::StatusOr<std::string> {
      const auto it = files.find("h/" + path);
      if (it == files.end()) return absl::NotFoundError(path);
      return it->second;
    };
  };
  std::string text;
  for (const Finding& finding :
       ComparePublished({&published.declared, reader(published_files)},
                        {&now.declared, reader(now_files)})) {
    EXPECT_EQ(finding.rule, "published-version-changed");
    EXPECT_EQ(finding.category, FindingCategory::kSource);
    EXPECT_EQ(finding.older, finding.newer);
    EXPECT_FALSE(finding.place.file.empty());
    absl::StrAppend(&text, finding.newer, " ", finding.op, ": ",
                    finding.message, "\n");
  }
  return text;
}

TEST(CheckPublishedTest, TheHistoryOfTheseTestsIsSound) {
  EXPECT_EQ(FaultStrings(LoadFromFiles(FilesOf(Published()))),
            std::vector<std::string>());
}

TEST(CheckPublishedTest, NewVersionsAndCommentsAreNoChange) {
  const Files published = FilesOf(Published());
  EXPECT_EQ(Compare(published, published), "");
  std::vector<VersionText> more = Published();
  more.push_back({"t::n() -> int\n"});
  EXPECT_EQ(Compare(published, FilesOf(more)), "");
  // The order of schemas and declarations, notes and comments.
  std::vector<VersionText> other = Published();
  other[0].schemas =
      "t::z(int a) -> int\n# f\nt::f(int a) -> int\n"
      "t::g(int a, int b=0) -> int\nt::h(int a) -> int\n"
      "t::v(Tensor a) -> Tensor\n";
  other[2].declarations =
      "changes { operator: \"t::g\" note: \"n\" semantic_change { revision: 2 "
      "one_way_up: true one_way_down: true unchanged_when { all { argument: "
      "\"a\" one_of: \"0\" one_of: \"1\" } } } }\n"
      "# r\nchanges { operator: \"t::f\" renamed_argument { from: \"n\" to: "
      "\"m\" } }\n"
      "gap { except { operator: \"t::f\" argument: \"o\" } "
      "added_defaults_are_neutral: true }";
  EXPECT_EQ(Compare(published, With(FilesOf(other), "h/z.graph",
                                    absl::StrCat("# c\n\n  ", kGraph))),
            "");
}

// Replaces `from` in the declarations or schemas of a version.
Files Edited(size_t version, const std::string& from, const std::string& to) {
  std::vector<VersionText> versions = Published();
  for (std::string* text :
       {&versions[version].schemas, &versions[version].declarations}) {
    const size_t at = text->find(from);
    if (at == std::string::npos) continue;
    text->replace(at, from.size(), to);
    return FilesOf(versions);
  }
  ADD_FAILURE() << from << " is nowhere";
  return {};
}

TEST(CheckPublishedTest, EachChangeOfAPublishedVersionIsTold) {
  struct Case {
    size_t version;
    std::string from;
    std::string to;
    std::string expected;
  };
  const Case cases[] = {
      {0, "t::h(int a) -> int", "t::h(int b) -> int",
       "1 t::h: the schema was `t::h(int a) -> int` when it was published, "
       "and is `t::h(int b) -> int` now\n"},
      {0, "t::h(int a) -> int\n", "",
       "1 t::h: it had the operator when it was published, and lacks it "
       "now\n"},
      {0, "t::h(int a) -> int\n", "t::h(int a) -> int\nt::i() -> ()\n",
       "1 t::i: it lacked the operator when it was published, and has it "
       "now\n"},
      {1, "value: \"0\"", "value: \"1\"",
       "2 t::f: it declared `neutral_value { argument: \"n\" value: \"0\" }` "
       "when it was published, and does not now\n"
       "2 t::f: it declares `neutral_value { argument: \"n\" value: \"1\" }` "
       "now, and did not when it was published\n"},
      {1, "changes { operator: \"t::f\" ignorable_argument: \"hint\" }", "",
       "2 t::f: it declared `ignorable_argument: \"hint\"` when it was "
       "published, and does not now\n"},
      {1, "retired_value { argument: \"b\" value: \"3\" }",
       "retired_value { argument: \"b\" value: \"7\" }",
       "2 t::g: it declared `retired_value { argument: \"b\" value: \"3\" }` "
       "when it was published, and does not now\n"
       "2 t::g: it declares `retired_value { argument: \"b\" value: \"7\" }` "
       "now, and did not when it was published\n"},
      {1, "means: \"0\"", "means: \"1\"",
       "2 t::k: it declared `equal_value { argument: \"a\" value: \"None\" "
       "means: \"0\" }` when it was published, and does not now\n"
       "2 t::k: it declares `equal_value { argument: \"a\" value: \"None\" "
       "means: \"1\" }` now, and did not when it was published\n"},
      {1, "changes { operator: \"t::k\" renamed_from: \"t::h\" }", "",
       "2 t::k: it declared `renamed_from: \"t::h\"` when it was published, "
       "and does not now\n"},
      {1, "changes { operator: \"t::v\" annotation_fixed: true }", "",
       "2 t::v: it declared `annotation_fixed: true` when it was published, "
       "and does not now\n"},
      {1, "z.graph", "y.graph",
       "2 t::z: it declared `removed { steps { graph: \"z.graph\" } }` when "
       "it was published, and does not now\n"
       "2 t::z: it declares `removed { steps { graph: \"y.graph\" } }` now, "
       "and did not when it was published\n"},
      {2, "gap { added_defaults_are_neutral: true ", "gap { ",
       "3 : its gap was `gap { added_defaults_are_neutral: true except { "
       "operator: \"t::f\" argument: \"o\" } }` when it was published, and is "
       "`gap { except { operator: \"t::f\" argument: \"o\" } }` now\n"},
      {2, "one_of: \"1\"", "",
       "3 t::g: it declared `semantic_change { revision: 2 unchanged_when { "
       "all { argument: \"a\" one_of: \"0\" one_of: \"1\" } } one_way_up: true "
       "one_way_down: true }` when it was published, and does not now\n"
       "3 t::g: it declares `semantic_change { revision: 2 unchanged_when { "
       "all { argument: \"a\" one_of: \"0\" } } one_way_up: true one_way_down: "
       "true }` now, and did not when it was published\n"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(absl::StrCat(c.from, " to ", c.to));
    EXPECT_EQ(Compare(FilesOf(Published()), Edited(c.version, c.from, c.to)),
              c.expected);
  }
}

TEST(CheckPublishedTest, AStepGraphCountsByItsText) {
  const Files published = FilesOf(Published());
  EXPECT_EQ(
      Compare(published, With(published, "h/z.graph",
                              "func f(%a : int) -> (int):\n  return (%a)\n")),
      "2 t::z: it declared `removed { steps { graph: \"z.graph\" } }` "
      "with another step graph when it was published\n");
}

TEST(CheckPublishedTest, PublishedVersionsComeFirstAndInTheirOrder) {
  const auto versions = [](const std::vector<std::string>& ids) {
    std::vector<VersionText> texts;
    for (const std::string& id : ids)
      texts.push_back({"t::f() -> ()\n", "", id});
    return HistoryFiles(texts);
  };
  const Files published = versions({"a", "b", "c"});
  struct Case {
    std::vector<std::string> now;
    std::string expected;
  };
  const Case cases[] = {
      {{"a", "b", "c", "d", "e"}, ""},
      {{"a", "b"}, "c : the published version c is gone\n"},
      {{"b", "c"}, "a : the published version a is gone\n"},
      {{"a", "x", "b", "c"},
       "x : the new version x stands before the published version b\n"},
      {{"x", "y", "a", "b", "c", "d"},
       "x : the new version x stands before the published version a\n"
       "y : the new version y stands before the published version a\n"},
      {{"a", "c", "b"},
       "c : the published version c stands before version b now\n"},
      {{"a", "x", "c"},
       "b : the published version b is gone\n"
       "x : the new version x stands before the published version c\n"},
      {{},
       "a : the published version a is gone\n"
       "b : the published version b is gone\n"
       "c : the published version c is gone\n"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Compare(published, versions(c.now)), c.expected);
  }
}

}  // namespace
}  // namespace opcompat
