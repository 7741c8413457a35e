#include "tools/progress.h"

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace opcompat {
namespace {

// Files below are done in a blink.
constexpr uint64_t kManyBytes = uint64_t{64} << 20;

bool IsShown(const OutputOptions& options) {
  return !options.quiet && isatty(STDERR_FILENO);
}

std::string Bar(double share) {
  constexpr size_t kWidth = 30;
  const auto filled = static_cast<size_t>(share * kWidth);
  return absl::StrCat("[", std::string(filled, '#'),
                      std::string(kWidth - filled, '.'), "]");
}

double Share(uint64_t done, uint64_t all) {
  if (done >= all) return 1;
  return static_cast<double>(done) / static_cast<double>(all);
}

std::string Size(uint64_t bytes) {
  const double mebibytes = static_cast<double>(bytes) / (1 << 20);
  return mebibytes < 1000 ? absl::StrFormat("%.0f MiB", mebibytes)
                          : absl::StrFormat("%.1f GiB", mebibytes / 1024);
}

}  // namespace

ProgressLine::ProgressLine(const OutputOptions& options)
    : out_(stderr), shown_(IsShown(options)) {}

ProgressLine::~ProgressLine() { Draw(""); }

void ProgressLine::Draw(std::string line) {
  if (!shown_ || line == last_) return;
  absl::FPrintF(out_, "\r\x1b[K%s", line);
  std::fflush(out_);
  last_ = std::move(line);
}

void ProgressLine::Show(absl::string_view what, size_t done, size_t all) {
  if (!shown_) return;
  Draw(absl::StrCat(what, " ", Bar(Share(done, all)), " ", done, "/", all));
}

void ProgressLine::ShowBytes(absl::string_view what, uint64_t done,
                             uint64_t all) {
  if (!shown_ || all < kManyBytes) return;
  const double share = Share(done, all);
  Draw(absl::StrFormat("%s %s %3d%% of %s", what, Bar(share),
                       static_cast<int>(share * 100), Size(all)));
}

std::function<void(uint64_t, uint64_t)> ByteProgress(
    const OutputOptions& options, std::string what) {
  if (!IsShown(options)) return nullptr;
  const auto line = std::make_shared<std::unique_ptr<ProgressLine>>();
  return [line, options, what = OneLine(what)](uint64_t done, uint64_t total) {
    if (*line == nullptr) *line = std::make_unique<ProgressLine>(options);
    (*line)->ShowBytes(what, done, total);
    if (done == total) *line = nullptr;
  };
}

}  // namespace opcompat
