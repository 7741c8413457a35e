#include "ir/step_graph_check.h"

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "base/concat.h"
#include "base/status_macros.h"
#include "schema/type.h"
#include "schema/typing.h"

namespace opcompat {
namespace {

class GraphCheck {
 public:
  GraphCheck(const Module& module, const OperatorEntry& entry,
             absl::string_view kind)
      : module_(module), entry_(entry), kind_(kind) {}

  absl::Status Run() {
    if (module_.functions.size() != 1 || !module_.attributes.empty() ||
        !module_.tensors.empty()) {
      return Fault("expected one function and no `attr` or `tensor` lines");
    }
    OPCOMPAT_RETURN_IF_ERROR(CheckParameters());
    OPCOMPAT_RETURN_IF_ERROR(CheckResults());
    return CheckNodes();
  }

 private:
  template <typename... Parts>
  absl::Status Fault(const Parts&... parts) const {
    return absl::InvalidArgumentError(
        Concat("as ", kind_, " of `", entry_.ToString(), "`: ", parts...));
  }

  const Graph& graph() const { return module_.functions[0].graph; }

  absl::Status CheckParameters() const {
    const std::vector<TypeId>& types =
        module_.form(graph().nodes[0]).result_types;
    if (types.size() != entry_.num_exposed()) {
      return Fault("the function has ", types.size(),
                   " parameters, where the schema has ", entry_.num_exposed(),
                   " arguments");
    }
    for (size_t i = 0; i < types.size(); ++i) {
      const EntryArgument& argument = entry_.arguments[i];
      if (!IsSubtype(argument.type, module_.type(types[i]))) {
        return Fault("parameter ", i, " has type ",
                     module_.type(types[i]).ToString(), ", where argument ",
                     argument.name(), " has type ", argument.type.ToString());
      }
    }
    return absl::OkStatus();
  }

  absl::Status CheckResults() const {
    const std::vector<TypeId>& types = module_.functions[0].result_types;
    if (types.size() != entry_.results.size()) {
      return Fault("the function returns ", types.size(),
                   " values, where the schema has ", entry_.results.size(),
                   " results");
    }
    for (size_t i = 0; i < types.size(); ++i) {
      if (!IsSubtype(module_.type(types[i]), entry_.results[i].type)) {
        return Fault(
            "result ", i, " has type ", module_.type(types[i]).ToString(),
            ", where the schema has ", entry_.results[i].type.ToString());
      }
    }
    return absl::OkStatus();
  }

  absl::Status CheckNodes() const {
    for (const Node& node : graph().nodes) {
      const ModuleOperator& op = module_.op(node);
      switch (op.intrinsic) {
        case Intrinsic::kGetAttr:
        case Intrinsic::kSetAttr:
        case Intrinsic::kCallMethod:
        case Intrinsic::kCallFunction:
          return Fault(op.name(),
                       " cannot stand in a step graph, which has no module "
                       "around it");
        default:
          break;
      }
    }
    return absl::OkStatus();
  }

  const Module& module_;
  const OperatorEntry& entry_;
  const absl::string_view kind_;
};

}  // namespace

absl::Status CheckStepGraph(const Module& module, const OperatorEntry& entry,
                            absl::string_view kind) {
  return GraphCheck(module, entry, kind).Run();
}

}  // namespace opcompat
