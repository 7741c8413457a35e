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
#include "schema/text/scanner.h"

namespace opcompat {

// Names are unique in a function, also in blocks beside each other: a text
// whose names say which value is meant, wherever one looks.
class ValueScopes {
 public:
  // `scanner`, for errors, and the text must live as long as this.
  explicit ValueScopes(const Scanner& scanner) : scanner_(scanner) {}

  // Begins another function.
  void Clear();

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

 private:
  const Scanner& scanner_;
  absl::flat_hash_map<absl::string_view, ValueId> values_;
  // By value: where it is defined, and the number of the block.
  std::vector<uint32_t> offsets_;
  std::vector<uint32_t> scopes_;
  // By number of a block.
  std::vector<bool> is_open_;
  // The numbers of the open blocks.
  std::vector<uint32_t> open_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_IR_TEXT_VALUE_SCOPES_H_
