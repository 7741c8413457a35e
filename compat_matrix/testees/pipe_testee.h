// A program as a reader under test: `--testee=PROGRAM`. A crash, a hang, and an
// answer that is none are cells, not the end of the run.
#ifndef OPCOMPAT_COMPAT_MATRIX_TESTEES_PIPE_TESTEE_H_
#define OPCOMPAT_COMPAT_MATRIX_TESTEES_PIPE_TESTEE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/testees/testee.h"
#include "compat_matrix/testees/testee.pb.h"
#include "compat_matrix/testees/testee_program.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {

// What a program answered to Read, understood: a module of `reader`, reasons,
// or why it is neither.
TesteeAnswer TesteeAnswerOf(const absl::StatusOr<testee::Answer>& answer,
                            const Runtime& reader);

class PipeTestee : public Testee {
 public:
  explicit PipeTestee(TesteeProgramOptions options)
      : program_(std::move(options)) {}

  std::string name() const override { return program_.name(); }
  void SetHistories(const std::vector<std::shared_ptr<const OpsetHistory>>&
                        histories) override {
    program_.SetHistories(histories);
  }
  TesteeAnswer Read(absl::string_view bytes, const Runtime& reader) override;

 private:
  TesteeProgram program_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_TESTEES_PIPE_TESTEE_H_
