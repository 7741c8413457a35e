// How `--help` looks: texts wrapped so that they fit into 80 columns.
#ifndef OPCOMPAT_TOOLS_HELP_FORMATTER_H_
#define OPCOMPAT_TOOLS_HELP_FORMATTER_H_

#include <memory>
#include <string>

#include "CLI/App.hpp"
#include "CLI/Config.hpp"
#include "CLI/Formatter.hpp"
#include "absl/strings/string_view.h"

namespace opcompat {

// `text` broken at spaces into lines of at most `width` bytes (a longer word
// has a line of its own).
std::string Wrap(absl::string_view text, size_t width);

std::shared_ptr<CLI::Formatter> MakeHelpFormatter();

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_HELP_FORMATTER_H_
