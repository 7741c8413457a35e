// Steps that need a graph, as tables: a module, its writer, its reader or
// target, and either the module that must come out or the reasons to refuse.
#include "compat_matrix/oracle/expand.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "binding/bind_module.h"
#include "compat_matrix/oracle/oracle.h"
#include "compat_matrix/oracle/expand_module.h"
#include "compat_matrix/oracle/testing.h"
#include "deserializer/deserialize.h"
#include "gtest/gtest.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"
#include "ir/verifier.h"
#include "schema/history.h"
#include "schema/opset.h"
#include "serializer/serialize.h"

namespace opcompat {
namespace oracle {
namespace {

struct Row {
  const char* writer;
  const char* written;
  const char* reader;
  // What must come out, at the reader's version; null: refused.
  const char* result;
  // `code operator argument`, if refused.
  const char* reasons = "";
};

enum class As { kReader, kTarget };

std::string ReasonsOf(const Prediction& prediction) {
  std::string reasons;
  for (const Prediction::Refusal& refusal : prediction.refusals) {
    absl::StrAppend(&reasons, reasons.empty() ? "" : ", ", refusal.code, " ",
                    refusal.op, " ", refusal.argument);
  }
  return reasons;
}

// What the library makes of the module; null: refused.
absl::optional<Module> FromLibrary(const Module& module, const Runtime& writer,
                                   const Runtime& reader, bool as_target) {
  if (as_target) {
    BindOptions options;
    options.down_steps = &writer;
    BindResult bound = BindModule(module, reader, options);
    if (!bound.accepted()) return absl::nullopt;
    return std::move(bound.module);
  }
  const absl::StatusOr<std::string> bytes = Serialize(module, writer);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  if (!bytes.ok()) return absl::nullopt;
  absl::StatusOr<Loaded> loaded = Deserialize(*bytes, reader);
  if (!loaded.ok()) return absl::nullopt;
  return std::move(loaded->module);
}

void Check(const std::shared_ptr<const OpsetHistory>& history, As as,
           const std::vector<Row>& rows) {
  ASSERT_NE(history, nullptr);
  const bool as_target = as == As::kTarget;
  for (const Row& row : rows) {
    SCOPED_TRACE(absl::StrCat(row.written, "\nwritten at ", row.writer,
                              as_target ? " for " : ", read at ", row.reader));
    const Runtime writer = RuntimeAt(*history, row.writer);
    const Runtime reader = RuntimeAt(*history, row.reader);
    const Module module = MakeModule(Forward(row.written), writer);
    const Prediction prediction = Predict(module, writer, reader, as_target);
    EXPECT_EQ(prediction.accepted, row.result != nullptr);
    EXPECT_EQ(ReasonsOf(prediction), row.reasons);
    const absl::optional<Module> made =
        FromLibrary(module, writer, reader, as_target);
    EXPECT_EQ(made.has_value(), row.result != nullptr) << "the library";
    if (row.result == nullptr) continue;
    if (made.has_value()) {
      EXPECT_EQ(MeaningDiffers(module, *made, writer, reader, as_target),
                absl::nullopt)
          << "the library";
    }
    EXPECT_EQ(MeaningDiffers(module, MakeModule(Forward(row.result), reader),
                             writer, reader, as_target),
              absl::nullopt);
    Expander expander(reader, &writer, as_target);
    std::vector<RefusedCall> refused;
    const absl::optional<Module> expected =
        ExpectedModule(module, FactsOfFunctions(module), &expander, &refused);
    ASSERT_TRUE(expected.has_value());
    EXPECT_TRUE(Verify(*expected).ok()) << Verify(*expected);
    // What is right elsewhere is wrong here, and so is what was not touched.
    std::vector<const char*> others = {row.written};
    for (const Row& other : rows) others.push_back(other.result);
    for (const char* const other : others) {
      if (other == nullptr || std::string(other) == row.result) continue;
      const absl::StatusOr<Module> wrong = ParseModule(Forward(other), reader);
      // Or it is the right one, spelled otherwise.
      if (!wrong.ok() ||
          !MeaningDiffers(MakeModule(Forward(row.result), reader), *wrong,
                          reader, reader)) {
        continue;
      }
      EXPECT_NE(MeaningDiffers(module, *wrong, writer, reader, as_target),
                absl::nullopt)
          << other;
    }
  }
}

TEST(OracleExpandTest, AnUpgraderMeansWhatItMeantWhenItWasWritten) {
  const auto history = MakeHistory(
      {
          {"1", "t::f(Tensor x) -> Tensor\nt::g(Tensor x, int p=0) -> Tensor"},
          {"2", "t::f(Tensor x) -> Tensor\nt::g(Tensor x, int p=0) -> Tensor",
           Upgraded("t::f", 2, "up")},
          {"3", "t::f(Tensor x) -> Tensor\nt::g(Tensor x, int p=1) -> Tensor"},
      },
      {{"up",
        "func up(%x : Tensor) -> (Tensor):\n  %r : Tensor = t::g(%x)\n"
        "  return (%r)\n"}});
  Check(history, As::kReader,
        {
            {"1", "%r : Tensor = t::f(%x)", "2", "%r : Tensor = t::g(%x)"},
            {"1", "%r : Tensor = t::f(%x)", "3", "%r : Tensor = t::g(%x, 0)"},
            {"2", "%r : Tensor = t::f(%x)", "3", "%r : Tensor = t::f(%x)"},
            {"2", "%r : Tensor = t::f(%x)", "1", nullptr,
             "newer_revision t::f "},
            // Nested ones, in order, with what surrounds them.
            {"1",
             "%a : Tensor = t::f(%x)\n%b : Tensor = t::g(%a, 5)\n"
             "%r : Tensor = t::f(%b)",
             "3",
             "%a : Tensor = t::g(%x, 0)\n%b : Tensor = t::g(%a, 5)\n"
             "%r : Tensor = t::g(%b, 0)"},
        });
  Check(history, As::kTarget,
        {
            {"1", "%r : Tensor = t::f(%x)", "3", "%r : Tensor = t::g(%x, 0)"},
            {"3", "%r : Tensor = t::f(%x)", "1", nullptr,
             "no_downgrader t::f "},
        });
}

// One step after the other, up and down, each with the graph of its version.
TEST(OracleExpandTest, ChainsGoStepByStep) {
  const std::string kOperators =
      "t::f(Tensor x, int m) -> Tensor\nt::neg(Tensor x) -> Tensor\n"
      "t::inv(Tensor x) -> Tensor";
  const auto steps = [](int revision, const char* up, const char* down) {
    return SemanticChange("t::f", revision,
                  absl::StrCat("upgraders { graph: \"", up,
                               "\" } downgraders { graph: \"", down, "\" }"));
  };
  const std::string kNegAfter =
      "func g(%x : Tensor, %m : int) -> (Tensor):\n"
      "  %a : Tensor = t::f(%x, %m)\n  %r : Tensor = t::neg(%a)\n"
      "  return (%r)\n";
  const std::string kInvBefore =
      "func g(%x : Tensor, %m : int) -> (Tensor):\n"
      "  %a : Tensor = t::inv(%x)\n  %r : Tensor = t::f(%a, %m)\n"
      "  return (%r)\n";
  const auto history = MakeHistory(
      {{"1", kOperators},
       {"2", kOperators, steps(2, "neg", "neg")},
       {"3", kOperators, steps(3, "inv", "inv")}},
      {{"neg", kNegAfter}, {"inv", kInvBefore}});
  const std::vector<Row> up = {
      {"1", "%r : Tensor = t::f(%x, 5)", "2",
       "%a : Tensor = t::f(%x, 5)\n%r : Tensor = t::neg(%a)"},
      {"2", "%r : Tensor = t::f(%x, %n)", "3",
       "%a : Tensor = t::inv(%x)\n%r : Tensor = t::f(%a, %n)"},
      {"1", "%r : Tensor = t::f(%x, 5)", "3",
       "%a : Tensor = t::inv(%x)\n%b : Tensor = t::f(%a, 5)\n"
       "%r : Tensor = t::neg(%b)"},
  };
  Check(history, As::kReader, up);
  Check(history, As::kTarget, up);
  Check(history, As::kTarget,
        {{"2", "%r : Tensor = t::f(%x, 5)", "1",
          "%a : Tensor = t::f(%x, 5)\n%r : Tensor = t::neg(%a)"},
         {"3", "%r : Tensor = t::f(%x, 5)", "1",
          "%a : Tensor = t::inv(%x)\n%b : Tensor = t::f(%a, 5)\n"
          "%r : Tensor = t::neg(%b)"}});
}

TEST(OracleExpandTest, UnchangedComesBeforeGraphsAndConditionsInOrder) {
  const std::string kOperators =
      "t::f(Tensor x, int m=0, Scalar s=1) -> Tensor\n"
      "t::one(Tensor x, int m) -> Tensor\nt::two(Tensor x) -> Tensor\n"
      "t::three(Tensor x) -> Tensor";
  const auto graph = [](const char* call) {
    return absl::StrCat(
        "func g(%x : Tensor, %m : int, %s : Scalar) -> (Tensor):\n",
        "  %r : Tensor = ", call, "\n  return (%r)\n");
  };
  const auto history = MakeHistory(
      {{"1", kOperators},
       {"2", kOperators,
        SemanticChange("t::f", 2,
               "unchanged_when { all { argument: \"m\" one_of: \"0\" } } "
               "upgraders { when { all { argument: \"m\" one_of: \"1\" } all { "
               "argument: \"s\" types: \"int\" types: \"float\" } } graph: "
               "\"two\" } "
               "upgraders { when { all { argument: \"m\" one_of: \"1\" one_of: "
               "\"2\" } } graph: \"one\" } "
               "downgraders { when { all { argument: \"s\" one_of: \"1\" } } "
               "graph: \"three\" } "
               "downgraders { when { all { argument: \"s\" types: \"int\" } } "
               "graph: \"two\" }")}},
      {{"one", graph("t::one(%x, %m)")},
       {"two", graph("t::two(%x)")},
       {"three", graph("t::three(%x)")}});
  Check(history, As::kReader,
        {
            {"1", "%r : Tensor = t::f(%x)", "2", "%r : Tensor = t::f(%x, 0)"},
            {"1", "%r : Tensor = t::f(%x, 1, %n)", "2",
             "%r : Tensor = t::two(%x)"},
            {"1", "%r : Tensor = t::f(%x, 1, %d)", "2",
             "%r : Tensor = t::two(%x)"},
            {"1", "%r : Tensor = t::f(%x, 1, 3)", "2",
             "%r : Tensor = t::one(%x, 1)"},
            {"1", "%r : Tensor = t::f(%x, 2, %n)", "2",
             "%r : Tensor = t::one(%x, 2)"},
            {"1", "%r : Tensor = t::f(%x, 3)", "2", nullptr,
             "no_upgrader t::f "},
            {"1", "%r : Tensor = t::f(%x, %n)", "2", nullptr,
             "no_upgrader t::f "},
        });
  Check(history, As::kTarget,
        {
            {"2", "%r : Tensor = t::f(%x, 0, 9)", "1",
             "%r : Tensor = t::f(%x, 0, 9)"},
            {"2", "%r : Tensor = t::f(%x, 4)", "1",
             "%r : Tensor = t::three(%x)"},
            {"2", "%r : Tensor = t::f(%x, 4, %n)", "1",
             "%r : Tensor = t::two(%x)"},
            // Scalar 1.0 is not Scalar 1.
            {"2", "%r : Tensor = t::f(%x, 4, 1.0)", "1", nullptr,
             "no_downgrader t::f "},
        });
}

TEST(OracleExpandTest, AnOperatorThatWentHasAnUpgrader) {
  const auto history = MakeHistory(
      {{"1",
        "t::f(Tensor x, int m=0) -> Tensor\nt::g(Tensor x) -> Tensor\n"
        "t::h(Tensor x, int m) -> Tensor"},
       {"2",
        "t::f(Tensor x, int m=3, int p=0) -> Tensor\nt::g(Tensor x) -> Tensor\n"
        "t::h(Tensor x, int m) -> Tensor"},
       {"3", "t::g(Tensor x) -> Tensor\nt::h(Tensor x, int m) -> Tensor",
        "changes { operator: \"t::f\" removed { "
        "steps { when { all { argument: \"m\" one_of: \"0\" } all { argument: "
        "\"p\" one_of: \"0\" } } graph: \"g\" } "
        "steps { when { all { argument: \"p\" one_of: \"0\" } } graph: \"h\" "
        "} } }\n"},
       {"4", "t::g(Tensor x) -> Tensor\nt::i(Tensor x, int m) -> Tensor",
        "changes { operator: \"t::i\" renamed_from: \"t::h\" }\n"}},
      {{"g",
        "func g(%x : Tensor, %m : int, %p : int) -> (Tensor):\n"
        "  %r : Tensor = t::g(%x)\n  return (%r)\n"},
       {"h",
        "func g(%x : Tensor, %m : int, %p : int) -> (Tensor):\n"
        "  %r : Tensor = t::h(%x, %m)\n  return (%r)\n"}});
  const std::vector<Row> rows = {
      {"1", "%r : Tensor = t::f(%x)", "3", "%r : Tensor = t::g(%x)"},
      {"1", "%r : Tensor = t::f(%x, 1)", "3", "%r : Tensor = t::h(%x, 1)"},
      {"2", "%r : Tensor = t::f(%x)", "3", "%r : Tensor = t::h(%x, 3)"},
      {"2", "%r : Tensor = t::f(%x, %n)", "4", "%r : Tensor = t::i(%x, %n)"},
      {"2", "%r : Tensor = t::f(%x, 0)", "4", "%r : Tensor = t::g(%x)"},
      {"2", "%r : Tensor = t::f(%x, 0, 1)", "3", nullptr,
       "unknown_operator t::f "},
  };
  Check(history, As::kReader, rows);
  Check(history, As::kTarget, rows);
  Check(history, As::kReader,
        {{"4", "%r : Tensor = t::i(%x, 1)", "2", "%r : Tensor = t::h(%x, 1)"}});
}

TEST(OracleExpandTest, AnOperatorThatCameHasADowngrader) {
  const auto history = MakeHistory(
      {{"1", "t::g(Tensor x, int p=0) -> Tensor"},
       {"2", "t::g(Tensor x, int p=7) -> Tensor"},
       {"3",
        "t::g(Tensor x, int p=7) -> Tensor\n"
        "t::f(Tensor x, int m=0) -> Tensor\nt::bare(Tensor x) -> Tensor",
        "changes { operator: \"t::f\" added { steps { when { all { argument: "
        "\"m\" one_of: \"0\" } } graph: \"g\" } } }\n"},
       {"4",
        "t::g(Tensor x, int p=7) -> Tensor\n"
        "t::f(Tensor x, int m=5) -> Tensor\nt::bare(Tensor x) -> Tensor",
        SemanticChange("t::f", 2,
               "unchanged_when { all { argument: \"m\" one_of: \"0\" } } "
               "one_way_up: true one_way_down: true")}},
      {{"g",
        "func g(%x : Tensor, %m : int) -> (Tensor):\n"
        "  %r : Tensor = t::g(%x)\n  return (%r)\n"}});
  Check(history, As::kTarget,
        {
            {"3", "%r : Tensor = t::f(%x)", "2", "%r : Tensor = t::g(%x)"},
            {"3", "%r : Tensor = t::f(%x)", "1", "%r : Tensor = t::g(%x, 7)"},
            {"3", "%r : Tensor = t::f(%x, 1)", "2", nullptr,
             "unknown_operator t::f "},
            {"3", "%r : Tensor = t::bare(%x)", "2", nullptr,
             "unknown_operator t::bare "},
            {"4", "%r : Tensor = t::f(%x, 0)", "2", "%r : Tensor = t::g(%x)"},
            {"4", "%r : Tensor = t::f(%x)", "2", nullptr,
             "no_downgrader t::f "},
        });
  // Only targets: a reader knows nothing of what came later.
  Check(history, As::kReader,
        {{"3", "%r : Tensor = t::f(%x)", "2", nullptr,
          "unknown_operator t::f "}});
}

// Operands stand in a body before it is bound: lists and conditions of
// constants are constants there.
TEST(OracleExpandTest, ConstantsReachTheCallsOfABody) {
  const std::string kOperators =
      "t::f(Tensor(a) x, int n, int k=2) -> Tensor(a)\n"
      "t::list(Tensor x, int[] v) -> Tensor\nt::flag(Tensor x) -> bool";
  const auto history = MakeHistory(
      {{"1", kOperators},
       {"2", kOperators, Upgraded("t::f", 2, "up")},
       {"3", kOperators,
        SemanticChange("t::list", 2,
               "unchanged_when { all { argument: \"v\" one_of: \"[1, 2]\" } } "
               "one_way_up: true one_way_down: true")}},
      {{"up",
        "func up(%x : Tensor, %n : int, %k : int) -> (Tensor):\n"
        "  %l : int[] = prim::ListConstruct(%n, %k)\n"
        "  %b : bool = t::flag(%x)\n"
        "  %r : Tensor = prim::If(%b)\n"
        "    block0():\n"
        "      %t : Tensor = t::list(%x, %l)\n"
        "      -> (%t)\n"
        "    block1():\n"
        "      -> (%x)\n"
        "  return (%r)\n"}});
  const char* const kConstant =
      "%b : bool = t::flag(%x)\n%r : Tensor = prim::If(%b)\n"
      "  block0():\n    %t : Tensor = t::list(%x, [1, 2])\n    -> (%t)\n"
      "  block1():\n    -> (%x)";
  Check(history, As::kReader,
        {
            {"1", "%r : Tensor = t::f(%x, 1)", "2", kConstant},
            {"1", "%r : Tensor = t::f(%x, 1, 2)", "3", kConstant},
            {"1", "%r : Tensor = t::f(%x, 1, %n)", "2",
             "%l2 : int[] = prim::ListConstruct(1, %n)\n"
             "%b : bool = t::flag(%x)\n%r : Tensor = prim::If(%b)\n"
             "  block0():\n    %t : Tensor = t::list(%x, %l2)\n    -> (%t)\n"
             "  block1():\n    -> (%x)"},
            {"1", "%r : Tensor = t::f(%x, 1, 1)", "3", nullptr,
             "no_upgrader t::f "},
            {"1", "%r : Tensor = t::f(%x, 1, %n)", "3", nullptr,
             "no_upgrader t::f "},
        });
}

TEST(OracleExpandTest, ABodyMayReturnAParameterOrAConstant) {
  const std::string kOperators =
      "t::same(Tensor(a) x) -> Tensor(a)\nt::size(Tensor x, int d=4) -> int\n"
      "t::seven(Tensor x) -> int\nt::take(Tensor x, int n) -> Tensor\n"
      "t::any(Tensor x, Any v) -> Tensor";
  const auto history = MakeHistory(
      {{"1", kOperators},
       {"2", kOperators,
        absl::StrCat(
            Upgraded("t::same", 2, "same"), Upgraded("t::size", 2, "size"),
            Upgraded("t::seven", 2, "seven"),
            SemanticChange("t::take", 2,
                   "unchanged_when { all { argument: \"n\" types: \"int\" } } "
                   "one_way_up: true one_way_down: true"))},
       {"3", kOperators,
        SemanticChange("t::take", 3,
               "unchanged_when { all { argument: \"n\" one_of: \"7\" } } "
               "one_way_up: true one_way_down: true")}},
      {{"same", "func g(%x : Tensor) -> (Tensor):\n  return (%x)\n"},
       {"size", "func g(%x : Tensor, %d : int) -> (int):\n  return (%d)\n"},
       {"seven", "func g(%x : Tensor) -> (int):\n  return (7)\n"}});
  Check(history, As::kReader,
        {
            {"1", "%a : Tensor = t::same(%x)\n%r : Tensor = t::take(%a, 3)",
             "2", "%r : Tensor = t::take(%x, 3)"},
            {"1", "%s : int = t::size(%x)\n%r : Tensor = t::take(%x, %s)", "2",
             "%r : Tensor = t::take(%x, 4)"},
            {"1", "%s : int = t::size(%x, %n)\n%r : Tensor = t::take(%x, %s)",
             "2", "%r : Tensor = t::take(%x, %n)"},
            {"1", "%s : int = t::seven(%x)\n%r : Tensor = t::take(%x, %s)", "2",
             "%r : Tensor = t::take(%x, 7)"},
            {"1", "%s : int = t::seven(%x)\n%r : Tensor = t::any(%x, %s)", "2",
             "%r : Tensor = t::any(%x, 7)"},
            // A later call is given a value, whatever that turns out to be.
            {"1", "%s : int = t::seven(%x)\n%r : Tensor = t::take(%x, %s)", "3",
             nullptr, "no_upgrader t::take "},
            {"1", "%r : Tensor = t::take(%x, 7)", "3",
             "%r : Tensor = t::take(%x, 7)"},
        });
}

TEST(OracleExpandTest, AttributesGoToTheNodeOfTheFirstResult) {
  const std::string kOperators =
      "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor\n"
      "t::same(Tensor(a) x) -> Tensor(a)\nt::named(Tensor x) -> Tensor\n"
      "t::flag(Tensor x) -> bool\nt::branch(Tensor(a) x) -> Tensor(a)";
  const auto history = MakeHistory(
      {{"1", kOperators},
       {"2", kOperators,
        absl::StrCat(Upgraded("t::f", 2, "f"), Upgraded("t::same", 2, "same"),
                     Upgraded("t::named", 2, "named"),
                     Upgraded("t::branch", 2, "branch"))}},
      {{"f",
        "func g(%x : Tensor) -> (Tensor):\n  %a : Tensor = t::g(%x)\n"
        "  %r : Tensor = t::g(%a)\n  %c : Tensor = t::g(%r)\n  return (%r)\n"},
       {"same", "func g(%x : Tensor) -> (Tensor):\n  return (%x)\n"},
       {"named",
        "func g(%x : Tensor) -> (Tensor):\n"
        "  %r : Tensor = t::g[n=\"inner\"](%x)\n  return (%r)\n"},
       {"branch",
        "func g(%x : Tensor) -> (Tensor):\n  %b : bool = t::flag(%x)\n"
        "  %r : Tensor = prim::If(%b)\n    block0():\n"
        "      %t : Tensor = t::g(%x)\n      -> (%t)\n"
        "    block1():\n      -> (%x)\n  return (%r)\n"}});
  Check(history, As::kReader,
        {
            {"1", "%r : Tensor = t::f[n=\"w\"](%x)", "2",
             "%a : Tensor = t::g(%x)\n%r : Tensor = t::g[n=\"w\"](%a)\n"
             "%c : Tensor = t::g(%r)"},
            {"1", "%r : Tensor = t::named[m=\"w\"](%x)", "2",
             "%r : Tensor = t::g[m=\"w\", n=\"inner\"](%x)"},
            {"1", "%r : Tensor = t::named[n=\"w\"](%x)", "2", nullptr,
             "no_upgrader t::named "},
            {"1", "%r : Tensor = t::same[n=\"w\"](%x)", "2", nullptr,
             "no_upgrader t::same "},
            {"1", "%r : Tensor = t::branch[n=\"w\"](%x)", "2", nullptr,
             "no_upgrader t::branch "},
        });
}

TEST(OracleExpandTest, ResultsAreDemandedIfTheyAreUsed) {
  const auto history = MakeHistory(
      {{"1",
        "t::f(Tensor x) -> (Tensor, Tensor)\n"
        "t::both(Tensor x) -> (Tensor, Tensor)\n"
        "t::num(Tensor x) -> Scalar\nt::scalar(Tensor x) -> Scalar\n"
        "t::take(Tensor x, Scalar n) -> Tensor\n"
        "t::list(Tensor x, int[] v) -> Tensor"},
       {"2",
        "t::f(Tensor x) -> (Tensor, Tensor)\n"
        "t::both(Tensor x) -> (Tensor, Tensor)\n"
        "t::num(Tensor x) -> Scalar\nt::scalar(Tensor x) -> Scalar\n"
        "t::take(Tensor x, Scalar n) -> Tensor\n"
        "t::list(Tensor x, int[] v) -> Tensor",
        absl::StrCat(Upgraded("t::f", 2, "f"), Upgraded("t::num", 2, "num"))},
       {"3",
        "t::f(Tensor x) -> (Tensor, Tensor)\nt::both(Tensor x) -> Tensor\n"
        "t::num(Tensor x) -> Scalar\nt::scalar(Tensor x) -> Scalar\n"
        "t::take(Tensor x, Scalar n) -> Tensor"}},
      {{"f",
        "func g(%x : Tensor) -> (Tensor, Tensor):\n"
        "  %a : Tensor, %b : Tensor = t::both(%x)\n  return (%a, %b)\n"},
       {"num",
        "func g(%x : Tensor) -> (Scalar):\n  %a : Scalar = t::scalar(%x)\n"
        "  return (%a)\n"}});
  Check(history, As::kReader,
        {
            {"1", "%r : Tensor, %s : Tensor = t::f(%x)", "3",
             "%r : Tensor = t::both(%x)"},
            {"1", "%s : Tensor, %r : Tensor = t::f(%x)", "2",
             "%s : Tensor, %r : Tensor = t::both(%x)"},
            {"1", "%s : Tensor, %r : Tensor = t::f(%x)", "3", nullptr,
             "missing_result t::f "},
            {"1", "%s : Scalar = t::num(%x)\n%r : Tensor = t::take(%x, %s)",
             "2",
             "%s : Scalar = t::scalar(%x)\n%r : Tensor = t::take(%x, %s)"},
            // Declared as less than the body gives: only where that matters.
            {"1", "%s : int = t::num(%x)\n%r : Tensor = t::take(%x, %s)", "2",
             "%s : Scalar = t::scalar(%x)\n%r : Tensor = t::take(%x, %s)"},
            {"1",
             "%s : int = t::num(%x)\n%l2 : int[] = prim::ListConstruct(%s)\n"
             "%r : Tensor = t::list(%x, %l2)",
             "2", nullptr, "type_mismatch  "},
        });
}

// A parameter has the type of what is given, which may say more than the
// argument; a container is written where anything around the body writes it.
TEST(OracleExpandTest, AValueKeepsItsTypeAndItsWriters) {
  const std::string kOperators =
      "t::f(Tensor x, Scalar s) -> Tensor\nt::cat(Tensor[] v) -> Tensor\n"
      "t::append(Tensor[](a!) v, Tensor x) -> Tensor[](a!)\n";
  const auto history = MakeHistory(
      {{"1", kOperators + "t::g(Tensor x, Scalar s) -> Tensor\n"
                          "t::maybe(Tensor[] v) -> Tensor"},
       {"2",
        kOperators + "t::g(Tensor x, Scalar s) -> Tensor\n"
                     "t::maybe(Tensor[] v) -> Tensor",
        Upgraded("t::f", 2, "f") + Upgraded("t::cat", 2, "cat")},
       {"3", kOperators + "t::g(Tensor x, int s) -> Tensor\n"
                          "t::maybe(Tensor?[] v) -> Tensor"}},
      {{"f",
        "func g(%x : Tensor, %s : Scalar) -> (Tensor):\n"
        "  %r : Tensor = t::g(%x, %s)\n  return (%r)\n"},
       {"cat",
        "func g(%v : Tensor[]) -> (Tensor):\n"
        "  %r : Tensor = t::maybe(%v)\n  return (%r)\n"}});
  Check(history, As::kReader,
        {
            {"1", "%r : Tensor = t::f(%x, %n)", "3",
             "%r : Tensor = t::g(%x, %n)"},
            {"1", "%r : Tensor = t::f(%x, 3)", "3",
             "%r : Tensor = t::g(%x, 3)"},
            {"1", "%r : Tensor = t::f(%x, %d)", "3", nullptr,
             "type_mismatch t::f "},
            {"1", "%r : Tensor = t::f(%x, 3.0)", "3", nullptr,
             "value_does_not_fit t::f "},
            {"1",
             "%v : Tensor[] = prim::ListConstruct(%x, %y)\n"
             "%r : Tensor = t::cat(%v)",
             "3",
             "%v : Tensor[] = prim::ListConstruct(%x, %y)\n"
             "%r : Tensor = t::maybe(%v)"},
            {"1",
             "%v : Tensor[] = prim::ListConstruct(%x, %y)\n"
             "%r : Tensor = t::cat(%v)\n"
             "%w : Tensor[] = t::append(%v, %x)",
             "3", nullptr, "type_mismatch t::cat "},
        });
}

TEST(OracleExpandTest, OperandsBehindTheArgumentsTakeNoGraph) {
  const std::string kOperators =
      "t::f(Tensor x, ...) -> Tensor\nt::g(Tensor x) -> Tensor";
  const auto history = MakeHistory(
      {{"1", kOperators}, {"2", kOperators, Upgraded("t::f", 2, "g")}},
      {{"g",
        "func g(%x : Tensor) -> (Tensor):\n  %r : Tensor = t::g(%x)\n"
        "  return (%r)\n"}});
  Check(history, As::kReader,
        {
            {"1", "%r : Tensor = t::f(%x)", "2", "%r : Tensor = t::g(%x)"},
            {"1", "%r : Tensor = t::f(%x, %y)", "2", nullptr,
             "no_upgrader t::f "},
        });
}

// All reasons of one call, and of all calls.
TEST(OracleExpandTest, ReasonsInsideABodyAreThoseOfTheCall) {
  const std::string kOperators =
      "t::f(Tensor x, int n) -> Tensor\nt::k(Tensor x) -> Tensor\n";
  const auto history = MakeHistory(
      {{"1", kOperators + "t::gone(Tensor x) -> Tensor\n"
                          "t::g(Tensor x, int n) -> Tensor"},
       {"2",
        kOperators + "t::gone(Tensor x) -> Tensor\n"
                     "t::g(Tensor x, int n) -> Tensor",
        Upgraded("t::f", 2, "f")},
       {"3", kOperators + "t::g(Tensor x) -> Tensor",
        "changes { operator: \"t::g\" retired_value { argument: \"n\" value: "
        "\"0\" } }\n"}},
      {{"f",
        "func g(%x : Tensor, %n : int) -> (Tensor):\n"
        "  %a : Tensor = t::g(%x, %n)\n  %b : Tensor = t::g(%a, 1)\n"
        "  %r : Tensor = t::gone(%b)\n  return (%r)\n"}});
  Check(history, As::kReader,
        {{"1",
          "%a : Tensor = t::f(%x, 2)\n%b : Tensor = t::gone(%a)\n"
          "%r : Tensor = t::g(%b, 3)",
          "3", nullptr,
          "retired_argument t::f , unknown_operator t::f , unknown_operator "
          "t::gone , retired_argument t::g n"}});
}

// A result that nobody looks at is lost where the operator loses it, before the
// graph is looked at.
TEST(OracleExpandTest, AGraphReturnsTheResultsOfItsOwnSchema) {
  const auto history = MakeHistory(
      {{"1",
        "t::f(Tensor x) -> (Tensor, Tensor)\nt::g(Tensor x) -> Tensor"},
       {"2", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor"},
       {"3", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor",
        Upgraded("t::f", 2, "g")}},
      {{"g",
        "func g(%x : Tensor) -> (Tensor):\n  %r : Tensor = t::g(%x)\n"
        "  return (%r)\n"}});
  Check(history, As::kReader,
        {
            {"1", "%r : Tensor, %s : Tensor = t::f(%x)", "3",
             "%r : Tensor = t::g(%x)"},
            {"1", "%s : Tensor, %r : Tensor = t::f(%x)", "3", nullptr,
             "missing_result t::f "},
        });
}

// A list of a narrower type may not come out where others write to it.
TEST(OracleExpandTest, AResultThatIsWrittenKeepsItsType) {
  const std::string kOperators =
      "t::f(Tensor x) -> Scalar[]\nt::ints(Tensor x) -> int[]\n"
      "t::append(Scalar[](a!) v, Scalar x) -> Scalar[](a!)\n"
      "t::take(Tensor x, Scalar[] v) -> Tensor";
  const auto history = MakeHistory(
      {{"1", kOperators}, {"2", kOperators, Upgraded("t::f", 2, "g")}},
      {{"g",
        "func g(%x : Tensor) -> (int[]):\n  %r : int[] = t::ints(%x)\n"
        "  return (%r)\n"}});
  Check(history, As::kReader,
        {
            {"1", "%v : Scalar[] = t::f(%x)\n%r : Tensor = t::take(%x, %v)",
             "2", "%v : int[] = t::ints(%x)\n%r : Tensor = t::take(%x, %v)"},
            {"1",
             "%v : Scalar[] = t::f(%x)\n"
             "%w : Scalar[] = t::append(%v, 1.5)\n"
             "%r : Tensor = t::take(%x, %v)",
             "2", nullptr, "type_mismatch  "},
        });
}

}  // namespace
}  // namespace oracle
}  // namespace opcompat
