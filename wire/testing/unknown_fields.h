// Files of a later writer: fields that nobody knows today, at any place.
#ifndef OPCOMPAT_WIRE_TESTING_UNKNOWN_FIELDS_H_
#define OPCOMPAT_WIRE_TESTING_UNKNOWN_FIELDS_H_

#include <functional>
#include <string>

#include "absl/strings/string_view.h"

namespace opcompat {

// Visits the file with `field`, a whole field as bytes, at each place where a
// field may stand: before, between and behind the fields of each message, but
// for what is before the magic string and behind the checksum. With the
// checksum that fits; and a name for the place.
void ForEachAddedField(
    absl::string_view file, absl::string_view field,
    const std::function<void(const std::string& changed,
                             const std::string& place)>& visit);

}  // namespace opcompat

#endif  // OPCOMPAT_WIRE_TESTING_UNKNOWN_FIELDS_H_
