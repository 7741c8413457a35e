// A library's own registry of operators, as a team may have one: it knows
// nothing of opcompat. dump_registry.cc writes it down as an opset file.
#ifndef OPCOMPAT_EXAMPLES_REGISTRY_DUMP_TOY_REGISTRY_H_
#define OPCOMPAT_EXAMPLES_REGISTRY_DUMP_TOY_REGISTRY_H_

#include <string>
#include <variant>
#include <vector>

namespace toy {

// The version of this library, raised with each release.
inline constexpr char kVersion[] = "1.2";

enum class ArgType { kTensor, kInt, kFloat, kBool, kString, kIntList };

// What a call gets where it leaves the argument out.
struct Required {};
struct Nothing {};  // of an optional argument
using Default = std::variant<Required, Nothing, int, double, bool, std::string,
                             std::vector<int>>;

struct Param {
  std::string name;
  ArgType type;
  bool optional = false;
  Default default_value = Required{};
  bool keyword_only = false;
  // The operator writes to it, and returns it.
  bool is_output = false;
};

struct Op {
  std::string name;
  std::string overload;  // may be empty
  std::vector<Param> params;
  // The operator returns its first argument, or a view of it.
  bool result_is_view = false;
};

// Every operator, each overload by itself.
const std::vector<Op>& AllOps();

}  // namespace toy

#endif  // OPCOMPAT_EXAMPLES_REGISTRY_DUMP_TOY_REGISTRY_H_
