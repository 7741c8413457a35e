// What differs between two lists of operators: two versions of a history, in
// either order, or two .ops files. See operator_difference.h for one operator.
#ifndef OPCOMPAT_SCHEMA_DIFFERENCES_OPSET_DIFFERENCE_H_
#define OPCOMPAT_SCHEMA_DIFFERENCES_OPSET_DIFFERENCE_H_

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "schema/differences/operator_difference.h"
#include "schema/operator_entry.h"
#include "schema/operator_schema.h"
#include "schema/opset.h"

namespace opcompat {

// An operator with what is wrong with its schema line (empty: nothing).
struct ListedOperator {
  OperatorEntryPtr entry;
  std::string fault;
};

std::vector<ListedOperator> ListOperators(const Opset& opset);
std::vector<ListedOperator> ListOperators(
    const std::vector<OperatorSchema>& schemas);
// As of schemas: what the lines alone tell, so that an opset can be compared
// with a file.
std::vector<ListedOperator> ListSchemas(const Opset& opset);

// Operators are one if they share a name, earlier names included: of one
// history no two others do. In the order of kinds, then of names, then as
// DiffOperators has them. Equal lists have no difference.
std::vector<Difference> DiffOperatorLists(
    const std::vector<ListedOperator>& older,
    const std::vector<ListedOperator>& newer);

// How many there are of each kind, by its number.
std::array<size_t, kNumDifferenceKinds> CountDifferences(
    const std::vector<Difference>& differences);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_DIFFERENCES_OPSET_DIFFERENCE_H_
