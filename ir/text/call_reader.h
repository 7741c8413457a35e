// What stands after the operator's name in a statement: attributes in brackets
// and arguments in parentheses. For the parser of modules only.
#ifndef OPCOMPAT_IR_TEXT_CALL_READER_H_
#define OPCOMPAT_IR_TEXT_CALL_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "ir/module_builder.h"
#include "ir/text/operator_table.h"
#include "ir/text/value_scopes.h"
#include "schema/text/scanner.h"
#include "schema/type.h"

namespace opcompat {

class CallReader {
 public:
  // All must live as long as this.
  CallReader(Scanner* scanner, ModuleBuilder* builder,
             const ValueScopes* values)
      : scanner_(*scanner), builder_(*builder), values_(*values) {}

  // Reads `[name=literal, ...](operands)` of a call of `op` whose results are
  // `definitions`: checks which arguments are given, and reads literals at
  // their types. Whether values fit is left to the verifier.
  absl::Status Read(const KnownOperator& op,
                    absl::Span<const ModuleBuilder::Definition> definitions);
  // Of the call read last.
  absl::Span<const ModuleBuilder::Given> given() const { return given_; }
  absl::Span<const ModuleBuilder::Attribute> attributes() const {
    return attributes_;
  }

  // Reads `%value`, or a literal at `type`. Where that does not fix the
  // literal's type (Any, type variables), the literal must have one of its own.
  absl::StatusOr<Operand> ReadOperand(const Type& type);

 private:
  absl::Status ReadAttributes(const KnownOperator& op);
  absl::Status ReadArguments(const KnownOperator& op);
  // Whether `name=` comes next.
  bool AtNamedArgument() const;
  // The argument that a `name=` gives.
  absl::StatusOr<uint32_t> ReadNamedArgument(const KnownOperator& op);
  // The argument that an operand without a name is for, after `num_positional`
  // of them; `named`: one with a name came before.
  absl::StatusOr<uint32_t> NextPositional(const KnownOperator& op,
                                          uint32_t num_positional,
                                          bool named) const;
  absl::StatusOr<Operand> ReadArgument(const KnownOperator& op, uint32_t index);
  // The text of the literal that comes next if that alone says what it is and
  // it is short; else empty, also where no literal comes.
  absl::string_view PlainLiteral() const;
  // What operand `index` of an intrinsic must be; Any: nothing is known.
  Type IntrinsicOperandType(Intrinsic intrinsic, size_t index) const;
  const Type& TypeOfResult(size_t i) const {
    return builder_.module().type(definitions_[i].type);
  }

  Scanner& scanner_;
  ModuleBuilder& builder_;
  const ValueScopes& values_;
  absl::Span<const ModuleBuilder::Definition> definitions_;
  std::vector<ModuleBuilder::Given> given_;
  std::vector<ModuleBuilder::Attribute> attributes_;
  absl::flat_hash_set<std::string> attribute_names_;
  std::vector<bool> is_given_;  // by exposed argument
  // What plain literals are at the type of an argument: most come again.
  absl::flat_hash_map<std::pair<const Type*, absl::string_view>, Operand>
      literals_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_IR_TEXT_CALL_READER_H_
