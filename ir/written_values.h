// Which containers of a function may be written to, as far as alias marks
// show. Decides where a `Tensor[]` may stand for a `Tensor?[]`.
#ifndef OPCOMPAT_IR_WRITTEN_VALUES_H_
#define OPCOMPAT_IR_WRITTEN_VALUES_H_

#include <cstdint>
#include <vector>

#include "ir/ids.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/type.h"

namespace opcompat {

// Whether the marks of an argument or result of `type` concern a container,
// not only the tensors in it: `(a)` of `Tensor[](a)`, but not of `Tensor(a)[]`.
bool MarksContainer(const Type& type, const AliasAnnotations& alias);

// One function. Conservative: values are one class if an alias set that an
// argument and a result share, or the blocks of If and Loop, make them the
// same object; a class is written if an argument that takes one of it has a
// write mark on a container. What was put into a container, an object, or a
// call of a function, and what comes out of one, may all be the same.
class WrittenValues {
 public:
  // Linear in the graph. Precondition: its structure verifies.
  WrittenValues(const Module& module, const Graph& graph);

  bool MayBeWritten(ValueId value) const;

 private:
  // What every call of one form does, as far as marks show.
  struct FormEffects;
  static FormEffects EffectsOf(const CallForm& form,
                               const OperatorEntry& entry);

  uint32_t Find(uint32_t value) const;
  void Unite(Operand a, ValueId b);
  void Unite(Operand a, Operand b);
  void MarkHeld(Operand operand);
  void AddCall(const Graph& graph, const Node& node,
               const FormEffects& effects);
  void AddIntrinsic(const Module& module, const Graph& graph, const Node& node);

  mutable std::vector<uint32_t> parents_;  // by value: union-find
  // By value, of the class when all is added.
  std::vector<bool> is_written_;
  std::vector<bool> is_held_;  // in, or from, some container or object
  bool held_is_written_ = false;
};

}  // namespace opcompat

#endif  // OPCOMPAT_IR_WRITTEN_VALUES_H_
