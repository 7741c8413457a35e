// Modules from text (the grammar of `.graph`).
#ifndef OPCOMPAT_IR_TEXT_MODULE_PARSER_H_
#define OPCOMPAT_IR_TEXT_MODULE_PARSER_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/module.h"
#include "schema/opset.h"

namespace opcompat {

// The `opset NAME VERSION` lines of a module text, without parsing the rest
// (it cannot be parsed before the opsets are known). Stops at the first line
// that is neither header nor comment.
std::vector<OpsetVersion> ReadOpsetLines(absl::string_view text);

struct ParseOptions {
  // Bytes, nesting of blocks.
  size_t max_bytes = size_t{1} << 31;
  int max_depth = 1000000;
};

// Beyond the plain grammar:
//   * names of functions, attributes and tensors that are not words joined by
//     dots stand in quotes (`tensor "0.weight" : ...`);
//   * in a call of an operator that takes any number of operands, `...` stands
//     before those, where arguments before them are left out or go by name:
//     `ns::op(b=1, ..., %x, %y)`;
//   * a name defines one value in the whole function, also where blocks stand
//     beside each other.
//
// Parses, canonicalizes (canonicalize.h) and verifies a module written with
// `runtime`. Each call gets the runtime's current entry. The module's opsets
// are the runtime's opsets that it uses or names in `opset` lines (an `opset`
// line whose version is not the runtime's is an error).
// Returns InvalidArgument "LINE:COLUMN: found, expected" for what the text
// cannot mean, NotFound "LINE:COLUMN: ..." for an operator that the runtime
// lacks, ResourceExhausted "LINE:COLUMN: ..." beyond a limit. What the verifier
// finds has the place of the node's statement. Nothing in the text is dropped
// but comments.
absl::StatusOr<Module> ParseModule(absl::string_view text,
                                   const Runtime& runtime,
                                   const ParseOptions& options = {});

}  // namespace opcompat

#endif  // OPCOMPAT_IR_TEXT_MODULE_PARSER_H_
