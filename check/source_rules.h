// What a change does to program text, which calls operators without full
// names and passes arguments by position: files do not care. And what a
// history leaves unsaid.
#ifndef OPCOMPAT_CHECK_SOURCE_RULES_H_
#define OPCOMPAT_CHECK_SOURCE_RULES_H_

#include <string>
#include <vector>

#include "check/breach.h"
#include "schema/opset.h"

namespace opcompat {

// One operator in two versions.
std::vector<Breach> CheckSource(const OperatorInfo& older,
                                const OperatorInfo& newer,
                                const Reading& reading);

// Overloads that the newer version adds beside ones that there were (under
// one base name: `t::f` of `t::f.out`), and the calls that they take from
// them.
struct OverloadBreach {
  std::string op;  // the new overload
  Breach breach;
};
std::vector<OverloadBreach> CheckOverloads(const Opset& older,
                                           const Opset& newer);

}  // namespace opcompat

#endif  // OPCOMPAT_CHECK_SOURCE_RULES_H_
