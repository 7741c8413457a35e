// Files written for versions that must be able to read them: what is accepted
// is read by every target with the writer's meaning, as the oracle judges it;
// what is refused says why, for each target.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status_matchers.h"
#include "binding/story.h"
#include "compat_matrix/oracle/oracle.h"
#include "deserializer/decode.h"
#include "deserializer/deserialize.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/module.h"
#include "schema/history.h"
#include "schema/opset.h"
#include "serializer/options.h"
#include "serializer/serialize.h"
#include "serializer/target_refusal.h"
#include "wire/testing/sample_modules.h"

namespace opcompat {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<Runtime> RuntimesOf(const OpsetHistory& history) {
  std::vector<Runtime> runtimes;
  for (const Opset& opset : history.versions()) {
    const absl::StatusOr<Runtime> runtime = Runtime::Create({opset});
    EXPECT_THAT(runtime, IsOk());
    runtimes.push_back(*runtime);
  }
  return runtimes;
}

// The version that the file says it is of, and what reader `reader` makes of
// it: `2: %r : ...`.
std::string ReadBy(const std::string& bytes, const Runtime& reader) {
  const absl::StatusOr<Module> written = Decode(bytes);
  const absl::StatusOr<Loaded> loaded = Deserialize(bytes, reader);
  EXPECT_THAT(written, IsOk());
  EXPECT_THAT(loaded, IsOk());
  if (!written.ok() || !loaded.ok()) return "";
  return absl::StrCat(written->opsets[0].version, ": ",
                      StoryLines(loaded->module));
}

// What `lines`, written at the last version of `history` for the versions
// `targets`, is to each of these: one line each. Or every reason, as `target /
// written_for: messages`.
std::vector<std::string> WriteFor(const OpsetHistory& history,
                                  const std::vector<std::string>& targets,
                                  absl::string_view lines) {
  const std::string newest = history.newest().version();
  const Module module = StoryModule(history, newest, lines);
  const std::vector<Runtime> runtimes = RuntimesOf(history);
  std::vector<const Runtime*> chosen;
  for (const std::string& id : targets) {
    for (const Runtime& runtime : runtimes) {
      if (runtime.opsets()[0].version() == id) chosen.push_back(&runtime);
    }
  }
  EXPECT_EQ(chosen.size(), targets.size());
  SerializeOptions options;
  options.targets = chosen;
  std::vector<TargetRefusal> refusals;
  const absl::StatusOr<std::string> bytes =
      Serialize(module, runtimes.back(), options, &refusals);
  std::vector<std::string> answers;
  if (bytes.ok()) {
    EXPECT_TRUE(refusals.empty());
    for (const Runtime* target : chosen) {
      answers.push_back(ReadBy(*bytes, *target));
    }
    return answers;
  }
  std::vector<std::string> all;
  for (const TargetRefusal& refusal : refusals) {
    std::vector<std::string> messages;
    for (const Reason& reason : refusal.reasons) {
      messages.push_back(reason.message);
      all.push_back(reason.message);
    }
    answers.push_back(absl::StrCat(refusal.target, " / ", refusal.written_for,
                                   ": ", absl::StrJoin(messages, " | ")));
  }
  EXPECT_EQ(bytes.status().message(), absl::StrJoin(all, "\n"));
  return answers;
}

// One argument more in each version.
std::shared_ptr<const OpsetHistory> Growing() {
  return MakeHistory(
      {{"1", "t::f(Tensor x) -> Tensor", ""},
       {"2", "t::f(Tensor x, int p=0) -> Tensor", ""},
       {"3", "t::f(Tensor x, int p=1, str m=\"a\") -> Tensor", ""}});
}

TEST(TargetsTest, TheOldestFileThatAllCanReadIsTaken) {
  const auto history = Growing();
  const char kAllOld[] = "%r : Tensor = t::f(%x, 0)";
  EXPECT_THAT(
      WriteFor(*history, {"3", "1", "2"}, kAllOld),
      ElementsAre("1: %r : Tensor = t::f(%x, 0, \"a\")",
                  "1: %r : Tensor = t::f(%x)", "1: %r : Tensor = t::f(%x, 0)"));
  EXPECT_THAT(WriteFor(*history, {"3", "2"}, "%r : Tensor = t::f(%x)"),
              ElementsAre("2: %r : Tensor = t::f(%x, 1, \"a\")",
                          "2: %r : Tensor = t::f(%x, 1)"));
}

TEST(TargetsTest, EveryTargetGivesItsReasons) {
  const auto history = Growing();
  EXPECT_THAT(
      WriteFor(*history, {"1", "2", "3"}, "%r : Tensor = t::f(%x, 2, m=\"b\")"),
      ElementsAre(
          "t 1 / : "
          "target t 1: t::f (t 3): argument p=2 is unknown to t 1 (added in "
          "2), where calls behave as with p=0; 1 call, at forward:%r | "
          "target t 1: t::f (t 3): argument m=\"b\" is unknown to t 1 (added "
          "in 3), where calls behave as with m=\"a\"; 1 call, at forward:%r",
          "t 2 / : "
          "target t 2: t::f (t 3): argument m=\"b\" is unknown to t 2 (added "
          "in 3), where calls behave as with m=\"a\"; 1 call, at "
          "forward:%r"));
  // One target: as it always was.
  EXPECT_THAT(WriteFor(*history, {"1"}, "%r : Tensor = t::f(%x)"),
              ElementsAre("t 1 / : t::f (t 3): argument p=1 is unknown to t 1 "
                          "(added in 2), where calls behave as with p=0; 1 "
                          "call, at forward:%r"));
}

TEST(TargetsTest, AHintIsKeptForThoseWhoTakeIt) {
  const auto history = MakeHistory(
      {{"1", "t::copy(Tensor x) -> Tensor", ""},
       {"2", "t::copy(Tensor x, bool later=False) -> Tensor",
        "changes { operator: \"t::copy\" ignorable_argument: \"later\" }"}});
  const char kHint[] = "%r : Tensor = t::copy(%x, True)";
  EXPECT_THAT(WriteFor(*history, {"1", "2"}, kHint),
              ElementsAre("2: %r : Tensor = t::copy(%x)",
                          "2: %r : Tensor = t::copy(%x, True)"));
  EXPECT_THAT(WriteFor(*history, {"1"}, kHint),
              ElementsAre("1: %r : Tensor = t::copy(%x)"));
}

// Dropping a hint would reach a lower revision, which no one asked for.
TEST(TargetsTest, AHintIsNotDroppedToWriteALowerRevision) {
  const auto history = MakeHistory(
      {{"1", "t::copy(Tensor x, int p=0) -> Tensor", ""},
       {"2", "t::copy(Tensor x, int p=0, bool later=False) -> Tensor",
        "changes { operator: \"t::copy\" semantic_change { revision: 2 "
        "  unchanged_when { all { argument: \"p\" one_of: \"0\" } } "
        "  one_way_up: true one_way_down: true } } "
        "changes { operator: \"t::copy\" ignorable_argument: \"later\" }"}});
  EXPECT_THAT(
      WriteFor(*history, {"2"}, "%r : Tensor = t::copy(%x, later=True)"),
      ElementsAre("2: %r : Tensor = t::copy(%x, later=True)"));
}

// What the lower revision got after it began is there too.
TEST(TargetsTest, ALowerRevisionIsReachedAtItsLastSchema) {
  const std::string with_q = "t::f(Tensor x, int p=0, int q=0) -> Tensor";
  const auto history = MakeHistory(
      {{"1", "t::f(Tensor x, int p=0) -> Tensor", ""},
       {"2", with_q, ""},
       {"3", with_q,
        "changes { operator: \"t::f\" semantic_change { revision: 2 "
        "  unchanged_when { all { argument: \"p\" one_of: \"0\" } } "
        "  one_way_up: true one_way_down: true } }"}});
  EXPECT_THAT(WriteFor(*history, {"2"}, "%r : Tensor = t::f(%x, q=5)"),
              ElementsAre("2: %r : Tensor = t::f(%x, q=5)"));
}

// What is written is at revision 1, and the target, which knows revision 2,
// reads it back: as the same call, left out here and written there.
TEST(TargetsTest, LoweredCallsAreReadBack) {
  const auto history = MakeHistory(
      {{"1", "t::f(Tensor x, int p=0, int q=0) -> Tensor", ""},
       {"2", "t::f(Tensor x, int? p=None, int q=1, int s=5) -> Tensor",
        "changes { operator: \"t::f\" semantic_change { revision: 2 "
        "  unchanged_when { all { argument: \"q\" one_of: \"1\" } } "
        "  one_way_up: true one_way_down: true } } "
        "changes { operator: \"t::f\" "
        "  equal_value { argument: \"p\" value: \"None\" means: \"0\" } }"}});
  EXPECT_THAT(WriteFor(*history, {"2"}, "%r : Tensor = t::f(%x)"),
              ElementsAre(StartsWith("2: %r : Tensor = t::f(%x")));
  EXPECT_THAT(WriteFor(*history, {"1"}, "%r : Tensor = t::f(%x)"),
              ElementsAre("1: %r : Tensor = t::f(%x, q=1)"));
  EXPECT_THAT(WriteFor(*history, {"1", "2"}, "%r : Tensor = t::f(%x, 7)"),
              ElementsAre("1: %r : Tensor = t::f(%x, 7, 1)",
                          StartsWith("1: %r : Tensor = t::f(%x, 7")));
}

// Each version has a file of its own, but none is for both: the older one needs
// the step down, which nobody takes up again.
TEST(TargetsTest, NoFileForTwoTargetsThatHaveOneEach) {
  const auto history = MakeHistory(
      {{"1", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor", ""},
       {"2", "t::f(Tensor x) -> Tensor\nt::h(Tensor x) -> Tensor",
        "changes { operator: \"t::f\" semantic_change { revision: 2 "
        "one_way_up: true downgraders { graph: \"down.graph\" } } }"}},
      {{"down.graph",
        "func down(%x : Tensor) -> (Tensor):\n"
        "  %r : Tensor = t::g(%x)\n"
        "  return (%r)\n"}});
  const char kCall[] = "%r : Tensor = t::f(%x)";
  EXPECT_THAT(WriteFor(*history, {"1"}, kCall),
              ElementsAre(AllOf(StartsWith("1: "), HasSubstr("t::g(%x)"))));
  EXPECT_THAT(WriteFor(*history, {"2"}, kCall),
              ElementsAre("2: %r : Tensor = t::f(%x)"));
  EXPECT_THAT(
      WriteFor(*history, {"1", "2"}, kCall),
      ElementsAre(
          StartsWith("t 2 / t 1: target t 2 cannot read the file for t 1: "
                     "t::g (t 1): is unknown to t 2"),
          StartsWith("t 1 / t 2: target t 1 cannot read the file for t 2: "
                     "t::f (t 2): is at revision 2")));
  // What cannot be written for a version at all comes first; the others have
  // no file together either.
  EXPECT_THAT(
      WriteFor(*history, {"1", "2"},
               "%r : Tensor = t::f(%x)\n%q : Tensor = t::h(%r)"),
      ElementsAre(StartsWith("t 1 / : target t 1: t::h (t 2): is unknown")));
}

// Taken down for the one and up again by the other: not the same call, but one
// that means the same, so that there is a file for both.
TEST(TargetsTest, ACallThatIsTakenDownAndUpAgain) {
  const auto history = MakeHistory(
      {{"1", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor", ""},
       {"2", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor",
        "changes { operator: \"t::f\" semantic_change { revision: 2 "
        "one_way_up: true downgraders { graph: \"down.graph\" } } }"}},
      {{"down.graph",
        "func down(%x : Tensor) -> (Tensor):\n"
        "  %r : Tensor = t::g(%x)\n"
        "  return (%r)\n"}});
  EXPECT_THAT(WriteFor(*history, {"1", "2"}, "%r : Tensor = t::f(%x)"),
              ElementsAre(AllOf(StartsWith("1: "), HasSubstr("t::g(%x)")),
                          AllOf(StartsWith("1: "), HasSubstr("t::g(%x)"))));
}

TEST(TargetsTest, AllPairsOfDemoVersionsAndAllTogether) {
  const std::vector<std::string> ids = {"1.0", "1.1", "1.2",
                                        "1.3", "2.0", "2.1"};
  std::vector<Runtime> versions;
  for (const std::string& id : ids) {
    versions.push_back(ShippedRuntime("demo", id));
  }
  // Bit masks of versions: each alone, each pair, all.
  std::vector<unsigned> sets = {(1u << ids.size()) - 1};
  for (unsigned i = 0; i < ids.size(); ++i) {
    for (unsigned j = i; j < ids.size(); ++j) {
      sets.push_back(1u << i | 1u << j);
    }
  }
  size_t accepted = 0;
  size_t refused = 0;
  for (const SampleModule& sample : DemoModules()) {
    const absl::StatusOr<std::string> plain =
        Serialize(sample.module, sample.writer);
    ASSERT_THAT(plain, IsOk()) << sample.name;
    std::vector<bool> reads_plain;
    for (const Runtime& version : versions) {
      reads_plain.push_back(Deserialize(*plain, version).ok());
    }
    for (const unsigned set : sets) {
      SerializeOptions options;
      std::string where = sample.name;
      bool all_read_plain = true;
      for (size_t i = 0; i < ids.size(); ++i) {
        if ((set >> i & 1) == 0) continue;
        options.targets.push_back(&versions[i]);
        absl::StrAppend(&where, " for ", ids[i]);
        all_read_plain &= reads_plain[i];
      }
      std::vector<TargetRefusal> refusals;
      const absl::StatusOr<std::string> bytes =
          Serialize(sample.module, sample.writer, options, &refusals);
      if (!bytes.ok()) {
        ++refused;
        EXPECT_FALSE(all_read_plain) << where;
        EXPECT_NE(bytes.status().code(), absl::StatusCode::kInternal)
            << where << ": " << bytes.status();
        ASSERT_FALSE(refusals.empty()) << where;
        for (const TargetRefusal& refusal : refusals) {
          EXPECT_FALSE(refusal.reasons.empty()) << where;
        }
        continue;
      }
      ++accepted;
      for (const Runtime* target : options.targets) {
        const absl::StatusOr<Loaded> loaded = Deserialize(*bytes, *target);
        ASSERT_THAT(loaded, IsOk()) << where;
        absl::optional<std::string> difference =
            MeaningDiffers(sample.module, loaded->module, sample.writer,
                           *target, /*as_target=*/true);
        // A call that a graph had to take down for one of the versions stays
        // so for the others: they read what that version would write.
        for (const Runtime* first : options.targets) {
          if (!difference.has_value()) break;
          SerializeOptions only;
          only.targets = {first};
          const absl::StatusOr<std::string> bytes_of_first =
              Serialize(sample.module, sample.writer, only);
          if (!bytes_of_first.ok()) continue;
          const absl::StatusOr<Loaded> at_first =
              Deserialize(*bytes_of_first, *first);
          ASSERT_THAT(at_first, IsOk()) << where;
          if (!MeaningDiffers(at_first->module, loaded->module, *first, *target)
                   .has_value()) {
            difference = absl::nullopt;
          }
        }
        EXPECT_FALSE(difference.has_value())
            << where << ", " << target->opsets()[0].version() << ": "
            << *difference;
      }
      if (options.targets.size() != ids.size()) continue;
      std::reverse(options.targets.begin(), options.targets.end());
      const absl::StatusOr<std::string> again =
          Serialize(sample.module, sample.writer, options);
      ASSERT_THAT(again, IsOk()) << where;
      EXPECT_EQ(*bytes, *again) << where;
    }
  }
  EXPECT_GT(accepted, 1000u);
  EXPECT_GT(refused, 1000u);
}

}  // namespace
}  // namespace opcompat
