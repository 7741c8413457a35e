// A program that is fed and listened to through pipes, one message at a time,
// and never believed: it may crash, hang, babble or eat memory.
//
// Knows frames (frames.h), and nothing of what is in them.
#ifndef OPCOMPAT_COMPAT_MATRIX_TESTEES_PIPE_PROCESS_H_
#define OPCOMPAT_COMPAT_MATRIX_TESTEES_PIPE_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace opcompat {

struct PipeProcessOptions {
  // The program (looked up in PATH if it has no `/`) and its arguments.
  std::vector<std::string> command;
  // Bytes of address space; 0: no limit.
  uint64_t memory_limit = 0;
  // A longer answer is none.
  uint32_t max_answer_bytes = uint32_t{256} << 20;
  // How much of its standard error is kept for messages: the beginning.
  size_t max_error_bytes = 2000;
};

// Lets a signal that asks this process to end (SIGINT, SIGTERM, SIGHUP) end all
// programs that run, and what they have started, before it takes its course:
// their process groups are not that of the terminal. For main programs, before
// other threads start; a signal that is ignored stays so.
void EndProgramsOnSignals();

// Not copied; one thread at a time. The program runs in a process group of its
// own, which is killed with this object; it leaves no zombie.
//
// The program (not what it has started) is killed with the thread that started
// it, too, however that ends: that is how a killed process leaves none behind.
// So the object must not outlive that thread.
class PipeProcess {
 public:
  // Returns FailedPrecondition if there is no such program.
  static absl::StatusOr<std::unique_ptr<PipeProcess>> Start(
      const PipeProcessOptions& options);

  ~PipeProcess();
  PipeProcess(const PipeProcess&) = delete;
  PipeProcess& operator=(const PipeProcess&) = delete;

  // Sends one frame and waits for one. The program is over after an error:
  //   * DeadlineExceeded: no whole answer in time;
  //   * Aborted: it ended, or closed its output, or its answer is longer than
  //     the limit, or there is more than one answer.
  // The message says what happened (`killed by signal 11 (SEGV)`, `exited with
  // status 3`) and how its standard error begins.
  absl::StatusOr<std::string> Exchange(absl::string_view request,
                                       std::chrono::milliseconds timeout);

 private:
  using Clock = std::chrono::steady_clock;

  explicit PipeProcess(const PipeProcessOptions& options) : options_(options) {}

  // Moves bytes both ways until a whole answer has been received.
  absl::Status Communicate(absl::string_view frame, Clock::time_point deadline);
  // Takes what is there of its output. Returns whether the end was reached.
  bool ReadOutput();
  void ReadErrors();
  // How it ended, waiting for that until `deadline`.
  absl::Status Ended(Clock::time_point deadline);
  absl::Status TimedOut(std::chrono::milliseconds timeout);
  std::string WithErrors(std::string what);
  // Ends it and all that it has started; returns its status as waitpid does.
  int Kill();

  const PipeProcessOptions options_;
  pid_t pid_ = -1;  // -1: it has been waited for
  int input_ = -1;
  int output_ = -1;
  int errors_ = -1;
  std::string received_;  // of its output
  std::string error_text_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_TESTEES_PIPE_PROCESS_H_
