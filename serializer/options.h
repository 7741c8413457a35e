// What a caller of Serialize chooses.
#ifndef OPCOMPAT_SERIALIZER_OPTIONS_H_
#define OPCOMPAT_SERIALIZER_OPTIONS_H_

#include <vector>

#include "schema/opset.h"

namespace opcompat {

enum class Elision {
  // Left out iff equal to the default, whoever wrote it.
  kEqualToDefault,
  // Left out iff the module leaves it out.
  kUnspecifiedOnly,
  // Nothing is left out: for readers that cannot fill in defaults.
  kNone,
};

struct SerializeOptions {
  Elision elision = Elision::kEqualToDefault;
  // Names of values and source locations.
  bool debug_information = true;
  // Versions of the writer's histories that must all be able to read the file,
  // each a Runtime with one version of every history; not null. None: nobody
  // in particular. One: the module is bound to it and then written as that
  // version would write it. Several: see targets.h. The order does not matter.
  std::vector<const Runtime*> targets;
};

}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_OPTIONS_H_
