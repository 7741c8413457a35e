// Prints a workload as MLIR's text of a module: for benchmarks/mlir_peer.py.
// Operations are of dialects that nobody registers; tensors are operands,
// constants are attributes, and what is its argument's default is left out, as
// in our files.
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "benchmarks/workload.h"
#include "benchmarks/workload_text.h"
#include "schema/operator_schema.h"
#include "schema/value.h"

namespace opcompat {
namespace benchmarks {
namespace {

constexpr char kTensor[] = "tensor<*xf32>";
constexpr char kTensorList[] = "!prim.list";

// `aten.add.Tensor`, in quotes as operations of unknown dialects are.
std::string Operation(const std::string& name) {
  return absl::StrCat("\"", absl::StrReplaceAll(name, {{"::", "."}}), "\"");
}

std::string Attribute(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kInt:
      return absl::StrCat(value.int_value(), " : i64");
    case ValueKind::kFloat:
      return absl::StrFormat("%.17e : f64", value.float_value());
    case ValueKind::kBool:
      return value.bool_value() ? "true" : "false";
    case ValueKind::kString:
      return absl::StrCat("\"", value.string_value(), "\"");
    case ValueKind::kList: {
      std::vector<std::string> elements;
      for (const Value& element : value.elements()) {
        elements.push_back(absl::StrCat(element.int_value()));
      }
      return absl::StrCat("array<i64", elements.empty() ? "" : ": ",
                          absl::StrJoin(elements, ", "), ">");
    }
    default:
      return "unit";
  }
}

class Printer {
 public:
  explicit Printer(const Workload& workload) : workload_(workload) {}

  std::string Print() {
    std::vector<std::string> inputs;
    for (uint32_t i = 0; i < workload_.num_inputs; ++i) {
      inputs.push_back(absl::StrCat("%v", i, ": ", kTensor));
    }
    absl::StrAppend(&text_, "\"aten.graph\"() ({\n^bb0(",
                    absl::StrJoin(inputs, ", "), "):\n");
    for (const WorkloadNode& node : workload_.nodes) AddNode(node);
    absl::StrAppend(&text_, "  \"aten.return\"(%v", workload_.output, ") : (",
                    kTensor, ") -> ()\n}) : () -> ()\n");
    return text_;
  }

 private:
  std::string List(const WorkloadArgument& argument) {
    std::vector<std::string> values;
    for (uint32_t i = 0; i < argument.length; ++i) {
      values.push_back(
          absl::StrCat("%v", workload_.list_values[argument.index + i]));
    }
    std::string name = absl::StrCat("%l", num_lists_++);
    absl::StrAppend(
        &text_, "  ", name, " = \"prim.ListConstruct\"(",
        absl::StrJoin(values, ", "), ") : (",
        absl::StrJoin(std::vector<std::string>(values.size(), kTensor), ", "),
        ") -> ", kTensorList, "\n");
    return name;
  }

  void AddNode(const WorkloadNode& node) {
    const OperatorSchema& schema = WorkloadOperators()[node.op];
    std::vector<std::string> operands;
    std::vector<std::string> types;
    std::vector<std::string> attributes;
    size_t index = 0;
    for (const WorkloadArgument& argument : workload_.arguments_of(node)) {
      const std::string& name = schema.arguments()[index++].name;
      switch (argument.kind) {
        case WorkloadArgument::Kind::kTensor:
          operands.push_back(absl::StrCat("%v", argument.index));
          types.push_back(kTensor);
          break;
        case WorkloadArgument::Kind::kTensorList:
          operands.push_back(List(argument));
          types.push_back(kTensorList);
          break;
        case WorkloadArgument::Kind::kConstant:
          if (argument.is_default) break;
          attributes.push_back(absl::StrCat(
              name, " = ", Attribute(workload_.constants[argument.index])));
          break;
      }
    }
    const size_t num_results = schema.results().size();
    std::vector<std::string> results;
    for (uint32_t r = 0; r < num_results; ++r) {
      results.push_back(absl::StrCat("%v", node.first_result + r));
    }
    absl::StrAppend(
        &text_, "  ", absl::StrJoin(results, ", "), " = ",
        Operation(schema.full_name()), "(", absl::StrJoin(operands, ", "), ")",
        attributes.empty()
            ? ""
            : absl::StrCat(" {", absl::StrJoin(attributes, ", "), "}"),
        " : (", absl::StrJoin(types, ", "), ") -> (",
        absl::StrJoin(std::vector<std::string>(num_results, kTensor), ", "),
        ")\n");
  }

  const Workload& workload_;
  size_t num_lists_ = 0;
  std::string text_;
};

std::string PrintText(const Workload& workload) {
  return Printer(workload).Print();
}

}  // namespace
}  // namespace benchmarks
}  // namespace opcompat

int main(int argc, char** argv) {
  return opcompat::benchmarks::PrintWorkload(argc, argv, "workload_mlir_text",
                                             opcompat::benchmarks::PrintText);
}
