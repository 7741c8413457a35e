// A program as the author of the matrix's files: `--writer-program=PROGRAM`.
#ifndef OPCOMPAT_COMPAT_MATRIX_TESTEES_PIPE_AUTHOR_H_
#define OPCOMPAT_COMPAT_MATRIX_TESTEES_PIPE_AUTHOR_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "compat_matrix/testees/author.h"
#include "compat_matrix/testees/testee.pb.h"
#include "compat_matrix/testees/testee_program.h"
#include "ir/module.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {

// What a program answered to Write, understood: a file, reasons (if it was
// asked to write for a target), or why it is neither.
AuthorAnswer AuthorAnswerOf(absl::StatusOr<testee::Answer> answer,
                            bool for_target);

class PipeAuthor : public Author {
 public:
  explicit PipeAuthor(TesteeProgramOptions options)
      : program_(std::move(options)) {}

  std::string name() const override { return program_.name(); }
  void SetHistories(const std::vector<std::shared_ptr<const OpsetHistory>>&
                        histories) override {
    program_.SetHistories(histories);
  }
  AuthorAnswer Write(const Module& module, const Runtime& writer,
                     const Runtime* target) override;

 private:
  TesteeProgram program_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_TESTEES_PIPE_AUTHOR_H_
