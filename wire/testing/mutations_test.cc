// The golden files with every change that is one step away: each prefix, each
// bit, each field dropped, doubled, or changed places with the next, and the
// bytes between set to what they should not be. With the checksum as it was,
// such a file is refused; with the right one, it has an answer (answers.h), and
// where the change means nothing to protobuf, the module is the same. Where a
// file has bulk data, it stands where it must behind the changed message.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdint>
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
#include "wire/module.pb.h"
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

// A file and what it means.
class Original {
 protected:
  void Load(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream contents;
    contents << in.rdbuf();
    file_ = contents.str();
    ASSERT_GT(file_.size(), kChecksumSize);
    message_ = file_.substr(0, MessageSize(file_));
    bulk_ = std::string(BulkOf(file_));
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
  std::string message_;  // with its checksum
  std::string bulk_;
  Module module_;
};

void ExpectRefused(absl::string_view changed, absl::string_view what) {
  EXPECT_THAT(Decode(changed),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("")))
      << what;
}

class MutationTest : public Original,
                     public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { Load(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(
    Golden, MutationTest, ::testing::ValuesIn(Files()),
    [](const ::testing::TestParamInfo<std::string>& info) {
      return std::filesystem::path(info.param).stem().string();
    });

TEST_P(MutationTest, EveryPrefixIsRefusedOrHasARightChecksumAndAnAnswer) {
  for (size_t size = 0; size < file_.size(); ++size) {
    const std::string prefix = file_.substr(0, size);
    const std::string what = absl::StrCat("cut to ", size);
    ExpectRefused(prefix, what);
    if (size >= message_.size()) continue;
    ExpectAnswer(Reseal(prefix), what);
    if (!bulk_.empty()) ExpectAnswer(WithBulk(Reseal(prefix), bulk_), what);
  }
}

TEST_P(MutationTest, EveryFlippedBitIsRefusedOrHasARightChecksumAndAnAnswer) {
  std::string changed = message_;
  for (size_t i = 0; i < changed.size() * 8; ++i) {
    changed[i / 8] ^= static_cast<char>(1 << (i % 8));
    const std::string what = absl::StrCat("bit ", i % 8, " of byte ", i / 8);
    ExpectRefused(WithBulk(changed, bulk_), what);
    if (i / 8 < message_.size() - kChecksumSize) {
      ExpectAnswer(WithBulk(Reseal(absl::string_view(changed).substr(
                                0, changed.size() - kChecksumSize)),
                            bulk_),
                   what);
    }
    changed[i / 8] = message_[i / 8];
  }
}

TEST_P(MutationTest, BytesBehindItsEndAreRefused) {
  for (const size_t size : {1, 10, 64, 1024}) {
    ExpectRefused(file_ + std::string(size, '\0'), absl::StrCat(size));
    ExpectRefused(file_ + file_.substr(0, size), absl::StrCat(size));
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

// What is behind the message, of the file that has something there.
class BulkMutationTest : public Original, public ::testing::Test {
 protected:
  void SetUp() override {
    Load("compat_matrix/golden/bulk_tensors.opc");
    ASSERT_FALSE(bulk_.empty());
    ASSERT_TRUE(WithBulk(message_, bulk_) == file_);
    ASSERT_TRUE(parsed_.ParseFromString(message_));
    is_tensor_.resize(bulk_.size());
    for (const wire::Tensor& tensor : parsed_.tensors()) {
      if (tensor.bulk_size() == 0) continue;
      ++num_bulk_;
      std::fill_n(is_tensor_.begin() + tensor.bulk_offset(), tensor.bulk_size(),
                  true);
    }
  }

  wire::Module parsed_;
  std::vector<bool> is_tensor_;  // of each byte of `bulk_`; else it is padding
  int num_bulk_ = 0;
};

TEST_F(BulkMutationTest, TheFileHasTensorsThatShareBytesAndPaddingBetween) {
  EXPECT_EQ(num_bulk_, 3);
  EXPECT_EQ(std::count(is_tensor_.begin(), is_tensor_.end(), true),
            1024 + 1028);
  EXPECT_GT(BulkBegin(message_.size()), message_.size());
}

// All bits of the padding; of the tensors every seventh, so that each bit of a
// byte has its turn.
TEST_F(BulkMutationTest, AFlippedBitIsRefused) {
  std::string changed = file_;
  const size_t begin = file_.size() - bulk_.size();
  for (size_t i = message_.size() * 8; i < changed.size() * 8; ++i) {
    if (i / 8 >= begin && is_tensor_[i / 8 - begin] && i % 7 != 0) continue;
    changed[i / 8] ^= static_cast<char>(1 << (i % 8));
    ExpectRefused(changed, absl::StrCat("bit ", i % 8, " of byte ", i / 8));
    changed[i / 8] = file_[i / 8];
  }
}

TEST_F(BulkMutationTest, OtherBytesWithTheirHashAreAnotherModule) {
  int changes = 0;
  for (size_t i = 0; i < bulk_.size(); i += 53) {
    std::string bulk = bulk_;
    bulk[i] = static_cast<char>(bulk[i] + 1);
    wire::Module message = parsed_;
    wire::Module half_changed = parsed_;  // the first tensor of several
    int num_tensors = 0;
    for (int t = 0; t < message.tensors_size(); ++t) {
      wire::Tensor* tensor = message.mutable_tensors(t);
      if (i - tensor->bulk_offset() >= tensor->bulk_size()) continue;
      tensor->set_bulk_hash(XXH3_64bits(bulk.data() + tensor->bulk_offset(),
                                        tensor->bulk_size()));
      if (num_tensors++ == 0) *half_changed.mutable_tensors(t) = *tensor;
    }
    const std::string what = absl::StrCat("byte ", i);
    const std::string changed = WithBulk(Seal(message), bulk);
    ExpectAnswer(changed, what);
    const absl::StatusOr<Module> read = Decode(changed);
    if (num_tensors == 0) {
      EXPECT_FALSE(read.ok()) << what;
      continue;
    }
    ASSERT_THAT(read, IsOk()) << what;
    EXPECT_NE(FirstDifference(module_, *read), absl::nullopt) << what;
    ++changes;
    if (num_tensors > 1) {
      ExpectRefused(WithBulk(Seal(half_changed), bulk), what);
    }
  }
  EXPECT_GT(changes, 30);
}

TEST_F(BulkMutationTest, BulkDataThatIsAwayOrElsewhereIsRefused) {
  const std::string zeros(64, '\0');
  ExpectRefused(message_, "none");
  ExpectRefused(message_ + bulk_, "no padding");
  ExpectRefused(message_ + zeros + bulk_, "as much padding as fits");
  ExpectRefused(WithBulk(message_, zeros + bulk_), "too much padding");
  ExpectRefused(WithBulk(message_, bulk_ + bulk_), "twice");
  ExpectRefused(WithBulk(message_, bulk_.substr(64)), "without its beginning");
  ExpectRefused(bulk_ + message_, "before the message");
  std::string all_zero(bulk_.size(), '\0');
  ExpectRefused(WithBulk(message_, all_zero), "zeros");
}

}  // namespace
}  // namespace opcompat
