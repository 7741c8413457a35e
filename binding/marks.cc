#include "binding/marks.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "binding/identity.h"
#include "schema/operator_entry.h"
#include "schema/operator_schema.h"

namespace opcompat {
namespace {

const AliasAnnotations kNoMarks;

// One place to compare: the marks of one argument or result on both sides.
struct Pair {
  const AliasAnnotations* writer;
  const AliasAnnotations* reader;
};

// A one-to-one renaming of alias sets, found while comparing.
class SetNames {
 public:
  bool Match(const std::string& a, const std::string& b) {
    if (a == "*" || b == "*") return a == b;
    const auto forward = forward_.emplace(a, b);
    const auto backward = backward_.emplace(b, a);
    return forward.first->second == b && backward.first->second == a;
  }

 private:
  absl::flat_hash_map<std::string, std::string> forward_;
  absl::flat_hash_map<std::string, std::string> backward_;
};

bool MatchSets(const std::vector<std::string>& a,
               const std::vector<std::string>& b, SetNames& names) {
  if (a.size() != b.size()) return false;
  // The order within a set means nothing; prefer equal names.
  std::vector<std::string> x = a;
  std::vector<std::string> y = b;
  std::sort(x.begin(), x.end());
  std::sort(y.begin(), y.end());
  for (size_t i = 0; i < x.size(); ++i) {
    if (!names.Match(x[i], y[i])) return false;
  }
  return true;
}

bool MatchAnnotations(const AliasAnnotations& a, const AliasAnnotations& b,
                      SetNames& names) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].place != b[i].place || a[i].write != b[i].write ||
        !MatchSets(a[i].before, b[i].before, names) ||
        !MatchSets(a[i].after, b[i].after, names)) {
      return false;
    }
  }
  return true;
}

// Indices of the pairs that differ.
std::vector<size_t> Differing(const std::vector<Pair>& pairs) {
  SetNames names;
  std::vector<size_t> differing;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (!MatchAnnotations(*pairs[i].writer, *pairs[i].reader, names)) {
      differing.push_back(i);
    }
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
    pairs.push_back({&writer.arguments[*link->writer].alias,
                     &reader.arguments[*link->reader].alias});
  }
  for (size_t i = 0; i < num_results; ++i) {
    pairs.push_back({&writer.results[i].alias, &reader.results[i].alias});
  }
  const std::vector<size_t> differing = Differing(pairs);
  if (differing.empty()) return {};

  // A side may declare that the other's marks are its own, wrongly annotated.
  for (const bool by_reader : {true, false}) {
    const OperatorEntry& declaring = by_reader ? reader : writer;
    for (const CoveredMarks& covered : declaring.covered_marks) {
      std::vector<Pair> covered_pairs;
      for (size_t i = 0; i < common.size(); ++i) {
        const size_t index =
            by_reader ? *common[i]->reader : *common[i]->writer;
        const AliasAnnotations& marks =
            CoveredArgument(covered, declaring.arguments[index]);
        covered_pairs.push_back(by_reader ? Pair{pairs[i].writer, &marks}
                                          : Pair{&marks, pairs[i].reader});
      }
      for (size_t i = 0; i < num_results; ++i) {
        const AliasAnnotations& marks = CoveredResult(covered, i);
        const Pair& pair = pairs[common.size() + i];
        covered_pairs.push_back(by_reader ? Pair{pair.writer, &marks}
                                          : Pair{&marks, pair.reader});
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
