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
#include "deserializer/mapped_file.h"
#include "deserializer/tensor_memory.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/text/history_loader.h"
#include "ir/text/module_parser.h"
#include "ir/text/module_printer.h"
#include "schema/value.h"
#include "serializer/output_file.h"
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

TEST(FirstSteps, TensorsOfAFileAreUsedWhereTheyLie) {
  auto history = *LoadHistoryOrError("opsets/demo");
  const Runtime writer = *Runtime::Create({*history->At("1.3")});
  const Runtime reader = *Runtime::Create({*history->At("1.0")});
  const Module module =
      *ParseModule("tensor w : uint8[2000] = hex\"" + std::string(4000, '7') +
                       "\"\n"
                       "func forward(%x : Tensor) -> (Tensor):\n"
                       "  return (%x)",
                   writer);
  const std::string path = testing::TempDir() + "/tensors.opc";
  // README file begin
  auto out = *OutputFile::Create(path);
  absl::Status written = SerializeTo(module, writer, {}, out.get());
  if (written.ok()) written = out->Commit();  // else the old file stays

  auto file = *MappedFile::Open(path);
  DeserializeOptions options;
  options.tensors = TensorMemory::KeptBy(file);
  absl::StatusOr<Loaded> loaded = Deserialize(file->bytes(), reader, options);
  // README file end
  ASSERT_TRUE(written.ok());
  ASSERT_TRUE(loaded.ok());
  const Value& tensor =
      loaded->module.constant(loaded->module.tensors[0].value);
  EXPECT_EQ(tensor.tensor().bytes, std::string(2000, 'w'));
  EXPECT_EQ(tensor.tensor().owner, file);
  EXPECT_EQ(tensor.tensor().bytes.end(), file->bytes().end());
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
  const std::string source = ReadFile("examples/first_steps_test.cc");
  EXPECT_EQ(shown, Between(source, "// README begin", "// README end", 2));
  EXPECT_THAT(ReadFile("README.md"),
              HasSubstr("```cpp\n" +
                        Between(source, "// README file begin",
                                "// README file end", 2) +
                        "```"));
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
