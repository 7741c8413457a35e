// What a fuzz target of one side of the testee protocol defines;
// frame_target.cc makes the functions of an engine of it.
#ifndef OPCOMPAT_FUZZ_TARGETS_FRAME_TARGET_H_
#define OPCOMPAT_FUZZ_TARGETS_FRAME_TARGET_H_

#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"

namespace opcompat {

// Of the type of the messages that its inputs are streams of.
const google::protobuf::Message& PrototypeOfInputs();

// Ends the process if a property does not hold for `stream`.
void TestStream(absl::string_view stream);

}  // namespace opcompat

#endif  // OPCOMPAT_FUZZ_TARGETS_FRAME_TARGET_H_
