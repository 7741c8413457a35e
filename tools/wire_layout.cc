#include "tools/wire_layout.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"

namespace opcompat {
namespace {

constexpr uint32_t kChecksumField = 100;
constexpr size_t kBulkAlignment = 64;

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

// Takes a field from the front of `rest`, which begins `offset` bytes into the
// file; false: there is none.
bool TakeField(absl::string_view* rest, size_t offset, FieldPlace* place) {
  absl::string_view left = *rest;
  const auto taken = [&] { return rest->size() - left.size(); };
  *place = FieldPlace();
  place->offset = offset;
  uint64_t tag = 0;
  uint64_t value = 0;
  if (!TakeVarint(&left, &tag)) return false;
  place->number = static_cast<uint32_t>(tag >> 3);
  switch (tag & 7) {
    case 0:
      if (!TakeVarint(&left, &value)) return false;
      break;
    case 1:
    case 5: {
      const size_t width = (tag & 7) == 1 ? 8 : 4;
      if (left.size() < width) return false;
      left.remove_prefix(width);
      break;
    }
    case 2:
      if (!TakeVarint(&left, &value) || value > left.size()) return false;
      place->content_offset = offset + taken();
      place->content = left.substr(0, value);
      left.remove_prefix(value);
      break;
    default:
      return false;
  }
  place->size = taken();
  *rest = left;
  return true;
}

}  // namespace

std::vector<FieldPlace> FieldPlaces(absl::string_view bytes, size_t offset) {
  std::vector<FieldPlace> places;
  FieldPlace place;
  for (absl::string_view rest = bytes; !rest.empty();) {
    if (!TakeField(&rest, offset + (bytes.size() - rest.size()), &place)) break;
    places.push_back(place);
  }
  return places;
}

FileParts PartsOf(absl::string_view file) {
  FileParts parts;
  parts.message = file;
  FieldPlace place;
  for (absl::string_view rest = file; !rest.empty();) {
    if (!TakeField(&rest, file.size() - rest.size(), &place)) break;
    if (place.number != kChecksumField) continue;
    const size_t size = place.offset + place.size;
    parts.message = file.substr(0, size);
    parts.bulk_offset =
        (size + kBulkAlignment - 1) / kBulkAlignment * kBulkAlignment;
    if (parts.bulk_offset < file.size()) {
      parts.bulk = file.substr(parts.bulk_offset);
    }
    break;
  }
  return parts;
}

}  // namespace opcompat
