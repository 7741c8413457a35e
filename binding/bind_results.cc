#include "binding/bind_results.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "binding/report.h"

namespace opcompat {

std::vector<BoundResult> BindResults(const OperatorEntry& writer,
                                     const OperatorEntry& reader,
                                     const TypeVariables& variables,
                                     const std::vector<GivenResult>& given,
                                     const std::string& reader_name,
                                     std::vector<Refusal>* refusals) {
  std::vector<BoundResult> bound(given.size());
  if (reader.is_varret || writer.is_varret) {
    if (reader.is_varret != writer.is_varret) {
      AddRefusal({ReasonCode::kMissingResult, "", "",
                  "has any number of results (`...`) on one side only"},
                 refusals);
    }
    return bound;
  }
  for (size_t i = 0; i < std::max(given.size(), reader.results.size()); ++i) {
    if (i >= reader.results.size()) {
      bound[i].kept = false;
      if (given[i].used) {
        AddRefusal(
            {ReasonCode::kMissingResult, "", "",
             absl::StrCat("result ", i, " is used, and ", reader_name, " has ",
                          reader.results.empty() ? std::string("none")
                          : reader.results.size() == 1
                              ? std::string("only one")
                              : absl::StrCat("only ", reader.results.size()))},
            refusals);
      }
      continue;
    }
    const Type type = Substitute(reader.results[i].type, variables);
    if (i >= given.size()) {
      bound.emplace_back();
      bound.back().type = type;
      continue;
    }
    if (i < writer.results.size()) {
      if (reader.results[i].type == writer.results[i].type) continue;
      if (given[i].used) {
        CheckResultType(writer, i, *given[i].declared, type, reader_name,
                        refusals);
      }
    }
    if (!IsSubtype(*given[i].declared, type)) bound[i].type = type;
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
  AddRefusal(
      {ReasonCode::kTypeMismatch, "", "",
       absl::StrCat("result ", index, " is used and has type ", type.ToString(),
                    " in ", reader_name, ", where ",
                    has_entry_type ? writer.results[index].type.ToString()
                                   : declared.ToString(),
                    " was written")},
      refusals);
}

}  // namespace opcompat
