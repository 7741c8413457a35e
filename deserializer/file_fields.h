// The outermost level of a file: is it one, is it whole, may we read it, and
// where is what.
#ifndef OPCOMPAT_DESERIALIZER_FILE_FIELDS_H_
#define OPCOMPAT_DESERIALIZER_FILE_FIELDS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/hash_map.h"
#include "deserializer/field_reader.h"

namespace opcompat {
namespace decoding {

// The fields of the message Module, in the order of the file. A message that
// comes in pieces, as protobuf allows, is the pieces one after the other.
struct FileFields {
  // Of the message, checksum included.
  size_t message_size = 0;
  // What follows the message: the bulk data of tensors, not looked at yet.
  absl::string_view rest;
  // Known ones only.
  HashSet<std::string> required_features;
  std::vector<FileSpan> opsets;
  std::vector<FileSpan> metadata;
  std::vector<FileSpan> strings;
  std::vector<FileSpan> types;
  std::vector<FileSpan> constants;
  std::vector<FileSpan> tensors;
  std::vector<FileSpan> operators;
  std::vector<FileSpan> forms;
  std::vector<FileSpan> attributes;
  std::vector<FileSpan> named_tensors;
  std::vector<FileSpan> functions;
  std::vector<FileSpan> debug;
};

// Takes the current field if it is an element of strings, types, constants,
// tensors or operators: modules and compiled histories have these tables under
// the same numbers. False: it is another field.
bool TakeTableField(FieldReader* fields, FileFields* file);

// Whether `bytes` begin with the magic string.
bool HasMagic(absl::string_view bytes);

// Checks, in this order: magic string, end and size of the message, checksum,
// outermost fields, wire version, required features. Nothing of what is inside
// the fields.
absl::StatusOr<FileFields> ReadFileFields(absl::string_view bytes,
                                          size_t max_message_size);

// Whether `status`, of code Unimplemented, refuses the wire version and not a
// required feature. Known by how its message begins: a payload would bring
// absl::Cord into every program that reads files (docs/device.md).
bool RefusesWireVersion(const absl::Status& status);

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_FILE_FIELDS_H_
