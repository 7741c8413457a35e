#include "tools/wire_model.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "deserializer/decode.h"
#include "deserializer/decode_options.h"
#include "deserializer/tensor_memory.h"
#include "ir/module.h"
#include "nlohmann/json.hpp"
#include "schema/fingerprint.h"
#include "schema/operator_entry.h"
#include "tools/wire_layout.h"
#include "tools/wire_tables.h"
#include "wire/module.pb.h"

namespace opcompat {
namespace {

using nlohmann::ordered_json;

// CallForms.operators: below it the intrinsics.
constexpr uint32_t kFirstOperator = 32;

// Field numbers of the message Module that are looked for; wire/module.proto.
constexpr uint32_t kOperators = 10;
constexpr uint32_t kFunctions = 14;
constexpr uint32_t kDebug = 15;

// What a top-level field is called.
std::string FieldName(uint32_t number) {
  const google::protobuf::FieldDescriptor* field =
      wire::Module::descriptor()->FindFieldByNumber(static_cast<int>(number));
  return field == nullptr ? absl::StrCat("unknown field ", number)
                          : field->name();
}

// Fields of one number in a row are one part.
ordered_json Layout(const std::vector<FieldPlace>& places) {
  ordered_json layout = ordered_json::array();
  for (size_t i = 0; i < places.size();) {
    size_t end = i;
    size_t size = 0;
    while (end < places.size() && places[end].number == places[i].number) {
      size += places[end].size;
      ++end;
    }
    layout.push_back({{"offset", places[i].offset},
                      {"size", size},
                      {"field", FieldName(places[i].number)},
                      {"count", end - i}});
    i = end;
  }
  return layout;
}

class Model {
 public:
  Model(absl::string_view bytes, const FileParts& parts,
        const wire::Module& file, const Module& decoded)
      : bytes_(bytes),
        parts_(parts),
        file_(file),
        decoded_(decoded),
        tables_(file, parts.bulk),
        places_(FieldPlaces(parts.message)) {}

  ordered_json Make() {
    ordered_json model;
    model["size"] = bytes_.size();
    model["wire_version"] = file_.wire_version();
    model["checksum"] = absl::StrFormat("0x%016x", file_.checksum());
    model["required_features"] = ordered_json::array();
    for (const std::string& feature : file_.required_features()) {
      model["required_features"].push_back(feature);
    }
    model["written"] = ordered_json::object();
    for (const wire::Opset& opset : file_.opsets()) {
      model["written"][opset.name()] = opset.version();
    }
    model["metadata"] = ordered_json::array();
    for (const wire::Metadata& metadata : file_.metadata()) {
      model["metadata"].push_back(
          {{"key", metadata.key()}, {"value", metadata.value()}});
    }
    model["layout"] = Layout(places_);
    AddBulk(&model["layout"]);
    AddTables(&model);
    model["operators"] = Operators();
    model["forms"] = Forms();
    AddNames(&model);
    model["functions"] = Functions();
    if (file_.has_debug()) model["debug"] = Debug();
    return model;
  }

 private:
  std::vector<FieldPlace> PlacesOf(uint32_t number) const {
    std::vector<FieldPlace> found;
    for (const FieldPlace& place : places_) {
      if (place.number == number) found.push_back(place);
    }
    return found;
  }

  // The bytes of tensors behind the message are one part, padding included.
  void AddBulk(ordered_json* layout) const {
    absl::flat_hash_set<uint64_t> offsets;
    for (const wire::Tensor& tensor : file_.tensors()) {
      if (tensor.bulk_size() > 0) offsets.insert(tensor.bulk_offset());
    }
    if (offsets.empty()) return;
    layout->push_back({{"offset", parts_.bulk_offset},
                       {"size", parts_.bulk.size()},
                       {"field", "bulk data of tensors"},
                       {"count", offsets.size()}});
  }

  void AddTables(ordered_json* model) const {
    ordered_json strings = ordered_json::array();
    for (const std::string& string : file_.strings()) strings.push_back(string);
    ordered_json types = ordered_json::array();
    for (uint32_t i = 0; i < tables_.num_types(); ++i) {
      types.push_back(tables_.TypeAt(i).ToString());
    }
    ordered_json floats = ordered_json::array();
    for (int i = 0; i < file_.constants().floats_size(); ++i) {
      floats.push_back(tables_.Float(i));
    }
    ordered_json int_lists = ordered_json::array();
    for (uint32_t i = 0; i < tables_.num_int_lists(); ++i) {
      int_lists.push_back(tables_.IntList(i));
    }
    ordered_json others = ordered_json::array();
    for (int i = 0; i < file_.constants().others_size(); ++i) {
      others.push_back(tables_.Other(static_cast<uint32_t>(i)));
    }
    ordered_json tensors = ordered_json::array();
    for (int i = 0; i < file_.tensors_size(); ++i) {
      tensors.push_back(TensorText(i));
    }
    (*model)["strings"] = std::move(strings);
    (*model)["types"] = std::move(types);
    (*model)["constants"] = {{"floats", std::move(floats)},
                             {"int_lists", std::move(int_lists)},
                             {"others", std::move(others)}};
    (*model)["tensors"] = std::move(tensors);
  }

  std::string TensorText(int index) const {
    const std::string text = tables_.Tensor(static_cast<uint32_t>(index));
    const wire::Tensor& tensor = file_.tensors(index);
    if (tensor.bulk_size() == 0) return text;
    return absl::StrCat(text, " at ", parts_.bulk_offset + tensor.bulk_offset(),
                        ", hash ",
                        absl::Hex(tensor.bulk_hash(), absl::kZeroPad16));
  }

  // The operators as decoded, by name and revision.
  std::map<std::pair<std::string, uint32_t>, OperatorEntryPtr> Entries() const {
    std::map<std::pair<std::string, uint32_t>, OperatorEntryPtr> entries;
    for (const ModuleOperator& op : decoded_.operators) {
      if (op.entry == nullptr) continue;
      entries[{op.entry->name(), op.entry->revision}] = op.entry;
    }
    return entries;
  }

  ordered_json Operators() const {
    ordered_json operators = ordered_json::array();
    const std::vector<FieldPlace> places = PlacesOf(kOperators);
    const auto entries = Entries();
    for (int i = 0; i < file_.operators_size(); ++i) {
      const wire::Operator& op = file_.operators(i);
      ordered_json item;
      item["operator"] = tables_.String(op.names(0));
      item["offset"] = places[static_cast<size_t>(i)].offset;
      item["size"] = places[static_cast<size_t>(i)].size;
      for (int n = 1; n < op.names_size(); ++n) {
        item["earlier_names"].push_back(tables_.String(op.names(n)));
      }
      item["history"] = tables_.String(op.history());
      item["origin"] = tables_.Origin(op.origin());
      item["revision"] = op.revision();
      const OperatorEntry& entry =
          *entries.at({tables_.String(op.names(0)), op.revision()});
      item["fingerprint"] = absl::StrFormat("%016x", Fingerprint(entry));
      item["schema"] = entry.ToString();
      item["arguments"] = ordered_json::array();
      for (const wire::Argument& argument : op.arguments()) {
        item["arguments"].push_back(ArgumentToJson(argument));
      }
      operators.push_back(std::move(item));
    }
    return operators;
  }

  ordered_json ArgumentToJson(const wire::Argument& argument) const {
    ordered_json item;
    item["argument"] = tables_.String(argument.names(0));
    for (int n = 1; n < argument.names_size(); ++n) {
      item["earlier_names"].push_back(tables_.String(argument.names(n)));
    }
    item["type"] = tables_.TypeAt(argument.type()).ToString();
    item["state"] = argument.state() == 2 ? "retired" : "exposed";
    item["origin"] = tables_.Origin(argument.origin());
    item["default"] = tables_.ValueOrNone(argument.default_value());
    item["neutral"] = tables_.ValueOrNone(argument.neutral());
    if (argument.state() == 2) {
      item["retired"] = tables_.ValueOrNone(argument.retired());
    }
    if (argument.ignorable()) item["ignorable"] = true;
    for (const wire::EqualValue& equal : argument.equal_values()) {
      item["equal_values"].push_back({{"value", tables_.Other(equal.value())},
                                      {"means", tables_.Other(equal.means())}});
    }
    return item;
  }

  // How many nodes are of each form.
  std::vector<uint64_t> CountCalls() const {
    std::vector<uint64_t> calls(
        static_cast<size_t>(file_.forms().operators_size()));
    for (const wire::Function& function : file_.functions()) {
      for (const uint32_t form : function.forms()) ++calls[form];
    }
    return calls;
  }

  static std::string KindName(uint32_t kind, uint32_t num_values) {
    constexpr const char* kNames[] = {"value", "",         "None",  "True",
                                      "False", "int",      "float", "str",
                                      "int[]", "constant", "tensor"};
    if (kind == 1) {
      return num_values == 1 ? "1 value" : absl::StrCat(num_values, " values");
    }
    return kind < 11 ? kNames[kind] : absl::StrCat("kind ", kind);
  }

  ordered_json Forms() const {
    const wire::CallForms& forms = file_.forms();
    const std::vector<uint64_t> calls = CountCalls();
    ordered_json items = ordered_json::array();
    int slot = 0;
    int attribute = 0;
    int result = 0;
    for (int f = 0; f < forms.operators_size(); ++f) {
      const uint32_t number = forms.operators(f);
      const wire::Operator* op =
          number < kFirstOperator
              ? nullptr
              : &file_.operators(static_cast<int>(number - kFirstOperator));
      ordered_json item;
      item["operator"] =
          op == nullptr ? IntrinsicText(number) : tables_.String(op->names(0));
      if (op != nullptr && op->revision() > 1) {
        item["revision"] = op->revision();
      }
      item["calls"] = calls[static_cast<size_t>(f)];
      std::vector<bool> is_written;
      item["written"] = Slots(op, forms.slot_counts(f), &slot, &is_written);
      item["left_out"] = LeftOut(op, is_written);
      for (uint32_t i = 0; i < forms.attribute_counts(f); ++i) {
        const uint32_t name = forms.attributes(attribute++);
        const uint32_t kind = forms.attributes(attribute++);
        item["attributes"].push_back(
            {{"name", tables_.String(name)}, {"kind", KindName(kind, 0)}});
      }
      item["result_types"] = ordered_json::array();
      for (uint32_t i = 0; i < forms.result_counts(f); ++i) {
        item["result_types"].push_back(
            tables_.TypeAt(forms.result_types(result++)).ToString());
      }
      if (forms.block_counts(f) > 0) item["blocks"] = forms.block_counts(f);
      items.push_back(std::move(item));
    }
    return items;
  }

  static std::string IntrinsicText(uint32_t number) {
    const auto intrinsic = static_cast<Intrinsic>(number);
    if (intrinsic == Intrinsic::kParam) return "(block begins)";
    if (intrinsic == Intrinsic::kReturn) return "(block ends)";
    return std::string(IntrinsicName(intrinsic));
  }

  static int NumExposed(const wire::Operator* op) {
    int exposed = 0;
    while (op != nullptr && exposed < op->arguments_size() &&
           op->arguments(exposed).state() == 1) {
      ++exposed;
    }
    return exposed;
  }

  // Takes the slots of one form.
  ordered_json Slots(const wire::Operator* op, uint32_t count, int* slot,
                     std::vector<bool>* is_written) const {
    const auto exposed = static_cast<uint32_t>(NumExposed(op));
    is_written->assign(exposed, false);
    ordered_json slots = ordered_json::array();
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t element = file_.forms().slots((*slot)++);
      const uint32_t argument = element >> 4;
      const uint32_t kind = element & 15;
      const uint32_t num_values =
          kind == 1 ? file_.forms().slots((*slot)++) : 0;
      if (argument < exposed) (*is_written)[argument] = true;
      slots.push_back(
          {{"argument",
            argument < exposed
                ? tables_.String(
                      op->arguments(static_cast<int>(argument)).names(0))
                : "..."},
           {"kind", KindName(kind, num_values)}});
    }
    return slots;
  }

  ordered_json LeftOut(const wire::Operator* op,
                       const std::vector<bool>& is_written) const {
    ordered_json items = ordered_json::array();
    for (size_t i = 0; i < is_written.size(); ++i) {
      if (is_written[i]) continue;
      const wire::Argument& argument = op->arguments(static_cast<int>(i));
      items.push_back(
          {{"argument", tables_.String(argument.names(0))},
           {"default", tables_.ValueOrNone(argument.default_value())}});
    }
    return items;
  }

  void AddNames(ordered_json* model) const {
    ordered_json attributes = ordered_json::array();
    for (const wire::Attribute& attribute : file_.attributes()) {
      attributes.push_back(
          {{"name", tables_.String(attribute.name())},
           {"type", tables_.TypeAt(attribute.type()).ToString()},
           {"value", tables_.Other(attribute.value())}});
    }
    ordered_json tensors = ordered_json::array();
    for (const wire::NamedTensor& tensor : file_.named_tensors()) {
      tensors.push_back({{"name", tables_.String(tensor.name())},
                         {"tensor", tensor.tensor()}});
    }
    (*model)["attributes"] = std::move(attributes);
    (*model)["named_tensors"] = std::move(tensors);
  }

  ordered_json Functions() const {
    ordered_json functions = ordered_json::array();
    const std::vector<FieldPlace> places = PlacesOf(kFunctions);
    for (int i = 0; i < file_.functions_size(); ++i) {
      const wire::Function& function = file_.functions(i);
      const FieldPlace& place = places[static_cast<size_t>(i)];
      ordered_json item;
      item["function"] = tables_.String(function.name());
      item["offset"] = place.offset;
      item["size"] = place.size;
      item["nodes"] = function.forms_size();
      item["columns"] = ordered_json::array();
      const int elements[] = {function.forms_size(), function.values_size(),
                              function.constants_size()};
      constexpr const char* kColumns[] = {"forms", "values", "constants"};
      for (const FieldPlace& column :
           FieldPlaces(place.content, place.content_offset)) {
        if (column.number < 3 || column.number > 5) continue;
        const size_t index = column.number - 3;
        item["columns"].push_back({{"column", kColumns[index]},
                                   {"offset", column.offset},
                                   {"size", column.size},
                                   {"elements", elements[index]}});
      }
      functions.push_back(std::move(item));
    }
    return functions;
  }

  ordered_json Debug() const {
    const FieldPlace place = PlacesOf(kDebug).back();
    return {{"offset", place.offset},
            {"size", place.size},
            {"strings", file_.debug().strings_size()},
            {"functions", file_.debug().functions_size()}};
  }

  const absl::string_view bytes_;
  const FileParts parts_;
  const wire::Module& file_;
  const Module& decoded_;
  const WireTables tables_;
  const std::vector<FieldPlace> places_;
};

}  // namespace

absl::StatusOr<ordered_json> WireModel(absl::string_view bytes) {
  DecodeOptions options;
  options.tensors = TensorMemory::Borrowed();
  OPCOMPAT_ASSIGN_OR_RETURN(const Module decoded, Decode(bytes, options));
  const FileParts parts = PartsOf(bytes);
  wire::Module file;
  if (parts.message.size() > INT32_MAX ||
      !file.ParseFromArray(parts.message.data(),
                           static_cast<int>(parts.message.size()))) {
    return absl::ResourceExhaustedError(
        "the file is larger than protobuf's generated code can read");
  }
  return Model(bytes, parts, file, decoded).Make();
}

}  // namespace opcompat
