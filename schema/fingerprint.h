// A number that stands for an operator entry, to see at a glance (in a dump, in
// a log) whether two are the same. Not for deciding anything: entries are
// compared as a whole.
#ifndef OPCOMPAT_SCHEMA_FINGERPRINT_H_
#define OPCOMPAT_SCHEMA_FINGERPRINT_H_

#include <cstdint>

#include "schema/operator_entry.h"

namespace opcompat {

// XXH3-64 of every field of the entry, doubles by their bits. Equal entries
// have equal fingerprints, on every machine; different ones have different
// fingerprints but for collisions of the hash.
uint64_t Fingerprint(const OperatorEntry& entry);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_FINGERPRINT_H_
