// Fits libFuzzer to targets that want other flags than its own, and into `bazel
// test`: what it finds goes to where a test may write, and what crashes to the
// test's outputs.

#include <cstdlib>
#include <string>
#include <vector>

// Flags that a target wants by default, null at the end; the command line wins.
extern "C" __attribute__((weak)) const char* const* OpcompatFuzzerFlags();

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  static std::vector<char*> args(*argv, *argv + *argc);
  char* scratch = std::getenv("TEST_TMPDIR");
  const char* outputs = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  if (scratch != nullptr && outputs != nullptr) {
    static std::string artifacts =
        std::string("-artifact_prefix=") + outputs + "/";
    args.insert(args.begin() + 1, artifacts.data());
    // The first directory is where new inputs are written. Files alone are only
    // replayed, and a directory among them would turn that into fuzzing.
    bool replay_only = true;
    for (const char* arg : args) {
      if (std::string(arg).rfind("-runs=", 0) == 0) replay_only = false;
    }
    if (!replay_only) args.insert(args.begin() + 2, scratch);
  }
  if (OpcompatFuzzerFlags != nullptr) {
    static std::vector<std::string> flags;
    for (const char* const* flag = OpcompatFuzzerFlags(); *flag; ++flag) {
      flags.emplace_back(*flag);
    }
    for (std::string& flag : flags) args.insert(args.begin() + 1, flag.data());
  }
  *argc = static_cast<int>(args.size());
  args.push_back(nullptr);
  *argv = args.data();
  return 0;
}

// A fifth of the time of a target that allocates much went into remembering
// where from. ASAN_OPTIONS=malloc_context_size=30 has all of it for a crasher.
// A target may have options of its own.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" __attribute__((weak)) const char* __asan_default_options() {
  return "malloc_context_size=3";
}
