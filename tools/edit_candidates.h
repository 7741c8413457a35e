// What might help against a reason: guesses, for reader_edits.h to try.
#ifndef OPCOMPAT_TOOLS_EDIT_CANDIDATES_H_
#define OPCOMPAT_TOOLS_EDIT_CANDIDATES_H_

#include <string>
#include <vector>

#include "binding/report.h"
#include "ir/module.h"
#include "schema/opset.h"
#include "tools/edit_calls.h"
#include "tools/reader_edit.h"

namespace opcompat {

struct EditCandidate {
  ReaderEdit::Kind kind = ReaderEdit::Kind::kPass;
  std::string argument;  // if it is one that the reason does not name
  std::string new_value;
  std::string what;
  std::vector<CallEdit> edits;
};

// Best first; may be empty.
//   * An argument: its neutral value, the reader's retired one, the defaults of
//     both sides; by leaving it out where that is the same.
//   * A revision: what `unchanged_when` of the steps between asks for.
// `writer` may be null.
std::vector<EditCandidate> EditCandidates(const Module& module,
                                          const Runtime* writer,
                                          const Runtime& reader,
                                          const Reason& reason);

// What to say where no candidate helps: in words, and not checked.
ReaderEdit UncheckedEdit(const Module& module, const Runtime& reader,
                         const Reason& reason);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_EDIT_CANDIDATES_H_
