// Times of the wire: write, read, read for another version, print, parse, which
// versions can read, and what each is to be compared with. Ratios between rows
// of one run mean something; single times do not. `benchmarks/table.py` runs
// this and prints the ratios.
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "benchmarks/nested_baseline.h"
#include "benchmarks/workload.h"
#include "benchmarks/workload_module.h"
#include "binding/bind_module.h"
#include "deserializer/decode.h"
#include "deserializer/deserialize.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"
#include "ir/text/module_printer.h"
#include "ir/verifier.h"
#include "schema/opset.h"
#include "serializer/serialize.h"

namespace opcompat {
namespace benchmarks {
namespace {

struct Case {
  const char* name;
  uint32_t num_nodes;
  uint32_t period;
  size_t tensor_bytes;
};
constexpr Case kCases[] = {
    {"S", 100, 0, 0},
    {"M", 10000, 0, 0},
    {"R", 10000, 100, 0},
    {"L", 1000000, 0, 0},
    {"W", 100, 0, size_t{64} << 20},
    {"X", 10000000, 0, 0},
};

// What the rows of one case share; made when the first of them runs.
struct Inputs {
  Runtime writer = WorkloadRuntime(WorkloadVersion::kWriter);
  Runtime evolved = WorkloadRuntime(WorkloadVersion::kEvolved);
  Runtime upgraded = WorkloadRuntime(WorkloadVersion::kUpgraded);
  Module module;
  std::string bytes;
  std::string nested;
  std::string text;
};

const Inputs& InputsOf(const Case& c) {
  // Only the last case: the large ones take gigabytes.
  static auto* const last = new std::pair<std::string, std::unique_ptr<Inputs>>();
  if (last->first != c.name) {
    last->second.reset();
    auto inputs = std::make_unique<Inputs>();
    inputs->module = WorkloadModule(MakeWorkload(c.num_nodes, 1, c.period),
                                    inputs->writer, c.tensor_bytes);
    inputs->bytes = Serialize(inputs->module, inputs->writer).value();
    inputs->nested = WriteNested(inputs->module);
    *last = {c.name, std::move(inputs)};
  }
  return *last->second;
}

using Run = void (*)(const Inputs&);

void Write(const Inputs& in) {
  benchmark::DoNotOptimize(Serialize(in.module, in.writer).value());
}
void WriteNestedProtobuf(const Inputs& in) {
  benchmark::DoNotOptimize(WriteNested(in.module));
}

// To a verified module, with use lists.
void Read(const Inputs& in, const Runtime& reader) {
  const Loaded loaded = Deserialize(in.bytes, reader).value();
  benchmark::DoNotOptimize(
      ComputeUses(loaded.module.functions[0].graph));
}
void ReadSame(const Inputs& in) { Read(in, in.writer); }
void ReadEvolved(const Inputs& in) { Read(in, in.evolved); }
void ReadUpgraded(const Inputs& in) { Read(in, in.upgraded); }

void ReadNestedProtobuf(const Inputs& in) {
  const Module module = ReadNested(in.nested, in.writer);
  benchmark::DoNotOptimize(ComputeUses(module.functions[0].graph));
}
void ParseNestedProtobuf(const Inputs& in) {
  benchmark::DoNotOptimize(ParseNested(in.nested));
}
void CopyBytes(const Inputs& in) {
  benchmark::DoNotOptimize(std::string(in.bytes));
}
// The module's columns, and nothing to parse.
void CopyModule(const Inputs& in) {
  const Module module = in.module;
  benchmark::DoNotOptimize(ComputeUses(module.functions[0].graph));
}
void VerifyOnly(const Inputs& in) {
  benchmark::DoNotOptimize(Verify(in.module));
}

struct Row {
  const char* name;
  Run run;
};
constexpr Row kRows[] = {
    {"write", Write},
    {"write_nested_protobuf", WriteNestedProtobuf},
    {"read", ReadSame},
    {"read_evolved", ReadEvolved},
    {"read_upgraded", ReadUpgraded},
    {"read_nested_protobuf", ReadNestedProtobuf},
    {"parse_nested_protobuf", ParseNestedProtobuf},
    {"copy_bytes", CopyBytes},
    {"copy_module", CopyModule},
    {"verify", VerifyOnly},
};

void Time(benchmark::State& state, const Case& c, Run run) {
  const Inputs& inputs = InputsOf(c);
  for (auto _ : state) run(inputs);
  const double nodes = c.num_nodes;
  state.counters["ns_per_node"] = benchmark::Counter(
      nodes, benchmark::Counter::kIsIterationInvariantRate |
                 benchmark::Counter::kInvert);
  state.counters["bytes_per_node"] =
      static_cast<double>(inputs.bytes.size()) / nodes;
}

void RegisterAll() {
  for (const Case& c : kCases) {
    for (const Row& row : kRows) {
      benchmark::RegisterBenchmark(
          absl::StrCat(row.name, "/", c.name).c_str(),
          [&c, run = row.run](benchmark::State& state) {
            Time(state, c, run);
          });
    }
  }
}

}  // namespace
}  // namespace benchmarks
}  // namespace opcompat

int main(int argc, char** argv) {
  opcompat::benchmarks::RegisterAll();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
