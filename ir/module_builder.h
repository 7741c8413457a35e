// Makes modules, node by node in text order. Interning, forms and offsets are
// its business; whether the result makes sense is the verifier's.
//
//   ModuleBuilder b;
//   b.BeginFunction("forward");
//   b.BeginBlock({{b.Type(Type(TypeKind::kTensor)), "x"}});
//   ValueId x = b.parameter(0);
//   ValueId y = b.AddNode(b.Operator(add), {{0, Operand(x)}, {1, Operand(x)}},
//                         {}, {{tensor, "y"}});
//   b.EndBlock({Operand(y)});
//   b.EndFunction({tensor});
//   Module m = std::move(b).Build();
#ifndef OPCOMPAT_IR_MODULE_BUILDER_H_
#define OPCOMPAT_IR_MODULE_BUILDER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/ids.h"
#include "ir/module.h"

namespace opcompat {

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
  ModuleBuilder(ModuleBuilder&&) = default;
  ModuleBuilder& operator=(ModuleBuilder&&) = default;

  // Header data, in the order given.
  void AddOpset(std::string name, std::string version);
  void AddMetadata(std::string key, std::string value);
  void AddAttribute(std::string name, TypeId type, ConstantId value);
  void AddTensor(std::string name, ConstantId value);

  // Interned: equal input, equal id.
  StringId String(absl::string_view s);
  TypeId InternType(const Type& type);
  ConstantId Constant(const Value& value);
  // Entries are interned by (name, revision) and equality.
  OperatorId Operator(OperatorEntryPtr entry);
  OperatorId Operator(Intrinsic intrinsic);

  void BeginFunction(std::string name);
  // Precondition: all blocks are ended.
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

  // Types of values of the function being built.
  TypeId type_of(ValueId value) const;
  const Module& module() const { return module_; }

  // Precondition: no function is open.
  Module Build() &&;

 private:
  FormId InternForm(CallForm form);
  ValueId Append(CallForm form, absl::Span<const Operand> operands,
                 absl::Span<const Definition> results);

  struct FormHash {
    size_t operator()(const CallForm& form) const;
  };

  Module module_;
  absl::flat_hash_map<std::string, uint32_t> strings_;
  absl::flat_hash_map<Type, uint32_t> types_;
  absl::flat_hash_map<Value, uint32_t> constants_;
  absl::flat_hash_map<const OperatorEntry*, uint32_t> entry_pointers_;
  absl::flat_hash_map<std::string, std::vector<uint32_t>> entries_;
  absl::flat_hash_map<uint8_t, uint32_t> intrinsics_;
  absl::flat_hash_map<CallForm, uint32_t, FormHash> forms_;
  std::vector<OperatorEntryPtr> kept_;  // owners of entry_pointers_

  // State of the function being built.
  struct OpenBlock;
  std::vector<OpenBlock> open_;
  bool has_names_ = false;
  bool has_locations_ = false;
};

}  // namespace opcompat

#endif  // OPCOMPAT_IR_MODULE_BUILDER_H_
