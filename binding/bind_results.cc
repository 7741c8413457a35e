#include "binding/bind_results.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/concat.h"
#include "binding/report.h"

namespace opcompat {

std::vector<CallResult> BindResults(const OperatorEntry& writer,
                                    const OperatorEntry& reader,
                                    const TypeVariables& variables,
                                    const std::vector<CallResult>& results,
                                    const std::string& reader_name,
                                    std::vector<Refusal>* refusals) {
  if (reader.is_varret || writer.is_varret) {
    if (reader.is_varret != writer.is_varret) {
      AddRefusal({ReasonCode::kMissingResult, "", "",
                  "has any number of results (`...`) on one side only"},
                 refusals);
    }
    return results;
  }
  std::vector<CallResult> bound;
  for (size_t i = 0; i < std::max(results.size(), reader.results.size()); ++i) {
    if (i >= reader.results.size()) {
      if (results[i].used) {
        AddRefusal({ReasonCode::kMissingResult, "", "",
                    Concat("result ", i, " is used, and ", reader_name, " has ",
                           reader.results.empty() ? std::string("none")
                           : reader.results.size() == 1
                               ? std::string("only one")
                               : Concat("only ", reader.results.size()))},
                   refusals);
      }
      continue;
    }
    Type type = Substitute(reader.results[i].type, variables);
    if (i >= results.size()) {
      bound.emplace_back();
      bound.back().type = std::move(type);
      continue;
    }
    bound.push_back(results[i]);
    if (i < writer.results.size()) {
      if (reader.results[i].type == writer.results[i].type) continue;
      if (results[i].used) {
        CheckResultType(writer, i, results[i].type, type, reader_name,
                        refusals);
      }
    }
    if (!IsSubtype(results[i].type, type)) bound[i].type = std::move(type);
  }
  return bound;
}

void CheckResultType(const OperatorEntry& writer, size_t index,
                     const Type& declared, const Type& type,
                     const std::string& reader_name,
                     std::vector<Refusal>* refusals) {
  if (IsSubtype(type, declared)) return;
  const bool has_entry_type = index < writer.results.size();
  if (has_entry_type && IsSubtype(type, writer.results[index].type)) return;
  AddRefusal({ReasonCode::kTypeMismatch, "", "",
              Concat("result ", index, " is used and has type ",
                     type.ToShortString(), " in ", reader_name, ", where ",
                     has_entry_type ? writer.results[index].type.ToShortString()
                                    : declared.ToShortString(),
                     " was written")},
             refusals);
}

}  // namespace opcompat
