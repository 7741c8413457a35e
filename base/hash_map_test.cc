#include "base/hash_map.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(HashMapTest, FindsWhatWasAdded) {
  HashMap<std::string, int> map = {{"b", 2}, {"a", 1}, {"b", 3}};
  EXPECT_THAT(map, ElementsAre(Pair("b", 2), Pair("a", 1)));
  EXPECT_EQ(map.size(), 2);
  EXPECT_EQ(map.find(absl::string_view("a"))->second, 1);
  EXPECT_EQ(map.find("c"), map.end());
  EXPECT_TRUE(map.contains("b"));
  EXPECT_EQ(map.count("c"), 0);
  map["c"] += 5;
  ++map["c"];
  EXPECT_EQ(map.at("c"), 6);
  EXPECT_FALSE(map.emplace("c", 7).second);
  EXPECT_TRUE(map.try_emplace("d", 8).second);
  EXPECT_FALSE(map.insert({"d", 9}).second);
  EXPECT_EQ(map.at("d"), 8);
  map.clear();
  EXPECT_TRUE(map.empty());
  EXPECT_FALSE(map.contains("a"));
  EXPECT_TRUE(map.emplace("a", 1).second);
}

TEST(HashMapTest, CopiesAndMoves) {
  HashMap<int, std::string> map = {{1, "one"}};
  HashMap<int, std::string> copy = map;
  copy[2] = "two";
  EXPECT_FALSE(map.contains(2));
  const HashMap<int, std::string> moved = std::move(copy);
  EXPECT_EQ(moved.at(2), "two");
  copy = {};
  EXPECT_FALSE(copy.contains(1));
  copy[3] = "three";
  EXPECT_THAT(copy, ElementsAre(Pair(3, "three")));
  HashMap<std::pair<int, int>, int> pairs;
  ++pairs[{1, 2}];
  EXPECT_FALSE(pairs.try_emplace({1, 2}, 5).second);
  EXPECT_EQ(pairs.at({1, 2}), 1);
}

TEST(HashMapTest, ValuesNeedNoCopies) {
  HashMap<int, std::unique_ptr<int>> map;
  map[1] = std::make_unique<int>(10);
  auto value = std::make_unique<int>(20);
  EXPECT_FALSE(map.try_emplace(1, std::move(value)).second);
  ASSERT_NE(value, nullptr);
  EXPECT_TRUE(map.try_emplace(2, std::move(value)).second);
  EXPECT_EQ(*map.at(2), 20);
}

TEST(HashMapTest, AgreesWithAbseils) {
  HashMap<uint64_t, int> map;
  absl::flat_hash_map<uint64_t, int> expected;
  uint64_t state = 1;
  for (int i = 0; i < 20000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const uint64_t key = (state >> 33) % 5000;
    EXPECT_EQ(map.try_emplace(key, i).second,
              expected.try_emplace(key, i).second);
  }
  EXPECT_EQ(map.size(), expected.size());
  for (uint64_t key = 0; key < 6000; ++key) {
    const auto found = expected.find(key);
    ASSERT_EQ(map.contains(key), found != expected.end());
    if (found != expected.end()) {
      EXPECT_EQ(map.at(key), found->second);
    }
  }
}

TEST(HashMapTest, TheOrderDoesNotMatterToEquality) {
  using Map = HashMap<std::string, int>;
  const Map map = {{"a", 1}, {"b", 2}};
  EXPECT_EQ(map, (Map{{"b", 2}, {"a", 1}}));
  EXPECT_NE(map, (Map{{"a", 1}, {"b", 3}}));
  EXPECT_NE(map, (Map{{"a", 1}, {"c", 2}}));
  EXPECT_NE(map, (Map{{"a", 1}}));
  using Set = HashSet<int>;
  EXPECT_EQ((Set{1, 2}), (Set{2, 1}));
  EXPECT_NE((Set{1, 2}), (Set{1, 3}));
  EXPECT_NE((Set{1, 2}), Set{1});
}

// All in one chain, and hashes that differ above the mask only.
struct BadHash {
  size_t operator()(uint32_t key) const { return key % 2 * 0x80000000u; }
};

TEST(HashMapTest, ElementsOfOneHashAreKeptApart) {
  HashMap<uint32_t, uint32_t, BadHash> map;
  for (uint32_t i = 0; i < 100; ++i) EXPECT_TRUE(map.emplace(i, i).second);
  for (uint32_t i = 0; i < 100; ++i) EXPECT_EQ(map.at(i), i);
  EXPECT_FALSE(map.contains(100));
}

TEST(HashSetTest, HasEachElementOnce) {
  HashSet<std::string> set;
  set.reserve(3);
  EXPECT_FALSE(set.contains("a"));
  EXPECT_TRUE(set.insert("b").second);
  EXPECT_TRUE(set.emplace("a").second);
  const std::string again = "b";
  EXPECT_FALSE(set.insert(again).second);
  EXPECT_EQ(*set.find(absl::string_view("a")), "a");
  EXPECT_THAT(set, ElementsAre("b", "a"));
  EXPECT_EQ(set.size(), 2);
  const std::vector<std::string> more = {"c", "a"};
  set.insert(more.begin(), more.end());
  EXPECT_THAT(set, ElementsAre("b", "a", "c"));
  set.clear();
  EXPECT_EQ(set.count("a"), 0);
  HashSet<std::pair<absl::string_view, uint32_t>> pairs;
  EXPECT_TRUE(pairs.emplace("a", 1).second);
  EXPECT_FALSE(pairs.emplace("a", 1).second);
}

}  // namespace
}  // namespace opcompat
