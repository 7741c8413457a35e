// A program that speaks the protocol of testee.proto: started when it is
// needed, started again after it crashed or hung, told the histories once.
//
// What it answers is returned as it is; pipe_testee.h and pipe_author.h make
// sense of it.
#ifndef OPCOMPAT_COMPAT_MATRIX_TESTEES_TESTEE_PROGRAM_H_
#define OPCOMPAT_COMPAT_MATRIX_TESTEES_TESTEE_PROGRAM_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compat_matrix/testees/pipe_process.h"
#include "compat_matrix/testees/testee.pb.h"
#include "schema/history.h"

namespace opcompat {

struct TesteeProgramOptions {
  // As reports name it.
  std::string name;
  // Memory, command, and so on.
  PipeProcessOptions process;
  // What it is for: `read` or `write`. One that says at the start that it can
  // not is not taken. Empty: either.
  std::string ability;
  // For one answer; starting and taking in the histories have as much each.
  std::chrono::milliseconds timeout = std::chrono::seconds(10);
  // Where the history.textproto of a history is; empty: it is no file. Null:
  // none is.
  std::function<std::string(const OpsetHistory&)> history_path;
};

// One thread at a time.
class TesteeProgram {
 public:
  explicit TesteeProgram(TesteeProgramOptions options)
      : options_(std::move(options)) {}

  const std::string& name() const { return options_.name; }

  // Starts the program, if it does not run, and greets it. Returns what Ask
  // would say. For those who want to know before the first cell.
  absl::Status Start();

  // See Testee::SetHistories.
  void SetHistories(
      const std::vector<std::shared_ptr<const OpsetHistory>>& histories);

  // Sends `request` (whose id is set here). Returns
  //   * DeadlineExceeded: no answer in time;
  //   * Aborted: it ended, or its answer is none, or another one's, or an
  //     error;
  //   * FailedPrecondition: it cannot be started, or did not get through its
  //     first greeting in kMaxStarts attempts, after which it is left alone;
  //   * Unimplemented: it does not know this protocol or this request, or says
  //     that it cannot do what it is for.
  absl::StatusOr<testee::Answer> Ask(testee::Request request);

  static constexpr int kMaxStarts = 3;

 private:
  absl::Status StartProcess();
  absl::Status SendHistories();
  // Sends a request to a program that runs.
  absl::StatusOr<testee::Answer> Exchange(testee::Request* request);

  const TesteeProgramOptions options_;
  std::unique_ptr<PipeProcess> process_;
  uint64_t last_id_ = 0;
  int failed_starts_ = 0;
  bool has_run_ = false;
  std::vector<std::shared_ptr<const OpsetHistory>> histories_;
  // Whether the process that runs knows them.
  bool histories_sent_ = false;
  // The request that tells them, made when it is first needed.
  std::unique_ptr<testee::Request> histories_request_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_TESTEES_TESTEE_PROGRAM_H_
