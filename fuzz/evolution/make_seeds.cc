// Writes the seeds of the evolution targets anew: what mutations make of
// nothing.
//
//   bazel run //fuzz/evolution:make_seeds

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "fuzz/evolution/case.pb.h"
#include "fuzz/evolution/case_mutator.h"

namespace {

constexpr unsigned int kNumSeeds = 12;

std::string Seed(unsigned int number) {
  opcompat::fuzz::Case input;
  const unsigned int mutations = 15 + 8 * number;
  for (unsigned int i = 0; i < mutations; ++i) {
    opcompat::fuzz::MutateCase(&input, number * 1000 + i);
  }
  return input.SerializeAsString();
}

}  // namespace

int main() {
  const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  if (workspace == nullptr) {
    std::fputs("make_seeds: to be run by `bazel run`\n", stderr);
    return EXIT_FAILURE;
  }
  for (const char* target : {"evolution", "round_trip", "rules", "target"}) {
    const std::filesystem::path directory =
        absl::StrCat(workspace, "/fuzz/evolution/corpora/", target);
    std::filesystem::create_directories(directory);
    for (unsigned int number = 0; number < kNumSeeds; ++number) {
      std::ofstream out(directory / absl::StrCat("seed_", number),
                        std::ios::binary);
      out << Seed(number);
      out.close();
      if (!out) {
        std::fprintf(stderr, "make_seeds: cannot write to %s\n",
                     directory.c_str());
        return EXIT_FAILURE;
      }
    }
  }
  return EXIT_SUCCESS;
}
