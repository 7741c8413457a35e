// Files of a git repository as they were at a revision. Runs the git program
// that is installed, without a shell.
#ifndef OPCOMPAT_TOOLS_CHECK_GIT_H_
#define OPCOMPAT_TOOLS_CHECK_GIT_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace opcompat {

class GitRevision {
 public:
  // The repository that contains the directory of `file` (the repository that
  // environment variables of git name does not count), at `revision`: a commit
  // by any name that git takes.
  //   * Unavailable: git cannot be run; NotFound: no repository, or no such
  //     commit. The message has what git said.
  static absl::StatusOr<GitRevision> Open(const std::string& file,
                                          const std::string& revision);

  // The contents of `path` there: of a path that begins as `file` did, relative
  // to the directory of `file`; of an absolute one, by its place in the
  // repository. Returns NotFound if the revision has no such file.
  absl::StatusOr<std::string> Read(const std::string& path) const;

  // As the user wrote it.
  const std::string& revision() const { return revision_; }

 private:
  GitRevision(std::string revision, std::string commit, std::string prefix,
              std::string directory, std::string top)
      : revision_(std::move(revision)),
        commit_(std::move(commit)),
        prefix_(std::move(prefix)),
        directory_(std::move(directory)),
        top_(std::move(top)) {}

  std::string revision_;
  std::string commit_;     // its full hash
  std::string prefix_;     // directory of `file` as written, with its slash
  std::string directory_;  // the same, links followed
  std::string top_;        // of the repository's working tree
};

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_CHECK_GIT_H_
