// Texts made of pieces, as absl::StrCat makes them, by few bytes of code.
//
// Texts of errors are a large part of a program that reads files, and nearly
// never run. Where absl::StrCat makes an object of 48 bytes for each piece, a
// call of Concat passes one word for each, and a string that says what the
// words are.
#ifndef OPCOMPAT_BASE_CONCAT_H_
#define OPCOMPAT_BASE_CONCAT_H_

#include <cstdint>
#include <string>
#include <type_traits>

#include "absl/base/attributes.h"
#include "absl/strings/string_view.h"

namespace opcompat {

// A piece: 16 hexadecimal digits.
struct Hex16 {
  uint64_t value;
};

namespace concat_internal {

// What a word is.
enum Kind : char {
  kLiteral = 'c',   // const char*, up to a zero
  kView = 'v',      // const absl::string_view*
  kString = 's',    // const std::string*
  kSigned = 'd',    // int64_t
  kUnsigned = 'u',  // uint64_t
  kHex16 = 'x',     // uint64_t
};

inline constexpr int kMaxPieces = 24;

// `kinds` has a character for each of the words that follow, and a zero.
std::string Concat(const char* kinds, ...);
void ConcatTo(std::string* out, const char* kinds, ...);

template <typename T>
constexpr Kind KindOf() {
  using Piece = std::decay_t<T>;
  if constexpr (std::is_same_v<Piece, const char*> ||
                std::is_same_v<Piece, char*>) {
    return kLiteral;
  } else if constexpr (std::is_same_v<Piece, std::string>) {
    return kString;
  } else if constexpr (std::is_same_v<Piece, absl::string_view>) {
    return kView;
  } else if constexpr (std::is_same_v<Piece, Hex16>) {
    return kHex16;
  } else {
    static_assert(std::is_integral_v<Piece> && !std::is_same_v<Piece, bool> &&
                      !std::is_same_v<Piece, char>,
                  "no piece of a text");
    return std::is_signed_v<Piece> ? kSigned : kUnsigned;
  }
}

template <Kind... kinds>
inline constexpr char kKinds[] = {kinds..., '\0'};

template <typename T>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline auto Word(const T& piece) {
  constexpr Kind kKind = KindOf<T>();
  if constexpr (kKind == kLiteral) {
    return static_cast<const char*>(piece);
  } else if constexpr (kKind == kView || kKind == kString) {
    return &piece;
  } else if constexpr (kKind == kHex16) {
    return piece.value;
  } else if constexpr (kKind == kSigned) {
    return static_cast<int64_t>(piece);
  } else {
    return static_cast<uint64_t>(piece);
  }
}

}  // namespace concat_internal

// The pieces one after the other: literals, strings, string_views, integers
// (but no bool and no char) and Hex16.
template <typename... T>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline std::string Concat(const T&... pieces) {
  static_assert(sizeof...(T) <= concat_internal::kMaxPieces, "too many pieces");
  return concat_internal::Concat(
      concat_internal::kKinds<concat_internal::KindOf<T>()...>,
      concat_internal::Word(pieces)...);
}

// Adds the pieces to `*out`, which is none of them.
template <typename... T>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void ConcatTo(std::string* out,
                                                  const T&... pieces) {
  static_assert(sizeof...(T) <= concat_internal::kMaxPieces, "too many pieces");
  concat_internal::ConcatTo(
      out, concat_internal::kKinds<concat_internal::KindOf<T>()...>,
      concat_internal::Word(pieces)...);
}

}  // namespace opcompat

#endif  // OPCOMPAT_BASE_CONCAT_H_
