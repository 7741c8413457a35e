#include "compat_matrix/oracle/marks.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace opcompat {
namespace oracle {
namespace {

// Marks at the places that both sides have: shared arguments, then results.
using Places = std::vector<AliasAnnotations>;

// `Tensor(a)` and `Tensor(a)?` carry one mark: numbers the nodes of a type in
// preorder with optional ones left out.
void NumberPlaces(const Type& type, uint32_t* next,
                  std::vector<uint32_t>* numbers) {
  numbers->push_back(*next);
  if (type.kind() != TypeKind::kOptional) ++*next;
  for (const Type& child : type.children()) NumberPlaces(child, next, numbers);
}

AliasAnnotations WithoutOptionals(AliasAnnotations alias, const Type& type) {
  std::vector<uint32_t> numbers;
  uint32_t next = 0;
  NumberPlaces(type, &next, &numbers);
  for (AliasAnnotation& annotation : alias) {
    if (annotation.place < numbers.size()) {
      annotation.place = numbers[annotation.place];
    }
  }
  return alias;
}

// What the marks say at each place, in words that do not depend on the names
// of sets: a set is known by all the places where it stands.
std::vector<std::vector<std::string>> Described(const Places& places) {
  std::map<std::string, std::vector<std::string>> stands_at;
  for (size_t p = 0; p < places.size(); ++p) {
    for (const AliasAnnotation& annotation : places[p]) {
      for (const std::string& set : annotation.before) {
        stands_at[set].push_back(absl::StrCat(p, ".", annotation.place, "b"));
      }
      for (const std::string& set : annotation.after) {
        stands_at[set].push_back(absl::StrCat(p, ".", annotation.place, "a"));
      }
    }
  }
  for (auto& [set, at] : stands_at) std::sort(at.begin(), at.end());
  const auto name = [&](const std::string& set) {
    return set == "*" ? set : absl::StrJoin(stands_at[set], " ");
  };

  std::vector<std::vector<std::string>> described(places.size());
  for (size_t p = 0; p < places.size(); ++p) {
    for (const AliasAnnotation& annotation : places[p]) {
      if (annotation.write) {
        described[p].push_back(absl::StrCat(annotation.place, " written"));
      }
      for (const std::string& set : annotation.before) {
        described[p].push_back(
            absl::StrCat(annotation.place, " before ", name(set)));
      }
      for (const std::string& set : annotation.after) {
        described[p].push_back(
            absl::StrCat(annotation.place, " after ", name(set)));
      }
    }
    std::sort(described[p].begin(), described[p].end());
  }
  return described;
}

// The places where the two differ.
std::vector<size_t> Differences(const Places& a, const Places& b) {
  const std::vector<std::vector<std::string>> of_a = Described(a);
  const std::vector<std::vector<std::string>> of_b = Described(b);
  std::vector<size_t> differences;
  for (size_t p = 0; p < of_a.size(); ++p) {
    if (of_a[p] != of_b[p]) differences.push_back(p);
  }
  return differences;
}

Places PlacesOf(const OperatorEntry& entry,
                const std::vector<size_t>& arguments, size_t num_results) {
  Places places;
  for (const size_t i : arguments) {
    places.push_back(
        WithoutOptionals(entry.arguments[i].alias, entry.arguments[i].type));
  }
  for (size_t i = 0; i < num_results; ++i) {
    places.push_back(
        WithoutOptionals(entry.results[i].alias, entry.results[i].type));
  }
  return places;
}

// The earlier marks that `entry` covers, with places as they were written then.
Places CoveredPlaces(const OperatorEntry& entry, const CoveredMarks& covered,
                     const std::vector<size_t>& arguments, size_t num_results) {
  Places places;
  for (const size_t i : arguments) {
    const EntryArgument& argument = entry.arguments[i];
    AliasAnnotations marks;
    for (const CoveredMarks::OfArgument& of_argument : covered.arguments) {
      if (std::find(argument.names.begin(), argument.names.end(),
                    of_argument.name) != argument.names.end()) {
        marks = of_argument.alias;
      }
    }
    places.push_back(std::move(marks));
  }
  for (size_t i = 0; i < num_results; ++i) {
    places.push_back(i < covered.results.size() ? covered.results[i]
                                                : AliasAnnotations());
  }
  return places;
}

// As written, without regard to optionals: for comparison with covered marks.
Places RawPlacesOf(const OperatorEntry& entry,
                   const std::vector<size_t>& arguments, size_t num_results) {
  Places places;
  for (const size_t i : arguments) places.push_back(entry.arguments[i].alias);
  for (size_t i = 0; i < num_results; ++i) {
    places.push_back(entry.results[i].alias);
  }
  return places;
}

// Whether `entry` says that the marks of `other` mean the same as its own.
bool Covers(const OperatorEntry& entry, const std::vector<size_t>& arguments,
            const OperatorEntry& other,
            const std::vector<size_t>& other_arguments, size_t num_results) {
  const Places raw = RawPlacesOf(other, other_arguments, num_results);
  const Places normal = PlacesOf(other, other_arguments, num_results);
  for (const CoveredMarks& covered : entry.covered_marks) {
    const Places places = CoveredPlaces(entry, covered, arguments, num_results);
    if (Differences(places, raw).empty() ||
        Differences(places, normal).empty()) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> ChangedMarks(
    const OperatorEntry& writer, const OperatorEntry& reader,
    const std::vector<std::pair<size_t, size_t>>& shared) {
  std::vector<size_t> at_writer;
  std::vector<size_t> at_reader;
  for (const auto& [i, j] : shared) {
    at_writer.push_back(i);
    at_reader.push_back(j);
  }
  const size_t num_results =
      std::min(writer.results.size(), reader.results.size());
  const std::vector<size_t> differences =
      Differences(PlacesOf(writer, at_writer, num_results),
                  PlacesOf(reader, at_reader, num_results));
  std::vector<std::string> names;
  if (differences.empty() ||
      Covers(writer, at_writer, reader, at_reader, num_results) ||
      Covers(reader, at_reader, writer, at_writer, num_results)) {
    return names;
  }
  for (const size_t p : differences) {
    names.push_back(p < shared.size() ? writer.arguments[shared[p].first].name()
                                      : std::string());
  }
  return names;
}

}  // namespace oracle
}  // namespace opcompat
