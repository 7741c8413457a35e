// What a caller of Serialize chooses.
#ifndef OPCOMPAT_SERIALIZER_OPTIONS_H_
#define OPCOMPAT_SERIALIZER_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "schema/opset.h"

namespace opcompat {

enum class Elision {
  // Left out iff equal to the default, whoever wrote it.
  kEqualToDefault,
  // Left out iff the module leaves it out. (A call that goes out at a lower
  // revision, as unchanged steps allow, has that revision's arguments: one that
  // it does not know yet is passed by whoever reads the call.)
  kUnspecifiedOnly,
  // Nothing is left out: for readers that cannot fill in defaults.
  kNone,
};

// Told from time to time how many bytes of how many are done, on the thread
// that works; the last call says all. At most one call per megabyte.
using ProgressCallback = std::function<void(uint64_t done, uint64_t total)>;

struct SerializeOptions {
  Elision elision = Elision::kEqualToDefault;
  // Names of values and source locations.
  bool debug_information = true;
  // Versions of the writer's histories that must all be able to read the file,
  // each a Runtime with one version of every history; not null. None: nobody
  // in particular. One: the module is bound to it and then written as that
  // version would write it. Several: see targets.h. The order does not matter.
  std::vector<const Runtime*> targets;
  // Of the file's bytes, as they are written. Null: nobody asks.
  ProgressCallback progress;
};

}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_OPTIONS_H_
