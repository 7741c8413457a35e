#include "ir/text/module_parser.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "ir/canonicalize.h"
#include "ir/fault_place.h"
#include "ir/module_builder.h"
#include "ir/surely_canonical.h"
#include "ir/table_order.h"
#include "ir/text/block_counts.h"
#include "ir/text/call_reader.h"
#include "ir/text/cursor.h"
#include "ir/text/header_reader.h"
#include "ir/text/names.h"
#include "ir/text/operator_table.h"
#include "ir/text/value_scopes.h"
#include "ir/verifier.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"
#include "schema/text/scanner.h"
#include "schema/text/type_parser.h"
#include "schema/type.h"

namespace opcompat {
namespace {

absl::Status WithCode(absl::StatusCode code, const absl::Status& status) {
  return absl::Status(code, status.message());
}

class ModuleReader {
 public:
  ModuleReader(absl::string_view text, const Runtime& runtime,
               const ParseOptions& options)
      : options_(options),
        runtime_(runtime),
        scanner_(text, /*report_newlines=*/true),
        operators_(runtime, &builder_),
        values_(scanner_),
        calls_(&scanner_, &builder_, &values_),
        block_counts_(text) {}

  absl::StatusOr<Module> Read() &&;

 private:
  // A node whose blocks are being read; the first one stands for the function.
  struct OpenNode {
    const KnownOperator* op = nullptr;  // null: the function
    uint32_t num_blocks = 1;
    uint32_t begun = 0;
    bool in_block = false;
    // The node's result types, or the function's: in expected_types_ from here
    // up to where those of the next open node begin.
    size_t types_begin = 0;
  };

  // A value's name where it is defined, and its declared type.
  absl::Status ReadDefinition();
  // `%a : T, ...` up to `close`, which is passed over; none at all is fine.
  absl::Status ReadDefinitions(absl::string_view close);
  absl::Status ReadFunction();
  // The lines of a function up to and with its `return`.
  absl::Status ReadBody();
  absl::Status ReadBlockHeader();
  // `-> (...)` or `return (...)`.
  absl::Status ReadBlockEnd();
  absl::Status ReadStatement();
  absl::StatusOr<TypeId> ReadType();
  absl::StatusOr<const KnownOperator*> ReadOperator();
  const Type& type(TypeId id) const { return builder_.module().type(id); }

  void OpenBlock(uint32_t offset);
  absl::Status CheckModule(const Module& module) const;

  const ParseOptions options_;
  const Runtime& runtime_;
  Scanner scanner_;
  ModuleBuilder builder_;
  OperatorTable operators_;
  std::vector<const Opset*> opsets_;
  // Spellings of types seen.
  absl::flat_hash_map<absl::string_view, TypeId> types_;
  std::pair<absl::string_view, TypeId> last_type_;  // of those, looked up last
  absl::flat_hash_map<std::string, uint32_t> functions_;  // to their offsets

  // Of the function being read.
  ValueScopes values_;
  CallReader calls_;
  std::vector<OpenNode> open_;
  std::vector<TypeId> expected_types_;

  BlockCounts block_counts_;

  // By function and node: where it begins, for the verifier's errors.
  std::vector<std::vector<uint32_t>> node_offsets_;

  // Of the statement being read; kept to reuse their memory.
  std::vector<ModuleBuilder::Definition> definitions_;
  std::vector<Operand> results_;
};

absl::StatusOr<Module> ModuleReader::Read() && {
  OPCOMPAT_RETURN_IF_ERROR(ReadHeader(scanner_, runtime_, &builder_, &opsets_));
  for (;;) {
    SkipNewlines(scanner_);
    if (scanner_.AtEnd()) break;
    if (scanner_.Is("func")) {
      OPCOMPAT_RETURN_IF_ERROR(ReadFunction());
    } else if (IsHeaderWord(scanner_.peek().text)) {
      return scanner_.Error(
          absl::StrCat("'", scanner_.peek().text,
                       "' lines come before all functions, not after one"));
    } else {
      return scanner_.Expected("'func' or the end of the text");
    }
  }
  for (const Opset* opset : operators_.UsedOpsets()) {
    if (std::find(opsets_.begin(), opsets_.end(), opset) == opsets_.end()) {
      opsets_.push_back(opset);
    }
  }
  for (const Opset* opset : opsets_) {
    builder_.AddOpset(opset->name(), opset->version());
  }
  OPCOMPAT_ASSIGN_OR_RETURN(Module module, std::move(builder_).Build());
  values_.AddNames(&module);
  OPCOMPAT_RETURN_IF_ERROR(CheckModule(module));
  if (IsSurelyCanonical(module)) {
    OrderTables(&module);
    return module;
  }
  absl::StatusOr<Module> canonical = Canonicalize(module);
  if (!canonical.ok()) {
    return WithCode(canonical.status().code(),
                    scanner_.ErrorAt(0, canonical.status().message()));
  }
  return canonical;
}

absl::Status ModuleReader::CheckModule(const Module& module) const {
  FaultPlace place;
  const absl::Status status = Verify(module, {}, &place);
  if (status.ok()) return status;
  size_t offset = 0;
  if (place.function < node_offsets_.size()) {
    const std::vector<uint32_t>& offsets = node_offsets_[place.function];
    const uint32_t node = place.node.valid() ? place.node.index : 0;
    if (node < offsets.size()) offset = offsets[node];
  }
  return WithCode(status.code(), scanner_.ErrorAt(offset, status.message()));
}

absl::Status ModuleReader::ReadFunction() {
  const size_t begin = scanner_.Next().offset;
  const size_t name_offset = scanner_.peek().offset;
  OPCOMPAT_ASSIGN_OR_RETURN(std::string name,
                            ReadName(scanner_, "the name of the function"));
  const auto inserted =
      functions_.try_emplace(name, static_cast<uint32_t>(begin));
  if (!inserted.second) {
    return scanner_.ErrorAt(
        name_offset,
        absl::StrCat("function '", name, "' is defined already, at ",
                     PlaceOf(scanner_.text(), inserted.first->second)));
  }
  builder_.BeginFunction(std::move(name));
  values_.BeginFunction();
  node_offsets_.emplace_back();
  open_.assign(1, OpenNode());

  OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect("("));
  OPCOMPAT_RETURN_IF_ERROR(ReadDefinitions(")"));
  OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect("->"));
  OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect("("));
  expected_types_.clear();
  if (!scanner_.Take(")")) {
    do {
      OPCOMPAT_ASSIGN_OR_RETURN(const TypeId result, ReadType());
      expected_types_.push_back(result);
    } while (scanner_.Take(","));
    OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect(")"));
  }
  OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect(":"));
  OPCOMPAT_RETURN_IF_ERROR(ExpectEndOfLine(scanner_));
  OpenBlock(static_cast<uint32_t>(begin));
  OPCOMPAT_RETURN_IF_ERROR(ReadBody());
  builder_.EndFunction(expected_types_);
  return builder_.status();
}

absl::Status ModuleReader::ReadBody() {
  while (!open_.empty()) {
    SkipNewlines(scanner_);
    if (!open_.back().in_block) {
      OPCOMPAT_RETURN_IF_ERROR(ReadBlockHeader());
      continue;
    }
    const Token& token = scanner_.peek();
    if (token.kind == Token::Kind::kValueName || scanner_.Is("=")) {
      OPCOMPAT_RETURN_IF_ERROR(ReadStatement());
    } else if (scanner_.Is(open_.size() == 1 ? "return" : "->")) {
      OPCOMPAT_RETURN_IF_ERROR(ReadBlockEnd());
    } else {
      return scanner_.Expected(open_.size() == 1 ? "a statement or 'return'"
                                                 : "a statement or '->'");
    }
  }
  return absl::OkStatus();
}

absl::Status ModuleReader::ReadDefinition() {
  const Token token = scanner_.peek();
  if (token.kind != Token::Kind::kValueName) {
    return scanner_.Expected("a value such as %x");
  }
  OPCOMPAT_RETURN_IF_ERROR(values_.Define(token));
  scanner_.Next();
  OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect(":"));
  OPCOMPAT_ASSIGN_OR_RETURN(const TypeId type, ReadType());
  definitions_.push_back({type, std::string()});
  return absl::OkStatus();
}

absl::Status ModuleReader::ReadDefinitions(absl::string_view close) {
  definitions_.clear();
  if (scanner_.Take(close)) return absl::OkStatus();
  do {
    OPCOMPAT_RETURN_IF_ERROR(ReadDefinition());
  } while (scanner_.Take(","));
  return scanner_.Expect(close);
}

void ModuleReader::OpenBlock(uint32_t offset) {
  OpenNode& node = open_.back();
  node.in_block = true;
  ++node.begun;
  values_.OpenBlock();
  values_.Reveal();
  node_offsets_.back().push_back(offset);
  builder_.BeginBlock(definitions_);
}

absl::Status ModuleReader::ReadBlockHeader() {
  const OpenNode& node = open_.back();
  const Token token = scanner_.peek();
  const std::string word = absl::StrCat("block", node.begun);
  if (!scanner_.Take(word)) {
    return scanner_.Expected(absl::StrCat(
        "'", word, "' (", node.op->name(), " has ", node.num_blocks,
        node.num_blocks == 1 ? " block)" : " blocks)"));
  }
  OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect("("));
  OPCOMPAT_RETURN_IF_ERROR(ReadDefinitions(")"));
  OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect(":"));
  OPCOMPAT_RETURN_IF_ERROR(ExpectEndOfLine(scanner_));
  OpenBlock(static_cast<uint32_t>(token.offset));
  return absl::OkStatus();
}

absl::Status ModuleReader::ReadBlockEnd() {
  const Token token = scanner_.Next();
  OpenNode& node = open_.back();
  const Intrinsic intrinsic =
      node.op != nullptr ? node.op->intrinsic : Intrinsic::kNone;
  // The blocks of ordinary operators yield what they like.
  const bool is_free = node.op != nullptr && node.op->entry != nullptr;
  // A loop's condition comes before the results.
  const size_t first = intrinsic == Intrinsic::kLoop ? 1 : 0;
  const size_t num_expected = expected_types_.size() - node.types_begin + first;
  const std::string expected_count = absl::StrCat(
      "expected ", num_expected, num_expected == 1 ? " value" : " values");
  results_.clear();
  OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect("("));
  if (!scanner_.Take(")")) {
    do {
      if (!is_free && results_.size() == num_expected) {
        return scanner_.Error(absl::StrCat(expected_count, ", found one more"));
      }
      const size_t i = results_.size();
      const Type expected =
          is_free     ? Type(TypeKind::kAny)
          : i < first ? Type(TypeKind::kBool)
                      : type(expected_types_[node.types_begin + i - first]);
      OPCOMPAT_ASSIGN_OR_RETURN(const Operand operand,
                                calls_.ReadOperand(expected));
      results_.push_back(operand);
    } while (scanner_.Take(","));
    if (!scanner_.Is(")")) return scanner_.Expected("',' or ')'");
    if (!is_free && results_.size() < num_expected) {
      return scanner_.Error(
          absl::StrCat(expected_count, ", found ", results_.size()));
    }
    scanner_.Next();
  } else if (!is_free && num_expected > 0) {
    return scanner_.ErrorAt(token.offset,
                            absl::StrCat(expected_count, ", found none"));
  }
  OPCOMPAT_RETURN_IF_ERROR(ExpectEndOfLine(scanner_));

  node_offsets_.back().push_back(static_cast<uint32_t>(token.offset));
  builder_.EndBlock(results_);
  values_.CloseBlock();
  node.in_block = false;
  if (node.begun == node.num_blocks) {
    if (node.op != nullptr) expected_types_.resize(node.types_begin);
    open_.pop_back();
  }
  return absl::OkStatus();
}

absl::Status ModuleReader::ReadStatement() {
  const size_t begin = scanner_.peek().offset;
  OPCOMPAT_RETURN_IF_ERROR(ReadDefinitions("="));
  OPCOMPAT_ASSIGN_OR_RETURN(const KnownOperator* const op, ReadOperator());
  if (op->entry != nullptr) {
    const size_t num_results = op->entry->results.size();
    if (definitions_.size() < num_results ||
        (definitions_.size() > num_results && !op->entry->is_varret)) {
      return scanner_.ErrorAt(
          begin, absl::StrCat(op->name(), " has ", num_results,
                              num_results == 1 ? " result" : " results",
                              op->entry->is_varret ? " or more" : "",
                              ", found ", definitions_.size()));
    }
  }
  OPCOMPAT_RETURN_IF_ERROR(calls_.Read(*op, definitions_));
  OPCOMPAT_RETURN_IF_ERROR(ExpectEndOfLine(scanner_));

  uint32_t num_blocks = 0;
  if (op->intrinsic == Intrinsic::kIf) {
    num_blocks = 2;
  } else if (op->intrinsic == Intrinsic::kLoop) {
    num_blocks = 1;
  } else if (op->entry != nullptr && scanner_.Is("block0")) {
    num_blocks = block_counts_.CountAt(scanner_.peek().offset);
  }
  builder_.AddNode(op->id, calls_.given(), calls_.attributes(), definitions_,
                   num_blocks);
  OPCOMPAT_RETURN_IF_ERROR(builder_.status());
  node_offsets_.back().push_back(static_cast<uint32_t>(begin));
  values_.Reveal();

  if (num_blocks == 0) return absl::OkStatus();
  if (open_.size() > static_cast<size_t>(std::max(options_.max_depth, 0))) {
    return WithCode(
        absl::StatusCode::kResourceExhausted,
        scanner_.ErrorAt(begin, absl::StrCat("blocks nest deeper than ",
                                             options_.max_depth)));
  }
  OpenNode node;
  node.op = op;
  node.num_blocks = num_blocks;
  node.types_begin = expected_types_.size();
  for (const ModuleBuilder::Definition& definition : definitions_) {
    expected_types_.push_back(definition.type);
  }
  open_.push_back(node);
  return absl::OkStatus();
}

absl::StatusOr<const KnownOperator*> ModuleReader::ReadOperator() {
  const Token& token = scanner_.peek();
  if (token.kind != Token::Kind::kWord) {
    return scanner_.Expected("an operator such as aten::add.Tensor");
  }
  const size_t begin = token.offset;
  const absl::string_view text = scanner_.text();
  size_t end = begin + token.text.size();
  while (end < text.size() &&
         (IsNameCharacter(text[end]) || text[end] == ':')) {
    ++end;
  }
  const absl::string_view name = text.substr(begin, end - begin);
  if (const KnownOperator* const known = operators_.FindKnown(name)) {
    scanner_.TakeUpTo(end);
    return known;
  }
  if (!absl::StrContains(name, "::")) {
    return scanner_.Expected("an operator such as aten::add.Tensor");
  }
  scanner_.TakeUpTo(end);
  absl::StatusOr<const KnownOperator*> op = operators_.Find(name);
  if (!op.ok()) {
    return WithCode(op.status().code(),
                    scanner_.ErrorAt(begin, op.status().message()));
  }
  return op;
}

// Types repeat: what looks like a whole type of names and suffixes is looked
// up by its spelling.
absl::StatusOr<TypeId> ModuleReader::ReadType() {
  const absl::string_view text = scanner_.text();
  const size_t begin = scanner_.peek().offset;
  size_t end = begin;
  while (end < text.size() && (IsNameCharacter(text[end]) || text[end] == '[' ||
                               text[end] == ']' || text[end] == '?')) {
    ++end;
  }
  size_t after = end;
  while (after < text.size() && text[after] == ' ') ++after;
  const bool is_whole =
      end > begin && after < text.size() &&
      (text[after] == ',' || text[after] == ')' || text[after] == '=');
  if (is_whole) {
    const absl::string_view spelling = text.substr(begin, end - begin);
    if (spelling == last_type_.first) {
      scanner_.TakeUpTo(end);
      return last_type_.second;
    }
    const auto known = types_.find(spelling);
    if (known != types_.end()) {
      last_type_ = *known;
      scanner_.TakeUpTo(end);
      return known->second;
    }
  }
  OPCOMPAT_ASSIGN_OR_RETURN(const Type type, ParseType(scanner_, nullptr));
  const TypeId id = builder_.InternType(type);
  types_.emplace(scanner_.TextSince(begin), id);
  return id;
}

}  // namespace

std::vector<OpsetVersion> ReadOpsetLines(absl::string_view text) {
  std::vector<OpsetVersion> opsets;
  for (size_t begin = 0; begin < text.size();) {
    const RawLine line = ReadRawLine(text, begin);
    if (!line.fields.empty()) {
      if (!IsHeaderWord(line.fields[0])) break;
      if (line.fields[0] == "opset" && line.fields.size() == 3) {
        opsets.push_back(
            {std::string(line.fields[1]), std::string(line.fields[2])});
      }
    }
    const size_t newline = text.find('\n', line.end);
    if (newline == absl::string_view::npos) break;
    begin = newline + 1;
  }
  return opsets;
}

absl::StatusOr<Module> ParseModule(absl::string_view text,
                                   const Runtime& runtime,
                                   const ParseOptions& options) {
  const size_t max_bytes =
      std::min(options.max_bytes,
               static_cast<size_t>(std::numeric_limits<uint32_t>::max()));
  if (text.size() > max_bytes) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "1:1: the text has ", text.size(), " bytes, more than ", max_bytes));
  }
  return ModuleReader(text, runtime, options).Read();
}

}  // namespace opcompat
