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

// Whether mutations of `message` reach one for which `is` holds.
template <typename Is>
bool Reaches(const Prototype& message, const Is& is) {
  for (unsigned int seed = 0; seed < 5000; ++seed) {
    Prototype changed = message;
    MutateMessage(changed, seed);
    if (is(changed)) return true;
  }
  return false;
}

// Columns that belong together stay sound only under small changes.
TEST(MutateMessageTest, ColumnsChangeByElements) {
  Prototype message;
  const std::vector<int> column = {10, 20, 30, 40};
  for (const int number : column) message.add_public_dependency(number);
  const std::vector<std::vector<int>> expected = {
      {10, 21, 30, 40},          // one more
      {10, 20, 29, 40},          // one less
      {10, 20, 20, 40},          // a copy of another
      {10, 30, 40},              // erased
      {40, 20, 30, 10},          // changed places
      {10, 20, 30, 30, 40},      // inserted
      {10, 20, 10, 20, 30, 40},  // several at once
  };
  for (const std::vector<int>& wanted : expected) {
    EXPECT_TRUE(Reaches(message, [&](const Prototype& changed) {
      return std::equal(changed.public_dependency().begin(),
                        changed.public_dependency().end(), wanted.begin(),
                        wanted.end());
    })) << ::testing::PrintToString(wanted);
  }
}

TEST(MutateMessageTest, BytesOfFieldsGoToTheirMutator) {
  const FieldBytesMutator mutate =
      [](const google::protobuf::FieldDescriptor& field, unsigned int,
         std::string* bytes) {
        if (field.name() != "dependency") return false;
        *bytes += "!";
        return true;
      };
  std::set<std::string> results;
  for (unsigned int seed = 0; seed < 1000; ++seed) {
    Prototype message;
    message.add_dependency("b");
    MutateMessage(message, seed, mutate);
    if (message.dependency_size() == 1) results.insert(message.dependency(0));
  }
  EXPECT_TRUE(results.count("b!"));
  EXPECT_FALSE(results.count("a"));
}

TEST(CrossOverMessagesTest, TakesFromTheOtherAtEveryDepth) {
  Prototype other;
  other.set_name("other");
  other.add_public_dependency(7);
  other.add_message_type()->add_field()->set_name("g");
  bool name = false;
  bool element = false;
  bool nested = false;
  for (unsigned int seed = 0; seed < 1000; ++seed) {
    Prototype message = Example();
    CrossOverMessages(message, other, seed);
    name |= message.name() == "other";
    element |= message.public_dependency_size() == 2 &&
               message.public_dependency(1) == 7;
    nested |= message.message_type_size() == 1 &&
              message.message_type(0).field_size() == 1 &&
              message.message_type(0).field(0).name() == "g" &&
              message.message_type(0).field(0).has_type();
    ASSERT_TRUE(message.IsInitialized());
  }
  EXPECT_TRUE(name);
  EXPECT_TRUE(element);
  EXPECT_TRUE(nested);
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
