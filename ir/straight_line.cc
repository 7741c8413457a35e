#include "ir/straight_line.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/base/optimization.h"
#include "ir/place_types.h"
#include "ir/plain_calls.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace {

constexpr uint32_t kAll = ~uint32_t{0};

LiteralKind KindOf(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kNone:
      return LiteralKind::kNone;
    case ValueKind::kBool:
      return LiteralKind::kBool;
    case ValueKind::kInt:
      return LiteralKind::kInt;
    case ValueKind::kFloat:
      return LiteralKind::kFloat;
    case ValueKind::kString:
      return LiteralKind::kString;
    case ValueKind::kList:
      return !value.elements().empty() &&
                     std::all_of(value.elements().begin(),
                                 value.elements().end(),
                                 [](const Value& element) {
                                   return element.kind() == ValueKind::kInt;
                                 })
                 ? LiteralKind::kInts
                 : LiteralKind::kOther;
    default:
      return LiteralKind::kOther;
  }
}

constexpr uint32_t BitOf(LiteralKind kind) {
  return uint32_t{1} << static_cast<uint32_t>(kind);
}

uint32_t DoubtfulKinds(const Type& slot) {
  uint32_t doubtful = 0;
  for (const LiteralKind kind :
       {LiteralKind::kNone, LiteralKind::kBool, LiteralKind::kInt,
        LiteralKind::kFloat, LiteralKind::kString, LiteralKind::kInts,
        LiteralKind::kOther}) {
    if (!IsPlainLiteral(kind, slot)) doubtful |= BitOf(kind);
  }
  return doubtful;
}

}  // namespace

StraightLineCheck::StraightLineCheck(const Module& module) : module_(module) {
  kinds_.reserve(module.constants.size());
  for (const Value& constant : module.constants) {
    kinds_.push_back(BitOf(KindOf(constant)));
  }
  // One that nobody has, to be looked at where there is no place.
  if (kinds_.empty()) kinds_.push_back(0);
  shapes_.reserve(module.forms.size());
  for (const CallForm& form : module.forms) {
    shapes_.push_back(ShapeOf(form));
  }
}

StraightLineCheck::Shape StraightLineCheck::ShapeOf(const CallForm& form) {
  const Intrinsic intrinsic = module_.op(form.op).intrinsic;
  Shape shape;
  shape.num_operands = form.num_operands();
  shape.num_results = static_cast<uint32_t>(form.result_types.size());
  shape.result_types = form.result_types.data();
  const bool is_plain = IsPlainForm(module_, form);
  shape.is_doubtful = is_plain ? 0 : 1;
  shape.is_in_block = form.num_blocks == 0 && intrinsic != Intrinsic::kParam &&
                      intrinsic != Intrinsic::kReturn;
  shape.values_begin = static_cast<uint32_t>(more_values_.size());
  shape.constants_begin = static_cast<uint32_t>(more_constants_.size());
  uint32_t num_values = 0;
  uint32_t num_constants = 0;
  for (uint32_t i = 0; i < shape.num_operands; ++i) {
    if (i < form.slots.size() && !form.slots[i].is_constant) {
      ValuePlace place{i, kAll, TypeId().index};
      if (is_plain) place.type = PlainType(SlotType(module_, form, i)).index;
      if (num_values < Shape::kFewValues) {
        shape.few_values[num_values++] = place;
      } else {
        more_values_.push_back(place);
      }
      continue;
    }
    ConstantPlace place{i, kAll, 0};
    if (is_plain && i < form.slots.size()) {
      place.doubtful_kinds = DoubtfulKinds(SlotType(module_, form, i));
    }
    if (num_constants < Shape::kFewConstants) {
      shape.few_constants[num_constants++] = place;
    } else {
      more_constants_.push_back(place);
    }
  }
  shape.values_end = static_cast<uint32_t>(more_values_.size());
  shape.constants_end = static_cast<uint32_t>(more_constants_.size());
  shape.is_unusual = shape.num_operands == 0 ||
                     (num_constants > 0 && module_.constants.empty());
  return shape;
}

// The types that values have are few and come first. Not valid: none is found.
TypeId StraightLineCheck::PlainType(const Type& slot) const {
  constexpr size_t kMostSearched = 16;
  const size_t count = std::min(module_.types.size(), kMostSearched);
  for (uint32_t i = 0; i < count; ++i) {
    if (IsPlainValue(module_.types[i], slot)) return TypeId(i);
  }
  return TypeId();
}

bool StraightLineCheck::CheckOperands(const Graph& graph, const Node& node,
                                      uint32_t num_values) const {
  const CallForm& form = module_.form(node);
  for (uint32_t i = 0; i < form.num_operands(); ++i) {
    const Operand operand = graph.operands[node.operands_begin + i];
    const bool is_constant =
        i >= form.slots.size() || form.slots[i].is_constant;
    if (is_constant
            ? !operand.is_constant() ||
                  operand.constant().index >= module_.constants.size()
            : !operand.is_value() || operand.value().index >= num_values) {
      return false;
    }
  }
  return true;
}

bool StraightLineCheck::CheckResults(const Graph& graph, uint32_t n) const {
  const Node& node = graph.nodes[n];
  const Shape& shape = shapes_[node.form.index];
  bool ok = true;
  for (uint32_t i = 0; i < shape.num_results; ++i) {
    ok &= graph.value_types[node.results_begin + i] == shape.result_types[i] &&
          graph.value_nodes[node.results_begin + i] == NodeId(n);
  }
  return ok;
}

bool StraightLineCheck::Check(const Graph& graph,
                              std::vector<NodeId>* doubtful) const {
  doubtful->clear();
  const auto num_nodes = static_cast<uint32_t>(graph.nodes.size());
  if (num_nodes < 2 || graph.blocks.size() != 1) return false;
  const Block& block = graph.blocks[0];
  if (block.parent.valid() || block.param != NodeId(0) ||
      block.end != NodeId(num_nodes - 1)) {
    return false;
  }
  const auto num_operands = static_cast<uint32_t>(graph.operands.size());
  const auto num_values = static_cast<uint32_t>(graph.value_types.size());
  const auto num_forms = static_cast<uint32_t>(shapes_.size());
  const auto num_constants =
      static_cast<uint32_t>(std::min<size_t>(kinds_.size(), Operand::kLimit));
  const Operand* const all_operands = graph.operands.data();
  const TypeId* const value_types = graph.value_types.data();
  const uint32_t* const kinds = kinds_.data();
  const auto intrinsic_of = [&](const Node& node) {
    return node.form.index < num_forms ? module_.intrinsic(node)
                                       : Intrinsic::kNone;
  };
  uint32_t next_operand = 0;
  uint32_t next_value = 0;
  for (uint32_t n = 0; n < num_nodes; ++n) {
    const Node& node = graph.nodes[n];
    if (ABSL_PREDICT_FALSE(node.form.index >= num_forms)) return false;
    const Shape& shape = shapes_[node.form.index];
    if (ABSL_PREDICT_FALSE(node.first_block.valid() ||
                           node.operands_begin != next_operand ||
                           shape.num_operands > num_operands - next_operand ||
                           node.results_begin != next_value ||
                           shape.num_results > num_values - next_value)) {
      return false;
    }
    uint32_t doubt = shape.is_doubtful;
    const Operand* const operands = all_operands + next_operand;
    if (ABSL_PREDICT_FALSE(shape.is_unusual || !shape.is_in_block ||
                           next_value == 0)) {
      const Intrinsic edge = n == 0               ? Intrinsic::kParam
                             : n == num_nodes - 1 ? Intrinsic::kReturn
                                                  : Intrinsic::kNone;
      const bool is_edge = edge != Intrinsic::kNone;
      if (shape.is_in_block ? is_edge
                            : !is_edge || intrinsic_of(node) != edge) {
        return false;
      }
      if (!CheckOperands(graph, node, next_value)) return false;
      if (shape.num_operands > 0) doubt = 1;
    } else {
      // Out of range or of another kind than the form says; the result of a
      // value or a constant that is of no plain type or kind.
      uint32_t bad = static_cast<uint32_t>(n == num_nodes - 1);
      const auto value_at = [&](const ValuePlace& place) {
        const uint32_t value = operands[place.operand].bits() & place.mask;
        bad |= static_cast<uint32_t>(value >= next_value);
        return value;
      };
      const auto constant_at = [&](const ConstantPlace& place) {
        const uint32_t constant =
            (operands[place.operand].bits() ^ Operand::kConstantBit) &
            place.mask;
        bad |= static_cast<uint32_t>(constant >= num_constants);
        return constant;
      };
      const auto check_value = [&](const ValuePlace& place, uint32_t value) {
        doubt |= (value_types[value].index ^ place.type) & place.mask;
      };
      const auto check_constant = [&](const ConstantPlace& place,
                                      uint32_t constant) {
        doubt |= kinds[constant] & place.doubtful_kinds;
      };
      static_assert(Shape::kFewValues == 3, "all of them follow");
      static_assert(Shape::kFewConstants == 4, "all of them follow");
      const uint32_t v0 = value_at(shape.few_values[0]);
      const uint32_t v1 = value_at(shape.few_values[1]);
      const uint32_t v2 = value_at(shape.few_values[2]);
      const uint32_t c0 = constant_at(shape.few_constants[0]);
      const uint32_t c1 = constant_at(shape.few_constants[1]);
      const uint32_t c2 = constant_at(shape.few_constants[2]);
      const uint32_t c3 = constant_at(shape.few_constants[3]);
      if (ABSL_PREDICT_FALSE(bad != 0)) return false;
      check_value(shape.few_values[0], v0);
      check_value(shape.few_values[1], v1);
      check_value(shape.few_values[2], v2);
      check_constant(shape.few_constants[0], c0);
      check_constant(shape.few_constants[1], c1);
      check_constant(shape.few_constants[2], c2);
      check_constant(shape.few_constants[3], c3);
      for (uint32_t i = shape.values_begin; i < shape.values_end; ++i) {
        const uint32_t value = value_at(more_values_[i]);
        if (ABSL_PREDICT_FALSE(bad != 0)) return false;
        check_value(more_values_[i], value);
      }
      for (uint32_t i = shape.constants_begin; i < shape.constants_end; ++i) {
        const uint32_t constant = constant_at(more_constants_[i]);
        if (ABSL_PREDICT_FALSE(bad != 0)) return false;
        check_constant(more_constants_[i], constant);
      }
    }
    if (ABSL_PREDICT_FALSE(!CheckResults(graph, n))) return false;
    if (ABSL_PREDICT_FALSE(doubt != 0)) doubtful->push_back(NodeId(n));
    next_operand += shape.num_operands;
    next_value += shape.num_results;
  }
  return next_operand == num_operands && next_value == num_values;
}

}  // namespace opcompat
