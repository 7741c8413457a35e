// A user's command as the judge of cases: it is run on a file with the case,
// and exits with another status than 0 if the case fails.
#ifndef OPCOMPAT_TOOLS_CASE_COMMAND_H_
#define OPCOMPAT_TOOLS_CASE_COMMAND_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace opcompat {

// Makes a directory for the file, which goes with the object. Not copied; one
// thread at a time.
class CaseCommand {
 public:
  // `text`: the program and its arguments, split at spaces with quotes as in a
  // shell. The file's path stands for `{}`, wherever that is in them, or is the
  // last argument.
  static absl::StatusOr<CaseCommand> Create(absl::string_view text);

  ~CaseCommand();
  CaseCommand(CaseCommand&& other) noexcept;
  CaseCommand& operator=(CaseCommand&&) = delete;

  // Runs it on a file with that text; what it prints goes nowhere. Whether it
  // exits with another status than 0, or is ended by a signal. Returns
  // FailedPrecondition if there is no such program, or the status is 126 or
  // 127, which are a shell's for that.
  absl::StatusOr<bool> Fails(absl::string_view text) const;

 private:
  CaseCommand(std::vector<std::string> words, std::string directory);

  std::vector<std::string> words_;
  std::string directory_;  // empty: moved from
};

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_CASE_COMMAND_H_
