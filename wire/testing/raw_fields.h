// The fields of a message as bytes, for tests that move them about.
#ifndef OPCOMPAT_WIRE_TESTING_RAW_FIELDS_H_
#define OPCOMPAT_WIRE_TESTING_RAW_FIELDS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace opcompat {

struct RawField {
  uint32_t number = 0;
  absl::string_view bytes;    // the whole field, from its tag on
  absl::string_view payload;  // of a length-delimited one
};

// The fields of a message in the order of its bytes; of a message that is cut
// off, those before the cut.
std::vector<RawField> SplitFields(absl::string_view message);

// A length-delimited field.
std::string LengthDelimited(uint32_t number, absl::string_view payload);

// Calls `change` for the fields of each message in `file`, the outermost first,
// with the name of the message's place (`Module.operators[2]`) and a function
// that makes the file whose message has other bytes, with the checksum that
// fits and the bulk data where it then begins. The checksum itself is not among the fields.
void ForEachMessage(
    absl::string_view file,
    const std::function<void(
        const std::vector<RawField>& fields, const std::string& name,
        const std::function<std::string(absl::string_view)>& with)>& change);

}  // namespace opcompat

#endif  // OPCOMPAT_WIRE_TESTING_RAW_FIELDS_H_
