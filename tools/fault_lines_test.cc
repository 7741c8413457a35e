#include "tools/fault_lines.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

TEST(FaultLineTest, APlaceInFrontOfTheMessageJoinsTheFile) {
  const struct {
    std::string message;
    std::string line;
  } kCases[] = {
      {"3:14: found `x`", "f.ops:3:14: found `x`"},
      {"3:14: a:b: c", "f.ops:3:14: a:b: c"},
      {"no place", "f.ops: no place"},
      {"a:1: no place", "f.ops: a:1: no place"},
      {"3: no column", "f.ops: 3: no column"},
      {"", "f.ops: "},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(FaultOf("f.ops", test.message).ToString(), test.line);
  }
}

TEST(FaultLineTest, FaultsAreSortedByPlaceAndMessage) {
  std::vector<FaultLine> faults = {{"f", 2, 1, "a"},
                                   {"f", 1, 9, "b"},
                                   {"f", 1, 2, "d"},
                                   {"f", 1, 2, "c"},
                                   {"f", 0, 0, "e"}};
  SortFaults(&faults);
  std::string order;
  for (const FaultLine& fault : faults) order += fault.message;
  EXPECT_EQ(order, "ecdba");
}

TEST(FaultLineTest, JsonLeavesOutPlacesThatAreNotKnown) {
  EXPECT_EQ(FaultsToJson({{"f", 2, 0, "a"}}).dump(),
            R"([{"file":"f","line":2,"message":"a"}])");
}

}  // namespace
}  // namespace opcompat
