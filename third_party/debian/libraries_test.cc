// Tests that each library is found, compiles without warnings and links under
// the label that the BUILD file names.

#include <benchmark/benchmark.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <xxhash.h>
#include <zstd.h>

#include <string>

#include "CLI/CLI.hpp"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.pb.h"
#include "google/protobuf/text_format.h"
#include "nlohmann/json.hpp"

namespace opcompat {
namespace {

TEST(LibrariesTest, Abseil) {
  absl::flat_hash_map<std::string, int> map = {{absl::StrCat("a", 1), 2}};
  EXPECT_THAT(map, ::testing::ElementsAre(::testing::Pair("a1", 2)));
}

TEST(LibrariesTest, Benchmark) {
  benchmark::Counter counter(1.5);
  EXPECT_EQ(counter.value, 1.5);
  EXPECT_FALSE(benchmark::ReportUnrecognizedArguments(1, nullptr));
}

TEST(LibrariesTest, Cli11) {
  CLI::App app("example");
  int number = 0;
  app.add_option("-n", number);
  app.parse("-n 7");
  EXPECT_EQ(number, 7);
}

TEST(LibrariesTest, Json) {
  const nlohmann::json json = {{"a", {1, 2}}};
  EXPECT_EQ(json.dump(), R"({"a":[1,2]})");
  EXPECT_EQ(nlohmann::json::parse("[1]")[0], 1);
}

TEST(LibrariesTest, Protobuf) {
  google::protobuf::FileDescriptorProto message;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString("name: 'a'",
                                                            &message));
  EXPECT_EQ(message.SerializeAsString(), "\n\1a");
}

TEST(LibrariesTest, Sqlite) {
  EXPECT_EQ(sqlite3_libversion_number(), SQLITE_VERSION_NUMBER);
  EXPECT_NE(sqlite3_threadsafe(), 0);
}

TEST(LibrariesTest, Xxhash) {
  EXPECT_EQ(XXH3_64bits("", 0), 0x2d06800538d394c2u);
}

TEST(LibrariesTest, Zstd) {
  const std::string text(1000, 'a');
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  const size_t size = ZSTD_compress(&packed[0], packed.size(), text.data(),
                                    text.size(), 3);
  ASSERT_FALSE(ZSTD_isError(size));
  EXPECT_LT(size, 100);
}

}  // namespace
}  // namespace opcompat
