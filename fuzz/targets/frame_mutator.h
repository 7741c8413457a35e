// Mutations of streams of the testee protocol: frames come and go, and the
// message in one of them is changed by its fields, files in it as files.
#ifndef OPCOMPAT_FUZZ_TARGETS_FRAME_MUTATOR_H_
#define OPCOMPAT_FUZZ_TARGETS_FRAME_MUTATOR_H_

#include <cstddef>
#include <cstdint>

#include "google/protobuf/message.h"

namespace opcompat {

// The bodies of an LLVMFuzzerCustomMutator and of an LLVMFuzzerCustomCrossOver
// for streams of messages of the type of `prototype`.
size_t MutateStream(const google::protobuf::Message& prototype, uint8_t* data,
                    size_t size, size_t max_size, unsigned int seed);
size_t CrossOverStreams(const google::protobuf::Message& prototype,
                        const uint8_t* data1, size_t size1,
                        const uint8_t* data2, size_t size2, uint8_t* out,
                        size_t max_out_size, unsigned int seed);

}  // namespace opcompat

#endif  // OPCOMPAT_FUZZ_TARGETS_FRAME_MUTATOR_H_
