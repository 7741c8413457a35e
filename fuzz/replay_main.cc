// Stands in for libFuzzer where the compiler has none: runs the fuzz target on
// the empty input and on every file named (or found in a directory named) on
// the command line, then on -runs=N mutations of them that -seed=S determines.
// An input under which the target dies goes to the test's outputs.

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
extern "C" __attribute__((weak)) int LLVMFuzzerInitialize(int* argc,
                                                          char*** argv);
extern "C" __attribute__((weak)) size_t LLVMFuzzerCustomMutator(
    uint8_t* data, size_t size, size_t max_size, unsigned int seed);
extern "C" __attribute__((weak)) size_t LLVMFuzzerCustomCrossOver(
    const uint8_t* data1, size_t size1, const uint8_t* data2, size_t size2,
    uint8_t* out, size_t max_out_size, unsigned int seed);
// Of a sanitizer, if one is linked in: sets what it calls before it ends the
// process.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(
    void (*callback)());

namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxMutatedSize = 4096;

// Decides all that is random.
std::mt19937& Random() {
  static std::mt19937 random;
  return random;
}

// The input that is being run, and where it goes if the target dies of it.
const std::string* current = nullptr;
std::string crash_path;

void SaveCurrent() {
  if (current == nullptr || crash_path.empty()) return;
  std::FILE* file = std::fopen(crash_path.c_str(), "wb");
  if (file == nullptr) return;
  std::fwrite(current->data(), 1, current->size(), file);
  std::fclose(file);
  std::fprintf(stderr,
               "The input of %zu bytes is \"crash\" in the test's outputs\n",
               current->size());
  current = nullptr;
}

void OnSignal(int signal) {
  SaveCurrent();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void Run(const std::string& input) {
  // A copy of the exact size, so that AddressSanitizer sees reads past its end.
  const std::vector<uint8_t> bytes(input.begin(), input.end());
  current = &input;
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  current = nullptr;
}

std::string Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s: cannot read\n", path.c_str());
    std::exit(2);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

// Reads the files of a directory in an order that does not depend on the disk.
void ReadDirectory(const fs::path& directory,
                   std::vector<std::string>& inputs) {
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(
           directory, fs::directory_options::follow_directory_symlink)) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) inputs.push_back(Read(path));
}

size_t Below(size_t n) { return static_cast<size_t>(Random()() % n); }

// Changes some bytes of `input`, or continues it as `other` begins.
void Mutate(std::string& input, const std::string& other) {
  for (size_t n = 1 + Below(4); n > 0; --n) {
    const size_t at = Below(input.size() + 1);
    switch (Below(4)) {
      case 0:
        input.insert(at, 1, static_cast<char>(Random()()));
        break;
      case 1:
        input.erase(at, 1 + Below(4));
        break;
      case 2:
        if (at < input.size()) input[at] ^= static_cast<char>(1 << Below(8));
        break;
      case 3:
        input.resize(at);
        input += other.substr(Below(other.size() + 1));
        break;
    }
  }
}

size_t MaxSize(const std::string& input) {
  return std::max(input.size(), kMaxMutatedSize);
}

void MutateCustom(std::string& input) {
  const size_t size = input.size();
  const size_t max_size = MaxSize(input);
  input.resize(max_size);
  input.resize(LLVMFuzzerCustomMutator(reinterpret_cast<uint8_t*>(input.data()),
                                       size, max_size, Random()()));
}

const uint8_t* Data(const std::string& input) {
  return reinterpret_cast<const uint8_t*>(input.data());
}

void CrossOverCustom(std::string& input, const std::string& other) {
  std::string crossed(MaxSize(input), '\0');
  crossed.resize(LLVMFuzzerCustomCrossOver(
      Data(input), input.size(), Data(other), other.size(),
      reinterpret_cast<uint8_t*>(crossed.data()), crossed.size(), Random()()));
  if (!crossed.empty()) input = crossed;
}

}  // namespace

// As libFuzzer's, for the mutators of targets.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size,
                                   size_t max_size) {
  const std::string original(reinterpret_cast<const char*>(data), size);
  std::string changed = original;
  Mutate(changed, original);
  size = std::min(changed.size(), max_size);
  std::copy_n(changed.begin(), size, data);
  return size;
}

int main(int argc, char** argv) {
  if (const char* outputs = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR")) {
    crash_path = std::string(outputs) + "/crash";
  }
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(SaveCurrent);
  }
  for (int signal : {SIGABRT, SIGALRM, SIGFPE, SIGILL, SIGTERM}) {
    std::signal(signal, OnSignal);
  }
  // AddressSanitizer has a better report of these than we have.
  if (__sanitizer_set_death_callback == nullptr) {
    std::signal(SIGSEGV, OnSignal);
    std::signal(SIGBUS, OnSignal);
  }
  if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&argc, &argv);

  unsigned long runs = 0;  // NOLINT(runtime/int): of strtoul
  unsigned long seed = 1;  // NOLINT(runtime/int)
  std::vector<std::string> corpus = {""};
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    if (arg.rfind("-runs=", 0) == 0) {
      runs = std::strtoul(arg.c_str() + 6, nullptr, 10);
    } else if (arg.rfind("-seed=", 0) == 0) {
      seed = std::strtoul(arg.c_str() + 6, nullptr, 10);
    } else if (arg.rfind('-', 0) == 0) {
      // Another flag of libFuzzer's.
    } else if (fs::is_directory(arg)) {
      ReadDirectory(arg, corpus);
    } else {
      corpus.push_back(Read(arg));
    }
  }

  for (const std::string& input : corpus) Run(input);
  Random().seed(static_cast<std::mt19937::result_type>(seed));
  for (unsigned long i = 0; i < runs; ++i) {  // NOLINT(runtime/int)
    std::string input = corpus[Below(corpus.size())];
    const std::string& other = corpus[Below(corpus.size())];
    if (LLVMFuzzerCustomCrossOver != nullptr && Below(8) == 0) {
      CrossOverCustom(input, other);
    } else if (LLVMFuzzerCustomMutator != nullptr) {
      MutateCustom(input);
    } else {
      Mutate(input, other);
      input.resize(std::min(input.size(), kMaxMutatedSize));
    }
    Run(input);
  }
  std::printf("%zu inputs, %lu mutations\n", corpus.size(), runs);
  return 0;
}
