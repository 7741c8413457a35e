#include "schema/differences/operator_life.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "schema/differences/operator_difference.h"
#include "schema/text/history_file.h"
#include "schema/text/history_text.h"

namespace opcompat {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "2 changed argument_added", one for each version that changed it, with the
// number of declarations where there are some.
std::vector<std::string> Strings(const LoadedHistory& loaded,
                                 const std::string& name) {
  std::vector<std::string> strings;
  const absl::optional<OperatorLife> life =
      LifeOf(*loaded.history, loaded.declared, name);
  if (!life.has_value()) return {"unknown"};
  for (const LifeChange& change : life->changes) {
    std::string line =
        absl::StrCat(loaded.history->versions()[change.version].version(), " ",
                     LifeEventId(change.event));
    for (const Difference& d : change.differences) {
      absl::StrAppend(&line, " ", DifferenceKindId(d.kind));
    }
    if (!change.declared.empty()) {
      absl::StrAppend(&line, " declared ", change.declared.size());
    }
    strings.push_back(line);
  }
  return strings;
}

TEST(OperatorLifeTest, TellsOfEachVersionThatChangedIt) {
  const LoadedHistory loaded = LoadFromText(
      {{"t::a(int x) -> int\nt::z() -> int"},
       {"t::a(int x, int n=0) -> int\nt::z() -> int"},
       {"t::a(int x, int n=0) -> int\nt::z() -> int"},
       {"t::b(int x, int n=0) -> int\nt::z() -> int",
        "changes { operator: 't::b' renamed_from: 't::a' note: 'clearer' }"},
       {"t::z() -> int"},
       {"t::z() -> int"},
       {"t::b(int x, int n=1) -> int\nt::late() -> int"},
       {"t::b(int? x, int n=1) -> int\nt::late() -> int",
        "changes { operator: 't::b' equal_value { argument: 'x' value: 'None' "
        "means: '0' } }"}});
  ASSERT_THAT(FaultStrings(loaded), IsEmpty());
  for (const char* name : {"t::a", "t::b"}) {
    EXPECT_THAT(
        Strings(loaded, name),
        ElementsAre("1 there", "2 changed argument_added",
                    "4 changed operator_renamed declared 1", "5 removed",
                    "7 returned default_changed",
                    "8 changed type_changed equal_values_changed declared 1"));
  }
  EXPECT_THAT(Strings(loaded, "t::z"), ElementsAre("1 there", "7 removed"));
  EXPECT_THAT(Strings(loaded, "t::late"), ElementsAre("7 added"));
  EXPECT_THAT(Strings(loaded, "t::q"), ElementsAre("unknown"));
  const absl::optional<OperatorLife> life =
      LifeOf(*loaded.history, loaded.declared, "t::a");
  EXPECT_THAT(life->names, ElementsAre("t::b", "t::a"));
  EXPECT_EQ(life->changes[2].declared[0]->note, "clearer");
}

TEST(OperatorLifeTest, SuggestsWhatMayBeMeant) {
  const LoadedHistory loaded =
      LoadFromText({{"t::gelu(int x) -> int\nt::add.Tensor() -> "
                     "int\nt::add.Scalar() -> int\n"
                     "t::adder() -> int\nt::gone() -> int"},
                    {"t::gelu(int x) -> int\nt::add.Tensor() -> "
                     "int\nt::add.Scalar() -> int\n"
                     "t::adder() -> int"}});
  ASSERT_THAT(FaultStrings(loaded), IsEmpty());
  EXPECT_THAT(SuggestOperators({loaded.history.get()}, "t::gelo", 3),
              ElementsAre("t::gelu"));
  EXPECT_THAT(SuggestOperators({loaded.history.get()}, "t::add", 3),
              ElementsAre("t::add.Scalar", "t::add.Tensor"));
  EXPECT_THAT(SuggestOperators({loaded.history.get()}, "t::add.tensor", 3),
              ElementsAre("t::add.Tensor", "t::add.Scalar"));
  EXPECT_THAT(SuggestOperators({loaded.history.get()}, "t::gonne", 3),
              ElementsAre("t::gone"));
  EXPECT_THAT(SuggestOperators({loaded.history.get()}, "nothing_like_it", 3),
              IsEmpty());
  EXPECT_THAT(SuggestOperators({loaded.history.get()}, "", 3), IsEmpty());
}

TEST(OperatorLifeTest, SuggestsByTheNameWithoutNamespaceAndOverload) {
  const LoadedHistory one =
      LoadFromText({{"t::relu(int x) -> int\nt::geld() -> int"}});
  const LoadedHistory other = LoadFromText(
      {{"aten::gelu(int x) -> int\naten::gelu.out(int x) -> int\n"
        "nn::gelu.x() -> int\naten::fill_.Scalar() -> int"}});
  const auto suggest = [&](const std::string& name) {
    return SuggestOperators({one.history.get(), other.history.get()}, name, 3);
  };
  // What is called so comes before what is nearly called so, of any history.
  EXPECT_THAT(suggest("gelu"),
              ElementsAre("aten::gelu", "nn::gelu.x", "aten::gelu.out"));
  EXPECT_THAT(suggest("gelu.out"),
              ElementsAre("aten::gelu.out", "nn::gelu.x", "aten::gelu"));
  EXPECT_THAT(suggest("torch::relu"), ElementsAre("t::relu"));
  EXPECT_THAT(suggest("fill_"), ElementsAre("aten::fill_.Scalar"));
  // Nearly so.
  EXPECT_THAT(suggest("rellu"), ElementsAre("t::relu", "aten::gelu"));
  EXPECT_THAT(suggest("zzzzzz"), IsEmpty());
}

}  // namespace
}  // namespace opcompat
