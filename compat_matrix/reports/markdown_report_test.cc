#include "compat_matrix/reports/markdown_report.h"

#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compat_matrix/reports/testing.h"
#include "compat_matrix/result.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "serializer/byte_sink.h"

namespace opcompat {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Markdown(const MatrixResult& result) {
  std::string text;
  StringSink sink(&text);
  MarkdownReport report(result.names, {"a_run*", 1800000000}, nullptr, &sink);
  EXPECT_TRUE(WriteReport(result, &report).ok());
  return text;
}

TEST(MarkdownReport, TheSummaryComesFirst) {
  const std::string text = Markdown(EveryState());
  EXPECT_TRUE(absl::StartsWith(text, "# Compatibility matrix: not good\n"));
  EXPECT_THAT(text, HasSubstr("| 12 | 6 | 3 | 2 | 1 | 2 | 1 | 1 |\n"));
  EXPECT_THAT(text, HasSubstr("<code>a&#95;run&#42;</code>"));
  EXPECT_TRUE(absl::StartsWith(Markdown(LargeResult(2, 3, 0)),
                               "# Compatibility matrix: good\n"));
}

TEST(MarkdownReport, NoNameEndsItsBlock) {
  MatrixResult result;
  result.names.testees = {"in-process"};
  ModuleCells module;
  module.history = MakeHistory("h", "h", {"1"});
  module.module = "a````b\n```\n# not a heading";
  AddCell(0, 0, CellState::kMisread, false, &module);
  result.modules.push_back(std::move(module));
  const std::string text = Markdown(result);
  EXPECT_THAT(text, HasSubstr("\n`````text\nmisread: a````b\\n```\\n# not"));
  EXPECT_THAT(text, Not(HasSubstr("\n# not")));
}

TEST(MarkdownReport, ItIsLessThanOneMebibyteWhateverHappens) {
  MatrixResult result = LargeResult(30, 12, 4000);
  for (ModuleCells& module : result.modules) {
    for (CellOutcome& outcome : module.outcomes) {
      outcome.detail = std::string(3000, 'x');
    }
  }
  // Many tables, wide ones.
  for (int h = 0; h < 400; ++h) {
    ModuleCells module = result.modules[0];
    const std::string name = absl::StrCat("history ", h);
    module.history = MakeHistory(name, name, module.history->versions);
    result.modules.push_back(std::move(module));
  }
  const std::string text = Markdown(result);
  EXPECT_LE(text.size(), kMostMarkdownBytes);
  EXPECT_GT(text.size(), kMostMarkdownBytes / 2);
  EXPECT_THAT(text, HasSubstr("more bytes are left out here"));
  EXPECT_TRUE(absl::StartsWith(text, "# Compatibility matrix"));
}

}  // namespace
}  // namespace opcompat
