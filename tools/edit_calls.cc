#include "tools/edit_calls.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "ir/verifier.h"
#include "schema/operator_entry.h"
#include "schema/value.h"

namespace opcompat {
namespace {

// An edit as it applies to one operator of the module.
struct Resolved {
  uint32_t argument = 0;
  const CallEdit* edit = nullptr;
  absl::optional<Operand> new_operand;  // nullopt: left out
};

class Editor {
 public:
  Editor(const Module& in, const std::vector<CallEdit>& edits)
      : in_(in), out_(in) {
    std::vector<absl::optional<Operand>> operands;
    for (const CallEdit& edit : edits) operands.push_back(NewOperand(edit));
    for (const ModuleOperator& op : in.operators) {
      by_operator_.emplace_back();
      if (op.entry == nullptr) continue;
      for (size_t i = 0; i < edits.size(); ++i) {
        if (op.entry->name() != edits[i].op) continue;
        if (edits[i].revision != 0 &&
            edits[i].revision != op.entry->revision) {
          continue;
        }
        const absl::optional<size_t> argument =
            FindArgument(*op.entry, edits[i].argument);
        if (!argument.has_value()) continue;
        by_operator_.back().push_back(
            {static_cast<uint32_t>(*argument), &edits[i], operands[i]});
      }
    }
    variants_.resize(in.forms.size());
  }

  Module Run() && {
    for (size_t i = 0; i < in_.functions.size(); ++i) {
      const Graph& from = in_.functions[i].graph;
      Graph& to = out_.functions[i].graph;
      to.operands.clear();
      for (size_t j = 0; j < from.nodes.size(); ++j) {
        EditNode(from, from.nodes[j], to.operands, to.nodes[j]);
      }
    }
    return std::move(out_);
  }

 private:
  struct Given {
    Slot slot;
    Operand operand;
  };

  absl::optional<Operand> NewOperand(const CallEdit& edit) {
    if (!edit.new_value.has_value()) return absl::nullopt;
    const auto found = std::find(out_.constants.begin(), out_.constants.end(),
                                 *edit.new_value);
    const auto index = static_cast<uint32_t>(found - out_.constants.begin());
    if (found == out_.constants.end()) {
      out_.constants.push_back(*edit.new_value);
    }
    return Operand(ConstantId(index));
  }

  void EditNode(const Graph& graph, const Node& node,
                std::vector<Operand>& operands, Node& to) {
    const CallForm& form = in_.form(node);
    const absl::Span<const Operand> old = in_.operands(graph, node);
    to.operands_begin = static_cast<uint32_t>(operands.size());
    std::vector<Given> given;
    bool is_edited = false;
    for (size_t i = 0; i < form.slots.size(); ++i) {
      given.push_back({form.slots[i], old[i]});
    }
    for (const Resolved& edit : by_operator_[form.op.index]) {
      is_edited |= Apply(edit, *in_.op(form.op).entry, given);
    }
    for (const Given& one : given) operands.push_back(one.operand);
    for (size_t i = form.slots.size(); i < old.size(); ++i) {
      operands.push_back(old[i]);
    }
    if (is_edited) to.form = Variant(node.form, given);
  }

  // Returns whether the call is one of those that the edit is for.
  bool Apply(const Resolved& edit, const OperatorEntry& entry,
             std::vector<Given>& given) {
    const auto at =
        std::find_if(given.begin(), given.end(), [&](const Given& one) {
          return one.slot.argument >= edit.argument;  // kVariadic comes last
        });
    const bool is_written =
        at != given.end() && at->slot.argument == edit.argument;
    if (edit.edit->value.has_value()) {
      const absl::optional<Value>& left_out =
          entry.arguments[edit.argument].default_value;
      const std::string value =
          is_written             ? TextOf(at->operand)
          : left_out.has_value() ? left_out->ToShortString()
                                 : "";
      if (value != *edit.edit->value) return false;
    }
    if (is_written && edit.new_operand.has_value()) {
      at->slot.is_constant = true;
      at->operand = *edit.new_operand;
    } else if (is_written) {
      given.erase(at);
    } else if (edit.new_operand.has_value()) {
      given.insert(at, {{edit.argument, true}, *edit.new_operand});
    }
    return true;
  }

  const std::string& TextOf(Operand operand) {
    static const auto* const kComputed = new std::string();
    if (!operand.is_constant()) return *kComputed;
    const auto [it, is_new] = texts_.try_emplace(operand.constant().index);
    if (is_new) it->second = out_.constant(operand.constant()).ToShortString();
    return it->second;
  }

  FormId Variant(FormId old, const std::vector<Given>& given) {
    CallForm form = in_.form(old);
    form.slots.clear();
    for (const Given& one : given) form.slots.push_back(one.slot);
    for (const FormId known : variants_[old.index]) {
      if (out_.form(known) == form) return known;
    }
    const FormId made(static_cast<uint32_t>(out_.forms.size()));
    out_.forms.push_back(std::move(form));
    variants_[old.index].push_back(made);
    return made;
  }

  const Module& in_;
  Module out_;
  std::vector<std::vector<Resolved>> by_operator_;
  // By constant, what ToShortString says.
  absl::flat_hash_map<uint32_t, std::string> texts_;
  std::vector<std::vector<FormId>> variants_;  // by the form they came from
};

}  // namespace

absl::optional<size_t> FindArgument(const OperatorEntry& entry,
                                    const std::string& name) {
  const absl::optional<size_t> current = entry.FindExposed(name);
  if (current.has_value()) return current;
  for (size_t i = 0; i < entry.num_exposed(); ++i) {
    const std::vector<std::string>& names = entry.arguments[i].names;
    if (std::find(names.begin(), names.end(), name) != names.end()) return i;
  }
  return absl::nullopt;
}

absl::StatusOr<Module> EditCalls(const Module& module,
                                 const std::vector<CallEdit>& edits) {
  Module edited = Editor(module, edits).Run();
  OPCOMPAT_RETURN_IF_ERROR(Verify(edited));
  return edited;
}

}  // namespace opcompat
