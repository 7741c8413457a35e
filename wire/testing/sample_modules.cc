#include "wire/testing/sample_modules.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "ir/text/history_loader.h"
#include "ir/text/module_parser.h"
#include "ir/text/opset_for_testing.h"
#include "schema/history.h"

namespace opcompat {
namespace {

template <typename T>
T OrDie(absl::StatusOr<T> value) {
  if (!value.ok()) {
    std::fprintf(stderr, "%s\n", value.status().ToString().c_str());
    std::abort();
  }
  return *std::move(value);
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream contents;
  contents << file.rdbuf();
  return contents.str();
}

std::vector<std::filesystem::path> GraphsIn(const std::string& directory) {
  std::vector<std::filesystem::path> graphs;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() == ".graph") graphs.push_back(entry.path());
  }
  std::sort(graphs.begin(), graphs.end());
  return graphs;
}

Runtime RuntimeOf(const Opset& opset) {
  return OrDie(Runtime::Create({opset}));
}

void AppendOperand(const Module& module, Operand operand, std::string* out) {
  if (operand.is_value()) {
    absl::StrAppend(out, "%", operand.value().index);
  } else {
    absl::StrAppend(out, module.constant(operand.constant()).ToString());
  }
}

void AppendNode(const Module& module, const Graph& graph, const Node& node,
                std::string* out) {
  const CallForm& form = module.form(node);
  const ModuleOperator& op = module.op(node);
  absl::StrAppend(out, op.name(), "(");
  if (op.entry != nullptr) {
    for (uint32_t i = 0; i < op.entry->num_exposed(); ++i) {
      const EntryArgument& argument = op.entry->arguments[i];
      const Operand operand = module.operand(graph, node, i);
      absl::StrAppend(out, " ", argument.name(), "=");
      if (!operand.is_default()) {
        AppendOperand(module, operand, out);
      } else if (argument.default_value.has_value()) {
        absl::StrAppend(out, argument.default_value->ToString());
      } else {
        absl::StrAppend(out, "MISSING");
      }
    }
  }
  const absl::Span<const Operand> operands = module.operands(graph, node);
  for (size_t i = 0; i < form.slots.size(); ++i) {
    if (form.slots[i].argument != Slot::kVariadic) continue;
    absl::StrAppend(out, " ");
    AppendOperand(module, operands[i], out);
  }
  for (size_t i = 0; i < form.attribute_names.size(); ++i) {
    absl::StrAppend(out, " [", module.string(form.attribute_names[i]), "]=");
    AppendOperand(module, operands[form.slots.size() + i], out);
  }
  absl::StrAppend(out, ") blocks=", form.num_blocks);
  for (const TypeId type : form.result_types) {
    absl::StrAppend(out, " ", module.type(type).ToString());
  }
  absl::StrAppend(out, "\n");
}

}  // namespace

Runtime ShippedRuntime(absl::string_view name, absl::string_view version) {
  const std::shared_ptr<const OpsetHistory> history = OrDie(
      LoadHistoryOrError(absl::StrCat("opsets/", name, "/history.textproto")));
  return RuntimeOf(OrDie(history->At(version)));
}

std::vector<SampleModule> DemoModules() {
  const std::shared_ptr<const OpsetHistory> history =
      OrDie(LoadHistoryOrError("opsets/demo/history.textproto"));
  std::vector<SampleModule> samples;
  for (const std::filesystem::path& path : GraphsIn("opsets/demo/modules")) {
    const std::string text = ReadFile(path);
    for (const Opset& opset : history->versions()) {
      Runtime writer = RuntimeOf(opset);
      absl::StatusOr<Module> module = ParseModule(text, writer);
      if (!module.ok()) continue;  // not valid at this version
      samples.push_back(
          {absl::StrCat(path.filename().string(), " at demo ", opset.version()),
           std::move(writer), *std::move(module)});
    }
  }
  if (samples.empty()) {
    std::fprintf(stderr, "no demo module is valid at any version\n");
    std::abort();
  }
  return samples;
}

std::vector<SampleModule> TorchModules() {
  const std::shared_ptr<const OpsetHistory> history =
      OrDie(LoadHistoryOrError("opsets/torch/history.textproto"));
  std::vector<SampleModule> samples;
  for (const Opset& opset : history->versions()) {
    const Runtime writer = RuntimeOf(opset);
    for (const std::filesystem::path& path :
         GraphsIn(absl::StrCat("opsets/torch/models/", opset.version()))) {
      samples.push_back({absl::StrCat(path.filename().string(), " at torch ",
                                      opset.version()),
                         writer, OrDie(ParseModule(ReadFile(path), writer))});
    }
  }
  return samples;
}

SampleModule ModuleOf(absl::string_view schemas, absl::string_view text) {
  SampleModule sample;
  sample.name = std::string(text);
  sample.writer =
      OrDie(RuntimeForTesting({absl::StrCat("opset t 1\n", schemas)}));
  sample.module = OrDie(ParseModule(text, sample.writer));
  return sample;
}

std::string EffectiveLines(const Module& module) {
  std::string out;
  for (const Function& function : module.functions) {
    absl::StrAppend(&out, function.name, ":");
    for (const TypeId type : function.result_types) {
      absl::StrAppend(&out, " ", module.type(type).ToString());
    }
    absl::StrAppend(&out, "\n");
    for (const Node& node : function.graph.nodes) {
      AppendNode(module, function.graph, node, &out);
    }
  }
  return out;
}

}  // namespace opcompat
