// A quick look at functions without nested blocks, which most are: columns and
// SSA, and the types of nearly all calls, in one pass without a branch per
// operand. Part of the verifier, which says what is wrong where this does not
// say that all is right.
#ifndef OPCOMPAT_IR_STRAIGHT_LINE_H_
#define OPCOMPAT_IR_STRAIGHT_LINE_H_

#include <cstdint>
#include <vector>

#include "ir/ids.h"
#include "ir/module.h"

namespace opcompat {

// For one module, which must outlive it.
class StraightLineCheck {
 public:
  // Precondition: the module's operators and forms verify.
  explicit StraightLineCheck(const Module& module);

  // True: the structure of the graph is right, and so are the types of all
  // nodes but those that `doubtful` receives, by rising index. False: something
  // may be wrong, or the graph has several blocks; `doubtful` holds nonsense.
  // Precondition: the columns have sizes that fit to each other.
  bool Check(const Graph& graph, std::vector<NodeId>* doubtful) const;

 private:
  // Where a value stands, and of which type one is right beyond doubt.
  // `mask` is all ones; 0 where there is no such place.
  struct ValuePlace {
    uint32_t operand = 0;
    uint32_t mask = 0;
    uint32_t type = 0;
  };
  // Where a constant stands, and which kinds (a bit for each) are not right
  // beyond doubt.
  struct ConstantPlace {
    uint32_t operand = 0;
    uint32_t mask = 0;
    uint32_t doubtful_kinds = 0;
  };
  struct Shape {
    // So many are looked at always; nearly all nodes have no more.
    static constexpr uint32_t kFewValues = 3;
    static constexpr uint32_t kFewConstants = 4;

    ValuePlace few_values[kFewValues];
    ConstantPlace few_constants[kFewConstants];
    // What is left of them: [begin, end) of more_values_ and more_constants_.
    uint32_t values_begin = 0;
    uint32_t values_end = 0;
    uint32_t constants_begin = 0;
    uint32_t constants_end = 0;
    uint32_t num_operands = 0;
    uint32_t num_results = 0;
    const TypeId* result_types = nullptr;
    // All nodes of the form are doubtful.
    uint32_t is_doubtful = 0;
    // What the fixed places do not serve: no operands at all, for one.
    bool is_unusual = false;
    // Neither blocks nor the edge of one.
    bool is_in_block = false;
  };

  Shape ShapeOf(const CallForm& form);
  TypeId PlainType(const Type& slot) const;
  bool CheckOperands(const Graph& graph, const Node& node,
                     uint32_t num_values) const;
  bool CheckResults(const Graph& graph, uint32_t n) const;

  const Module& module_;
  std::vector<uint32_t> kinds_;  // by constant: a bit of its kind
  std::vector<Shape> shapes_;    // by form
  std::vector<ValuePlace> more_values_;
  std::vector<ConstantPlace> more_constants_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_IR_STRAIGHT_LINE_H_
