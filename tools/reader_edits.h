// What to change in a module so that a version that refuses it would read it.
// Such edits change what the module means: they are for its author to consider.
#ifndef OPCOMPAT_TOOLS_READER_EDITS_H_
#define OPCOMPAT_TOOLS_READER_EDITS_H_

#include <vector>

#include "binding/report.h"
#include "ir/module.h"
#include "schema/opset.h"
#include "tools/reader_edit.h"

namespace opcompat {

struct ReaderAdvice {
  // One for each (operator, argument, value) that the reasons name, in their
  // order.
  std::vector<ReaderEdit> edits;
  // With all checked edits made the version reads the module. Tried.
  bool edits_suffice = false;
  // As it is, the module can be written for the version (Serialize with a
  // target). Tried.
  bool can_be_target = false;
};

// Advice for `reader`, which refuses `written` with `reasons`.
// `writer`: the version that wrote it, to write the edited module; null if it
// is not known: then an edited call stays at its revision, and whether the
// version can be a target is not tried. A few bindings of the whole module.
// Precondition: Verify(written) is OK; its entries are `writer`'s, if given.
ReaderAdvice AdviseEdits(const Module& written, const Runtime* writer,
                         const Runtime& reader,
                         const std::vector<Reason>& reasons);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_READER_EDITS_H_
