#include "tools/histories.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "base/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

using testing::HasSubstr;

// Two histories that ship, `left` (also called `l`) with the versions 1 and 2,
// `right` with 1; and one that does not.
class HistoriesTest : public testing::Test {
 protected:
  HistoriesTest() : root_(absl::StrCat(testing::TempDir(), "/XXXXXX")) {
    EXPECT_NE(mkdtemp(&root_[0]), nullptr);
    MakeDirectory("shipped");
    AddHistory("shipped/left", "left", {"1", "2"}, "aliases: \"l\"\n");
    AddHistory("shipped/right", "right", {"1"}, "");
    AddHistory("own", "own", {"1", "9"}, "");
    MakeDirectory("shipped/no_history");
    histories_.emplace(Path("shipped"));
  }

  std::string Path(const std::string& name) const {
    return absl::StrCat(root_, "/", name);
  }
  void MakeDirectory(const std::string& name) const {
    EXPECT_EQ(mkdir(Path(name).c_str(), 0755), 0);
  }
  void AddHistory(const std::string& directory, const std::string& name,
                  const std::vector<std::string>& versions,
                  const std::string& more) const {
    MakeDirectory(directory);
    std::string text = absl::StrCat("name: \"", name, "\"\n", more);
    for (const std::string& version : versions) {
      absl::StrAppend(&text, "versions { id: \"", version, "\" operators: \"",
                      version, ".ops\" }\n");
      std::ofstream(Path(absl::StrCat(directory, "/", version, ".ops")))
          << "opset " << name << " " << version << "\n"
          << name << "::f(Tensor x) -> Tensor\n";
    }
    std::ofstream(Path(directory + "/history.textproto")) << text;
  }

  // The runtime that a command line with these flags has for a module with
  // these opset lines, or the error.
  std::string Choose(const std::vector<std::string>& history_flags,
                     const std::vector<std::string>& version_flags,
                     const std::vector<OpsetVersion>& opsets) {
    const absl::StatusOr<RuntimeChoice> choice =
        ChooseRuntime(*histories_, {history_flags, version_flags}, opsets);
    return choice.ok() ? choice->ToString()
                       : std::string(choice.status().message());
  }

  std::string root_;
  absl::optional<Histories> histories_;
};

TEST_F(HistoriesTest, ShippedNamesAreTheDirectoriesWithAHistory) {
  EXPECT_THAT(histories_->ShippedNames(),
              testing::ElementsAre("left", "right"));
  EXPECT_TRUE(Histories("").ShippedNames().empty());
  EXPECT_TRUE(Histories("/no/such/place").ShippedNames().empty());
}

TEST_F(HistoriesTest, NamesDirectoriesAndFilesAllLoad) {
  for (const std::string& name : {std::string("left"), Path("shipped/left"),
                                  Path("shipped/left/history.textproto")}) {
    const absl::StatusOr<HistoryPtr> history = histories_->Load(name);
    ASSERT_THAT(history, IsOk()) << name;
    EXPECT_EQ((*history)->name(), "left");
  }
}

TEST_F(HistoriesTest, AHistoryIsOneByWhateverPathItIsNamed) {
  ASSERT_EQ(symlink("left", Path("shipped/link").c_str()), 0);
  const absl::StatusOr<HistoryPtr> left = histories_->Load("left");
  ASSERT_THAT(left, IsOk());
  std::vector<std::string> all = {"left"};
  for (const char* path :
       {"shipped/left", "shipped/left/", "shipped/left/history.textproto",
        "shipped/./left", "shipped/right/../left", "shipped/link"}) {
    all.push_back(Path(path));
    const absl::StatusOr<HistoryPtr> same = histories_->Load(all.back());
    ASSERT_THAT(same, IsOk()) << path;
    EXPECT_EQ(*same, *left) << path;
  }
  const absl::StatusOr<std::vector<HistoryPtr>> chosen =
      ChooseHistories(*histories_, {all, {}}, {});
  ASSERT_THAT(chosen, IsOk());
  EXPECT_THAT(*chosen, testing::ElementsAre(*left));
}

TEST_F(HistoriesTest, ShippedHistoriesAreFoundByAlias) {
  const absl::StatusOr<HistoryPtr> history = histories_->LoadShipped("l");
  ASSERT_THAT(history, IsOk());
  EXPECT_EQ((*history)->name(), "left");
  EXPECT_THAT(histories_->LoadShipped("own"),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("only left, right; give it with --history")));
}

TEST_F(HistoriesTest,
       FaultsOfAHistoryAreMarkedAndAMissingOneNamesThoseThatShip) {
  std::ofstream(Path("shipped/right/1.ops")) << "nonsense\n";
  const absl::Status faults = histories_->Load("right").status();
  EXPECT_TRUE(faults.GetPayload(kHistoryFaultsPayload).has_value());
  const absl::Status missing = histories_->Load("middle").status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_FALSE(missing.GetPayload(kHistoryFaultsPayload).has_value());
  EXPECT_THAT(std::string(missing.message()), HasSubstr("left, right"));
}

TEST(FindShippedHistoriesTest, TheEnvironmentComesFirst) {
  ASSERT_EQ(setenv("OPCOMPAT_OPSETS", "/some/place", 1), 0);
  EXPECT_EQ(FindShippedHistories(), "/some/place");
  ASSERT_EQ(unsetenv("OPCOMPAT_OPSETS"), 0);
  EXPECT_NE(FindShippedHistories(), "/some/place");
}

TEST(VersionChoiceTest, AnIdMayHaveAHistoryBeforeIt) {
  const absl::StatusOr<VersionChoice> bare = ParseVersionChoice("2.6.0");
  ASSERT_THAT(bare, IsOk());
  EXPECT_EQ(bare->history, "");
  EXPECT_EQ(bare->id, "2.6.0");
  const absl::StatusOr<VersionChoice> full = ParseVersionChoice("torch@2.6.0");
  ASSERT_THAT(full, IsOk());
  EXPECT_EQ(full->history, "torch");
  EXPECT_EQ(full->id, "2.6.0");
  for (const char* bad : {"", "@", "@1", "torch@"}) {
    EXPECT_FALSE(ParseVersionChoice(bad).ok()) << bad;
  }
}

TEST_F(HistoriesTest, FlagsComeBeforeTheModuleAndTheModuleBeforeTheNewest) {
  // Histories: given, named, all.
  EXPECT_EQ(Choose({}, {}, {}), "left 2, right 1");
  EXPECT_EQ(Choose({}, {}, {{"left", "1"}}), "left 1");
  EXPECT_EQ(Choose({}, {}, {{"l", "1"}}), "left 1");
  EXPECT_EQ(Choose({}, {}, {{"right", "1"}, {"left", "1"}}), "left 1, right 1");
  EXPECT_EQ(Choose({"right"}, {}, {{"left", "1"}}), "right 1");
  EXPECT_EQ(Choose({Path("own"), "left"}, {}, {{"left", "1"}}),
            "left 1, own 9");
  EXPECT_EQ(Choose({"left", "left"}, {}, {}), "left 2");
  // Versions.
  EXPECT_EQ(Choose({"left"}, {"1"}, {{"left", "2"}}), "left 1");
  EXPECT_EQ(Choose({}, {"2"}, {{"left", "1"}}), "left 2");
  EXPECT_EQ(Choose({}, {"left@1"}, {}), "left 1, right 1");
  EXPECT_EQ(Choose({}, {"right@1"}, {{"left", "1"}}), "left 1, right 1");
  EXPECT_EQ(Choose({"left", "right"}, {"l@1"}, {}), "left 1, right 1");
}

TEST_F(HistoriesTest, WhatFlagsCannotMeanIsSaid) {
  EXPECT_THAT(Choose({}, {"1"}, {}), HasSubstr("say which"));
  EXPECT_THAT(Choose({"left"}, {"7"}, {}), HasSubstr("--version=7"));
  EXPECT_THAT(Choose({"left"}, {"right@1"}, {}),
              HasSubstr("no history right is in use"));
  EXPECT_THAT(Choose({"left"}, {"1", "2"}, {}),
              HasSubstr("another version of left"));
  EXPECT_THAT(Choose({}, {}, {{"left", "7"}}),
              HasSubstr("opset left 7 of the module"));
  EXPECT_THAT(Choose({}, {}, {{"own", "1"}}), HasSubstr("--history=FILE"));
}

TEST_F(HistoriesTest, TwoHistoriesOfOneNameAreRefused) {
  AddHistory("other", "left", {"5"}, "");
  EXPECT_THAT(Choose({"left", Path("other")}, {}, {}),
              HasSubstr("two different histories are called left"));
}

TEST_F(HistoriesTest, ReadersOfAnUnknownVersionAreTheNewest) {
  const absl::StatusOr<RuntimeChoice> choice =
      ChooseReaders(*histories_, {{"left"}, {}}, {{"left", "7"}});
  ASSERT_THAT(choice, IsOk());
  EXPECT_EQ(choice->ToString(), "left 2");
}

TEST_F(HistoriesTest, TargetsReplaceTheVersionsOfTheirHistories) {
  const absl::StatusOr<RuntimeChoice> base = ChooseRuntime(*histories_, {}, {});
  ASSERT_THAT(base, IsOk());
  const absl::StatusOr<RuntimeChoice> target =
      WithVersions(*base, {"left@1"}, "--target");
  ASSERT_THAT(target, IsOk());
  EXPECT_EQ(target->ToString(), "left 1, right 1");
  EXPECT_EQ(target->runtime.FindOpset("left")->version(), "1");
  EXPECT_THAT(WithVersions(*base, {"left@1", "left@2"}, "--as"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("another version of left")));
}

TEST_F(HistoriesTest, SeveralTargetsAreEveryCombination) {
  AddHistory("shipped/third", "third", {"5", "6", "7"}, "");
  const absl::StatusOr<RuntimeChoice> base =
      ChooseRuntime(*histories_, {{"left", "third"}, {"third@6"}}, {});
  ASSERT_THAT(base, IsOk());
  const auto made = [&](const std::vector<std::string>& choices) {
    const absl::StatusOr<std::vector<RuntimeChoice>> targets =
        WithVersionSets(*base, choices, "--target");
    if (!targets.ok()) return std::string(targets.status().message());
    std::vector<std::string> names;
    for (const RuntimeChoice& target : *targets) {
      names.push_back(target.ToString());
    }
    return absl::StrJoin(names, "; ");
  };
  EXPECT_EQ(made({}), "left 2, third 6");
  EXPECT_EQ(made({"left@1"}), "left 1, third 6");
  // Oldest first, whatever the order of the flags; none twice.
  EXPECT_EQ(made({"left@2", "left@1", "left@2"}),
            "left 1, third 6; left 2, third 6");
  EXPECT_EQ(made({"third@all", "left@1"}),
            "left 1, third 5; left 1, third 6; left 1, third 7");
  EXPECT_EQ(made({"left@all", "third@7", "third@5"}),
            "left 1, third 5; left 2, third 5; left 1, third 7; "
            "left 2, third 7");
  EXPECT_EQ(made({"all"}),
            "left 1, third 5; left 2, third 5; left 1, third 6; "
            "left 2, third 6; left 1, third 7; left 2, third 7");
  EXPECT_THAT(made({"1"}), HasSubstr("say which"));
  EXPECT_THAT(made({"all", "left@9"}), HasSubstr("--target=left@9"));
  EXPECT_THAT(made({"fourth@all"}), HasSubstr("no history fourth is in use"));
}

TEST_F(HistoriesTest, CombinationsAreLimited) {
  std::vector<std::string> versions;
  for (int i = 0; i < 101; ++i) versions.push_back(absl::StrCat("v", i));
  AddHistory("shipped/many", "many", versions, "");
  AddHistory("shipped/more", "more", versions, "");
  const absl::StatusOr<RuntimeChoice> base =
      ChooseRuntime(*histories_, {{"many", "more"}, {}}, {});
  ASSERT_THAT(base, IsOk());
  EXPECT_THAT(WithVersionSets(*base, {"all"}, "--target"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("more than 10000 combinations")));
  EXPECT_EQ(WithVersionSets(*base, {"many@all"}, "--target")->size(), 101u);
}

}  // namespace
}  // namespace opcompat
