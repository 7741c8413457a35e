#include "compat_matrix/oracle/call.h"

#include <numeric>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"

namespace opcompat {
namespace oracle {
namespace {

// Which containers may be the same object, as far as blocks and alias marks
// say; coarse, but never too fine.
class MayAlias {
 public:
  explicit MayAlias(size_t num_values) : parent_(num_values + 1) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  // Stands for whatever `(*)` may mean.
  uint32_t anything() const {
    return static_cast<uint32_t>(parent_.size()) - 1;
  }

  uint32_t Find(uint32_t v) {
    while (parent_[v] != v) {
      parent_[v] = parent_[parent_[v]];
      v = parent_[v];
    }
    return v;
  }
  void Join(uint32_t a, uint32_t b) { parent_[Find(a)] = Find(b); }

 private:
  std::vector<uint32_t> parent_;
};

bool IsContainer(const Type& type) {
  if (type.kind() == TypeKind::kOptional) return IsContainer(type.child());
  return type.kind() == TypeKind::kList || type.kind() == TypeKind::kDict;
}

// The type at preorder place `place`, or null.
const Type* TypeAt(const Type& type, uint32_t* place) {
  if (*place == 0) return &type;
  for (const Type& child : type.children()) {
    --*place;
    if (const Type* found = TypeAt(child, place)) return found;
  }
  return nullptr;
}

// Whether the marks say that the container itself is written to, not only what
// it holds.
bool WritesContainer(const Type& type, const AliasAnnotations& alias) {
  for (const AliasAnnotation& annotation : alias) {
    if (!annotation.write) continue;
    uint32_t place = annotation.place;
    const Type* at = TypeAt(type, &place);
    if (at == nullptr || IsContainer(*at) ||
        at->kind() == TypeKind::kVariable || at->kind() == TypeKind::kAny) {
      return true;
    }
  }
  return false;
}

class Facts {
 public:
  Facts(const Module& module, const Graph& graph,
        const std::vector<ValueId>& written_outside)
      : module_(module), graph_(graph), alias_(graph.num_values()) {
    for (const ValueId value : written_outside) written_.push_back(value.index);
    facts_.is_used.resize(graph.num_values());
    facts_.is_written.resize(graph.num_values());
  }

  GraphFacts Work() {
    for (const Node& node : graph_.nodes) {
      for (const Operand operand : module_.operands(graph_, node)) {
        if (operand.is_value()) facts_.is_used[operand.value().index] = true;
      }
    }
    for (uint32_t i = 0; i < graph_.nodes.size(); ++i) JoinAliases(NodeId(i));
    std::vector<bool> root_written(graph_.num_values() + 1);
    for (const uint32_t v : written_) root_written[alias_.Find(v)] = true;
    for (uint32_t v = 0; v < graph_.num_values(); ++v) {
      facts_.is_written[v] = root_written[alias_.Find(v)];
    }
    return std::move(facts_);
  }

 private:
  void JoinAliases(NodeId id) {
    const Node& node = graph_.nodes[id.index];
    const ModuleOperator& op = module_.op(node);
    if (op.entry != nullptr) {
      JoinCall(node, *op.entry);
    } else if (op.intrinsic == Intrinsic::kIf ||
               op.intrinsic == Intrinsic::kLoop) {
      JoinBlocks(node, op.intrinsic == Intrinsic::kLoop);
    } else if (op.intrinsic == Intrinsic::kCallFunction ||
               op.intrinsic == Intrinsic::kCallMethod) {
      // What the other function does with it is not looked into here.
      for (const Operand operand : module_.operands(graph_, node)) {
        if (operand.is_value()) written_.push_back(operand.value().index);
      }
    }
  }

  void JoinCall(const Node& node, const OperatorEntry& entry) {
    absl::flat_hash_map<std::string, uint32_t> sets;
    const auto join = [&](uint32_t value, const AliasAnnotations& alias) {
      for (const AliasAnnotation& annotation : alias) {
        for (const auto* names : {&annotation.before, &annotation.after}) {
          for (const std::string& name : *names) {
            const uint32_t of_set =
                name == "*" ? alias_.anything()
                            : sets.try_emplace(name, value).first->second;
            alias_.Join(value, of_set);
          }
        }
      }
    };
    const CallForm& form = module_.form(node);
    const absl::Span<const Operand> operands = module_.operands(graph_, node);
    for (size_t i = 0; i < form.slots.size(); ++i) {
      if (!operands[i].is_value()) continue;
      const uint32_t value = operands[i].value().index;
      if (form.slots[i].argument == Slot::kVariadic) continue;
      const EntryArgument& argument = entry.arguments[form.slots[i].argument];
      join(value, argument.alias);
      if (WritesContainer(argument.type, argument.alias)) {
        written_.push_back(value);
      }
    }
    for (size_t i = 0; i < form.result_types.size() && i < entry.results.size();
         ++i) {
      join(node.results_begin + static_cast<uint32_t>(i),
           entry.results[i].alias);
    }
  }

  // What goes into blocks and out of them may be the same object.
  void JoinBlocks(const Node& node, bool is_loop) {
    const CallForm& form = module_.form(node);
    const uint32_t num_results =
        static_cast<uint32_t>(form.result_types.size());
    const absl::Span<const Operand> carried = module_.operands(graph_, node);
    for (uint32_t b = 0; b < form.num_blocks; ++b) {
      const Block& block = graph_.blocks[node.first_block.index + b];
      const Node& param = graph_.nodes[block.param.index];
      const absl::Span<const Operand> yielded =
          module_.operands(graph_, graph_.nodes[block.end.index]);
      // A loop's operands begin with its limit and first condition, its
      // block's parameters with the index, what it yields with the condition.
      const size_t skipped = is_loop ? 1 : 0;
      for (uint32_t i = 0; i < num_results; ++i) {
        const uint32_t result = node.results_begin + i;
        if (i + skipped < yielded.size() && yielded[i + skipped].is_value()) {
          alias_.Join(result, yielded[i + skipped].value().index);
        }
        if (!is_loop) continue;
        if (i + 1 < module_.num_results(param)) {
          alias_.Join(result, param.results_begin + 1 + i);
        }
        if (i + 2 < carried.size() && carried[i + 2].is_value()) {
          alias_.Join(result, carried[i + 2].value().index);
        }
      }
    }
  }

  const Module& module_;
  const Graph& graph_;
  MayAlias alias_;
  std::vector<uint32_t> written_;
  GraphFacts facts_;
};

}  // namespace

Given Given::Constant(Value constant) {
  Given given;
  given.kind = Kind::kConstant;
  given.constant = std::move(constant);
  return given;
}

GraphFacts FactsOf(const Module& module, const Graph& graph,
                   const std::vector<ValueId>& written_outside) {
  return Facts(module, graph, written_outside).Work();
}

ValueTypes DeclaredTypes(const Module& module, const Graph& graph) {
  ValueTypes types;
  for (const TypeId id : graph.value_types) types.push_back(module.type(id));
  return types;
}

Call CallOf(const Module& module, const Graph& graph, const GraphFacts& facts,
            const ValueTypes& types, const Node& node) {
  Call call;
  const CallForm& form = module.form(node);
  call.entry = module.op(node).entry;
  call.has_blocks = form.num_blocks > 0;
  call.arguments.resize(call.entry->num_exposed());
  const absl::Span<const Operand> operands = module.operands(graph, node);
  for (size_t i = 0; i < form.slots.size(); ++i) {
    Given given;
    if (operands[i].is_constant()) {
      given = Given::Constant(module.constant(operands[i].constant()));
    } else if (operands[i].is_value()) {
      given.kind = Given::Kind::kGraphValue;
      given.value = operands[i].value();
      given.type = types[given.value.index];
      given.is_written = facts.is_written[given.value.index];
    }
    if (form.slots[i].argument == Slot::kVariadic) {
      call.varargs.push_back(std::move(given));
    } else {
      call.arguments[form.slots[i].argument] = std::move(given);
    }
  }
  for (size_t i = 0; i < form.result_types.size(); ++i) {
    const uint32_t value = node.results_begin + static_cast<uint32_t>(i);
    call.results.push_back({module.type(form.result_types[i]),
                            facts.is_used[value], facts.is_written[value]});
  }
  return call;
}

absl::optional<Constant> EffectiveConstant(const Call& call, size_t i) {
  const EntryArgument& argument = call.entry->arguments[i];
  switch (call.arguments[i].kind) {
    case Given::Kind::kConstant:
      return oracle::Constant{argument.type, call.arguments[i].constant};
    case Given::Kind::kLeftOut:
      if (!argument.default_value.has_value()) return absl::nullopt;
      return oracle::Constant{argument.type, *argument.default_value};
    case Given::Kind::kGraphValue:
      break;
  }
  return absl::nullopt;
}

}  // namespace oracle
}  // namespace opcompat
