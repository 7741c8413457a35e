#include "deserializer/module_reader.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "base/concat.h"
#include "base/escape.h"
#include "base/hash_map.h"
#include "base/status_macros.h"
#include "deserializer/debug_reader.h"
#include "deserializer/entry_reader.h"
#include "deserializer/field_reader.h"
#include "deserializer/known_entries.h"
#include "deserializer/module_tables.h"
#include "deserializer/table_reader.h"
#include "ir/verifier.h"

namespace opcompat {
namespace decoding {
namespace {

absl::Status ReadOpsets(const FileFields& file, Module* module) {
  HashSet<std::string> names;
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
      return MalformedAt(
          span, "opset", i,
          Concat("\"", HexEscape(opset.name), "\" is there twice"));
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
                                     const Tables& tables, Budget* budget) {
  if (index >= tables.strings.size()) {
    return MalformedAt(
        span, table, i,
        Concat("its name is string ", index, " of ", tables.strings.size()));
  }
  OPCOMPAT_RETURN_IF_ERROR(
      budget->SpendText(tables.strings[index].size(), "names"));
  return std::string(tables.strings[index]);
}

absl::Status ReadAttributes(const FileFields& file, const Tables& tables,
                            Budget* budget, ModuleTables* module_tables,
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
          Concat("it is constant ", value, " of ", tables.others.size(),
                 ", of type ", type, " of ", tables.types.size()));
    }
    attribute.type = module_tables->Type(type);
    attribute.value = module_tables->Attribute(value);
    module->attributes.push_back(std::move(attribute));
  }
  return absl::OkStatus();
}

absl::Status ReadNamedTensors(const FileFields& file, const Tables& tables,
                              Budget* budget, ModuleTables* module_tables,
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
          Concat("it is tensor ", value, " of ", tables.tensors.size()));
    }
    tensor.value = module_tables->Tensor(value);
    module->tensors.push_back(std::move(tensor));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<FileTables> ReadFileTables(absl::string_view bytes,
                                          const DecodeOptions& options,
                                          const Runtime* reader) {
  FileTables read;
  OPCOMPAT_ASSIGN_OR_RETURN(read.file,
                            ReadFileFields(bytes, options.limits.max_bytes));
  read.budget = Budget(read.file.message_size);
  OPCOMPAT_ASSIGN_OR_RETURN(read.tables,
                            ReadTables(read.file, options, &read.budget));
  read.header_status = ReadOpsets(read.file, &read.header);
  absl::optional<KnownEntries> known;
  if (reader != nullptr) known.emplace(*reader, read.header.opsets);
  OPCOMPAT_ASSIGN_OR_RETURN(
      read.entries,
      ReadEntries(read.file, read.tables, known.has_value() ? &*known : nullptr,
                  &read.budget));
  OPCOMPAT_ASSIGN_OR_RETURN(read.forms, ReadForms(read.file, read.tables,
                                                  read.entries, &read.budget));
  return read;
}

absl::StatusOr<Module> ReadModule(const FileTables& read,
                                  const DecodeLimits& limits,
                                  const FormBinder* binder,
                                  FunctionFindings* findings) {
  const FileFields& file = read.file;
  const Tables& tables = read.tables;
  Budget budget = read.budget;
  Module module;
  ModuleTables module_tables(tables, read.entries, read.forms, binder, &module);
  OPCOMPAT_RETURN_IF_ERROR(read.header_status);
  module.opsets = read.header.opsets;
  OPCOMPAT_RETURN_IF_ERROR(ReadMetadata(file, &module));
  OPCOMPAT_RETURN_IF_ERROR(
      ReadAttributes(file, tables, &budget, &module_tables, &module));
  OPCOMPAT_RETURN_IF_ERROR(
      ReadNamedTensors(file, tables, &budget, &module_tables, &module));
  OPCOMPAT_RETURN_IF_ERROR(ReadFunctions(file, tables, read.entries, read.forms,
                                         limits, file.message_size, &budget,
                                         &module_tables, &module, findings));
  ReadDebug(file, &module_tables, &module);
  VerifyOptions verify;
  verify.columns_are_sound = true;
  verify.doubtful = &findings->doubtful;
  // Each part of the file at a few types.
  verify.max_steps =
      std::max(uint64_t{1} << 20, uint64_t{file.message_size} * 16);
  if (absl::Status status = Verify(module, verify); !status.ok()) {
    return absl::IsResourceExhausted(status)
               ? status
               : absl::InvalidArgumentError(
                     Concat("malformed file: ", status.message()));
  }
  return module;
}

}  // namespace decoding
}  // namespace opcompat
