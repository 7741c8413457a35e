#include "tools/difference_lines.h"

#include <gtest/gtest.h>

#include <vector>

#include "schema/differences/operator_difference.h"

namespace opcompat {
namespace {

const std::vector<Difference>& Differences() {
  static const auto* const kDifferences = new std::vector<Difference>{
      {DifferenceKind::kOperatorAdded, "t::g", "", "", "t::g() -> int"},
      {DifferenceKind::kTypeChanged, "t::f", "a", "int", "int?"},
      {DifferenceKind::kDefaultChanged, "t::f", "a", "", "None"},
      {DifferenceKind::kDefaultChanged, "t::h", "s", "\"\x1b[1m\"", ""},
  };
  return *kDifferences;
}

TEST(DifferenceLinesTest, GroupsByKindWithCounts) {
  EXPECT_EQ(DifferencesText(Differences(), false),
            "operators added: 1\n"
            "  + t::g() -> int\n"
            "types changed: 1\n"
            "  t::f a: int -> int?\n"
            "defaults changed: 2\n"
            "  t::f a: required -> None\n"
            "  t::h s: \"\\x1b[1m\" -> required\n");
  EXPECT_EQ(DifferenceCountsText(Differences()),
            "operators added: 1\ntypes changed: 1\ndefaults changed: 2\n");
  EXPECT_EQ(DifferencesText({}, true), "");
  EXPECT_EQ(DifferenceCountsText({}), "");
}

TEST(DifferenceLinesTest, TheOldPartIsRedAndTheNewOneGreen) {
  EXPECT_EQ(BeforeAndAfter(Differences()[0], true),
            "\x1b[32m+ t::g() -> int\x1b[0m");
  EXPECT_EQ(BeforeAndAfter(Differences()[1], true),
            "\x1b[31mint\x1b[0m -> \x1b[32mint?\x1b[0m");
  EXPECT_EQ(
      BeforeAndAfter(
          {DifferenceKind::kArgumentRemoved, "t::f", "b", "int b", ""}, true),
      "\x1b[31m- int b\x1b[0m");
}

TEST(DifferenceLinesTest, AsJson) {
  EXPECT_EQ(DifferenceCountsToJson(Differences()).dump(),
            R"({"operator_added":1,"type_changed":1,"default_changed":2})");
  EXPECT_EQ(DifferencesToJson({Differences()[2]}).dump(),
            R"([{"kind":"default_changed","operator":"t::f","argument":"a",)"
            R"("after":"None"}])");
  EXPECT_EQ(DifferencesToJson({}).dump(), "[]");
}

}  // namespace
}  // namespace opcompat
