#include "compat_matrix/reports/plain_text.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "compat_matrix/reports/testing.h"
#include "compat_matrix/result.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

TEST(PlainText, ValidTextStaysAsItIs) {
  const std::string text = "caf\xc3\xa9 \xe2\x86\x92 \xf0\x9f\x98\x80\n\tend";
  EXPECT_EQ(PlainText(text), text);
}

TEST(PlainText, WhatIsNotUtf8IsReplaced) {
  const std::string bad = "\xef\xbf\xbd";
  for (const std::string bytes :
       {"\xff", "\xc3", "\x80", "\xc0\x80", "\xe2\x82", "\xed\xa0\x80",
        "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xe0\x80\x80"}) {
    const std::string plain = PlainText(absl::StrCat("a", bytes, "b"));
    EXPECT_EQ(plain.substr(0, 4), absl::StrCat("a", bad)) << bytes;
    EXPECT_EQ(plain.back(), 'b') << bytes;
  }
}

TEST(PlainText, ControlCharactersAreSpelled) {
  EXPECT_EQ(PlainText(std::string("\0\x1b\x7f\r", 4)), "\\x00\\x1b\\x7f\\x0d");
  EXPECT_EQ(PlainText("\xc2\x85"), "\\x85");
  EXPECT_EQ(PlainText("\xe2\x80\xa8\xef\xbb\xbf"), "\\u2028\\ufeff");
  EXPECT_EQ(PlainLine("a\n\tb"), "a\\n\\tb");
}

TEST(PlainText, PlainTextIsPlain) {
  EXPECT_EQ(PlainText(PlainText(kNastyText)), PlainText(kNastyText));
  EXPECT_EQ(PlainLine(PlainLine(kNastyText)), PlainLine(kNastyText));
}

TEST(PlainText, ShortenedCutsNoCharacter) {
  EXPECT_EQ(Shortened("abc", 3), "abc");
  EXPECT_EQ(Shortened("abcd", 3), "abc ...");
  EXPECT_EQ(Shortened("ab\xf0\x9f\x98\x80", 4), "ab ...");
  EXPECT_EQ(Shortened("\xf0\x9f\x98\x80", 2), " ...");
}

TEST(PlainText, ACellIsNamedAsPatternsNameIt) {
  const MatrixResult result = EveryState();
  const ModuleCells& module = result.modules[0];
  EXPECT_EQ(CellName(result.names, module, module.cells[2]),
            "modules/plain.graph t 1->2! in-process");
  RunNames names;
  names.testees = {"in-process", "old"};
  names.authors = {"in-process", "writer"};
  EXPECT_EQ(CellName(names, module, module.cells[6]),
            "modules/plain.graph t 2->2 writer=>old");
  names.testees = {"in-process"};
  EXPECT_EQ(CellName(names, module, module.cells[1]),
            "modules/plain.graph t 1->2");
}

}  // namespace
}  // namespace opcompat
