#include "schema/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/status_matchers.h"
#include "schema/opset.h"

namespace opcompat {
namespace {

OpsetHistory ThreeVersions() {
  std::vector<Opset> opsets;
  std::vector<std::string> ids;
  for (const char* id : {"1.7.1", "1.13.1", "2.6.0"}) {
    ids.push_back(id);
    OpsetParts parts;
    parts.name = "torch";
    parts.versions = ids;
    opsets.push_back(*Opset::Create(std::move(parts)));
  }
  return OpsetHistory("torch", {"aten"}, std::move(opsets));
}

TEST(OpsetHistoryTest, GivesTheOpsetOfEachVersion) {
  const OpsetHistory history = ThreeVersions();
  for (const Opset& opset : history.versions()) {
    const absl::StatusOr<Opset> found = history.At(opset.version());
    ASSERT_THAT(found, IsOk());
    EXPECT_EQ(found->versions(), opset.versions());
  }
  EXPECT_EQ(history.newest().version(), "2.6.0");
}

TEST(OpsetHistoryTest, NamesTheVersionsThatThereAre) {
  EXPECT_THAT(ThreeVersions().At("1.8"),
              StatusIs(absl::StatusCode::kNotFound,
                       "the history torch has no version 1.8; it has 1.7.1, "
                       "1.13.1, 2.6.0"));
}

TEST(OpsetHistoryTest, GoesByItsNameAndAliases) {
  EXPECT_TRUE(ThreeVersions().HasName("torch"));
  EXPECT_TRUE(ThreeVersions().HasName("aten"));
  EXPECT_FALSE(ThreeVersions().HasName("onnx"));
}

}  // namespace
}  // namespace opcompat
