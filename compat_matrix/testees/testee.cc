#include "compat_matrix/testees/testee.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "deserializer/deserialize.h"
#include "ir/verifier.h"
#include "schema/opset.h"

namespace opcompat {

TesteeAnswer InProcessTestee::Read(absl::string_view bytes,
                                   const Runtime& reader) {
  TesteeAnswer answer;
  absl::StatusOr<Loaded> loaded =
      Deserialize(bytes, reader, {}, &answer.reasons);
  if (loaded.ok()) {
    // Reading verifies no more than it must.
    const absl::Status verified = Verify(loaded->module);
    if (verified.ok()) {
      answer.module = std::move(loaded->module);
      answer.report = std::move(loaded->report);
    } else {
      answer.crash = absl::StrCat("accepted a module that does not verify: ",
                                  verified.message());
    }
  } else if (answer.reasons.empty()) {
    answer.crash =
        absl::StrCat("refused without a reason: ", loaded.status().ToString());
  }
  return answer;
}

}  // namespace opcompat
