#include "schema/opset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status_matchers.h"
#include "schema/operator_entry.h"

namespace opcompat {
namespace {

using ::testing::HasSubstr;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

OperatorEntryPtr Entry(std::vector<std::string> names, uint32_t revision = 1,
                       absl::string_view argument = "a") {
  auto entry = std::make_shared<OperatorEntry>();
  entry->names = std::move(names);
  entry->revision = revision;
  entry->arguments.emplace_back();
  entry->arguments[0].names = {std::string(argument)};
  return entry;
}

OperatorInfoPtr Info(std::vector<OperatorEntryPtr> entries) {
  auto info = std::make_shared<OperatorInfo>();
  for (OperatorEntryPtr& entry : entries) {
    info->revisions.push_back({entry, entry, nullptr});
  }
  return info;
}

OpsetParts Parts(std::vector<std::string> versions,
                 std::vector<OperatorInfoPtr> operators,
                 std::vector<Opset> earlier = {}) {
  OpsetParts parts;
  parts.name = "torch";
  parts.aliases = {"pytorch", "aten"};
  parts.versions = std::move(versions);
  parts.operators = std::move(operators);
  parts.earlier = std::move(earlier);
  return parts;
}

TEST(OpsetTest, FindsOperatorsByNameAndByAnyName) {
  const auto add = Info({Entry({"aten::add"})});
  const auto scale =
      Info({Entry({"aten::scal"}), Entry({"aten::scale", "aten::scal"}, 2)});
  const absl::StatusOr<Opset> opset =
      Opset::Create(Parts({"1", "2"}, {add, scale}));
  ASSERT_THAT(opset, IsOk());
  EXPECT_EQ(opset->Find("aten::add"), add.get());
  EXPECT_EQ(opset->Find("aten::scale"), scale.get());
  EXPECT_EQ(opset->Find("aten::scal"), nullptr);
  EXPECT_EQ(opset->Find(""), nullptr);
  EXPECT_EQ(opset->FindByAnyName("aten::add"), add.get());
  EXPECT_EQ(opset->FindByAnyName("aten::scale"), scale.get());
  EXPECT_EQ(opset->FindByAnyName("aten::scal"), scale.get());
  EXPECT_EQ(opset->FindByAnyName("aten::sub"), nullptr);
  EXPECT_EQ(scale->revision(), 2);
  EXPECT_EQ(scale->current()->name(), "aten::scale");
}

TEST(OpsetTest, KnowsItsNamesAndVersions) {
  const absl::StatusOr<Opset> opset =
      Opset::Create(Parts({"1.7.1", "1.13.1", "2.6.0"}, {}));
  ASSERT_THAT(opset, IsOk());
  EXPECT_EQ(opset->version(), "2.6.0");
  EXPECT_EQ(opset->VersionIndex("1.7.1"), 0);
  EXPECT_EQ(opset->VersionIndex("2.6.0"), 2);
  EXPECT_EQ(opset->VersionIndex("2.6"), absl::nullopt);
  for (absl::string_view name : {"torch", "pytorch", "aten"}) {
    EXPECT_TRUE(opset->HasName(name)) << name;
  }
  EXPECT_FALSE(opset->HasName("onnx"));
}

TEST(OpsetTest, CopiesShareWhatTheyFind) {
  absl::StatusOr<Opset> opset =
      Opset::Create(Parts({"1"}, {Info({Entry({"aten::add"})})}));
  ASSERT_THAT(opset, IsOk());
  const OperatorInfo* info = opset->Find("aten::add");
  const Opset copy = *opset;
  opset = absl::UnknownError("gone");
  EXPECT_EQ(copy.Find("aten::add"), info);
  EXPECT_EQ(copy.Find("aten::add")->current()->name(), "aten::add");
}

TEST(OpsetTest, RefusesPartsThatMakeNoOpset) {
  const auto add = Info({Entry({"aten::add"})});
  OpsetParts nameless = Parts({"1"}, {});
  nameless.name = "";
  const struct {
    OpsetParts parts;
    absl::string_view message;
  } kCases[] = {
      {nameless, "an opset without a name"},
      {Parts({}, {}), "opset torch has no version"},
      {Parts({"1", "2", "1"}, {}), "opset torch 1: the version 1 comes twice"},
      {Parts({"1"}, {add, Info({Entry({"aten::add"})})}),
       "the operator aten::add comes twice"},
      {Parts({"1"}, {add, add}), "the operator aten::add comes twice"},
      {Parts({"1"}, {add, Info({Entry({"aten::plus", "aten::add"})})}),
       "two operators have or had the name aten::add, which are now aten::add "
       "and aten::plus"},
      {Parts({"1"}, {nullptr}), "an operator without revisions or names"},
      {Parts({"1"}, {Info({})}), "an operator without revisions or names"},
      {Parts({"1"}, {Info({nullptr})}),
       "an operator without revisions or names"},
      {Parts({"1"}, {Info({Entry({})})}),
       "an operator without revisions or names"},
      {Parts({"1", "2", "3"}, {}, {*Opset::Create(Parts({"1"}, {}))}),
       "opset torch 3: expected 2 earlier opsets or none, found 1"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(Opset::Create(c.parts),
                StatusIs(kInvalid, HasSubstr(std::string(c.message))));
  }
}

class ContradictsVersionTest : public ::testing::Test {
 protected:
  ContradictsVersionTest() {
    const auto v1 = Opset::Create(
        Parts({"1"}, {Info({Entry({"aten::f"})}), Info({Entry({"aten::g"})})}));
    const auto v2 = Opset::Create(Parts(
        {"1", "2"},
        {Info({Entry({"aten::f"}, 1, "b"), Entry({"aten::h", "aten::f"}, 2)}),
         Info({Entry({"aten::g"})})},
        {*v1}));
    opset_ = *v2;
    compiled_ = *Opset::Create(Parts({"1", "2"}, {Info({Entry({"aten::g"})})}));
  }

  Opset opset_;
  // Carries no earlier opsets.
  Opset compiled_;
};

TEST_F(ContradictsVersionTest, TheEntryOfThatVersionDoesNot) {
  EXPECT_FALSE(opset_.ContradictsVersion("1", *Entry({"aten::f"})));
  EXPECT_FALSE(opset_.ContradictsVersion("1", *Entry({"aten::g"})));
  EXPECT_FALSE(opset_.ContradictsVersion("2", *Entry({"aten::g"})));
  EXPECT_FALSE(opset_.ContradictsVersion("2", *Entry({"aten::f"}, 1, "b")));
  EXPECT_FALSE(
      opset_.ContradictsVersion("2", *Entry({"aten::h", "aten::f"}, 2)));
}

TEST_F(ContradictsVersionTest, AnotherEntryOfThatOperatorAndRevisionDoes) {
  EXPECT_TRUE(opset_.ContradictsVersion("1", *Entry({"aten::f"}, 1, "b")));
  EXPECT_TRUE(opset_.ContradictsVersion("2", *Entry({"aten::f"}, 1, "a")));
  EXPECT_TRUE(opset_.ContradictsVersion("2", *Entry({"aten::g"}, 1, "b")));
  // By an earlier name, and by a name that only the entry knows beside it.
  EXPECT_TRUE(opset_.ContradictsVersion("2", *Entry({"aten::f"}, 2)));
  EXPECT_TRUE(opset_.ContradictsVersion("1", *Entry({"aten::k", "aten::f"})));
}

TEST_F(ContradictsVersionTest, WhatIsNotKnownDoesNot) {
  const OperatorEntry other = *Entry({"aten::g"}, 1, "b");
  EXPECT_FALSE(opset_.ContradictsVersion("3", other));
  EXPECT_FALSE(opset_.ContradictsVersion("", other));
  EXPECT_FALSE(opset_.ContradictsVersion("1", *Entry({"aten::new"})));
  EXPECT_FALSE(opset_.ContradictsVersion("1", *Entry({"aten::f"}, 2)));
  EXPECT_FALSE(opset_.ContradictsVersion("1", *Entry({"aten::f"}, 0)));
  EXPECT_FALSE(compiled_.ContradictsVersion("1", other));
  EXPECT_TRUE(compiled_.ContradictsVersion("2", other));
}

Opset Simple(absl::string_view name, std::vector<std::string> aliases,
             absl::string_view op) {
  OpsetParts parts;
  parts.name = std::string(name);
  parts.aliases = std::move(aliases);
  parts.versions = {"1"};
  parts.operators = {Info({Entry({std::string(op)})})};
  return *Opset::Create(std::move(parts));
}

TEST(RuntimeTest, FindsOverAllOpsets) {
  const absl::StatusOr<Runtime> runtime = Runtime::Create(
      {Simple("torch", {"aten"}, "aten::f"), Simple("mine", {}, "mine::f")});
  ASSERT_THAT(runtime, IsOk());
  const Opset* opset = nullptr;
  EXPECT_EQ(runtime->Find("mine::f", &opset)->current()->name(), "mine::f");
  EXPECT_EQ(opset, &runtime->opsets()[1]);
  EXPECT_EQ(runtime->Find("aten::f")->current()->name(), "aten::f");
  EXPECT_EQ(runtime->Find("aten::g"), nullptr);
  EXPECT_EQ(runtime->FindOpset("aten"), &runtime->opsets()[0]);
  EXPECT_EQ(runtime->FindOpset("mine"), &runtime->opsets()[1]);
  EXPECT_EQ(runtime->FindOpset("onnx"), nullptr);
  EXPECT_EQ(Runtime().Find("aten::f"), nullptr);
  EXPECT_EQ(Runtime().FindOpset("torch"), nullptr);
}

TEST(RuntimeTest, RefusesOpsetsThatHaveSomethingInCommon) {
  const Opset torch = Simple("torch", {"aten"}, "aten::f");
  const struct {
    Opset other;
    absl::string_view message;
  } kCases[] = {
      {Simple("torch", {}, "x::f"), "both go by torch"},
      {Simple("aten", {}, "x::f"), "both go by aten"},
      {Simple("mine", {"torch"}, "x::f"), "both go by torch"},
      {Simple("mine", {"aten"}, "x::f"), "both go by aten"},
      {Simple("mine", {}, "aten::f"), "both have the operator aten::f"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(Runtime::Create({torch, c.other}),
                StatusIs(kInvalid, HasSubstr(std::string(c.message))));
    EXPECT_THAT(Runtime::Create({c.other, torch}),
                StatusIs(kInvalid, HasSubstr(std::string(c.message))));
  }
}

TEST(RuntimeTest, AnOpsetMayRepeatItsOwnNameAsAnAlias) {
  EXPECT_THAT(Runtime::Create({Simple("torch", {"torch"}, "aten::f")}), IsOk());
}

}  // namespace
}  // namespace opcompat
