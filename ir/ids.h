// Typed 32-bit indices into the tables of a Module and the columns of a Graph.
// An id of one kind cannot be passed where another is meant.
#ifndef OPCOMPAT_IR_IDS_H_
#define OPCOMPAT_IR_IDS_H_

#include <cstdint>
#include <utility>

namespace opcompat {

template <typename Tag>
struct Id {
  uint32_t index = kNoIndex;

  static constexpr uint32_t kNoIndex = 0xffffffff;

  constexpr Id() = default;
  constexpr explicit Id(uint32_t i) : index(i) {}
  constexpr bool valid() const { return index != kNoIndex; }

  friend constexpr bool operator==(Id a, Id b) { return a.index == b.index; }
  friend constexpr bool operator!=(Id a, Id b) { return a.index != b.index; }
  friend constexpr bool operator<(Id a, Id b) { return a.index < b.index; }
  template <typename H>
  friend H AbslHashValue(H h, Id id) {
    return H::combine(std::move(h), id.index);
  }
};

// Tables of a Module.
using StringId = Id<struct StringTag>;
using TypeId = Id<struct TypeTag>;
using ConstantId = Id<struct ConstantTag>;
using OperatorId = Id<struct OperatorTag>;
using FormId = Id<struct FormTag>;
// Columns of a Graph.
using NodeId = Id<struct NodeTag>;
using ValueId = Id<struct ValueTag>;
using BlockId = Id<struct BlockTag>;

// What a node is given at one place: a value of its graph, a constant of its
// module, or nothing, which is the argument's default. 32 bits: constants have
// the top bit set.
class Operand {
 public:
  // kDefault: the argument was left out.
  constexpr Operand() = default;
  constexpr explicit Operand(ValueId value) : bits_(value.index) {}
  constexpr explicit Operand(ConstantId constant)
      : bits_(constant.index | kConstantBit) {}

  // Ids at and above this do not fit into an operand.
  static constexpr uint32_t kLimit = 0x7fffffff;

  constexpr bool is_default() const { return bits_ == kDefaultBits; }
  constexpr bool is_constant() const {
    return (bits_ & kConstantBit) != 0 && !is_default();
  }
  constexpr bool is_value() const { return (bits_ & kConstantBit) == 0; }
  // The index of a value; of a constant at least kConstantBit. For loops over
  // columns that must not branch.
  constexpr uint32_t bits() const { return bits_; }
  // What the bits of a constant are above its index.
  static constexpr uint32_t kConstantBit = 0x80000000;

  // Precondition: is_value().
  constexpr ValueId value() const { return ValueId(bits_); }
  // Precondition: is_constant().
  constexpr ConstantId constant() const {
    return ConstantId(bits_ & ~kConstantBit);
  }

  friend constexpr bool operator==(Operand a, Operand b) {
    return a.bits_ == b.bits_;
  }
  friend constexpr bool operator!=(Operand a, Operand b) {
    return a.bits_ != b.bits_;
  }

 private:
  static constexpr uint32_t kDefaultBits = 0xffffffff;
  uint32_t bits_ = kDefaultBits;
};

}  // namespace opcompat

#endif  // OPCOMPAT_IR_IDS_H_
