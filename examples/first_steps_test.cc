// The example of README.md, run. The lines between the markers are the ones
// that README.md shows; a test holds the two together.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "deserializer/deserialize.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/text/history_loader.h"
#include "ir/text/module_parser.h"
#include "ir/text/module_printer.h"
#include "serializer/serialize.h"

namespace opcompat {
namespace {

using ::testing::HasSubstr;

TEST(FirstSteps, AnOldVersionReadsWhatANewOneWrote) {
  // README begin
  auto history = *LoadHistoryOrError("opsets/demo");
  Runtime writer = *Runtime::Create({*history->At("1.3")});
  Runtime reader = *Runtime::Create({*history->At("1.0")});
  Module module = *ParseModule(R"(
    func forward(%x : Tensor) -> (Tensor):
      %y : Tensor = demo::blur(%x, radius=0)
      return (%y))",
                               writer);
  std::string bytes = *Serialize(module, writer);
  absl::StatusOr<Loaded> loaded = Deserialize(bytes, reader);
  if (!loaded.ok()) std::cerr << loaded.status().message() << "\n";
  // README end
  ASSERT_TRUE(loaded.ok());
  EXPECT_THAT(PrintModule(loaded->module), HasSubstr("= demo::blur(%x)"));
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// What stands between two lines, without the lines' common indentation.
std::string Between(absl::string_view text, absl::string_view begin,
                    absl::string_view end, size_t indentation) {
  std::string between;
  bool inside = false;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (inside && absl::StrContains(line, end)) break;
    if (inside) {
      line.remove_prefix(std::min(indentation, line.size()));
      between += std::string(line) + "\n";
    }
    if (absl::StrContains(line, begin)) inside = true;
  }
  return between;
}

TEST(FirstSteps, TheReadmeShowsTheLinesThatWereRun) {
  const std::string shown = Between(ReadFile("README.md"), "```cpp", "```", 0);
  ASSERT_FALSE(shown.empty());
  EXPECT_EQ(shown, Between(ReadFile("examples/first_steps_test.cc"),
                           "// README begin", "// README end", 2));
}

TEST(FirstSteps, TheReadmeShowsTheRefusalThatIsGiven) {
  auto history = *LoadHistoryOrError("opsets/demo");
  const Runtime writer = *Runtime::Create({*history->At("1.3")});
  const Runtime reader = *Runtime::Create({*history->At("1.0")});
  const Module module = *ParseModule(
      "func forward(%x : Tensor) -> (Tensor):\n"
      "  %y : Tensor = demo::blur(%x)\n"
      "  return (%y)",
      writer);
  const absl::StatusOr<Loaded> loaded =
      Deserialize(*Serialize(module, writer), reader);
  ASSERT_FALSE(loaded.ok());
  EXPECT_THAT(ReadFile("README.md"),
              HasSubstr(std::string(loaded.status().message())));
}

}  // namespace
}  // namespace opcompat
