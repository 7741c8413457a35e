// What holds for the files of a history, whatever they are. For the targets of
// .ops and of history files.
#ifndef OPCOMPAT_FUZZ_TARGETS_HISTORY_CHECK_H_
#define OPCOMPAT_FUZZ_TARGETS_HISTORY_CHECK_H_

#include "compat_matrix/simulation/simulated_history.h"

namespace opcompat {

// Loads `history.textproto` of `files`: faults that say where, or a history.
// The history, with its operators printed as .ops files, is the same one; so is
// what it compiles to. Ends the process otherwise.
void CheckHistoryFiles(const simulation::HistoryFiles& files);

}  // namespace opcompat

#endif  // OPCOMPAT_FUZZ_TARGETS_HISTORY_CHECK_H_
