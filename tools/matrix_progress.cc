#include "tools/matrix_progress.h"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace opcompat {
namespace {

// Between two lines of a log.
constexpr double kSecondsPerLine = 30;
// A rate over less says nothing.
constexpr double kFirstRateSeconds = 0.5;

double Now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string Duration(double seconds) {
  const auto all = static_cast<int64_t>(std::ceil(seconds));
  if (all < 60) return absl::StrCat(all, " s");
  if (all < 3600) return absl::StrCat(all / 60, " min ", all % 60, " s");
  return absl::StrCat(all / 3600, " h ", all % 3600 / 60, " min");
}

}  // namespace

MatrixProgress::MatrixProgress(const OutputOptions& options)
    : MatrixProgress(options.quiet ? nullptr : stderr,
                     isatty(STDERR_FILENO) != 0, Now) {}

MatrixProgress::MatrixProgress(std::FILE* out, bool is_terminal,
                               std::function<double()> now)
    : out_(out), now_(std::move(now)), begin_(now_()), last_line_(begin_) {
  if (out != nullptr && is_terminal) bar_.emplace(out);
}

std::string MatrixProgress::Rate(const RunProgress& progress, double seconds) {
  if (progress.units_done == 0 || seconds < kFirstRateSeconds) return "";
  const double rate = static_cast<double>(progress.cells) / seconds;
  const double left = seconds / static_cast<double>(progress.units_done) *
                      static_cast<double>(progress.units - progress.units_done);
  return absl::StrCat(absl::StrFormat("%.*f", rate < 10 ? 1 : 0, rate),
                      " cells/s, ", Duration(left), " left");
}

void MatrixProgress::Show(const RunProgress& progress) {
  if (out_ == nullptr) return;
  const double now = now_();
  const std::string rate = Rate(progress, now - begin_);
  if (bar_.has_value()) {
    bar_->Show("matrix", progress.units_done, progress.units, rate);
    return;
  }
  if (now - last_line_ < kSecondsPerLine) return;
  last_line_ = now;
  absl::FPrintF(out_, "matrix: %d of %d modules, %d cells, %s\n",
                progress.units_done, progress.units, progress.cells, rate);
  std::fflush(out_);
}

}  // namespace opcompat
