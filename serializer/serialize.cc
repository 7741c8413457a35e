#include "serializer/serialize.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"
#include "ir/canonicalize.h"
#include "ir/module.h"
#include "ir/surely_canonical.h"
#include "ir/verifier.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"
#include "serializer/as_written.h"
#include "serializer/byte_sink.h"
#include "serializer/encode.h"
#include "serializer/options.h"
#include "serializer/target_refusal.h"
#include "serializer/targets.h"

namespace opcompat {
namespace {

absl::Status CheckOpsets(const Module& module, const Runtime& writer) {
  absl::flat_hash_set<absl::string_view> names;
  for (const OpsetVersion& opset : module.opsets) {
    if (opset.name.empty() || opset.version.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("opset \"", opset.name, "\" at version \"",
                       opset.version, "\": neither may be empty"));
    }
    if (!names.insert(opset.name).second) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the module names opset ", opset.name, " twice; once is expected"));
    }
    const Opset* known = writer.FindOpset(opset.name);
    if (known != nullptr && known->version() != opset.version) {
      return absl::InvalidArgumentError(
          absl::StrCat("the module is of ", opset.name, " ", opset.version,
                       ", but it is to be written by ", opset.name, " ",
                       known->version(), "; bind it to that version first"));
    }
  }
  return absl::OkStatus();
}

// Nobody may write an entry in the name of a version that has another one.
absl::Status CheckEntries(const Module& module, const Runtime& writer) {
  absl::flat_hash_set<std::pair<absl::string_view, uint32_t>> seen;
  for (const ModuleOperator& op : module.operators) {
    if (op.entry == nullptr) continue;
    const OperatorEntry& entry = *op.entry;
    if (!seen.emplace(entry.name(), entry.revision).second) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the module has two entries of ", entry.name(), " at revision ",
          entry.revision, "; a file holds one per operator and revision"));
    }
    const Opset* opset = writer.FindOpset(entry.history);
    if (opset == nullptr) continue;
    const OperatorInfo* info = opset->Find(entry.name());
    if (info == nullptr) continue;
    // Mostly the very same object.
    const OperatorEntry* const known =
        entry.revision > info->revision()
            ? nullptr
            : info->revisions[entry.revision - 1].last.get();
    if (known == nullptr || (known != &entry && *known != entry)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the module's entry of ", entry.name(), " at revision ",
          entry.revision, " is not the one of ", opset->name(), " ",
          opset->version(), ", for which it is to be written: found ",
          entry.ToString()));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<EncodedModule> CheckAndEncode(
    const Module& module, const Runtime& writer,
    const SerializeOptions& options, std::vector<TargetRefusal>* refusals) {
  OPCOMPAT_RETURN_IF_ERROR(Verify(module));
  OPCOMPAT_RETURN_IF_ERROR(CheckOpsets(module, writer));
  OPCOMPAT_RETURN_IF_ERROR(CheckEntries(module, writer));
  // Canonical from the beginning: what a call can be bound or lowered to
  // depends on its constants, and a constant may be spelled as a node. Nothing
  // is copied that is right already.
  absl::optional<Module> made;
  if (!IsSurelyCanonical(module)) {
    OPCOMPAT_ASSIGN_OR_RETURN(made, Canonicalize(module));
  }
  if (!options.targets.empty()) {
    OPCOMPAT_ASSIGN_OR_RETURN(
        made, WriteForTargets(made.has_value() ? *made : module, writer,
                              options.targets, refusals));
  } else if (!IsAsWritten(module)) {
    OPCOMPAT_ASSIGN_OR_RETURN(
        made, AsWritten(made.has_value() ? *made : module, writer));
  }
  return Encode(made.has_value() ? *made : module, options);
}

}  // namespace

absl::Status SerializeTo(const Module& module, const Runtime& writer,
                         const SerializeOptions& options, ByteSink* sink,
                         std::vector<TargetRefusal>* refusals) {
  OPCOMPAT_ASSIGN_OR_RETURN(const EncodedModule encoded,
                            CheckAndEncode(module, writer, options, refusals));
  return WriteFile(encoded, options.progress, sink);
}

absl::StatusOr<std::string> Serialize(const Module& module,
                                      const Runtime& writer,
                                      const SerializeOptions& options,
                                      std::vector<TargetRefusal>* refusals) {
  OPCOMPAT_ASSIGN_OR_RETURN(EncodedModule encoded,
                            CheckAndEncode(module, writer, options, refusals));
  if (encoded.bulk.empty() && !options.progress) {
    return std::move(encoded.message);
  }
  std::string file;
  file.reserve(static_cast<size_t>(encoded.file_size()));
  StringSink sink(&file);
  OPCOMPAT_RETURN_IF_ERROR(WriteFile(encoded, options.progress, &sink));
  return file;
}

}  // namespace opcompat
