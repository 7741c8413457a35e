// The steps from a file to a module: the tables, which are read once, and then
// the module, which may be read as it was written or as a reader has it. For
// Decode (decode.h) and Deserialize (deserialize.h), which say when what.
#ifndef OPCOMPAT_DESERIALIZER_MODULE_READER_H_
#define OPCOMPAT_DESERIALIZER_MODULE_READER_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "binding/form_binder.h"
#include "deserializer/budget.h"
#include "deserializer/decode_options.h"
#include "deserializer/file_fields.h"
#include "deserializer/form_reader.h"
#include "deserializer/function_reader.h"
#include "deserializer/tables.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {
namespace decoding {

// All of a file but its functions and what only they need. Views of its bytes.
struct FileTables {
  FileFields file;
  Tables tables;
  std::vector<OperatorEntryPtr> entries;
  std::vector<WireForm> forms;
  // A module with nothing but the opsets that the file was written with, and
  // what was wrong with those, which ReadModule says in its turn.
  Module header;
  absl::Status header_status;
  Budget budget{0};  // what is left of it
};

// `reader` may be null; what it has of the file's entries is taken from it.
absl::StatusOr<FileTables> ReadFileTables(absl::string_view bytes,
                                          const DecodeOptions& options,
                                          const Runtime* reader);

// The module; verified. With `binder`, its calls are bound as they are read: it
// is the reader's but for its opsets. Any error means only that it cannot be
// read like that, and reading it without says why.
absl::StatusOr<Module> ReadModule(const FileTables& read,
                                  const DecodeLimits& limits,
                                  const FormBinder* binder,
                                  FunctionFindings* findings);

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_MODULE_READER_H_
