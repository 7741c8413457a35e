#include "examples/registry_dump/toy_registry.h"

#include <string>
#include <vector>

namespace toy {

const std::vector<Op>& AllOps() {
  static const auto* const kOps = new std::vector<Op>{
      {"scale",
       "",
       {{"x", ArgType::kTensor}, {"factor", ArgType::kFloat, false, 0.1}}},
      // The same with an output to write to: an overload of its own.
      {"scale",
       "out",
       {{"x", ArgType::kTensor},
        {"factor", ArgType::kFloat, false, 0.1},
        {"out", ArgType::kTensor, false, Required{}, true, true}}},
      {"pad",
       "",
       {{"x", ArgType::kTensor},
        {"size", ArgType::kIntList, false, std::vector<int>{1, 1}},
        {"mode", ArgType::kString, false, std::string("a \"quoted\" word"),
         true},
        {"limit", ArgType::kInt, true, Nothing{}, true}}},
      {"flip",
       "",
       {{"x", ArgType::kTensor}, {"copy", ArgType::kBool, false, false}},
       true},
  };
  return *kOps;
}

}  // namespace toy
