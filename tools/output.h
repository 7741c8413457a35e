// What every command does in the same way when it says something: exit codes,
// messages on standard error, files that appear whole or not at all.
#ifndef OPCOMPAT_TOOLS_OUTPUT_H_
#define OPCOMPAT_TOOLS_OUTPUT_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "binding/report.h"
#include "serializer/byte_sink.h"
#include "serializer/output_file.h"

namespace opcompat {

// The exit status of the tool.
enum ExitCode : int {
  kExitDone = 0,     // done, accepted, compatible
  kExitRefused = 1,  // refused, findings
  // Usage, or input that is unreadable or malformed.
  kExitBadInput = 2,
  // By a signal; what was found until then is printed.
  kExitInterrupted = 130,
};

enum class ColorChoice { kAuto, kAlways, kNever };

// What the flags that all commands have say.
struct OutputOptions {
  bool json = false;
  // Where the result goes; empty: not given. `-` is standard output.
  std::string path;
  // Nothing on standard error but errors and reasons.
  bool quiet = false;
  ColorChoice color = ColorChoice::kAuto;
};

// Whether what goes to standard output is to be coloured: as chosen; with
// kAuto if it is a terminal and NO_COLOR is not set.
bool ColorOnStandardOutput(const OutputOptions& options);

// `text` as it may stand on one line of a terminal: control characters are
// spelled `\n` or `\x1b`.
std::string OneLine(absl::string_view text);

// A line on standard error. The first is for errors, the second for what
// --quiet silences.
void PrintError(absl::string_view message);
void PrintNote(const OutputOptions& options, absl::string_view message);

// The messages of `reasons` on standard error, one a line.
void PrintReasons(const std::vector<Reason>& reasons);

// Writes to standard output.
absl::Status WriteStandardOutput(absl::string_view bytes);

// Whether what is written to the file `path`, or to standard output if it is
// `-` or empty, goes to a terminal, by whatever name. Bytes do not go there.
bool GoesToTerminal(const std::string& path);

// The place of a result that comes piece by piece: the file `path`, or standard
// output if it is `-` or empty. Nothing is opened before the first piece. A
// file appears whole, by Commit(), or not at all (serializer/output_file.h).
class Output : public ByteSink {
 public:
  explicit Output(std::string path) : path_(std::move(path)) {}
  absl::Status Append(absl::string_view bytes) override;
  // Precondition: something was appended, and that was OK.
  absl::Status Commit();

 private:
  std::string path_;
  std::unique_ptr<OutputFile> file_;
};

// Writes `bytes` to the file `path`, or to standard output if it is `-` or
// empty; a file whole or not at all.
absl::Status WriteOutput(const std::string& path, absl::string_view bytes);

// WriteOutput, with an error printed. Returns `code`, or kExitBadInput if it
// could not be written.
int Finish(const std::string& path, absl::string_view bytes, int code);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_OUTPUT_H_
