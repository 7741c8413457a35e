#include "ir/graph_effects.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "ir/ids.h"
#include "schema/operator_schema.h"
#include "schema/type.h"

namespace opcompat {
namespace {

using Objects = std::set<uint32_t>;

// Whether values of the type have an identity that others can share.
bool IsObject(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kInt:
    case TypeKind::kFloat:
    case TypeKind::kBool:
    case TypeKind::kComplex:
    case TypeKind::kString:
    case TypeKind::kScalar:
    case TypeKind::kScalarType:
    case TypeKind::kLayout:
    case TypeKind::kDevice:
    case TypeKind::kMemoryFormat:
    case TypeKind::kDimname:
    case TypeKind::kQScheme:
    case TypeKind::kSymInt:
    case TypeKind::kSymFloat:
    case TypeKind::kSymBool:
    case TypeKind::kNone:
      return false;
    case TypeKind::kOptional:
      return IsObject(type.child());
    case TypeKind::kTuple:
    case TypeKind::kNamedTuple:
      return std::any_of(type.children().begin(), type.children().end(),
                         IsObject);
    default:
      return true;
  }
}

class Analysis {
 public:
  Analysis(const Module& module, const Function& function)
      : module_(module), graph_(function.graph), values_(graph_.num_values()) {}

  GraphEffects Run() {
    for (uint32_t v = 0; v < module_.num_results(graph_.nodes[0]); ++v) {
      if (IsObject(v)) values_[v] = {v};
    }
    do {
      changed_ = false;
      for (size_t i = 1; i + 1 < graph_.nodes.size(); ++i) {
        AddNode(graph_.nodes[i]);
      }
    } while (changed_);
    for (const Operand operand :
         module_.operands(graph_, graph_.nodes.back())) {
      effects_.results.push_back(ObjectsOf(operand));
    }
    return std::move(effects_);
  }

 private:
  bool IsObject(uint32_t value) const {
    return opcompat::IsObject(module_.type(graph_.value_types[value]));
  }
  Objects ObjectsOf(Operand operand) const {
    return operand.is_value() ? values_[operand.value().index] : Objects();
  }
  void Add(uint32_t value, const Objects& objects) {
    if (!IsObject(value)) return;
    const size_t before = values_[value].size();
    values_[value].insert(objects.begin(), objects.end());
    changed_ |= values_[value].size() > before;
  }
  void Write(const Objects& objects) {
    const size_t before = effects_.written.size();
    effects_.written.insert(objects.begin(), objects.end());
    changed_ |= effects_.written.size() > before;
  }

  void AddNode(const Node& node) {
    const ModuleOperator& op = module_.op(node);
    if (op.entry != nullptr) {
      AddCall(node, *op.entry);
      return;
    }
    const absl::Span<const Operand> operands = module_.operands(graph_, node);
    const uint32_t num_results = module_.num_results(node);
    switch (op.intrinsic) {
      case Intrinsic::kIf:
      case Intrinsic::kLoop:
        AddBlocks(node, op.intrinsic == Intrinsic::kLoop);
        return;
      case Intrinsic::kParam:
      case Intrinsic::kReturn:
        return;
      default:
        break;
    }
    // A construct is an object of its own and holds others; what is unpacked
    // may be any of them.
    for (uint32_t r = 0; r < num_results; ++r) {
      const uint32_t result = node.results_begin + r;
      if (op.intrinsic != Intrinsic::kListUnpack) Add(result, {result});
      for (const Operand operand : operands) Add(result, ObjectsOf(operand));
    }
  }

  void AddCall(const Node& node, const OperatorEntry& entry) {
    const CallForm& form = module_.form(node);
    const absl::Span<const Operand> operands = module_.operands(graph_, node);
    const auto alias_of = [&](size_t slot) -> const AliasAnnotations& {
      static const auto* const none = new AliasAnnotations();
      const uint32_t argument = form.slots[slot].argument;
      return argument == Slot::kVariadic ? *none
                                         : entry.arguments[argument].alias;
    };
    for (size_t i = 0; i < form.slots.size(); ++i) {
      if (!IsWritten(alias_of(i))) continue;
      const Objects written = ObjectsOf(operands[i]);
      Write(written);
      // What goes into a container is held by everything that may be it.
      for (size_t k = 0; k < form.slots.size(); ++k) {
        if (!MentionsWildcard(alias_of(k))) continue;
        const Objects stored = ObjectsOf(operands[k]);
        for (uint32_t v = 0; v < values_.size(); ++v) {
          if (Intersect(values_[v], written)) Add(v, stored);
        }
      }
    }
    for (uint32_t r = 0; r < form.result_types.size(); ++r) {
      const uint32_t result = node.results_begin + r;
      const bool is_known = r < entry.results.size();
      const bool any = !is_known || MentionsWildcard(entry.results[r].alias);
      bool is_own = true;
      for (size_t i = 0; i < form.slots.size(); ++i) {
        if (!any && !ShareASet(alias_of(i), entry.results[r].alias)) continue;
        is_own = false;
        Add(result, ObjectsOf(operands[i]));
      }
      if (is_own) Add(result, {result});
    }
  }

  void AddBlocks(const Node& node, bool is_loop) {
    const CallForm& form = module_.form(node);
    const absl::Span<const Operand> operands = module_.operands(graph_, node);
    // A Loop is given a count and a condition first, and yields a condition.
    const size_t skipped = is_loop ? 1 : 0;
    for (uint32_t b = 0; b < form.num_blocks; ++b) {
      const Block& block = graph_.blocks[node.first_block.index + b];
      const Node& param = graph_.nodes[block.param.index];
      const absl::Span<const Operand> yielded =
          module_.operands(graph_, graph_.nodes[block.end.index]);
      for (uint32_t r = 0; r < form.result_types.size(); ++r) {
        const uint32_t result = node.results_begin + r;
        if (r + skipped < yielded.size()) {
          Add(result, ObjectsOf(yielded[r + skipped]));
        }
        if (!is_loop) continue;
        if (r + 2 < operands.size()) Add(result, ObjectsOf(operands[r + 2]));
        if (r + 1 < module_.num_results(param)) {
          Add(param.results_begin + r + 1, values_[result]);
        }
      }
    }
  }

  static bool Intersect(const Objects& a, const Objects& b) {
    return std::any_of(a.begin(), a.end(),
                       [&](uint32_t object) { return b.count(object) > 0; });
  }

  const Module& module_;
  const Graph& graph_;
  std::vector<Objects> values_;
  GraphEffects effects_;
  bool changed_ = false;
};

}  // namespace

GraphEffects EffectsOf(const Module& module, const Function& function) {
  return Analysis(module, function).Run();
}

std::string EffectsDiffer(const Module& module, const Function& function,
                          const OperatorEntry& entry) {
  const GraphEffects effects = EffectsOf(module, function);
  const uint32_t num_arguments = static_cast<uint32_t>(entry.num_exposed());
  for (uint32_t a = 0; a < num_arguments; ++a) {
    const EntryArgument& argument = entry.arguments[a];
    if (!IsObject(argument.type)) continue;
    const bool written = effects.written.count(a) > 0;
    if (written == argument.is_written()) continue;
    return written
               ? absl::StrCat("it may write to argument ", argument.name(),
                              ", which the schema does not mark as written")
               : absl::StrCat("it does not write to argument ", argument.name(),
                              ", which the schema marks as written");
  }
  const size_t num_results =
      std::min(effects.results.size(), entry.results.size());
  for (size_t r = 0; r < num_results; ++r) {
    const EntryResult& result = entry.results[r];
    if (!IsObject(result.type) || MentionsWildcard(result.alias)) continue;
    bool expects_argument = false;
    bool is_argument = false;
    for (uint32_t a = 0; a < num_arguments; ++a) {
      const EntryArgument& argument = entry.arguments[a];
      const bool shares = ShareASet(argument.alias, result.alias);
      const bool is_it = effects.results[r].count(a) > 0;
      expects_argument |= shares;
      is_argument |= shares && is_it;
      if (is_it && !shares) {
        return absl::StrCat("its result ", r, " may be argument ",
                            argument.name(),
                            ", and the schema's result is not");
      }
    }
    if (expects_argument && !is_argument) {
      return absl::StrCat("its result ", r,
                          " is an object of its own, and the schema's is an "
                          "argument, or a part of one");
    }
    for (size_t s = 0; s < r; ++s) {
      const EntryResult& other = entry.results[s];
      if (!IsObject(other.type) || MentionsWildcard(other.alias) ||
          ShareASet(result.alias, other.alias)) {
        continue;
      }
      for (const uint32_t object : effects.results[r]) {
        if (effects.results[s].count(object) > 0) {
          return absl::StrCat("its results ", s, " and ", r,
                              " may be one object, and the schema's are two");
        }
      }
    }
  }
  return "";
}

}  // namespace opcompat
