#include "compat_matrix/oracle/judgement.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "compat_matrix/oracle/call.h"
#include "compat_matrix/oracle/identity.h"
#include "compat_matrix/oracle/meaning.h"
#include "compat_matrix/oracle/values.h"

namespace opcompat {
namespace oracle {
namespace {

using Difference = absl::optional<std::string>;

std::string Pair(absl::string_view what, absl::string_view a,
                 absl::string_view b) {
  return absl::StrCat(what, ": ", a, " / ", b);
}

bool SameConstant(const Module& a, ConstantId in_a, const Module& b,
                  ConstantId in_b) {
  return in_a.valid() == in_b.valid() &&
         (!in_a.valid() || a.constant(in_a) == b.constant(in_b));
}

// One function as it must be (a) against the same one of the result (b), node
// by node in preorder.
class FunctionJudge {
 public:
  FunctionJudge(const Module& a, const Function& of_a, const Module& b,
                const Function& of_b)
      : a_(a),
        graph_a_(of_a.graph),
        b_(b),
        graph_b_(of_b.graph),
        value_in_b_(graph_a_.num_values()) {}

  Difference Judge() {
    size_t i = 0;
    size_t j = 0;
    while (true) {
      // Constants that stayed nodes count where they are used: an argument that
      // was dropped takes its constant along.
      while (i < graph_a_.nodes.size() &&
             IsConstant(a_, graph_a_, graph_a_.nodes[i])) {
        ++i;
      }
      while (j < graph_b_.nodes.size() &&
             IsConstant(b_, graph_b_, graph_b_.nodes[j])) {
        ++j;
      }
      const bool end_a = i == graph_a_.nodes.size();
      const bool end_b = j == graph_b_.nodes.size();
      if (end_a && end_b) return absl::nullopt;
      if (end_a || end_b) {
        return absl::StrCat("number of nodes: ", graph_a_.nodes.size(), " / ",
                            graph_b_.nodes.size());
      }
      Difference difference = JudgeNode(graph_a_.nodes[i], graph_b_.nodes[j]);
      if (difference.has_value()) {
        const absl::string_view name = a_.op(graph_a_.nodes[i]).name();
        return absl::StrCat("node #", i, " (", name, "): ", *difference);
      }
      ++i;
      ++j;
    }
  }

 private:
  // Whether the node is a value and nothing else. (A constant of a class has
  // attributes of its own: a node like others.)
  static bool IsConstant(const Module& module, const Graph& graph,
                         const Node& node) {
    return module.intrinsic(node) == Intrinsic::kConstant &&
           module.form(node).attribute_names.size() == 1 &&
           module.attribute(graph, node, "value").valid();
  }

  // Whether the two give the same to the same: then nothing that the rules say
  // of it makes a difference.
  bool IsTheSame(const Node& in_a, const Node& in_b) {
    if (!HaveOneForm(in_a, in_b)) return false;
    const CallForm& form = a_.form(in_a);
    const absl::Span<const Operand> operands_a = a_.operands(graph_a_, in_a);
    const absl::Span<const Operand> operands_b = b_.operands(graph_b_, in_b);
    for (size_t i = 0; i < form.num_operands(); ++i) {
      if (!SameOperand(operands_a[i], operands_b[i])) return false;
    }
    return true;
  }

  // Equal operators, what is written and how, attributes and results. Found
  // once for each two forms.
  bool HaveOneForm(const Node& in_a, const Node& in_b) {
    const uint64_t key = uint64_t{in_a.form.index} << 32 | in_b.form.index;
    const auto [place, is_new] = have_one_form_.try_emplace(key, false);
    if (!is_new) return place->second;
    const CallForm& form_a = a_.form(in_a);
    const CallForm& form_b = b_.form(in_b);
    const ModuleOperator& op_a = a_.op(in_a);
    const ModuleOperator& op_b = b_.op(in_b);
    const auto same_names = [this](StringId in_a, StringId in_b) {
      return a_.string(in_a) == b_.string(in_b);
    };
    const auto same_types = [this](TypeId in_a, TypeId in_b) {
      return a_.type(in_a) == b_.type(in_b);
    };
    place->second =
        op_a.intrinsic == op_b.intrinsic &&
        (op_a.entry == op_b.entry ||
         (op_a.entry != nullptr && op_b.entry != nullptr &&
          *op_a.entry == *op_b.entry)) &&
        form_a.slots == form_b.slots &&
        form_a.num_blocks == form_b.num_blocks &&
        std::equal(form_a.attribute_names.begin(), form_a.attribute_names.end(),
                   form_b.attribute_names.begin(), form_b.attribute_names.end(),
                   same_names) &&
        std::equal(form_a.result_types.begin(), form_a.result_types.end(),
                   form_b.result_types.begin(), form_b.result_types.end(),
                   same_types);
    return place->second;
  }

  Difference JudgeNode(const Node& in_a, const Node& in_b) {
    if (IsTheSame(in_a, in_b)) {
      MapResults(in_a, in_b);
      return absl::nullopt;
    }
    const CallForm& form_a = a_.form(in_a);
    const CallForm& form_b = b_.form(in_b);
    if (form_a.num_blocks != form_b.num_blocks) {
      return absl::StrCat("blocks: ", form_a.num_blocks, " / ",
                          form_b.num_blocks);
    }
    Difference difference = JudgeAttributes(in_a, in_b);
    if (difference.has_value()) return difference;
    const ModuleOperator& op_a = a_.op(in_a);
    const ModuleOperator& op_b = b_.op(in_b);
    if (op_a.intrinsic != op_b.intrinsic ||
        (op_a.entry == nullptr) != (op_b.entry == nullptr)) {
      return Pair("operator", op_a.name(), op_b.name());
    }
    return op_a.entry != nullptr ? JudgeCall(in_a, in_b)
                                 : JudgeIntrinsic(in_a, in_b);
  }

  Difference JudgeAttributes(const Node& in_a, const Node& in_b) {
    const std::vector<StringId>& names_a = a_.form(in_a).attribute_names;
    const std::vector<StringId>& names_b = b_.form(in_b).attribute_names;
    if (names_a.size() != names_b.size()) {
      return absl::StrCat("attributes: ", names_a.size(), " / ",
                          names_b.size());
    }
    for (const StringId id : names_a) {
      const std::string& name = a_.string(id);
      if (!SameConstant(a_, a_.attribute(graph_a_, in_a, name), b_,
                        b_.attribute(graph_b_, in_b, name))) {
        return absl::StrCat("attribute ", name);
      }
    }
    return absl::nullopt;
  }

  Difference JudgeIntrinsic(const Node& in_a, const Node& in_b) {
    const CallForm& form_a = a_.form(in_a);
    const CallForm& form_b = b_.form(in_b);
    if (form_a.slots.size() != form_b.slots.size()) {
      return absl::StrCat("operands: ", form_a.slots.size(), " / ",
                          form_b.slots.size());
    }
    const absl::Span<const Operand> operands_a = a_.operands(graph_a_, in_a);
    const absl::Span<const Operand> operands_b = b_.operands(graph_b_, in_b);
    for (size_t i = 0; i < form_a.slots.size(); ++i) {
      if (!SameOperand(operands_a[i], operands_b[i])) {
        return absl::StrCat("operand ", i);
      }
    }
    if (form_a.result_types.size() != form_b.result_types.size()) {
      return absl::StrCat("results: ", form_a.result_types.size(), " / ",
                          form_b.result_types.size());
    }
    for (size_t i = 0; i < form_a.result_types.size(); ++i) {
      const Type& type_a = a_.type(form_a.result_types[i]);
      const Type& type_b = b_.type(form_b.result_types[i]);
      if (type_a != type_b) {
        return Pair(absl::StrCat("type of result ", i), type_a.ToString(),
                    type_b.ToString());
      }
    }
    MapResults(in_a, in_b);
    return absl::nullopt;
  }

  Difference JudgeCall(const Node& in_a, const Node& in_b) {
    FindFacts();
    const Call expected = CallOf(a_, graph_a_, facts_a_, types_a_, in_a);
    const Call result = CallOf(b_, graph_b_, facts_b_, types_b_, in_b);
    if (expected.entry != result.entry && *expected.entry != *result.entry) {
      return Pair("operator at the reader", expected.entry->ToString(),
                  result.entry->ToString());
    }
    Pairing same;
    for (size_t i = 0; i < result.entry->arguments.size(); ++i) {
      same.reader_of.emplace_back(i);
      same.writer_of.emplace_back(i);
    }
    Difference difference = MeaningsDiffer(
        expected, result, same,
        [this](const Given& a, const Type& at_a, const Given& b,
               const Type& at_b) { return SameGiven(a, at_a, b, at_b); });
    if (difference.has_value()) return difference;
    if (expected.results.size() != result.results.size()) {
      return absl::StrCat("results: ", expected.results.size(), " / ",
                          result.results.size());
    }
    for (size_t i = 0; i < result.results.size(); ++i) {
      // One that nobody looks at may be declared as the reader likes.
      if (expected.results[i].is_used &&
          expected.results[i].type != result.results[i].type) {
        return Pair(absl::StrCat("type of result ", i),
                    expected.results[i].type.ToString(),
                    result.results[i].type.ToString());
      }
    }
    MapResults(in_a, in_b);
    return absl::nullopt;
  }

  // Needed only where two calls are not the same call at first sight.
  void FindFacts() {
    if (has_facts_) return;
    has_facts_ = true;
    facts_a_ = FactsOf(a_, graph_a_);
    facts_b_ = FactsOf(b_, graph_b_);
    types_a_ = DeclaredTypes(a_, graph_a_);
    types_b_ = DeclaredTypes(b_, graph_b_);
  }

  void MapResults(const Node& in_a, const Node& in_b) {
    for (uint32_t i = 0; i < a_.num_results(in_a) && i < b_.num_results(in_b);
         ++i) {
      value_in_b_[in_a.results_begin + i] = ValueId(in_b.results_begin + i);
    }
  }

  // The constant that a value is, if a node prim::Constant makes it.
  absl::optional<Constant> ConstantOf(const Module& module, const Graph& graph,
                                      ValueId value) const {
    const Node& node = graph.nodes[graph.value_nodes[value.index].index];
    if (!IsConstant(module, graph, node)) return absl::nullopt;
    const ConstantId id = module.attribute(graph, node, "value");
    return Constant{module.type(graph.value_types[value.index]),
                    module.constant(id)};
  }

  bool SameValue(ValueId in_a, ValueId in_b) const {
    // Those of constants are not in it.
    if (value_in_b_[in_a.index] == in_b && in_b.valid()) return true;
    const auto of_a = ConstantOf(a_, graph_a_, in_a);
    const auto of_b = ConstantOf(b_, graph_b_, in_b);
    if (of_a.has_value() != of_b.has_value()) return false;
    if (of_a.has_value()) {
      return of_a->type == of_b->type && of_a->value == of_b->value;
    }
    return value_in_b_[in_a.index] == in_b;
  }

  bool SameOperand(Operand a, Operand b) const {
    if (a.is_value() && b.is_value()) return SameValue(a.value(), b.value());
    if (a.is_constant() && b.is_constant()) {
      return a_.constant(a.constant()) == b_.constant(b.constant());
    }
    return a.is_default() && b.is_default();
  }

  // `a` is of what must be, `b` of the result. A constant may be a node at one
  // side and an operand at the other, where only one type says what it is.
  bool SameGiven(const Given& a, const Type& at_a, const Given& b,
                 const Type& at_b) const {
    using Kind = Given::Kind;
    if (a.kind == Kind::kGraphValue && b.kind == Kind::kGraphValue) {
      return SameValue(a.value, b.value);
    }
    absl::optional<Constant> of_a;
    absl::optional<Constant> of_b;
    if (a.kind == Kind::kGraphValue) {
      of_a = ConstantOf(a_, graph_a_, a.value);
    } else if (a.kind == Kind::kConstant) {
      of_a = Constant{at_a, a.constant};
    }
    if (b.kind == Kind::kGraphValue) {
      of_b = ConstantOf(b_, graph_b_, b.value);
    } else if (b.kind == Kind::kConstant) {
      of_b = Constant{at_b, b.constant};
    }
    if (!of_a.has_value() || !of_b.has_value()) return false;
    return a.kind == b.kind ? of_a->value == of_b->value
                            : oracle::SameValue(*of_a, *of_b, {});
  }

  const Module& a_;
  const Graph& graph_a_;
  const Module& b_;
  const Graph& graph_b_;
  bool has_facts_ = false;
  GraphFacts facts_a_;
  GraphFacts facts_b_;
  ValueTypes types_a_;
  ValueTypes types_b_;
  absl::flat_hash_map<uint64_t, bool> have_one_form_;
  // By value of `a`; not valid: not defined yet, or not there.
  std::vector<ValueId> value_in_b_;
};

Difference JudgeHeader(const Module& a, const Module& b) {
  if (a.metadata.size() != b.metadata.size()) return "number of metadata";
  for (size_t i = 0; i < a.metadata.size(); ++i) {
    if (a.metadata[i].key != b.metadata[i].key ||
        a.metadata[i].value != b.metadata[i].value) {
      return absl::StrCat("metadata ", a.metadata[i].key);
    }
  }
  if (a.attributes.size() != b.attributes.size()) return "number of attributes";
  for (size_t i = 0; i < a.attributes.size(); ++i) {
    const ModuleAttribute& of_a = a.attributes[i];
    const ModuleAttribute& of_b = b.attributes[i];
    if (of_a.name != of_b.name || a.type(of_a.type) != b.type(of_b.type) ||
        !SameConstant(a, of_a.value, b, of_b.value)) {
      return absl::StrCat("attribute ", of_a.name);
    }
  }
  if (a.tensors.size() != b.tensors.size()) return "number of tensors";
  for (size_t i = 0; i < a.tensors.size(); ++i) {
    if (a.tensors[i].name != b.tensors[i].name ||
        !SameConstant(a, a.tensors[i].value, b, b.tensors[i].value)) {
      return absl::StrCat("tensor ", a.tensors[i].name);
    }
  }
  return absl::nullopt;
}

Difference JudgeTypes(const Module& a, const std::vector<TypeId>& of_a,
                      const Module& b, const std::vector<TypeId>& of_b) {
  if (of_a.size() != of_b.size()) return "number of results";
  for (size_t i = 0; i < of_a.size(); ++i) {
    if (a.type(of_a[i]) != b.type(of_b[i])) {
      return Pair(absl::StrCat("type of result ", i),
                  a.type(of_a[i]).ToString(), b.type(of_b[i]).ToString());
    }
  }
  return absl::nullopt;
}

}  // namespace

absl::optional<std::string> ModulesDiffer(const Module& a, const Module& b) {
  Difference difference = JudgeHeader(a, b);
  if (difference.has_value()) return difference;
  if (a.functions.size() != b.functions.size()) {
    return absl::StrCat("number of functions: ", a.functions.size(), " / ",
                        b.functions.size());
  }
  for (size_t i = 0; i < a.functions.size(); ++i) {
    const Function& of_a = a.functions[i];
    const Function& of_b = b.functions[i];
    if (of_a.name != of_b.name) {
      return Pair("function", of_a.name, of_b.name);
    }
    difference = JudgeTypes(a, of_a.result_types, b, of_b.result_types);
    if (!difference.has_value()) {
      difference = FunctionJudge(a, of_a, b, of_b).Judge();
    }
    if (difference.has_value()) {
      return absl::StrCat(of_a.name, ": ", *difference);
    }
  }
  return absl::nullopt;
}

}  // namespace oracle
}  // namespace opcompat
