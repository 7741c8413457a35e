// Prints a workload as PyTorch's own text of a graph, which its parseIR reads:
// for benchmarks/torch_peer.py.
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/workload.h"
#include "benchmarks/workload_text.h"
#include "schema/operator_schema.h"
#include "schema/value.h"

namespace opcompat {
namespace benchmarks {
namespace {

// The type and the attribute of the prim::Constant that makes it.
std::pair<std::string, std::string> ConstantOf(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kInt:
      return {"int", absl::StrCat(value.int_value())};
    case ValueKind::kFloat: {
      std::string text = value.ToString();
      if (text.find_first_of(".e") == std::string::npos) text += ".0";
      return {"float", std::move(text)};
    }
    case ValueKind::kBool:
      return {"bool", value.bool_value() ? "1" : "0"};
    case ValueKind::kString:
      return {"str", absl::StrCat("\"", value.string_value(), "\"")};
    default:
      return {"NoneType", ""};
  }
}

class Printer {
 public:
  explicit Printer(const Workload& workload) : workload_(workload) {}

  std::string Print() {
    for (const WorkloadNode& node : workload_.nodes) AddNode(node);
    std::vector<std::string> inputs;
    for (uint32_t i = 0; i < workload_.num_inputs; ++i) {
      inputs.push_back(absl::StrCat("%v", i, " : Tensor"));
    }
    return absl::StrCat("graph(", absl::StrJoin(inputs, ", "), "):\n",
                        constants_, body_, "  return (%v", workload_.output,
                        ")\n");
  }

 private:
  std::string List(const char* type, const std::vector<std::string>& elements) {
    std::string name = absl::StrCat("%l", num_lists_++);
    absl::StrAppend(&body_, "  ", name, " : ", type,
                    "[] = prim::ListConstruct(", absl::StrJoin(elements, ", "),
                    ")\n");
    return name;
  }

  std::string Constant(const Value& value) {
    if (value.kind() == ValueKind::kList) {
      std::vector<std::string> elements;
      for (const Value& element : value.elements()) {
        elements.push_back(Constant(element));
      }
      return List("int", elements);
    }
    const auto [type, text] = ConstantOf(value);
    std::string& name = names_[{type, text}];
    if (name.empty()) {
      name = absl::StrCat("%c", names_.size());
      absl::StrAppend(&constants_, "  ", name, " : ", type, " = prim::Constant",
                      text.empty() ? "" : "[value=", text,
                      text.empty() ? "" : "]", "()\n");
    }
    return name;
  }

  void AddNode(const WorkloadNode& node) {
    const OperatorSchema& schema = WorkloadOperators()[node.op];
    std::vector<std::string> arguments;
    for (const WorkloadArgument& argument : workload_.arguments_of(node)) {
      switch (argument.kind) {
        case WorkloadArgument::Kind::kTensor:
          arguments.push_back(absl::StrCat("%v", argument.index));
          break;
        case WorkloadArgument::Kind::kTensorList: {
          std::vector<std::string> values;
          for (uint32_t i = 0; i < argument.length; ++i) {
            values.push_back(
                absl::StrCat("%v", workload_.list_values[argument.index + i]));
          }
          arguments.push_back(List("Tensor", values));
          break;
        }
        case WorkloadArgument::Kind::kConstant:
          arguments.push_back(Constant(workload_.constants[argument.index]));
          break;
      }
    }
    std::vector<std::string> results;
    for (uint32_t r = 0; r < schema.results().size(); ++r) {
      results.push_back(absl::StrCat("%v", node.first_result + r, " : Tensor"));
    }
    absl::StrAppend(&body_, "  ", absl::StrJoin(results, ", "), " = ",
                    schema.name(), "(", absl::StrJoin(arguments, ", "), ")\n");
  }

  const Workload& workload_;
  std::map<std::pair<std::string, std::string>, std::string> names_;
  size_t num_lists_ = 0;
  std::string constants_;
  std::string body_;
};

std::string PrintText(const Workload& workload) {
  return Printer(workload).Print();
}

}  // namespace
}  // namespace benchmarks
}  // namespace opcompat

int main(int argc, char** argv) {
  return opcompat::benchmarks::PrintWorkload(argc, argv, "workload_torch_text",
                                             opcompat::benchmarks::PrintText);
}
