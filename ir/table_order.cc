#include "ir/table_order.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ir/ids.h"

namespace opcompat {
namespace {

// New numbers for the elements of one table, in order of first use.
template <typename IdType>
class NewIds {
 public:
  explicit NewIds(size_t size) : new_ids_(size) {}

  // The number of `old` from now on; `*is_first`: nobody has asked for it yet.
  IdType Of(IdType old, bool* is_first) {
    IdType& id = new_ids_[old.index];
    *is_first = !id.valid();
    if (*is_first) id = IdType(num_used_++);
    return id;
  }
  void Update(IdType* id) {
    bool is_first;
    *id = Of(*id, &is_first);
  }
  void UpdateAll(std::vector<IdType>* ids) {
    for (IdType& id : *ids) {
      if (id.valid()) Update(&id);
    }
  }

  // Brings the table into the new order; what nobody asked for goes.
  template <typename Element>
  void Sort(std::vector<Element>* table) const {
    // Most tables are made in the order in which they are used.
    bool is_sorted = num_used_ == table->size();
    for (uint32_t i = 0; is_sorted && i < num_used_; ++i) {
      is_sorted = new_ids_[i].index == i;
    }
    if (is_sorted) return;
    std::vector<Element> sorted(num_used_);
    for (size_t i = 0; i < table->size(); ++i) {
      if (!new_ids_[i].valid()) continue;
      sorted[new_ids_[i].index] = std::move((*table)[i]);
    }
    *table = std::move(sorted);
  }

 private:
  std::vector<IdType> new_ids_;  // by old number
  uint32_t num_used_ = 0;
};

class TableOrder {
 public:
  explicit TableOrder(Module* module)
      : module_(*module),
        strings_(module->strings.size()),
        types_(module->types.size()),
        constants_(module->constants.size()),
        operators_(module->operators.size()),
        forms_(module->forms.size()) {}

  void Run() {
    for (ModuleAttribute& attribute : module_.attributes) {
      types_.Update(&attribute.type);
      constants_.Update(&attribute.value);
    }
    for (ModuleTensor& tensor : module_.tensors) {
      constants_.Update(&tensor.value);
    }
    for (Function& function : module_.functions) Number(&function);
    for (Function& function : module_.functions) {
      strings_.UpdateAll(&function.graph.value_names);
      strings_.UpdateAll(&function.graph.node_locations);
    }
    strings_.Sort(&module_.strings);
    types_.Sort(&module_.types);
    constants_.Sort(&module_.constants);
    operators_.Sort(&module_.operators);
    forms_.Sort(&module_.forms);
  }

 private:
  void Number(Function* function) {
    Graph& graph = function->graph;
    for (Operand& operand : graph.operands) {
      if (!operand.is_constant()) continue;
      ConstantId constant = operand.constant();
      constants_.Update(&constant);
      operand = Operand(constant);
    }
    for (Node& node : graph.nodes) {
      bool is_first;
      CallForm& form = module_.forms[node.form.index];
      node.form = forms_.Of(node.form, &is_first);
      if (!is_first) continue;
      types_.UpdateAll(&form.result_types);
      strings_.UpdateAll(&form.attribute_names);
      operators_.Update(&form.op);
    }
    types_.UpdateAll(&graph.value_types);
    types_.UpdateAll(&function->result_types);
  }

  Module& module_;
  NewIds<StringId> strings_;
  NewIds<TypeId> types_;
  NewIds<ConstantId> constants_;
  NewIds<OperatorId> operators_;
  NewIds<FormId> forms_;
};

}  // namespace

void OrderTables(Module* module) { TableOrder(module).Run(); }

}  // namespace opcompat
