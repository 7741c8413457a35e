#include "deserializer/constant_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/concat.h"
#include "base/status_macros.h"
#include "deserializer/distinct.h"
#include "deserializer/field_reader.h"
#include "schema/value.h"

namespace opcompat {
namespace decoding {
namespace {

// Where sizes stop to grow, so that they cannot overflow.
constexpr uint64_t kBeyondAnyBudget = uint64_t{1} << 60;

class ConstantReader {
 public:
  ConstantReader(const FileFields& file, Budget* budget, Tables* tables)
      : file_(file), budget_(*budget), tables_(*tables) {}

  absl::Status Read() {
    std::string floats;
    VarintColumn lengths;
    VarintColumn values;
    std::vector<FileSpan> others;
    for (const FileSpan& span : file_.constants) {
      FieldReader fields(span, "the constants");
      while (fields.Next()) {
        switch (fields.number()) {
          case 1:
            fields.AddFixed64To(&floats);
            break;
          case 2:
            fields.AddTo(&lengths);
            break;
          case 3:
            fields.AddTo(&values);
            break;
          case 4:
            others.push_back(fields.Span());
            break;
          default:
            break;
        }
      }
      OPCOMPAT_RETURN_IF_ERROR(fields.status());
    }
    OPCOMPAT_RETURN_IF_ERROR(ReadFloats(floats));
    OPCOMPAT_RETURN_IF_ERROR(ReadIntLists(lengths, values));
    return ReadOthers(others);
  }

 private:
  absl::Status ReadFloats(absl::string_view bytes) {
    tables_.floats.reserve(bytes.size() / 8);
    Distinct distinct(bytes.size() / 8);
    for (size_t i = 0; i < bytes.size(); i += 8) {
      uint64_t bits = 0;
      for (size_t b = 8; b-- > 0;) {
        bits = bits << 8 | static_cast<uint8_t>(bytes[i + b]);
      }
      if (!distinct.Add(bits, &tables_.floats)) {
        return absl::InvalidArgumentError(Concat(
            "malformed file: float constant ", i / 8, " is there twice"));
      }
    }
    return absl::OkStatus();
  }

  absl::Status ReadIntLists(const VarintColumn& length_column,
                            const VarintColumn& value_column) {
    OPCOMPAT_ASSIGN_OR_RETURN(
        const std::vector<uint32_t> lengths,
        ReadUint32s(length_column, "lengths of lists of integers"));
    OPCOMPAT_ASSIGN_OR_RETURN(const std::vector<int64_t> values,
                              ReadSint64s(value_column, "lists of integers"));
    tables_.int_lists.reserve(lengths.size());
    Distinct distinct(lengths.size());
    size_t begin = 0;
    for (size_t i = 0; i < lengths.size(); ++i) {
      const auto malformed = [&](auto... what) {
        return absl::InvalidArgumentError(
            Concat("malformed file: list of integers ", i, ": ", what...));
      };
      if (lengths[i] == 0) {
        return malformed("it is empty, and that is another kind of constant");
      }
      if (lengths[i] > values.size() - begin) {
        return malformed("it has ", lengths[i], " elements, but ",
                         values.size() - begin, " are left");
      }
      Value list = Value::Ints({values.data() + begin, lengths[i]});
      begin += lengths[i];
      if (!IsWithinValueLimits(list)) {
        return CheckLimits(list, Concat("list of integers ", i));
      }
      if (!distinct.Add(std::move(list), &tables_.int_lists)) {
        return malformed("it is there twice");
      }
    }
    if (begin != values.size()) {
      return absl::InvalidArgumentError(
          Concat("malformed file: lists of integers: ", values.size() - begin,
                 " elements are of no list"));
    }
    return absl::OkStatus();
  }

  static absl::Status CheckLimits(const Value& value, absl::string_view what) {
    if (IsWithinValueLimits(value)) return absl::OkStatus();
    return absl::ResourceExhaustedError(
        Concat(what, " is nested ", value.depth(), " levels deep and has ",
               value.num_parts(), " parts; the limits are ", kMaxValueDepth,
               " and ", kMaxValueParts));
  }

  // The fields of the message Constant.
  struct RawConstant {
    uint32_t kind = 0;
    int64_t integer = 0;
    uint64_t bits = 0;
    uint64_t imaginary_bits = 0;
    uint32_t text = 0;
    std::vector<uint32_t> elements;
    uint32_t tensor = 0;
  };

  absl::Status ReadOthers(const std::vector<FileSpan>& spans) {
    tables_.others.reserve(spans.size());
    Distinct distinct(spans.size());
    for (const FileSpan& span : spans) {
      const size_t i = tables_.others.size();
      OPCOMPAT_ASSIGN_OR_RETURN(const RawConstant raw, ReadConstant(span));
      OPCOMPAT_ASSIGN_OR_RETURN(Value value, MakeConstant(raw, span, i));
      const uint64_t size = ExpandedSize(raw);
      OPCOMPAT_RETURN_IF_ERROR(budget_.SpendParts(size, "constants"));
      OPCOMPAT_RETURN_IF_ERROR(CheckLimits(
          value, Concat("constant ", i, " (offset ", span.offset, ")")));
      if (!distinct.Add(std::move(value), &tables_.others)) {
        return MalformedAt(span, "constant", i, "is there twice");
      }
      tables_.other_sizes.push_back(size);
    }
    return absl::OkStatus();
  }

  static absl::StatusOr<RawConstant> ReadConstant(const FileSpan& span) {
    RawConstant raw;
    VarintColumn elements;
    FieldReader fields(span, "a constant");
    while (fields.Next()) {
      switch (fields.number()) {
        case 1:
          raw.kind = fields.Uint32();
          break;
        case 2:
          raw.integer = fields.Sint64();
          break;
        case 3:
          raw.bits = fields.Fixed64();
          break;
        case 4:
          raw.imaginary_bits = fields.Fixed64();
          break;
        case 5:
          raw.text = fields.Uint32();
          break;
        case 6:
          fields.AddTo(&elements);
          break;
        case 7:
          raw.tensor = fields.Uint32();
          break;
        default:
          break;
      }
    }
    OPCOMPAT_RETURN_IF_ERROR(fields.status());
    OPCOMPAT_ASSIGN_OR_RETURN(raw.elements,
                              ReadUint32s(elements, "elements of a constant"));
    return raw;
  }

  // Precondition: MakeConstant has accepted it.
  uint64_t ExpandedSize(const RawConstant& raw) const {
    uint64_t size = 1;
    if (raw.kind == static_cast<uint32_t>(ValueKind::kString) ||
        raw.kind == static_cast<uint32_t>(ValueKind::kWord)) {
      size += tables_.strings[raw.text].size();
    }
    if (raw.kind == static_cast<uint32_t>(ValueKind::kTensor)) {
      size += tables_.compared_tensor_bytes[raw.tensor];
    }
    for (const uint32_t element : raw.elements) {
      size = std::min(size + tables_.other_sizes[element], kBeyondAnyBudget);
    }
    return size;
  }

  absl::StatusOr<Value> MakeConstant(const RawConstant& raw,
                                     const FileSpan& span, size_t i) {
    const auto malformed = [&](auto... what) {
      return MalformedAt(span, "constant", i, Concat(what...));
    };
    if (raw.kind > static_cast<uint32_t>(ValueKind::kTensor)) {
      return malformed("kind ", raw.kind, " is no kind of constant");
    }
    const auto kind = static_cast<ValueKind>(raw.kind);

    // What a constant of another kind would have must not be there.
    const bool is_text = kind == ValueKind::kString || kind == ValueKind::kWord;
    const bool is_container = kind == ValueKind::kList ||
                              kind == ValueKind::kTuple ||
                              kind == ValueKind::kDict;
    if ((raw.integer != 0 && kind != ValueKind::kInt &&
         kind != ValueKind::kBool) ||
        (raw.bits != 0 && kind != ValueKind::kFloat &&
         kind != ValueKind::kComplex) ||
        (raw.imaginary_bits != 0 && kind != ValueKind::kComplex) ||
        (raw.text != 0 && !is_text) ||
        (!raw.elements.empty() && !is_container) ||
        (raw.tensor != 0 && kind != ValueKind::kTensor)) {
      return malformed("it has what kind ", raw.kind, " does not have");
    }

    std::vector<Value> elements;
    elements.reserve(raw.elements.size());
    for (const uint32_t element : raw.elements) {
      if (element >= i) {
        return malformed("its element is constant ", element,
                         "; an earlier one was expected");
      }
      elements.push_back(tables_.others[element]);
    }
    if (is_text && raw.text >= tables_.strings.size()) {
      return malformed("its text is string ", raw.text, " of ",
                       tables_.strings.size());
    }
    switch (kind) {
      case ValueKind::kNone:
        return Value::None();
      case ValueKind::kBool:
        if (raw.integer != 0 && raw.integer != 1) {
          return malformed("the bool is ", raw.integer);
        }
        return Value::Bool(raw.integer == 1);
      case ValueKind::kInt:
        return Value::Int(raw.integer);
      case ValueKind::kFloat:
        return Value::FloatBits(raw.bits);
      case ValueKind::kComplex:
        return Value::Complex(
            Value::FloatBits(raw.bits).float_value(),
            Value::FloatBits(raw.imaginary_bits).float_value());
      case ValueKind::kString:
        return Value::String(tables_.strings[raw.text]);
      case ValueKind::kWord:
        if (tables_.strings[raw.text].empty())
          return malformed("an empty word");
        return Value::Word(tables_.strings[raw.text]);
      case ValueKind::kList:
        return Value::List(std::move(elements));
      case ValueKind::kTuple:
        return Value::Tuple(std::move(elements));
      case ValueKind::kDict:
        if (elements.size() % 2 != 0) {
          return malformed("the dict has a key without a value");
        }
        return Value::Dict(std::move(elements));
      case ValueKind::kTensor:
        break;
    }
    if (raw.tensor >= tables_.tensors.size()) {
      return malformed("it is tensor ", raw.tensor, " of ",
                       tables_.tensors.size());
    }
    return tables_.tensors[raw.tensor];
  }

  const FileFields& file_;
  Budget& budget_;
  Tables& tables_;
};

}  // namespace

absl::Status ReadConstants(const FileFields& file, Budget* budget,
                           Tables* tables) {
  return ConstantReader(file, budget, tables).Read();
}

}  // namespace decoding
}  // namespace opcompat
