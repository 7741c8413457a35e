// PyTorch's graphs as module text, with the operators of its newest version.

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "fuzz/runtimes.h"
#include "fuzz/targets/graph_text_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  opcompat::CheckGraphText(
      absl::string_view(reinterpret_cast<const char*>(data), size),
      opcompat::TorchRuntimes().back());
  return 0;
}
