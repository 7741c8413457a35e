// Writes the toy registry as an opset file to standard output. Begin with this
// for a registry of your own; docs/dumping_schemas.md says what matters.
//
//   bazel run //examples/registry_dump > toy-1.2.ops
//   opcompat schema toy-1.2.ops

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <variant>
#include <vector>

#include "examples/registry_dump/toy_registry.h"

namespace {

std::string TypeText(const toy::Param& param) {
  const char* word = "";
  switch (param.type) {
    case toy::ArgType::kTensor:
      word = "Tensor";
      break;
    case toy::ArgType::kInt:
      word = "int";
      break;
    case toy::ArgType::kFloat:
      word = "float";
      break;
    case toy::ArgType::kBool:
      word = "bool";
      break;
    case toy::ArgType::kString:
      word = "str";
      break;
    case toy::ArgType::kIntList:
      word = "int[]";
      break;
  }
  return std::string(word) + (param.optional ? "?" : "");
}

// Defaults are values. A float needs the digits that read back as the same
// bits, and something that tells it from an int.
std::string FloatText(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", value);
  std::string digits = text;
  if (digits.find_first_of(".en") == std::string::npos) digits += ".";
  return digits;
}

std::string StringText(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

struct DefaultText {
  std::string operator()(toy::Required) const { return ""; }
  std::string operator()(toy::Nothing) const { return "=None"; }
  std::string operator()(int value) const {
    return "=" + std::to_string(value);
  }
  std::string operator()(double value) const { return "=" + FloatText(value); }
  std::string operator()(bool value) const {
    return value ? "=True" : "=False";
  }
  std::string operator()(const std::string& value) const {
    return "=" + StringText(value);
  }
  std::string operator()(const std::vector<int>& values) const {
    std::string text = "=[";
    for (size_t i = 0; i < values.size(); ++i) {
      text += (i > 0 ? ", " : "") + std::to_string(values[i]);
    }
    return text + "]";
  }
};

std::string SchemaText(const toy::Op& op) {
  std::string text = "toy::" + op.name;
  if (!op.overload.empty()) text += "." + op.overload;
  text += "(";
  bool keyword_only = false;
  bool writes = false;
  for (size_t i = 0; i < op.params.size(); ++i) {
    const toy::Param& param = op.params[i];
    if (i > 0) text += ", ";
    if (param.keyword_only && !keyword_only) text += "*, ";
    keyword_only = keyword_only || param.keyword_only;
    writes = writes || param.is_output;
    // What is written to is `(a!)`, what the result may share memory with
    // `(a)`.
    const char* mark = param.is_output               ? "(a!)"
                       : i == 0 && op.result_is_view ? "(a)"
                                                     : "";
    text += TypeText(param) + mark + " " + param.name +
            std::visit(DefaultText(), param.default_value);
  }
  text += ") -> Tensor";
  if (writes) return text + "(a!)";
  return op.result_is_view ? text + "(a)" : text;
}

}  // namespace

int main() {
  std::vector<std::string> lines;
  for (const toy::Op& op : toy::AllOps()) lines.push_back(SchemaText(op));
  // The same registry gives the same file, whatever the order of registration.
  std::sort(lines.begin(), lines.end());
  std::cout << "opset toy " << toy::kVersion << "\n";
  for (const std::string& line : lines) std::cout << line << "\n";
  return std::cout.good() ? 0 : 1;
}
