// The golden files with every change that is one step away: each prefix, each
// bit, each field dropped, doubled, or changed places with the next, and the
// bytes between set to what they should not be. With the checksum as it was,
// such a file is refused; with the right one, it has an answer (answers.h), and
// where the change means nothing to protobuf, the module is the same.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status_matchers.h"
#include "deserializer/decode.h"
#include "ir/equality.h"
#include "ir/module.h"
#include "wire/testing/answers.h"
#include "wire/testing/raw_fields.h"
#include "wire/testing/seal.h"

namespace opcompat {
namespace {

using ::testing::HasSubstr;

constexpr size_t kChecksumSize = 10;

std::vector<std::string> Files() {
  std::vector<std::string> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator("compat_matrix/golden")) {
    if (entry.path().extension() == ".opc") {
      paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

class MutationTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    std::ifstream in(GetParam(), std::ios::binary);
    std::ostringstream contents;
    contents << in.rdbuf();
    file_ = contents.str();
    ASSERT_GT(file_.size(), kChecksumSize);
    absl::StatusOr<Module> module = Decode(file_);
    ASSERT_THAT(module, IsOk());
    module_ = *std::move(module);
  }

  // That the change means nothing.
  void ExpectTheSame(const std::string& changed, const std::string& what) {
    const absl::StatusOr<Module> read = Decode(changed);
    ASSERT_THAT(read, IsOk()) << what;
    EXPECT_EQ(FirstDifference(module_, *read), absl::nullopt) << what;
  }

  std::string file_;
  Module module_;
};

INSTANTIATE_TEST_SUITE_P(
    Golden, MutationTest, ::testing::ValuesIn(Files()),
    [](const ::testing::TestParamInfo<std::string>& info) {
      return std::filesystem::path(info.param).stem().string();
    });

TEST_P(MutationTest, EveryPrefixIsRefusedOrHasARightChecksumAndAnAnswer) {
  for (size_t size = 0; size < file_.size(); ++size) {
    const std::string prefix = file_.substr(0, size);
    EXPECT_THAT(Decode(prefix),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("")))
        << size;
    ExpectAnswer(Reseal(prefix), absl::StrCat("cut to ", size));
  }
}

TEST_P(MutationTest, EveryFlippedBitIsRefusedOrHasARightChecksumAndAnAnswer) {
  std::string changed = file_;
  for (size_t i = 0; i < changed.size() * 8; ++i) {
    changed[i / 8] ^= static_cast<char>(1 << (i % 8));
    EXPECT_THAT(Decode(changed),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("")))
        << i;
    if (i / 8 < file_.size() - kChecksumSize) {
      ExpectAnswer(Reseal(absl::string_view(changed).substr(
                       0, changed.size() - kChecksumSize)),
                   absl::StrCat("bit ", i % 8, " of byte ", i / 8));
    }
    changed[i / 8] = file_[i / 8];
  }
}

std::string Join(const std::vector<RawField>& fields) {
  std::string bytes;
  for (const RawField& field : fields) absl::StrAppend(&bytes, field.bytes);
  return bytes;
}

TEST_P(MutationTest, EveryDroppedFieldHasAnAnswer) {
  int dropped = 0;
  ForEachMessage(
      file_, [&](const std::vector<RawField>& fields, const std::string& name,
                 const std::function<std::string(absl::string_view)>& with) {
        for (size_t i = 0; i < fields.size(); ++i) {
          std::vector<RawField> rest = fields;
          rest.erase(rest.begin() + i);
          ExpectAnswer(with(Join(rest)),
                       absl::StrCat(name, " without field ", i));
          ++dropped;
        }
      });
  EXPECT_GE(dropped, 6);
}

TEST_P(MutationTest, EveryDoubledFieldHasAnAnswer) {
  ForEachMessage(
      file_, [&](const std::vector<RawField>& fields, const std::string& name,
                 const std::function<std::string(absl::string_view)>& with) {
        for (size_t i = 0; i < fields.size(); ++i) {
          std::vector<RawField> doubled = fields;
          doubled.insert(doubled.begin() + i, fields[i]);
          ExpectAnswer(with(Join(doubled)),
                       absl::StrCat(name, " with field ", i, " twice"));
        }
      });
}

// By the rules of protobuf the order of fields of different numbers means
// nothing. (The magic string comes first, or it is no module file.)
TEST_P(MutationTest, FieldsThatChangePlacesMeanTheSameUnlessTheyAreOneTable) {
  ForEachMessage(
      file_, [&](const std::vector<RawField>& fields, const std::string& name,
                 const std::function<std::string(absl::string_view)>& with) {
        for (size_t i = 0; i + 1 < fields.size(); ++i) {
          std::vector<RawField> moved = fields;
          std::swap(moved[i], moved[i + 1]);
          const std::string what =
              absl::StrCat(name, " with field ", i, " behind the next");
          const std::string changed = with(Join(moved));
          if (name == "Module" && i == 0) {
            EXPECT_THAT(Decode(changed),
                        StatusIs(absl::StatusCode::kInvalidArgument,
                                 HasSubstr("does not begin")));
          } else if (fields[i].number != fields[i + 1].number) {
            ExpectTheSame(changed, what);
          } else {
            ExpectAnswer(changed, what);
          }
        }
      });
}

TEST_P(MutationTest, FieldsInReverseMeanTheSame) {
  ForEachMessage(
      file_, [&](const std::vector<RawField>& fields, const std::string& name,
                 const std::function<std::string(absl::string_view)>& with) {
        // Elements of one table keep their order.
        std::vector<RawField> reversed = fields;
        std::stable_sort(reversed.begin() + (name == "Module" ? 1 : 0),
                         reversed.end(),
                         [](const RawField& a, const RawField& b) {
                           return a.number > b.number;
                         });
        ExpectTheSame(with(Join(reversed)), absl::StrCat(name, " in reverse"));
      });
}

}  // namespace
}  // namespace opcompat
