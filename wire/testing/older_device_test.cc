// A program with an older compiled history meets files of newer writers: what
// it reads and what it refuses follows docs/compatibility.md, as if it had been
// built from the text.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_matchers.h"
#include "binding/report.h"
#include "deserializer/compiled_history.h"
#include "deserializer/deserialize.h"
#include "ir/text/history_for_testing.h"
#include "ir/text/module_parser.h"
#include "ir/text/module_printer.h"
#include "schema/history.h"
#include "schema/opset.h"
#include "serializer/compile_history.h"
#include "serializer/serialize.h"

namespace opcompat {
namespace {

using ::testing::HasSubstr;

const TextVersion kOld = {"1", R"(
t::blur(Tensor x) -> Tensor
t::scale(Tensor x, int by=1) -> Tensor
t::round(Tensor x, int to=0) -> Tensor
t::sum(Tensor x) -> Tensor
t::pad(Tensor x, int left=0) -> Tensor
)"};

const TextVersion kNew = {"2", R"(
t::blur(Tensor x, str mode="box") -> Tensor
t::scale(Tensor x, int factor=1) -> Tensor
t::round(Tensor x, int to=0) -> Tensor
t::total(Tensor x) -> Tensor
t::pad(Tensor x, int left=2) -> Tensor
t::grain(Tensor x) -> Tensor
)",
                          R"(
changes { operator: "t::scale" renamed_argument { from: "by" to: "factor" } }
changes { operator: "t::total" renamed_from: "t::sum" }
changes {
  operator: "t::round"
  semantic_change {
    revision: 2
    unchanged_when { all { argument: "to" one_of: "0" } }
    upgraders { graph: "round.graph" }
    one_way_down: true
  }
}
)"};

constexpr char kRound[] = R"(
func up(%x : Tensor, %to : int) -> (Tensor):
  %y : Tensor = t::scale(%x, %to)
  %z : Tensor = t::round(%y)
  return (%z)
)";

std::shared_ptr<const OpsetHistory> History(
    const std::vector<TextVersion>& versions) {
  const LoadedHistory loaded = LoadText(versions, {{"round.graph", kRound}});
  for (const HistoryFault& fault : loaded.faults) {
    ADD_FAILURE() << fault.ToString();
  }
  return loaded.history;
}

// What a device has on which the history ended with `versions`.
Runtime Device(const std::vector<TextVersion>& versions) {
  const absl::StatusOr<std::string> bytes = CompileHistory(*History(versions));
  EXPECT_THAT(bytes, IsOk());
  const auto owner = std::make_shared<const std::string>(*bytes);
  const absl::StatusOr<CompiledHistory> history =
      CompiledHistory::Open(*owner, owner);
  EXPECT_THAT(history, IsOk());
  const absl::StatusOr<Opset> opset = history->At(versions.back().id);
  EXPECT_THAT(opset, IsOk());
  return *Runtime::Create({*opset});
}

// A file of version `id` with the call `%y : Tensor = CALL`.
std::string FileWith(absl::string_view call, absl::string_view id) {
  const std::shared_ptr<const OpsetHistory> history = History({kOld, kNew});
  const Runtime writer = *Runtime::Create({*history->At(id)});
  const absl::StatusOr<Module> module = ParseModule(
      absl::StrCat("opset t ", id,
                   "\nfunc forward(%x : Tensor, %n : int) -> (Tensor):\n"
                   "  %y : Tensor = ",
                   call, "\n  return (%y)\n"),
      writer);
  EXPECT_THAT(module, IsOk());
  const absl::StatusOr<std::string> file = Serialize(*module, writer);
  EXPECT_THAT(file, IsOk());
  return *file;
}

struct Case {
  const char* name;
  const char* call;  // in version 2
  // What the device makes of it: the call in version 1, or a word and a part of
  // the reason.
  const char* read = nullptr;
  const char* code = nullptr;
  const char* message = nullptr;
};

class OlderDeviceTest : public ::testing::TestWithParam<Case> {};

TEST_P(OlderDeviceTest, ReadsOrRefusesANewerFile) {
  const std::string file = FileWith(GetParam().call, "2");
  std::vector<Reason> reasons;
  const absl::StatusOr<Loaded> loaded =
      Deserialize(file, Device({kOld}), {}, &reasons);
  if (GetParam().read != nullptr) {
    ASSERT_THAT(loaded, IsOk());
    EXPECT_THAT(
        PrintModule(loaded->module),
        HasSubstr(absl::StrCat("%y : Tensor = ", GetParam().read, "\n")));
    return;
  }
  ASSERT_EQ(reasons.size(), 1) << loaded.status();
  EXPECT_EQ(ReasonCodeName(reasons[0].code), GetParam().code);
  EXPECT_THAT(reasons[0].message, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    All, OlderDeviceTest,
    ::testing::ValuesIn(std::vector<Case>{
        {"ANewArgumentAtItsNeutralValue", "t::blur(%x)", "t::blur(%x)"},
        {"ANewArgumentWrittenAtItsNeutralValue", "t::blur(%x, \"box\")",
         "t::blur(%x)"},
        {"ANewArgumentAtAnotherValue", "t::blur(%x, \"gauss\")", nullptr,
         "unknown_argument", "mode=\"gauss\" is unknown to t 1"},
        {"AnArgumentByItsEarlierName", "t::scale(%x, 3)", "t::scale(%x, 3)"},
        {"AnOperatorByItsEarlierName", "t::total(%x)", "t::sum(%x)"},
        {"AnotherDefaultIsTheWriters", "t::pad(%x)", "t::pad(%x, 2)"},
        {"ARevisionThatMeansTheSame", "t::round(%x, 0)", "t::round(%x)"},
        {"ANewerRevision", "t::round(%x, 1)", nullptr, "newer_revision",
         "t::round"},
        {"AnUnknownOperator", "t::grain(%x)", nullptr, "unknown_operator",
         "t::grain"},
    }),
    [](const auto& info) { return std::string(info.param.name); });

TEST(DeviceTest, AnOlderFileIsUpgradedWithTheGraphInside) {
  const absl::StatusOr<Loaded> loaded =
      Deserialize(FileWith("t::round(%x, 3)", "1"), Device({kOld, kNew}));
  ASSERT_THAT(loaded, IsOk());
  const std::string text = PrintModule(loaded->module);
  EXPECT_THAT(text, HasSubstr("= t::scale(%x, 3)"));
  EXPECT_THAT(text, HasSubstr("= t::round("));
}

}  // namespace
}  // namespace opcompat
