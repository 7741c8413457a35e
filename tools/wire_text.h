// WireModel for people: the parts of a file with their offsets, then what is in
// them.
#ifndef OPCOMPAT_TOOLS_WIRE_TEXT_H_
#define OPCOMPAT_TOOLS_WIRE_TEXT_H_

#include <string>

#include "nlohmann/json.hpp"

namespace opcompat {

// Precondition: `model` is what WireModel returns, with the file's name as
// `module`.
std::string WireText(const nlohmann::ordered_json& model);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_WIRE_TEXT_H_
