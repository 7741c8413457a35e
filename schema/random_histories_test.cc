// What is known of arguments that come and go at random, with and without gaps,
// against a scan of the versions that shares no code with the builder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "schema/text/history_text.h"

namespace opcompat {
namespace {

// What one version of a random history does.
struct RandomVersion {
  bool gap, added_neutral, removed_retired;
  // Defaults of the arguments p0, p1, ... that it has.
  std::map<int, int> defaults;
};

std::vector<RandomVersion> RandomVersions(std::mt19937* random) {
  const auto below = [random](unsigned n) { return (*random)() % n; };
  std::vector<RandomVersion> versions(2 + below(5));
  for (RandomVersion& version : versions) {
    version.gap = below(3) == 0;
    version.added_neutral = below(2) == 0;
    version.removed_retired = below(2) == 0;
    for (int p = 0; p < 5; ++p) {
      if (below(2) == 0) version.defaults[p] = below(3);
    }
  }
  return versions;
}

std::vector<VersionText> TextOf(const std::vector<RandomVersion>& versions) {
  std::vector<VersionText> text;
  for (const RandomVersion& version : versions) {
    std::string schema = "t::f(int x";
    for (const auto& p : version.defaults) {
      absl::StrAppend(&schema, ", int p", p.first, "=", p.second);
    }
    text.push_back({schema + ") -> int"});
    if (version.gap) {
      text.back().declarations = absl::StrCat(
          "gap { added_defaults_are_neutral: ", version.added_neutral,
          " removed_defaults_are_retired: ", version.removed_retired, " }");
    }
  }
  return text;
}

// What version `last` must know of argument p, found by looking at the
// versions one by one: the line of Describe(), empty if it does not know it.
std::string ScanFor(const std::vector<RandomVersion>& versions, size_t last,
                    int p) {
  std::string origin, neutral, retired;
  for (size_t i = 0; i <= last; ++i) {
    const RandomVersion& now = versions[i];
    const bool has = now.defaults.count(p) > 0;
    const bool had = i > 0 && versions[i - 1].defaults.count(p) > 0;
    if (has && origin.empty()) {
      origin = i == 0    ? "base"
               : now.gap ? absl::StrCat("(", i, ", ", i + 1, "]")
                         : absl::StrCat(i + 1);
      if (i > 0 && (!now.gap || now.added_neutral)) {
        neutral = absl::StrCat(", neutral ", now.defaults.at(p), " : int");
      }
    }
    if (has) retired.clear();
    if (had && !has) {
      retired = now.gap && !now.removed_retired
                    ? ", retired none"
                    : absl::StrCat(", retired ", versions[i - 1].defaults.at(p),
                                   " : int");
    }
  }
  if (origin.empty()) return "";
  return absl::StrCat("  p", p, " from ", origin, neutral, retired);
}

TEST(RandomHistoriesTest, KnowOfEachArgumentWhatAScanOfTheVersionsFinds) {
  std::mt19937 random(20260730);
  for (int round = 0; round < 300; ++round) {
    const std::vector<RandomVersion> versions = RandomVersions(&random);
    const LoadedHistory loaded = LoadFromText(TextOf(versions));
    ASSERT_NE(loaded.history, nullptr);
    for (size_t i = 0; i < versions.size(); ++i) {
      const std::string known =
          DescribeVersion(*loaded.history, absl::StrCat(i + 1));
      const std::vector<std::string> lines = absl::StrSplit(known, '\n');
      std::vector<std::string> expected = {"  x from base"};
      for (int p = 0; p < 5; ++p) {
        const std::string line = ScanFor(versions, i, p);
        if (!line.empty()) expected.push_back(line);
      }
      // The first line is the schema, the last is empty.
      EXPECT_THAT(std::vector<std::string>(lines.begin() + 1, lines.end() - 1),
                  ::testing::UnorderedElementsAreArray(expected))
          << "round " << round << " version " << i + 1;
    }
  }
}

}  // namespace
}  // namespace opcompat
