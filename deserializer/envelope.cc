#include "deserializer/envelope.h"

#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace opcompat {
namespace decoding {
namespace {

// The tag of the field `checksum`; eight bytes follow, and the file ends.
constexpr absl::string_view kChecksumTag = "\xa1\x06";
constexpr size_t kChecksumSize = kChecksumTag.size() + 8;

constexpr absl::string_view kKnownFeatures[] = {
    "covered_marks",        "equal_values",      "ignorable_arguments",
    "neutral_values",       "origins",           "prim::CallFunction",
    "prim::CallMethod",     "prim::Constant",    "prim::DictConstruct",
    "prim::GetAttr",        "prim::If",          "prim::ListConstruct",
    "prim::ListUnpack",     "prim::Loop",        "prim::SetAttr",
    "prim::TupleConstruct", "retired_arguments", "revisions",
};

absl::Status Malformed(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("malformed file: ", what));
}

uint64_t LittleEndian64(absl::string_view bytes) {
  uint64_t bits = 0;
  for (int i = 7; i >= 0; --i) {
    bits = bits << 8 | static_cast<uint8_t>(bytes[i]);
  }
  return bits;
}

}  // namespace

absl::StatusOr<absl::string_view> CheckChecksum(absl::string_view bytes,
                                                absl::string_view beginning) {
  if (bytes.size() < beginning.size() + kChecksumSize) {
    return Malformed(absl::StrCat("it is cut off after ", bytes.size(),
                                  " bytes; no file is that short"));
  }
  const absl::string_view covered =
      bytes.substr(0, bytes.size() - kChecksumSize);
  const absl::string_view end = bytes.substr(covered.size());
  if (!absl::StartsWith(end, kChecksumTag)) {
    return Malformed(
        absl::StrCat("it does not end with a checksum (offset ", covered.size(),
                     "): it was cut off, or something was appended to it"));
  }
  const uint64_t expected = LittleEndian64(end.substr(kChecksumTag.size()));
  const uint64_t found = XXH3_64bits(covered.data(), covered.size());
  if (expected != found) {
    return Malformed(absl::StrCat(
        "its checksum is ", absl::Hex(expected, absl::kZeroPad16),
        ", but that of its bytes is ", absl::Hex(found, absl::kZeroPad16),
        ": it was damaged or changed"));
  }
  return covered;
}

absl::Status CheckFeatures(const std::vector<std::string>& features) {
  std::vector<std::string> unknown;
  for (size_t i = 0; i < features.size(); ++i) {
    if (i > 0 && features[i] <= features[i - 1]) {
      return Malformed(
          absl::StrCat("the required feature \"", absl::CHexEscape(features[i]),
                       "\" stands after \"", absl::CHexEscape(features[i - 1]),
                       "\"; they are sorted, each once"));
    }
    const auto end = std::end(kKnownFeatures);
    if (std::find(std::begin(kKnownFeatures), end, features[i]) == end) {
      unknown.push_back(
          absl::StrCat("\"", absl::CHexEscape(features[i]), "\""));
    }
  }
  if (unknown.empty()) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat(
      "the file needs ", unknown.size() == 1 ? "feature " : "features ",
      absl::StrJoin(unknown, ", "),
      ", which this reader does not know; a newer reader is needed, or a file "
      "written without it"));
}

}  // namespace decoding
}  // namespace opcompat
