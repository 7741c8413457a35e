// Mutations of protobuf messages by reflection, so that a fuzzer's inputs stay
// well-formed messages and its changes reach what they mean. Knows no message
// type and no checksum: sealed_mutator.h is for files of ours.
#ifndef OPCOMPAT_FUZZ_PROTO_MUTATOR_H_
#define OPCOMPAT_FUZZ_PROTO_MUTATOR_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace opcompat {

// Changes `bytes`, those of a field that holds something with a form of its own
// (a file, a text). Returns false for other fields: they are changed as plain
// strings.
using FieldBytesMutator =
    std::function<bool(const google::protobuf::FieldDescriptor& field,
                       unsigned int seed, std::string* bytes)>;

// Changes one to four random places in `message`; `seed` determines which, and
// to what. Mostly fields that are set: a number by a little or much, a string,
// an element of a column (changed, copied, moved, added, removed), a message.
void MutateMessage(google::protobuf::Message& message, unsigned int seed,
                   const FieldBytesMutator& mutate_bytes = nullptr);

// Takes something of `other`, a message of the same type, into `message`: a
// field, some elements, a message in one of its messages.
void CrossOverMessages(google::protobuf::Message& message,
                       const google::protobuf::Message& other,
                       unsigned int seed);

// The body of an LLVMFuzzerCustomMutator for inputs that are a serialized
// message of the type of `prototype`. Bytes that are no such message are taken
// as far as they can be parsed. Returns the new size, at most `max_size`.
size_t MutateSerialized(const google::protobuf::Message& prototype,
                        uint8_t* data, size_t size, size_t max_size,
                        unsigned int seed);

// The body of an LLVMFuzzerCustomCrossOver for such inputs.
size_t CrossOverSerialized(const google::protobuf::Message& prototype,
                           const uint8_t* data1, size_t size1,
                           const uint8_t* data2, size_t size2, uint8_t* out,
                           size_t max_out_size, unsigned int seed);

// Lets protobuf say nothing any more: inputs are full of what it complains
// about. For targets.
void SilenceProtobuf();

}  // namespace opcompat

#endif  // OPCOMPAT_FUZZ_PROTO_MUTATOR_H_
