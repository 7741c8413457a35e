// The torch history itself: it has no faults, and says what it must say about
// the changes that are known to have gone wrong.

#include "schema/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/status_matchers.h"
#include "ir/text/history_loader.h"
#include "schema/declared_history.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"
#include "schema/value.h"

namespace opcompat {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::NotNull;
using ::testing::SizeIs;

class TorchHistoryTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    loaded_ = new LoadedHistory(LoadHistory("opsets/torch"));
  }
  static void TearDownTestSuite() { delete loaded_; }

  void SetUp() override {
    std::vector<std::string> faults;
    for (const HistoryFault& fault : loaded_->faults) {
      faults.push_back(fault.ToString());
    }
    ASSERT_THAT(faults, IsEmpty());
    ASSERT_THAT(loaded_->history, NotNull());
  }

  // The operator as `version` knows it.
  const OperatorInfo& Get(absl::string_view version, absl::string_view name) {
    const absl::StatusOr<Opset> opset = loaded_->history->At(version);
    EXPECT_THAT(opset, IsOk());
    const OperatorInfo* info = opset->Find(name);
    EXPECT_NE(info, nullptr) << name;
    return *info;
  }

  const EntryArgument& Get(absl::string_view version, absl::string_view name,
                           absl::string_view argument) {
    const OperatorEntry& entry = *Get(version, name).current();
    const auto found = std::find_if(
        entry.arguments.begin(), entry.arguments.end(),
        [&](const EntryArgument& a) { return a.name() == argument; });
    EXPECT_NE(found, entry.arguments.end()) << argument;
    return *found;
  }

  static LoadedHistory* loaded_;
};

LoadedHistory* TorchHistoryTest::loaded_ = nullptr;

TEST_F(TorchHistoryTest, HasEveryOperatorOfEveryVersion) {
  std::vector<std::string> ids;
  for (const Opset& opset : loaded_->history->versions()) {
    ids.push_back(opset.version());
  }
  EXPECT_THAT(ids, ElementsAre("1.7.1", "1.13.1", "2.6.0"));
  EXPECT_EQ(loaded_->history->name(), "torch");
  EXPECT_THAT(loaded_->history->At("1.7.1")->operators(), SizeIs(2465));
  EXPECT_THAT(loaded_->history->At("1.13.1")->operators(), SizeIs(4165));
  EXPECT_THAT(loaded_->history->At("2.6.0")->operators(), SizeIs(4409));
}

TEST_F(TorchHistoryTest, OnlyTheOperatorThatRepeatsANameIsUnusable) {
  for (const Opset& opset : loaded_->history->versions()) {
    std::vector<std::string> unusable;
    for (const OperatorInfoPtr& info : opset.operators()) {
      if (info->fault.empty()) continue;
      ASSERT_THAT(info->fault, ::testing::HasSubstr("posinf"));
      unusable.push_back(info->fault);
    }
    EXPECT_THAT(unusable, SizeIs(opset.version() == "1.7.1" ? 0 : 1));
  }
}

TEST_F(TorchHistoryTest, DefaultsAddedAcrossTheGapsAreNeutral) {
  struct Case {
    absl::string_view version;
    absl::string_view op;
    absl::string_view argument;
    absl::string_view neutral;
  };
  const Case cases[] = {
      {"1.13.1", "aten::gelu", "approximate", "\"none\""},
      {"2.6.0", "aten::gelu", "approximate", "\"none\""},
      {"1.13.1", "aten::searchsorted.Tensor", "sorter", "None"},
      {"1.13.1", "aten::index_add", "alpha", "1"},
      // Required, but declared.
      {"1.13.1", "aten::_cudnn_rnn", "proj_size", "0"},
      {"1.13.1", "aten::elu_backward", "is_result", "True"},
      {"2.6.0", "aten::pad_sequence", "padding_side", "\"right\""},
  };
  for (const Case& c : cases) {
    const EntryArgument& argument = Get(c.version, c.op, c.argument);
    ASSERT_TRUE(argument.neutral.has_value()) << c.op;
    EXPECT_EQ(argument.neutral->value.ToString(), c.neutral) << c.op;
  }
  // Known from the start, or required when it came: nothing says what it was.
  EXPECT_FALSE(Get("2.6.0", "aten::add.Tensor", "alpha").neutral.has_value());
  EXPECT_FALSE(
      Get("2.6.0", "c10d::broadcast_", "asyncOp").neutral.has_value());
}

TEST_F(TorchHistoryTest, AChangedMeaningUnderTheSameSchemaIsANewRevision) {
  struct Case {
    absl::string_view op;
    // The revisions that the three versions know.
    std::vector<uint32_t> revisions;
  };
  const Case cases[] = {
      {"aten::floor_divide", {1, 2, 2}},
      {"aten::floor_divide.Scalar", {1, 2, 2}},
      {"aten::floor_divide.out", {1, 2, 2}},
      {"aten::floor_divide_.Scalar", {1, 2, 2}},
      {"aten::floor_divide_.Tensor", {1, 2, 2}},
      {"aten::randperm", {1, 2, 2}},
      {"aten::randperm.generator", {1, 2, 2}},
      {"aten::slice.t", {1, 2, 2}},
      {"aten::slice.str", {1, 2, 2}},
      {"aten::stft", {1, 1, 2}},
      // Their meanings changed before 1.7.1.
      {"aten::div.Tensor", {1, 1, 1}},
      {"aten::full", {1, 1, 1}},
      // Only the default changed, which files carry.
      {"aten::randint", {1, 1, 1}},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(std::vector<uint32_t>({Get("1.7.1", c.op).revision(),
                                       Get("1.13.1", c.op).revision(),
                                       Get("2.6.0", c.op).revision()}),
                c.revisions)
        << c.op;
  }
}

TEST_F(TorchHistoryTest, NoneInSlicesEqualsTheBoundsThatOlderVersionsWrite) {
  for (absl::string_view op :
       {"aten::slice.Tensor", "aten::slice.t", "aten::slice.str"}) {
    for (absl::string_view version : {"1.13.1", "2.6.0"}) {
      const EntryArgument& start = Get(version, op, "start");
      ASSERT_THAT(start.equal_values, SizeIs(1)) << op;
      EXPECT_EQ(start.equal_values[0].value.value, Value::None());
      EXPECT_EQ(start.equal_values[0].means.value, Value::Int(0));
      const EntryArgument& end = Get(version, op, "end");
      ASSERT_THAT(end.equal_values, SizeIs(1)) << op;
      EXPECT_EQ(end.equal_values[0].value.value, Value::None());
      EXPECT_EQ(end.equal_values[0].means.value, Value::Int(INT64_MAX));
    }
    EXPECT_THAT(Get("1.7.1", op, "start").equal_values, IsEmpty());
  }
}

TEST_F(TorchHistoryTest, RenamedArgumentsKeepTheirEarlierNames) {
  EXPECT_THAT(Get("2.6.0", "aten::linalg_det", "A").names,
              ElementsAre("A", "self"));
  EXPECT_THAT(Get("2.6.0", "c10d::barrier", "timeout").names,
              ElementsAre("timeout", "_2"));
  EXPECT_THAT(Get("2.6.0", "aten::can_cast", "from_").names,
              ElementsAre("from_", "from"));
}

}  // namespace
}  // namespace opcompat
