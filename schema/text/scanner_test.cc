#include "schema/text/scanner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_matchers.h"

namespace opcompat {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

char Letter(Token::Kind kind) {
  switch (kind) {
    case Token::Kind::kEnd:
      return 'E';
    case Token::Kind::kNewline:
      return 'L';
    case Token::Kind::kWord:
      return 'W';
    case Token::Kind::kNumber:
      return 'N';
    case Token::Kind::kString:
      return 'S';
    case Token::Kind::kValueName:
      return 'V';
    case Token::Kind::kSymbol:
      return 'Y';
  }
  return '?';
}

// The tokens of `text` as "W:word".
std::vector<std::string> Tokens(absl::string_view text,
                                bool report_newlines = false) {
  std::vector<std::string> tokens;
  Scanner scanner(text, report_newlines);
  while (!scanner.AtEnd()) {
    const Token token = scanner.Next();
    EXPECT_EQ(text.substr(token.offset, token.text.size()), token.text);
    tokens.push_back(
        absl::StrCat(std::string(1, Letter(token.kind)), ":", token.text));
  }
  return tokens;
}

TEST(ScannerTest, SchemasAreCutIntoWordsNumbersStringsAndSymbols) {
  EXPECT_THAT(
      Tokens("aten::f.x(Tensor(a! -> *) self, *, int[2] n=-1, ...) -> (t?)"),
      ElementsAre("W:aten", "Y:::", "W:f", "Y:.", "W:x", "Y:(", "W:Tensor",
                  "Y:(", "W:a", "Y:!", "Y:->", "Y:*", "Y:)", "W:self", "Y:,",
                  "Y:*", "Y:,", "W:int", "Y:[", "N:2", "Y:]", "W:n",
                  "Y:=", "N:-1", "Y:,", "Y:...", "Y:)", "Y:->", "Y:(", "W:t",
                  "Y:?", "Y:)"));
  EXPECT_THAT(Tokens("%x.1 : T = a::b[n=\"w\", m='\\'']({1: @}) % |"),
              ElementsAre("V:%x.1", "Y::", "W:T", "Y:=", "W:a", "Y:::", "W:b",
                          "Y:[", "W:n", "Y:=", "S:\"w\"", "Y:,", "W:m",
                          "Y:=", "S:'\\''", "Y:]", "Y:(", "Y:{", "N:1",
                          "Y::", "Y:@", "Y:}", "Y:)", "Y:%", "Y:|"));
}

TEST(ScannerTest, ANumberIsOneTokenWithItsSign) {
  for (absl::string_view number :
       {"0", "12", "-3", "1.", "-0.", ".5", "-.5", "1.5", "1e5", "1e-05",
        "1.E+10", "9.9999999999999995e-07", "-inf", "-nan", "2j", "-2.5j",
        "1+2j", "1.0-2.0j", "0.+2.j", "1e-05+1e-05j", "-inf-infj", "1.0+nanj",
        "1.0+nan(0x7ff8000000000001)j", "-9223372036854775808",
        // Not numbers, but shown whole in messages.
        "0x10", "1abc", "12_3"}) {
    EXPECT_THAT(Tokens(number), ElementsAre(absl::StrCat("N:", number)));
    EXPECT_EQ(Scanner(number).TakeNumber(), number);
  }
}

TEST(ScannerTest, ASignBeginsANumberOnlyBeforeOne) {
  EXPECT_THAT(Tokens("->-1"), ElementsAre("Y:->", "N:-1"));
  EXPECT_THAT(Tokens("1-1"), ElementsAre("N:1", "N:-1"));
  EXPECT_THAT(Tokens("- 1"), ElementsAre("Y:-", "N:1"));
  EXPECT_THAT(Tokens("-info"), ElementsAre("Y:-", "W:info"));
  EXPECT_THAT(Tokens("+1"), ElementsAre("Y:+", "N:1"));
}

TEST(ScannerTest, APointAfterAWordJoinsNames) {
  EXPECT_THAT(Tokens("a.2"), ElementsAre("W:a", "Y:.", "N:2"));
  EXPECT_THAT(Tokens("a .2"), ElementsAre("W:a", "N:.2"));
}

TEST(ScannerTest, InfAndNanAreWordsUntilANumberIsWanted) {
  EXPECT_THAT(Tokens("nan=inf"), ElementsAre("W:nan", "Y:=", "W:inf"));
  for (absl::string_view number :
       {"inf", "nan", "infj", "nan(0x7ff8000000000001)", "inf+2.0j",
        "nan(0xfff8000000000000)-infj"}) {
    Scanner scanner(number);
    EXPECT_EQ(scanner.TakeNumber(), number);
    EXPECT_TRUE(scanner.AtEnd());
  }
  for (absl::string_view other : {"info", "nano", "i", "\"1\"", "", "("}) {
    Scanner scanner(other);
    EXPECT_THAT(scanner.TakeNumber(), IsEmpty());
    EXPECT_EQ(scanner.peek().text, other);
  }
}

TEST(ScannerTest, ADottedNameEndsBeforeAPointThatJoinsNothing) {
  struct Case {
    absl::string_view text;
    absl::string_view name;
    absl::string_view next;
  };
  const Case cases[] = {
      {"a.b.0.c(", "a.b.0.c", "("},
      {"2d.x", "2d.x", ""},
      {"a. b", "a", "."},
      {"a..b", "a", "."},
      {"1e-5", "1e", "-5"},
      {".a", "", "."},
      {"-1", "", "-1"},
      {"", "", ""},
  };
  for (const Case& c : cases) {
    Scanner scanner(c.text);
    EXPECT_EQ(scanner.TakeDottedName(), c.name) << c.text;
    EXPECT_EQ(scanner.peek().text, c.next) << c.text;
  }
}

TEST(ScannerTest, CommentsEndWithTheirLineAndDoNotBeginInStrings) {
  EXPECT_THAT(Tokens("a # b\n\"#\" c#d"), ElementsAre("W:a", "S:\"#\"", "W:c"));
}

TEST(ScannerTest, ARunOfNewlinesIsOneTokenAndOnlyIfWanted) {
  EXPECT_THAT(Tokens("a\n\n # c\n b\n", /*report_newlines=*/true),
              ElementsAre("W:a", "L:\n", "W:b", "L:\n"));
  EXPECT_THAT(Tokens("a\n\n # c\n b\n"), ElementsAre("W:a", "W:b"));
}

TEST(ScannerTest, TokensSpacesAndCommentsAreAllOfTheText) {
  const absl::string_view text = "f\x01(\xc3\xa9 \"x\\\"\" ~1.5 'open\n;)";
  std::string joined;
  for (const std::string& token : Tokens(text)) joined += token.substr(2) + " ";
  EXPECT_EQ(joined, "f \x01 ( \xc3\xa9 \"x\\\"\" ~ 1.5 'open ; ) ");
}

TEST(ScannerTest, ErrorsHaveLineColumnFoundAndExpected) {
  Scanner scanner("a\n  bc = \"x\"", /*report_newlines=*/false,
                  /*first_line=*/7);
  EXPECT_THAT(scanner.Expect("b"),
              StatusIs(kInvalid, "7:1: expected 'b', found 'a'"));
  scanner.Next();
  EXPECT_THAT(scanner.Expect("a"),
              StatusIs(kInvalid, "8:3: expected 'a', found 'bc'"));
  scanner.Next();
  scanner.Next();
  EXPECT_THAT(scanner.Expected("a number"),
              StatusIs(kInvalid, "8:8: expected a number, found \"x\""));
  scanner.Next();
  EXPECT_THAT(scanner.Expected("';'"),
              StatusIs(kInvalid, "8:11: expected ';', found the end"));
  EXPECT_THAT(scanner.ErrorAt(4, "here"), StatusIs(kInvalid, "8:3: here"));
}

TEST(ScannerTest, MessagesShowOddTextSafely) {
  EXPECT_THAT(Scanner("'open").Expected("x"),
              StatusIs(kInvalid, HasSubstr("a string that does not end")));
  EXPECT_THAT(Scanner("\x01").Expected("x"),
              StatusIs(kInvalid, HasSubstr("'\\x01'")));
  const std::string message =
      std::string(Scanner(std::string(1000, 'a')).Expected("x").message());
  EXPECT_LT(message.size(), 100);
}

TEST(ScannerTest, ASavedPositionBringsEverythingBack) {
  Scanner scanner("a b.c d");
  scanner.Next();
  const Scanner::Position position = scanner.Save();
  while (!scanner.AtEnd()) scanner.Next();
  scanner.Restore(position);
  EXPECT_FALSE(scanner.FollowsDirectly());
  EXPECT_EQ(scanner.TextSince(0), "a");
  EXPECT_TRUE(scanner.Take("b"));
  EXPECT_TRUE(scanner.FollowsDirectly());
  scanner.Next();
  scanner.Next();
  EXPECT_EQ(scanner.TextSince(2), "b.c");
}

TEST(UnquoteStringTest, EscapesStandForTheirBytes) {
  std::string out;
  ASSERT_THAT(
      UnquoteString(R"("a\"\'\\\n\t\r\f\v\b\a\0\x41\xfF\101\7z\1234")", &out),
      IsOk());
  EXPECT_EQ(out, std::string("a\"'\\\n\t\r\f\v\b\a\0A\xff"
                             "A\7zS4",
                             19));
  ASSERT_THAT(UnquoteString(R"('"')", &out), IsOk());
  EXPECT_EQ(out, "\"");
}

TEST(UnquoteStringTest, OtherEscapesAreRefused) {
  std::string out;
  for (absl::string_view token :
       {R"("\q")", R"("\x4")", R"("\xg0")", R"("\400")", R"("\8")", R"("\")",
        R"("a)", R"("a')", R"(")", "", "a"}) {
    EXPECT_THAT(UnquoteString(token, &out), StatusIs(kInvalid)) << token;
  }
}

}  // namespace
}  // namespace opcompat
