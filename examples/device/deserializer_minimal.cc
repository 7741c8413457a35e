// The smallest program that reads module files as a device does: a compiled
// history inside, no text parser, no protobuf library, no streams.
// docs/device.md shows it, and footprint_test watches its size.
//
//   deserializer_minimal FILE [VERSION]
//
// Prints what each function has become, or why the file is refused. Status 0:
// accepted; 1: refused; 2: usage, or the file cannot be read.

#include <cstdio>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "deserializer/compiled_history.h"
#include "deserializer/deserialize.h"
#include "examples/device/demo_history.h"
#include "schema/opset.h"

namespace {

bool ReadFile(const char* path, std::string* content) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return false;
  char buffer[4096];
  size_t got;
  while ((got = std::fread(buffer, 1, sizeof buffer, file)) > 0) {
    content->append(buffer, got);
  }
  const bool good = std::ferror(file) == 0;
  std::fclose(file);
  return good;
}

// What this program knows: one version of the demo operators. An empty
// `version` is the newest.
absl::StatusOr<opcompat::Runtime> MakeRuntime(absl::string_view version) {
  OPCOMPAT_ASSIGN_OR_RETURN(
      const opcompat::CompiledHistory history,
      opcompat::CompiledHistory::Open(opcompat_histories::demo_history()));
  if (version.empty()) version = history.versions().back();
  OPCOMPAT_ASSIGN_OR_RETURN(opcompat::Opset opset, history.At(version));
  return opcompat::Runtime::Create({std::move(opset)});
}

int Fail(const absl::Status& status, int code) {
  std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::fputs("usage: deserializer_minimal FILE [VERSION]\n", stderr);
    return 2;
  }
  const absl::StatusOr<opcompat::Runtime> runtime =
      MakeRuntime(argc == 3 ? argv[2] : "");
  if (!runtime.ok()) return Fail(runtime.status(), 2);
  std::string bytes;
  if (!ReadFile(argv[1], &bytes)) {
    std::fprintf(stderr, "%s: cannot be read\n", argv[1]);
    return 2;
  }
  const absl::StatusOr<opcompat::Loaded> loaded =
      opcompat::Deserialize(bytes, *runtime);
  if (!loaded.ok()) return Fail(loaded.status(), 1);
  for (const std::string& warning : loaded->report.warnings) {
    std::fprintf(stderr, "%s\n", warning.c_str());
  }
  for (const opcompat::Function& function : loaded->module.functions) {
    std::printf("%s: %zu nodes\n", function.name.c_str(),
                function.graph.num_nodes());
  }
  for (const opcompat::OperatorReport& op : loaded->report.operators) {
    std::printf("%s: %llu calls, %llu of them as written\n", op.op.c_str(),
                static_cast<unsigned long long>(op.calls),
                static_cast<unsigned long long>(op.identical));
  }
  return 0;
}
