#include "serializer/serialize.h"

#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "binding/bind_module.h"
#include "binding/lower_revisions.h"
#include "ir/canonicalize.h"
#include "ir/verifier.h"
#include "serializer/byte_writer.h"
#include "serializer/call_forms.h"
#include "serializer/elision.h"
#include "serializer/entry_writer.h"
#include "serializer/function_writer.h"
#include "serializer/table_writer.h"

namespace opcompat {
namespace {

using encoding::ByteWriter;
using encoding::CallForms;
using encoding::ElisionRule;
using encoding::TableWriter;

constexpr absl::string_view kMagic = "opcompat";
constexpr uint32_t kWireVersion = 1;

// Field numbers of the message Module; wire/module.proto.
enum ModuleField : uint32_t {
  kMagicField = 1,
  kWireVersionField = 2,
  kRequiredFeatures = 3,
  kOpsets = 4,
  kMetadata = 5,
  kAttributes = 12,
  kNamedTensors = 13,
  kChecksum = 100,
};

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
    if (entry.revision > info->revision() ||
        *info->revisions[entry.revision - 1].last != entry) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the module's entry of ", entry.name(), " at revision ",
          entry.revision, " is not the one of ", opset->name(), " ",
          opset->version(), ", for which it is to be written: found ",
          entry.ToString()));
    }
  }
  return absl::OkStatus();
}

bool HasLaterRevisions(const Module& module) {
  return std::any_of(module.operators.begin(), module.operators.end(),
                     [](const ModuleOperator& op) {
                       return op.entry != nullptr && op.entry->revision > 1;
                     });
}

// What is written: each call as `writer`, or the target, would have it, at the
// lowest revision, in canonical form. Canonical from the beginning: what a call
// can be bound or lowered to depends on its constants, and a constant may be
// spelled as a node.
absl::StatusOr<Module> Prepare(const Module& module, const Runtime& writer,
                               const SerializeOptions& options,
                               std::vector<Reason>* reasons) {
  OPCOMPAT_RETURN_IF_ERROR(Verify(module));
  OPCOMPAT_RETURN_IF_ERROR(CheckOpsets(module, writer));
  OPCOMPAT_RETURN_IF_ERROR(CheckEntries(module, writer));
  OPCOMPAT_ASSIGN_OR_RETURN(Module prepared, Canonicalize(module));
  const Runtime* written_by = &writer;
  bool is_rewritten = false;
  if (options.target != nullptr) {
    BindOptions bind_options;
    bind_options.down_steps = &writer;
    BindResult bound = BindModule(prepared, *options.target, bind_options);
    if (!bound.accepted()) {
      const absl::Status status = bound.status();
      if (reasons != nullptr) *reasons = std::move(bound.reasons);
      return status;
    }
    prepared = std::move(bound.module);
    written_by = options.target;
    is_rewritten = true;
  }
  if (HasLaterRevisions(prepared)) {
    prepared = LowerRevisions(prepared, *written_by);
    is_rewritten = true;
  }
  if (is_rewritten) return Canonicalize(prepared);
  return prepared;
}

ByteWriter Header(const Module& module, const std::set<std::string>& features) {
  ByteWriter out;
  out.Bytes(kMagicField, kMagic);
  out.Uint(kWireVersionField, kWireVersion);
  for (const std::string& feature : features) {
    out.Element(kRequiredFeatures, feature);
  }
  for (const OpsetVersion& opset : module.opsets) {
    ByteWriter message;
    message.Bytes(1, opset.name);
    message.Bytes(2, opset.version);
    out.Element(kOpsets, message.bytes());
  }
  for (const Metadata& metadata : module.metadata) {
    ByteWriter message;
    message.Bytes(1, metadata.key);
    message.Bytes(2, metadata.value);
    out.Element(kMetadata, message.bytes());
  }
  return out;
}

ByteWriter AttributesAndTensors(const Module& module, TableWriter* tables) {
  ByteWriter out;
  for (const ModuleAttribute& attribute : module.attributes) {
    ByteWriter message;
    message.Uint(1, tables->String(attribute.name));
    message.Uint(2, tables->Type(module.type(attribute.type)));
    message.Uint(3, tables->Other(module.constant(attribute.value)));
    out.Element(kAttributes, message.bytes());
  }
  for (const ModuleTensor& tensor : module.tensors) {
    ByteWriter message;
    message.Uint(1, tables->String(tensor.name));
    message.Uint(2, tables->Tensor(module.constant(tensor.value)));
    out.Element(kNamedTensors, message.bytes());
  }
  return out;
}

// The intrinsics that nodes use, each a feature of its own. Blocks as such
// need none.
void AddIntrinsics(const Module& module, std::set<std::string>* features) {
  for (const CallForm& form : module.forms) {
    const Intrinsic intrinsic = module.op(form.op).intrinsic;
    if (intrinsic == Intrinsic::kNone || intrinsic == Intrinsic::kParam ||
        intrinsic == Intrinsic::kReturn) {
      continue;
    }
    features->insert(std::string(IntrinsicName(intrinsic)));
  }
}

}  // namespace

absl::StatusOr<std::string> Serialize(const Module& module,
                                      const Runtime& writer,
                                      const SerializeOptions& options,
                                      std::vector<Reason>* reasons) {
  OPCOMPAT_ASSIGN_OR_RETURN(const Module prepared,
                            Prepare(module, writer, options, reasons));
  const ElisionRule elision(prepared, options.elision);
  const CallForms forms(prepared, elision);

  // Functions first: what they use gets the small indices.
  TableWriter tables;
  ByteWriter functions;
  encoding::WriteFunctions(prepared, elision, forms, &tables, &functions);
  ByteWriter form_field;
  std::vector<OperatorId> operators;
  forms.Write(&tables, &form_field, &operators);
  std::set<std::string> features;
  AddIntrinsics(prepared, &features);
  ByteWriter entries;
  for (const OperatorId op : operators) {
    encoding::WriteEntry(*prepared.op(op).entry, &tables, &entries, &features);
  }
  const ByteWriter attributes = AttributesAndTensors(prepared, &tables);
  OPCOMPAT_RETURN_IF_ERROR(tables.status());

  ByteWriter out = Header(prepared, features);
  tables.Write(&out);
  out.Append(entries);
  out.Append(form_field);
  out.Append(attributes);
  out.Append(functions);
  if (options.debug_information) encoding::WriteDebug(prepared, &out);
  out.AlwaysFixed64(kChecksum,
                    XXH3_64bits(out.bytes().data(), out.bytes().size()));
  return std::move(out).Release();
}

}  // namespace opcompat
