// The file of expected refusals: which cells of a matrix are refused, with
// which message. One group of cells and one message a line:
//
//   # gelu had no approximation before 1.13.
//   models/gelu.graph torch 2.6.0->1.7.1 # aten::gelu (torch 2.6.0): argument
//   ... (one line)
//
// A line says of every cell that its pattern (refusal_pattern.h) matches that it
// is refused with that message, word for word; a cell with several reasons
// needs several lines. With such a file at hand every refusal must be in it,
// and every line must be true: the list cannot go stale.
//
// Cells of this build alone are held against it: other programs word their
// refusals as they like, and the histories of simulations nobody knows. Both
// are held against the prediction, as all cells are.
#ifndef OPCOMPAT_TOOLS_EXPECTED_REFUSALS_H_
#define OPCOMPAT_TOOLS_EXPECTED_REFUSALS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/result.h"
#include "tools/refusal_pattern.h"

namespace opcompat {

struct RefusalFinding {
  enum class Kind {
    kNew,      // a refusal that no line expects
    kPasses,   // a line's cell is accepted
    kChanged,  // a line's cell is refused with another message
    kStale,    // a line without cells
  };
  Kind kind = Kind::kNew;
  int line = 0;  // of the file; 0: kNew
  // A cell that shows it; kStale: the line's pattern.
  std::string cell;
  uint64_t cells = 0;  // of how many cells it is true
  // What the line says; empty: kNew.
  std::string expected;
  // What the cell says: kNew, kChanged.
  std::string found;
};

// `new`, `passes`, `changed`, `stale`.
absl::string_view RefusalFindingName(RefusalFinding::Kind kind);

// Whether it is known that a line without cells is stale: false if it may be
// about cells that this run leaves out. Null: always.
using StaleScope = std::function<bool(const RefusalPattern& pattern)>;

class ExpectedRefusals : public ResultSink {
 public:
  // `path` is for messages. Returns InvalidArgument with `FILE:LINE: message`
  // of each line that is malformed, or is there twice.
  static absl::StatusOr<std::unique_ptr<ExpectedRefusals>> Parse(
      std::string path, absl::string_view text);

  // Never fails.
  absl::Status Add(const ModuleCells& module) override;

  // What does not hold: lines of the file in their order, then new refusals in
  // the order of the cells. Once, after the last Add.
  std::vector<RefusalFinding> Findings(const StaleScope& scope = nullptr) const;

  // `FILE:LINE: kind: ...`, without a newline.
  std::string Text(const RefusalFinding& finding) const;

  // The file as it should be: lines that hold stay in their order with the
  // comments before them, others go, and what is not covered then comes at the
  // end, cells with one message taken together. The text as it is if everything
  // holds.
  struct Update {
    std::string text;
    size_t kept = 0;
    size_t dropped = 0;
    size_t added = 0;
  };
  Update Updated(const StaleScope& scope = nullptr) const;

  const std::string& path() const { return path_; }

 private:
  struct Line {
    int number = 0;
    std::string comments;  // the lines before it, each with its newline
    std::string text;      // as it stands, without the newline
    RefusalPattern pattern;
    std::string message;

    // Its cells: how many did what, and the first that did.
    uint64_t held = 0;
    uint64_t unknown = 0;  // no answer: nothing can be said
    uint64_t passed = 0;
    std::string passed_cell;
    uint64_t changed = 0;
    std::string changed_cell;
    std::string changed_to;
    // All that changed say this one thing now.
    bool changed_alike = true;

    bool has_cells() const { return held + unknown + passed + changed > 0; }
    // Another message in its place makes it true.
    bool has_successor() const {
      return changed > 0 && changed_alike && held + unknown + passed == 0;
    }
  };
  struct Place {
    uint16_t writer = 0;
    uint16_t reader = 0;
    bool for_target = false;
  };
  // One message of one refused cell.
  struct Refused : Place {
    uint32_t message = 0;  // Module::messages
    // Lines that say so, by index; and lines that say something else of the
    // cell, and would be right with this message.
    std::vector<uint32_t> lines;
    std::vector<uint32_t> successors;
    bool is_change = false;  // there are lines of the second kind
  };
  struct Module {
    std::shared_ptr<const MatrixHistory> history;
    std::string path;
    std::vector<std::string> messages;
    std::vector<Refused> refused;
    std::vector<Place> cells;  // all
  };
  // A line that may be about a module's cells, and the versions that it means.
  struct Candidate {
    uint32_t line = 0;
    std::vector<bool> writers;
    std::vector<bool> readers;
  };

  explicit ExpectedRefusals(std::string path) : path_(std::move(path)) {}
  std::vector<Candidate> CandidatesFor(const ModuleCells& module) const;
  void AddRefused(const ModuleCells& module, const Cell& cell,
                  const std::vector<uint32_t>& about, Module* kept);
  static bool Fails(const Line& line, const StaleScope& scope);

  const std::string path_;
  std::vector<Line> lines_;
  std::string tail_;  // comments after the last line
  std::vector<Module> modules_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_EXPECTED_REFUSALS_H_
