// What to do for a node of each form of a file, worked out once for the form.
// For the reader of functions; says nothing of what is right (plain_calls.h
// does).
#ifndef OPCOMPAT_DESERIALIZER_RECIPES_H_
#define OPCOMPAT_DESERIALIZER_RECIPES_H_

#include <cstdint>
#include <vector>

#include "deserializer/form_reader.h"
#include "deserializer/module_tables.h"
#include "ir/ids.h"

namespace opcompat {
namespace decoding {

// Which operand a value is, and the type of those that are plainly right there
// (plain_calls.h). `mask` is 0 where there is no such value.
struct ValuePlace {
  uint32_t operand;
  TypeId type;
  uint32_t mask;
};

// Which operand a constant is, and of which kind; `element` if it has none in
// the column.
struct ConstantPlace {
  uint32_t operand;
  uint32_t element;
  OperandKind kind;
  uint8_t has_element;
};

// This many of each are read for every node, whether it has them or not: how
// many a node has is what a processor cannot foresee. What it has not goes
// where the next node's first operand and results will be.
inline constexpr uint32_t kFewValues = 3;
inline constexpr uint32_t kFewConstants = 2;
inline constexpr uint32_t kFewResults = 2;

// What to do for a node of a form, worked out once.
struct Recipe {
  FormId form;  // not valid: not worked out yet
  uint32_t num_operands = 0;
  uint32_t num_values = 0;
  uint32_t num_elements = 0;  // of the column of constants
  uint32_t num_constants = 0;
  uint32_t num_results = 0;
  // Not 0: the verifier is to look at each node of the form.
  uint32_t doubt = 0;
  // The first of each; all of them are in Recipes.
  ValuePlace few_values[kFewValues];
  ConstantPlace few_constants[kFewConstants];
  TypeId few_results[kFewResults];
  uint32_t values_begin = 0;
  uint32_t constants_begin = 0;
  uint32_t results_begin = 0;
  // Whether its nodes are as they are only because its values are plain.
  bool is_bound = false;
};

struct Recipes {
  std::vector<Recipe> by_form;
  std::vector<ValuePlace> values;
  std::vector<ConstantPlace> constants;
  std::vector<TypeId> result_types;

  void Begin(Recipe* recipe) const {
    recipe->values_begin = static_cast<uint32_t>(values.size());
    recipe->constants_begin = static_cast<uint32_t>(constants.size());
    recipe->results_begin = static_cast<uint32_t>(result_types.size());
  }
  void AddValue(uint32_t operand, TypeId type, Recipe* recipe) {
    values.push_back({operand, type, ~uint32_t{0}});
    ++recipe->num_values;
  }
  // Of None, True and False there is no element.
  void AddConstant(uint32_t operand, OperandKind kind, Recipe* recipe) {
    const bool has_element = kind >= OperandKind::kInt;
    constants.push_back({operand, 0, kind, static_cast<uint8_t>(has_element)});
    ++recipe->num_constants;
    recipe->num_elements += has_element;
  }
  void AddFixed(uint32_t operand, uint32_t fixed, Recipe* recipe) {
    constants.push_back({operand, fixed, ModuleTables::kFixed, 0});
    ++recipe->num_constants;
  }
  void End(Recipe* recipe) const {
    recipe->num_results =
        static_cast<uint32_t>(result_types.size()) - recipe->results_begin;
    for (uint32_t i = 0; i < kFewValues; ++i) {
      recipe->few_values[i] =
          i < recipe->num_values
              ? values[recipe->values_begin + i]
              : ValuePlace{recipe->num_operands, TypeId(0), 0};
    }
    for (uint32_t i = 0; i < kFewConstants; ++i) {
      recipe->few_constants[i] =
          i < recipe->num_constants
              ? constants[recipe->constants_begin + i]
              : ConstantPlace{recipe->num_operands, ModuleTables::kNoMatter,
                              ModuleTables::kFixed, 0};
    }
    for (uint32_t i = 0; i < kFewResults; ++i) {
      recipe->few_results[i] = i < recipe->num_results
                                   ? result_types[recipe->results_begin + i]
                                   : TypeId(0);
    }
  }
};

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_RECIPES_H_
