#include "tools/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
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
                      std::string(kWidth - filled, '.'), "] ");
}

// How many columns `out` has, if it is a terminal that says so.
size_t ColumnsOf(std::FILE* out) {
  constexpr size_t kUsual = 80;
  struct winsize window;
  const int file = fileno(out);
  if (file < 0 || ioctl(file, TIOCGWINSZ, &window) != 0) return kUsual;
  return window.ws_col == 0 ? kUsual : window.ws_col;
}

// The end of `text`, if it is longer than `size` bytes, behind dots. (A letter
// has at least as many bytes as columns.)
std::string EndOf(absl::string_view text, size_t size) {
  constexpr absl::string_view kDots = "...";
  if (text.size() <= size) return std::string(text);
  text.remove_prefix(text.size() - size + std::min(size, kDots.size()));
  const auto is_inside_letter = [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
  };
  while (!text.empty() && is_inside_letter(text[0])) text.remove_prefix(1);
  return absl::StrCat(kDots.substr(0, size), text);
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

void ProgressLine::Show(absl::string_view what, size_t done, size_t all,
                        absl::string_view more) {
  if (!shown_) return;
  Draw(Line(what, Bar(Share(done, all)),
            absl::StrCat(done, "/", all, more.empty() ? "" : ", ", more)));
}

std::string ProgressLine::Line(absl::string_view what, absl::string_view bar,
                               absl::string_view number) const {
  // A full line would go on to the next in some terminals.
  const size_t columns = ColumnsOf(out_) - 1;
  constexpr size_t kSomeOfLabel = 12;
  if (std::min(what.size(), kSomeOfLabel) + 1 + bar.size() + number.size() >
      columns) {
    bar = "";
  }
  const size_t rest = 1 + bar.size() + number.size();
  if (rest >= columns) return EndOf(number, columns);
  return absl::StrCat(EndOf(what, columns - rest), " ", bar, number);
}

void ProgressLine::ShowBytes(absl::string_view what, uint64_t done,
                             uint64_t all) {
  if (!shown_ || all < kManyBytes) return;
  const double share = Share(done, all);
  Draw(Line(what, Bar(share),
            absl::StrFormat("%3d%% of %s", static_cast<int>(share * 100),
                            Size(all))));
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
