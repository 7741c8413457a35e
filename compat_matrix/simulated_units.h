// Simulated histories as units of the matrix: one for each seed, made on the
// thread that runs it, with modules of its own that are executed at both ends.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATED_UNITS_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATED_UNITS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compat_matrix/result.h"
#include "compat_matrix/run_fingerprint.h"
#include "compat_matrix/run_units.h"
#include "compat_matrix/simulation/simulated_case.h"
#include "compat_matrix/simulation/simulated_history.h"
#include "compat_matrix/worker.h"

namespace opcompat {

class SimulatedUnits : public UnitSource {
 public:
  // The seeds first_seed, first_seed + 1, ...
  SimulatedUnits(size_t size, uint64_t first_seed,
                 const simulation::SimulationOptions& options)
      : size_(size), first_seed_(first_seed), options_(options) {}

  size_t size() const override { return size_; }
  absl::StatusOr<std::vector<ModuleCells>> Run(size_t i,
                                               Worker& worker) const override;
  // All that decides about the cells.
  void AddTo(RunFingerprint* fingerprint) const;

 private:
  // What the detail of a bad cell says besides: how to get at what it is of.
  std::string HowToFollowUp(size_t i) const;

  const size_t size_;
  const uint64_t first_seed_;
  const simulation::SimulationOptions options_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATED_UNITS_H_
