// Module files, good and bad: reading them with every version gives a module or
// an error, the same whichever way they are read.

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "deserializer/decode.h"
#include "deserializer/deserialize.h"
#include "fuzz/check.h"
#include "fuzz/runtimes.h"
#include "fuzz/sealed_mutator.h"
#include "fuzz/sealed_target.h"
#include "ir/equality.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"
#include "ir/text/module_printer.h"
#include "schema/enum_words.h"
#include "schema/opset.h"
#include "schema/type.h"
#include "schema/value.h"
#include "serializer/options.h"
#include "serializer/serialize.h"
#include "wire/testing/answer_problem.h"
#include "wire/testing/bound_reading.h"

namespace opcompat {
namespace {

void ExpectSame(const Module& a, const Module& b, absl::string_view what) {
  ExpectNone(FirstDifference(a, b).value_or(""), what);
}

// Whether there is a tensor in it whose dtype text does not spell as it is: a
// word of the future, which files may have, or another word for one.
bool HasOpaqueTensor(const Value& value) {
  if (value.kind() == ValueKind::kTensor) {
    const std::string& dtype = value.tensor().dtype;
    const absl::optional<int64_t> number =
        EnumNumber(TypeKind::kScalarType, dtype);
    return !number.has_value() ||
           EnumWord(TypeKind::kScalarType, *number) != dtype;
  }
  if (value.kind() != ValueKind::kList && value.kind() != ValueKind::kTuple &&
      value.kind() != ValueKind::kDict) {
    return false;
  }
  return std::any_of(value.elements().begin(), value.elements().end(),
                     HasOpaqueTensor);
}

// What was accepted is the reader's own: as text and as a file it comes back.
void CheckAccepted(absl::string_view file, const Runtime& reader,
                   const Module& module) {
  const std::string text = PrintModule(module);
  if (std::none_of(module.constants.begin(), module.constants.end(),
                   HasOpaqueTensor)) {
    ExpectSame(module,
               ValueOf(ParseModule(text, reader),
                       "what was read, printed, does not parse"),
               "what was read, printed and parsed");
  }
  SerializeOptions options;
  options.elision = Elision::kUnspecifiedOnly;
  const std::string written = ValueOf(Serialize(module, reader, options),
                                      "what was read is not written");
  ExpectSame(module,
             ValueOf(Deserialize(written, reader),
                     "what was read and written is not read")
                 .module,
             "what was read, written and read");
  const Loaded again = ValueOf(Deserialize(file, reader), "the second time");
  if (ValueOf(Serialize(again.module, reader, options), "the second time") !=
      written) {
    Fail("a second reading of the same bytes gives another module");
  }
}

// A limit refuses, or it changes nothing.
void CheckLimits(absl::string_view file, const Runtime& reader, uint64_t choice,
                 const absl::StatusOr<Loaded>& unlimited) {
  DeserializeOptions options;
  switch (choice % 4) {
    case 0:
      options.limits.max_bytes = 256;
      break;
    case 1:
      options.limits.max_nodes = 6;
      break;
    case 2:
      options.limits.max_depth = 1;
      break;
    case 3:
      options.limits.max_tensor_bytes = 16;
      break;
  }
  const absl::StatusOr<Loaded> limited = Deserialize(file, reader, options);
  if (absl::IsResourceExhausted(limited.status())) return;
  if (limited.status() != unlimited.status()) {
    Fail("below a limit the answer is another one");
  }
  if (limited.ok()) {
    ExpectSame(limited->module, unlimited->module, "below a limit");
  }
}

// Operators that the reader lacks stay as they are.
void CheckKeptUnknown(absl::string_view file, const Module& written) {
  DeserializeOptions options;
  options.keep_unknown_operators = true;
  const Loaded kept = ValueOf(Deserialize(file, Runtime(), options),
                              "a reader that keeps all operators refuses");
  ExpectSame(kept.module, written, "with all operators kept");
}

}  // namespace

SealedForm FormOfInputs() { return ModuleForm(); }

void TestFile(absl::string_view file) {
  ExpectNone(AnswerProblem(file), "decoding");
  const absl::StatusOr<Module> written = Decode(file);
  const uint64_t choice = ChoiceOf(file);
  if (!written.ok()) {
    const Runtime& reader = DemoRuntimes()[choice % DemoRuntimes().size()];
    if (Deserialize(file, reader).status() != written.status()) {
      Fail("decoding and reading refuse for different reasons");
    }
    return;
  }
  const std::vector<Runtime>& readers = RuntimesFor(written->opsets);
  const Runtime& reader = readers[choice % readers.size()];
  ExpectNone(BoundReadingProblem(file, reader), "reading and binding");
  const absl::StatusOr<Loaded> loaded = Deserialize(file, reader);
  ExpectAnswerCode(loaded.status(), "reading");
  CheckLimits(file, reader, choice / 16, loaded);
  CheckKeptUnknown(file, *written);
  if (loaded.ok()) CheckAccepted(file, reader, loaded->module);
}

}  // namespace opcompat
