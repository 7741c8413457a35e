// Which values of a graph are constants, and where they can stand as literals:
// the analysis behind canonicalize.h, which has the rules.
#ifndef OPCOMPAT_IR_CONSTANT_VALUES_H_
#define OPCOMPAT_IR_CONSTANT_VALUES_H_

#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "ir/place_types.h"
#include "schema/value.h"

namespace opcompat {

// Numbers of leaves above which a container that several constructs share is
// no constant, and one that is written stays a prim::Constant: copies of it
// would make the module much larger than it was.
inline constexpr uint64_t kMaxCopiedLeaves = 64;

inline bool IsContainer(const Value& value) {
  return value.kind() == ValueKind::kList ||
         value.kind() == ValueKind::kTuple || value.kind() == ValueKind::kDict;
}

// Whether what stands at the slot is only read there, as far as marks show:
// then a container may be a literal. What an intrinsic is given may be written
// by others later.
bool OnlyReads(const Module& module, const CallForm& form, size_t slot);

// For one module; function by function.
class ConstantValues {
 public:
  // A constant of the module, or what a construct makes.
  struct Literal {
    Value value;
    // Scalars and containers in it.
    uint64_t leaves = 1;
    int depth = 1;
    bool has_word = false;
    bool has_tensor = false;
    // TypeOfLiteral, once asked for; nullopt in it: there is none.
    absl::optional<absl::optional<uint32_t>> own_type;
    // In the module that is being made; free for its maker.
    ConstantId new_id;
  };

  // The arguments outlive this object.
  ConstantValues(const Module& module, TypeRelations* relations,
                 const PlaceTypes& places);

  // Takes up `graph`. Precondition: it verifies.
  void Analyze(const Graph& graph);

  // Whether the value is a constant: a prim::Constant whose only attribute is
  // a literal, or a construct of such; a container only if no use is one that
  // could write it.
  bool IsConstant(ValueId value) const {
    return literal_of_[value.index] != kNoLiteral;
  }
  // Whether the place says enough for the constant to be a literal there.
  // Precondition: IsConstant(value). `place` is a number of the relations.
  bool FitsAt(ValueId value, uint32_t place);
  // Precondition: IsConstant(value).
  Literal& literal(ValueId value) {
    return literals_[literal_of_[value.index]];
  }
  // A constant of the module. Good until the next call of any method.
  Literal& literal(ConstantId constant) {
    return literals_[LiteralOfConstant(constant)];
  }
  // TypeOfLiteral, as a number of the relations; nullopt: there is none.
  absl::optional<uint32_t> OwnType(Literal& literal);

 private:
  static constexpr uint32_t kNoLiteral = 0xffffffff;

  // What the value of the node stands for, all uses aside; kNoLiteral: it is
  // no constant.
  uint32_t LiteralOfNode(const Graph& graph, const Node& node);
  uint32_t LiteralOfConstant(ConstantId constant);
  uint32_t LiteralOfConstruct(const Graph& graph, const Node& node);
  // Takes out the containers that are used where they could be written.
  void RemoveWritten(const Graph& graph);

  bool IsConstruct(const Node& node) const;

  const Module& module_;
  TypeRelations& relations_;
  const PlaceTypes& places_;
  std::vector<Literal> literals_;
  std::vector<uint32_t> literal_of_constant_;  // by ConstantId

  // Of the graph at hand, by value.
  const Graph* graph_ = nullptr;
  std::vector<uint32_t> literal_of_;
  std::vector<bool> is_shared_;  // used by several constructs
};

}  // namespace opcompat

#endif  // OPCOMPAT_IR_CONSTANT_VALUES_H_
