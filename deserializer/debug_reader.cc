#include "deserializer/debug_reader.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "deserializer/field_reader.h"
#include "ir/ids.h"

namespace opcompat {
namespace decoding {
namespace {

// Ids of a column of references plus one (0: none); empty if the column does
// not have `size` elements, or one of them refers to nothing.
std::vector<StringId> ReadColumn(const VarintColumn& column, size_t size,
                                 const std::vector<absl::string_view>& strings,
                                 ModuleTables* module_tables) {
  if (column.count() != size) return {};
  const absl::StatusOr<std::vector<uint32_t>> references =
      ReadUint32s(column, "debug information");
  if (!references.ok() ||
      std::any_of(references->begin(), references->end(),
                  [&](uint32_t r) { return r > strings.size(); })) {
    return {};
  }
  std::vector<StringId> ids;
  ids.reserve(size);
  for (const uint32_t reference : *references) {
    ids.push_back(reference == 0
                      ? StringId()
                      : module_tables->String(strings[reference - 1]));
  }
  return ids;
}

}  // namespace

void ReadDebug(const FileFields& file, ModuleTables* module_tables,
               Module* module) {
  std::vector<absl::string_view> strings;
  std::vector<FileSpan> functions;
  for (const FileSpan& span : file.debug) {
    FieldReader fields(span, "the debug information");
    while (fields.Next()) {
      if (!fields.is_bytes()) continue;
      if (fields.number() == 1) strings.push_back(fields.Bytes());
      if (fields.number() == 2) functions.push_back(fields.Span());
    }
    if (!fields.status().ok()) return;
  }
  if (functions.size() != module->functions.size()) return;
  for (size_t f = 0; f < functions.size(); ++f) {
    VarintColumn value_names;
    VarintColumn node_locations;
    FieldReader fields(functions[f], "the debug information of a function");
    while (fields.Next()) {
      if (fields.number() == 1) fields.AddTo(&value_names);
      if (fields.number() == 2) fields.AddTo(&node_locations);
    }
    if (!fields.status().ok()) continue;
    Graph& graph = module->functions[f].graph;
    graph.value_names =
        ReadColumn(value_names, graph.num_values(), strings, module_tables);
    graph.node_locations =
        ReadColumn(node_locations, graph.num_nodes(), strings, module_tables);
  }
}

}  // namespace decoding
}  // namespace opcompat
