// Makes message and bulk data of a changed module file agree again, in part or
// in whole, so that what is refused is not always a hash.
#ifndef OPCOMPAT_FUZZ_TARGETS_BULK_LAYOUT_H_
#define OPCOMPAT_FUZZ_TARGETS_BULK_LAYOUT_H_

#include <string>

#include "google/protobuf/message.h"

namespace opcompat {

// `message` is a wire::Module. `seed` determines what is put right: hashes
// always; sometimes offsets, sizes and shapes; sometimes bytes of `bulk` are
// changed first.
void FitBulk(unsigned int seed, google::protobuf::Message* message,
             std::string* bulk);

}  // namespace opcompat

#endif  // OPCOMPAT_FUZZ_TARGETS_BULK_LAYOUT_H_
