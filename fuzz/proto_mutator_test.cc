// Tests that the mutator reaches every kind of field and stays in its limits.
#include "fuzz/proto_mutator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "google/protobuf/descriptor.pb.h"

namespace opcompat {
namespace {

// A message type that holds all kinds of fields: strings, numbers, booleans,
// enums, and messages in messages; singular and repeated.
using Prototype = google::protobuf::FileDescriptorProto;

Prototype Example() {
  Prototype message;
  message.set_name("a.proto");
  message.add_dependency("b.proto");
  message.add_public_dependency(1);
  auto* field = message.add_message_type()->add_field();
  field->set_name("f");
  field->set_type(google::protobuf::FieldDescriptorProto::TYPE_INT32);
  return message;
}

TEST(MutateMessageTest, SeedDetermines) {
  Prototype a = Example();
  Prototype b = Example();
  MutateMessage(a, 5);
  MutateMessage(b, 5);
  EXPECT_EQ(a.SerializePartialAsString(), b.SerializePartialAsString());
}

TEST(MutateMessageTest, ChangesManyThings) {
  std::set<std::string> results;
  for (unsigned int seed = 0; seed < 1000; ++seed) {
    Prototype message = Example();
    MutateMessage(message, seed);
    results.insert(message.SerializePartialAsString());
  }
  EXPECT_GT(results.size(), 200u);
}

TEST(MutateMessageTest, SurvivesLongChains) {
  Prototype message;
  for (unsigned int seed = 0; seed < 20000; ++seed) {
    MutateMessage(message, seed);
    if (message.ByteSizeLong() > 100000) message.Clear();
  }
  EXPECT_NE(message.ByteSizeLong(), 0u);
}

TEST(MutateSerializedTest, KeepsWithinMaxSize) {
  const std::string start = Example().SerializeAsString();
  const size_t max_size = start.size() + 1;
  for (unsigned int seed = 0; seed < 1000; ++seed) {
    std::vector<uint8_t> data(max_size);
    std::copy(start.begin(), start.end(), data.begin());
    const size_t size =
        MutateSerialized(Prototype::default_instance(), data.data(),
                         start.size(), max_size, seed);
    ASSERT_LE(size, max_size);
    Prototype message;
    EXPECT_TRUE(
        message.ParsePartialFromArray(data.data(), static_cast<int>(size)));
  }
}

TEST(MutateSerializedTest, TakesAnyBytes) {
  std::vector<uint8_t> data(64, 0xff);
  const size_t size = MutateSerialized(Prototype::default_instance(),
                                       data.data(), 10, data.size(), 1);
  Prototype message;
  EXPECT_TRUE(
      message.ParsePartialFromArray(data.data(), static_cast<int>(size)));
}

}  // namespace
}  // namespace opcompat
