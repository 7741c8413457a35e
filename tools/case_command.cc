#include "tools/case_command.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/status_macros.h"
#include "compat_matrix/testees/command_line.h"
#include "tools/output.h"

extern char** environ;

namespace opcompat {
namespace {

namespace fs = std::filesystem;

constexpr char kPlaceholder[] = "{}";

}  // namespace

absl::StatusOr<CaseCommand> CaseCommand::Create(absl::string_view text) {
  OPCOMPAT_ASSIGN_OR_RETURN(std::vector<std::string> words,
                            SplitCommandLine(text));
  std::error_code error;
  std::string directory =
      (fs::temp_directory_path(error) / "opcompat-reduce-XXXXXX").string();
  if (error || mkdtemp(directory.data()) == nullptr) {
    return absl::UnavailableError(absl::StrCat(
        "cannot make a directory for cases: ", std::strerror(errno)));
  }
  const bool has_placeholder =
      std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return absl::StrContains(word, kPlaceholder);
      });
  if (!has_placeholder) words.push_back(kPlaceholder);
  return CaseCommand(std::move(words), std::move(directory));
}

CaseCommand::CaseCommand(std::vector<std::string> words, std::string directory)
    : words_(std::move(words)), directory_(std::move(directory)) {}

CaseCommand::CaseCommand(CaseCommand&& other) noexcept
    : words_(std::move(other.words_)), directory_(std::move(other.directory_)) {
  other.directory_.clear();
}

CaseCommand::~CaseCommand() {
  std::error_code ignored;
  if (!directory_.empty()) fs::remove_all(directory_, ignored);
}

absl::StatusOr<bool> CaseCommand::Fails(absl::string_view text) const {
  const std::string path = absl::StrCat(directory_, "/reduced.case");
  OPCOMPAT_RETURN_IF_ERROR(WriteOutput(path, text));
  std::vector<std::string> words;
  for (const std::string& word : words_) {
    words.push_back(absl::StrReplaceAll(word, {{kPlaceholder, path}}));
  }
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  }
  pid_t pid = 0;
  const int error =
      posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    return absl::FailedPreconditionError(
        absl::StrCat("cannot run `", words[0], "`: ", std::strerror(error)));
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno == EINTR) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "cannot wait for `", words[0], "`: ", std::strerror(errno)));
  }
  if (WIFEXITED(status) &&
      (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127)) {
    return absl::FailedPreconditionError(
        absl::StrCat("`", words[0], "` ended with status ", WEXITSTATUS(status),
                     ": it, or what it runs, cannot be run"));
  }
  return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

}  // namespace opcompat
