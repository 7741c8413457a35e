#include "wire/testing/answer_problem.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "deserializer/compiled_history.h"
#include "deserializer/decode.h"
#include "deserializer/deserialize.h"
#include "ir/equality.h"
#include "ir/module.h"
#include "ir/verifier.h"
#include "schema/history.h"
#include "schema/opset.h"
#include "serializer/compile_history.h"
#include "serializer/options.h"
#include "serializer/serialize.h"
#include "wire/module.pb.h"
#include "wire/testing/opset_difference.h"
#include "wire/testing/raw_fields.h"
#include "wire/testing/seal.h"

namespace opcompat {
namespace {

constexpr uint32_t kDebug = 15;

// What generated code makes of the file, written by it.
absl::optional<std::string> WrittenByProtobuf(absl::string_view file) {
  const absl::string_view bulk = BulkOf(file);
  file = file.substr(0, MessageSize(file));
  wire::Module message;
  if (message.ParseFromString(std::string(file))) {
    return WithBulk(Seal(message), bulk);
  }
  // Garbage in the debug information is an error to protobuf.
  std::string without_debug;
  for (const RawField& field : SplitFields(file)) {
    if (field.number != kDebug) without_debug += std::string(field.bytes);
  }
  if (!message.ParseFromString(without_debug)) return absl::nullopt;
  return WithBulk(Seal(message), bulk);
}

// Of an error: empty if malformed files have it.
std::string ErrorProblem(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kUnimplemented:
    case absl::StatusCode::kResourceExhausted:
      return status.message().empty() ? "an error without a message" : "";
    default:
      return absl::StrCat("an error of another code: ", status.ToString());
  }
}

// Empty if `file` is read as `module`.
std::string ReadingProblem(absl::string_view file, const Module& module) {
  const absl::StatusOr<Module> read = Decode(file);
  if (!read.ok()) return read.status().ToString();
  return FirstDifference(module, *read).value_or("");
}

}  // namespace

std::string AnswerProblem(absl::string_view file) {
  const absl::StatusOr<Module> module = Decode(file);
  if (!module.ok()) return ErrorProblem(module.status());
  const absl::Status verified = Verify(*module);
  if (!verified.ok()) {
    return absl::StrCat("what is read does not verify: ", verified.ToString());
  }
  SerializeOptions options;
  options.elision = Elision::kUnspecifiedOnly;
  const absl::StatusOr<std::string> again =
      Serialize(*module, Runtime(), options);
  if (!again.ok()) {
    return absl::StrCat("what is read is not written: ",
                        again.status().ToString());
  }
  std::string problem = ReadingProblem(*again, *module);
  if (!problem.empty()) {
    return absl::StrCat("read, written and read again: ", problem);
  }
  const absl::optional<std::string> by_protobuf = WrittenByProtobuf(file);
  if (!by_protobuf.has_value()) return "protobuf cannot read it";
  problem = ReadingProblem(*by_protobuf, *module);
  if (!problem.empty()) return absl::StrCat("written by protobuf: ", problem);
  return "";
}

std::string CompiledHistoryAnswerProblem(
    absl::string_view compiled, const std::vector<std::string>& files) {
  const absl::StatusOr<CompiledHistory> history =
      CompiledHistory::Open(compiled);
  if (!history.ok()) return ErrorProblem(history.status());
  // As a device has it: one version, operators decoded as they are asked for.
  for (const std::string& id : history->versions()) {
    const absl::StatusOr<Opset> opset = history->At(id);
    if (!opset.ok()) {
      std::string problem = ErrorProblem(opset.status());
      if (!problem.empty()) return absl::StrCat("version ", id, ": ", problem);
      continue;
    }
    const absl::StatusOr<Runtime> runtime = Runtime::Create({*opset});
    if (!runtime.ok()) {
      return absl::StrCat("version ", id, " alone makes no runtime: ",
                          runtime.status().ToString());
    }
    for (const std::string& file : files) {
      Deserialize(file, *runtime).status().IgnoreError();
    }
  }
  const absl::StatusOr<std::shared_ptr<const OpsetHistory>> all =
      history->LoadAll();
  if (!all.ok()) return ErrorProblem(all.status());
  const absl::StatusOr<std::string> again = CompileHistory(**all);
  if (!again.ok()) {
    return absl::StrCat("what is loaded does not compile: ",
                        again.status().ToString());
  }
  const absl::StatusOr<CompiledHistory> reopened =
      CompiledHistory::Open(*again);
  if (!reopened.ok()) return reopened.status().ToString();
  const absl::StatusOr<std::shared_ptr<const OpsetHistory>> loaded =
      reopened->LoadAll();
  if (!loaded.ok()) return loaded.status().ToString();
  return HistoryDifference(**all, **loaded);
}

}  // namespace opcompat
