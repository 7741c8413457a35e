#include "compat_matrix/testees/pipe_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "compat_matrix/testees/frames.h"

extern char** environ;

namespace opcompat {
namespace {

void CloseFd(int* fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

// The two ends of a pipe: closed unless taken.
struct Pipe {
  int read = -1;
  int write = -1;

  ~Pipe() {
    CloseFd(&read);
    CloseFd(&write);
  }

  // Numbers 0 to 2 are left to the child, where these take their places; no
  // other child inherits an end.
  bool Open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    read = fcntl(ends[0], F_DUPFD_CLOEXEC, 3);
    write = fcntl(ends[1], F_DUPFD_CLOEXEC, 3);
    close(ends[0]);
    close(ends[1]);
    return read >= 0 && write >= 0;
  }
};

// The programs that run, for a signal handler: no lock, no memory. A program
// beyond so many is found by the death of its thread only.
std::array<std::atomic<pid_t>, 4096> running;
static_assert(std::atomic<pid_t>::is_always_lock_free,
              "a signal handler reads them");
// A signal is ending this process: nothing is started any more.
std::atomic<bool> is_ending{false};

void Remember(pid_t pid) {
  for (std::atomic<pid_t>& slot : running) {
    pid_t none = 0;
    if (slot.compare_exchange_strong(none, pid)) return;
  }
}

void Forget(pid_t pid) {
  for (std::atomic<pid_t>& slot : running) {
    pid_t found = pid;
    if (slot.compare_exchange_strong(found, 0)) return;
  }
}

void EndProgramsAndThisOne(int number) {
  // First the flag: what is started meanwhile is either in the table or sees
  // it.
  is_ending = true;
  for (const std::atomic<pid_t>& slot : running) {
    const pid_t pid = slot;
    if (pid > 0) kill(-pid, SIGKILL);
  }
  signal(number, SIG_DFL);
  raise(number);  // when this handler returns
}

int Take(int* fd) { return std::exchange(*fd, -1); }

bool IsProgram(const std::string& path) {
  return access(path.c_str(), X_OK) == 0;
}

// The file that a command names, as a shell finds it; empty: none.
std::string FindProgram(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    return IsProgram(name) ? name : std::string();
  }
  const char* path = getenv("PATH");
  if (name.empty() || path == nullptr) return "";
  for (const absl::string_view directory : absl::StrSplit(path, ':')) {
    std::string file =
        absl::StrCat(directory.empty() ? "." : directory, "/", name);
    if (IsProgram(file)) return file;
  }
  return "";
}

// What the child does between fork and exec: system calls only, since other
// threads may have held locks. Never returns.
[[noreturn]] void RunChild(pid_t parent, const char* program,
                           char* const* arguments, int input, int output,
                           int errors, int failure, uint64_t memory_limit) {
  setpgid(0, 0);
  // Whoever died before this has another parent in its place.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action;
    // exec does that, too, but not before it.
    if (sigaction(number, nullptr, &action) == 0 &&
        action.sa_handler == EndProgramsAndThisOne) {
      signal(number, SIG_DFL);
    }
  }
  if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0) {
    _exit(127);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  // A crash is a cell; its core dump would be another gigabyte.
  rlimit limit = {0, 0};
  setrlimit(RLIMIT_CORE, &limit);
  if (memory_limit > 0) {
    limit.rlim_cur = limit.rlim_max = memory_limit;
    setrlimit(RLIMIT_AS, &limit);
  }
  execve(program, arguments, environ);
  const int error = errno;
  while (write(failure, &error, sizeof error) < 0 && errno == EINTR) {
  }
  _exit(127);
}

// write(), with EPIPE instead of the signal, which would end us.
ssize_t WriteWithoutSignal(int fd, absl::string_view bytes) {
  sigset_t pipe;
  sigset_t before;
  sigset_t pending;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, &before);
  sigpending(&pending);
  const ssize_t written = write(fd, bytes.data(), bytes.size());
  const int error = errno;
  if (written < 0 && error == EPIPE && !sigismember(&pending, SIGPIPE)) {
    const timespec now = {0, 0};
    while (sigtimedwait(&pipe, nullptr, &now) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

int MillisecondsUntil(std::chrono::steady_clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(
      deadline - std::chrono::steady_clock::now());
  return static_cast<int>(
      std::clamp<int64_t>(left.count(), 0, int64_t{1} << 30));
}

std::string HowItEnded(int status) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    const char* name = sigabbrev_np(number);
    return absl::StrCat(
        "killed by signal ", number,
        name == nullptr ? "" : absl::StrCat(" (SIG", name, ")"));
  }
  return absl::StrCat("exited with status ", WEXITSTATUS(status));
}

std::string Seconds(std::chrono::milliseconds time) {
  return time.count() % 1000 == 0 ? absl::StrCat(time.count() / 1000, " s")
                                  : absl::StrCat(time.count(), " ms");
}

}  // namespace

void EndProgramsOnSignals() {
  struct sigaction action = {};
  action.sa_handler = EndProgramsAndThisOne;
  sigfillset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before;
    if (sigaction(number, nullptr, &before) == 0 &&
        before.sa_handler == SIG_DFL) {
      sigaction(number, &action, nullptr);
    }
  }
}

absl::StatusOr<std::unique_ptr<PipeProcess>> PipeProcess::Start(
    const PipeProcessOptions& options) {
  if (options.command.empty()) {
    return absl::FailedPreconditionError("no program is named");
  }
  const std::string program = FindProgram(options.command[0]);
  if (program.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat(options.command[0],
                     ": there is no such program, or it may not be run"));
  }
  Pipe input;
  Pipe output;
  Pipe errors;
  Pipe failure;
  if (!input.Open() || !output.Open() || !errors.Open() || !failure.Open()) {
    return absl::FailedPreconditionError(
        absl::StrCat("no pipe can be made: ", strerror(errno)));
  }
  std::vector<char*> arguments;
  for (const std::string& argument : options.command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);

  auto process = std::unique_ptr<PipeProcess>(new PipeProcess(options));
  const pid_t self = getpid();
  process->pid_ = fork();
  if (process->pid_ == 0) {
    RunChild(self, program.c_str(), arguments.data(), input.read, output.write,
             errors.write, failure.write, options.memory_limit);
  }
  if (process->pid_ < 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(program, ": cannot be started: ", strerror(errno)));
  }
  // The child does the same; whoever is first.
  setpgid(process->pid_, process->pid_);
  Remember(process->pid_);
  if (is_ending) return absl::FailedPreconditionError("this process is ending");
  CloseFd(&input.read);
  CloseFd(&output.write);
  CloseFd(&errors.write);
  CloseFd(&failure.write);
  process->input_ = Take(&input.write);
  process->output_ = Take(&output.read);
  process->errors_ = Take(&errors.read);
  for (const int fd : {process->input_, process->output_, process->errors_}) {
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  }
  // Nothing comes from here if the program runs.
  int error = 0;
  ssize_t got;
  do {
    got = read(failure.read, &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  if (got == sizeof error) {
    return absl::FailedPreconditionError(
        absl::StrCat(program, ": cannot be started: ", strerror(error)));
  }
  return process;
}

PipeProcess::~PipeProcess() { Kill(); }

int PipeProcess::Kill() {
  CloseFd(&input_);
  CloseFd(&output_);
  CloseFd(&errors_);
  int status = 0;
  if (pid_ < 0) return status;
  // First the group (what it may have started too), then whoever did not get
  // as far as to have one.
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
  // Before its number may be another's.
  Forget(pid_);
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return status;
}

absl::StatusOr<std::string> PipeProcess::Exchange(
    absl::string_view request, std::chrono::milliseconds timeout) {
  if (pid_ < 0) return absl::AbortedError("it has ended");
  if (request.size() > std::numeric_limits<uint32_t>::max()) {
    return absl::AbortedError(absl::StrCat("a request of ", request.size(),
                                           " bytes is longer than a frame"));
  }
  const Clock::time_point deadline = Clock::now() + timeout;
  std::string frame = FrameHeader(request.size());
  frame.append(request.data(), request.size());
  error_text_.clear();

  absl::Status status = Communicate(frame, deadline);
  if (status.ok()) {
    const size_t size = *FrameSize(received_, options_.max_answer_bytes);
    if (received_.size() == size) {
      std::string answer = received_.substr(kFrameHeaderBytes);
      received_.clear();
      return answer;
    }
    status = absl::AbortedError(
        WithErrors("sent more bytes than those of its answer"));
  } else if (absl::IsDeadlineExceeded(status)) {
    status = TimedOut(timeout);
  }
  Kill();
  return status;
}

absl::Status PipeProcess::Communicate(absl::string_view frame,
                                      Clock::time_point deadline) {
  bool sent = false;
  while (true) {
    if (sent) {
      OPCOMPAT_ASSIGN_OR_RETURN(
          const size_t size, FrameSize(received_, options_.max_answer_bytes));
      if (size > 0 && received_.size() >= size) return absl::OkStatus();
    } else if (!received_.empty()) {
      // What answers before it has heard the question answers none.
      return absl::AbortedError(
          WithErrors("sent bytes before it had read the request"));
    }
    pollfd fds[3] = {{output_, POLLIN, 0},
                     {errors_, POLLIN, 0},
                     {sent ? -1 : input_, POLLOUT, 0}};
    const int wait = MillisecondsUntil(deadline);
    const int ready = poll(fds, 3, wait);
    if (ready < 0 && errno != EINTR) {
      return absl::AbortedError(absl::StrCat("poll: ", strerror(errno)));
    }
    // Also where something always comes: standard error may be endless.
    if (wait == 0) return absl::DeadlineExceededError("");
    if (ready <= 0) continue;
    if (fds[1].revents != 0) ReadErrors();
    if (fds[0].revents != 0 && ReadOutput()) return Ended(deadline);
    if (fds[2].revents != 0) {
      const ssize_t written = WriteWithoutSignal(input_, frame);
      if (written > 0) frame.remove_prefix(static_cast<size_t>(written));
      if (written < 0 && errno == EPIPE) return Ended(deadline);
      sent = frame.empty();
    }
  }
}

bool PipeProcess::ReadOutput() {
  char buffer[1 << 16];
  // No more than one frame of the largest size at a time is kept.
  const ssize_t got = read(output_, buffer, sizeof buffer);
  if (got > 0) received_.append(buffer, static_cast<size_t>(got));
  return got == 0;
}

void PipeProcess::ReadErrors() {
  char buffer[1 << 12];
  const ssize_t got = read(errors_, buffer, sizeof buffer);
  if (got == 0) CloseFd(&errors_);
  if (got <= 0) return;
  const size_t room = options_.max_error_bytes - error_text_.size();
  error_text_.append(buffer, std::min(room, static_cast<size_t>(got)));
}

absl::Status PipeProcess::Ended(Clock::time_point deadline) {
  // Whoever closes a pipe usually ends; how is known a little later. It is not
  // waited for yet: until then nobody else can have its number.
  siginfo_t info;
  while (true) {
    info.si_pid = 0;
    if (waitid(P_PID, static_cast<id_t>(pid_), &info,
               WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == pid_) {
      break;
    }
    if (Clock::now() >= deadline) {
      return absl::AbortedError(
          WithErrors("closed its input or output without an answer"));
    }
    pollfd fd = {errors_, POLLIN, 0};
    poll(&fd, 1, 1);
    if (fd.revents != 0) ReadErrors();
  }
  // The rest of what it said.
  for (size_t before = error_text_.size() + 1;
       errors_ >= 0 && before != error_text_.size();) {
    before = error_text_.size();
    ReadErrors();
  }
  std::string how = HowItEnded(Kill());
  if (!received_.empty()) absl::StrAppend(&how, " in the middle of an answer");
  return absl::AbortedError(WithErrors(std::move(how)));
}

absl::Status PipeProcess::TimedOut(std::chrono::milliseconds timeout) {
  return absl::DeadlineExceededError(
      WithErrors(absl::StrCat("no answer within ", Seconds(timeout))));
}

std::string PipeProcess::WithErrors(std::string what) {
  if (errors_ >= 0) ReadErrors();
  const absl::string_view text = absl::StripAsciiWhitespace(error_text_);
  if (!text.empty()) {
    absl::StrAppend(&what, "; standard error: ", absl::Utf8SafeCEscape(text));
  }
  return what;
}

}  // namespace opcompat
