// The header lines of module text: opset, attr, tensor, meta. For the parser of
// modules only.
#ifndef OPCOMPAT_IR_TEXT_HEADER_READER_H_
#define OPCOMPAT_IR_TEXT_HEADER_READER_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ir/module_builder.h"
#include "schema/opset.h"
#include "schema/text/scanner.h"

namespace opcompat {

// Whether a line that begins with `word` is a header line.
bool IsHeaderWord(absl::string_view word);

// Reads header lines up to the first line that is none. The opsets that they
// name, in order, go to `opsets`, all else to `builder`. The scanner must
// report newlines.
absl::Status ReadHeader(Scanner& scanner, const Runtime& runtime,
                        ModuleBuilder* builder,
                        std::vector<const Opset*>* opsets);

}  // namespace opcompat

#endif  // OPCOMPAT_IR_TEXT_HEADER_READER_H_
