#include "deserializer/file_fields.h"

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "base/concat.h"
#include "base/escape.h"
#include "base/status_macros.h"
#include "deserializer/envelope.h"

namespace opcompat {
namespace decoding {
namespace {

// The field `magic` and its value, as each file begins.
constexpr absl::string_view kBeginning = "\x0a\x08opcompat";
constexpr uint32_t kWireVersion = 1;
// How a refusal of another one begins, and nothing else (CheckFeatures).
constexpr absl::string_view kNewerWireVersion = "the file has wire version ";

}  // namespace

bool TakeTableField(FieldReader* fields, FileFields* file) {
  switch (fields->number()) {
    case 6:
      file->strings.push_back(fields->Span());
      return true;
    case 7:
      file->types.push_back(fields->Span());
      return true;
    case 8:
      file->constants.push_back(fields->Span());
      return true;
    case 9:
      file->tensors.push_back(fields->Span());
      return true;
    case 10:
      file->operators.push_back(fields->Span());
      return true;
    default:
      return false;
  }
}

bool HasMagic(absl::string_view bytes) {
  return absl::StartsWith(bytes, kBeginning);
}

absl::StatusOr<FileFields> ReadFileFields(absl::string_view bytes,
                                          size_t max_message_size) {
  if (!HasMagic(bytes)) {
    return Malformed(
        Concat("it does not begin with the bytes 0A 08 \"opcompat\"; found \"",
               HexEscape(bytes.substr(0, kBeginning.size())), "\""));
  }
  OPCOMPAT_ASSIGN_OR_RETURN(const absl::string_view covered,
                            CheckChecksum(bytes, kBeginning, max_message_size));
  FileFields file;
  file.message_size = covered.size() + kChecksumSize;
  file.rest = bytes.substr(file.message_size);
  uint32_t magics = 0;
  uint32_t wire_versions = 0;
  uint32_t wire_version = 0;
  std::vector<std::string> features;
  FieldReader fields({covered, 0}, "the file");
  while (fields.Next()) {
    if (TakeTableField(&fields, &file)) continue;
    switch (fields.number()) {
      case 1:
        if (++magics > 1) fields.Fail("a second magic string");
        break;
      case 2:
        wire_version = fields.Uint32();
        if (++wire_versions > 1) fields.Fail("a second wire version");
        break;
      case 3:
        features.emplace_back(fields.Bytes());
        break;
      case 4:
        file.opsets.push_back(fields.Span());
        break;
      case 5:
        file.metadata.push_back(fields.Span());
        break;
      case 11:
        file.forms.push_back(fields.Span());
        break;
      case 12:
        file.attributes.push_back(fields.Span());
        break;
      case 13:
        file.named_tensors.push_back(fields.Span());
        break;
      case 14:
        file.functions.push_back(fields.Span());
        break;
      case 15:
        // Of whatever kind: it never decides.
        if (fields.is_bytes()) file.debug.push_back(fields.Span());
        break;
      case 100:
        fields.Fail("a second checksum");
        break;
      default:
        break;  // safe to ignore, or a required feature would say so
    }
  }
  // Comes first: a newer version may mean other things by other fields.
  if (wire_versions == 1 && wire_version > kWireVersion) {
    return absl::UnimplementedError(Concat(
        kNewerWireVersion, wire_version, "; this reader reads wire version ",
        kWireVersion, "; a newer reader is needed"));
  }
  OPCOMPAT_RETURN_IF_ERROR(fields.status());
  if (wire_version == 0) return Malformed("it has no wire version");
  OPCOMPAT_RETURN_IF_ERROR(CheckFeatures(features));
  for (std::string& feature : features) {
    file.required_features.insert(std::move(feature));
  }
  return file;
}

bool RefusesWireVersion(const absl::Status& status) {
  return absl::IsUnimplemented(status) &&
         absl::StartsWith(status.message(), kNewerWireVersion);
}

}  // namespace decoding
}  // namespace opcompat
