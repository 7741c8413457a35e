// The cells of one module: written, read by every version through every testee,
// and judged. On one thread; where modules and versions come from is not known
// here.
#ifndef OPCOMPAT_COMPAT_MATRIX_CELL_RUNNER_H_
#define OPCOMPAT_COMPAT_MATRIX_CELL_RUNNER_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "compat_matrix/oracle/oracle.h"
#include "compat_matrix/outcome_table.h"
#include "compat_matrix/result.h"
#include "compat_matrix/worker.h"
#include "ir/module.h"
#include "schema/opset.h"

namespace opcompat {

// A version of the history that varies, and all that a program of it knows.
struct RuntimeVersion {
  std::string id;
  Runtime runtime;
};

// Runs modules instead of looking at them: how `result`, which came out at
// version `reader`, behaves otherwise than `original` does at version `writer`;
// nullopt: alike. Called by several threads.
using ExecutionJudge = std::function<absl::optional<std::string>(
    const Module& original, absl::string_view writer, const Module& result,
    absl::string_view reader)>;

class CellRunner {
 public:
  struct Options {
    std::shared_ptr<const MatrixHistory> history;
    // As history->versions. Not owned.
    const std::vector<RuntimeVersion>* versions = nullptr;
    // By version: whether it reads and is a target. Not owned; null: all do.
    const std::vector<bool>* is_reader = nullptr;
    // Asked of every module that the oracle has nothing to say against; what it
    // finds is a misreading. May be null.
    ExecutionJudge execution;
  };
  // The worker outlives the runner.
  CellRunner(Options options, Worker* worker);

  // The cells of `module`, written by `writer`, which is that version.
  // Precondition: the module verifies.
  void AddWriter(size_t version, const Runtime& writer, const Module& module);

  // All of them, as those of the module `path`. Nothing is left here.
  ModuleCells Take(std::string path, std::string text);

 private:
  struct Written;
  struct NewCell;

  void RunPlain(const Written& written, size_t reader);
  void RunTarget(const Written& written, size_t reader);
  // All testees on what one author wrote.
  void RunTestees(const Written& written, const AuthorAnswer& answer,
                  size_t author, size_t reader, bool for_target,
                  ExpectedReading* expected);
  void Read(absl::string_view file, const Written& written, Testee& testee,
            ExpectedReading* expected, NewCell* cell);
  void Add(NewCell cell);

  const Options options_;
  Worker* const worker_;
  ModuleCells cells_;
  OutcomeTable outcomes_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_CELL_RUNNER_H_
