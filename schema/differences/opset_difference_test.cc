#include "schema/differences/opset_difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "schema/differences/operator_difference.h"
#include "schema/history.h"
#include "schema/operator_entry.h"
#include "schema/operator_schema.h"
#include "schema/opset.h"
#include "schema/text/history_file.h"
#include "schema/text/history_text.h"
#include "schema/text/schema_generator.h"

namespace opcompat {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Strings(const std::vector<Difference>& differences) {
  std::vector<std::string> strings;
  for (const Difference& d : differences) {
    strings.push_back(absl::StrCat(DifferenceKindId(d.kind), " ", d.op, " ",
                                   d.argument, ": [", d.before, "] [", d.after,
                                   "]"));
  }
  return strings;
}

std::shared_ptr<const OpsetHistory> Shipped(const std::string& name) {
  LoadedHistory loaded = ReadHistory("opsets/" + name);
  EXPECT_THAT(FaultStrings(loaded), IsEmpty());
  return loaded.history;
}

std::vector<Difference> DiffOpsets(const Opset& a, const Opset& b) {
  return DiffOperatorLists(ListOperators(a), ListOperators(b));
}

TEST(OpsetDifferenceTest, OperatorsAreMatchedOverDeclaredRenames) {
  const LoadedHistory loaded =
      LoadFromText({{"t::f(int a) -> int\nt::gone() -> int"},
                    {"t::g(int b, int c=0) -> int\nt::came() -> int",
                     "changes { operator: 't::g' renamed_from: 't::f' }\n"
                     "changes { operator: 't::g' renamed_argument { from: 'a' "
                     "to: 'b' } }"}});
  ASSERT_THAT(FaultStrings(loaded), IsEmpty());
  const std::vector<Opset>& versions = loaded.history->versions();
  EXPECT_THAT(Strings(DiffOpsets(versions[0], versions[1])),
              ElementsAre("operator_added t::came : [] [t::came() -> int]",
                          "operator_removed t::gone : [t::gone() -> int] []",
                          "operator_renamed t::g : [t::f] [t::g]",
                          "argument_added t::g c: [] [int c=0]",
                          "argument_renamed t::g b: [a] [b]"));
  EXPECT_THAT(Strings(DiffOpsets(versions[1], versions[0])),
              ElementsAre("operator_added t::gone : [] [t::gone() -> int]",
                          "operator_removed t::came : [t::came() -> int] []",
                          "operator_renamed t::f : [t::g] [t::f]",
                          "argument_removed t::f c: [int c=0] []",
                          "argument_renamed t::f a: [b] [a]"));
  // The lines alone know nothing of renames.
  EXPECT_THAT(
      Strings(DiffOperatorLists(ListSchemas(versions[0]),
                                ListSchemas(versions[1]))),
      ElementsAre("operator_added t::came : [] [t::came() -> int]",
                  "operator_added t::g : [] [t::g(int b, int c=0) -> int]",
                  "operator_removed t::f : [t::f(int a) -> int] []",
                  "operator_removed t::gone : [t::gone() -> int] []"));
}

// The oracle: the schema lines, by name, of a pair of versions, and the names
// that the entries list.
void ExpectMentionsWhatDiffers(const Opset& older, const Opset& newer) {
  std::set<std::string> mentioned;
  for (const Difference& d : DiffOpsets(older, newer)) mentioned.insert(d.op);
  std::set<std::string> expected;
  std::set<std::string> kept;
  for (const OperatorInfoPtr& info : newer.operators()) {
    const OperatorEntry& entry = *info->current();
    const OperatorInfo* before = nullptr;
    for (const std::string& name : entry.names) {
      if (before == nullptr) before = older.Find(name);
    }
    if (before != nullptr) kept.insert(before->current()->name());
    if (before == nullptr ||
        before->current()->ToString() != entry.ToString() ||
        before->fault != info->fault ||
        before->revision() != info->revision()) {
      expected.insert(entry.name());
    }
  }
  for (const OperatorInfoPtr& info : older.operators()) {
    const std::string& name = info->current()->name();
    if (kept.count(name) == 0) expected.insert(name);
  }
  // Declarations about arguments change no line.
  for (const Difference& d : DiffOpsets(older, newer)) {
    if (d.kind == DifferenceKind::kIgnorableChanged ||
        d.kind == DifferenceKind::kEqualValuesChanged) {
      expected.insert(d.op);
    }
  }
  EXPECT_EQ(mentioned, expected)
      << older.name() << " " << older.version() << " " << newer.version();
}

TEST(OpsetDifferenceTest, EveryOperatorWhoseLineDiffersIsMentioned) {
  for (const char* name : {"demo", "torch"}) {
    const std::shared_ptr<const OpsetHistory> history = Shipped(name);
    ASSERT_NE(history, nullptr);
    const std::vector<Opset>& versions = history->versions();
    for (size_t older = 0; older < versions.size(); ++older) {
      EXPECT_THAT(DiffOpsets(versions[older], versions[older]), IsEmpty());
      for (size_t newer = older + 1; newer < versions.size(); ++newer) {
        ExpectMentionsWhatDiffers(versions[older], versions[newer]);
      }
    }
  }
}

TEST(OpsetDifferenceTest, TheOtherWayRoundAddedIsRemoved) {
  const std::shared_ptr<const OpsetHistory> history = Shipped("torch");
  ASSERT_NE(history, nullptr);
  const auto there = CountDifferences(
      DiffOpsets(history->versions()[0], history->versions()[2]));
  const auto back = CountDifferences(
      DiffOpsets(history->versions()[2], history->versions()[0]));
  const auto of = [](const auto& counts, DifferenceKind kind) {
    return counts[static_cast<size_t>(kind)];
  };
  EXPECT_GT(of(there, DifferenceKind::kOperatorAdded), 1500);
  EXPECT_EQ(of(there, DifferenceKind::kOperatorAdded),
            of(back, DifferenceKind::kOperatorRemoved));
  EXPECT_EQ(of(there, DifferenceKind::kArgumentAdded),
            of(back, DifferenceKind::kArgumentRemoved));
  EXPECT_GT(of(there, DifferenceKind::kArgumentRenamed), 20);
  EXPECT_EQ(of(there, DifferenceKind::kArgumentRenamed),
            of(back, DifferenceKind::kArgumentRenamed));
  EXPECT_EQ(of(there, DifferenceKind::kTypeChanged),
            of(back, DifferenceKind::kTypeChanged));
}

TEST(OpsetDifferenceTest, AListComparedWithItselfHasNoDifference) {
  SchemaGenerator random(3);
  std::vector<OperatorSchema> schemas;
  std::set<std::string> names;
  while (schemas.size() < 300) {
    OperatorSchema schema = random.NextSchema();
    if (names.insert(schema.full_name()).second) schemas.push_back(schema);
  }
  EXPECT_THAT(DiffOperatorLists(ListOperators(schemas), ListOperators(schemas)),
              IsEmpty());
  const std::vector<OperatorSchema> fewer(schemas.begin() + 1, schemas.end());
  EXPECT_EQ(
      DiffOperatorLists(ListOperators(schemas), ListOperators(fewer)).size(),
      1);
}

TEST(OpsetDifferenceTest, ALineThatCannotBeUsedDiffersFromOneThatCan) {
  const LoadedHistory loaded =
      LoadFromText({{"t::f(int a, int a) -> int"}, {"t::f(int a) -> int"}});
  ASSERT_THAT(FaultStrings(loaded), IsEmpty());
  const std::vector<Opset>& versions = loaded.history->versions();
  EXPECT_THAT(DiffOpsets(versions[0], versions[0]), IsEmpty());
  EXPECT_THAT(Strings(DiffOpsets(versions[0], versions[1])),
              ElementsAre("usability_changed t::f : [the schema repeats an "
                          "argument name: t::f(int a, int a) -> int] [t::f(int "
                          "a) -> int]"));
}

}  // namespace
}  // namespace opcompat
