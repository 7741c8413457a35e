// A history with its files: each behind a line `--- PATH`, the first of them
// mostly history.textproto.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

#include "absl/strings/string_view.h"
#include "compat_matrix/simulation/simulated_history.h"
#include "fuzz/engine.h"
#include "fuzz/proto_mutator.h"
#include "fuzz/targets/history_check.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/text_format.h"
#include "schema/history.pb.h"

namespace opcompat {
namespace {

using simulation::FilesOfText;
using simulation::FilesText;
using simulation::HistoryFiles;

constexpr size_t kMaxSize = 16384;
constexpr char kHistory[] = "history.textproto";

absl::string_view TextOf(const uint8_t* data, size_t size) {
  return absl::string_view(reinterpret_cast<const char*>(data), size);
}

// As far as it can be read.
schema::History Declared(const HistoryFiles& files) {
  struct Silent : google::protobuf::io::ErrorCollector {
    void AddError(int, int, const std::string&) override {}
  } silent;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&silent);
  schema::History history;
  const auto found = files.find(kHistory);
  if (found != files.end()) parser.ParseFromString(found->second, &history);
  return history;
}

void Declare(const schema::History& history, HistoryFiles* files) {
  google::protobuf::TextFormat::PrintToString(history, &(*files)[kHistory]);
}

// 0: it does not fit.
size_t Copied(const std::string& text, uint8_t* out, size_t max_size) {
  if (text.size() > max_size) return 0;
  std::copy(text.begin(), text.end(), out);
  return text.size();
}

}  // namespace
}  // namespace opcompat

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  opcompat::SilenceProtobuf();
  if (size > opcompat::kMaxSize) return -1;
  opcompat::CheckHistoryFiles(
      opcompat::FilesOfText(opcompat::TextOf(data, size)));
  return 0;
}

// What is declared by its fields, or any text.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t max_size, unsigned int seed) {
  std::mt19937 random(seed);
  if (random() % 2 == 0) return LLVMFuzzerMutate(data, size, max_size);
  opcompat::HistoryFiles files =
      opcompat::FilesOfText(opcompat::TextOf(data, size));
  opcompat::schema::History history = opcompat::Declared(files);
  opcompat::MutateMessage(history, static_cast<unsigned int>(random()));
  opcompat::Declare(history, &files);
  const size_t changed =
      opcompat::Copied(opcompat::FilesText(files), data, max_size);
  return changed == 0 ? size : changed;
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1,
                                            const uint8_t* data2, size_t size2,
                                            uint8_t* out, size_t max_out_size,
                                            unsigned int seed) {
  std::mt19937 random(seed);
  opcompat::HistoryFiles files =
      opcompat::FilesOfText(opcompat::TextOf(data1, size1));
  opcompat::HistoryFiles other =
      opcompat::FilesOfText(opcompat::TextOf(data2, size2));
  opcompat::schema::History history = opcompat::Declared(files);
  opcompat::CrossOverMessages(history, opcompat::Declared(other),
                              static_cast<unsigned int>(random()));
  for (auto& [path, contents] : other) {
    if (random() % 2 == 0) files[path] = contents;
  }
  opcompat::Declare(history, &files);
  return opcompat::Copied(opcompat::FilesText(files), out, max_out_size);
}
