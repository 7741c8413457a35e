#include "compat_matrix/result.h"

#include "absl/strings/string_view.h"

namespace opcompat {

absl::string_view CellStateName(CellState state) {
  switch (state) {
    case CellState::kIdentical:
      return "identical";
    case CellState::kAdapted:
      return "adapted";
    case CellState::kRefused:
      return "refused";
    case CellState::kUnexpected:
      return "unexpected";
    case CellState::kMisread:
      return "misread";
    case CellState::kCrashed:
      return "crashed";
    case CellState::kHung:
      return "hung";
  }
  return "crashed";
}

bool IsGood(CellState state) {
  return state == CellState::kIdentical || state == CellState::kAdapted ||
         state == CellState::kRefused;
}

void MatrixSummary::Add(CellState state) {
  ++cells;
  switch (state) {
    case CellState::kIdentical:
      ++accepted;
      ++identical;
      break;
    case CellState::kAdapted:
      ++accepted;
      break;
    case CellState::kRefused:
      ++refused;
      break;
    case CellState::kUnexpected:
      ++unexpected;
      break;
    case CellState::kMisread:
      ++misread;
      break;
    case CellState::kCrashed:
      ++crashed;
      break;
    case CellState::kHung:
      ++crashed;
      ++hung;
      break;
  }
}

void MatrixSummary::Add(const MatrixSummary& other) {
  cells += other.cells;
  accepted += other.accepted;
  identical += other.identical;
  refused += other.refused;
  misread += other.misread;
  crashed += other.crashed;
  hung += other.hung;
  unexpected += other.unexpected;
}

}  // namespace opcompat
