// How long a large matrix takes: cells per second of a history with many
// versions and modules of the workload, on some threads or one shard.
//
//   bazel run --config=opt //benchmarks:matrix_scale -- 30 20 100 2 1/1
//
// (versions, modules, nodes of each, threads, shard). Times say something of
// one machine only; ratios between threads and shards say more.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "benchmarks/workload.h"
#include "benchmarks/workload_module.h"
#include "compat_matrix/matrix.h"
#include "compat_matrix/result.h"
#include "compat_matrix/run_units.h"
#include "ir/text/history_for_testing.h"
#include "ir/text/history_loader.h"
#include "ir/text/module_printer.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {
namespace benchmarks {
namespace {

// From one version to the next an operator gets an argument.
std::vector<TextVersion> Versions(int num_versions) {
  std::vector<std::string> schemas;
  for (const OperatorSchema& schema : WorkloadOperators()) {
    schemas.push_back(schema.ToString());
  }
  std::vector<TextVersion> versions;
  for (int v = 1; v <= num_versions; ++v) {
    if (v > 1) {
      std::string& schema = schemas[static_cast<size_t>(v) % schemas.size()];
      const bool has_keywords = absl::StrContains(schema, ", *, ");
      schema.insert(
          schema.find(") -> "),
          absl::StrCat(has_keywords ? "" : ", *", ", int added", v, "=0"));
    }
    TextVersion version;
    version.id = absl::StrCat(v);
    for (const std::string& schema : schemas) {
      absl::StrAppend(&version.operators, schema, "\n");
    }
    versions.push_back(std::move(version));
  }
  return versions;
}

// Without its opset line: every version writes it.
std::string ModuleText(uint32_t num_nodes, uint32_t seed,
                       const Runtime& writer) {
  const std::string text =
      PrintModule(WorkloadModule(MakeWorkload(num_nodes, seed), writer));
  std::string kept;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    if (!absl::StartsWith(line, "opset ")) absl::StrAppend(&kept, line, "\n");
  }
  return kept;
}

class Nothing : public ResultSink {
 public:
  absl::Status Add(const ModuleCells&) override { return absl::OkStatus(); }
};

int Main(int argc, char** argv) {
  int numbers[] = {30, 20, 100, 0};
  Shard shard;
  for (int i = 1; i < argc && i <= 4; ++i) {
    if (!absl::SimpleAtoi(argv[i], &numbers[i - 1])) return 2;
  }
  if (argc > 5) {
    const std::vector<std::string> parts = absl::StrSplit(argv[5], '/');
    if (parts.size() != 2 || !absl::SimpleAtoi(parts[0], &shard.index) ||
        !absl::SimpleAtoi(parts[1], &shard.count) || shard.index < 1 ||
        shard.index > shard.count) {
      return 2;
    }
    --shard.index;
  }
  MatrixOptions options;
  options.histories = {LoadText(Versions(numbers[0])).history};
  const Runtime writer =
      Runtime::Create({options.histories[0]->versions()[0]}).value();
  for (int m = 0; m < numbers[1]; ++m) {
    options.modules.push_back(
        {absl::StrCat(m), ModuleText(static_cast<uint32_t>(numbers[2]),
                                     static_cast<uint32_t>(m), writer)});
  }
  RunOptions run;
  run.threads = numbers[3];
  run.shard = shard;
  const auto units = ModuleUnits::Create(std::move(options)).value();
  Nothing sink;
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t cpu_begin = std::clock();
  const absl::StatusOr<MatrixSummary> summary =
      RunUnits({units.get()}, run, &sink);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  const double cpu =
      static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC;
  if (!summary.ok() || !summary->good()) {
    std::fprintf(stderr, "%s\n", summary.status().ToString().c_str());
    return 1;
  }
  const auto cells = static_cast<double>(summary->cells);
  std::printf(
      "%.0f cells (%.0f identical, %.0f refused): %.2f s, %.0f/s; %.2f s of "
      "processors, %.0f us a cell\n",
      cells, static_cast<double>(summary->identical),
      static_cast<double>(summary->refused), seconds, cells / seconds, cpu,
      cpu / cells * 1e6);
  return 0;
}

}  // namespace
}  // namespace benchmarks
}  // namespace opcompat

int main(int argc, char** argv) {
  return opcompat::benchmarks::Main(argc, argv);
}
