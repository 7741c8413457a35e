// Makes the seed corpora of the fuzz targets from what ships: opsets, modules,
// golden files, simulated histories. The same on every machine.
//
//   bazel run //fuzz:make_seeds
//
// writes fuzz/corpora in the source tree; an argument is another directory.
// Files that are there and not made are left alone: somebody put them there.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "compat_matrix/gold.h"
#include "compat_matrix/simulation/simulated_history.h"
#include "compat_matrix/testees/testee.pb.h"
#include "fuzz/check.h"
#include "fuzz/targets/frame_stream.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "opsets/demo/demo.h"
#include "schema/faulty_histories.h"
#include "schema/history.h"
#include "schema/text/history_text.h"
#include "schema/text/schema_generator.h"
#include "schema/value.h"
#include "serializer/compile_history.h"
#include "serializer/serialize.h"
#include "wire/testing/sample_modules.h"

namespace opcompat {
namespace {

namespace fs = std::filesystem;

// What is larger is no good seed: engines copy and change all of it.
constexpr size_t kMaxSeed = 4096;
constexpr uint64_t kSimulated = 8;

// Of a target: contents by the name of the file.
using Seeds = std::map<std::string, std::string>;

std::string Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) Fail(absl::StrCat(path.string(), ": cannot read"));
  return {std::istreambuf_iterator<char>(file), {}};
}

// The files of a directory that end in `suffix`, by name.
Seeds FilesIn(const std::string& directory, absl::string_view suffix) {
  Seeds files;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (absl::EndsWith(name, suffix)) files[name] = Read(entry.path());
  }
  if (files.empty()) Fail(absl::StrCat(directory, ": no ", suffix));
  return files;
}

std::string Written(const SampleModule& sample) {
  return ValueOf(Serialize(sample.module, sample.writer), sample.name);
}

void Add(const std::string& name, const std::string& contents, Seeds* seeds) {
  if (contents.size() <= kMaxSeed) (*seeds)[name] = contents;
}

std::string FileName(absl::string_view text) {
  std::string name;
  for (const char c : text) {
    if (absl::ascii_isalnum(static_cast<unsigned char>(c))) {
      name.push_back(c);
    } else if (!name.empty() && name.back() != '_') {
      name.push_back('_');
    }
  }
  return name.substr(0, 60);
}

simulation::SimulatedHistory Simulated(uint64_t seed) {
  simulation::SimulationOptions options;
  options.num_versions = 3;
  options.num_operators = 2;
  return ValueOf(simulation::SimulateHistory(seed, options), "simulated");
}

Seeds DeserializerSeeds() {
  Seeds seeds = FilesIn("compat_matrix/golden", ".opc");
  for (auto& [name, file] : FilesIn("compat_matrix/golden/future", ".opc")) {
    seeds["future_" + name] = file;
  }
  for (const SampleModule& sample : DemoModules()) {
    // One version of each: the last one at which it is valid.
    const std::string name = sample.name.substr(0, sample.name.find('.'));
    Add(absl::StrCat("demo_", name, ".opc"), Written(sample), &seeds);
  }
  for (const SampleModule& sample : TorchModules()) {
    const std::string file = Written(sample);
    if (file.size() > kMaxSeed / 2) continue;
    Add(absl::StrCat(FileName(sample.name), ".opc"), file, &seeds);
  }
  return seeds;
}

Seeds CompiledHistorySeeds() {
  Seeds seeds;
  for (uint64_t seed = 1; seed <= kSimulated; ++seed) {
    Add(absl::StrCat("simulated_", seed, ".opch"),
        ValueOf(CompileHistory(*Simulated(seed).history()), "simulated"),
        &seeds);
  }
  seeds["demo.opch"] = std::string(opcompat_histories::demo());
  seeds["gold.opch"] = std::string(opcompat_histories::gold());
  return seeds;
}

// What is in a schema, names left out: words of types, literals, signs.
std::set<std::string> Parts(absl::string_view schema) {
  std::set<std::string> parts;
  std::string part;
  const size_t open = schema.find('(');
  for (const char c : schema.substr(std::min(open, schema.size()))) {
    const bool in_word =
        absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
    if (!in_word) {
      // A word before a comma or `)` is mostly the name of an argument.
      if (c != ',' && c != ')') parts.insert(part + c);
      part.clear();
    }
    part.push_back(c);
  }
  return parts;
}

// What no operator that ships has: spellings of literals and types that are
// right, and some that are wrong each in its own way.
constexpr absl::string_view kSchemas[] = {
    R"(t::f(float a=nan(0x7ff8000000000001), float b=-nan, float c=-inf) -> ())",
    R"(t::f(complex c=1+2j, complex d=2j, complex e=3, Scalar f=1.0-2.0j) -> ())",
    R"(t::f(str a=' \n\t\r\f\v\b\a', str b="\"\'\\", str c="\303\xA9") -> ())",
    R"(t::f(Dict(str, int) d={}, Dict(str, int)? e={"a": 1, "b": 2}) -> ())",
    R"(t::f((int, str) p=(1, "x"), (int,) q=(2,), int[][] n=[[1], []]) -> ())",
    R"(t::f(int[2] a=1, int[2]? b=[1, 2], int[2] c=[], float[3] d=1) -> ())",
    R"(t::f(ScalarType a=long, Layout b=strided, Reduction c=Mean) -> ())",
    R"(t::f(Future(t) a, RRef(int[]) b, Await(Tensor?)[] c) -> Future(t))",
    R"(t::f(NamedTuple(a : int, b : Tensor?) a, ((str, t)[], ())? b) -> ())",
    R"(t::f((Tensor(a), Tensor(b|c! -> *))[] a, Tensor! b) -> Tensor(a|b))",
    R"(t::f(__torch__.torch.classes.rnn.Params[] a, AnyClassType? b) -> ...)",
    R"(t::f(bool a=True, *, SymBool b=False, SymInt[1] c=1, ...) -> (int r))",
    R"(t::f(Any a, QScheme b, NoneType c=None, Generator? d=None) -> ())",
    R"(t::f(int a=1, int a=2) -> ())",
    R"(t::f(Dict(str, int) d={"a": 1, "a": 2}) -> ())",
    R"(t::f(Dict(str, int) d={"a": 1, 2}) -> ())",
    R"(t::f(int[2] a=[1, 2, 3]) -> ())",
    R"(t::f(int a=9223372036854775808) -> ())",
    R"(t::f(float a=1e999) -> ())",
    R"(t::f(float a=nan(0x1)) -> ())",
    R"(t::f(float a=-nan(0x7ff8000000000001)) -> ())",
    R"(t::f(float a=nan(0xxyz)) -> ())",
    R"(t::f(int a=-0) -> ())",
    R"(t::f(str a="\xg0", str b="\400", str c="\q") -> ())",
    R"(t::f(str a="open) -> ())",
    R"(t::f(t a=[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[)",
    R"(t::f(int[][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][]["
    R"([][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][] a) -> ())",
    R"(t::f(int[64][64][64][64][64] a=1) -> ())",
    R"(t::f(Tensor a=tensor(float32, [2], hex"0000803f00000000")) -> ())",
    R"(t::f(Tensor a=tensor(float32, [-1], hex"")) -> ())",
    R"(t::f(int a=1, int b) -> ())",
    R"(t::f(NamedTuple(a : int, 2) a) -> ())",
};

// Schemas with something that none before them has.
Seeds SchemaTextSeeds() {
  constexpr size_t kMaxSchemas = 300;
  constexpr uint64_t kGenerated = 30;
  Seeds seeds;
  for (size_t i = 0; i < std::size(kSchemas); ++i) {
    Add(absl::StrCat("spelling_", i), std::string(kSchemas[i]), &seeds);
  }
  for (uint64_t seed = 0; seed < kGenerated; ++seed) {
    Add(absl::StrCat("generated_", seed),
        SchemaGenerator(seed).NextSchema().ToString(), &seeds);
  }
  std::set<std::string> seen;
  for (const char* path :
       {"compat_matrix/golden/gold-2.0.ops", "opsets/demo/demo-1.3.ops",
        "opsets/torch/torch-2.6.0.ops"}) {
    const std::string text = Read(path);
    for (const absl::string_view line : absl::StrSplit(text, '\n')) {
      if (line.empty() || line[0] == '#' || absl::StartsWith(line, "opset ")) {
        continue;
      }
      size_t before = seen.size();
      for (const std::string& part : Parts(line)) seen.insert(part);
      if (seen.size() == before || seeds.size() >= kMaxSchemas) continue;
      Add(FileName(line.substr(0, line.find('('))), std::string(line), &seeds);
    }
  }
  return seeds;
}

Seeds OpsFileSeeds() {
  Seeds seeds = FilesIn("opsets/demo", ".ops");
  seeds.merge(FilesIn("compat_matrix/golden", ".ops"));
  // PyTorch's, a piece here and there.
  const std::string torch = Read("opsets/torch/torch-2.6.0.ops");
  for (size_t piece = 1; piece <= 8; ++piece) {
    const size_t at = torch.find('\n', torch.size() / 10 * piece) + 1;
    const size_t end = torch.find('\n', at + 1500) + 1;
    seeds[absl::StrCat("torch_", piece, ".ops")] =
        absl::StrCat("opset torch 2.6.0\n", torch.substr(at, end - at));
  }
  return seeds;
}

simulation::HistoryFiles HistoryIn(const std::string& directory) {
  simulation::HistoryFiles files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    const std::string path =
        entry.path().lexically_relative(directory).generic_string();
    if (path == "history.textproto" || absl::EndsWith(path, ".ops") ||
        absl::StartsWith(path, "steps/")) {
      files[path] = Read(entry.path());
    }
  }
  return files;
}

std::string TextOf(const std::vector<VersionText>& versions) {
  simulation::HistoryFiles files;
  for (const auto& [path, text] : HistoryFiles(versions)) {
    files[std::string(absl::StripPrefix(path, "h/"))] = text;
  }
  return simulation::FilesText(files);
}

Seeds HistoryFileSeeds() {
  Seeds seeds;
  for (uint64_t seed = 1; seed <= 2 * kSimulated; ++seed) {
    Add(absl::StrCat("simulated_", seed, ".txt"),
        simulation::FilesText(Simulated(seed).files), &seeds);
  }
  for (const FaultyHistory& faulty : FaultyHistories()) {
    seeds[absl::StrCat("fault_", faulty.name, ".txt")] =
        TextOf(faulty.versions);
  }
  // Types that change inside of others, marks in another order.
  const std::pair<const char*, const char*> kChanges[] = {
      {"t::f((int, str) a) -> int", "t::f((SymInt, str) a) -> int"},
      {"t::f(NamedTuple(x : int) a) -> int",
       "t::f(NamedTuple(x : SymInt) a) -> int"},
      {"t::f(Future(int) a) -> int", "t::f(Future(SymInt) a) -> int"},
      {"t::f(Dict(str, int)[] a) -> int", "t::f(Dict(str, SymInt)[] a) -> int"},
      {"t::f(bool a=True) -> int", "t::f(SymBool a=True) -> int"},
      {"t::f(int[2] a=1) -> int", "t::f(int[] a=[1, 1]) -> int"},
      {"t::f(int[2] a=1) -> int", "t::f(int[3] a=1) -> int"},
      {"t::f(Tensor(a|b) x, Tensor(a) y) -> Tensor(b|a)",
       "t::f(Tensor(b|a) x, Tensor(a) y) -> Tensor(a|b)"},
      {"t::f(Tensor(a!) x) -> Tensor(a!)", "t::f(Tensor(c!) x) -> Tensor(c!)"},
  };
  for (const auto& [before, after] : kChanges) {
    seeds[absl::StrCat("change_", seeds.size(), ".txt")] =
        TextOf({{before}, {after}});
  }
  seeds["demo.txt"] = simulation::FilesText(HistoryIn("opsets/demo"));
  seeds["gold.txt"] = simulation::FilesText(HistoryIn("compat_matrix/golden"));
  return seeds;
}

// Literals whose types nothing but themselves says, and values of types that no
// golden file has. `%p`: a parameter, of the type behind the `|`.
constexpr absl::string_view kPicked[] = {
    "[]",
    "[1, 2]",
    "[1, \"a\"]",
    "[None, 1]",
    "[None, None]",
    "[1j, 2.5+1j]",
    "[{\"a\": 1}]",
    "[{\"a\": 1, \"a\": 2}]",
    "[{}]",
    "[[1], [2.0]]",
    "[[1], []]",
    "[(1, \"x\"), (2, \"y\")]",
    "[long]",
    "[tensor(float32, [1], hex\"0000803f\")]",
    "%p|Future(int)[]",
    "%p|RRef(Tensor?)[]",
    "%p|Await((int, str))[]",
    "%p|NamedTuple(a : int, b : Tensor)[]",
    "%p|Dict(str, float)[]",
    "%p|SymBool[]",
    "%p|Future(t)[]",
    "%p|Tensor",
};

std::string PickText(absl::string_view picked) {
  const std::vector<std::string> parts = absl::StrSplit(picked, '|');
  return absl::StrCat(
      "opset gold 2.0\nfunc f(",
      parts.size() == 2 ? absl::StrCat("%p : ", parts[1], ", ") : "",
      "%x : Tensor) -> (Tensor):\n  %y : ",
      parts.size() == 2 ? absl::StripSuffix(parts[1], "[]") : "int",
      " = gold::pick(", parts[0], ")\n  return (%x)\n");
}

Seeds GraphTextSeeds() {
  Seeds seeds;
  for (size_t i = 0; i < std::size(kPicked); ++i) {
    seeds[absl::StrCat("pick_", i)] = PickText(kPicked[i]);
  }
  for (const auto& [name, text] : FilesIn("compat_matrix/golden", ".graph")) {
    Add(name, text, &seeds);
  }
  for (const auto& [name, text] : FilesIn("opsets/demo/modules", ".graph")) {
    Add("demo_" + name, text, &seeds);
  }
  return seeds;
}

Seeds TorchGraphTextSeeds() {
  Seeds seeds;
  for (const auto& [name, text] :
       FilesIn("opsets/torch/models/2.6.0", ".graph")) {
    Add(name, text, &seeds);
  }
  return seeds;
}

// As a tensor at a multiple of 64 behind the message, and beside small ones.
Seeds LargeTensorsSeeds() {
  Seeds seeds;
  seeds["golden.opc"] = Read("compat_matrix/golden/bulk_tensors.opc");
  for (const std::vector<size_t>& sizes :
       {std::vector<size_t>{1024}, std::vector<size_t>{1023, 1024, 1025},
        std::vector<size_t>{1100, 1100}, std::vector<size_t>{0, 1, 1500}}) {
    SampleModule sample = ModuleOf("t::f(Tensor x) -> Tensor",
                                   "opset t 1\n"
                                   "func f(%x : Tensor) -> (Tensor):\n"
                                   "  %y : Tensor = t::f(%x)\n"
                                   "  return (%y)\n");
    std::string name = "tensors";
    for (const size_t size : sizes) {
      TensorData data;
      data.dtype = "uint8";
      data.shape = {static_cast<int64_t>(size)};
      const auto bytes = std::make_shared<const std::string>(
          size, static_cast<char>(sample.module.tensors.size() % 2));
      data.bytes = *bytes;
      data.owner = bytes;
      sample.module.tensors.push_back(
          {absl::StrCat("w", sample.module.tensors.size()),
           ConstantId(static_cast<uint32_t>(sample.module.constants.size()))});
      sample.module.constants.push_back(Value::Tensor(std::move(data)));
      absl::StrAppend(&name, "_", size);
    }
    seeds[name + ".opc"] = Written(sample);
  }
  return seeds;
}

// Streams of one message of each kind, and all of them.
template <typename Message>
Seeds StreamSeeds(std::vector<Message> messages) {
  Seeds seeds;
  std::vector<std::string> all;
  for (Message& message : messages) {
    message.set_id(1);
    all.push_back(message.SerializeAsString());
    Add(absl::StrCat("message_", all.size()), StreamOf({all.back()}), &seeds);
  }
  Add("all", StreamOf(all), &seeds);
  return seeds;
}

Seeds TesteeRequestsSeeds() {
  const simulation::SimulatedHistory simulated = Simulated(1);
  const OpsetHistory& history = *simulated.history();
  std::vector<testee::Request> requests(4);
  requests[0].mutable_hello()->set_protocol_version(1);
  testee::History* told = requests[1].mutable_set_histories()->add_histories();
  told->set_name(history.name());
  told->set_compiled(ValueOf(CompileHistory(history), "simulated"));
  const auto version = [&](size_t i, testee::Version* message) {
    message->set_history(history.name());
    message->set_id(history.versions()[i].version());
  };
  requests[2].mutable_read()->set_file(
      Read("compat_matrix/golden/smallest.opc"));
  version(2, requests[2].mutable_read()->add_reader());
  requests[3].mutable_write()->set_module(
      Read("compat_matrix/golden/smallest.graph"));
  version(2, requests[3].mutable_write()->add_writer());
  version(0, requests[3].mutable_write()->add_target());
  return StreamSeeds(requests);
}

Seeds TesteeAnswersSeeds() {
  std::vector<testee::Answer> answers(7);
  answers[0].mutable_hello()->set_protocol_version(1);
  answers[0].mutable_hello()->add_abilities("read");
  answers[1].mutable_done();
  answers[2].mutable_accepted()->set_module(
      Read("opsets/demo/modules/blur_plain.graph"));
  testee::OperatorReport* report =
      answers[2].mutable_accepted()->mutable_report()->add_operators();
  report->set_operator_("demo::blur");
  report->set_calls(1);
  testee::Reason* reason = answers[3].mutable_refused()->add_reasons();
  reason->set_code("unknown_argument");
  reason->set_message("it is unknown");
  answers[4].mutable_written()->set_file(
      Read("compat_matrix/golden/smallest.opc"));
  answers[5].set_error("why");
  answers[6].mutable_unsupported()->set_message("what");
  return StreamSeeds(answers);
}

int RealMain(int argc, char** argv) {
  const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  if (argc > 2 || (argc == 1 && workspace == nullptr)) {
    std::fprintf(stderr, "usage: make_seeds [DIRECTORY]\n");
    return 2;
  }
  const fs::path corpora =
      argc == 2 ? fs::path(argv[1]) : fs::path(workspace) / "fuzz/corpora";
  const std::map<std::string, std::function<Seeds()>> makers = {
      {"deserializer", DeserializerSeeds},
      {"compiled_history", CompiledHistorySeeds},
      {"schema_text", SchemaTextSeeds},
      {"ops_file", OpsFileSeeds},
      {"history_file", HistoryFileSeeds},
      {"graph_text", GraphTextSeeds},
      {"torch_graph_text", TorchGraphTextSeeds},
      {"testee_requests", TesteeRequestsSeeds},
      {"testee_answers", TesteeAnswersSeeds},
      {"large_tensors", LargeTensorsSeeds},
  };
  for (const auto& [target, make] : makers) {
    const Seeds seeds = make();
    size_t bytes = 0;
    fs::create_directories(corpora / target);
    for (const auto& [name, contents] : seeds) {
      std::ofstream(corpora / target / name, std::ios::binary) << contents;
      bytes += contents.size();
    }
    std::printf("%-18s %4zu seeds, %7zu bytes\n", target.c_str(), seeds.size(),
                bytes);
  }
  return 0;
}

}  // namespace
}  // namespace opcompat

int main(int argc, char** argv) { return opcompat::RealMain(argc, argv); }
