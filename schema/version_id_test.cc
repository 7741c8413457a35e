#include "schema/version_id.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace opcompat {
namespace {

TEST(VersionIdTest, OrdinaryIdsPass) {
  for (const char* id :
       {"1", "1.0.0", "2.6.0", "v3-rc1", "2024_05", "nightly", "1.2+cu118",
        "2.1~rc", "all-of-it", "a:b", "\xc3\xa9"}) {
    EXPECT_EQ(FaultOfVersionId(id), "");
  }
}

TEST(VersionIdTest, AFaultNamesTheCharacterThatAnIdMustNotHave) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "no id"},
      {"all", "every version"},
      {"->", "character `>`"},
      {"1->2", "character `>`"},
      {"a@b", "character `@`"},
      {"../7", "character `/`"},
      {"a\"b", "character `\"`"},
      {"a\\b", "character `\\`"},
      {"a#b", "character `#`"},
      {"a,b", "character `,`"},
      {"a b", "a space"},
      {"a\tb", "character `\\t`"},
      {"a\n", "character `\\n`"},
      {std::string("\0", 1), "character `\\000`"},
      {"\x7f", "character `\\177`"},
  };
  for (const auto& c : cases) {
    EXPECT_THAT(FaultOfVersionId(c.first), ::testing::HasSubstr(c.second));
  }
}

}  // namespace
}  // namespace opcompat
