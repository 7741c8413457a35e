// A change of a module's calls for the sake of a version that refuses them.
#ifndef OPCOMPAT_TOOLS_READER_EDIT_H_
#define OPCOMPAT_TOOLS_READER_EDIT_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace opcompat {

struct ReaderEdit {
  enum class Kind : uint8_t {
    kLeaveOut,  // leave the argument out
    kPass,      // pass another constant
    kReplace,   // the call needs another operator
    kResult,    // a result that must not be used
    kOther,     // pass something else; nobody knows what
    kDeclare,   // no edit of the call helps, a declaration in the history does
  };
  Kind kind = Kind::kOther;
  std::string op;
  std::string argument;   // may be empty
  std::string value;      // what is passed now; empty: computed by the graph
  std::string new_value;  // of kPass
  uint64_t calls = 0;
  std::string function;  // of the first of them
  std::string node;
  std::string location;
  // The edit was made and the version has no more to say against these calls.
  // Always so for the first two kinds, never for the others.
  bool is_checked = false;
  // `leave out approximate="tanh"`
  std::string what;
};

// `leave_out`, `pass`, `replace`, `result`, `other`, `declare`.
absl::string_view ReaderEditKindName(ReaderEdit::Kind kind);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_READER_EDIT_H_
