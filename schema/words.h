// The characters of words in the schema language: names of types, arguments and
// fields. Not those of names in module text (ir/text/names.h).
#ifndef OPCOMPAT_SCHEMA_WORDS_H_
#define OPCOMPAT_SCHEMA_WORDS_H_

#include "absl/strings/ascii.h"

namespace opcompat {

inline bool IsWordStart(char c) {
  return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '_';
}
inline bool IsWordPart(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
}

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_WORDS_H_
