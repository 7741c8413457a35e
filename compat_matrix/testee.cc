#include "compat_matrix/testee.h"

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "deserializer/deserialize.h"
#include "schema/opset.h"

namespace opcompat {

TesteeAnswer InProcessTestee::Read(absl::string_view bytes,
                                   const Runtime& reader) {
  TesteeAnswer answer;
  absl::StatusOr<Loaded> loaded =
      Deserialize(bytes, reader, {}, &answer.reasons);
  if (loaded.ok()) {
    answer.module = std::move(loaded->module);
  } else if (answer.reasons.empty()) {
    answer.crash =
        absl::StrCat("refused without a reason: ", loaded.status().ToString());
  }
  return answer;
}

}  // namespace opcompat
