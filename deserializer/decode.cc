#include "deserializer/decode.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "deserializer/budget.h"
#include "deserializer/debug_reader.h"
#include "deserializer/envelope.h"
#include "deserializer/entry_reader.h"
#include "deserializer/field_reader.h"
#include "deserializer/file_fields.h"
#include "deserializer/form_reader.h"
#include "deserializer/function_reader.h"
#include "deserializer/module_tables.h"
#include "deserializer/table_reader.h"
#include "deserializer/tables.h"
#include "ir/ids.h"
#include "ir/verifier.h"

namespace opcompat {
namespace {

using decoding::FieldReader;
using decoding::FileFields;
using decoding::FileSpan;
using decoding::MalformedAt;

absl::Status ReadOpsets(const FileFields& file, Module* module) {
  absl::flat_hash_set<std::string> names;
  for (const FileSpan& span : file.opsets) {
    OpsetVersion opset;
    FieldReader fields(span, "an opset");
    while (fields.Next()) {
      if (fields.number() == 1) opset.name = std::string(fields.Bytes());
      if (fields.number() == 2) opset.version = std::string(fields.Bytes());
    }
    OPCOMPAT_RETURN_IF_ERROR(fields.status());
    const size_t i = module->opsets.size();
    if (opset.name.empty() || opset.version.empty()) {
      return MalformedAt(span, "opset", i, "it has no name or no version");
    }
    if (!names.insert(opset.name).second) {
      return MalformedAt(span, "opset", i,
                         absl::StrCat("\"", absl::CHexEscape(opset.name),
                                      "\" is there twice"));
    }
    module->opsets.push_back(std::move(opset));
  }
  return absl::OkStatus();
}

absl::Status ReadMetadata(const FileFields& file, Module* module) {
  for (const FileSpan& span : file.metadata) {
    Metadata metadata;
    FieldReader fields(span, "metadata");
    while (fields.Next()) {
      if (fields.number() == 1) metadata.key = std::string(fields.Bytes());
      if (fields.number() == 2) metadata.value = std::string(fields.Bytes());
    }
    OPCOMPAT_RETURN_IF_ERROR(fields.status());
    module->metadata.push_back(std::move(metadata));
  }
  return absl::OkStatus();
}

// Names are unique, but that is checked after they are copied.
absl::StatusOr<std::string> ReadName(uint32_t index, const FileSpan& span,
                                     absl::string_view table, size_t i,
                                     const decoding::Tables& tables,
                                     decoding::Budget* budget) {
  if (index >= tables.strings.size()) {
    return MalformedAt(span, table, i,
                       absl::StrCat("its name is string ", index, " of ",
                                    tables.strings.size()));
  }
  OPCOMPAT_RETURN_IF_ERROR(
      budget->SpendText(tables.strings[index].size(), "names"));
  return std::string(tables.strings[index]);
}

absl::Status ReadAttributes(const FileFields& file,
                            const decoding::Tables& tables,
                            decoding::Budget* budget,
                            decoding::ModuleTables* module_tables,
                            Module* module) {
  for (const FileSpan& span : file.attributes) {
    uint32_t name = 0;
    uint32_t type = 0;
    uint32_t value = 0;
    FieldReader fields(span, "an attribute");
    while (fields.Next()) {
      if (fields.number() == 1) name = fields.Uint32();
      if (fields.number() == 2) type = fields.Uint32();
      if (fields.number() == 3) value = fields.Uint32();
    }
    OPCOMPAT_RETURN_IF_ERROR(fields.status());
    const size_t i = module->attributes.size();
    ModuleAttribute attribute;
    OPCOMPAT_ASSIGN_OR_RETURN(
        attribute.name, ReadName(name, span, "attribute", i, tables, budget));
    if (type >= tables.types.size() || value >= tables.others.size()) {
      return MalformedAt(
          span, "attribute", i,
          absl::StrCat("it is constant ", value, " of ", tables.others.size(),
                       ", of type ", type, " of ", tables.types.size()));
    }
    attribute.type = module_tables->Type(type);
    attribute.value = module_tables->Attribute(value);
    module->attributes.push_back(std::move(attribute));
  }
  return absl::OkStatus();
}

absl::Status ReadNamedTensors(const FileFields& file,
                              const decoding::Tables& tables,
                              decoding::Budget* budget,
                              decoding::ModuleTables* module_tables,
                              Module* module) {
  for (const FileSpan& span : file.named_tensors) {
    uint32_t name = 0;
    uint32_t value = 0;
    FieldReader fields(span, "a named tensor");
    while (fields.Next()) {
      if (fields.number() == 1) name = fields.Uint32();
      if (fields.number() == 2) value = fields.Uint32();
    }
    OPCOMPAT_RETURN_IF_ERROR(fields.status());
    const size_t i = module->tensors.size();
    ModuleTensor tensor;
    OPCOMPAT_ASSIGN_OR_RETURN(
        tensor.name, ReadName(name, span, "named tensor", i, tables, budget));
    if (value >= tables.tensors.size()) {
      return MalformedAt(
          span, "named tensor", i,
          absl::StrCat("it is tensor ", value, " of ", tables.tensors.size()));
    }
    tensor.value = module_tables->Tensor(value);
    module->tensors.push_back(std::move(tensor));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Module> Decode(absl::string_view bytes,
                              const DecodeLimits& limits) {
  DecodeOptions options;
  options.limits = limits;
  return Decode(bytes, options);
}

absl::StatusOr<Module> Decode(absl::string_view bytes,
                              const DecodeOptions& options) {
  const DecodeLimits& limits = options.limits;
  OPCOMPAT_ASSIGN_OR_RETURN(const FileFields file,
                            decoding::ReadFileFields(bytes, limits.max_bytes));
  decoding::Budget budget(file.message_size);
  OPCOMPAT_ASSIGN_OR_RETURN(const decoding::Tables tables,
                            decoding::ReadTables(file, options, &budget));
  OPCOMPAT_ASSIGN_OR_RETURN(const std::vector<OperatorEntryPtr> entries,
                            decoding::ReadEntries(file, tables, &budget));
  OPCOMPAT_ASSIGN_OR_RETURN(
      const std::vector<decoding::WireForm> forms,
      decoding::ReadForms(file, tables, entries, &budget));

  Module module;
  decoding::ModuleTables module_tables(tables, entries, forms, &module);
  OPCOMPAT_RETURN_IF_ERROR(ReadOpsets(file, &module));
  OPCOMPAT_RETURN_IF_ERROR(ReadMetadata(file, &module));
  OPCOMPAT_RETURN_IF_ERROR(
      ReadAttributes(file, tables, &budget, &module_tables, &module));
  OPCOMPAT_RETURN_IF_ERROR(
      ReadNamedTensors(file, tables, &budget, &module_tables, &module));
  std::vector<std::vector<NodeId>> doubtful;
  OPCOMPAT_RETURN_IF_ERROR(decoding::ReadFunctions(
      file, tables, forms, limits, file.message_size, &budget, &module_tables,
      &module, &doubtful));
  decoding::ReadDebug(file, &module_tables, &module);
  VerifyOptions verify;
  verify.columns_are_sound = true;
  verify.doubtful = &doubtful;
  // Each part of the file at a few types.
  verify.max_steps =
      std::max(uint64_t{1} << 20, uint64_t{file.message_size} * 16);
  if (absl::Status status = Verify(module, verify); !status.ok()) {
    return absl::IsResourceExhausted(status)
               ? status
               : absl::InvalidArgumentError(
                     absl::StrCat("malformed file: ", status.message()));
  }
  if (options.progress) options.progress(bytes.size(), bytes.size());
  return module;
}

std::vector<std::string> KnownFeatures() {
  const absl::Span<const absl::string_view> known = decoding::KnownFeatures();
  return std::vector<std::string>(known.begin(), known.end());
}

bool LooksLikeModuleFile(absl::string_view bytes) {
  return decoding::HasMagic(bytes);
}

}  // namespace opcompat
