#include "schema/differences/name_similarity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace opcompat {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(NameSimilarityTest, EditDistanceCountsLetters) {
  EXPECT_EQ(EditDistance("", ""), 0);
  EXPECT_EQ(EditDistance("abc", ""), 3);
  EXPECT_EQ(EditDistance("", "abc"), 3);
  EXPECT_EQ(EditDistance("gelu", "gelu"), 0);
  EXPECT_EQ(EditDistance("gelu", "gleu"), 1);  // exchanged
  EXPECT_EQ(EditDistance("gelu", "gel"), 1);
  EXPECT_EQ(EditDistance("gelu", "relu"), 1);
  EXPECT_EQ(EditDistance("minium_value", "minimum_value"), 1);
}

TEST(NameSimilarityTest, IsTheSameBothWays) {
  const char* const names[] = {"",     "grad",        "grad_output", "_0",
                               "self", "self_tensor", "mean_dy",     "sum_dy"};
  for (const char* a : names) {
    EXPECT_EQ(NameSimilarity(a, a), 1);
    for (const char* b : names) {
      EXPECT_EQ(NameSimilarity(a, b), NameSimilarity(b, a));
      EXPECT_GE(NameSimilarity(a, b), 0);
      EXPECT_LE(NameSimilarity(a, b), 1);
    }
  }
  EXPECT_GE(NameSimilarity("grad", "grad_output"), 0.5);
  EXPECT_LT(NameSimilarity("dense", "mat2"), 0.3);
}

TEST(NameSimilarityTest, TheNearestNameIsFirst) {
  const std::vector<std::string> names = {"aten::relu", "aten::gelu",
                                          "aten::gelu_", "aten::add.Tensor"};
  EXPECT_THAT(NearestNames("aten::glu", names, 2),
              ElementsAre("aten::gelu", "aten::gelu_"));
  EXPECT_THAT(NearestNames("aten::add.tensor", names, 5),
              ElementsAre("aten::add.Tensor"));
  EXPECT_THAT(NearestNames("frobnicate", names, 5), IsEmpty());
}

}  // namespace
}  // namespace opcompat
