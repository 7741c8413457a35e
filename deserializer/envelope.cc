#include "deserializer/envelope.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "base/concat.h"
#include "base/escape.h"
#include "base/xxh3.h"
#include "deserializer/field_reader.h"

namespace opcompat {
namespace decoding {
namespace {

// The tag of the field `checksum`; eight bytes follow, and the message ends.
constexpr absl::string_view kChecksumTag = "\xa1\x06";
static_assert(kChecksumTag.size() + 8 == kChecksumSize, "");

constexpr absl::string_view kKnownFeatures[] = {
    "bulk_tensors",        "covered_marks",        "equal_values",
    "ignorable_arguments", "neutral_values",       "origins",
    "prim::CallFunction",  "prim::CallMethod",     "prim::Constant",
    "prim::DictConstruct", "prim::GetAttr",        "prim::If",
    "prim::ListConstruct", "prim::ListUnpack",     "prim::Loop",
    "prim::SetAttr",       "prim::TupleConstruct", "retired_arguments",
    "revisions",
};

uint64_t LittleEndian64(absl::string_view bytes) {
  uint64_t bits = 0;
  for (int i = 7; i >= 0; --i) {
    bits = bits << 8 | static_cast<uint8_t>(bytes[i]);
  }
  return bits;
}

// The checksum field at `offset`; nullopt: there is none.
absl::optional<uint64_t> ChecksumAt(absl::string_view bytes, size_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < kChecksumSize ||
      !absl::StartsWith(bytes.substr(offset), kChecksumTag)) {
    return absl::nullopt;
  }
  return LittleEndian64(bytes.substr(offset + kChecksumTag.size()));
}

// Where the message's fields end: the offset of the first that is a checksum,
// or of the first that is cut off or none at all. Looks at tags and lengths
// only, and at most at `limit` bytes.
size_t EndOfFields(absl::string_view bytes, size_t limit) {
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();
  const char* p = begin;
  while (true) {
    const auto offset = static_cast<size_t>(p - begin);
    uint64_t tag;
    uint64_t length;
    if (offset > limit || ChecksumAt(bytes, offset).has_value() ||
        !ReadVarint(&p, end, &tag)) {
      return offset;
    }
    switch (tag & 7) {
      case 0:
        if (!ReadVarint(&p, end, &length)) return offset;
        continue;
      case 1:
        length = 8;
        break;
      case 2:
        if (!ReadVarint(&p, end, &length)) return offset;
        break;
      case 5:
        length = 4;
        break;
      default:
        return offset;
    }
    if (length > static_cast<uint64_t>(end - p)) return offset;
    p += length;
  }
}

}  // namespace

absl::Status Malformed(absl::string_view what) {
  return absl::InvalidArgumentError(Concat("malformed file: ", what));
}

absl::StatusOr<absl::string_view> CheckChecksum(absl::string_view bytes,
                                                absl::string_view beginning,
                                                size_t max_message_size) {
  if (bytes.size() < beginning.size() + kChecksumSize) {
    return Malformed(Concat("it is cut off after ", bytes.size(),
                            " bytes; no file is that short"));
  }
  const size_t end = EndOfFields(bytes, max_message_size);
  if (end > max_message_size || max_message_size - end < kChecksumSize) {
    return absl::ResourceExhaustedError(
        Concat("the file has more than ", max_message_size,
               " bytes before its large tensors, the limit"));
  }
  const absl::optional<uint64_t> expected = ChecksumAt(bytes, end);
  const absl::string_view covered = bytes.substr(0, end);
  uint64_t found = 0;
  if (expected.has_value()) {
    found = XXH3_64bits(covered.data(), covered.size());
    if (found == *expected) return covered;
  }
  // It may be whole and yet have fields that are none: whoever reads them says
  // which. Else it was damaged, and what seems wrong inside says nothing.
  const size_t last = bytes.size() - kChecksumSize;
  if (last != end && bytes.size() <= max_message_size &&
      ChecksumAt(bytes, last) == XXH3_64bits(bytes.data(), last)) {
    return bytes.substr(0, last);
  }
  if (!expected.has_value()) {
    return Malformed(Concat("no checksum ends it (its fields end at offset ",
                            end, " of ", bytes.size(),
                            "): it was cut off or damaged"));
  }
  return Malformed(Concat("its checksum is ", Hex16{*expected},
                          ", but that of its bytes is ", Hex16{found},
                          ": it was damaged or changed"));
}

absl::Span<const absl::string_view> KnownFeatures() { return kKnownFeatures; }

absl::Status CheckFeatures(const std::vector<std::string>& features) {
  std::vector<std::string> unknown;
  for (size_t i = 0; i < features.size(); ++i) {
    if (i > 0 && features[i] <= features[i - 1]) {
      return Malformed(Concat("the required feature \"", HexEscape(features[i]),
                              "\" stands after \"", HexEscape(features[i - 1]),
                              "\"; they are sorted, each once"));
    }
    const auto end = std::end(kKnownFeatures);
    if (std::find(std::begin(kKnownFeatures), end, features[i]) == end) {
      unknown.push_back(Concat("\"", HexEscape(features[i]), "\""));
    }
  }
  if (unknown.empty()) return absl::OkStatus();
  return absl::UnimplementedError(Concat(
      "the file needs ", unknown.size() == 1 ? "feature " : "features ",
      absl::StrJoin(unknown, ", "),
      ", which this reader does not know; a newer reader is needed, or a file "
      "written without it"));
}

}  // namespace decoding
}  // namespace opcompat
