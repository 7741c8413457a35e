#include "deserializer/decode.h"

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "base/status_macros.h"
#include "deserializer/envelope.h"
#include "deserializer/file_fields.h"
#include "deserializer/function_reader.h"
#include "deserializer/module_reader.h"

namespace opcompat {

absl::StatusOr<Module> Decode(absl::string_view bytes,
                              const DecodeLimits& limits) {
  DecodeOptions options;
  options.limits = limits;
  return Decode(bytes, options);
}

absl::StatusOr<Module> Decode(absl::string_view bytes,
                              const DecodeOptions& options) {
  OPCOMPAT_ASSIGN_OR_RETURN(const decoding::FileTables read,
                            decoding::ReadFileTables(bytes, options, nullptr));
  decoding::FunctionFindings findings;
  OPCOMPAT_ASSIGN_OR_RETURN(
      Module module,
      decoding::ReadModule(read, options.limits, nullptr, &findings));
  if (options.progress) options.progress(bytes.size(), bytes.size());
  return module;
}

std::vector<std::string> KnownFeatures() {
  const absl::Span<const absl::string_view> known = decoding::KnownFeatures();
  return std::vector<std::string>(known.begin(), known.end());
}

bool LooksLikeModuleFile(absl::string_view bytes) {
  return decoding::HasMagic(bytes);
}

}  // namespace opcompat
