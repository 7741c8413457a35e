#include "ir/text/call_reader.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "ir/text/cursor.h"
#include "ir/text/names.h"
#include "schema/operator_entry.h"
#include "schema/text/literal_parser.h"
#include "schema/typing.h"
#include "schema/value.h"

namespace opcompat {
namespace {

bool IsInPlainList(char c) {
  return IsNameCharacter(c) || c == ',' || c == ' ' || c == '-' || c == '+';
}

}  // namespace

absl::Status CallReader::Read(
    const KnownOperator& op,
    absl::Span<const ModuleBuilder::Definition> definitions) {
  definitions_ = definitions;
  attributes_.clear();
  if (scanner_.Is("[")) OPCOMPAT_RETURN_IF_ERROR(ReadAttributes(op));
  return ReadArguments(op);
}

absl::Status CallReader::ReadAttributes(const KnownOperator& op) {
  scanner_.Next();
  attribute_names_.clear();
  do {
    const size_t offset = scanner_.peek().offset;
    OPCOMPAT_ASSIGN_OR_RETURN(std::string name,
                              ReadName(scanner_, "the name of an attribute"));
    if (!attribute_names_.insert(name).second) {
      return scanner_.ErrorAt(
          offset, absl::StrCat("attribute '", name, "' is given twice"));
    }
    OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect("="));
    const bool of_result = op.intrinsic == Intrinsic::kConstant &&
                           name == "value" && definitions_.size() == 1;
    OPCOMPAT_ASSIGN_OR_RETURN(
        const Value value, of_result ? ParseLiteralAt(scanner_, TypeOfResult(0))
                                     : ParseLiteral(scanner_));
    attributes_.push_back({std::move(name), builder_.Constant(value)});
  } while (scanner_.Take(","));
  if (scanner_.Take("]")) return absl::OkStatus();
  return scanner_.Expected("',' or ']'");
}

absl::Status CallReader::ReadArguments(const KnownOperator& op) {
  given_.clear();
  is_given_.assign(op.num_exposed, false);
  OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect("("));
  if (!scanner_.Is(")")) {
    uint32_t num_positional = 0;
    bool named = false;
    bool variadic = false;  // `...` has come
    do {
      const size_t offset = scanner_.peek().offset;
      uint32_t argument;
      if (scanner_.Is("...")) {
        if (variadic || op.entry == nullptr || !op.entry->is_vararg) {
          return scanner_.Expected("an operand");
        }
        scanner_.Next();
        variadic = true;
        continue;
      }
      if (variadic && !AtNamedArgument()) {
        argument = Slot::kVariadic;
      } else if (AtNamedArgument()) {
        named = true;
        OPCOMPAT_ASSIGN_OR_RETURN(argument, ReadNamedArgument(op));
      } else {
        OPCOMPAT_ASSIGN_OR_RETURN(argument,
                                  NextPositional(op, num_positional, named));
        ++num_positional;
      }
      if (argument != Slot::kVariadic) {
        if (is_given_[argument]) {
          return scanner_.ErrorAt(
              offset,
              absl::StrCat("argument '", op.entry->arguments[argument].name(),
                           "' of ", op.name(), " is given twice"));
        }
        is_given_[argument] = true;
      }
      OPCOMPAT_ASSIGN_OR_RETURN(const Operand operand,
                                ReadArgument(op, argument));
      given_.emplace_back();
      given_.back().argument = argument;
      given_.back().operand = operand;
    } while (scanner_.Take(","));
    if (!scanner_.Is(")")) return scanner_.Expected("',' or ')'");
  }
  for (uint32_t i = 0; i < op.num_exposed; ++i) {
    const EntryArgument& argument = op.entry->arguments[i];
    if (is_given_[i] || argument.default_value.has_value()) continue;
    return scanner_.Error(absl::StrCat("required argument '", argument.name(),
                                       "' of ", op.name(), " is missing"));
  }
  scanner_.Next();
  return absl::OkStatus();
}

bool CallReader::AtNamedArgument() const {
  const Token& token = scanner_.peek();
  if (token.kind != Token::Kind::kWord) return false;
  const absl::string_view text = scanner_.text();
  size_t after = token.offset + token.text.size();
  while (after < text.size() && (text[after] == ' ' || text[after] == '\t')) {
    ++after;
  }
  return after < text.size() && text[after] == '=';
}

absl::StatusOr<uint32_t> CallReader::ReadNamedArgument(
    const KnownOperator& op) {
  const Token name = scanner_.Next();
  scanner_.Next();
  if (op.entry == nullptr) {
    return scanner_.ErrorAt(
        name.offset, absl::StrCat(op.name(), " takes no arguments by name"));
  }
  // Most come in the order of the schema.
  const uint32_t next =
      given_.empty() || given_.back().argument >= op.num_exposed
          ? 0
          : given_.back().argument + 1;
  for (uint32_t i = next; i < op.num_exposed; ++i) {
    if (op.entry->arguments[i].name() == name.text) return i;
  }
  const absl::optional<size_t> index = op.entry->FindExposed(name.text);
  if (!index.has_value()) {
    return scanner_.ErrorAt(
        name.offset,
        absl::StrCat(op.name(), " has no argument '", name.text, "'; it has ",
                     op.num_exposed == 0 ? "none" : op.ArgumentNames()));
  }
  return static_cast<uint32_t>(*index);
}

absl::StatusOr<uint32_t> CallReader::NextPositional(const KnownOperator& op,
                                                    uint32_t num_positional,
                                                    bool named) const {
  if (op.entry == nullptr) return Slot::kVariadic;
  if (named) {
    return scanner_.Error(absl::StrCat(
        "an operand without a name after one with a name",
        op.entry->is_vararg ? " (further ones come after '...')" : "", "; ",
        op.name(), " has ", op.ArgumentNames()));
  }
  if (num_positional < op.num_positional) return num_positional;
  if (op.entry->is_vararg) return Slot::kVariadic;
  std::string message = absl::StrCat(
      op.name(), " takes ", op.num_positional,
      op.num_positional == 1 ? " operand" : " operands", " without a name");
  if (op.num_exposed > op.num_positional) {
    absl::StrAppend(&message, ", what follows goes by name: '",
                    op.entry->arguments[op.num_positional].name(), "='");
  }
  return scanner_.Error(message);
}

absl::StatusOr<Operand> CallReader::ReadArgument(const KnownOperator& op,
                                                 uint32_t index) {
  if (index == Slot::kVariadic) {
    return ReadOperand(IntrinsicOperandType(op.intrinsic, given_.size()));
  }
  const EntryArgument& argument = op.entry->arguments[index];
  if (scanner_.peek().kind == Token::Kind::kValueName) {
    return ReadOperand(argument.type);
  }
  const std::pair<const Type*, absl::string_view> key(&argument.type,
                                                      PlainLiteral());
  if (!key.second.empty()) {
    const auto known = literals_.find(key);
    if (known != literals_.end()) {
      scanner_.TakeUpTo(scanner_.peek().offset + key.second.size());
      return known->second;
    }
  }
  absl::StatusOr<Operand> operand = ReadOperand(argument.type);
  if (operand.ok()) {
    if (!key.second.empty()) literals_.emplace(key, *operand);
    return operand;
  }
  return absl::Status(operand.status().code(),
                      absl::StrCat(operand.status().message(), " (argument '",
                                   argument.name(), "' of ", op.name(), ")"));
}

absl::string_view CallReader::PlainLiteral() const {
  constexpr size_t kMaxBytes = 64;
  const Token& token = scanner_.peek();
  const absl::string_view rest =
      scanner_.text().substr(token.offset, kMaxBytes);
  size_t size = token.text.size();
  if (scanner_.Is("[")) {
    // Numbers and words up to the end of the list.
    while (size < rest.size() && IsInPlainList(rest[size])) ++size;
    if (size == rest.size() || rest[size] != ']') return absl::string_view();
    return rest.substr(0, size + 1);
  }
  if (size >= rest.size()) return absl::string_view();
  switch (token.kind) {
    case Token::Kind::kNumber:
    case Token::Kind::kString:
      return token.text;
    case Token::Kind::kWord:
      // Some go on: `nan(0x7ff8000000000001)`, `tensor(...)`.
      return rest[size] == ',' || rest[size] == ')' ? token.text
                                                    : absl::string_view();
    default:
      return absl::string_view();
  }
}

Type CallReader::IntrinsicOperandType(Intrinsic intrinsic, size_t index) const {
  if (intrinsic == Intrinsic::kIf) return Type(TypeKind::kBool);
  if (intrinsic == Intrinsic::kLoop) {
    if (index == 0) return Type(TypeKind::kInt);
    if (index == 1) return Type(TypeKind::kBool);
    if (index - 2 < definitions_.size()) {
      return TypeOfResult(index - 2);
    }
  }
  if (intrinsic == Intrinsic::kListUnpack && !definitions_.empty()) {
    return Type::List(TypeOfResult(0));
  }
  if (definitions_.size() != 1) return Type(TypeKind::kAny);
  const Type& made = TypeOfResult(0);
  const TypeKind kind = made.kind();
  const bool is_tuple =
      kind == TypeKind::kTuple || kind == TypeKind::kNamedTuple;
  if (intrinsic == Intrinsic::kListConstruct && kind == TypeKind::kList) {
    return made.child();
  }
  if (intrinsic == Intrinsic::kTupleConstruct && is_tuple &&
      index < made.children().size()) {
    return made.child(index);
  }
  if (intrinsic == Intrinsic::kDictConstruct && kind == TypeKind::kDict) {
    return made.child(index % 2);
  }
  return Type(TypeKind::kAny);
}

absl::StatusOr<Operand> CallReader::ReadOperand(const Type& type) {
  if (scanner_.peek().kind == Token::Kind::kValueName) {
    OPCOMPAT_ASSIGN_OR_RETURN(const ValueId value,
                              values_.Find(scanner_.peek()));
    scanner_.Next();
    return Operand(value);
  }
  const size_t offset = scanner_.peek().offset;
  OPCOMPAT_ASSIGN_OR_RETURN(const Value value, ParseLiteralAt(scanner_, type));
  if (!FixesLiterals(type)) {
    const absl::StatusOr<Type> own_type = TypeOfLiteral(value);
    if (!own_type.ok()) {
      return scanner_.ErrorAt(
          offset, absl::StrCat(own_type.status().message(),
                               "; no type is expected here that would fix the "
                               "literal's: use a node, "
                               "%c : Type = prim::Constant[value=...]()"));
    }
  }
  return Operand(builder_.Constant(value));
}

}  // namespace opcompat
