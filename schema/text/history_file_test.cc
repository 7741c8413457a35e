#include "schema/text/history_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "base/status_matchers.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"
#include "schema/text/history_text.h"
#include "schema/value.h"

namespace opcompat {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Two versions with a declaration of each kind of field.
std::map<std::string, std::string> GoodFiles() {
  std::map<std::string, std::string> files = HistoryFiles(
      {{"t::f(int a, int b=1) -> int\nt::g(Tensor x) -> Tensor"},
       {"t::f(int a, int? c=None, bool d=False) -> int\n"
        "t::g(Tensor(a) x) -> Tensor(a)\nt::h() -> int",
        "gap { added_defaults_are_neutral: true except { operator: 't::f' "
        "argument: 'c' } }\n"
        "changes { operator: 't::f' note: 'x' semantic_change { revision: 2 "
        "upgraders { when { all { argument: 'a' one_of: '1' types: 'int' } } "
        "graph: 'up.graph' } unchanged_when { all { argument: 'c' one_of: "
        "'None' } } one_way_down: true } }\n"
        "changes { operator: 't::f' equal_value { argument: 'c' value: 'None' "
        "means: '0' } }\n"
        "changes { operator: 't::f' ignorable_argument: 'd' }\n"
        "changes { operator: 't::f' retired_value { argument: 'b' value: '2' "
        "} }\n"
        "changes { operator: 't::g' annotation_fixed: true }\n"
        "changes { operator: 't::h' added { steps { graph: 'up.graph' } } }"},
       {"t::i(int a, int? c=None, bool d=False) -> int\n"
        "t::h(str s=\"\") -> int",
        "changes { operator: 't::i' renamed_from: 't::f' }\n"
        "changes { operator: 't::h' neutral_value { argument: 's' value: "
        "'\"-\"' } }\n"
        "changes { operator: 't::g' removed { steps { graph: 'up.graph' } } "
        "}"}});
  files["h/up.graph"] = "";
  return files;
}

TEST(HistoryFileTest, AWordOfReductionIsItsNumberAtInt) {
  const LoadedHistory loaded = LoadFromText(
      {{"t::f(int a) -> int"},
       {"t::f(int a, int r=Mean) -> int",
        "changes { operator: 't::f' neutral_value { argument: 'r' value: "
        "'Sum' } }"}});
  ASSERT_NE(loaded.history, nullptr)
      << ::testing::PrintToString(FaultStrings(loaded));
  const OperatorInfo* const info = loaded.history->newest().Find("t::f");
  ASSERT_NE(info, nullptr);
  const EntryArgument& r = info->current()->arguments[1];
  EXPECT_EQ(r.default_value, Value::Int(1));
  ASSERT_TRUE(r.neutral.has_value());
  EXPECT_EQ(r.neutral->value, Value::Int(2));
}

TEST(HistoryFileTest, EveryDeclarationArrives) {
  const LoadedHistory loaded = LoadFromFiles(GoodFiles());
  ASSERT_NE(loaded.history, nullptr)
      << ::testing::PrintToString(FaultStrings(loaded));
  EXPECT_EQ(loaded.history->name(), "t");
  EXPECT_THAT(loaded.history->aliases(), ElementsAre("tt"));
  EXPECT_EQ(DescribeVersion(*loaded.history, "2"),
            "t::f(int a, int? c=None, bool d=False) -> int from base revision "
            "2 from (1, 2]\n"
            "  a from base\n"
            "  c from (1, 2], None : int? means 0 : int?\n"
            "  d from (1, 2], neutral False : bool, ignorable\n"
            "  b from base, retired 2 : int\n"
            "t::g(Tensor(a) x) -> Tensor(a) from base covers (Tensor x) -> "
            "Tensor\n"
            "  x from base\n"
            "t::h() -> int from (1, 2]\n");
  EXPECT_EQ(DescribeVersion(*loaded.history, "3"),
            "t::i(int a, int? c=None, bool d=False) -> int was t::f from base "
            "revision 2 from (1, 2]\n"
            "  a from base\n"
            "  c from (1, 2], None : int? means 0 : int?\n"
            "  d from (1, 2], neutral False : bool, ignorable\n"
            "  b from base, retired 2 : int\n"
            "t::h(str s=\"\") -> int from (1, 2]\n"
            "  s from 3, neutral \"-\" : str\n");
  EXPECT_EQ(loaded.declared.versions[1].changes[0].note, "x");
}

TEST(HistoryFileTest, AHeaderMayUseAnAlias) {
  auto files = HistoryFiles({{"t::f() -> int"}});
  files["h/1.ops"] = "# comment\n\nopset tt 1\nt::f() -> int\n";
  EXPECT_NE(LoadFromFiles(files).history, nullptr);
}

struct HeaderCase {
  std::string operators, fault;
};

TEST(HistoryFileTest, TheHeaderNamesTheHistoryAndTheVersion) {
  const HeaderCase kCases[] = {
      {"# c\nopset u 1\nt::f() -> int\n",
       "h/1.ops:2: expected the header `opset t 1`, found `opset u 1`"},
      {"opset t 2\nt::f() -> int\n",
       "h/1.ops:1: expected the header `opset t 1`, found `opset t 2`"},
      {"\n# c\nt::f() -> int\n",
       "h/1.ops:3: expected the header `opset t 1` before the schemas, found "
       "none"},
      {"opset t\nt::f() -> int\n",
       "h/1.ops:1:1: expected the header `opset NAME VERSION`, found 1 words "
       "after `opset`"},
  };
  for (const HeaderCase& c : kCases) {
    auto files = HistoryFiles({{""}});
    files["h/1.ops"] = c.operators;
    EXPECT_THAT(FaultStrings(LoadFromFiles(files)), ElementsAre(c.fault));
  }
}

TEST(HistoryFileTest, FaultsOfTheTextFormatHaveLineAndColumn) {
  const struct {
    std::string text, fault;
  } kCases[] = {
      {"name: 't'\nversion { id: '1' }",
       "h/history.textproto:2:9: Message type \"opcompat.schema.History\" has "
       "no field named \"version\"."},
      {"name: 't'\nversions {\n  id: 1 }",
       "h/history.textproto:3:7: Expected string, got: 1"},
      {"name: 't'\nversions {",
       "h/history.textproto:2:11: Expected identifier, got: "},
      {"versions { changes { operator: 'f' ignorable_argument: 'a'\n"
       "annotation_fixed: true } }",
       "h/history.textproto:2:17: Field \"annotation_fixed\" is specified "
       "along "
       "with field \"ignorable_argument\", another member of oneof \"what\"."},
      {"name: 't' name: 'u'",
       "h/history.textproto:1:15: Non-repeated field \"name\" is specified "
       "multiple times."},
  };
  for (const auto& c : kCases) {
    const LoadedHistory loaded =
        LoadFromFiles({{"h/history.textproto", c.text}});
    EXPECT_EQ(loaded.history, nullptr);
    EXPECT_FALSE(loaded.missing);
    ASSERT_FALSE(loaded.faults.empty());
    EXPECT_EQ(loaded.faults[0].ToString(), c.fault);
  }
}

TEST(HistoryFileTest, AnOperatorThatCannotBeReadHasNoFurtherFaults) {
  // Were it taken as removed, four declarations would be wrong.
  const LoadedHistory loaded = LoadFromText(
      {{"t::f(int a) -> int\nt::g(int a) -> int"},
       {"t::f(int a, int b -> int\nt::g(str a) -> int",
        "changes { operator: 't::f' neutral_value { argument: 'b' value: '1' "
        "} }"},
       {"t::f(int a, str b) -> int",
        "changes { operator: 't::f' ignorable_argument: 'a' }"}});
  EXPECT_EQ(loaded.history, nullptr);
  ASSERT_EQ(loaded.faults.size(), 2u)
      << ::testing::PrintToString(FaultStrings(loaded));
  EXPECT_THAT(loaded.faults[0].ToString(), StartsWith("h/2.ops:2:19: "));
  EXPECT_THAT(loaded.faults[1].ToString(),
              StartsWith("h/2.ops:3: t::g (t 2): argument `a`: values"));
}

TEST(HistoryFileTest, ARepeatedOperatorIsReportedOnce) {
  const LoadedHistory loaded =
      LoadFromText({{"t::f(int a) -> int\nt::f(str a) -> int"}});
  EXPECT_THAT(FaultStrings(loaded),
              ElementsAre("h/1.ops:3:1: operator t::f is repeated; it stands "
                          "in line 2 already"));
}

TEST(HistoryFileTest, VersionsBeforeAMissingFileAreChecked) {
  auto files = HistoryFiles({{"t::f(int a) -> int"},
                             {"t::f() -> int"},
                             {"t::f() -> int"},
                             {"t::f(int a) -> str"}});
  files.erase("h/3.ops");
  const LoadedHistory loaded = LoadFromFiles(files);
  EXPECT_EQ(loaded.history, nullptr);
  EXPECT_THAT(FaultStrings(loaded),
              ElementsAre("h/history.textproto:6: no file h/3.ops",
                          StartsWith("h/2.ops:2: t::f (t 2): argument `a` is "
                                     "removed")));
  EXPECT_EQ(loaded.declared.versions.size(), 4u);
}

TEST(HistoryFileTest, AVersionWithoutAFileIsAFault) {
  EXPECT_THAT(
      FaultStrings(LoadFromFiles(
          {{"h/history.textproto", "name: 't'\nversions { id: '1' }"}})),
      ElementsAre("h/history.textproto:2: version 1 names no file of "
                  "operators"));
}

// Whatever the bytes: a history without faults, or faults with a place.
void ExpectHistoryOrFaults(const std::map<std::string, std::string>& files) {
  const LoadedHistory loaded = LoadFromFiles(files);
  EXPECT_EQ(loaded.history == nullptr, !loaded.faults.empty());
  for (const HistoryFault& fault : loaded.faults) {
    EXPECT_THAT(fault.place.file, StartsWith("h/"));
    EXPECT_GE(fault.place.line, 0);
    EXPECT_FALSE(fault.message.empty());
  }
}

TEST(HistoryFileTest, EveryTruncationGivesAHistoryOrFaults) {
  const auto good = GoodFiles();
  for (const auto& file : good) {
    for (size_t n = 0; n < file.second.size(); ++n) {
      auto files = good;
      files[file.first].resize(n);
      ExpectHistoryOrFaults(files);
    }
  }
}

TEST(HistoryFileTest, EveryChangedByteGivesAHistoryOrFaults) {
  const auto good = GoodFiles();
  std::mt19937 random(1);
  for (const auto& file : good) {
    for (size_t i = 0; i < file.second.size(); ++i) {
      auto files = good;
      files[file.first][i] = static_cast<char>(random());
      ExpectHistoryOrFaults(files);
      // Another word of the same text in its place: likely to be legal text
      // that says something else.
      files[file.first] = file.second;
      files[file.first][i] = file.second[random() % file.second.size()];
      ExpectHistoryOrFaults(files);
    }
  }
}

}  // namespace
}  // namespace opcompat
