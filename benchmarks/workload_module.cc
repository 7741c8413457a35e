#include "benchmarks/workload_module.h"

#include <cstdint>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "ir/ids.h"
#include "ir/module_builder.h"
#include "ir/text/history_for_testing.h"
#include "ir/text/history_loader.h"
#include "schema/operator_entry.h"
#include "schema/operator_schema.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace benchmarks {
namespace {

// What kEvolved has instead.
std::string EvolvedOperators() {
  return absl::StrReplaceAll(
      WorkloadOperatorText(),
      {
          // Added with a neutral default.
          {"aten::relu(Tensor self)",
           "aten::relu(Tensor self, float slope=0.0)"},
          {"aten::matmul(Tensor self, Tensor other)",
           "aten::matmul(Tensor self, Tensor other, *, bool transpose=False)"},
          // Changed default.
          {"bool keepdim=False", "bool keepdim=True"},
          {"float eps=1e-05", "float eps=1e-06"},
          // Removed; the workload never gives it.
          {", Tensor? running_var", ""},
          // Renamed argument; renamed operator.
          {"Tensor weight, Tensor? bias=None)",
           "Tensor weight, Tensor? offset=None)"},
          {"aten::sigmoid(", "aten::logistic("},
      });
}

constexpr char kEvolvedChanges[] = R"(
  changes {
    operator: "aten::linear"
    renamed_argument { from: "bias" to: "offset" }
  }
  changes {
    operator: "aten::batch_norm"
    retired_value { argument: "running_var" value: "None" }
  }
  changes { operator: "aten::logistic" renamed_from: "aten::sigmoid" }
)";

// 5 of the 54 draws that a call is made by.
constexpr const char* kUpgraded[] = {"aten::mul.Tensor", "aten::div.Tensor",
                                     "aten::where.self"};

std::string UpgradedChanges() {
  std::string changes;
  for (const char* op : kUpgraded) {
    absl::StrAppend(&changes, "changes { operator: \"", op,
                    "\" semantic_change { revision: 2 upgraders { graph: \"",
                    op, ".graph\" } one_way_down: true } }\n");
  }
  return changes;
}

// The results were not rectified before.
std::map<std::string, std::string> Upgraders() {
  return {
      {"aten::mul.Tensor.graph",
       R"(func up(%x : Tensor, %y : Tensor) -> (Tensor):
  %z : Tensor = aten::mul.Tensor(%x, %y)
  %r : Tensor = aten::relu(%z)
  return (%r)
)"},
      {"aten::div.Tensor.graph",
       R"(func up(%x : Tensor, %y : Tensor) -> (Tensor):
  %z : Tensor = aten::div.Tensor(%x, %y)
  %r : Tensor = aten::relu(%z)
  return (%r)
)"},
      {"aten::where.self.graph",
       R"(func up(%c : Tensor, %x : Tensor, %y : Tensor) -> (Tensor):
  %z : Tensor = aten::where.self(%c, %x, %y)
  %r : Tensor = aten::relu(%z)
  return (%r)
)"},
  };
}

std::vector<TextVersion> Versions(WorkloadVersion version) {
  std::vector<TextVersion> versions = {{"1", WorkloadOperatorText()}};
  if (version == WorkloadVersion::kEvolved) {
    versions.push_back({"2", EvolvedOperators(), kEvolvedChanges});
  }
  if (version == WorkloadVersion::kUpgraded) {
    versions.push_back({"2", WorkloadOperatorText(), UpgradedChanges()});
  }
  return versions;
}

class Converter {
 public:
  Converter(const Workload& workload, const Runtime& writer)
      : workload_(workload),
        tensor_(builder_.InternType(Type(TypeKind::kTensor))),
        list_(builder_.InternType(Type::List(Type(TypeKind::kTensor)))),
        construct_(builder_.Operator(Intrinsic::kListConstruct)) {
    for (const Opset& opset : writer.opsets()) {
      builder_.AddOpset(opset.name(), opset.version());
    }
    for (const OperatorSchema& schema : WorkloadOperators()) {
      operators_.push_back(builder_.Operator(
          writer.opsets()[0].Find(schema.full_name())->current()));
    }
    for (const Value& constant : workload.constants) {
      constants_.push_back(builder_.Constant(constant));
    }
  }

  Module Run(size_t tensor_bytes) {
    if (tensor_bytes > 0) AddTensor(tensor_bytes);
    builder_.BeginFunction("forward");
    const std::vector<ModuleBuilder::Definition> inputs(
        workload_.num_inputs, ModuleBuilder::Definition{tensor_, ""});
    values_.resize(workload_.num_values);
    AddValues(0, workload_.num_inputs, builder_.BeginBlock(inputs));
    for (const WorkloadNode& node : workload_.nodes) AddNode(node);
    builder_.EndBlock({Operand(values_[workload_.output])});
    builder_.EndFunction({tensor_});
    return std::move(builder_).Build().value();
  }

 private:
  void AddTensor(size_t bytes) {
    // Bytes that do not compress.
    auto data = std::make_shared<std::string>(bytes, '\0');
    uint64_t state = 1;
    for (size_t i = 0; i + sizeof state <= bytes; i += sizeof state) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      std::memcpy(&(*data)[i], &state, sizeof state);
    }
    TensorData tensor;
    tensor.dtype = "uint8";
    tensor.shape = {static_cast<int64_t>(bytes)};
    tensor.bytes = *data;
    tensor.owner = data;
    builder_.AddTensor("weights",
                       builder_.Constant(Value::Tensor(std::move(tensor))));
  }

  void AddValues(uint32_t first, uint32_t count, ValueId id) {
    for (uint32_t i = 0; i < count; ++i) {
      values_[first + i] = ValueId(id.index + i);
    }
  }

  // Constants that are their argument's default are given too: leaving them out
  // is the writer's work.
  void AddNode(const WorkloadNode& node) {
    const OperatorSchema& schema = WorkloadOperators()[node.op];
    std::vector<ModuleBuilder::Given> given;
    for (const WorkloadArgument& argument : workload_.arguments_of(node)) {
      Operand operand;
      switch (argument.kind) {
        case WorkloadArgument::Kind::kTensor:
          operand = Operand(values_[argument.index]);
          break;
        case WorkloadArgument::Kind::kTensorList:
          operand = Operand(AddList(argument));
          break;
        case WorkloadArgument::Kind::kConstant:
          operand = Operand(constants_[argument.index]);
          break;
      }
      given.push_back({static_cast<uint32_t>(given.size()), operand});
    }
    const std::vector<ModuleBuilder::Definition> results(
        schema.results().size(), ModuleBuilder::Definition{tensor_, ""});
    AddValues(node.first_result, static_cast<uint32_t>(results.size()),
              builder_.AddNode(operators_[node.op], given, {}, results));
  }

  ValueId AddList(const WorkloadArgument& argument) {
    std::vector<ModuleBuilder::Given> parts;
    for (uint32_t i = 0; i < argument.length; ++i) {
      const uint32_t value = workload_.list_values[argument.index + i];
      parts.push_back({Slot::kVariadic, Operand(values_[value])});
    }
    return builder_.AddNode(construct_, parts, {}, {{list_, ""}});
  }

  const Workload& workload_;
  ModuleBuilder builder_;
  const TypeId tensor_;
  const TypeId list_;
  const OperatorId construct_;
  std::vector<OperatorId> operators_;
  std::vector<ConstantId> constants_;
  std::vector<ValueId> values_;
};

}  // namespace

Runtime WorkloadRuntime(WorkloadVersion version) {
  const LoadedHistory loaded = LoadText(Versions(version), Upgraders());
  for (const HistoryFault& fault : loaded.faults) {
    std::cerr << fault.message << "\n";
  }
  return Runtime::Create({loaded.history->newest()}).value();
}

Module WorkloadModule(const Workload& workload, const Runtime& writer,
                      size_t tensor_bytes) {
  return Converter(workload, writer).Run(tensor_bytes);
}

std::string LargeOpsetText(uint32_t num_operators) {
  const std::vector<OperatorSchema>& schemas = WorkloadOperators();
  std::string text;
  for (uint32_t i = 0; i < num_operators; ++i) {
    const std::string schema = schemas[i % schemas.size()].ToString();
    absl::StrAppend(&text, "large::op", i, schema.substr(schema.find('(')),
                    "\n");
  }
  return text;
}

std::shared_ptr<const OpsetHistory> LargeHistory(const std::string& text) {
  return LoadText({{"1", text}}).history;
}

}  // namespace benchmarks
}  // namespace opcompat
