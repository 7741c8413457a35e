#include "deserializer/form_reader.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "base/concat.h"
#include "base/status_macros.h"

namespace opcompat {
namespace decoding {
namespace {

// CallForms.operators: below it the intrinsics.
constexpr uint32_t kFirstOperator = 32;

// What is asked of an entry for each of its forms, worked out once.
struct Formals {
  absl::string_view name;
  uint32_t num_exposed = 0;
  bool is_vararg = false;
  std::vector<bool> is_required;  // of the exposed arguments
  uint32_t num_required = 0;
};

Formals FormalsOf(const OperatorEntry& entry) {
  Formals formals;
  formals.name = entry.name();
  formals.num_exposed = static_cast<uint32_t>(entry.num_exposed());
  formals.is_vararg = entry.is_vararg;
  for (uint32_t i = 0; i < formals.num_exposed; ++i) {
    const bool is_required = !entry.arguments[i].default_value.has_value();
    formals.is_required.push_back(is_required);
    formals.num_required += is_required;
  }
  return formals;
}

// A column that is taken from front to back.
class Queue {
 public:
  explicit Queue(std::vector<uint32_t> elements)
      : elements_(std::move(elements)) {}
  size_t left() const { return elements_.size() - next_; }
  // Precondition: left() > 0.
  uint32_t Take() { return elements_[next_++]; }

 private:
  std::vector<uint32_t> elements_;
  size_t next_ = 0;
};

class FormReader {
 public:
  FormReader(const FileFields& file, const Tables& tables,
             const std::vector<OperatorEntryPtr>& entries, Budget* budget)
      : file_(file), tables_(tables), budget_(*budget) {
    formals_.reserve(entries.size());
    for (const OperatorEntryPtr& entry : entries) {
      formals_.push_back(FormalsOf(*entry));
    }
  }

  absl::StatusOr<std::vector<WireForm>> ReadAll() {
    constexpr uint32_t kNumColumns = 8;
    constexpr absl::string_view kNames[kNumColumns] = {
        "operators of call forms",        "slot counts of call forms",
        "attribute counts of call forms", "result counts of call forms",
        "block counts of call forms",     "slots of call forms",
        "attributes of call forms",       "result types of call forms"};
    VarintColumn columns[kNumColumns];
    for (const FileSpan& span : file_.forms) {
      FieldReader fields(span, "the call forms");
      while (fields.Next()) {
        const uint32_t field = fields.number();
        if (field >= 1 && field <= kNumColumns) {
          fields.AddTo(&columns[field - 1]);
        }
      }
      OPCOMPAT_RETURN_IF_ERROR(fields.status());
    }
    std::vector<std::vector<uint32_t>> read(kNumColumns);
    for (uint32_t i = 0; i < kNumColumns; ++i) {
      OPCOMPAT_ASSIGN_OR_RETURN(read[i], ReadUint32s(columns[i], kNames[i]));
    }
    const size_t num_forms = read[0].size();
    for (uint32_t i = 1; i <= 4; ++i) {
      if (read[i].size() != num_forms) {
        return absl::InvalidArgumentError(
            Concat("malformed file: ", kNames[i], ": ", read[i].size(),
                   " elements, but there are ", num_forms, " call forms"));
      }
    }
    Queue slots(std::move(read[5]));
    Queue attributes(std::move(read[6]));
    Queue result_types(std::move(read[7]));
    std::vector<WireForm> forms(num_forms);
    for (size_t i = 0; i < num_forms; ++i) {
      index_ = i;
      WireForm& form = forms[i];
      form.num_blocks = read[4][i];
      OPCOMPAT_RETURN_IF_ERROR(ReadOperator(read[0][i], &form));
      OPCOMPAT_RETURN_IF_ERROR(ReadSlots(read[1][i], &slots, &form));
      OPCOMPAT_RETURN_IF_ERROR(ReadAttributes(read[2][i], &attributes, &form));
      OPCOMPAT_RETURN_IF_ERROR(ReadResults(read[3][i], &result_types, &form));
      OPCOMPAT_RETURN_IF_ERROR(CheckBlockEnds(form));
    }
    if (slots.left() + attributes.left() + result_types.left() > 0) {
      return absl::InvalidArgumentError(Concat(
          "malformed file: call forms: ", slots.left(), " numbers of slots, ",
          attributes.left(), " of attributes and ", result_types.left(),
          " of results are of no form"));
    }
    return forms;
  }

 private:
  template <typename... What>
  absl::Status Malformed(const What&... what) const {
    return absl::InvalidArgumentError(
        Concat("malformed file: call form ", index_, ": ", what...));
  }

  absl::Status ReadOperator(uint32_t number, WireForm* form) const {
    if (number >= kFirstOperator) {
      form->entry = number - kFirstOperator;
      if (form->entry < formals_.size()) return absl::OkStatus();
      return Malformed("it is of operator ", form->entry, " of ",
                       formals_.size());
    }
    if (number < static_cast<uint32_t>(Intrinsic::kParam) ||
        number > static_cast<uint32_t>(Intrinsic::kCallFunction)) {
      return Malformed("there is no intrinsic of number ", number);
    }
    form->intrinsic = static_cast<Intrinsic>(number);
    // Every file has the ends of blocks.
    if (form->intrinsic == Intrinsic::kParam ||
        form->intrinsic == Intrinsic::kReturn) {
      return absl::OkStatus();
    }
    const absl::string_view name = IntrinsicName(form->intrinsic);
    if (file_.required_features.contains(name)) return absl::OkStatus();
    return Malformed("it uses the feature \"", name,
                     "\", which the file does not require");
  }

  absl::Status ReadSlots(uint32_t count, Queue* column, WireForm* form) {
    static const Formals kIntrinsic = {"", 0, true, {}, 0};
    const Formals& formals = form->intrinsic == Intrinsic::kNone
                                 ? formals_[form->entry]
                                 : kIntrinsic;
    if (count > column->left()) {
      return Malformed("it has ", count, " slots, but ", column->left(),
                       " numbers are left");
    }
    form->slots.reserve(count);
    uint32_t next = 0;  // the first argument that may still be given
    uint32_t num_required = 0;
    for (uint32_t i = 0; i < count; ++i) {
      if (column->left() == 0) return Malformed("slot ", i, " is cut off");
      const uint32_t encoded = column->Take();
      WireSlot slot;
      slot.kind = static_cast<OperandKind>(encoded & 15);
      if (slot.kind > OperandKind::kTensor) {
        return Malformed("slot ", i, " is of kind ", encoded & 15,
                         ", which no slot is");
      }
      const uint32_t argument = encoded >> 4;
      const bool is_variadic = argument == formals.num_exposed;
      if (argument > formals.num_exposed ||
          (is_variadic && !formals.is_vararg)) {
        return Malformed(formals.name, ": slot ", i, " gives argument ",
                         argument, "; it has ", formals.num_exposed);
      }
      if (is_variadic != (slot.kind == OperandKind::kVariadicValues) &&
          slot.kind <= OperandKind::kVariadicValues) {
        return Malformed(formals.name, ": slot ", i, " is of kind ",
                         encoded & 15, ", but it is ",
                         is_variadic ? "variadic" : "one argument");
      }
      if (slot.kind == OperandKind::kVariadicValues) {
        if (column->left() == 0) return Malformed("slot ", i, " is cut off");
        slot.count = column->Take();
        if (slot.count == 0) return Malformed("slot ", i, " is empty");
      }
      if (!is_variadic) {
        if (argument < next) {
          return Malformed(formals.name, ": argument ", argument,
                           " is given twice or out of order");
        }
        slot.argument = argument;
        num_required += formals.is_required[argument];
        next = argument + 1;
      } else {
        next = argument;
      }
      form->num_operands += slot.count;
      Count(slot.kind, slot.count, form);
      form->slots.push_back(slot);
    }
    if (num_required != formals.num_required) {
      return Malformed(formals.name, ": ", formals.num_required - num_required,
                       " required arguments are not given");
    }
    return absl::OkStatus();
  }

  absl::Status ReadAttributes(uint32_t count, Queue* column, WireForm* form) {
    if (count > column->left() / 2) {
      return Malformed("it has ", count, " attributes, but ", column->left(),
                       " numbers are left, and one takes two");
    }
    form->attributes.reserve(count);
    for (uint32_t i = 0; i < count; ++i) {
      WireAttribute attribute;
      attribute.name = column->Take();
      const uint32_t kind = column->Take();
      if (attribute.name >= tables_.strings.size()) {
        return Malformed("the name of attribute ", i, " is string ",
                         attribute.name, " of ", tables_.strings.size());
      }
      const absl::string_view name = tables_.strings[attribute.name];
      OPCOMPAT_RETURN_IF_ERROR(budget_.SpendText(name.size(), "names"));
      if (i > 0 && name <= tables_.strings[form->attributes.back().name]) {
        return Malformed("the names of its attributes are not sorted, each ",
                         "once");
      }
      if (kind < static_cast<uint32_t>(OperandKind::kNone) ||
          kind > static_cast<uint32_t>(OperandKind::kTensor)) {
        return Malformed("attribute ", i, " is of kind ", kind,
                         ", which no constant is");
      }
      attribute.kind = static_cast<OperandKind>(kind);
      ++form->num_operands;
      Count(attribute.kind, 1, form);
      form->attributes.push_back(attribute);
    }
    return absl::OkStatus();
  }

  absl::Status ReadResults(uint32_t count, Queue* column, WireForm* form) {
    if (count > column->left()) {
      return Malformed("it has ", count, " results, but ", column->left(),
                       " numbers are left");
    }
    form->result_types.reserve(count);
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t type = column->Take();
      if (type >= tables_.types.size()) {
        return Malformed("the type of result ", i, " is type ", type, " of ",
                         tables_.types.size());
      }
      form->result_types.push_back(type);
    }
    return absl::OkStatus();
  }

  absl::Status CheckBlockEnds(const WireForm& form) const {
    const bool is_param = form.intrinsic == Intrinsic::kParam;
    const bool is_return = form.intrinsic == Intrinsic::kReturn;
    if (!is_param && !is_return) return absl::OkStatus();
    if (form.num_blocks == 0 && form.attributes.empty() &&
        (is_param ? form.slots.empty() : form.result_types.empty())) {
      return absl::OkStatus();
    }
    return Malformed("the ", is_param ? "beginning" : "end", " of a block has ",
                     is_param ? "operands" : "results",
                     ", attributes or blocks");
  }

  static void Count(OperandKind kind, uint32_t count, WireForm* form) {
    if (kind <= OperandKind::kVariadicValues) form->num_values += count;
    if (kind >= OperandKind::kInt) form->num_constants += count;
  }

  const FileFields& file_;
  const Tables& tables_;
  Budget& budget_;
  std::vector<Formals> formals_;  // by entry
  size_t index_ = 0;              // of the form being read
};

}  // namespace

absl::StatusOr<std::vector<WireForm>> ReadForms(
    const FileFields& file, const Tables& tables,
    const std::vector<OperatorEntryPtr>& entries, Budget* budget) {
  return FormReader(file, tables, entries, budget).ReadAll();
}

}  // namespace decoding
}  // namespace opcompat
