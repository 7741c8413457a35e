#include "tools/later.h"

#include "gtest/gtest.h"

namespace opcompat {
namespace {

TEST(LaterTest, OnlyWhatIsToComeIsNotAvailableYet) {
  EXPECT_EQ(NotAvailableYet({}), "");
  EXPECT_EQ(NotAvailableYet({"matrix"}), "");
  EXPECT_EQ(NotAvailableYet({"frobnicate"}), "");
  EXPECT_EQ(NotAvailableYet({"check", "torch"}), "");
  EXPECT_EQ(NotAvailableYet({"log", "aten::add"}), "");
  EXPECT_EQ(NotAvailableYet({"reduce", "x"}), "reduce");
  EXPECT_EQ(NotAvailableYet({"matrix", "--quiet", "--simulate=5"}), "");
  EXPECT_EQ(NotAvailableYet({"merge", "reduce"}), "");
  EXPECT_EQ(NotAvailableYet({"matrix", "--simulated"}), "");
  EXPECT_EQ(NotAvailableYet({"history", "x", "--compile"}), "");
  EXPECT_EQ(NotAvailableYet({"convert", "x", "--compile"}), "");
  EXPECT_EQ(NotAvailableYet({"readers", "--", "log"}), "");
  EXPECT_EQ(NotAvailableYet({"matrix", "--", "--seed"}), "");
}

}  // namespace
}  // namespace opcompat
