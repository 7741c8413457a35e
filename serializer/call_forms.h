// What all calls of one shape share, worked out once: each node of a module is
// given its form on the wire, after elision. Forms are numbered by falling
// frequency, so that most nodes name theirs in one byte.
#ifndef OPCOMPAT_SERIALIZER_CALL_FORMS_H_
#define OPCOMPAT_SERIALIZER_CALL_FORMS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "serializer/elision.h"
#include "serializer/table_writer.h"

namespace opcompat {
namespace encoding {

// Where an element of Function.constants comes from.
struct ConstantSource {
  // Index into the node's operands; kDefault: `constant` is written instead of
  // an argument that the node leaves out.
  uint32_t operand = kDefault;
  ConstantId constant;
  SlotKind kind = SlotKind::kNone;

  static constexpr uint32_t kDefault = 0xffffffff;
};

// A form on the wire, in the terms of the module: the tables' indices come when
// it is written.
struct WireForm {
  // As in the message CallForms: argument << 4 | kind, and for kind 1 the
  // number of values.
  std::vector<uint32_t> slots;
  std::vector<SlotKind> attribute_kinds;
  // Operator, attribute names, result types and number of blocks are those of
  // any of the module's forms that led here.
  FormId form;
  uint64_t num_calls = 0;
  // Its number in the file.
  uint32_t number = 0;
};

// How the nodes of one of the module's forms are written where the same
// arguments are left out and the constants are of the same kinds.
struct FormVariant {
  uint32_t wire_form = 0;
  // The elements of the node's columns, in the wire's order: which operands are
  // in Function.values, and what is in Function.constants.
  std::vector<uint32_t> values;
  std::vector<ConstantSource> constants;
};

class CallForms {
 public:
  // Goes through all nodes of `module`; both must outlive this object.
  CallForms(const Module& module, const ElisionRule& elision);

  // Of the nodes of function `function`, in order: indices into variants().
  const std::vector<uint32_t>& node_variants(size_t function) const {
    return node_variants_[function];
  }
  const std::vector<FormVariant>& variants() const { return variants_; }
  // The number in the file of a variant's form.
  uint32_t number(const FormVariant& variant) const {
    return wire_forms_[variant.wire_form].number;
  }

  // Operands and results of all nodes, as they are in the file.
  uint64_t CountOperandsAndResults() const;

  // Appends the field `forms` of the file. `operators` receives the operators
  // with an entry in the order in which the file must list them.
  void Write(TableWriter* tables, ByteWriter* out,
             std::vector<OperatorId>* operators) const;

 private:
  uint32_t VariantOf(const Graph& graph, const Node& node);
  FormVariant MakeVariant(const Graph& graph, const Node& node);
  uint32_t InternWireForm(WireForm form);
  void Number();

  const Module& module_;
  const ElisionRule& elision_;
  std::vector<SlotKind> constant_kinds_;  // by constant

  std::vector<FormVariant> variants_;
  std::vector<WireForm> wire_forms_;
  std::vector<uint32_t> by_number_;
  std::vector<std::vector<uint32_t>> node_variants_;

  // An operand of a form that is a constant, and the constant with which it is
  // left out.
  struct ConstantPlace {
    uint32_t operand;
    ConstantId left_out;
  };
  // What is known of a form of the module.
  struct FormFacts {
    std::vector<ConstantPlace> constants;
    // Variants by their keys (see VariantOf), the first kFewVariants of them.
    std::vector<std::pair<uint64_t, uint32_t>> variants;
  };
  static constexpr size_t kFewVariants = 16;
  // As many constants have a key of 64 bits.
  static constexpr size_t kFewConstants = 15;

  uint32_t FindVariant(const Graph& graph, const Node& node, std::string key);

  std::vector<FormFacts> facts_;
  // By a form and what its constants are.
  absl::flat_hash_map<std::string, uint32_t> variant_ids_;
  absl::flat_hash_map<std::vector<uint32_t>, uint32_t> wire_form_ids_;
};

}  // namespace encoding
}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_CALL_FORMS_H_
