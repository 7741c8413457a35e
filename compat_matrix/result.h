// What a run of the matrix found, as data: what runners make, shards merge,
// reports print and a database keeps. Knows nothing of how a cell is run.
//
// A run hands its cells over module by module (ResultSink), so that a night's
// millions of cells need not be in memory at once; MatrixResult is all of them,
// for runs that are small.
#ifndef OPCOMPAT_COMPAT_MATRIX_RESULT_H_
#define OPCOMPAT_COMPAT_MATRIX_RESULT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "binding/report.h"

namespace opcompat {

enum class CellState : uint8_t {
  kIdentical,   // accepted with the writer's meaning, every call as it stood
  kAdapted,     // accepted with the writer's meaning
  kRefused,     // as predicted, with reasons
  kUnexpected,  // accepted or refused, rightly or not, against the prediction
  kMisread,     // accepted with another meaning
  kCrashed,     // no answer
  kHung,        // no answer in time
};

// `identical`, `adapted`, `refused`, `unexpected`, `misread`, `crashed`,
// `hung`.
absl::string_view CellStateName(CellState state);

// Identical, adapted, or refused.
bool IsGood(CellState state);

// What came of a cell, beyond its state. Cells of one module share equal ones.
struct CellOutcome {
  std::vector<Reason> reasons;  // of a refusal
  // Of a predicted refusal: `CODE OPERATOR ARGUMENT`.
  std::vector<std::string> predicted_reasons;
  LoadReport report;  // of an acceptance; empty: the testee gave none
  // What is wrong, unless IsGood(state).
  std::string detail;
};

struct Cell {
  uint32_t outcome = 0;  // ModuleCells::outcomes
  // MatrixHistory::versions.
  uint16_t writer = 0;
  uint16_t reader = 0;
  uint16_t testee = 0;  // RunNames::testees
  uint16_t author = 0;  // RunNames::authors
  // The file was written for the reader's version, by "writing for a target".
  bool for_target = false;
  bool predicted_accepted = false;
  bool accepted = false;
  CellState state = CellState::kCrashed;
};

// The history that varies.
struct MatrixHistory {
  std::string name;
  // Histories of one group are summed up in one table: the name, or what
  // simulated ones have in common.
  std::string group;
  std::vector<std::string> versions;  // oldest first
};

// The cells of one module with the versions of one history: by writer, reader,
// author, testee; the cell of a target after the plain one.
struct ModuleCells {
  std::shared_ptr<const MatrixHistory> history;
  std::string module;  // its path, as reports name it
  std::string text;
  // Its place in the whole run, whatever shard it is in: of the unit that made
  // it (run_units.h). Modules of one unit share one.
  uint64_t unit = 0;
  std::vector<CellOutcome> outcomes;
  std::vector<Cell> cells;

  const std::string& writer(const Cell& cell) const {
    return history->versions[cell.writer];
  }
  const std::string& reader(const Cell& cell) const {
    return history->versions[cell.reader];
  }
  const CellOutcome& outcome(const Cell& cell) const {
    return outcomes[cell.outcome];
  }
};

// Which part of a run this is.
struct RunPart {
  // What the whole run is made of, as a hash: the shards of one run have one.
  std::string run;
  uint32_t shard = 0;
  uint32_t shards = 1;
  // To some versions (MatrixOptions::writers, readers): what is not here is not
  // gone.
  bool limited = false;
};

// What takes part in all cells of a run.
struct RunNames {
  std::vector<std::string> testees;  // `in-process`, programs
  // Programs that write files; 0 is this build.
  std::vector<std::string> authors = {"in-process"};
  RunPart part;
};

struct MatrixSummary {
  uint64_t cells = 0;
  uint64_t accepted = 0;  // identical or adapted
  uint64_t identical = 0;
  uint64_t refused = 0;
  uint64_t misread = 0;
  uint64_t crashed = 0;  // or hung
  uint64_t hung = 0;
  uint64_t unexpected = 0;

  void Add(CellState state);
  void Add(const MatrixSummary& other);
  bool good() const { return misread == 0 && crashed == 0 && unexpected == 0; }
};

// Takes the cells of a run, one module after the other, in the order of the
// run's histories and modules; calls do not overlap.
class ResultSink {
 public:
  virtual ~ResultSink() = default;
  // An error ends the run.
  virtual absl::Status Add(const ModuleCells& module) = 0;
};

struct MatrixResult {
  RunNames names;
  std::vector<ModuleCells> modules;
  MatrixSummary summary;
};

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_RESULT_H_
