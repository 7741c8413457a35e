#include "schema/evolution/alias_marks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace opcompat {
namespace {

// Numbers the nodes of `type` in preorder; entry i is the number of node i when
// optionals are left out (an optional has the number of what it holds).
void NumberNodes(const Type& type, uint32_t* next,
                 std::vector<uint32_t>* numbers) {
  numbers->push_back(*next);
  if (type.kind() != TypeKind::kOptional) ++*next;
  for (const Type& child : type.children()) NumberNodes(child, next, numbers);
}

// Places of the annotations, with optionals left out.
std::vector<uint32_t> Places(const Type& type, const AliasAnnotations& marks) {
  std::vector<uint32_t> numbers;
  uint32_t next = 0;
  NumberNodes(type, &next, &numbers);
  std::vector<uint32_t> places;
  places.reserve(marks.size());
  for (const AliasAnnotation& mark : marks) {
    places.push_back(mark.place < numbers.size() ? numbers[mark.place]
                                                 : mark.place);
  }
  return places;
}

}  // namespace

void AliasMarksComparison::Compare(const Type& type_before,
                                   const AliasAnnotations& before,
                                   const Type& type_after,
                                   const AliasAnnotations& after) {
  if (before.empty() && after.empty()) return;
  if (before != after) respelled_ = true;
  if (before.size() != after.size() ||
      Places(type_before, before) != Places(type_after, after)) {
    changed_ = true;
    return;
  }
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i].write != after[i].write ||
        !SameSets(before[i].before, after[i].before) ||
        !SameSets(before[i].after, after[i].after)) {
      changed_ = true;
    }
  }
}

bool AliasMarksComparison::SameSets(const std::vector<std::string>& before,
                                    const std::vector<std::string>& after) {
  if (before.size() != after.size()) return false;
  if (before == after || before.size() == 1) {
    return std::equal(before.begin(), before.end(), after.begin(),
                      [this](const std::string& b, const std::string& a) {
                        return SameSet(b, a);
                      });
  }
  // Several names in one set are rare. Their order says nothing, so they must
  // be the same names: no guess is made at which was renamed to which.
  std::vector<std::string> sorted_before = before, sorted_after = after;
  std::sort(sorted_before.begin(), sorted_before.end());
  std::sort(sorted_after.begin(), sorted_after.end());
  return sorted_before == sorted_after &&
         std::all_of(sorted_before.begin(), sorted_before.end(),
                     [this](const std::string& s) { return SameSet(s, s); });
}

bool AliasMarksComparison::SameSet(const std::string& before,
                                   const std::string& after) {
  // The wildcard is no name.
  if (before == "*" || after == "*") return before == after;
  const auto forth = after_.emplace(before, after).first;
  const auto back = before_.emplace(after, before).first;
  return forth->second == after && back->second == before;
}

CoveredMarks MarksOf(const OperatorEntry& entry) {
  CoveredMarks marks;
  for (const EntryArgument& argument : entry.arguments) {
    if (!argument.is_exposed()) break;
    marks.arguments.push_back({argument.name(), argument.alias});
  }
  for (const EntryResult& result : entry.results) {
    marks.results.push_back(result.alias);
  }
  return marks;
}

}  // namespace opcompat
