#include "fuzz/runtimes.h"

#include <string>

#include "absl/strings/string_view.h"
#include "compat_matrix/gold.h"
#include "deserializer/compiled_history.h"
#include "fuzz/check.h"
#include "opsets/demo/demo.h"
#include "opsets/torch/torch.h"

namespace opcompat {
namespace {

const std::vector<Runtime>* RuntimesOf(absl::string_view compiled) {
  const auto history = ValueOf(CompiledHistory::Open(compiled), "a history");
  auto* runtimes = new std::vector<Runtime>;
  for (const std::string& id : history.versions()) {
    runtimes->push_back(
        ValueOf(Runtime::Create({ValueOf(history.At(id), id)}), id));
  }
  return runtimes;
}

}  // namespace

const std::vector<Runtime>& DemoRuntimes() {
  static const auto* const runtimes = RuntimesOf(opcompat_histories::demo());
  return *runtimes;
}

const std::vector<Runtime>& TorchRuntimes() {
  static const auto* const runtimes = RuntimesOf(opcompat_histories::torch());
  return *runtimes;
}

const std::vector<Runtime>& GoldRuntimes() {
  static const auto* const runtimes = RuntimesOf(opcompat_histories::gold());
  return *runtimes;
}

const std::vector<Runtime>& RuntimesFor(
    const std::vector<OpsetVersion>& opsets) {
  for (const OpsetVersion& opset : opsets) {
    if (opset.name == "torch") return TorchRuntimes();
    if (opset.name == "gold") return GoldRuntimes();
  }
  return DemoRuntimes();
}

const Runtime& RuntimeFor(const std::vector<OpsetVersion>& opsets) {
  const std::vector<Runtime>& runtimes = RuntimesFor(opsets);
  for (const OpsetVersion& opset : opsets) {
    for (const Runtime& runtime : runtimes) {
      if (runtime.opsets()[0].name() == opset.name &&
          runtime.opsets()[0].version() == opset.version) {
        return runtime;
      }
    }
  }
  return runtimes.back();
}

}  // namespace opcompat
