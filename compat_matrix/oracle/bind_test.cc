// What decides whether a call can be bound besides the values of its arguments:
// results, types of graph values, origins, and the marks that forbid dropping.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "compat_matrix/oracle/oracle.h"
#include "compat_matrix/oracle/identity.h"
#include "compat_matrix/oracle/testing.h"
#include "gtest/gtest.h"
#include "ir/module.h"
#include "schema/history.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {
namespace oracle {
namespace {

std::string Reasons(const Module& module, const Runtime& writer,
                    const Runtime& reader) {
  const Prediction prediction = Predict(module, writer, reader);
  std::string reasons;
  for (const Prediction::Refusal& refusal : prediction.refusals) {
    absl::StrAppend(&reasons, reasons.empty() ? "" : ", ", refusal.code, " ",
                    refusal.op, " ", refusal.argument);
  }
  EXPECT_EQ(prediction.accepted, reasons.empty());
  return reasons;
}

struct Row {
  const char* writer;
  const char* reader;
  std::string text;
  const char* reasons;
};

void Check(const OpsetHistory& history, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const Runtime writer = RuntimeAt(history, row.writer);
    EXPECT_EQ(Reasons(MakeModule(row.text, writer), writer,
                      RuntimeAt(history, row.reader)),
              row.reasons)
        << row.writer << " to " << row.reader << ":\n"
        << row.text;
  }
}

TEST(OracleBindTest, AUsedResultNeedsASubtype) {
  const auto history = MakeHistory({
      {"1",
       "t::maybe(Tensor x) -> Tensor?\n"
       "t::number(Tensor x) -> int\n"
       "t::two(Tensor x) -> (Tensor, int)\n"
       "t::any(Tensor x) -> Any\n"
       "t::ints(Tensor x) -> int[]"},
      {"2",
       "t::maybe(Tensor x) -> Tensor\n"
       "t::number(Tensor x) -> Scalar\n"
       "t::two(Tensor x) -> (Tensor, Scalar)\n"
       "t::any(Tensor x) -> int\n"
       "t::ints(Tensor x) -> int[]"},
  });
  ASSERT_NE(history, nullptr);
  const auto one = [](const char* type, const char* call) {
    return Forward(absl::StrCat("%r : ", type, " = ", call), "%r", type);
  };
  const auto unused = [](const char* type, const char* call) {
    return Forward(absl::StrCat("%r : ", type, " = ", call), "%x");
  };
  Check(
      *history,
      {
          {"1", "2", one("Tensor?", "t::maybe(%x)"), ""},
          {"2", "1", one("Tensor", "t::maybe(%x)"), "type_mismatch t::maybe "},
          {"2", "1", unused("Tensor", "t::maybe(%x)"), ""},
          {"1", "2", one("int", "t::number(%x)"), "type_mismatch t::number "},
          {"2", "1", one("Scalar", "t::number(%x)"), ""},
          // The call says more than the schema: still so at the reader?
          {"1", "2", one("int", "t::any(%x)"), ""},
          {"1", "2", one("Tensor", "t::any(%x)"), "type_mismatch t::any "},
          {"1", "2", Forward("%r : Tensor, %n2 : int = t::two(%x)", "%r"), ""},
          {"1", "2",
           Forward("%r : Tensor, %n2 : int = t::two(%x)", "%n2", "int"),
           "type_mismatch t::two "},
      });
}

TEST(OracleBindTest, ReasonsOfArgumentsAndOfResultsAreGivenTogether) {
  const auto history = MakeHistory({
      {"1",
       "t::f(Tensor x) -> Tensor\n"
       "t::g(t x) -> t"},
      {"2",
       "t::f(Tensor x, int p=0) -> (Tensor, Tensor)\n"
       "t::g(t x, int p=0) -> t"},
  });
  ASSERT_NE(history, nullptr);
  Check(*history,
        {
            {"2", "1", Forward("%r : Tensor, %s : Tensor = t::f(%x, 1)", "%s"),
             "unknown_argument t::f p, missing_result t::f "},
            {"2", "1", Forward("%r : Tensor, %s : Tensor = t::f(%x, 1)"),
             "unknown_argument t::f p"},
            // Nothing is known of variables then, and nothing is said.
            {"2", "1", Forward("%r : Tensor = t::g(%x, 1)"),
             "unknown_argument t::g p"},
        });
}

TEST(OracleBindTest, AContainerIsCovariantOnlyWhereNothingWritesIt) {
  const auto history = MakeHistory({
      {"1",
       "t::take(Tensor x, int[] l) -> Tensor\n"
       "t::append(int[](a!) l, int n) -> int[](a!)\n"
       "t::view(int[](a) l) -> int[](a)"},
      {"2",
       "t::take(Tensor x, Scalar[] l) -> Tensor\n"
       "t::append(int[](a!) l, int n) -> int[](a!)\n"
       "t::view(int[](a) l) -> int[](a)"},
  });
  ASSERT_NE(history, nullptr);
  const char* const kMismatch = "type_mismatch t::take l";
  Check(
      *history,
      {
          {"1", "2", Forward("%r : Tensor = t::take(%x, %l)"), ""},
          {"1", "2",
           Forward("%m : int[] = t::view(%l)\n%r : Tensor = t::take(%x, %m)"),
           ""},
          {"1", "2",
           Forward(
               "%m : int[] = t::append(%l, 1)\n%r : Tensor = t::take(%x, %l)"),
           kMismatch},
          // After the call, and by another name of the list.
          {"1", "2",
           Forward("%m : int[] = t::view(%l)\n%r : Tensor = t::take(%x, %l)\n"
                   "%k : int[] = t::append(%m, 1)"),
           kMismatch},
          // In a loop, where the list is carried round.
          {"1", "2",
           Forward("%k : int[] = prim::Loop(%n, True, %l)\n"
                   "  block0(%i : int, %m : int[]):\n"
                   "    %q : int[] = t::append(%m, 1)\n"
                   "    -> (True, %q)\n"
                   "%r : Tensor = t::take(%x, %l)"),
           kMismatch},
          // A constant is no container that anybody else could write.
          {"1", "2", Forward("%r : Tensor = t::take(%x, [1, 2])"), ""},
      });
}

TEST(OracleBindTest, TypeVariablesAreSolvedTogether) {
  const auto history = MakeHistory({
      {"1", "t::find(t[] l, t v, int p=0) -> t"},
      {"2", "t::find(t[] l, t v, int p=1) -> t"},
  });
  ASSERT_NE(history, nullptr);
  Check(
      *history,
      {
          {"1", "2", Forward("%r : int = t::find(%l, %n)", "%r", "int"), ""},
          {"1", "2", Forward("%r : int = t::find(%l, 3)", "%r", "int"), ""},
          {"1", "2", Forward("%r : int = t::find([1, 2], 3)", "%r", "int"), ""},
      });
}

TEST(OracleBindTest, WrittenArgumentsAreNeverDropped) {
  const auto history = MakeHistory({
      {"1", "t::f(Tensor x) -> Tensor"},
      {"2", "t::f(Tensor x, Tensor? hint=None) -> Tensor",
       "changes { operator: \"t::f\" ignorable_argument: \"hint\" }\n"},
  });
  ASSERT_NE(history, nullptr);
  const Runtime one = RuntimeAt(*history, "1");
  const Runtime two = RuntimeAt(*history, "2");
  Module module = MakeModule(Forward("%r : Tensor = t::f(%x, %y)"), two);
  EXPECT_EQ(Reasons(module, two, one), "");
  // The same entry with a write mark.
  OperatorEntry written = *two.Find("t::f")->current();
  written.arguments[1].alias = {{0, {"a"}, {"a"}, true}};
  for (ModuleOperator& op : module.operators) {
    if (op.entry != nullptr) {
      op.entry = std::make_shared<const OperatorEntry>(written);
    }
  }
  module.opsets[0].version = "2-patched";
  EXPECT_EQ(Reasons(module, two, one), "unknown_argument t::f hint");
}

TEST(OracleBindTest, OriginsMatchWhereTheyMayBeTheSame) {
  const auto history = MakeHistory({{"1", "t::f(Tensor x) -> Tensor"},
                                    {"2", "t::f(Tensor x) -> Tensor"},
                                    {"3", "t::f(Tensor x) -> Tensor"},
                                    {"4", "t::f(Tensor x) -> Tensor"}});
  ASSERT_NE(history, nullptr);
  const Opset& reader = history->newest();
  const struct {
    Origin a;
    Origin b;
    bool match;
  } kRows[] = {
      {{"", ""}, {"", "3"}, true},         {{"", ""}, {"", "unknown"}, true},
      {{"", "2"}, {"", "2"}, true},        {{"", "2"}, {"", "3"}, false},
      {{"1", "3"}, {"", "1"}, false},      {{"1", "3"}, {"", "2"}, true},
      {{"1", "3"}, {"", "3"}, true},       {{"1", "3"}, {"", "4"}, false},
      {{"1", "3"}, {"2", "4"}, true},      {{"1", "2"}, {"2", "4"}, false},
      {{"", "unknown"}, {"", "2"}, false}, {{"unknown", "3"}, {"", "3"}, false},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(OriginsMatch(row.a, row.b, reader), row.match)
        << row.a.after << "-" << row.a.first << " " << row.b.after << "-"
        << row.b.first;
    EXPECT_EQ(OriginsMatch(row.b, row.a, reader), row.match);
  }
}

TEST(OracleBindTest, AnotherHistoryOfTheSameNameIsRefused) {
  const auto ours = MakeHistory({
      {"1", "t::f(Tensor x) -> Tensor"},
      {"2", "t::f(Tensor x, int p=0) -> Tensor"},
      {"3", "t::f(Tensor x, int p=0) -> Tensor"},
  });
  const auto theirs = MakeHistory({
      {"1", "t::f(Tensor x) -> Tensor"},
      {"2", "t::f(Tensor x, int p=1) -> Tensor"},
      {"2-beta", "t::f(Tensor x, int p=1) -> Tensor"},
  });
  const auto fork = MakeHistory({
      {"1", "t::f(Tensor x) -> Tensor"},
      {"1-fork", "t::f(Tensor x, int p=0) -> Tensor"},
  });
  ASSERT_NE(ours, nullptr);
  ASSERT_NE(theirs, nullptr);
  ASSERT_NE(fork, nullptr);
  const std::string text = Forward("%r : Tensor = t::f(%x, p=5)");
  const Runtime reader = RuntimeAt(*ours, "3");
  {
    // A version that the reader knows, with another default.
    const Runtime writer = RuntimeAt(*theirs, "2");
    EXPECT_EQ(Reasons(MakeModule(text, writer), writer, reader),
              "other_history t::f ");
  }
  {
    // An unknown version, but the argument began at one version: the same.
    const Runtime writer = RuntimeAt(*theirs, "2-beta");
    EXPECT_EQ(Reasons(MakeModule(text, writer), writer, reader), "");
  }
  {
    // Two arguments that happen to have one name.
    const Runtime writer = RuntimeAt(*fork, "1-fork");
    EXPECT_EQ(Reasons(MakeModule(text, writer), writer, reader),
              "other_history t::f p");
  }
}

TEST(OracleBindTest, AnUnknownHistoryIsAnUnknownOperator) {
  const auto history = MakeHistory({{"1", "t::f(Tensor x) -> Tensor"}});
  ASSERT_NE(history, nullptr);
  const Runtime writer = RuntimeAt(*history, "1");
  EXPECT_EQ(Reasons(MakeModule(Forward("%r : Tensor = t::f(%x)"), writer),
                    writer, Runtime()),
            "unknown_operator t::f ");
}

// Every reason at once, each named once.
TEST(OracleBindTest, AllReasonsAreReported) {
  const auto history = MakeHistory({
      {"1", "t::f(Tensor x) -> Tensor"},
      {"2",
       "t::f(Tensor x, int p=1, int q=2) -> Tensor\n"
       "t::g(Tensor x) -> Tensor",
       "changes { operator: \"t::f\" neutral_value { argument: \"p\" value: "
       "\"0\" } }\n"},
  });
  ASSERT_NE(history, nullptr);
  Check(*history, {{"2", "1",
                    Forward("%a : Tensor = t::f(%x)\n"
                            "%b : Tensor = t::f(%x, 5, 6)\n"
                            "%r : Tensor = t::g(%b)"),
                    "unknown_argument t::f p, unknown_argument t::f q, "
                    "unknown_operator t::g "}});
}

}  // namespace
}  // namespace oracle
}  // namespace opcompat
