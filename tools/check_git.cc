#include "tools/check_git.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "tools/output.h"

extern char** environ;

namespace opcompat {
namespace {

// Our environment without the variables that would lead git to another
// repository than the file's (a hook is run with them), and with messages in
// English.
std::vector<std::string> GitEnvironment() {
  std::vector<std::string> kept = {"LC_ALL=C"};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    bool is_dropped = false;
    for (const absl::string_view name :
         {"LC_ALL=", "LANGUAGE=", "GIT_DIR=", "GIT_WORK_TREE=",
          "GIT_INDEX_FILE=", "GIT_PREFIX=", "GIT_COMMON_DIR="}) {
      is_dropped = is_dropped || absl::StartsWith(*variable, name);
    }
    if (!is_dropped) kept.emplace_back(*variable);
  }
  return kept;
}

// Null-terminated, as exec takes it. The strings stay in `strings`.
std::vector<char*> Pointers(std::vector<std::string>* strings) {
  std::vector<char*> pointers;
  for (std::string& string : *strings) pointers.push_back(&string[0]);
  pointers.push_back(nullptr);
  return pointers;
}

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    Close(&read_end);
    Close(&write_end);
  }
  bool Open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    read_end = ends[0];
    write_end = ends[1];
    return true;
  }
  static void Close(int* fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
  }
};

struct ProgramResult {
  std::string out;
  std::string err;
  bool succeeded = false;

  // What git complains about: its first line.
  std::string Complaint() const {
    absl::string_view line = absl::string_view(err).substr(0, err.find('\n'));
    absl::ConsumePrefix(&line, "fatal: ");
    absl::ConsumePrefix(&line, "error: ");
    return line.empty() ? "git failed" : OneLine(line);
  }
};

// Reads until both ends are closed: one after the other could wait forever for
// a program that waits for us.
void ReadBoth(Pipe* out, Pipe* err, ProgramResult* result) {
  while (out->read_end >= 0 || err->read_end >= 0) {
    // Negative descriptors are ignored.
    pollfd polled[] = {{out->read_end, POLLIN, 0}, {err->read_end, POLLIN, 0}};
    if (poll(polled, 2, -1) < 0 && errno != EINTR) return;
    for (int i = 0; i < 2; ++i) {
      if (polled[i].revents == 0) continue;
      Pipe* from = i == 0 ? out : err;
      char buffer[1 << 16];
      const ssize_t size = read(from->read_end, buffer, sizeof buffer);
      if (size > 0) {
        (i == 0 ? result->out : result->err).append(buffer, size);
      } else if (size == 0 || errno != EINTR) {
        Pipe::Close(&from->read_end);
      }
    }
  }
}

absl::Status CannotRun(int error) {
  return absl::UnavailableError(
      error == ENOENT ? "the program git is needed for it, and is not installed"
                      : absl::StrCat("cannot run git: ", std::strerror(error)));
}

absl::StatusOr<ProgramResult> RunGit(const std::string& directory,
                                     const std::vector<std::string>& command) {
  std::vector<std::string> arguments = {"git", "-C", directory};
  arguments.insert(arguments.end(), command.begin(), command.end());
  std::vector<std::string> environment = GitEnvironment();
  Pipe out;
  Pipe err;
  if (!out.Open() || !err.Open()) return CannotRun(errno);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                   O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write_end, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write_end, STDERR_FILENO);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, "git", &actions, nullptr,
                   Pointers(&arguments).data(), Pointers(&environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return CannotRun(error);
  Pipe::Close(&out.write_end);
  Pipe::Close(&err.write_end);
  ProgramResult result;
  ReadBoth(&out, &err, &result);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return CannotRun(errno);
  }
  result.succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return result;
}

std::string WithoutNewline(absl::string_view text) {
  return std::string(absl::StripSuffix(text, "\n"));
}

}  // namespace

absl::StatusOr<GitRevision> GitRevision::Open(const std::string& file,
                                              const std::string& revision) {
  const std::string prefix = file.substr(0, file.rfind('/') + 1);
  // Where the file is: it may be a link to one in a repository.
  char resolved[PATH_MAX];
  std::string directory = prefix.empty() ? "." : prefix;
  if (realpath(file.c_str(), resolved) != nullptr) {
    directory = resolved;
    directory.resize(directory.rfind('/') + 1);
  }
  OPCOMPAT_ASSIGN_OR_RETURN(
      const ProgramResult top,
      RunGit(directory, {"rev-parse", "--show-toplevel"}));
  if (!top.succeeded) {
    return absl::NotFoundError(
        absl::StrCat(file, " is in no git repository: ", top.Complaint()));
  }
  // A name that begins with `-` would be an option; no commit has one.
  const bool is_name = !revision.empty() && revision[0] != '-';
  ProgramResult commit;
  if (is_name) {
    OPCOMPAT_ASSIGN_OR_RETURN(
        commit, RunGit(directory, {"rev-parse", "--verify", "--quiet",
                                   absl::StrCat(revision, "^{commit}")}));
  }
  if (!commit.succeeded) {
    return absl::NotFoundError(absl::StrCat(
        "the repository of ", file, " has no commit `", OneLine(revision),
        "` (a shallow clone lacks older ones: git fetch gets them)"));
  }
  return GitRevision(revision, WithoutNewline(commit.out), prefix, directory,
                     WithoutNewline(top.out));
}

absl::StatusOr<std::string> GitRevision::Read(const std::string& path) const {
  absl::string_view rest = path;
  std::string object;
  const bool is_absolute = absl::StartsWith(path, "/");
  if (is_absolute == absl::StartsWith(prefix_, "/") &&
      absl::ConsumePrefix(&rest, prefix_)) {
    object = absl::StrCat(commit_, ":./", rest);
  } else if (absl::ConsumePrefix(&rest, absl::StrCat(top_, "/"))) {
    object = absl::StrCat(commit_, ":", rest);
  } else {
    return absl::NotFoundError(
        absl::StrCat(path, " is not in the repository ", top_));
  }
  OPCOMPAT_ASSIGN_OR_RETURN(ProgramResult blob,
                            RunGit(directory_, {"cat-file", "blob", object}));
  if (blob.succeeded) return std::move(blob.out);
  // git speaks of the commit's hash.
  return absl::NotFoundError(absl::StrCat(
      path, ": cannot be read at ", revision_, ": ",
      absl::StrReplaceAll(blob.Complaint(), {{commit_, revision_}})));
}

}  // namespace opcompat
