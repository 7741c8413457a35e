#include "deserializer/table_reader.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "base/concat.h"
#include "base/escape.h"
#include "base/status_macros.h"
#include "deserializer/constant_reader.h"
#include "deserializer/distinct.h"
#include "deserializer/tensor_reader.h"

namespace opcompat {
namespace decoding {
namespace {

// Where sizes stop to grow, so that they cannot overflow.
constexpr uint64_t kBeyondAnyBudget = uint64_t{1} << 60;

class TableReader {
 public:
  TableReader(const FileFields& file, const DecodeOptions& options,
              Budget* budget)
      : file_(file), options_(options), budget_(*budget) {}

  absl::StatusOr<Tables> Read() {
    OPCOMPAT_RETURN_IF_ERROR(ReadStrings());
    OPCOMPAT_RETURN_IF_ERROR(ReadTypes());
    OPCOMPAT_RETURN_IF_ERROR(ReadTensors(file_, options_, &budget_, &tables_));
    OPCOMPAT_RETURN_IF_ERROR(ReadConstants(file_, &budget_, &tables_));
    return std::move(tables_);
  }

 private:
  absl::Status ReadStrings() {
    tables_.strings.reserve(file_.strings.size());
    Distinct distinct(file_.strings.size());
    for (const FileSpan& span : file_.strings) {
      if (!distinct.Add(span.bytes, &tables_.strings)) {
        return MalformedAt(span, "string", tables_.strings.size(),
                           "is there twice");
      }
    }
    return absl::OkStatus();
  }

  absl::Status ReadTypes() {
    tables_.types.reserve(file_.types.size());
    Distinct distinct(file_.types.size());
    for (const FileSpan& span : file_.types) {
      const size_t i = tables_.types.size();
      OPCOMPAT_ASSIGN_OR_RETURN(Type type, ReadType(span, i));
      OPCOMPAT_RETURN_IF_ERROR(
          budget_.SpendText(tables_.type_sizes[i], "types"));
      if (!IsWithinTypeLimits(type)) {
        return absl::ResourceExhaustedError(Concat(
            "type ", i, " (offset ", span.offset, ") is nested ", type.depth(),
            " levels deep and has ", type.num_parts(),
            " parts; the limits are ", kMaxTypeDepth, " and ", kMaxTypeParts));
      }
      if (!distinct.Add(std::move(type), &tables_.types)) {
        return MalformedAt(span, "type", i, "is there twice");
      }
    }
    return absl::OkStatus();
  }

  // The fields of the message Type.
  struct RawType {
    uint32_t kind = 0;
    uint32_t name = 0;
    uint64_t size = 0;
    std::vector<uint32_t> children;
    std::vector<uint32_t> field_names;
  };

  absl::StatusOr<Type> ReadType(const FileSpan& span, size_t i) {
    RawType raw;
    VarintColumn children;
    VarintColumn field_names;
    FieldReader fields(span, "a type");
    while (fields.Next()) {
      switch (fields.number()) {
        case 1:
          raw.kind = fields.Uint32();
          break;
        case 2:
          raw.name = fields.Uint32();
          break;
        case 3:
          raw.size = fields.Uint64();
          break;
        case 4:
          fields.AddTo(&children);
          break;
        case 5:
          fields.AddTo(&field_names);
          break;
        default:
          break;
      }
    }
    OPCOMPAT_RETURN_IF_ERROR(fields.status());
    OPCOMPAT_ASSIGN_OR_RETURN(raw.children,
                              ReadUint32s(children, "children of a type"));
    OPCOMPAT_ASSIGN_OR_RETURN(raw.field_names,
                              ReadUint32s(field_names, "names of fields"));
    OPCOMPAT_ASSIGN_OR_RETURN(Type type, MakeType(raw, span, i));
    tables_.type_sizes.push_back(ExpandedSize(raw));
    return type;
  }

  // Precondition: MakeType has accepted it.
  uint64_t ExpandedSize(const RawType& raw) const {
    uint64_t size = 1;
    if (raw.name != 0) size += tables_.strings[raw.name - 1].size();
    for (const uint32_t name : raw.field_names) {
      size += tables_.strings[name].size();
    }
    for (const uint32_t child : raw.children) {
      size = std::min(size + tables_.type_sizes[child], kBeyondAnyBudget);
    }
    return size;
  }

  absl::StatusOr<Type> MakeType(const RawType& raw, const FileSpan& span,
                                size_t i) {
    const auto malformed = [&](auto... what) {
      return MalformedAt(span, "type", i, Concat(what...));
    };
    if (raw.kind < static_cast<uint32_t>(TypeKind::kTensor) ||
        raw.kind > static_cast<uint32_t>(TypeKind::kReduction)) {
      return malformed("kind ", raw.kind, " is no kind of type");
    }
    const auto kind = static_cast<TypeKind>(raw.kind);

    // Which of its parts a type of this kind has.
    const bool has_name =
        kind == TypeKind::kNamed || kind == TypeKind::kVariable;
    if (has_name != (raw.name != 0)) {
      return malformed("kind ", raw.kind, has_name ? " needs a" : " has no",
                       " name");
    }
    if (raw.size != 0 && kind != TypeKind::kList) {
      return malformed("kind ", raw.kind, " has no size");
    }
    if (raw.size > std::numeric_limits<int64_t>::max()) {
      return malformed("the size ", raw.size, " is over 63 bits");
    }
    absl::optional<size_t> arity = 0;
    switch (kind) {
      case TypeKind::kOptional:
      case TypeKind::kList:
      case TypeKind::kFuture:
      case TypeKind::kRRef:
      case TypeKind::kAwait:
        arity = 1;
        break;
      case TypeKind::kDict:
        arity = 2;
        break;
      case TypeKind::kTuple:
      case TypeKind::kNamedTuple:
        arity = absl::nullopt;
        break;
      default:
        break;
    }
    if (arity.has_value() && raw.children.size() != *arity) {
      return malformed("kind ", raw.kind, " has ", *arity, " children; found ",
                       raw.children.size());
    }
    if (raw.field_names.size() !=
        (kind == TypeKind::kNamedTuple ? raw.children.size() : 0)) {
      return malformed("kind ", raw.kind, " with ", raw.children.size(),
                       " children has ", raw.field_names.size(),
                       " names of fields");
    }

    std::vector<Type> children;
    children.reserve(raw.children.size());
    for (const uint32_t child : raw.children) {
      if (child >= i) {
        return malformed("its child is type ", child,
                         "; an earlier one was expected");
      }
      children.push_back(tables_.types[child]);
    }
    std::vector<std::string> field_names;
    field_names.reserve(raw.field_names.size());
    for (const uint32_t name : raw.field_names) {
      if (name >= tables_.strings.size() || tables_.strings[name].empty()) {
        return malformed("the name of a field is string ", name,
                         ", which is empty or not there");
      }
      OPCOMPAT_RETURN_IF_ERROR(
          budget_.SpendText(tables_.strings[name].size(), "types"));
      field_names.emplace_back(tables_.strings[name]);
    }
    switch (kind) {
      case TypeKind::kNamed:
      case TypeKind::kVariable: {
        if (raw.name > tables_.strings.size() ||
            tables_.strings[raw.name - 1].empty()) {
          return malformed("its name is string ", raw.name - 1,
                           ", which is empty or not there");
        }
        const absl::string_view name = tables_.strings[raw.name - 1];
        if (kind == TypeKind::kVariable) {
          Type variable = Type::Variable(name);
          if (HasProperNames(variable)) return variable;
          return malformed("\"", HexEscape(name.substr(0, 80)),
                           "\" is no name of a type variable");
        }
        // To a writer that did not know the word it was a name.
        const TypeKind known = TypeKindOfWord(name);
        if (known != TypeKind::kNamed) return Type(known);
        Type named = Type::Named(name);
        if (HasProperNames(named)) return named;
        return malformed("\"", HexEscape(name.substr(0, 80)),
                         "\" is no name of a type");
      }
      case TypeKind::kOptional:
        return Type::Optional(children[0]);
      case TypeKind::kList:
        return Type::List(children[0], static_cast<int64_t>(raw.size));
      case TypeKind::kDict:
        return Type::Dict(children[0], children[1]);
      case TypeKind::kTuple:
        return Type::Tuple(std::move(children));
      case TypeKind::kNamedTuple: {
        Type tuple =
            Type::NamedTuple(std::move(field_names), std::move(children));
        if (HasProperNames(tuple)) return tuple;
        return malformed("the name of a field is no word");
      }
      case TypeKind::kFuture:
      case TypeKind::kRRef:
      case TypeKind::kAwait:
        return Type::Wrapper(kind, children[0]);
      default:
        return Type(kind);
    }
  }

  const FileFields& file_;
  const DecodeOptions& options_;
  Budget& budget_;
  Tables tables_;
};

}  // namespace

absl::StatusOr<Tables> ReadTables(const FileFields& file,
                                  const DecodeOptions& options,
                                  Budget* budget) {
  return TableReader(file, options, budget).Read();
}

}  // namespace decoding
}  // namespace opcompat
