// Times of the wire: write, read, read for another version, print, parse, and
// what each is to be compared with. Ratios between rows of one run mean
// something; single times do not. `benchmarks/table.py` runs this and prints
// the ratios.
#include <zstd.h>

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "benchmarks/nested_baseline.h"
#include "benchmarks/workload.h"
#include "benchmarks/workload_module.h"
#include "compat_matrix/cell_runner.h"
#include "compat_matrix/result.h"
#include "compat_matrix/worker.h"
#include "deserializer/compiled_history.h"
#include "deserializer/deserialize.h"
#include "deserializer/tensor_memory.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"
#include "ir/text/module_printer.h"
#include "ir/verifier.h"
#include "schema/opset.h"
#include "serializer/compile_history.h"
#include "serializer/serialize.h"
#include "wire/module.pb.h"

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
    {"S", 100, 0, 0},       {"1k", 1000, 0, 0},
    {"M", 10000, 0, 0},     {"R", 10000, 100, 0},
    {"100k", 100000, 0, 0}, {"L", 1000000, 0, 0},
    {"X", 10000000, 0, 0},  {"W", 100, 0, size_t{64} << 20},
};
// Text, and cells of the matrix, take a second for more.
constexpr uint32_t kMostNodesOfText = 100000;

// What the rows of one case share; made when the first of them runs.
struct Inputs {
  Runtime writer = WorkloadRuntime(WorkloadVersion::kWriter);
  Runtime evolved = WorkloadRuntime(WorkloadVersion::kEvolved);
  Runtime upgraded = WorkloadRuntime(WorkloadVersion::kUpgraded);
  Module module;
  std::string bytes;
  std::string nested;
  std::string text;
  // What the file has beside the writer's schemas, and those.
  size_t schema_bytes = 0;
  size_t memory_bytes = 0;
  size_t packed_bytes = 0;
};

// The bytes of the operators' entries.
size_t SchemaBytes(const std::string& file) {
  wire::Module message;
  if (!message.ParseFromString(file)) return 0;
  size_t size = 0;
  for (const wire::Operator& entry : message.operators()) {
    size += entry.ByteSizeLong() + 2;
    for (const wire::Argument& argument : entry.arguments()) {
      size += message.strings(static_cast<int>(argument.names(0))).size() + 2;
    }
    size += message.strings(static_cast<int>(entry.names(0))).size() + 2;
  }
  return size;
}

// The size of the file after `zstd -3`.
size_t PackedBytes(const std::string& file) {
  std::string packed(ZSTD_compressBound(file.size()), '\0');
  const size_t size = ZSTD_compress(&packed[0], packed.size(), file.data(),
                                    file.size(), /*compressionLevel=*/3);
  return ZSTD_isError(size) != 0 ? file.size() : size;
}

template <typename T>
size_t BytesOf(const std::vector<T>& column) {
  return column.size() * sizeof(T);
}

// What the columns of the graph and its use lists take.
size_t MemoryBytes(const Module& module) {
  size_t size = 0;
  for (const Function& function : module.functions) {
    const Graph& graph = function.graph;
    const UseLists uses = ComputeUses(graph);
    size += BytesOf(graph.nodes) + BytesOf(graph.operands) +
            BytesOf(graph.blocks) + BytesOf(graph.value_types) +
            BytesOf(graph.value_nodes) + BytesOf(uses.begin) +
            BytesOf(uses.uses);
  }
  return size + BytesOf(module.constants);
}

const Inputs& InputsOf(const Case& c) {
  // Only the last case: the large ones take gigabytes.
  static auto* const last =
      new std::pair<std::string, std::unique_ptr<Inputs>>();
  if (last->first != c.name) {
    last->second.reset();
    auto inputs = std::make_unique<Inputs>();
    inputs->module = WorkloadModule(MakeWorkload(c.num_nodes, 1, c.period),
                                    inputs->writer, c.tensor_bytes);
    inputs->bytes = Serialize(inputs->module, inputs->writer).value();
    inputs->nested = WriteNested(inputs->module);
    if (c.num_nodes <= kMostNodesOfText) {
      inputs->text = PrintModule(inputs->module);
    }
    inputs->schema_bytes = SchemaBytes(inputs->bytes);
    inputs->packed_bytes = PackedBytes(inputs->bytes);
    inputs->memory_bytes =
        MemoryBytes(Deserialize(inputs->bytes, inputs->writer).value().module);
    *last = {c.name, std::move(inputs)};
  }
  return *last->second;
}

// Each row returns what it has made: giving that back is not its time.
std::string Write(const Inputs& in) {
  return Serialize(in.module, in.writer).value();
}
std::string WriteNestedProtobuf(const Inputs& in) {
  return WriteNested(in.module);
}

// To a verified module, with use lists.
using ReadResult = std::pair<Module, UseLists>;
ReadResult WithUses(Module module) {
  UseLists uses = ComputeUses(module.functions[0].graph);
  return {std::move(module), std::move(uses)};
}
ReadResult Read(const Inputs& in, const Runtime& reader) {
  return WithUses(std::move(Deserialize(in.bytes, reader).value().module));
}
ReadResult ReadSame(const Inputs& in) { return Read(in, in.writer); }
ReadResult ReadEvolved(const Inputs& in) { return Read(in, in.evolved); }
ReadResult ReadUpgraded(const Inputs& in) { return Read(in, in.upgraded); }

ReadResult ReadNestedProtobuf(const Inputs& in) {
  return WithUses(ReadNested(in.nested, in.writer));
}
size_t ParseNestedProtobuf(const Inputs& in) { return ParseNested(in.nested); }
// The bytes of tensors stay where they are, as in a mapped file.
Loaded ReadInPlace(const Inputs& in) {
  DeserializeOptions options;
  options.tensors = TensorMemory::Borrowed();
  options.check_tensor_hashes = false;
  return Deserialize(in.bytes, in.writer, options).value();
}
// Which of three versions can read the file.
int FindReaders(const Inputs& in) {
  int readers = 0;
  for (const Runtime* reader : {&in.writer, &in.evolved, &in.upgraded}) {
    readers += Deserialize(in.bytes, *reader).ok();
  }
  return readers;
}
std::string CopyBytes(const Inputs& in) { return in.bytes; }
// The module's columns, and nothing to parse.
ReadResult CopyModule(const Inputs& in) { return WithUses(in.module); }
std::string Print(const Inputs& in) { return PrintModule(in.module); }
Module Parse(const Inputs& in) {
  return ParseModule(in.text, in.writer).value();
}
absl::Status VerifyOnly(const Inputs& in) { return Verify(in.module); }

// A cell of the matrix: written, read, predicted and judged.
int RunCell(const Inputs& in, const Runtime& reader) {
  const std::vector<RuntimeVersion> versions = {{"1", reader}};
  auto history = std::make_shared<MatrixHistory>();
  history->versions = {"1"};
  Worker worker;
  worker.testees.push_back(InProcessTesteeFactory().make());
  worker.authors.push_back(InProcessAuthorFactory().make());
  CellRunner::Options options;
  options.history = history;
  options.versions = &versions;
  CellRunner runner(options, &worker);
  runner.AddWriter(0, in.writer, in.module);
  if (!IsGood(runner.Take("", "").cells[0].state)) std::abort();
  return 1;
}
int CellSame(const Inputs& in) { return RunCell(in, in.writer); }
int CellEvolved(const Inputs& in) { return RunCell(in, in.evolved); }
int CellUpgraded(const Inputs& in) { return RunCell(in, in.upgraded); }

// Processor time of this process, in seconds.
double ProcessorTime() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) * 1e-9;
}

template <auto kRun>
void TimeRow(benchmark::State& state, const Inputs& inputs) {
  for (auto _ : state) {
    const double begin = ProcessorTime();
    auto made = kRun(inputs);
    const double end = ProcessorTime();
    benchmark::DoNotOptimize(made);
    state.SetIterationTime(end - begin);
  }
}

struct Row {
  const char* name;
  void (*time)(benchmark::State& state, const Inputs& inputs);
  // Not for the largest modules, nor for tensors.
  bool is_slow = false;
};
constexpr Row kRows[] = {
    {"write", TimeRow<Write>},
    {"write_nested_protobuf", TimeRow<WriteNestedProtobuf>},
    {"read", TimeRow<ReadSame>},
    {"read_evolved", TimeRow<ReadEvolved>},
    {"read_upgraded", TimeRow<ReadUpgraded>},
    {"read_in_place", TimeRow<ReadInPlace>},
    {"readers", TimeRow<FindReaders>},
    {"read_nested_protobuf", TimeRow<ReadNestedProtobuf>},
    {"parse_nested_protobuf", TimeRow<ParseNestedProtobuf>},
    {"copy_bytes", TimeRow<CopyBytes>},
    {"copy_module", TimeRow<CopyModule>},
    {"verify", TimeRow<VerifyOnly>},
    {"cell", TimeRow<CellSame>, true},
    {"cell_evolved", TimeRow<CellEvolved>, true},
    {"cell_upgraded", TimeRow<CellUpgraded>, true},
    {"print", TimeRow<Print>, true},
    {"parse", TimeRow<Parse>, true},
};

void Time(benchmark::State& state, const Case& c, const Row& row) {
  const Inputs& inputs = InputsOf(c);
  row.time(state, inputs);
  const double nodes = c.num_nodes;
  state.counters["ns_per_node"] =
      benchmark::Counter(nodes, benchmark::Counter::kIsIterationInvariantRate |
                                    benchmark::Counter::kInvert);
  state.counters["bytes_per_node"] =
      static_cast<double>(inputs.bytes.size() - inputs.schema_bytes) / nodes;
  state.counters["schema_bytes"] = static_cast<double>(inputs.schema_bytes);
  state.counters["packed_bytes_per_node"] =
      static_cast<double>(inputs.packed_bytes) / nodes;
  state.counters["memory_per_node"] =
      static_cast<double>(inputs.memory_bytes) / nodes;
}

constexpr uint32_t kLargeOpset = 5000;

const std::string& LargeText() {
  static const auto* const text = new std::string(LargeOpsetText(kLargeOpset));
  return *text;
}

void LoadOpsetText(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(LargeHistory(LargeText()));
}

// To a runtime that reads files: nothing of an operator but its names.
void LoadOpsetCompiled(benchmark::State& state) {
  const std::string bytes = CompileHistory(*LargeHistory(LargeText())).value();
  for (auto _ : state) {
    const CompiledHistory history = CompiledHistory::Open(bytes).value();
    benchmark::DoNotOptimize(
        Runtime::Create({history.At("1").value()}).value());
  }
}

void RegisterAll() {
  benchmark::RegisterBenchmark("load_opset_text/5000", LoadOpsetText)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("load_opset_compiled/5000", LoadOpsetCompiled)
      ->Unit(benchmark::kMillisecond);
  for (const Case& c : kCases) {
    for (const Row& row : kRows) {
      if (row.is_slow &&
          (c.num_nodes > kMostNodesOfText || c.tensor_bytes > 0)) {
        continue;
      }
      benchmark::RegisterBenchmark(
          absl::StrCat(row.name, "/", c.name).c_str(),
          [&c, &row](benchmark::State& state) { Time(state, c, row); })
          ->UseManualTime();
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
