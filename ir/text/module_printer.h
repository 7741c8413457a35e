// Modules as canonical text (docs/architecture.md; the grammar of `.graph`).
#ifndef OPCOMPAT_IR_TEXT_MODULE_PRINTER_H_
#define OPCOMPAT_IR_TEXT_MODULE_PRINTER_H_

#include <string>

#include "ir/module.h"

namespace opcompat {

struct PrintOptions {
  // Appends `# revision N` to calls at N > 1.
  bool show_revisions = false;
  // Leaves the debug names out: values are %0, %1, ...
  bool ignore_names = false;
};

// The text that ParseModule reads back as an equal module. Debug names are
// kept; where a name repeats, is missing, or has characters that text does not
// allow, the value gets its number, made unique. Indentation ends at 64 levels,
// so that the text is linear in the module; does not recurse over blocks.
// Precondition: Verify(module) is OK (or the module is opaque: decoded only).
std::string PrintModule(const Module& module, const PrintOptions& options = {});

}  // namespace opcompat

#endif  // OPCOMPAT_IR_TEXT_MODULE_PRINTER_H_
