// Modules at random, over operators that ship: what is written is read back.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "base/status_matchers.h"
#include "deserializer/decode.h"
#include "ir/canonicalize.h"
#include "ir/equality.h"
#include "ir/module.h"
#include "ir/module_generator.h"
#include "schema/opset.h"
#include "serializer/options.h"
#include "serializer/serialize.h"
#include "wire/module.pb.h"
#include "wire/testing/sample_modules.h"
#include "wire/testing/seal.h"

namespace opcompat {
namespace {

constexpr uint64_t kSeeds = 50;

std::string Write(const Module& module, const Runtime& writer,
                  Elision elision) {
  SerializeOptions options;
  options.elision = elision;
  const absl::StatusOr<std::string> file = Serialize(module, writer, options);
  EXPECT_THAT(file, IsOk());
  return file.value_or("");
}

// Of these versions no operator has a second revision, so a file has the calls
// that the module has.
class GeneratedModulesTest : public ::testing::TestWithParam<const char*> {
 protected:
  const Runtime writer_ = GetParam() == std::string("demo")
                              ? ShippedRuntime("demo", "1.0")
                              : ShippedRuntime("torch", "1.7.1");
};

INSTANTIATE_TEST_SUITE_P(Opsets, GeneratedModulesTest,
                         ::testing::Values("demo", "torch"));

TEST_P(GeneratedModulesTest, ComeBackEqual) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Module module = GenerateModule(writer_, seed);
    const std::string file = Write(module, writer_, Elision::kUnspecifiedOnly);
    const absl::StatusOr<Module> read = Decode(file);
    ASSERT_THAT(read, IsOk()) << "seed " << seed;
    ASSERT_EQ(FirstDifference(module, *read), absl::nullopt) << "seed " << seed;
    ASSERT_TRUE(Write(*read, writer_, Elision::kUnspecifiedOnly) == file)
        << "seed " << seed;
  }
}

TEST_P(GeneratedModulesTest, MeanTheSameUnderEveryPolicy) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const absl::StatusOr<Module> module =
        Canonicalize(GenerateModule(writer_, seed));
    ASSERT_THAT(module, IsOk()) << "seed " << seed;
    const std::string expected = EffectiveLines(*module);
    for (const Elision policy : {Elision::kEqualToDefault, Elision::kNone}) {
      const std::string file = Write(*module, writer_, policy);
      const absl::StatusOr<Module> read = Decode(file);
      ASSERT_THAT(read, IsOk()) << "seed " << seed;
      ASSERT_EQ(EffectiveLines(*read), expected) << "seed " << seed;
      wire::Module message;
      ASSERT_TRUE(message.ParseFromString(file)) << "seed " << seed;
      ASSERT_TRUE(Seal(message) == file) << "seed " << seed;
    }
  }
}

// Where calls go out at a lower revision, they do so at once: neither reading
// back nor folding finds more to lower.
TEST(LoweredModulesTest, AreWrittenTheSameAgain) {
  const Runtime writer = ShippedRuntime("torch", "2.6.0");
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Module module = GenerateModule(writer, seed);
    const std::string file = Write(module, writer, Elision::kEqualToDefault);
    const absl::StatusOr<Module> read = Decode(file);
    ASSERT_THAT(read, IsOk()) << "seed " << seed;
    ASSERT_TRUE(Write(*read, writer, Elision::kEqualToDefault) == file)
        << "seed " << seed;
    const absl::StatusOr<Module> folded = Canonicalize(module);
    ASSERT_THAT(folded, IsOk()) << "seed " << seed;
    ASSERT_TRUE(Write(*folded, writer, Elision::kEqualToDefault) == file)
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace opcompat
