// Compiled histories, good and bad: every question to one is answered, and what
// loads compiles and loads as the same history.

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "fuzz/check.h"
#include "fuzz/runtimes.h"
#include "fuzz/sealed_mutator.h"
#include "fuzz/sealed_target.h"
#include "ir/text/module_parser.h"
#include "serializer/serialize.h"
#include "wire/testing/answer_problem.h"

namespace opcompat {
namespace {

// A file of the demo's first version, to be read with what the history has.
const std::vector<std::string>& Files() {
  static const auto* const files = [] {
    const Runtime& writer = DemoRuntimes()[0];
    const Module module = ValueOf(ParseModule(R"(
func forward(%x : Tensor) -> (Tensor):
  %a : Tensor = demo::blur(%x)
  %b : Tensor = demo::crop(%a)
  return (%b)
)",
                                              writer),
                                  "a module");
    return new std::vector<std::string>{
        ValueOf(Serialize(module, writer), "a file")};
  }();
  return *files;
}

}  // namespace

SealedForm FormOfInputs() { return CompiledHistoryForm(); }

void TestFile(absl::string_view file) {
  ExpectNone(CompiledHistoryAnswerProblem(file, Files()), "a compiled history");
}

}  // namespace opcompat
