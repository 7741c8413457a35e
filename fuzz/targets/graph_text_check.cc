#include "fuzz/targets/graph_text_check.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "fuzz/check.h"
#include "ir/equality.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"
#include "ir/text/module_printer.h"
#include "ir/verifier.h"

namespace opcompat {

void CheckGraphText(absl::string_view text, const Runtime& runtime) {
  const absl::StatusOr<Module> module = ParseModule(text, runtime);
  if (!module.ok()) return ExpectAnswerCode(module.status(), "parsing");
  ExpectOk(Verify(*module), "what is parsed does not verify");
  const std::string printed = PrintModule(*module);
  const Module again =
      ValueOf(ParseModule(printed, runtime), "what is printed does not parse");
  ExpectNone(FirstDifference(*module, again).value_or(""),
             "what is printed is another module");
  if (PrintModule(again) != printed) Fail("printed, parsed, printed differs");
}

}  // namespace opcompat
