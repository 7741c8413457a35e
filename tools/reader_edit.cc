#include "tools/reader_edit.h"

#include "absl/strings/string_view.h"

namespace opcompat {

absl::string_view ReaderEditKindName(ReaderEdit::Kind kind) {
  switch (kind) {
    case ReaderEdit::Kind::kLeaveOut:
      return "leave_out";
    case ReaderEdit::Kind::kPass:
      return "pass";
    case ReaderEdit::Kind::kReplace:
      return "replace";
    case ReaderEdit::Kind::kResult:
      return "result";
    case ReaderEdit::Kind::kOther:
      return "other";
    case ReaderEdit::Kind::kDeclare:
      return "declare";
  }
  return "other";
}

}  // namespace opcompat
