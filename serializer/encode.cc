#include "serializer/encode.h"

#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "schema/value.h"
#include "serializer/byte_sink.h"
#include "serializer/byte_writer.h"
#include "serializer/call_forms.h"
#include "serializer/constant_elements.h"
#include "serializer/elision.h"
#include "serializer/entry_writer.h"
#include "serializer/form_plan.h"
#include "serializer/function_writer.h"
#include "serializer/options.h"
#include "serializer/table_writer.h"

namespace opcompat {
namespace {

using encoding::AlignBulk;
using encoding::ByteWriter;
using encoding::CallForms;
using encoding::ConstantElements;
using encoding::ElisionRule;
using encoding::FormPlans;
using encoding::FunctionWriter;
using encoding::kBulkAlignment;
using encoding::TableWriter;

constexpr absl::string_view kMagic = "opcompat";
constexpr uint32_t kWireVersion = 1;
constexpr absl::string_view kBulkFeature = "bulk_tensors";

// No message is larger: protobuf's own code takes no more.
constexpr size_t kMaxMessageSize = (size_t{1} << 31) - 1;
// What readers take if nobody tells them otherwise.
constexpr uint64_t kMaxNodes = uint64_t{1} << 28;
constexpr size_t kMaxDepth = 100000;

// How much goes to a sink at once.
constexpr size_t kPieceSize = size_t{4} << 20;

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

// What readers take (docs/wire_format.md): results, and operands that are None,
// True or False, take no byte, and so a few bytes could ask for any number.
absl::Status CheckOperandsAndResults(uint64_t count, uint64_t file_size) {
  constexpr uint64_t kPerByte = 32;
  constexpr uint64_t kInAnyFile = uint64_t{1} << 18;
  const uint64_t most = std::max(kInAnyFile, kPerByte * file_size);
  if (count <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the module has ", count, " operands and results, most of which take no ",
      "byte; a file of its size, ", file_size, " bytes, holds at most ", most));
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

// How deep blocks are nested, the function's own included.
size_t DepthOf(const Module& module, const Graph& graph) {
  std::vector<uint32_t> blocks_left = {1};  // of the nodes that are open
  size_t depth = 1;
  for (const Node& node : graph.nodes) {
    const CallForm& form = module.form(node);
    if (module.op(form.op).intrinsic == Intrinsic::kReturn) {
      if (--blocks_left.back() == 0) blocks_left.pop_back();
    } else if (form.num_blocks > 0) {
      blocks_left.push_back(form.num_blocks);
      depth = std::max(depth, blocks_left.size());
    }
  }
  return depth;
}

absl::Status CheckNodesAndDepth(const Module& module) {
  uint64_t num_nodes = 0;
  for (const Function& function : module.functions) {
    const Graph& graph = function.graph;
    num_nodes += graph.num_nodes();
    // Fewer blocks cannot be nested deeper.
    if (graph.blocks.size() <= kMaxDepth) continue;
    const size_t depth = DepthOf(module, graph);
    if (depth > kMaxDepth + 1) {
      return absl::InvalidArgumentError(absl::StrCat(
          function.name, ": blocks are nested ", depth - 1,
          " levels deep; files hold at most ", kMaxDepth, " levels"));
    }
  }
  if (num_nodes <= kMaxNodes) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the module has ", num_nodes, " nodes; files hold at most ", kMaxNodes));
}

}  // namespace

uint64_t EncodedModule::file_size() const {
  uint64_t size = message.size();
  for (const Value& tensor : bulk) {
    size = AlignBulk(size) + tensor.tensor().bytes.size();
  }
  return size;
}

absl::StatusOr<EncodedModule> Encode(const Module& module,
                                     const SerializeOptions& options) {
  OPCOMPAT_RETURN_IF_ERROR(CheckNodesAndDepth(module));
  const ElisionRule elision(module, options.elision);
  const FormPlans plans(module, elision);

  // Functions first: what they use gets the small indices.
  TableWriter tables;
  ConstantElements elements(elision, &tables);
  CallForms forms(module, plans, elements);
  FunctionWriter functions(module, plans, &elements, &forms, &tables);
  functions.ReadNodes();
  ByteWriter form_field;
  std::vector<OperatorId> operators;
  forms.Write(&tables, &form_field, &operators);
  std::set<std::string> features;
  AddIntrinsics(module, &features);
  ByteWriter entries;
  for (const OperatorId op : operators) {
    encoding::WriteEntry(*module.op(op).entry, &tables, &entries, &features);
  }
  const ByteWriter attributes = AttributesAndTensors(module, &tables);
  OPCOMPAT_RETURN_IF_ERROR(tables.status());
  if (!tables.bulk().empty()) features.insert(std::string(kBulkFeature));

  ByteWriter out = Header(module, features);
  constexpr size_t kFurtherFields = 64;
  out.Reserve(out.bytes().size() + tables.size() + entries.bytes().size() +
              form_field.bytes().size() + attributes.bytes().size() +
              functions.size() + kFurtherFields);
  tables.Write(&out);
  out.Append(entries);
  out.Append(form_field);
  out.Append(attributes);
  functions.Write(&out);
  if (options.debug_information) encoding::WriteDebug(module, &out);
  OPCOMPAT_RETURN_IF_ERROR(CheckOperandsAndResults(
      forms.CountOperandsAndResults(), out.bytes().size()));
  out.AlwaysFixed64(kChecksum,
                    XXH3_64bits(out.bytes().data(), out.bytes().size()));
  EncodedModule encoded;
  encoded.message = std::move(out).Release();
  encoded.bulk = std::move(tables).ReleaseBulk();
  if (encoded.message.size() > kMaxMessageSize) {
    return absl::InvalidArgumentError(
        absl::StrCat("the module takes ", encoded.message.size(),
                     " bytes without its large tensors; files hold at most ",
                     kMaxMessageSize));
  }
  return encoded;
}

absl::Status WriteFile(const EncodedModule& module,
                       const ProgressCallback& progress, ByteSink* sink) {
  const uint64_t total = module.file_size();
  uint64_t done = 0;
  const auto append = [&](absl::string_view bytes) -> absl::Status {
    while (!bytes.empty()) {
      const absl::string_view piece = bytes.substr(0, kPieceSize);
      OPCOMPAT_RETURN_IF_ERROR(sink->Append(piece));
      bytes.remove_prefix(piece.size());
      done += piece.size();
      // Small tensors and padding make no call of their own.
      if (progress && (piece.size() == kPieceSize || done == total)) {
        progress(done, total);
      }
    }
    return absl::OkStatus();
  };
  OPCOMPAT_RETURN_IF_ERROR(append(module.message));
  constexpr char kZeros[kBulkAlignment] = {};
  for (const Value& tensor : module.bulk) {
    OPCOMPAT_RETURN_IF_ERROR(append(absl::string_view(
        kZeros, static_cast<size_t>(AlignBulk(done) - done))));
    OPCOMPAT_RETURN_IF_ERROR(append(tensor.tensor().bytes));
  }
  return absl::OkStatus();
}

}  // namespace opcompat
