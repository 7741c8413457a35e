// Why there is no file for a target.
#ifndef OPCOMPAT_SERIALIZER_TARGET_REFUSAL_H_
#define OPCOMPAT_SERIALIZER_TARGET_REFUSAL_H_

#include <string>
#include <vector>

#include "binding/report.h"

namespace opcompat {

struct TargetRefusal {
  // The version that refuses: `torch 1.7.1`; with several histories
  // `demo 1.0, torch 1.7.1`.
  std::string target;
  // Empty: the module cannot be written for `target` at all. Else it can, and
  // so it can for this other target; but the file for the latter is refused by
  // `target`.
  std::string written_for;
  // All of them. If several targets were asked for, the messages begin with
  // `target torch 1.7.1: `.
  std::vector<Reason> reasons;
};

}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_TARGET_REFUSAL_H_
