// What is written for a target is read there, and computes what the writer
// meant; or it is refused as the oracle says.

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "compat_matrix/oracle/oracle.h"
#include "compat_matrix/simulation/kernels.h"
#include "compat_matrix/simulation/laws.h"
#include "deserializer/deserialize.h"
#include "fuzz/evolution/case_target.h"
#include "fuzz/evolution/prepared_case.h"
#include "ir/verifier.h"
#include "schema/opset.h"
#include "serializer/serialize.h"

namespace opcompat {
namespace fuzz {
namespace {

// What `target` reads of a file that was written for it.
Module ReadAt(const PreparedCase& input, const std::string& bytes,
              size_t target) {
  const Runtime& runtime = input.history->laws->runtime(target);
  absl::StatusOr<Loaded> read = Deserialize(bytes, runtime);
  if (!read.ok()) {
    FailWith(input, absl::StrCat("written for it, and refused by version ",
                                 target + 1, ": ", read.status().ToString()));
  }
  if (!Verify(read->module).ok()) FailWith(input, "read, it does not verify");
  const absl::optional<std::string> difference = simulation::ExecutionDiffers(
      input.module(), absl::StrCat(input.writer + 1), read->module,
      absl::StrCat(target + 1), input.history->truth);
  if (difference.has_value()) {
    FailWith(input, absl::StrCat("version ", target + 1,
                                 " computes something else: ", *difference));
  }
  return read->module;
}

void CheckOne(const PreparedCase& input) {
  const Runtime& writer = input.history->laws->runtime(input.writer);
  const Runtime& target = input.history->laws->runtime(input.reader);
  SerializeOptions options;
  options.targets = {&target};
  const absl::StatusOr<std::string> bytes =
      Serialize(input.module(), writer, options);
  const Prediction prediction = Predict(input.module(), writer, target, true);
  if (absl::IsInternal(bytes.status()) || bytes.ok() != prediction.accepted) {
    FailWith(
        input,
        absl::StrCat("predicted: ", prediction.accepted ? "written" : "refused",
                     "; writing for the target: ", bytes.status().ToString()));
  }
  if (!bytes.ok()) return;
  const Module read = ReadAt(input, *bytes, input.reader);
  const absl::optional<std::string> difference =
      MeaningDiffers(input.module(), read, writer, target, true);
  if (difference.has_value()) FailWith(input, *difference);
}

// Whether both versions read the file that the writer writes for nobody in
// particular, which is the last that is tried.
bool BothReadPlain(const PreparedCase& input, const Runtime& one,
                   const Runtime& other) {
  const absl::StatusOr<std::string> plain =
      Serialize(input.module(), input.history->laws->runtime(input.writer));
  return plain.ok() && Deserialize(*plain, one).ok() &&
         Deserialize(*plain, other).ok();
}

// One file for two versions.
void CheckTwo(const PreparedCase& input) {
  const simulation::Laws& laws = *input.history->laws;
  const size_t other = (input.reader + 1) % laws.num_versions();
  SerializeOptions options;
  options.targets = {&laws.runtime(input.reader), &laws.runtime(other)};
  const absl::StatusOr<std::string> bytes =
      Serialize(input.module(), laws.runtime(input.writer), options);
  if (absl::IsInternal(bytes.status())) {
    FailWith(input, bytes.status().ToString());
  }
  if (!bytes.ok()) {
    if (BothReadPlain(input, *options.targets[0], *options.targets[1])) {
      FailWith(input, absl::StrCat("both versions read the plain file, but "
                                   "there is none for them: ",
                                   bytes.status().ToString()));
    }
    return;
  }
  ReadAt(input, *bytes, input.reader);
  ReadAt(input, *bytes, other);
}

}  // namespace

void JudgeCase(PreparedCase input, absl::string_view /*bytes*/) {
  input.for_target = true;
  CheckOne(input);
  CheckTwo(input);
}

}  // namespace fuzz
}  // namespace opcompat
