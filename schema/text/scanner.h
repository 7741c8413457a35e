// Cuts text into tokens, for the parsers of schemas and of modules.
//
// Every error names a place: "3:17: expected ',' or ')', found '='".
#ifndef OPCOMPAT_SCHEMA_TEXT_SCANNER_H_
#define OPCOMPAT_SCHEMA_TEXT_SCANNER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace opcompat {

struct Token {
  enum class Kind : uint8_t {
    kEnd,
    kNewline,  // only if the scanner reports newlines; one for a run of them
    kWord,     // letters, digits, `_`; begins with a letter or `_`
    // `12`, `-3`, `1.5e-05`, `1.`, `.5`, `-inf`, `1.0+2.0j`: the sign is part
    // of it. Letters and digits that follow directly are too (`0x10`), so that
    // a message can show what was meant. `inf` and `nan` are words, since an
    // argument may be called that: see TakeNumber().
    kNumber,
    kString,     // with its quotes; `"` or `'`; ends on its line
    kValueName,  // `%x.1`: `%` and letters, digits, `_`, `.`
    // One of ( ) [ ] { } , : = * ! ? | @, or `->`, `...`, `::`, `.`. Also what
    // no grammar takes: another character, a string that does not end.
    kSymbol,
  };
  Kind kind = Kind::kEnd;
  absl::string_view text;
  size_t offset = 0;
};

// Reads `text` (kept by the caller) one token at a time, with one of
// look-ahead. `#` outside a string starts a comment up to the end of the line.
class Scanner {
 public:
  // `first_line` is the number of the first line, for errors.
  explicit Scanner(absl::string_view text, bool report_newlines = false,
                   int first_line = 1);

  const Token& peek() const { return token_; }
  // Whether the next token is the symbol or word `text`.
  bool Is(absl::string_view text) const {
    // By the size of `text`, which is known to the compiler.
    return token_.text.size() == text.size() &&
           std::memcmp(token_.text.data(), text.data(), text.size()) == 0 &&
           (token_.kind == Token::Kind::kSymbol ||
            token_.kind == Token::Kind::kWord);
  }
  bool AtEnd() const { return token_.kind == Token::Kind::kEnd; }
  // Moves on; returns the token passed over.
  Token Next() {
    const Token token = token_;
    previous_end_ = token.offset + token.text.size();
    Advance();
    return token;
  }
  // Moves on iff the next token is `text`.
  bool Take(absl::string_view text) {
    if (!Is(text)) return false;
    Next();
    return true;
  }
  // Passes over a number as a literal may spell it, `inf`, `nan(0x7ff8...)` and
  // complex ones that begin with them included. Returns its text; empty: the
  // next token does not begin a number.
  absl::string_view TakeNumber();
  // Passes over a name of words joined by `.`, without spaces: a class, an
  // overload. Words may begin with a digit. Returns its text; empty: the next
  // token does not begin one.
  absl::string_view TakeDottedName();
  // Moves on past text()[end - 1], as if all from the next token's beginning on
  // were one token, and returns that.
  absl::string_view TakeUpTo(size_t end);
  // Whether nothing, not even a space, stands between the last token passed
  // over and the next one.
  bool FollowsDirectly() const { return token_.offset == previous_end_; }
  // As Take; else InvalidArgument "expected `text`, found ...".
  absl::Status Expect(absl::string_view text) {
    return Take(text) ? absl::OkStatus() : ExpectedText(text);
  }

  // InvalidArgument "LINE:COLUMN: expected `expected`, found `the next token`".
  absl::Status Expected(absl::string_view expected) const;
  // InvalidArgument "LINE:COLUMN: `message`" at the next token, or at `offset`.
  absl::Status Error(absl::string_view message) const;
  absl::Status ErrorAt(size_t offset, absl::string_view message) const;

  // Text from `begin` to where the token before the next one ended, for
  // keeping a spelling.
  absl::string_view TextSince(size_t begin) const;
  absl::string_view text() const { return text_; }
  // Saved positions, for the few places where the grammar needs them.
  struct Position {
    Token token;
    size_t next;
    size_t previous_end;
  };
  Position Save() const { return {token_, next_, previous_end_}; }
  void Restore(const Position& position);

 private:
  void Advance();
  absl::Status ExpectedText(absl::string_view text) const;
  // Sets the kind of the token at `token_.offset` and returns where it ends.
  size_t ReadToken();

  absl::string_view text_;
  bool report_newlines_;
  int first_line_;
  size_t next_ = 0;          // where the scan goes on
  size_t previous_end_ = 0;  // where the last token passed over ended
  Token token_;
};

// The bytes that a kString token stands for. Escapes: \" \' \\ \n \t \r \f \v
// \b \a \0 \xHH and octal \ooo. Returns InvalidArgument (without a place) for
// others.
absl::Status UnquoteString(absl::string_view token, std::string* out);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_TEXT_SCANNER_H_
