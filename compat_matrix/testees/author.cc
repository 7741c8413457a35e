#include "compat_matrix/testees/author.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "serializer/options.h"
#include "serializer/serialize.h"
#include "serializer/target_refusal.h"

namespace opcompat {

AuthorAnswer InProcessAuthor::Write(const Module& module, const Runtime& writer,
                                    const Runtime* target) {
  AuthorAnswer answer;
  SerializeOptions options;
  if (target != nullptr) options.targets = {target};
  std::vector<TargetRefusal> refusals;
  absl::StatusOr<std::string> file =
      Serialize(module, writer, options, &refusals);
  if (file.ok()) {
    answer.file = *std::move(file);
  } else if (!refusals.empty()) {
    answer.reasons = std::move(refusals[0].reasons);
  } else {
    answer.crash =
        absl::StrCat("cannot be written: ", file.status().ToString());
  }
  return answer;
}

}  // namespace opcompat
