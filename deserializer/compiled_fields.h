// The outermost level of a compiled history: is it one, is it whole, may we
// read it, and where is what.
#ifndef OPCOMPAT_DESERIALIZER_COMPILED_FIELDS_H_
#define OPCOMPAT_DESERIALIZER_COMPILED_FIELDS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "deserializer/field_reader.h"
#include "deserializer/file_fields.h"

namespace opcompat {
namespace decoding {

// The fields of the message CompiledHistory, in the order of the file.
struct CompiledFields {
  // Those that it has in common with a module: features, strings, types,
  // constants, tensors, operators.
  FileFields tables;
  std::string name;
  std::vector<std::string> aliases;
  std::vector<FileSpan> modules;
  std::vector<FileSpan> revision_steps;
  std::vector<FileSpan> presence_steps;
  std::vector<FileSpan> infos;
  std::vector<FileSpan> versions;
};

// Whether `bytes` begin with the magic string.
bool HasHistoryMagic(absl::string_view bytes);

// Checks, in this order: magic string, checksum, outermost fields, form
// version, required features. Nothing of what is inside the fields.
absl::StatusOr<CompiledFields> ReadCompiledFields(absl::string_view bytes);

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_COMPILED_FIELDS_H_
