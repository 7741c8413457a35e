#include "deserializer/step_reader.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "base/concat.h"
#include "base/status_macros.h"
#include "deserializer/decode.h"
#include "ir/step_graph_check.h"
#include "schema/typing.h"

namespace opcompat {
namespace decoding {
namespace {

template <typename... What>
absl::Status Malformed(const FileSpan& span, const What&... what) {
  return absl::InvalidArgumentError(
      Concat("malformed file: a step (offset ", span.offset, "): ", what...));
}

}  // namespace

StepReader::StepReader(const CompiledFields& file, const Tables& tables,
                       Budget* budget)
    : file_(file),
      tables_(tables),
      budget_(*budget),
      modules_(file.modules.size()) {}

absl::StatusOr<std::shared_ptr<const RevisionStep>>
StepReader::ReadRevisionStep(uint32_t index, const OperatorEntry& before,
                             const OperatorEntry& after) {
  std::shared_ptr<const RevisionStep>& cached =
      revision_steps_[{index, {&before, &after}}];
  if (cached != nullptr) return cached;
  OPCOMPAT_RETURN_IF_ERROR(
      budget_.SpendParts(file_.revision_steps[index].bytes.size(), "steps"));
  auto step = std::make_shared<RevisionStep>();
  std::vector<FileSpan> upgraders;
  std::vector<FileSpan> downgraders;
  std::vector<FileSpan> unchanged_when;
  FieldReader fields(file_.revision_steps[index], "a revision step");
  while (fields.Next()) {
    switch (fields.number()) {
      case 1:
        upgraders.push_back(fields.Span());
        break;
      case 2:
        downgraders.push_back(fields.Span());
        break;
      case 3:
        unchanged_when.push_back(fields.Span());
        break;
      case 4:
        step->one_way_up = fields.Bool();
        break;
      case 5:
        step->one_way_down = fields.Bool();
        break;
      default:
        break;
    }
  }
  OPCOMPAT_RETURN_IF_ERROR(fields.status());
  for (const FileSpan& span : upgraders) {
    OPCOMPAT_ASSIGN_OR_RETURN(StepGraph graph,
                              ReadGraph(span, before, "upgrader"));
    step->upgraders.push_back(std::move(graph));
  }
  for (const FileSpan& span : downgraders) {
    OPCOMPAT_ASSIGN_OR_RETURN(StepGraph graph,
                              ReadGraph(span, after, "downgrader"));
    step->downgraders.push_back(std::move(graph));
  }
  for (const FileSpan& span : unchanged_when) {
    std::vector<FileSpan> conditions;
    FieldReader inner(span, "conditions of a step");
    while (inner.Next()) {
      if (inner.number() == 1) conditions.push_back(inner.Span());
    }
    OPCOMPAT_RETURN_IF_ERROR(inner.status());
    OPCOMPAT_ASSIGN_OR_RETURN(StepConditions read, ReadConditions(conditions));
    step->unchanged_when.push_back(std::move(read));
  }
  cached = std::move(step);
  return cached;
}

absl::StatusOr<uint32_t> StepReader::EntryOfPresenceStep(uint32_t index) const {
  uint32_t entry = 0;
  FieldReader fields(file_.presence_steps[index], "a presence step");
  while (fields.Next()) {
    if (fields.number() == 1) entry = fields.Uint32();
  }
  OPCOMPAT_RETURN_IF_ERROR(fields.status());
  return entry;
}

absl::StatusOr<std::shared_ptr<const PresenceStep>>
StepReader::ReadPresenceStep(uint32_t index, OperatorEntryPtr entry,
                             absl::string_view kind) {
  std::shared_ptr<const PresenceStep>& cached = presence_steps_[{index, kind}];
  if (cached != nullptr) return cached;
  OPCOMPAT_RETURN_IF_ERROR(
      budget_.SpendParts(file_.presence_steps[index].bytes.size(), "steps"));
  auto step = std::make_shared<PresenceStep>();
  step->entry = std::move(entry);
  FieldReader fields(file_.presence_steps[index], "a presence step");
  while (fields.Next()) {
    if (fields.number() != 2) continue;
    const FileSpan span = fields.Span();
    OPCOMPAT_RETURN_IF_ERROR(fields.status());
    OPCOMPAT_ASSIGN_OR_RETURN(StepGraph graph,
                              ReadGraph(span, *step->entry, kind));
    step->graphs.push_back(std::move(graph));
  }
  OPCOMPAT_RETURN_IF_ERROR(fields.status());
  cached = std::move(step);
  return cached;
}

absl::StatusOr<StepGraph> StepReader::ReadGraph(const FileSpan& span,
                                                const OperatorEntry& entry,
                                                absl::string_view kind) {
  std::vector<FileSpan> when;
  uint32_t path = 0;
  uint32_t version = 0;
  uint32_t module = 0;
  uint32_t mismatch = 0;
  FieldReader fields(span, "a step graph");
  while (fields.Next()) {
    switch (fields.number()) {
      case 1:
        when.push_back(fields.Span());
        break;
      case 2:
        path = fields.Uint32();
        break;
      case 3:
        version = fields.Uint32();
        break;
      case 4:
        module = fields.Uint32();
        break;
      case 5:
        mismatch = fields.Uint32();
        break;
      default:
        break;
    }
  }
  OPCOMPAT_RETURN_IF_ERROR(fields.status());
  StepGraph graph;
  OPCOMPAT_ASSIGN_OR_RETURN(graph.when, ReadConditions(when));
  OPCOMPAT_ASSIGN_OR_RETURN(graph.path, ReadString(path, span));
  OPCOMPAT_ASSIGN_OR_RETURN(graph.version, ReadString(version, span));
  if (mismatch != 0) {
    OPCOMPAT_ASSIGN_OR_RETURN(graph.mismatch, ReadString(mismatch - 1, span));
  }
  if (module == 0) return graph;
  if (module > modules_.size()) {
    return Malformed(span, "its graph is module ", module - 1, " of ",
                     modules_.size());
  }
  // The check walks it.
  OPCOMPAT_RETURN_IF_ERROR(budget_.SpendParts(
      file_.modules[module - 1].bytes.size(), "step graphs"));
  OPCOMPAT_ASSIGN_OR_RETURN(graph.body, ReadModule(module - 1));
  if (absl::Status status = CheckStepGraph(*graph.body, entry, kind);
      !status.ok()) {
    return Malformed(span, status.message());
  }
  return graph;
}

absl::StatusOr<StepConditions> StepReader::ReadConditions(
    const std::vector<FileSpan>& spans) {
  StepConditions conditions;
  for (const FileSpan& span : spans) {
    OPCOMPAT_ASSIGN_OR_RETURN(StepCondition condition, ReadCondition(span));
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

absl::StatusOr<StepCondition> StepReader::ReadCondition(const FileSpan& span) {
  StepCondition condition;
  uint32_t argument = 0;
  std::vector<FileSpan> one_of;
  VarintColumn types;
  FieldReader fields(span, "a condition of a step");
  while (fields.Next()) {
    switch (fields.number()) {
      case 1:
        argument = fields.Uint32();
        break;
      case 2:
        one_of.push_back(fields.Span());
        break;
      case 3:
        fields.AddTo(&types);
        break;
      default:
        break;
    }
  }
  OPCOMPAT_RETURN_IF_ERROR(fields.status());
  OPCOMPAT_ASSIGN_OR_RETURN(condition.argument, ReadString(argument, span));
  for (const FileSpan& constant : one_of) {
    OPCOMPAT_ASSIGN_OR_RETURN(TypedValue value, ReadConstant(constant));
    condition.one_of.push_back(std::move(value));
  }
  OPCOMPAT_ASSIGN_OR_RETURN(const std::vector<uint32_t> indices,
                            ReadUint32s(types, "types of a condition"));
  for (const uint32_t index : indices) {
    if (index >= tables_.types.size()) {
      return Malformed(span, "a condition names type ", index, " of ",
                       tables_.types.size());
    }
    condition.types.push_back(tables_.types[index]);
  }
  return condition;
}

absl::StatusOr<TypedValue> StepReader::ReadConstant(const FileSpan& span) {
  uint32_t value = 0;
  uint32_t type = 0;
  FieldReader fields(span, "a constant of a condition");
  while (fields.Next()) {
    if (fields.number() == 1) value = fields.Uint32();
    if (fields.number() == 2) type = fields.Uint32();
  }
  OPCOMPAT_RETURN_IF_ERROR(fields.status());
  if (value >= tables_.others.size() || type >= tables_.types.size()) {
    return Malformed(span, "a condition names constant ", value, " of ",
                     tables_.others.size(), ", of type ", type, " of ",
                     tables_.types.size());
  }
  const TypedValue typed = {tables_.types[type], tables_.others[value]};
  OPCOMPAT_RETURN_IF_ERROR(
      budget_.SpendParts(tables_.other_sizes[value], "values of conditions"));
  const absl::StatusOr<Value> coerced = CoerceLiteral(typed.value, typed.type);
  if (!coerced.ok() || *coerced != typed.value) {
    return Malformed(span, "a condition's value ", typed.value.ToShortString(),
                     " is none of type ", typed.type.ToString());
  }
  return typed;
}

absl::StatusOr<std::string> StepReader::ReadString(uint32_t index,
                                                   const FileSpan& span) {
  if (index >= tables_.strings.size()) {
    return Malformed(span, "it names string ", index, " of ",
                     tables_.strings.size());
  }
  OPCOMPAT_RETURN_IF_ERROR(
      budget_.SpendText(tables_.strings[index].size(), "names"));
  return std::string(tables_.strings[index]);
}

absl::StatusOr<std::shared_ptr<const Module>> StepReader::ReadModule(
    uint32_t index) {
  std::shared_ptr<const Module>& module = modules_[index];
  if (module == nullptr) {
    absl::StatusOr<Module> decoded = Decode(file_.modules[index].bytes);
    if (!decoded.ok()) {
      return absl::Status(
          decoded.status().code(),
          Concat("module ", index, " (offset ", file_.modules[index].offset,
                 "): ", decoded.status().message()));
    }
    module = std::make_shared<const Module>(*std::move(decoded));
  }
  return module;
}

}  // namespace decoding
}  // namespace opcompat
