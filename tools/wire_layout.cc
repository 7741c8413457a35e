#include "tools/wire_layout.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"

namespace opcompat {
namespace {

// Takes a varint from the front; false: there is none.
bool TakeVarint(absl::string_view* bytes, uint64_t* value) {
  *value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes->empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes->front());
    bytes->remove_prefix(1);
    *value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return true;
  }
  return false;
}

}  // namespace

std::vector<FieldPlace> FieldPlaces(absl::string_view bytes, size_t offset) {
  std::vector<FieldPlace> places;
  absl::string_view rest = bytes;
  while (!rest.empty()) {
    FieldPlace place;
    place.offset = offset + (bytes.size() - rest.size());
    uint64_t tag = 0;
    uint64_t value = 0;
    if (!TakeVarint(&rest, &tag)) return places;
    place.number = static_cast<uint32_t>(tag >> 3);
    switch (tag & 7) {
      case 0:
        if (!TakeVarint(&rest, &value)) return places;
        break;
      case 1:
      case 5: {
        const size_t width = (tag & 7) == 1 ? 8 : 4;
        if (rest.size() < width) return places;
        rest.remove_prefix(width);
        break;
      }
      case 2:
        if (!TakeVarint(&rest, &value) || value > rest.size()) return places;
        place.content_offset = offset + (bytes.size() - rest.size());
        place.content = rest.substr(0, value);
        rest.remove_prefix(value);
        break;
      default:
        return places;
    }
    place.size = offset + (bytes.size() - rest.size()) - place.offset;
    places.push_back(place);
  }
  return places;
}

}  // namespace opcompat
