// The runtimes that fuzz targets read with: every version of the histories that
// are inside the program, so that it needs no files.
#ifndef OPCOMPAT_FUZZ_RUNTIMES_H_
#define OPCOMPAT_FUZZ_RUNTIMES_H_

#include <vector>

#include "ir/module.h"
#include "schema/opset.h"

namespace opcompat {

// Oldest first. Made once.
const std::vector<Runtime>& DemoRuntimes();   // opsets/demo
const std::vector<Runtime>& TorchRuntimes();  // opsets/torch
const std::vector<Runtime>& GoldRuntimes();   // compat_matrix/golden

// The runtimes of the first history of these that some opset of `opsets`, the
// header of a file or a text, names; the demo's if none does.
const std::vector<Runtime>& RuntimesFor(
    const std::vector<OpsetVersion>& opsets);

// Of those, the one whose version it names; the newest if there is none.
const Runtime& RuntimeFor(const std::vector<OpsetVersion>& opsets);

}  // namespace opcompat

#endif  // OPCOMPAT_FUZZ_RUNTIMES_H_
