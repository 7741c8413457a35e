// Who writes the files of the matrix: a module and versions in, a file out. By
// default that is the serializer of this build; a program that was built from
// an older commit shows what its files are worth today.
//
// Authors are not judged for what they write, readers are: a file that its
// author wrote wrongly comes out as a misread cell with the author's name.
#ifndef OPCOMPAT_COMPAT_MATRIX_TESTEES_AUTHOR_H_
#define OPCOMPAT_COMPAT_MATRIX_TESTEES_AUTHOR_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "binding/report.h"
#include "ir/module.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {

struct AuthorAnswer {
  // The file; nullopt: the target refuses, or nothing was written.
  absl::optional<std::string> file;
  // Why the target refuses.
  std::vector<Reason> reasons;
  // Not empty: no file, and not because a target refuses (a crash, an answer
  // that is none, a module that this author cannot write).
  std::string crash;
  // It did not answer in time; `crash` says so.
  bool hung = false;
};

// Not shared between threads: each has its own.
class Author {
 public:
  virtual ~Author() = default;
  // As reports name it: `in-process`.
  virtual std::string name() const = 0;
  // As Testee::SetHistories, for writers and targets.
  virtual void SetHistories(
      const std::vector<std::shared_ptr<const OpsetHistory>>& histories) {
    static_cast<void>(histories);
  }
  // Writes `module`, which verifies and whose entries are `writer`'s; for
  // `target`, if that is not null.
  virtual AuthorAnswer Write(const Module& module, const Runtime& writer,
                             const Runtime* target) = 0;
};

// The serializer of this very build.
class InProcessAuthor : public Author {
 public:
  std::string name() const override { return "in-process"; }
  AuthorAnswer Write(const Module& module, const Runtime& writer,
                     const Runtime* target) override;
};

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_TESTEES_AUTHOR_H_
