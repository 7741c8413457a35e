#include "ir/equality.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/canonicalize.h"
#include "ir/ids.h"
#include "schema/operator_entry.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace {

using Difference = absl::optional<std::string>;

std::string Versus(absl::string_view what, absl::string_view a,
                   absl::string_view b) {
  return absl::StrCat(what, ": ", a, " / ", b);
}

// Two canonical modules. Their tables are in order of first use, so as long as
// they are the same module, equal things have equal ids; where ids or what
// stands behind them begin to differ, the modules do.
class Comparison {
 public:
  Comparison(const Module& a, const Module& b) : a_(a), b_(b) {}

  Difference Run();

 private:
  Difference CompareHeaders() const;
  Difference CompareFunctions(const Function& a, const Function& b) const;
  Difference CompareNodes(const Graph& a, const Graph& b, uint32_t n) const;
  Difference CompareForms(const CallForm& a, const CallForm& b) const;
  Difference CompareTypes(absl::string_view what, const std::vector<TypeId>& a,
                          const std::vector<TypeId>& b) const;

  bool Same(TypeId a, TypeId b) const { return a == b && same_types_[a.index]; }
  bool Same(ConstantId a, ConstantId b) const {
    return a == b && same_constants_[a.index];
  }
  bool Same(Operand a, Operand b) const {
    return a == b && (!a.is_constant() || Same(a.constant(), b.constant()));
  }
  std::string SpellOperand(const Module& module, const Graph& graph,
                           Operand operand) const {
    return operand.is_constant()
               ? module.constant(operand.constant()).ToShortString()
               : absl::StrCat("%", module.value_name(graph, operand.value()));
  }

  const Module& a_;
  const Module& b_;
  // By id: whether both modules have it, and the same.
  std::vector<bool> same_types_;
  std::vector<bool> same_constants_;
  std::vector<bool> same_operators_;
  std::vector<bool> same_forms_;
};

template <typename Element, typename Equal>
std::vector<bool> CompareTables(const std::vector<Element>& a,
                                const std::vector<Element>& b, Equal equal) {
  // Ids of either table may be asked for.
  std::vector<bool> same(std::max(a.size(), b.size()), false);
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    same[i] = equal(a[i], b[i]);
  }
  return same;
}

Difference Comparison::Run() {
  const auto equal = [](const auto& x, const auto& y) { return x == y; };
  same_types_ = CompareTables(a_.types, b_.types, equal);
  same_constants_ = CompareTables(a_.constants, b_.constants, equal);
  same_operators_ =
      CompareTables(a_.operators, b_.operators,
                    [](const ModuleOperator& x, const ModuleOperator& y) {
                      return x.intrinsic == y.intrinsic &&
                             (x.entry == y.entry ||
                              (x.entry != nullptr && y.entry != nullptr &&
                               *x.entry == *y.entry));
                    });
  same_forms_ = CompareTables(a_.forms, b_.forms,
                              [this](const CallForm& x, const CallForm& y) {
                                return !CompareForms(x, y).has_value();
                              });
  if (Difference d = CompareHeaders()) return d;
  for (size_t f = 0; f < a_.functions.size(); ++f) {
    if (Difference d = CompareFunctions(a_.functions[f], b_.functions[f])) {
      return absl::StrCat(a_.functions[f].name, ": ", *d);
    }
  }
  return absl::nullopt;
}

// The first element at which two lists differ, each spelled by `spell`.
template <typename Element, typename Spell>
Difference CompareLists(absl::string_view what, const std::vector<Element>& a,
                        const std::vector<Element>& b, Spell spell_a,
                        Spell spell_b) {
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string x = i < a.size() ? spell_a(a[i]) : "none";
    const std::string y = i < b.size() ? spell_b(b[i]) : "none";
    if (x != y) return Versus(absl::StrCat(what, " ", i), x, y);
  }
  return absl::nullopt;
}

Difference Comparison::CompareHeaders() const {
  const auto opset = [](const OpsetVersion& o) {
    return absl::StrCat(QuoteString(o.name), " ", QuoteString(o.version));
  };
  if (Difference d =
          CompareLists("opset", a_.opsets, b_.opsets, opset, opset)) {
    return d;
  }
  const auto item = [](const Metadata& m) {
    return absl::StrCat(QuoteString(m.key), " = ", QuoteString(m.value));
  };
  if (Difference d =
          CompareLists("meta", a_.metadata, b_.metadata, item, item)) {
    return d;
  }
  const auto name = [](const auto& named) { return QuoteString(named.name); };
  if (Difference d =
          CompareLists("attr", a_.attributes, b_.attributes, name, name)) {
    return d;
  }
  for (size_t i = 0; i < a_.attributes.size(); ++i) {
    const ModuleAttribute& x = a_.attributes[i];
    const ModuleAttribute& y = b_.attributes[i];
    if (!Same(x.type, y.type)) {
      return Versus(absl::StrCat("type of attr ", x.name),
                    a_.type(x.type).ToString(), b_.type(y.type).ToString());
    }
    if (!Same(x.value, y.value)) {
      return Versus(absl::StrCat("attr ", x.name),
                    a_.constant(x.value).ToShortString(),
                    b_.constant(y.value).ToShortString());
    }
  }
  if (Difference d =
          CompareLists("tensor", a_.tensors, b_.tensors, name, name)) {
    return d;
  }
  for (size_t i = 0; i < a_.tensors.size(); ++i) {
    const ModuleTensor& x = a_.tensors[i];
    const ModuleTensor& y = b_.tensors[i];
    if (!Same(x.value, y.value)) {
      return Versus(absl::StrCat("tensor ", x.name),
                    a_.constant(x.value).ToShortString(),
                    b_.constant(y.value).ToShortString());
    }
  }
  return CompareLists("function", a_.functions, b_.functions, name, name);
}

Difference Comparison::CompareTypes(absl::string_view what,
                                    const std::vector<TypeId>& a,
                                    const std::vector<TypeId>& b) const {
  if (a.size() != b.size()) {
    return Versus(absl::StrCat("number of ", what, "s"), absl::StrCat(a.size()),
                  absl::StrCat(b.size()));
  }
  for (size_t i = 0; i < a.size(); ++i) {
    if (!Same(a[i], b[i])) {
      return Versus(absl::StrCat("type of ", what, " ", i),
                    a_.type(a[i]).ToString(), b_.type(b[i]).ToString());
    }
  }
  return absl::nullopt;
}

Difference Comparison::CompareFunctions(const Function& a,
                                        const Function& b) const {
  const size_t num_nodes = std::min(a.graph.num_nodes(), b.graph.num_nodes());
  for (uint32_t n = 0; n < num_nodes; ++n) {
    if (Difference d = CompareNodes(a.graph, b.graph, n)) {
      const Node& node = a.graph.nodes[n];
      const std::string name =
          a_.num_results(node) == 0 || a_.intrinsic(node) == Intrinsic::kParam
              ? ""
              : absl::StrCat(
                    " (%", a_.value_name(a.graph, ValueId(node.results_begin)),
                    ")");
      return absl::StrCat("node #", n, name, ": ", *d);
    }
  }
  if (a.graph.num_nodes() != b.graph.num_nodes()) {
    return Versus("number of nodes", absl::StrCat(a.graph.num_nodes()),
                  absl::StrCat(b.graph.num_nodes()));
  }
  return CompareTypes("result", a.result_types, b.result_types);
}

Difference Comparison::CompareForms(const CallForm& a,
                                    const CallForm& b) const {
  const ModuleOperator& op_a = a_.op(a.op);
  const ModuleOperator& op_b = b_.op(b.op);
  if (a.op != b.op || !same_operators_[a.op.index]) {
    const auto revision = [](const ModuleOperator& op) {
      return op.entry == nullptr
                 ? std::string()
                 : absl::StrCat(" revision ", op.entry->revision);
    };
    if (op_a.name() != op_b.name() || revision(op_a) != revision(op_b)) {
      return Versus("operator", absl::StrCat(op_a.name(), revision(op_a)),
                    absl::StrCat(op_b.name(), revision(op_b)));
    }
    return Versus(absl::StrCat("what is known of ", op_a.name()),
                  op_a.entry == nullptr ? "" : op_a.entry->ToString(),
                  op_b.entry == nullptr ? "" : op_b.entry->ToString());
  }
  const auto place = [&op_a](const std::vector<Slot>& slots, size_t i) {
    if (i >= slots.size()) return std::string("none");
    const uint32_t argument = slots[i].argument;
    return absl::StrCat(
        argument == Slot::kVariadic || op_a.entry == nullptr
            ? std::string("an operand")
            : absl::StrCat("argument ", op_a.entry->arguments[argument].name()),
        slots[i].is_constant ? ", a constant" : ", a value");
  };
  for (size_t i = 0; i < std::max(a.slots.size(), b.slots.size()); ++i) {
    const std::string x = place(a.slots, i);
    const std::string y = place(b.slots, i);
    if (x != y) {
      return Versus(absl::StrCat(op_a.name(), " is given as number ", i), x, y);
    }
  }
  const auto name_a = [this](StringId id) { return a_.string(id); };
  const auto name_b = [this](StringId id) { return b_.string(id); };
  for (size_t i = 0;
       i < std::max(a.attribute_names.size(), b.attribute_names.size()); ++i) {
    const std::string x =
        i < a.attribute_names.size() ? name_a(a.attribute_names[i]) : "none";
    const std::string y =
        i < b.attribute_names.size() ? name_b(b.attribute_names[i]) : "none";
    if (x != y || a.attribute_names.size() != b.attribute_names.size()) {
      return Versus(absl::StrCat("attributes of ", op_a.name()), x, y);
    }
  }
  if (a.num_blocks != b.num_blocks) {
    return Versus(absl::StrCat("number of blocks of ", op_a.name()),
                  absl::StrCat(a.num_blocks), absl::StrCat(b.num_blocks));
  }
  if (Difference d = CompareTypes("result", a.result_types, b.result_types)) {
    return absl::StrCat(op_a.name(), ": ", *d);
  }
  return absl::nullopt;
}

Difference Comparison::CompareNodes(const Graph& a, const Graph& b,
                                    uint32_t n) const {
  const Node& x = a.nodes[n];
  const Node& y = b.nodes[n];
  const CallForm& form = a_.form(x);
  if (x.form != y.form || !same_forms_[x.form.index]) {
    if (Difference d = CompareForms(form, b_.form(y))) return d;
  }
  const absl::Span<const Operand> operands_a = a_.operands(a, x);
  const absl::Span<const Operand> operands_b = b_.operands(b, y);
  const ModuleOperator& op = a_.op(form.op);
  for (size_t i = 0; i < operands_a.size(); ++i) {
    if (Same(operands_a[i], operands_b[i])) continue;
    std::string what = absl::StrCat("operand ", i);
    if (i >= form.slots.size()) {
      what = absl::StrCat(
          "attribute ", a_.string(form.attribute_names[i - form.slots.size()]));
    } else if (op.entry != nullptr &&
               form.slots[i].argument != Slot::kVariadic) {
      what = absl::StrCat("argument ",
                          op.entry->arguments[form.slots[i].argument].name());
    }
    return Versus(absl::StrCat(op.name(), " ", what),
                  SpellOperand(a_, a, operands_a[i]),
                  SpellOperand(b_, b, operands_b[i]));
  }
  return absl::nullopt;
}

}  // namespace

Difference FirstDifference(const Module& a, const Module& b) {
  const absl::StatusOr<Module> canonical_a = Canonicalize(a);
  if (!canonical_a.ok()) return std::string(canonical_a.status().message());
  const absl::StatusOr<Module> canonical_b = Canonicalize(b);
  if (!canonical_b.ok()) return std::string(canonical_b.status().message());
  return Comparison(*canonical_a, *canonical_b).Run();
}

}  // namespace opcompat
