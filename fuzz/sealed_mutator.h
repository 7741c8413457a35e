// Mutations of our own files: messages that begin with a magic string and end
// with a checksum, behind which bulk data may follow. What is changed is the
// message; the ends are put right again, mostly, so that what is behind the
// checksum is tested and not the checksum.
#ifndef OPCOMPAT_FUZZ_SEALED_MUTATOR_H_
#define OPCOMPAT_FUZZ_SEALED_MUTATOR_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "fuzz/proto_mutator.h"
#include "google/protobuf/message.h"

namespace opcompat {

// A kind of file.
struct SealedForm {
  // A message of the file's type with the magic string, the version and, as
  // required features, all that readers know: what most changes keep.
  std::shared_ptr<const google::protobuf::Message> header;
  // Of fields that hold files themselves; may be null.
  FieldBytesMutator mutate_bytes = nullptr;
  // Puts right, between message and bulk data, what else must agree; may be
  // null.
  std::function<void(unsigned int seed, google::protobuf::Message* message,
                     std::string* bulk)>
      fit_bulk = nullptr;
};

// Module files: wire/module.proto.
SealedForm ModuleForm();
// Compiled histories: wire/compiled_history.proto; the modules in them are
// changed as such.
SealedForm CompiledHistoryForm();

// Changes `file`. Most often the message, by its fields; now and then bytes
// under the right checksum, or bytes and nothing put right.
std::string MutateSealed(const SealedForm& form, absl::string_view file,
                         unsigned int seed);

// The bodies of an LLVMFuzzerCustomMutator and of an LLVMFuzzerCustomCrossOver
// for such files.
size_t MutateSealedInput(const SealedForm& form, uint8_t* data, size_t size,
                         size_t max_size, unsigned int seed);
size_t CrossOverSealedInputs(const SealedForm& form, const uint8_t* data1,
                             size_t size1, const uint8_t* data2, size_t size2,
                             uint8_t* out, size_t max_out_size,
                             unsigned int seed);

}  // namespace opcompat

#endif  // OPCOMPAT_FUZZ_SEALED_MUTATOR_H_
