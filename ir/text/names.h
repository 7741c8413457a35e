// Names in module text: which ones stand as they are and which in quotes. For
// the printer and the parser of modules only.
#ifndef OPCOMPAT_IR_TEXT_NAMES_H_
#define OPCOMPAT_IR_TEXT_NAMES_H_

#include <string>

#include "absl/strings/string_view.h"
#include "schema/words.h"

namespace opcompat {

// The characters of value names and of dotted names.
struct NameCharacters {
  bool is_one[256];

  constexpr NameCharacters() : is_one() {
    for (int i = 0; i < 256; ++i) {
      is_one[i] = IsNamePart(static_cast<char>(i));
    }
  }
};
inline constexpr NameCharacters kNameCharacters;

inline bool IsNameCharacter(char c) {
  return kNameCharacters.is_one[static_cast<unsigned char>(c)];
}

// Whether `%name` can be written: a value name without its `%`.
bool IsValueName(absl::string_view name);

// Whether functions, attributes and tensors of this name are written without
// quotes: `forward`, `layer.0.weight`, but not `0.weight`.
bool IsPlainName(absl::string_view name);

// The name, in quotes if need be.
std::string NameToString(absl::string_view name);

}  // namespace opcompat

#endif  // OPCOMPAT_IR_TEXT_NAMES_H_
