// Mutations of protobuf messages by reflection, so that a fuzzer's inputs stay
// well-formed messages and its changes reach what they mean.
#ifndef OPCOMPAT_FUZZ_PROTO_MUTATOR_H_
#define OPCOMPAT_FUZZ_PROTO_MUTATOR_H_

#include <cstddef>
#include <cstdint>

#include "google/protobuf/message.h"

namespace opcompat {

// Changes one random field somewhere in `message`; `seed` determines which, and
// to what.
void MutateMessage(google::protobuf::Message& message, unsigned int seed);

// The body of an LLVMFuzzerCustomMutator for inputs that are a serialized
// message of the type of `prototype`. Bytes that are no such message are taken
// as far as they can be parsed. Returns the new size, at most `max_size`.
size_t MutateSerialized(const google::protobuf::Message& prototype,
                        uint8_t* data, size_t size, size_t max_size,
                        unsigned int seed);

}  // namespace opcompat

#endif  // OPCOMPAT_FUZZ_PROTO_MUTATOR_H_
