#include "tools/modules.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"
#include "deserializer/compiled_history.h"
#include "deserializer/decode.h"
#include "deserializer/deserialize.h"
#include "deserializer/tensor_memory.h"
#include "ir/text/module_parser.h"
#include "tools/output.h"
#include "tools/progress.h"

namespace opcompat {
namespace {

// A status about the versions, with the file that asked for them.
absl::Status OfFile(const absl::Status& status, const ModuleFile& file) {
  if (status.GetPayload(kHistoryFaultsPayload).has_value()) return status;
  return absl::Status(status.code(),
                      absl::StrCat(file.path, ": ", status.message()));
}

// Reasons that the file itself gives begin with its name.
void NameFile(const ModuleFile& file, std::vector<Reason>* reasons) {
  for (Reason& reason : *reasons) {
    switch (reason.code) {
      case ReasonCode::kUnknownFeature:
      case ReasonCode::kWireVersion:
      case ReasonCode::kLimit:
      case ReasonCode::kMalformed:
        reason.message = absl::StrCat(file.path, ": ", reason.message);
        break;
      default:
        break;
    }
  }
}

// Nothing at all is a module only where the name says that it is text (a module
// without functions, as some real dumps are): a file of bytes that was cut down
// to nothing must not pass.
absl::Status CheckNotBlank(const ModuleFile& file,
                           std::vector<Reason>* reasons) {
  const bool is_blank = std::all_of(file.content.begin(), file.content.end(),
                                    absl::ascii_isspace);
  if (!is_blank || absl::EndsWith(file.path, ".graph")) return absl::OkStatus();
  Reason reason;
  reason.message = absl::StrCat(
      file.path, ": it is empty; a module as text or as bytes was expected");
  reasons->push_back(std::move(reason));
  return absl::InvalidArgumentError(reasons->back().message);
}

absl::StatusOr<WrittenModule> ReadText(const ModuleFile& file,
                                       Histories& histories,
                                       const HistoryOptions& options,
                                       std::vector<Reason>* reasons) {
  OPCOMPAT_RETURN_IF_ERROR(CheckNotBlank(file, reasons));
  const std::vector<OpsetVersion> opsets = ReadOpsetLines(file.content);
  absl::StatusOr<RuntimeChoice> choice =
      ChooseRuntime(histories, options, opsets);
  if (!choice.ok()) return OfFile(choice.status(), file);
  absl::StatusOr<Module> module = ParseModule(file.content, choice->runtime);
  if (!module.ok()) {
    // LINE:COLUMN: comes first, and joins the path without a space.
    Reason reason;
    reason.code = module.status().code() == absl::StatusCode::kResourceExhausted
                      ? ReasonCode::kLimit
                      : ReasonCode::kMalformed;
    reason.message = absl::StrCat(file.path, ":", module.status().message());
    reasons->push_back(std::move(reason));
    return absl::Status(module.status().code(), reasons->back().message);
  }
  return WrittenModule{*std::move(module), *std::move(choice)};
}

// A file that is known to be something else.
absl::Status CheckIsModule(const ModuleFile& file,
                           std::vector<Reason>* reasons) {
  if (!LooksLikeCompiledHistory(file.content)) return absl::OkStatus();
  Reason reason;
  reason.message = absl::StrCat(
      file.path, ": it is a compiled history (`opcompat history` says what is ",
      "in it); a module as text or as bytes was expected");
  reasons->push_back(std::move(reason));
  return absl::InvalidArgumentError(reasons->back().message);
}

// Decode with the reason for a failure: an empty runtime reads nothing, but
// names what is wrong with the file in the same words as any other.
absl::StatusOr<Module> DecodeFile(const ModuleFile& file,
                                  std::vector<Reason>* reasons) {
  OPCOMPAT_RETURN_IF_ERROR(CheckIsModule(file, reasons));
  const DeserializeOptions options = file.Options();
  absl::StatusOr<Module> module = Decode(file.content, options);
  if (module.ok()) return module;
  const absl::Status refused =
      Deserialize(file.content, Runtime(), options, reasons).status();
  NameFile(file, reasons);
  return refused;
}

}  // namespace

DeserializeOptions ModuleFile::Options() const {
  DeserializeOptions options;
  options.tensors = TensorMemory::KeptBy(owner);
  options.progress = progress;
  return options;
}

absl::StatusOr<ModuleFile> ReadModuleFile(const std::string& path,
                                          const OutputOptions& output) {
  ModuleFile file;
  file.path = path;
  OPCOMPAT_ASSIGN_OR_RETURN(InputBytes input, OpenInput(path));
  file.content = input.bytes;
  file.owner = std::move(input.owner);
  file.form = FormOfContent(file.content);
  file.progress = ByteProgress(
      output, absl::StrCat("reading ", path == "-" ? "standard input" : path));
  return file;
}

absl::StatusOr<WrittenModule> ReadAsWritten(const ModuleFile& file,
                                            Histories& histories,
                                            const HistoryOptions& options,
                                            std::vector<Reason>* reasons) {
  if (file.form == ModuleForm::kText) {
    return ReadText(file, histories, options, reasons);
  }
  OPCOMPAT_ASSIGN_OR_RETURN(Module module, DecodeFile(file, reasons));
  return WrittenModule{std::move(module), RuntimeChoice()};
}

absl::StatusOr<ReadModule> ReadForVersion(const ModuleFile& file,
                                          Histories& histories,
                                          const HistoryOptions& options,
                                          std::vector<Reason>* reasons) {
  if (file.form == ModuleForm::kText) {
    OPCOMPAT_ASSIGN_OR_RETURN(WrittenModule written,
                              ReadText(file, histories, options, reasons));
    return ReadModule{std::move(written.module), std::move(written.choice), {}};
  }
  OPCOMPAT_ASSIGN_OR_RETURN(const Module written, DecodeFile(file, reasons));
  absl::StatusOr<RuntimeChoice> choice =
      ChooseRuntime(histories, options, written.opsets);
  if (!choice.ok()) return OfFile(choice.status(), file);
  DeserializeOptions again = file.Options();
  again.check_tensor_hashes = false;  // DecodeFile has
  again.progress = nullptr;
  OPCOMPAT_ASSIGN_OR_RETURN(
      Loaded loaded,
      Deserialize(file.content, choice->runtime, again, reasons));
  return ReadModule{std::move(loaded.module), *std::move(choice),
                    std::move(loaded.report)};
}

int FailureExitCode(const std::vector<Reason>& reasons) {
  const bool malformed =
      std::any_of(reasons.begin(), reasons.end(), [](const Reason& reason) {
        return reason.code == ReasonCode::kMalformed;
      });
  return reasons.empty() || malformed ? kExitBadInput : kExitRefused;
}

void PrintFailure(const absl::Status& status,
                  const std::vector<Reason>& reasons) {
  if (!reasons.empty()) {
    PrintReasons(reasons);
    return;
  }
  const bool has_places = status.GetPayload(kHistoryFaultsPayload).has_value();
  for (const absl::string_view line : absl::StrSplit(status.message(), '\n')) {
    PrintError(absl::StrCat(has_places ? "" : "opcompat: ", OneLine(line)));
  }
}

}  // namespace opcompat
