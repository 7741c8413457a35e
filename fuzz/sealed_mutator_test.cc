// Tests that changed files keep their ends, so that what is between is tested.
#include "fuzz/sealed_mutator.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "deserializer/decode.h"
#include "fuzz/engine.h"
#include "wire/compiled_history.pb.h"
#include "wire/module.pb.h"
#include "wire/testing/seal.h"

// The engine's part.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size,
                                   size_t /*max_size*/) {
  if (size > 0) data[size / 2] ^= 1;
  return size;
}

namespace opcompat {
namespace {

constexpr unsigned int kSeeds = 2000;

std::string SmallFile() {
  wire::Module message;
  message.set_magic("opcompat");
  message.set_wire_version(1);
  for (const char* text : {"a", "b", "c"}) message.add_strings(text);
  message.add_types()->set_kind(1);
  return Seal(message);
}

bool HasRightChecksum(const std::string& file) {
  return Reseal(file.substr(0, MessageSize(file))) ==
         file.substr(0, MessageSize(file));
}

TEST(MutateSealedTest, MostFilesHaveTheRightEndsAndManyAreRead) {
  unsigned int right = 0;
  unsigned int read = 0;
  for (unsigned int seed = 0; seed < kSeeds; ++seed) {
    const std::string file = MutateSealed(ModuleForm(), SmallFile(), seed);
    right += HasRightChecksum(file) && LooksLikeModuleFile(file);
    read += Decode(file).ok();
  }
  EXPECT_GT(right, kSeeds * 3 / 4);
  EXPECT_LT(right, kSeeds);
  EXPECT_GT(read, kSeeds / 20);
}

TEST(MutateSealedTest, BulkDataStaysBehindTheMessage) {
  const std::string file = WithBulk(SmallFile(), "bulk");
  unsigned int kept = 0;
  for (unsigned int seed = 0; seed < kSeeds; ++seed) {
    kept += BulkOf(MutateSealed(ModuleForm(), file, seed)) == "bulk";
  }
  EXPECT_GT(kept, kSeeds * 3 / 4);
}

TEST(MutateSealedTest, ModulesInACompiledHistoryAreChangedAsFiles) {
  wire::CompiledHistory history;
  history.add_modules(SmallFile());
  // The last field ends as a file does, which must not be taken for its end.
  const std::string file = WithChecksum(history.SerializeAsString());
  unsigned int changed = 0;
  for (unsigned int seed = 0; seed < kSeeds; ++seed) {
    const std::string mutated = MutateSealed(CompiledHistoryForm(), file, seed);
    wire::CompiledHistory parsed;
    if (!parsed.ParseFromString(mutated) || parsed.modules_size() != 1 ||
        parsed.modules(0) == SmallFile()) {
      continue;
    }
    changed += HasRightChecksum(parsed.modules(0));
  }
  EXPECT_GT(changed, kSeeds / 8);
}

TEST(CrossOverSealedInputsTest, TakesFromBothAndSeals) {
  wire::Module other;
  other.add_strings("other");
  const std::string file = SmallFile();
  const std::string other_file = Seal(other);
  std::vector<uint8_t> out(4096);
  unsigned int both = 0;
  for (unsigned int seed = 0; seed < kSeeds; ++seed) {
    const size_t size = CrossOverSealedInputs(
        ModuleForm(), reinterpret_cast<const uint8_t*>(file.data()),
        file.size(), reinterpret_cast<const uint8_t*>(other_file.data()),
        other_file.size(), out.data(), out.size(), seed);
    const std::string crossed(out.begin(), out.begin() + size);
    ASSERT_TRUE(HasRightChecksum(crossed));
    both += crossed.find("other") != std::string::npos &&
            crossed.find('a') != std::string::npos;
  }
  EXPECT_GT(both, kSeeds / 4);
}

}  // namespace
}  // namespace opcompat
