// Module text with the operators of the demo and of the golden files, at the
// versions that the text names.

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "fuzz/runtimes.h"
#include "fuzz/targets/graph_text_check.h"
#include "ir/text/module_parser.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  opcompat::CheckGraphText(
      text, opcompat::RuntimeFor(opcompat::ReadOpsetLines(text)));
  return 0;
}
