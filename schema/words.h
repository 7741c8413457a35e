// The characters of words in the schema language, names of types, arguments and
// fields, and of names in module text (ir/text/names.h).
#ifndef OPCOMPAT_SCHEMA_WORDS_H_
#define OPCOMPAT_SCHEMA_WORDS_H_

namespace opcompat {

constexpr bool IsWordStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool IsWordPart(char c) {
  return IsWordStart(c) || (c >= '0' && c <= '9');
}
// Of names of values, and of words joined by dots.
constexpr bool IsNamePart(char c) { return IsWordPart(c) || c == '.'; }

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_WORDS_H_
