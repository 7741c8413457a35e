#include "binding/marks.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/concat.h"
#include "base/hash_map.h"
#include "binding/identity.h"
#include "schema/operator_entry.h"
#include "schema/operator_schema.h"
#include "schema/type.h"

namespace opcompat {
namespace {

const AliasAnnotations kNoMarks;

// The marks of one argument or result on both sides, each with its type.
struct Marks {
  const AliasAnnotations* annotations;
  const Type* type;
};
struct Pair {
  Marks writer;
  Marks reader;
};

// One annotation with its sets known by where they stand, not by name.
struct Mark {
  uint32_t place;  // within the type, `?` not counted: T and T? are one place
  bool write;
  std::vector<std::string> before;
  std::vector<std::string> after;

  friend bool operator==(const Mark& a, const Mark& b) {
    return a.place == b.place && a.write == b.write && a.before == b.before &&
           a.after == b.after;
  }
};

// By node of the type in preorder: its place without counting `?`.
void NumberPlaces(const Type& type, uint32_t* next,
                  std::vector<uint32_t>* places) {
  places->push_back(*next);
  if (type.kind() != TypeKind::kOptional) ++*next;
  for (const Type& child : type.children()) NumberPlaces(child, next, places);
}

uint32_t PlaceOf(const AliasAnnotation& annotation, const Type& type) {
  uint32_t next = 0;
  std::vector<uint32_t> places;
  NumberPlaces(type, &next, &places);
  return annotation.place < places.size() ? places[annotation.place]
                                          : annotation.place;
}

// The marks of one side. A set is called by the list of places where it stands,
// so that two sides agree whatever they name their sets.
std::vector<std::vector<Mark>> NamedByPlaces(const std::vector<Marks>& side) {
  HashMap<std::string, std::string> stands_at;
  for (size_t i = 0; i < side.size(); ++i) {
    for (const AliasAnnotation& annotation : *side[i].annotations) {
      const std::string place =
          Concat(i, ":", PlaceOf(annotation, *side[i].type));
      for (const std::string& set : annotation.before) {
        ConcatTo(&stands_at[set], " ", place, "<");
      }
      for (const std::string& set : annotation.after) {
        ConcatTo(&stands_at[set], " ", place, ">");
      }
    }
  }
  const auto renamed = [&](const std::vector<std::string>& sets) {
    std::vector<std::string> names;
    for (const std::string& set : sets) {
      names.push_back(set == "*" ? set : stands_at[set]);
    }
    std::sort(names.begin(), names.end());
    return names;
  };
  std::vector<std::vector<Mark>> marks(side.size());
  for (size_t i = 0; i < side.size(); ++i) {
    for (const AliasAnnotation& annotation : *side[i].annotations) {
      marks[i].push_back({PlaceOf(annotation, *side[i].type), annotation.write,
                          renamed(annotation.before),
                          renamed(annotation.after)});
    }
  }
  return marks;
}

// Indices of the pairs that differ.
std::vector<size_t> Differing(const std::vector<Pair>& pairs) {
  std::vector<Marks> writer;
  std::vector<Marks> reader;
  for (const Pair& pair : pairs) {
    writer.push_back(pair.writer);
    reader.push_back(pair.reader);
  }
  const std::vector<std::vector<Mark>> a = NamedByPlaces(writer);
  const std::vector<std::vector<Mark>> b = NamedByPlaces(reader);
  std::vector<size_t> differing;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (a[i] != b[i]) differing.push_back(i);
  }
  return differing;
}

const AliasAnnotations& CoveredArgument(const CoveredMarks& covered,
                                        const EntryArgument& argument) {
  for (const CoveredMarks::OfArgument& of : covered.arguments) {
    if (std::find(argument.names.begin(), argument.names.end(), of.name) !=
        argument.names.end()) {
      return of.alias;
    }
  }
  return kNoMarks;
}

const AliasAnnotations& CoveredResult(const CoveredMarks& covered, size_t i) {
  return i < covered.results.size() ? covered.results[i] : kNoMarks;
}

}  // namespace

std::vector<MarkDifference> CompareMarks(
    const OperatorEntry& writer, const OperatorEntry& reader,
    const std::vector<ArgumentLink>& links) {
  std::vector<const ArgumentLink*> common;
  for (const ArgumentLink& link : links) {
    if (link.writer.has_value() && link.reader.has_value() &&
        writer.arguments[*link.writer].is_exposed() &&
        reader.arguments[*link.reader].is_exposed()) {
      common.push_back(&link);
    }
  }
  const size_t num_results =
      std::min(writer.results.size(), reader.results.size());

  std::vector<Pair> pairs;
  for (const ArgumentLink* link : common) {
    const EntryArgument& w = writer.arguments[*link->writer];
    const EntryArgument& r = reader.arguments[*link->reader];
    pairs.push_back({{&w.alias, &w.type}, {&r.alias, &r.type}});
  }
  for (size_t i = 0; i < num_results; ++i) {
    const EntryResult& w = writer.results[i];
    const EntryResult& r = reader.results[i];
    pairs.push_back({{&w.alias, &w.type}, {&r.alias, &r.type}});
  }
  const std::vector<size_t> differing = Differing(pairs);
  if (differing.empty()) return {};

  // A side may declare that the other's marks are its own, wrongly annotated.
  for (const bool by_reader : {true, false}) {
    const OperatorEntry& declaring = by_reader ? reader : writer;
    for (const CoveredMarks& covered : declaring.covered_marks) {
      std::vector<Pair> covered_pairs = pairs;
      for (size_t i = 0; i < pairs.size(); ++i) {
        Marks& marks =
            by_reader ? covered_pairs[i].reader : covered_pairs[i].writer;
        if (i < common.size()) {
          const size_t index =
              by_reader ? *common[i]->reader : *common[i]->writer;
          marks.annotations =
              &CoveredArgument(covered, declaring.arguments[index]);
        } else {
          marks.annotations = &CoveredResult(covered, i - common.size());
        }
      }
      if (Differing(covered_pairs).empty()) return {};
    }
  }

  std::vector<MarkDifference> differences;
  for (const size_t i : differing) {
    MarkDifference difference;
    if (i < common.size()) {
      const EntryArgument& w = writer.arguments[*common[i]->writer];
      const EntryArgument& r = reader.arguments[*common[i]->reader];
      difference.argument = w.name();
      difference.writer_marks = TypeToString(w.type, w.alias);
      difference.reader_marks = TypeToString(r.type, r.alias);
    } else {
      difference.result = i - common.size();
      const EntryResult& w = writer.results[difference.result];
      const EntryResult& r = reader.results[difference.result];
      difference.writer_marks = TypeToString(w.type, w.alias);
      difference.reader_marks = TypeToString(r.type, r.alias);
    }
    differences.push_back(std::move(difference));
  }
  return differences;
}

}  // namespace opcompat
