#include "deserializer/function_reader.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"

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

// How many of each the nodes of a function have.
struct Totals {
  uint64_t values_used = 0;
  uint64_t constants = 0;
  uint64_t operands = 0;
  uint64_t results = 0;
  uint64_t nested_blocks = 0;
  uint64_t block_begins = 0;
  uint64_t block_ends = 0;
};

class FunctionReader {
 public:
  FunctionReader(const Tables& tables, const std::vector<WireForm>& forms,
                 const DecodeLimits& limits, size_t file_size, Budget* budget,
                 ModuleTables* module_tables)
      : tables_(tables),
        forms_(forms),
        limits_(limits),
        expansion_left_(
            std::min(std::max(kExpansionOfAny, file_size * kExpansionPerByte),
                     uint64_t{Operand::kLimit} - 1)),
        budget_(*budget),
        module_tables_(*module_tables) {}

  absl::StatusOr<Function> Read(const FileSpan& span) {
    OPCOMPAT_ASSIGN_OR_RETURN(const Columns columns, ReadColumns(span));
    Function function;
    OPCOMPAT_RETURN_IF_ERROR(
        budget_.SpendText(tables_.strings[columns.name].size(), "names"));
    function.name = std::string(tables_.strings[columns.name]);
    where_ = absl::StrCat("function `",
                          absl::CHexEscape(function.name.substr(0, 80)),
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
        absl::StrCat("malformed file: ", where_, ": ", what...));
  }

  absl::StatusOr<Columns> ReadColumns(const FileSpan& span) {
    where_ = absl::StrCat("function at offset ", span.offset);
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
      return absl::ResourceExhaustedError(absl::StrCat(
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
    Totals totals;
    for (size_t n = 0; n < columns.forms.size(); ++n) {
      if (columns.forms[n] >= forms_.size()) {
        return Malformed("node #", n, " is of call form ", columns.forms[n],
                         " of ", forms_.size());
      }
      const WireForm& form = forms_[columns.forms[n]];
      totals.values_used += form.num_values;
      totals.constants += form.num_constants;
      totals.operands += form.num_operands;
      totals.results += form.result_types.size();
      totals.nested_blocks += form.num_blocks;
      totals.block_begins += form.intrinsic == Intrinsic::kParam;
      totals.block_ends += form.intrinsic == Intrinsic::kReturn;
      if (totals.values_used > num_values || totals.constants > num_constants) {
        return Malformed("node #", n, ": the columns of operands end there");
      }
      if (totals.operands > expansion_left_ ||
          totals.results > expansion_left_ - totals.operands) {
        return absl::ResourceExhaustedError(absl::StrCat(
            where_, ": the nodes up to #", n,
            " have more operands and results than a file of its size may "
            "have"));
      }
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
    graph->nodes.resize(node_forms.size());
    graph->blocks.reserve(totals.block_begins);
    graph->blocks.emplace_back();
    for (uint32_t n = 0; n < node_forms.size(); ++n) {
      const WireForm& form = forms_[node_forms[n]];
      if (levels.empty()) {
        return Malformed("node #", n, " stands after the function's end");
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
              absl::StrCat(where_, ": node #", n, ": blocks are nested deeper ",
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
    graph->operands.resize(totals.operands);
    graph->value_types.resize(totals.results);
    graph->value_nodes.resize(totals.results);
    uint32_t next_operand = 0;
    uint32_t next_value = 0;
    const char* values = columns.values.bytes().data();
    const char* const values_end = values + columns.values.bytes().size();
    const char* constants = columns.constants.bytes().data();
    const char* const constants_end =
        constants + columns.constants.bytes().size();
    for (uint32_t n = 0; n < columns.forms.size(); ++n) {
      const WireForm& form = forms_[columns.forms[n]];
      Node& node = graph->nodes[n];
      node.form = module_tables_.Form(columns.forms[n]);
      node.operands_begin = next_operand;
      node.results_begin = next_value;
      const auto read_constant = [&](OperandKind kind) {
        uint64_t element = 0;
        if (kind >= OperandKind::kInt &&
            !ReadVarint(&constants, constants_end, &element)) {
          return Malformed("node #", n, ": a constant is over 64 bits");
        }
        const ConstantId id = module_tables_.Operand(kind, element);
        if (!id.valid()) {
          return Malformed("node #", n, ": there is no constant ", element,
                           " of kind ", static_cast<int>(kind));
        }
        graph->operands[next_operand++] = Operand(id);
        return absl::OkStatus();
      };
      for (const WireSlot& slot : form.slots) {
        if (slot.kind > OperandKind::kVariadicValues) {
          OPCOMPAT_RETURN_IF_ERROR(read_constant(slot.kind));
          continue;
        }
        for (uint32_t i = 0; i < slot.count; ++i) {
          uint64_t back;
          if (!ReadVarint(&values, values_end, &back) || back == 0 ||
              back > next_value) {
            return Malformed("node #", n, ": an operand is a value that is ",
                             "not among the ", next_value,
                             " defined before it");
          }
          graph->operands[next_operand++] =
              Operand(ValueId(next_value - static_cast<uint32_t>(back)));
        }
      }
      for (const WireAttribute& attribute : form.attributes) {
        OPCOMPAT_RETURN_IF_ERROR(read_constant(attribute.kind));
      }
      for (const uint32_t type : form.result_types) {
        graph->value_types[next_value] = module_tables_.Type(type);
        graph->value_nodes[next_value] = NodeId(n);
        ++next_value;
      }
    }
    return absl::OkStatus();
  }

  const Tables& tables_;
  const std::vector<WireForm>& forms_;
  const DecodeLimits& limits_;
  uint64_t expansion_left_;
  uint64_t num_nodes_ = 0;
  Budget& budget_;
  ModuleTables& module_tables_;
  std::string where_;  // the function being read
};

}  // namespace

absl::Status ReadFunctions(const FileFields& file, const Tables& tables,
                           const std::vector<WireForm>& forms,
                           const DecodeLimits& limits, size_t file_size,
                           Budget* budget, ModuleTables* module_tables,
                           Module* module) {
  FunctionReader reader(tables, forms, limits, file_size, budget,
                        module_tables);
  module->functions.reserve(file.functions.size());
  for (const FileSpan& span : file.functions) {
    OPCOMPAT_ASSIGN_OR_RETURN(Function function, reader.Read(span));
    module->functions.push_back(std::move(function));
  }
  return absl::OkStatus();
}

}  // namespace decoding
}  // namespace opcompat
