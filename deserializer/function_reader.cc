#include "deserializer/function_reader.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/concat.h"
#include "base/escape.h"
#include "base/status_macros.h"
#include "deserializer/element_stream.h"
#include "deserializer/recipes.h"
#include "ir/huge_pages.h"
#include "ir/place_types.h"
#include "ir/plain_calls.h"
#include "schema/type.h"

namespace opcompat {
namespace decoding {
namespace {

// None, True and False take no byte per call, nor do results, so a small file
// can have many operands and values. This many per byte, on average, and a
// quarter of a million in any case: no honest file comes near.
constexpr uint64_t kExpansionPerByte = 32;
constexpr uint64_t kExpansionOfAny = uint64_t{1} << 18;

// The columns of one function.
struct Columns {
  uint32_t name = 0;
  std::vector<uint32_t> result_types;
  std::vector<uint32_t> forms;
  VarintColumn values;
  VarintColumn constants;
};

// How many of each the nodes of a function have; or one node of a form.
struct Totals {
  uint64_t values_used = 0;
  uint64_t constants = 0;
  uint64_t operands = 0;
  uint64_t results = 0;
  uint64_t nested_blocks = 0;
  uint64_t block_begins = 0;
  uint64_t block_ends = 0;
};

Totals& operator+=(Totals& a, const Totals& b) {
  a.values_used += b.values_used;
  a.constants += b.constants;
  a.operands += b.operands;
  a.results += b.results;
  a.nested_blocks += b.nested_blocks;
  a.block_begins += b.block_begins;
  a.block_ends += b.block_ends;
  return a;
}

Totals operator*(Totals a, uint64_t times) {
  a.values_used *= times;
  a.constants *= times;
  a.operands *= times;
  a.results *= times;
  a.nested_blocks *= times;
  a.block_begins *= times;
  a.block_ends *= times;
  return a;
}

// No number of a form counts for more: a node with as many is over any limit,
// and no sum over the nodes of a file overflows.
constexpr uint64_t kMany = uint64_t{1} << 32;

Totals TotalsOf(const WireForm& form) {
  Totals totals;
  totals.values_used = std::min(form.num_values, kMany);
  totals.constants = std::min(form.num_constants, kMany);
  totals.operands = std::min(form.num_operands, kMany);
  totals.results = form.result_types.size();
  totals.nested_blocks = form.num_blocks;
  totals.block_begins = form.intrinsic == Intrinsic::kParam;
  totals.block_ends = form.intrinsic == Intrinsic::kReturn;
  return totals;
}

LiteralKind LiteralKindOf(OperandKind kind) {
  switch (kind) {
    case OperandKind::kNone:
      return LiteralKind::kNone;
    case OperandKind::kTrue:
    case OperandKind::kFalse:
      return LiteralKind::kBool;
    case OperandKind::kInt:
      return LiteralKind::kInt;
    case OperandKind::kFloat:
      return LiteralKind::kFloat;
    case OperandKind::kString:
      return LiteralKind::kString;
    case OperandKind::kIntList:
      return LiteralKind::kInts;
    default:
      return LiteralKind::kOther;
  }
}

class FunctionReader {
 public:
  FunctionReader(const Tables& tables,
                 const std::vector<OperatorEntryPtr>& entries,
                 const std::vector<WireForm>& forms, const DecodeLimits& limits,
                 size_t file_size, Budget* budget, const Module& module,
                 ModuleTables* module_tables, FunctionFindings* findings)
      : tables_(tables),
        entries_(entries),
        forms_(forms),
        limits_(limits),
        expansion_left_(
            std::min(std::max(kExpansionOfAny, file_size * kExpansionPerByte),
                     uint64_t{Operand::kLimit} - 1)),
        budget_(*budget),
        module_(module),
        module_tables_(*module_tables),
        findings_(*findings) {
    calls_.resize(forms.size());
    is_used_.resize(forms.size());
    for (std::vector<uint64_t>& calls : calls_in_turns_) {
      calls.resize(forms.size());
    }
    findings_.calls.resize(forms.size());
    findings_.notes.resize(forms.size());
    recipes_.by_form.resize(forms.size());
  }

  absl::StatusOr<Function> Read(const FileSpan& span) {
    OPCOMPAT_ASSIGN_OR_RETURN(const Columns columns, ReadColumns(span));
    Function function;
    OPCOMPAT_RETURN_IF_ERROR(
        budget_.SpendText(tables_.strings[columns.name].size(), "names"));
    function.name = std::string(tables_.strings[columns.name]);
    where_ = Concat("function `", HexEscape(function.name.substr(0, 80)),
                    "` (offset ", span.offset, ")");
    for (const uint32_t type : columns.result_types) {
      if (type >= tables_.types.size()) {
        return Malformed("it returns type ", type, " of ",
                         tables_.types.size());
      }
      function.result_types.push_back(module_tables_.Type(type));
    }
    OPCOMPAT_ASSIGN_OR_RETURN(const Totals totals, Count(columns));
    OPCOMPAT_RETURN_IF_ERROR(
        ReadBlocks(columns.forms, totals, &function.graph));
    OPCOMPAT_RETURN_IF_ERROR(ReadNodes(columns, totals, &function.graph));
    return function;
  }

 private:
  template <typename... What>
  absl::Status Malformed(const What&... what) const {
    return absl::InvalidArgumentError(
        Concat("malformed file: ", where_, ": ", what...));
  }

  absl::StatusOr<Columns> ReadColumns(const FileSpan& span) {
    where_ = Concat("function at offset ", span.offset);
    Columns columns;
    VarintColumn result_types;
    VarintColumn forms;
    FieldReader fields(span, "a function");
    while (fields.Next()) {
      switch (fields.number()) {
        case 1:
          columns.name = fields.Uint32();
          break;
        case 2:
          fields.AddTo(&result_types);
          break;
        case 3:
          fields.AddTo(&forms);
          break;
        case 4:
          fields.AddTo(&columns.values);
          break;
        case 5:
          fields.AddTo(&columns.constants);
          break;
        default:
          break;
      }
    }
    OPCOMPAT_RETURN_IF_ERROR(fields.status());
    if (columns.name >= tables_.strings.size()) {
      return Malformed("its name is string ", columns.name, " of ",
                       tables_.strings.size());
    }
    const uint64_t num_nodes = forms.count();
    if (num_nodes > limits_.max_nodes - num_nodes_) {
      return absl::ResourceExhaustedError(Concat(
          "the file has more than ", limits_.max_nodes, " nodes, the limit"));
    }
    num_nodes_ += num_nodes;
    OPCOMPAT_ASSIGN_OR_RETURN(
        columns.result_types,
        ReadUint32s(result_types, "result types of a function"));
    OPCOMPAT_ASSIGN_OR_RETURN(columns.forms,
                              ReadUint32s(forms, "forms of nodes"));
    return columns;
  }

  // What the forms take, added up, is what the columns have: after this nothing
  // is read beyond a column, and memory is known before it is asked for.
  absl::StatusOr<Totals> Count(const Columns& columns) {
    const uint64_t num_values = columns.values.count();
    const uint64_t num_constants = columns.constants.count();
    for (const uint32_t form : used_forms_) {
      is_used_[form] = 0;
      calls_[form] = 0;
    }
    used_forms_.clear();
    bool is_known = true;
    // Counted in turns, since a counter cannot be counted up again before it
    // has been, and neighbours are often alike.
    size_t turn = 0;
    for (const uint32_t form : columns.forms) {
      if (form >= forms_.size()) {
        is_known = false;
        continue;
      }
      if (is_used_[form] == 0) {
        is_used_[form] = 1;
        used_forms_.push_back(form);
      }
      ++calls_in_turns_[turn][form];
      turn = (turn + 1) % kTurns;
    }
    for (const uint32_t form : used_forms_) {
      for (std::vector<uint64_t>& calls : calls_in_turns_) {
        calls_[form] += std::exchange(calls[form], 0);
      }
    }
    Totals totals;
    for (const uint32_t form : used_forms_) {
      totals += TotalsOf(forms_[form]) * calls_[form];
      findings_.calls[form] += calls_[form];
    }
    if (!is_known || totals.values_used > num_values ||
        totals.constants > num_constants || totals.operands > expansion_left_ ||
        totals.results > expansion_left_ - totals.operands) {
      return FindExcess(columns, num_values, num_constants);
    }
    expansion_left_ -= totals.operands + totals.results;
    if (totals.values_used != num_values || totals.constants != num_constants) {
      return Malformed("its nodes take ", totals.values_used, " values and ",
                       totals.constants, " constants, but its columns have ",
                       num_values, " and ", num_constants);
    }
    if (totals.block_begins != totals.nested_blocks + 1 ||
        totals.block_ends != totals.block_begins) {
      return Malformed("its nodes have ", totals.nested_blocks + 1,
                       " blocks, but ", totals.block_begins, " begin and ",
                       totals.block_ends, " end");
    }
    return totals;
  }

  // The first node with which the columns, the forms or the limits are
  // exceeded. Precondition: they are.
  absl::Status FindExcess(const Columns& columns, uint64_t num_values,
                          uint64_t num_constants) const {
    Totals totals;
    for (size_t n = 0; n < columns.forms.size(); ++n) {
      if (columns.forms[n] >= forms_.size()) {
        return Malformed("node #", n, " is of call form ", columns.forms[n],
                         " of ", forms_.size());
      }
      totals += TotalsOf(forms_[columns.forms[n]]);
      if (totals.values_used > num_values || totals.constants > num_constants) {
        return Malformed("node #", n, ": the columns of operands end there");
      }
      if (totals.operands > expansion_left_ ||
          totals.results > expansion_left_ - totals.operands) {
        return absl::ResourceExhaustedError(Concat(
            where_, ": the nodes up to #", n,
            " have more operands and results than a file of its size may "
            "have"));
      }
    }
    return absl::InternalError("no node exceeds what is there");
  }

  // Blocks from the order of the nodes.
  absl::Status ReadBlocks(const std::vector<uint32_t>& node_forms,
                          const Totals& totals, Graph* graph) const {
    // Blocks of one node: the one that is open, or is to begin; and their end.
    struct Level {
      uint32_t block;
      uint32_t end;
    };
    std::vector<Level> levels = {{0, 1}};
    bool begins = true;  // the next node must begin a block
    ReserveColumn(node_forms.size(), &graph->nodes);
    graph->nodes.resize(node_forms.size());
    graph->blocks.reserve(totals.block_begins);
    graph->blocks.emplace_back();
    // Nearly all functions: one block, from the first node to the last.
    if (totals.block_begins == 1 &&
        forms_[node_forms.front()].intrinsic == Intrinsic::kParam &&
        forms_[node_forms.back()].intrinsic == Intrinsic::kReturn) {
      graph->blocks[0].param = NodeId(0);
      graph->blocks[0].end =
          NodeId(static_cast<uint32_t>(node_forms.size()) - 1);
      return absl::OkStatus();
    }
    for (uint32_t n = 0; n < node_forms.size(); ++n) {
      const WireForm& form = forms_[node_forms[n]];
      if (levels.empty()) {
        return Malformed("node #", n, " stands after the function's end");
      }
      if (!begins && form.num_blocks == 0 &&
          form.intrinsic != Intrinsic::kParam &&
          form.intrinsic != Intrinsic::kReturn) {
        continue;
      }
      if (begins != (form.intrinsic == Intrinsic::kParam)) {
        return Malformed("node #", n,
                         begins ? ": a block was expected to begin"
                                : " begins a block of no node");
      }
      if (begins) {
        graph->blocks[levels.back().block].param = NodeId(n);
        begins = false;
      } else if (form.intrinsic == Intrinsic::kReturn) {
        graph->blocks[levels.back().block].end = NodeId(n);
        begins = ++levels.back().block != levels.back().end;
        if (!begins) levels.pop_back();
      } else if (form.num_blocks > 0) {
        const auto first = static_cast<uint32_t>(graph->blocks.size());
        // Cannot be more than the nodes: Count.
        graph->blocks.resize(first + form.num_blocks);
        for (uint32_t b = first; b < graph->blocks.size(); ++b) {
          graph->blocks[b].parent = NodeId(n);
        }
        graph->nodes[n].first_block = BlockId(first);
        if (levels.size() > limits_.max_depth) {
          return absl::ResourceExhaustedError(
              Concat(where_, ": node #", n, ": blocks are nested deeper ",
                     "than ", limits_.max_depth, ", the limit"));
        }
        levels.push_back({first, first + form.num_blocks});
        begins = true;
      }
    }
    if (!levels.empty()) return Malformed("it does not end");
    return absl::OkStatus();
  }

  // Operands, results and offsets of the nodes.
  absl::Status ReadNodes(const Columns& columns, const Totals& totals,
                         Graph* graph) {
    uint64_t num_operands = 0;
    for (const uint32_t f : used_forms_) {
      if (!recipes_.by_form[f].form.valid()) {
        OPCOMPAT_RETURN_IF_ERROR(Prepare(f));
      }
      num_operands += uint64_t{recipes_.by_form[f].num_operands} * calls_[f];
    }
    if (num_operands >= Operand::kLimit) {
      return absl::CancelledError("too many operands, bound");
    }
    // Binding writes out some arguments that the file leaves out. Room for them
    // costs nothing until it is used.
    ReserveColumn(num_operands + num_operands / 4, &graph->operands);
    graph->operands.resize(num_operands + 1);
    ReserveColumn(totals.results + kFewResults, &graph->value_types);
    graph->value_types.resize(totals.results + kFewResults);
    ReserveColumn(totals.results + kFewResults, &graph->value_nodes);
    graph->value_nodes.resize(totals.results + kFewResults);
    OPCOMPAT_RETURN_IF_ERROR(ReadNodesInto(columns, graph));
    graph->operands.resize(num_operands);
    graph->value_types.resize(totals.results);
    graph->value_nodes.resize(totals.results);
    return absl::OkStatus();
  }

  // Precondition: the forms are prepared, and the columns of the graph have
  // room for its nodes and for one operand and kFewResults results more.
  absl::Status ReadNodesInto(const Columns& columns, Graph* graph) {
    std::vector<NodeId>& doubtful = findings_.doubtful.back();
    ElementStream values(columns.values.bytes());
    ElementStream constants(columns.constants.bytes());
    static_assert(kFewValues <= ElementStream::kSpare, "");
    static_assert(kFewConstants <= ElementStream::kSpare, "");
    const ModuleTables::ConstantColumns tables =
        module_tables_.constant_columns();
    // In variables of the loop's own: the compiler cannot see that nothing else
    // changes them.
    const Operand* const first_operand = graph->operands.data();
    Operand* operands = graph->operands.data();
    TypeId* const value_types = graph->value_types.data();
    NodeId* const value_nodes = graph->value_nodes.data();
    Node* const nodes = graph->nodes.data();
    const uint32_t* const forms = columns.forms.data();
    const Recipe* const recipes = recipes_.by_form.data();
    const auto num_nodes = static_cast<uint32_t>(columns.forms.size());
    uint32_t next_value = 0;
    for (uint32_t n = 0; n < num_nodes; ++n) {
      const Recipe& recipe = recipes[forms[n]];
      Node& node = nodes[n];
      node.form = recipe.form;
      node.operands_begin = static_cast<uint32_t>(operands - first_operand);
      node.results_begin = next_value;

      const uint64_t* const back = values.Take(recipe.num_values);
      if (back == nullptr) return UnknownValue(n, next_value);
      uint32_t doubt = recipe.doubt;
      uint32_t unknown = 0;
      const auto read_value = [&](uint32_t i, const ValuePlace& place) {
        // 0 becomes too large.
        const bool is_known = back[i] - 1 < next_value;
        unknown |= place.mask & (0u - static_cast<uint32_t>(!is_known));
        const uint32_t value =
            is_known ? next_value - static_cast<uint32_t>(back[i]) : 0;
        operands[place.operand] = Operand(ValueId(value));
        doubt |= place.mask & (value_types[value].index ^ place.type.index);
      };
      static_assert(kFewValues == 3, "");
      read_value(0, recipe.few_values[0]);
      read_value(1, recipe.few_values[1]);
      read_value(2, recipe.few_values[2]);
      for (uint32_t i = kFewValues; i < recipe.num_values; ++i) {
        read_value(i, recipes_.values[recipe.values_begin + i]);
      }
      if (unknown != 0) return UnknownValue(n, next_value);
      if (doubt != 0) {
        if (recipe.is_bound) {
          return absl::CancelledError("a value of another type");
        }
        doubtful.push_back(NodeId(n));
      }

      const uint64_t* element = constants.Take(recipe.num_elements);
      if (element == nullptr) {
        return Malformed("node #", n, ": a constant is over 64 bits");
      }
      bool are_known = true;
      const uint64_t* const first_element = element;
      const auto read_constant = [&](const ConstantPlace& place) {
        const uint64_t mask = uint64_t{0} - place.has_element;
        const ConstantId id =
            tables.Find(place.kind, (*element & mask) | place.element);
        are_known &= id.valid();
        operands[place.operand] = Operand(id);
        element += place.has_element;
      };
      static_assert(kFewConstants == 2, "");
      read_constant(recipe.few_constants[0]);
      read_constant(recipe.few_constants[1]);
      for (uint32_t i = kFewConstants; i < recipe.num_constants; ++i) {
        read_constant(recipes_.constants[recipe.constants_begin + i]);
      }
      if (!are_known) {
        OPCOMPAT_RETURN_IF_ERROR(
            ReadNewConstants(n, recipe, first_element, operands));
      }

      operands += recipe.num_operands;
      const auto add_result = [&](uint32_t r, TypeId type) {
        value_types[next_value + r] = type;
        value_nodes[next_value + r] = NodeId(n);
      };
      static_assert(kFewResults == 2, "");
      add_result(0, recipe.few_results[0]);
      add_result(1, recipe.few_results[1]);
      for (uint32_t r = kFewResults; r < recipe.num_results; ++r) {
        add_result(r, recipes_.result_types[recipe.results_begin + r]);
      }
      next_value += recipe.num_results;
    }
    return absl::OkStatus();
  }

  absl::Status UnknownValue(uint32_t n, uint32_t next_value) const {
    return Malformed("node #", n, ": an operand is a value that is ",
                     "not among the ", next_value, " defined before it");
  }

  // The constants of a node that has one for the first time, a large integer,
  // or one that there is not.
  absl::Status ReadNewConstants(uint32_t n, const Recipe& recipe,
                                const uint64_t* element, Operand* operands) {
    for (uint32_t i = 0; i < recipe.num_constants; ++i) {
      const ConstantPlace place =
          recipes_.constants[recipe.constants_begin + i];
      const uint64_t which = place.has_element != 0 ? *element : place.element;
      const ConstantId id = module_tables_.Operand(place.kind, which);
      if (!id.valid()) {
        return Malformed("node #", n, ": there is no constant ", which,
                         " of kind ", static_cast<int>(place.kind));
      }
      operands[place.operand] = Operand(id);
      element += place.has_element;
    }
    return absl::OkStatus();
  }

  // Precondition: Count has seen that there is all that the form takes.
  absl::Status Prepare(uint32_t index) {
    const WireForm& form = forms_[index];
    Recipe& recipe = recipes_.by_form[index];
    if (module_tables_.IsToBeBound(index)) return PrepareBound(index);
    recipe.form = module_tables_.Form(index);
    recipes_.Begin(&recipe);
    const CallForm& call = module_.form(recipe.form);
    bool is_plain = IsPlainForm(module_, call);
    for (const WireSlot& slot : form.slots) {
      if (slot.kind > OperandKind::kVariadicValues) {
        is_plain = is_plain &&
                   IsPlainLiteral(LiteralKindOf(slot.kind),
                                  SlotType(module_, call, recipe.num_operands));
        recipes_.AddConstant(recipe.num_operands++, slot.kind, &recipe);
        continue;
      }
      for (uint32_t i = 0; i < slot.count; ++i) {
        TypeId type;
        if (is_plain) {
          type = module_tables_.PlainType(
              SlotType(module_, call, recipe.num_operands));
        }
        recipes_.AddValue(recipe.num_operands++, type, &recipe);
      }
    }
    recipe.doubt = is_plain ? 0 : 1;
    for (const WireAttribute& attribute : form.attributes) {
      recipes_.AddConstant(recipe.num_operands++, attribute.kind, &recipe);
    }
    for (const uint32_t type : form.result_types) {
      recipes_.result_types.push_back(module_tables_.Type(type));
    }
    recipes_.End(&recipe);
    return absl::OkStatus();
  }

  // The same for nodes that come out bound.
  absl::Status PrepareBound(uint32_t index) {
    const WireForm& form = forms_[index];
    Recipe& recipe = recipes_.by_form[index];
    absl::optional<BoundNodes> bound = module_tables_.Bind(index);
    if (!bound.has_value()) return absl::CancelledError("form to be seen");
    recipe.form = bound->form;
    recipe.is_bound = true;
    recipe.num_operands = bound->num_operands;
    recipes_.Begin(&recipe);
    const OperatorEntry& writer = *entries_[form.entry];
    size_t operand = 0;
    // Bind has seen that no slot is variadic.
    for (const WireSlot& slot : form.slots) {
      const Type& type = writer.arguments[slot.argument].type;
      const uint32_t place = bound->places[operand++];
      if (slot.kind <= OperandKind::kVariadicValues) {
        recipes_.AddValue(place, module_tables_.PlainType(type), &recipe);
        continue;
      }
      if (!IsPlainLiteral(LiteralKindOf(slot.kind), type)) {
        return absl::CancelledError("a literal to be seen");
      }
      if (place == BoundNodes::kNowhere) continue;
      recipes_.AddConstant(place, slot.kind, &recipe);
    }
    for (const auto& [place, constant] : bound->constants) {
      recipes_.AddFixed(place, module_tables_.AddFixed(constant), &recipe);
    }
    for (const uint32_t type : form.result_types) {
      recipes_.result_types.push_back(module_tables_.Type(type));
    }
    recipes_.End(&recipe);
    findings_.notes[index] = std::move(bound->notes);
    return absl::OkStatus();
  }

  const Tables& tables_;
  const std::vector<OperatorEntryPtr>& entries_;
  const std::vector<WireForm>& forms_;
  const DecodeLimits& limits_;
  uint64_t expansion_left_;
  uint64_t num_nodes_ = 0;
  Budget& budget_;
  const Module& module_;
  ModuleTables& module_tables_;
  FunctionFindings& findings_;
  // Of the function being read: nodes by form, and which forms have some, in
  // the order of their first nodes.
  std::vector<uint64_t> calls_;
  std::vector<uint32_t> used_forms_;
  std::vector<uint8_t> is_used_;  // by form: whether used_forms_ has it
  // Of Count: parts of calls_, else 0.
  static constexpr size_t kTurns = 4;
  std::vector<uint64_t> calls_in_turns_[kTurns];
  Recipes recipes_;
  std::string where_;  // the function being read
};

}  // namespace

absl::Status ReadFunctions(const FileFields& file, const Tables& tables,
                           const std::vector<OperatorEntryPtr>& entries,
                           const std::vector<WireForm>& forms,
                           const DecodeLimits& limits, size_t file_size,
                           Budget* budget, ModuleTables* module_tables,
                           Module* module, FunctionFindings* findings) {
  FunctionReader reader(tables, entries, forms, limits, file_size, budget,
                        *module, module_tables, findings);
  module->functions.reserve(file.functions.size());
  for (const FileSpan& span : file.functions) {
    findings->doubtful.emplace_back();
    OPCOMPAT_ASSIGN_OR_RETURN(Function function, reader.Read(span));
    module->functions.push_back(std::move(function));
  }
  return absl::OkStatus();
}

}  // namespace decoding
}  // namespace opcompat
