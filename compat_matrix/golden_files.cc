#include "compat_matrix/golden_files.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/text/module_parser.h"
#include "serializer/options.h"
#include "serializer/serialize.h"
#include "wire/module.pb.h"
#include "wire/testing/seal.h"

namespace opcompat {
namespace {

// Text has no source locations: these stand for what an importer gives.
void AddLocations(Module* module) {
  for (Function& function : module->functions) {
    Graph& graph = function.graph;
    graph.node_locations.assign(graph.num_nodes(), StringId());
    for (size_t n = 1; n + 1 < graph.num_nodes(); ++n) {
      graph.node_locations[n] =
          StringId(static_cast<uint32_t>(module->strings.size()));
      module->strings.push_back(absl::StrCat("model.py:", n));
    }
  }
}

}  // namespace

std::vector<std::string> GoldenNames(const std::string& directory) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const std::filesystem::path& path = entry.path();
    if (path.extension() == ".graph" || path.extension() == ".opc") {
      names.insert(path.stem().string());
    }
  }
  return {names.begin(), names.end()};
}

absl::StatusOr<std::string> ReadGoldenFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return absl::NotFoundError(absl::StrCat("cannot read ", path));
  std::ostringstream contents;
  contents << in.rdbuf();
  return std::move(contents).str();
}

absl::StatusOr<GoldenModule> ReadGoldenText(const std::string& directory,
                                            absl::string_view name,
                                            const OpsetHistory& history) {
  OPCOMPAT_ASSIGN_OR_RETURN(
      const std::string text,
      ReadGoldenFile(absl::StrCat(directory, "/", name, ".graph")));
  std::string version = history.versions().back().version();
  for (const OpsetVersion& line : ReadOpsetLines(text)) version = line.version;
  OPCOMPAT_ASSIGN_OR_RETURN(Opset opset, history.At(version));
  GoldenModule golden;
  OPCOMPAT_ASSIGN_OR_RETURN(golden.writer, Runtime::Create({std::move(opset)}));
  OPCOMPAT_ASSIGN_OR_RETURN(golden.module, ParseModule(text, golden.writer));
  if (name == "source_locations") AddLocations(&golden.module);
  return golden;
}

absl::StatusOr<std::string> MakeGoldenFile(const GoldenModule& golden) {
  return Serialize(golden.module, golden.writer);
}

std::vector<std::pair<std::string, std::string>> MakeFutureFiles() {
  wire::Module message;
  message.set_magic("opcompat");
  message.set_wire_version(1);
  message.add_required_features("from_the_future");
  const std::string feature = Seal(message);
  message.add_required_features("from_the_future_too");
  message.add_required_features("prim::If");
  const std::string features = Seal(message);
  message.set_wire_version(2);
  const std::string version = Seal(message);
  return {
      {"feature", feature}, {"features", features}, {"wire_version", version}};
}

}  // namespace opcompat
