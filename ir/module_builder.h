// Makes modules, node by node in text order. Interning, forms and offsets are
// its business; whether the result makes sense is the verifier's.
//
//   ModuleBuilder b;
//   const TypeId tensor = b.InternType(Type(TypeKind::kTensor));
//   b.BeginFunction("forward");
//   const ValueId x = b.BeginBlock({{tensor, "x"}});
//   const ValueId y = b.AddNode(b.Operator(add),
//                               {{0, Operand(x)}, {1, Operand(x)}}, {},
//                               {{tensor, "y"}});
//   b.EndBlock({Operand(y)});
//   b.EndFunction({tensor});
//   OPCOMPAT_ASSIGN_OR_RETURN(Module m, std::move(b).Build());
//
// Errors are kept: once something went wrong (more than 2^31 values, a block
// that belongs to no node), further calls do nothing, return ids that mean
// nothing, and Build() returns the first error.
#ifndef OPCOMPAT_IR_MODULE_BUILDER_H_
#define OPCOMPAT_IR_MODULE_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/hash_map.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {

// Movable, not copyable; one thread at a time.
class ModuleBuilder {
 public:
  // An operand and the exposed argument that it is for (Slot::kVariadic: in
  // order).
  struct Given {
    uint32_t argument;
    Operand operand;
  };
  // A constant attribute of a node.
  struct Attribute {
    std::string name;
    ConstantId value;
  };
  // A value that a node or a block defines.
  struct Definition {
    TypeId type;
    std::string name;  // debug name without `%`; empty: none
  };

  ModuleBuilder();
  ~ModuleBuilder();
  ModuleBuilder(ModuleBuilder&&);
  ModuleBuilder& operator=(ModuleBuilder&&);

  // Header data, in the order given.
  void AddOpset(std::string name, std::string version);
  void AddMetadata(std::string key, std::string value);
  void AddAttribute(std::string name, TypeId type, ConstantId value);
  void AddTensor(std::string name, ConstantId value);

  // Interned: equal input, equal id. Ids hold over all functions.
  StringId String(absl::string_view s);
  TypeId InternType(const Type& type);
  ConstantId Constant(const Value& value);
  // Entries are interned by (name, revision) and equality.
  OperatorId Operator(OperatorEntryPtr entry);
  OperatorId Operator(Intrinsic intrinsic);

  void BeginFunction(std::string name);
  // All blocks must be ended.
  void EndFunction(std::vector<TypeId> result_types);

  // Opens the function's own block, or the next block of the node added last.
  // Its parameters are values first, first + 1, ...; returns first.
  ValueId BeginBlock(absl::Span<const Definition> parameters);
  // Closes the innermost open block, which yields `results`.
  void EndBlock(absl::Span<const Operand> results);

  // Adds a node to the innermost open block and returns its first result
  // (meaningless if it has none). `given` in any order; kDefault operands are
  // the same as leaving them out. The node's blocks, if num_blocks > 0, follow
  // by as many BeginBlock ... EndBlock.
  ValueId AddNode(OperatorId op, absl::Span<const Given> given,
                  absl::Span<const Attribute> attributes,
                  absl::Span<const Definition> results,
                  uint32_t num_blocks = 0);
  // Source location of the node added last.
  void SetLocation(absl::string_view location);

  // The type of a value of the function being built (or built last).
  // Precondition: status() is OK, and the value exists.
  TypeId type_of(ValueId value) const;
  // What was built so far. Its columns are complete up to the last call.
  const Module& module() const { return module_; }
  // The first error, or OK.
  const absl::Status& status() const { return status_; }

  // The module. No function may be open. Returns ResourceExhausted if ids ran
  // out, InvalidArgument if calls came in an order that makes no module.
  absl::StatusOr<Module> Build() &&;

 private:
  // Keeps the first error.
  void Fail(absl::Status status);
  // Whether one more element gets an id; else fails.
  bool HasRoom(size_t size, absl::string_view what);
  OperatorId AddOperator(ModuleOperator op);
  // Adds a node of the form begun by BeginForm, whose operands are in the
  // column already.
  NodeId Append(absl::Span<const Definition> results);

  // The form of the node at hand, as words, which are cheap to look up: these,
  // then its slots, names of attributes and types of results. What is added
  // also goes into the column of operands.
  enum FormWord : size_t { kOp, kNumBlocks, kNumSlots, kNumAttributes, kRest };
  void BeginForm(OperatorId op, uint32_t num_blocks);
  void AddSlot(uint32_t argument, Operand operand);
  void AddAttributes(absl::Span<const Attribute> attributes);
  FormId InternForm();

  // The block that is open at one level, and the node in it whose blocks
  // follow.
  struct OpenBlock {
    BlockId block;
    NodeId last_node;
    BlockId next_block;
    uint32_t blocks_left = 0;
  };

  Module module_;
  HashMap<std::string, uint32_t> strings_;
  HashMap<Type, uint32_t> types_;
  HashMap<Value, uint32_t> constants_;
  HashMap<const OperatorEntry*, uint32_t> entry_pointers_;
  HashMap<std::string, std::vector<uint32_t>> entries_;
  HashMap<uint8_t, uint32_t> intrinsics_;
  HashMap<std::vector<uint32_t>, uint32_t> forms_;
  std::vector<OperatorEntryPtr> kept_;  // owners of entry_pointers_

  // Of the function being built.
  bool in_function_ = false;
  std::vector<OpenBlock> open_;

  // Reused, so that a node allocates nothing unless its form is new.
  std::vector<uint32_t> scratch_form_;
  std::vector<Given> scratch_given_;
  std::vector<std::pair<StringId, ConstantId>> scratch_attributes_;

  absl::Status status_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_IR_MODULE_BUILDER_H_
