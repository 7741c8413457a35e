#include "serializer/compile_history.h"

#include <xxhash.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"
#include "serializer/byte_sink.h"
#include "serializer/byte_writer.h"
#include "serializer/encode.h"
#include "serializer/entry_writer.h"
#include "serializer/options.h"
#include "serializer/table_writer.h"

namespace opcompat {
namespace {

using encoding::ByteWriter;
using encoding::TableWriter;

constexpr absl::string_view kMagic = "opcompat-history";
constexpr uint32_t kFormVersion = 1;

// Field numbers of the message CompiledHistory; wire/compiled_history.proto.
enum HistoryField : uint32_t {
  kMagicField = 1,
  kFormVersionField = 2,
  kRequiredFeatures = 3,
  kName = 4,
  kAliases = 5,
  kModules = 11,
  kRevisionSteps = 12,
  kPresenceSteps = 13,
  kInfos = 14,
  kVersions = 15,
  kChecksum = 100,
};

// "Plus one" of the grammar: 0 stands for nothing.
constexpr uint64_t PlusOne(uint32_t index) { return uint64_t{index} + 1; }

// A table of messages, each there once.
class MessageTable {
 public:
  explicit MessageTable(uint32_t field) : field_(field) {}

  uint32_t Add(absl::string_view message) {
    const auto [it, is_new] = indices_.try_emplace(message, indices_.size());
    if (is_new) fields_.Element(field_, message);
    return it->second;
  }
  // As Add, of a field that was written whole.
  uint32_t AddField(const ByteWriter& field) {
    const auto [it, is_new] =
        indices_.try_emplace(field.bytes(), indices_.size());
    if (is_new) fields_.Append(field);
    return it->second;
  }
  const ByteWriter& fields() const { return fields_; }

 private:
  const uint32_t field_;
  absl::flat_hash_map<std::string, uint32_t> indices_;
  ByteWriter fields_;
};

class HistoryCompiler {
 public:
  explicit HistoryCompiler(const OpsetHistory& history) : history_(history) {}

  absl::StatusOr<std::string> Run() {
    ByteWriter versions;
    for (const Opset& opset : history_.versions()) {
      ByteWriter message;
      message.Bytes(1, opset.version());
      message.Column(2, Infos(opset.operators()));
      message.Column(3, Infos(opset.removed_operators()));
      versions.Element(kVersions, message.bytes());
    }
    OPCOMPAT_RETURN_IF_ERROR(status_);
    OPCOMPAT_RETURN_IF_ERROR(tables_.status());

    ByteWriter out;
    out.Bytes(kMagicField, kMagic);
    out.Uint(kFormVersionField, kFormVersion);
    for (const std::string& feature : features_) {
      out.Element(kRequiredFeatures, feature);
    }
    out.Bytes(kName, history_.name());
    for (const std::string& alias : history_.aliases()) {
      out.Element(kAliases, alias);
    }
    tables_.Write(&out);
    for (const MessageTable* table :
         {&entries_, &modules_, &revision_steps_, &presence_steps_, &infos_}) {
      out.Append(table->fields());
    }
    out.Append(versions);
    out.AlwaysFixed64(kChecksum,
                      XXH3_64bits(out.bytes().data(), out.bytes().size()));
    return std::move(out).Release();
  }

 private:
  ByteWriter Infos(const std::vector<OperatorInfoPtr>& infos) {
    ByteWriter column;
    for (const OperatorInfoPtr& info : infos) column.Varint(Info(*info));
    return column;
  }

  // Versions that know the same of an operator mostly share the object.
  uint32_t Info(const OperatorInfo& info) {
    const auto found = info_indices_.find(&info);
    if (found != info_indices_.end()) return found->second;
    ByteWriter message;
    message.Uint(1, OperatorNumber(info));
    for (const OperatorRevision& revision : info.revisions) {
      ByteWriter inner;
      inner.Uint(1, Entry(*revision.first));
      inner.Uint(2, Entry(*revision.last));
      if (revision.step != nullptr) {
        inner.Uint(3, PlusOne(Step(*revision.step)));
      }
      message.Element(2, inner.bytes());
    }
    if (!info.fault.empty()) {
      message.Uint(3, PlusOne(tables_.String(info.fault)));
    }
    if (info.added != nullptr) message.Uint(4, PlusOne(Presence(*info.added)));
    if (info.removed != nullptr) {
      message.Uint(5, PlusOne(Presence(*info.removed)));
    }
    if (!info.removed_in.is_base()) {
      ByteWriter origin;
      origin.Uint(1, PlusOne(tables_.String(info.removed_in.first)));
      if (!info.removed_in.after.empty()) {
        origin.Uint(2, PlusOne(tables_.String(info.removed_in.after)));
      }
      message.Element(6, origin.bytes());
    }
    const uint32_t index = infos_.Add(message.bytes());
    info_indices_.emplace(&info, index);
    return index;
  }

  // Names stay reserved: infos that share one are of one operator.
  uint32_t OperatorNumber(const OperatorInfo& info) {
    const std::vector<std::string>& names = info.current()->names;
    uint32_t number = num_operators_;
    for (const std::string& name : names) {
      const auto found = numbers_.find(name);
      if (found != numbers_.end()) number = found->second;
    }
    if (number == num_operators_) ++num_operators_;
    for (const std::string& name : names) numbers_.try_emplace(name, number);
    return number;
  }

  uint32_t Entry(const OperatorEntry& entry) {
    const auto found = entry_indices_.find(&entry);
    if (found != entry_indices_.end()) return found->second;
    ByteWriter field;
    encoding::WriteEntry(entry, &tables_, &field, &features_);
    const uint32_t index = entries_.AddField(field);
    entry_indices_.emplace(&entry, index);
    return index;
  }

  uint32_t Step(const RevisionStep& step) {
    ByteWriter message;
    WriteGraphs(1, step.upgraders, &message);
    WriteGraphs(2, step.downgraders, &message);
    for (const StepConditions& conditions : step.unchanged_when) {
      ByteWriter inner;
      WriteConditions(conditions, &inner);
      message.Element(3, inner.bytes());
    }
    message.Uint(4, step.one_way_up);
    message.Uint(5, step.one_way_down);
    return revision_steps_.Add(message.bytes());
  }

  uint32_t Presence(const PresenceStep& step) {
    ByteWriter message;
    message.Uint(1, Entry(*step.entry));
    WriteGraphs(2, step.graphs, &message);
    return presence_steps_.Add(message.bytes());
  }

  void WriteGraphs(uint32_t field, const std::vector<StepGraph>& graphs,
                   ByteWriter* out) {
    for (const StepGraph& graph : graphs) {
      ByteWriter message;
      WriteConditions(graph.when, &message);
      message.Uint(2, tables_.String(graph.path));
      message.Uint(3, tables_.String(graph.version));
      if (graph.body != nullptr) message.Uint(4, PlusOne(ModuleOf(graph)));
      if (!graph.mismatch.empty()) {
        message.Uint(5, PlusOne(tables_.String(graph.mismatch)));
      }
      out->Element(field, message.bytes());
    }
  }

  // As field 1.
  void WriteConditions(const StepConditions& conditions, ByteWriter* out) {
    for (const StepCondition& condition : conditions) {
      ByteWriter message;
      message.Uint(1, tables_.String(condition.argument));
      for (const TypedValue& value : condition.one_of) {
        ByteWriter constant;
        constant.Uint(1, tables_.Other(value.value));
        constant.Uint(2, tables_.Type(value.type));
        message.Element(2, constant.bytes());
      }
      ByteWriter types;
      for (const Type& type : condition.types) types.Varint(tables_.Type(type));
      message.Column(3, types);
      out->Element(1, message.bytes());
    }
  }

  // The body as it is: neither lowered nor elided, so that a loaded history
  // does with it what the text's does. Names and locations are for messages.
  uint32_t ModuleOf(const StepGraph& graph) {
    SerializeOptions options;
    options.elision = Elision::kUnspecifiedOnly;
    const absl::StatusOr<EncodedModule> encoded = Encode(*graph.body, options);
    std::string file;
    StringSink sink(&file);
    const absl::Status status =
        encoded.ok() ? WriteFile(*encoded, nullptr, &sink) : encoded.status();
    if (!status.ok()) {
      status_ = absl::InvalidArgumentError(
          absl::StrCat(graph.path, ": ", status.message()));
      return 0;
    }
    return modules_.Add(file);
  }

  const OpsetHistory& history_;
  TableWriter tables_;
  std::set<std::string> features_;
  MessageTable entries_{0};  // whole fields
  MessageTable modules_{kModules};
  MessageTable revision_steps_{kRevisionSteps};
  MessageTable presence_steps_{kPresenceSteps};
  MessageTable infos_{kInfos};
  absl::flat_hash_map<const OperatorInfo*, uint32_t> info_indices_;
  absl::flat_hash_map<const OperatorEntry*, uint32_t> entry_indices_;
  absl::flat_hash_map<std::string, uint32_t> numbers_;  // by name
  uint32_t num_operators_ = 0;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<std::string> CompileHistory(const OpsetHistory& history) {
  return HistoryCompiler(history).Run();
}

}  // namespace opcompat
