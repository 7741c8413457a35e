// What must not come of a step graph: planted misreads, and calls that no
// graph, or too much of it, would stand for.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "compat_matrix/oracle/oracle.h"
#include "compat_matrix/oracle/expand.h"
#include "compat_matrix/oracle/expand_module.h"
#include "compat_matrix/oracle/identity.h"
#include "compat_matrix/oracle/testing.h"
#include "gtest/gtest.h"
#include "ir/module.h"
#include "schema/history.h"
#include "schema/opset.h"
#include "schema/text/history_file.h"

namespace opcompat {
namespace oracle {
namespace {

struct Misreads {
  const char* name;
  const char* written;
  const char* right;
  std::vector<const char*> wrong;
};

TEST(OracleExpandMisreadsTest, PlantedMisreadsAreReported) {
  const std::string kOperators =
      "t::f(Tensor x, Tensor y, int n=1) -> Tensor\n"
      "t::two(Tensor(a) x) -> (Tensor, Tensor(a))\n"
      "t::sub(Tensor x, Tensor y) -> Tensor\nt::flag(Tensor x) -> bool\n";
  const auto history =
      MakeHistory({{"1", kOperators + "t::g(Tensor x, int p=0) -> Tensor"},
                   {"2", kOperators + "t::g(Tensor x, int p=0) -> Tensor",
                    Upgraded("t::f", 2, "f") + Upgraded("t::two", 2, "two")},
                   {"3", kOperators + "t::g(Tensor x, int p=1) -> Tensor"}},
                  {{"f",
                    "func g(%x : Tensor, %y : Tensor, %n : int) -> (Tensor):\n"
                    "  %a : Tensor = t::g(%x)\n  %b : Tensor = t::g(%y, %n)\n"
                    "  %r : Tensor = t::sub(%a, %b)\n  return (%r)\n"},
                   {"two",
                    "func g(%x : Tensor) -> (Tensor, Tensor):\n"
                    "  %a : Tensor = t::g(%x)\n  return (%a, %x)\n"}});
  ASSERT_NE(history, nullptr);
  const Runtime writer = RuntimeAt(*history, "1");
  const Runtime reader = RuntimeAt(*history, "3");
  for (const Misreads& row : std::vector<Misreads>{
           {"the body follows the reader's default, or the call's",
            "%r : Tensor = t::f(%x, %y)",
            "%a : Tensor = t::g(%x, 0)\n%b : Tensor = t::g(%y, 1)\n"
            "%r : Tensor = t::sub(%a, %b)",
            {"%a : Tensor = t::g(%x)\n%b : Tensor = t::g(%y, 1)\n"
             "%r : Tensor = t::sub(%a, %b)",
             "%a : Tensor = t::g(%x, 0)\n%b : Tensor = t::g(%y, 0)\n"
             "%r : Tensor = t::sub(%a, %b)",
             "%a : Tensor = t::g(%x, 0)\n%b : Tensor = t::g(%y, %n)\n"
             "%r : Tensor = t::sub(%a, %b)"}},
           {"parameters or results of the body are taken for others",
            "%r : Tensor = t::f(%x, %y)",
            "%a : Tensor = t::g(%x, 0)\n%b : Tensor = t::g(%y, 1)\n"
            "%r : Tensor = t::sub(%a, %b)",
            {"%a : Tensor = t::g(%y, 0)\n%b : Tensor = t::g(%x, 1)\n"
             "%r : Tensor = t::sub(%a, %b)",
             "%a : Tensor = t::g(%x, 0)\n%b : Tensor = t::g(%y, 1)\n"
             "%r : Tensor = t::sub(%b, %a)",
             "%a : Tensor = t::g(%x, 0)\n%r : Tensor = t::g(%y, 1)\n"
             "%b : Tensor = t::sub(%a, %r)"}},
           {"a node of the body is lost, added or moved",
            "%r : Tensor = t::f(%x, %y)",
            "%a : Tensor = t::g(%x, 0)\n%b : Tensor = t::g(%y, 1)\n"
            "%r : Tensor = t::sub(%a, %b)",
            {"%a : Tensor = t::g(%x, 0)\n%r : Tensor = t::sub(%a, %y)",
             "%a : Tensor = t::g(%x, 0)\n%b : Tensor = t::g(%y, 1)\n"
             "%r : Tensor = t::sub(%a, %b)\n%c : bool = t::flag(%x)",
             "%b : Tensor = t::g(%y, 1)\n%a : Tensor = t::g(%x, 0)\n"
             "%r : Tensor = t::sub(%a, %b)"}},
           {"results of the call are exchanged",
            "%a : Tensor, %b : Tensor = t::two(%x)\n"
            "%r : Tensor = t::sub(%a, %b)",
            "%a : Tensor = t::g(%x, 0)\n%r : Tensor = t::sub(%a, %x)",
            {"%a : Tensor = t::g(%x, 0)\n%r : Tensor = t::sub(%x, %a)",
             "%a : Tensor = t::g(%x, 0)\n%r : Tensor = t::sub(%a, %a)",
             "%a : Tensor = t::g(%x, 0)\n%r : Tensor = t::sub(%x, %x)"}},
       }) {
    SCOPED_TRACE(row.name);
    const Module original = MakeModule(Forward(row.written), writer);
    EXPECT_EQ(MeaningDiffers(original, MakeModule(Forward(row.right), reader),
                             writer, reader),
              absl::nullopt);
    for (const char* const wrong : row.wrong) {
      EXPECT_NE(MeaningDiffers(original, MakeModule(Forward(wrong), reader),
                               writer, reader),
                absl::nullopt)
          << wrong;
    }
  }
}

// A history whose graphs nobody read.
TEST(OracleExpandLimitsTest, AGraphWithoutABodyRefuses) {
  const std::map<std::string, std::string> files = {
      {"history.textproto",
       absl::StrCat("name: \"t\" versions { id: \"1\" operators: \"1.ops\" } "
                    "versions { id: \"2\" operators: \"2.ops\" ",
                    Upgraded("t::f", 2, "g"), "}")},
      {"g", ""},
      {"1.ops", "opset t 1\nt::f(Tensor x) -> Tensor\n"},
      {"2.ops", "opset t 2\nt::f(Tensor x) -> Tensor\n"}};
  const LoadedHistory loaded =
      ReadHistory("history.textproto",
                  [&](const std::string& path) -> absl::StatusOr<std::string> {
                    const auto found = files.find(path);
                    if (found == files.end()) return absl::NotFoundError(path);
                    return found->second;
                  });
  ASSERT_NE(loaded.history, nullptr);
  const Runtime writer = RuntimeAt(*loaded.history, "1");
  const Prediction prediction =
      Predict(MakeModule(Forward("%r : Tensor = t::f(%x)"), writer), writer,
              RuntimeAt(*loaded.history, "2"));
  ASSERT_EQ(prediction.refusals.size(), 1u);
  EXPECT_EQ(prediction.refusals[0].code, "no_upgrader");
}

// Every version writes a call of the one before as a hundred.
TEST(OracleExpandLimitsTest, ACallThatGrowsTooLargeIsRefused) {
  std::string body = "func g(%x : Tensor) -> (Tensor):\n";
  for (int i = 0; i < 100; ++i) {
    absl::StrAppend(&body, "  %v", i, " : Tensor = t::f(",
                    i == 0 ? "%x" : absl::StrCat("%v", i - 1), ")\n");
  }
  absl::StrAppend(&body, "  return (%v99)\n");
  std::vector<TextVersion> versions;
  for (int v = 1; v <= 4; ++v) {
    versions.push_back({absl::StrCat(v), "t::f(Tensor x) -> Tensor",
                        v == 1 ? "" : Upgraded("t::f", v, "g")});
  }
  const auto history = MakeHistory(versions, {{"g", body}});
  ASSERT_NE(history, nullptr);
  const Runtime writer = RuntimeAt(*history, "1");
  const Module module = MakeModule(
      Forward("%a : Tensor = t::f(%x)\n%r : Tensor = t::f(%a)"), writer);
  // The limit is of one call, not of the module.
  for (const auto& [reader_id, is_refused] :
       {std::make_pair("3", false), std::make_pair("4", true)}) {
    const Runtime reader = RuntimeAt(*history, reader_id);
    Expander expander(reader, &writer, /*as_target=*/false, {15000, 200});
    std::vector<RefusedCall> refused;
    const absl::optional<Module> expected =
        ExpectedModule(module, FactsOfFunctions(module), &expander, &refused);
    EXPECT_EQ(expected.has_value(), !is_refused) << reader_id;
    if (is_refused) {
      ASSERT_EQ(refused.size(), 2u);
      EXPECT_EQ(refused[1].problem, (Problem{"limit", ""}));
    }
  }
}

TEST(OracleExpandLimitsTest, BodiesNestOnlySoDeep) {
  std::vector<TextVersion> versions;
  for (int v = 1; v <= 203; ++v) {
    versions.push_back({absl::StrCat(v), "t::f(Tensor x) -> Tensor",
                        v == 1 ? "" : Upgraded("t::f", v, "g")});
  }
  const auto history =
      MakeHistory(versions, {{"g",
                              "func g(%x : Tensor) -> (Tensor):\n"
                              "  %r : Tensor = t::f(%x)\n  return (%r)\n"}});
  ASSERT_NE(history, nullptr);
  const auto predict = [&](const char* writer_id, const char* reader_id) {
    const Runtime writer = RuntimeAt(*history, writer_id);
    return Predict(MakeModule(Forward("%r : Tensor = t::f(%x)"), writer),
                   writer, RuntimeAt(*history, reader_id));
  };
  EXPECT_TRUE(predict("1", "201").accepted);
  EXPECT_TRUE(predict("2", "202").accepted);
  const Prediction too_deep = predict("1", "202");
  ASSERT_EQ(too_deep.refusals.size(), 1u);
  EXPECT_EQ(too_deep.refusals[0].code, "limit");
}

}  // namespace
}  // namespace oracle
}  // namespace opcompat
