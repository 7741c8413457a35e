#include "tools/wire_layout.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "wire/module.pb.h"

namespace opcompat {
namespace {

std::string SmallFile() {
  wire::Module file;
  file.set_magic("opcompat");
  file.set_wire_version(1);
  file.add_strings("a");
  file.add_strings(std::string(300, 'b'));
  file.add_functions()->add_forms(7);
  file.set_checksum(1);
  return file.SerializeAsString();
}

TEST(FieldPlacesTest, FieldsFollowOneAnotherAndFillTheFile) {
  const std::string bytes = SmallFile();
  const std::vector<FieldPlace> places = FieldPlaces(bytes);
  std::vector<uint32_t> numbers;
  size_t offset = 0;
  for (const FieldPlace& place : places) {
    numbers.push_back(place.number);
    EXPECT_EQ(place.offset, offset);
    offset += place.size;
  }
  EXPECT_EQ(numbers, (std::vector<uint32_t>{1, 2, 6, 6, 14, 100}));
  EXPECT_EQ(offset, bytes.size());
  EXPECT_EQ(places[0].content, "opcompat");
  EXPECT_EQ(places[0].content_offset, 2);
  EXPECT_EQ(places[3].content, std::string(300, 'b'));
}

TEST(FieldPlacesTest, NestedFieldsAreAtTheirPlaceInTheFile) {
  const std::string bytes = SmallFile();
  const FieldPlace function = FieldPlaces(bytes)[4];
  const std::vector<FieldPlace> columns =
      FieldPlaces(function.content, function.content_offset);
  ASSERT_EQ(columns.size(), 1);
  EXPECT_EQ(columns[0].number, 3);
  EXPECT_EQ(bytes.substr(columns[0].content_offset, 1), "\x07");
}

TEST(FieldPlacesTest, BytesThatAreNoMessageEndTheList) {
  const std::string bytes = SmallFile();
  for (size_t size = 0; size < bytes.size(); ++size) {
    const std::vector<FieldPlace> places =
        FieldPlaces(absl::string_view(bytes).substr(0, size));
    size_t end = 0;
    for (const FieldPlace& place : places) end = place.offset + place.size;
    EXPECT_LE(end, size);
  }
  EXPECT_TRUE(FieldPlaces(std::string(20, '\xff')).empty());
}

}  // namespace
}  // namespace opcompat
