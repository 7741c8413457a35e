#include "deserializer/compiled_fields.h"

#include <cstddef>
#include <cstdint>
#include <limits>
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

// The field `magic` and its value, as each compiled history begins.
constexpr absl::string_view kBeginning = "\x0a\x10opcompat-history";
// Of the message: the whole file is there already.
constexpr size_t kNoLimit = std::numeric_limits<size_t>::max();
constexpr uint32_t kFormVersion = 1;

}  // namespace

bool HasHistoryMagic(absl::string_view bytes) {
  return absl::StartsWith(bytes, kBeginning);
}

absl::StatusOr<CompiledFields> ReadCompiledFields(absl::string_view bytes) {
  if (!HasHistoryMagic(bytes)) {
    return Malformed(Concat(
        "it does not begin with the bytes 0A 10 \"opcompat-history\"; found \"",
        HexEscape(bytes.substr(0, kBeginning.size())), "\""));
  }
  OPCOMPAT_ASSIGN_OR_RETURN(const absl::string_view covered,
                            CheckChecksum(bytes, kBeginning, kNoLimit));
  if (covered.size() + kChecksumSize != bytes.size()) {
    return Malformed(
        Concat("something follows the checksum, which ends it at offset ",
               covered.size() + kChecksumSize, " of ", bytes.size()));
  }
  CompiledFields file;
  uint32_t magics = 0;
  uint32_t form_versions = 0;
  uint32_t form_version = 0;
  std::vector<std::string> features;
  FieldReader fields({covered, 0}, "the file");
  while (fields.Next()) {
    if (TakeTableField(&fields, &file.tables)) continue;
    switch (fields.number()) {
      case 1:
        if (++magics > 1) fields.Fail("a second magic string");
        break;
      case 2:
        form_version = fields.Uint32();
        if (++form_versions > 1) fields.Fail("a second form version");
        break;
      case 3:
        features.emplace_back(fields.Bytes());
        break;
      case 4:
        file.name = std::string(fields.Bytes());
        break;
      case 5:
        file.aliases.emplace_back(fields.Bytes());
        break;
      case 11:
        file.modules.push_back(fields.Span());
        break;
      case 12:
        file.revision_steps.push_back(fields.Span());
        break;
      case 13:
        file.presence_steps.push_back(fields.Span());
        break;
      case 14:
        file.infos.push_back(fields.Span());
        break;
      case 15:
        file.versions.push_back(fields.Span());
        break;
      case 100:
        fields.Fail("a second checksum");
        break;
      default:
        break;  // safe to ignore, or a required feature would say so
    }
  }
  // Comes first: a newer version may mean other things by other fields.
  if (form_versions == 1 && form_version > kFormVersion) {
    return absl::UnimplementedError(Concat(
        "the file has form version ", form_version,
        "; this loader reads form version ", kFormVersion,
        "; a newer loader is needed, or a history compiled for this one"));
  }
  OPCOMPAT_RETURN_IF_ERROR(fields.status());
  if (form_version == 0) return Malformed("it has no form version");
  OPCOMPAT_RETURN_IF_ERROR(CheckFeatures(features));
  for (std::string& feature : features) {
    file.tables.required_features.insert(std::move(feature));
  }
  if (file.name.empty()) return Malformed("the history has no name");
  if (file.versions.empty()) return Malformed("the history has no version");
  return file;
}

}  // namespace decoding
}  // namespace opcompat
