#include "ir/text/cursor.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "ir/text/names.h"
#include "schema/text/scanner.h"

namespace opcompat {

absl::StatusOr<std::string> ReadName(Scanner& scanner, absl::string_view what) {
  const Token& token = scanner.peek();
  if (token.kind == Token::Kind::kString) return ReadString(scanner, what);
  if (token.kind != Token::Kind::kWord) return scanner.Expected(what);
  const absl::string_view text = scanner.text();
  const size_t begin = token.offset;
  size_t end = begin;
  while (end < text.size() && IsNameCharacter(text[end])) ++end;
  return std::string(scanner.TakeUpTo(end));
}

absl::StatusOr<std::string> ReadString(Scanner& scanner,
                                       absl::string_view what) {
  const Token token = scanner.peek();
  if (token.kind != Token::Kind::kString) return scanner.Expected(what);
  std::string result;
  const absl::Status status = UnquoteString(token.text, &result);
  if (!status.ok()) return scanner.ErrorAt(token.offset, status.message());
  scanner.Next();
  return result;
}

absl::Status ExpectEndOfLine(Scanner& scanner) {
  if (scanner.AtEnd()) return absl::OkStatus();
  if (scanner.peek().kind != Token::Kind::kNewline) {
    return scanner.Expected("the end of the line");
  }
  scanner.Next();
  return absl::OkStatus();
}

void SkipNewlines(Scanner& scanner) {
  while (scanner.peek().kind == Token::Kind::kNewline) scanner.Next();
}

RawLine ReadRawLine(absl::string_view text, size_t begin) {
  RawLine line;
  line.end = std::min(text.find_first_of("#\n", begin), text.size());
  line.fields = absl::StrSplit(text.substr(begin, line.end - begin),
                               absl::ByAnyChar(" \t\r"), absl::SkipEmpty());
  return line;
}

std::string PlaceOf(absl::string_view text, size_t offset) {
  const absl::string_view before = text.substr(0, offset);
  const size_t line = std::count(before.begin(), before.end(), '\n') + 1;
  const size_t newline = before.rfind('\n');
  const size_t column =
      newline == absl::string_view::npos ? offset + 1 : offset - newline;
  return absl::StrCat(line, ":", column);
}

}  // namespace opcompat
