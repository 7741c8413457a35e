// For tests: whether two opsets know the same, all of it, wherever each was
// loaded from.
#ifndef OPCOMPAT_WIRE_TESTING_OPSET_DIFFERENCE_H_
#define OPCOMPAT_WIRE_TESTING_OPSET_DIFFERENCE_H_

#include <string>

#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {

// Empty if they are equal; else the first difference, for people. Step graphs
// are compared as modules, with their debug information. What the opsets know
// of versions before their own is not compared.
std::string OpsetDifference(const Opset& a, const Opset& b);

// OpsetDifference of every version, names and aliases.
std::string HistoryDifference(const OpsetHistory& a, const OpsetHistory& b);

}  // namespace opcompat

#endif  // OPCOMPAT_WIRE_TESTING_OPSET_DIFFERENCE_H_
