// A file of operators (.ops) as the only version of a history.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "fuzz/check.h"
#include "fuzz/targets/history_check.h"
#include "schema/text/schema_parser.h"

namespace opcompat {
namespace {

constexpr size_t kMaxSize = 8192;

void TestOne(absl::string_view text) {
  const SchemaFile file = ParseSchemaFile(text);
  for (const SchemaLine& line : file.lines) {
    ExpectAnswerCode(line.schema.status(), "a line");
  }
  // The history that the header names, so that it can be a good one.
  const auto word = [](const std::string& name, absl::string_view otherwise) {
    return absl::CEscape(name.empty() ? otherwise : name);
  };
  CheckHistoryFiles(
      {{"history.textproto",
        absl::StrCat("name: \"", word(file.opset, "t"), "\"\nversions { id: \"",
                     word(file.version, "1"), "\" operators: \"1.ops\" }\n")},
       {"1.ops", std::string(text)}});
}

}  // namespace
}  // namespace opcompat

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > opcompat::kMaxSize) return -1;
  opcompat::TestOne(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
