#include "schema/text/scanner.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "schema/words.h"

namespace opcompat {
namespace {

// What a character may be, as bits.
enum CharClass : uint8_t {
  kBeginsWord = 1,
  kInWord = 2,
  kInName = 4,  // of a value
  kSkipped = 8,
  kBeginsNumber = 16,
};

// The classes of each character.
struct CharTable {
  uint8_t classes[256];

  constexpr CharTable() : classes() {
    for (int i = 0; i < 256; ++i) {
      const char c = static_cast<char>(i);
      const bool is_digit = c >= '0' && c <= '9';
      if (IsWordStart(c)) classes[i] |= kBeginsWord;
      if (IsWordPart(c)) classes[i] |= kInWord;
      if (IsNamePart(c)) classes[i] |= kInName;
      // Spaces, and what begins a comment.
      if (c == ' ' || (c >= '\t' && c <= '\r') || c == '#') {
        classes[i] |= kSkipped;
      }
      if (is_digit || c == '-' || c == '.') classes[i] |= kBeginsNumber;
    }
  }
};
constexpr CharTable kCharTable;

bool IsA(char c, CharClass which) {
  return (kCharTable.classes[static_cast<uint8_t>(c)] & which) != 0;
}

// Messages show at most this much of a token.
constexpr size_t kMaxShown = 40;

size_t SkipDigits(absl::string_view s, size_t at) {
  while (at < s.size() && absl::ascii_isdigit(s[at])) ++at;
  return at;
}

// Where the float at `s[at]` ends, with the optional sign that it begins with;
// `at` if there is none. `inf` and `nan` count.
size_t FloatEnd(absl::string_view s, size_t at) {
  const size_t start = at;
  if (at < s.size() && (s[at] == '-' || s[at] == '+')) ++at;
  for (absl::string_view word : {"inf", "nan"}) {
    if (!absl::StartsWith(s.substr(at), word)) continue;
    size_t end = at + word.size();
    if (word == "nan" && absl::StartsWith(s.substr(end), "(0x")) {
      size_t close = end + 3;
      while (close < s.size() && absl::ascii_isxdigit(s[close])) ++close;
      if (close < s.size() && s[close] == ')') end = close + 1;
    }
    // `j` may only be the mark of an imaginary part: `nan` begins other words.
    const bool imaginary = end < s.size() && s[end] == 'j';
    const size_t after = imaginary ? end + 1 : end;
    if (after < s.size() && IsWordPart(s[after])) return start;
    return end;
  }
  const size_t whole = SkipDigits(s, at);
  size_t end = whole;
  bool digits = whole > at;
  if (end < s.size() && s[end] == '.') {
    const size_t fraction = SkipDigits(s, end + 1);
    digits = digits || fraction > end + 1;
    end = fraction;
  }
  if (!digits) return start;
  if (end < s.size() && (s[end] == 'e' || s[end] == 'E')) {
    size_t exponent = end + 1;
    if (exponent < s.size() && (s[exponent] == '-' || s[exponent] == '+')) {
      ++exponent;
    }
    const size_t after = SkipDigits(s, exponent);
    if (after > exponent) end = after;
  }
  return end;
}

// Whether `c` after digits may belong to their number.
bool MayGoOn(char c) {
  return c == '.' || c == '+' || c == '-' || IsWordPart(c);
}

// Where the number at `s[at]` ends: a float, a complex, or a float with what
// clings to it; `at` if there is none.
size_t NumberEnd(absl::string_view s, size_t at) {
  // Most are ints.
  const size_t first = s[at] == '-' ? at + 1 : at;
  size_t end = SkipDigits(s, first);
  if (end > first && (end == s.size() || !MayGoOn(s[end]))) return end;

  end = FloatEnd(s, at);
  if (end == at) return at;
  if (end < s.size() && (s[end] == '+' || s[end] == '-')) {
    const size_t imaginary = FloatEnd(s, end);
    if (imaginary > end && imaginary < s.size() && s[imaginary] == 'j') {
      end = imaginary;
    }
  }
  while (end < s.size() && IsWordPart(s[end])) ++end;
  return end;
}

// Where the string at `s[at]` (a quote) ends, after its closing quote;
// `*closed` says whether it has one.
size_t StringEnd(absl::string_view s, size_t at, bool* closed) {
  const char quote = s[at];
  for (size_t i = at + 1; i < s.size() && s[i] != '\n'; ++i) {
    if (s[i] == quote) {
      *closed = true;
      return i + 1;
    }
    if (s[i] == '\\' && i + 1 < s.size() && s[i + 1] != '\n') ++i;
  }
  *closed = false;
  return std::min(s.find('\n', at), s.size());
}

std::string Describe(const Token& token) {
  switch (token.kind) {
    case Token::Kind::kEnd:
      return "the end";
    case Token::Kind::kNewline:
      return "the end of the line";
    default:
      break;
  }
  std::string shown = absl::Utf8SafeCHexEscape(token.text.substr(0, kMaxShown));
  // CHexEscape escapes quotes, which makes a quoted token hard to read.
  if (token.text.find_first_of("\"'\\") != absl::string_view::npos &&
      std::all_of(token.text.begin(), token.text.end(),
                  [](char c) { return absl::ascii_isprint(c); })) {
    shown = std::string(token.text.substr(0, kMaxShown));
  }
  if (token.text.size() > kMaxShown) shown += "...";
  if (token.kind == Token::Kind::kString) return shown;
  if (token.kind == Token::Kind::kSymbol && token.text.size() > 0 &&
      (token.text[0] == '"' || token.text[0] == '\'')) {
    return absl::StrCat("a string that does not end: ", shown);
  }
  return absl::StrCat("'", shown, "'");
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Scanner::Scanner(absl::string_view text, bool report_newlines, int first_line)
    : text_(text), report_newlines_(report_newlines), first_line_(first_line) {
  Advance();
}

void Scanner::Advance() {
  bool newline = false;
  size_t newline_at = 0;
  for (; next_ < text_.size() && IsA(text_[next_], kSkipped); ++next_) {
    if (text_[next_] == '\n') {
      if (!newline) newline_at = next_;
      newline = true;
    } else if (text_[next_] == '#') {
      // Up to before the end of the line, which counts.
      next_ = std::min(text_.find('\n', next_), text_.size()) - 1;
    }
  }
  if (newline && report_newlines_) {
    token_ = {Token::Kind::kNewline, text_.substr(newline_at, 1), newline_at};
    return;
  }
  token_.offset = next_;
  next_ = ReadToken();
  token_.text = text_.substr(token_.offset, next_ - token_.offset);
}

size_t Scanner::ReadToken() {
  const size_t begin = token_.offset;
  const size_t size = text_.size();
  if (begin == size) {
    token_.kind = Token::Kind::kEnd;
    return begin;
  }
  const char c = text_[begin];
  size_t end = begin + 1;
  if (IsA(c, kBeginsWord)) {
    while (end < size && IsA(text_[end], kInWord)) ++end;
    token_.kind = Token::Kind::kWord;
    return end;
  }
  if (c == '%') {
    while (end < size && IsA(text_[end], kInName)) ++end;
    token_.kind =
        end > begin + 1 ? Token::Kind::kValueName : Token::Kind::kSymbol;
    return end;
  }
  if (c == '"' || c == '\'') {
    bool closed;
    end = StringEnd(text_, begin, &closed);
    token_.kind = closed ? Token::Kind::kString : Token::Kind::kSymbol;
    return end;
  }
  token_.kind = Token::Kind::kSymbol;
  const absl::string_view rest = text_.substr(begin);
  if (absl::StartsWith(rest, "->") || absl::StartsWith(rest, "::")) {
    return begin + 2;
  }
  if (absl::StartsWith(rest, "...")) return begin + 3;
  if (IsA(c, kBeginsNumber)) {
    // After a word `.` joins names: `aten::add.2`.
    const bool joins = c == '.' && begin > 0 && IsWordPart(text_[begin - 1]);
    const size_t number = joins ? begin : NumberEnd(text_, begin);
    if (number > begin) {
      token_.kind = Token::Kind::kNumber;
      return number;
    }
  }
  if (static_cast<uint8_t>(c) >= 0xc0) {
    // All of a UTF-8 character, for messages.
    while (end < size && end < begin + 4 &&
           (static_cast<uint8_t>(text_[end]) & 0xc0) == 0x80) {
      ++end;
    }
  }
  return end;
}

absl::string_view Scanner::TakeNumber() {
  if (token_.kind == Token::Kind::kWord) {
    if (!absl::StartsWith(token_.text, "inf") &&
        !absl::StartsWith(token_.text, "nan")) {
      return absl::string_view();
    }
  } else if (token_.kind == Token::Kind::kNumber) {
    return Next().text;
  } else {
    return absl::string_view();
  }
  return TakeUpTo(NumberEnd(text_, token_.offset));
}

absl::string_view Scanner::TakeDottedName() {
  const auto is_word_part = [this](size_t at) {
    return at < text_.size() && IsWordPart(text_[at]);
  };
  size_t end = token_.offset;
  while (is_word_part(end) || (end > token_.offset && end < text_.size() &&
                               text_[end] == '.' && is_word_part(end + 1))) {
    ++end;
  }
  return TakeUpTo(end);
}

absl::string_view Scanner::TakeUpTo(size_t end) {
  const size_t begin = token_.offset;
  if (end == begin) return absl::string_view();
  previous_end_ = next_ = end;
  Advance();
  return text_.substr(begin, end - begin);
}

absl::Status Scanner::ExpectedText(absl::string_view text) const {
  return Expected(absl::StrCat("'", text, "'"));
}

absl::Status Scanner::Expected(absl::string_view expected) const {
  return Error(
      absl::StrCat("expected ", expected, ", found ", Describe(token_)));
}

absl::Status Scanner::Error(absl::string_view message) const {
  return ErrorAt(token_.offset, message);
}

absl::Status Scanner::ErrorAt(size_t offset, absl::string_view message) const {
  const absl::string_view before = text_.substr(0, offset);
  const auto newlines = std::count(before.begin(), before.end(), '\n');
  const size_t last = before.rfind('\n');
  const size_t column =
      last == absl::string_view::npos ? offset + 1 : offset - last;
  return absl::InvalidArgumentError(
      absl::StrCat(first_line_ + newlines, ":", column, ": ", message));
}

absl::string_view Scanner::TextSince(size_t begin) const {
  return text_.substr(begin, previous_end_ - begin);
}

void Scanner::Restore(const Position& position) {
  token_ = position.token;
  next_ = position.next;
  previous_end_ = position.previous_end;
}

absl::Status UnquoteString(absl::string_view token, std::string* out) {
  out->clear();
  if (token.size() < 2 || (token[0] != '"' && token[0] != '\'') ||
      token.back() != token[0]) {
    return absl::InvalidArgumentError("expected a string in quotes");
  }
  const absl::string_view body = token.substr(1, token.size() - 2);
  out->reserve(body.size());
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\\') {
      *out += body[i];
      continue;
    }
    ++i;
    if (i == body.size()) {
      return absl::InvalidArgumentError("the string ends in a lone backslash");
    }
    const char c = body[i];
    switch (c) {
      case '"':
      case '\'':
      case '\\':
        *out += c;
        continue;
      case 'n':
        *out += '\n';
        continue;
      case 't':
        *out += '\t';
        continue;
      case 'r':
        *out += '\r';
        continue;
      case 'f':
        *out += '\f';
        continue;
      case 'v':
        *out += '\v';
        continue;
      case 'b':
        *out += '\b';
        continue;
      case 'a':
        *out += '\a';
        continue;
      default:
        break;
    }
    if (c == 'x') {
      const int high = i + 1 < body.size() ? HexDigit(body[i + 1]) : -1;
      const int low = i + 2 < body.size() ? HexDigit(body[i + 2]) : -1;
      if (high < 0 || low < 0) {
        return absl::InvalidArgumentError(
            "expected two hexadecimal digits after \\x");
      }
      *out += static_cast<char>(high * 16 + low);
      i += 2;
      continue;
    }
    if (c < '0' || c > '7') {
      return absl::InvalidArgumentError(absl::StrCat(
          "unknown escape \\",
          absl::Utf8SafeCHexEscape(absl::string_view(&body[i], 1)),
          "; known are \\\" \\' \\\\ \\n \\t \\r \\f \\v \\b \\a \\xHH and "
          "octal \\ooo"));
    }
    // Up to three octal digits.
    int byte = 0;
    size_t digits = 0;
    while (digits < 3 && i + digits < body.size() && body[i + digits] >= '0' &&
           body[i + digits] <= '7') {
      byte = byte * 8 + (body[i + digits] - '0');
      ++digits;
    }
    if (byte > 255) {
      return absl::InvalidArgumentError(absl::StrCat(
          "\\", body.substr(i, digits), " is more than a byte (\\377)"));
    }
    *out += static_cast<char>(byte);
    i += digits - 1;
  }
  return absl::OkStatus();
}

}  // namespace opcompat
