// The values of one function by name while its text is read: what is defined,
// where, and from where it is visible. For the parser of modules only.
#ifndef OPCOMPAT_IR_TEXT_VALUE_SCOPES_H_
#define OPCOMPAT_IR_TEXT_VALUE_SCOPES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "schema/text/scanner.h"

namespace opcompat {

// Names are unique in a function, also in blocks beside each other: a text
// whose names say which value is meant, wherever one looks.
class ValueScopes {
 public:
  // `scanner`, for its text and errors, must live as long as this.
  explicit ValueScopes(const Scanner& scanner);

  // Begins another function, the first one too.
  void BeginFunction();

  // Enters `name` (a token `%x`). Values are numbered in this order. They
  // become visible with the next Reveal: not in the statement that defines
  // them.
  absl::Status Define(const Token& name);
  // Makes what was defined since the last call visible in the innermost block.
  void Reveal() { scopes_.resize(offsets_.size(), open_.back()); }

  void OpenBlock();
  void CloseBlock();

  // The value of `name` (a token `%x`) if it is visible here.
  absl::StatusOr<ValueId> Find(const Token& name) const;

  // Gives the values of the module that was read their names, as debug names
  // after all other strings.
  void AddNames(Module* module) const;

 private:
  // What a name stands for. Kept over functions, which often have the same
  // names, so that each is a string of the module once.
  struct Symbol {
    static constexpr uint32_t kNone = 0xffffffff;

    uint32_t name = kNone;      // its number in names_; kNone: nothing yet
    uint32_t function = kNone;  // the last one that defines it
    ValueId value;              // there
  };

  // The symbol of a name, which may be nothing yet.
  Symbol& Add(absl::string_view name);
  // Null: there is none.
  const Symbol* FindSymbol(absl::string_view name) const;
  // The number that the name is, as the printer writes it for values without a
  // name: %0, %1, ... False: it is none, or too large for a table.
  bool IsNumber(absl::string_view name, uint32_t* number) const;

  const Scanner& scanner_;
  absl::flat_hash_map<absl::string_view, Symbol> symbols_;
  // By number: those of names that are numbers. What a text defines has room,
  // since a definition takes some bytes.
  std::vector<Symbol> numbered_;
  const size_t max_numbered_;
  std::vector<absl::string_view> names_;  // without `%`
  // By function and value: the number of its name.
  std::vector<std::vector<uint32_t>> names_of_values_;

  // Of the function being read, by value: where it is defined, and the number
  // of the block.
  std::vector<uint32_t> offsets_;
  std::vector<uint32_t> scopes_;
  // By number of a block.
  std::vector<bool> is_open_;
  // The numbers of the open blocks.
  std::vector<uint32_t> open_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_IR_TEXT_VALUE_SCOPES_H_
