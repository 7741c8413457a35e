// One line on standard error that counts up while something takes long.
#ifndef OPCOMPAT_TOOLS_PROGRESS_H_
#define OPCOMPAT_TOOLS_PROGRESS_H_

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "tools/output.h"

namespace opcompat {

// Shown only on a terminal and not with --quiet. What is shown last goes when
// the object does. In a narrow window only the end of what is done is named, so
// that it stays one line. Not for several threads.
class ProgressLine {
 public:
  explicit ProgressLine(const OutputOptions& options);
  // Shown on `out`, whatever that is. For tests.
  explicit ProgressLine(std::FILE* out) : out_(out), shown_(true) {}
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // `what [###...] 3/10`, and `, more` if there is more to say.
  void Show(absl::string_view what, size_t done, size_t all,
            absl::string_view more = "");
  // `what [###...]  30% of 2.5 GiB`; nothing for less than a few megabytes,
  // which are done before anybody looks.
  void ShowBytes(absl::string_view what, uint64_t done, uint64_t all);

 private:
  // The three, as far as the window is wide enough.
  std::string Line(absl::string_view what, absl::string_view bar,
                   absl::string_view number) const;
  void Draw(std::string line);

  std::FILE* out_;
  bool shown_;
  std::string last_;  // what is drawn
};

// A callback for the options of Serialize and Deserialize that shows `what` by
// ShowBytes; null where nothing would be shown. The line goes when all bytes
// are done, or with the last copy of the callback.
std::function<void(uint64_t done, uint64_t total)> ByteProgress(
    const OutputOptions& options, std::string what);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_PROGRESS_H_
