// The commonest parts of absl/strings, for small programs.
//
// absl::StrCat brings all that reads and prints numbers, doubles included, 60
// KB, and each function of escaping.h all the others. The definitions here
// stand for those of str_cat.cc, numbers.cc and escaping.cc, which are then not
// taken out of their archive. They do the same; a program that needs more of
// those files does not link, as with status.cc in this directory.
//
// Made for one release of abseil, since it knows what stands behind its
// headers; with another it is empty, and abseil's own parts are linked.

#include "absl/base/config.h"

#if defined(ABSL_LTS_RELEASE_VERSION) && ABSL_LTS_RELEASE_VERSION == 20220623

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/concat.h"
#include "base/escape.h"

std::string absl::CHexEscape(string_view bytes) {
  return opcompat::HexEscape(bytes);
}

char* absl::numbers_internal::FastIntToBuffer(uint64_t value, char* buffer) {
  const std::string text = opcompat::Concat(value);
  std::memcpy(buffer, text.c_str(), text.size() + 1);
  return buffer + text.size();
}

char* absl::numbers_internal::FastIntToBuffer(int64_t value, char* buffer) {
  const std::string text = opcompat::Concat(value);
  std::memcpy(buffer, text.c_str(), text.size() + 1);
  return buffer + text.size();
}

char* absl::numbers_internal::FastIntToBuffer(uint32_t value, char* buffer) {
  return FastIntToBuffer(uint64_t{value}, buffer);
}

char* absl::numbers_internal::FastIntToBuffer(int32_t value, char* buffer) {
  return FastIntToBuffer(int64_t{value}, buffer);
}

void absl::strings_internal::AppendPieces(
    std::string* out, std::initializer_list<string_view> pieces) {
  for (const string_view piece : pieces) {
    out->append(piece.data(), piece.size());
  }
}

std::string absl::strings_internal::CatPieces(
    std::initializer_list<string_view> pieces) {
  std::string out;
  AppendPieces(&out, pieces);
  return out;
}

std::string absl::StrCat(const AlphaNum& a, const AlphaNum& b) {
  return strings_internal::CatPieces({a.Piece(), b.Piece()});
}

std::string absl::StrCat(const AlphaNum& a, const AlphaNum& b,
                         const AlphaNum& c) {
  return strings_internal::CatPieces({a.Piece(), b.Piece(), c.Piece()});
}

std::string absl::StrCat(const AlphaNum& a, const AlphaNum& b,
                         const AlphaNum& c, const AlphaNum& d) {
  return strings_internal::CatPieces(
      {a.Piece(), b.Piece(), c.Piece(), d.Piece()});
}

void absl::StrAppend(std::string* out, const AlphaNum& a) {
  strings_internal::AppendPieces(out, {a.Piece()});
}

void absl::StrAppend(std::string* out, const AlphaNum& a, const AlphaNum& b) {
  strings_internal::AppendPieces(out, {a.Piece(), b.Piece()});
}

void absl::StrAppend(std::string* out, const AlphaNum& a, const AlphaNum& b,
                     const AlphaNum& c) {
  strings_internal::AppendPieces(out, {a.Piece(), b.Piece(), c.Piece()});
}

void absl::StrAppend(std::string* out, const AlphaNum& a, const AlphaNum& b,
                     const AlphaNum& c, const AlphaNum& d) {
  strings_internal::AppendPieces(out,
                                 {a.Piece(), b.Piece(), c.Piece(), d.Piece()});
}

#endif
