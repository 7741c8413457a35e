// How a node of each form of a module is taken apart: which of its operands are
// values, which are constants, and with which constant a place is left out.
// Worked out once per form, in a shape for loops that must not branch.
#ifndef OPCOMPAT_SERIALIZER_FORM_PLAN_H_
#define OPCOMPAT_SERIALIZER_FORM_PLAN_H_

#include <cstdint>
#include <vector>

#include "ir/ids.h"
#include "ir/module.h"
#include "serializer/elision.h"

namespace opcompat {
namespace encoding {

// A constant of a node, in the order of the file's columns.
struct ConstantPlace {
  // Index into the node's operands; kFixed: the constant is `left_out`, which
  // is written although the node leaves the argument out.
  uint32_t operand = 0;
  // From an operand's bits to the index of a constant. 0 where there is no
  // such place: then it is constant 0, which is left out.
  uint32_t mask = 0;
  // The index of the constant that is not written here.
  uint32_t left_out = 0;
  // As in the message CallForms; of attributes nothing.
  uint32_t argument = 0;

  static constexpr uint32_t kFixed = 0xffffffff;
  static constexpr uint32_t kNeverLeftOut = 0xffffffff;
};

struct FormPlan {
  // So many are in fixed places; nearly all nodes have no more.
  static constexpr uint32_t kFewValues = 3;
  static constexpr uint32_t kFewConstants = 4;

  // Without places that are not there, of which the first operand is taken for
  // nothing: `sizes` has 0 for them, all ones otherwise.
  uint32_t few_values[kFewValues] = {};
  uint32_t few_sizes[kFewValues] = {};
  ConstantPlace few_constants[kFewConstants];
  // All, whether in fixed places or not: [begin, begin + number) of FormPlans.
  uint32_t values_begin = 0;
  uint32_t num_values = 0;
  uint32_t constants_begin = 0;
  uint32_t num_constants = 0;
  // The fixed places and what follows them do not hold all that must be known.
  bool is_unusual = false;
};

// Of one module; its elision and it must outlive the plans.
class FormPlans {
 public:
  FormPlans(const Module& module, const ElisionRule& elision);

  // By form.
  const FormPlan* data() const { return plans_.data(); }
  // Indices into a node's operands.
  const uint32_t* values(const FormPlan& plan) const {
    return values_.data() + plan.values_begin;
  }
  const ConstantPlace* constants(const FormPlan& plan) const {
    return constants_.data() + plan.constants_begin;
  }

 private:
  void Add(const Module& module, const ElisionRule& elision,
           const CallForm& form);

  std::vector<FormPlan> plans_;
  std::vector<uint32_t> values_;
  std::vector<ConstantPlace> constants_;
};

// The constant that a node with these operands has at `place`.
inline ConstantId ConstantAt(const ConstantPlace& place,
                             const Operand* operands) {
  return place.operand == ConstantPlace::kFixed
             ? ConstantId(place.left_out)
             : operands[place.operand].constant();
}
// Whether it is written.
inline bool IsWritten(const ConstantPlace& place, ConstantId constant) {
  return place.operand == ConstantPlace::kFixed ||
         constant.index != place.left_out;
}

}  // namespace encoding
}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_FORM_PLAN_H_
