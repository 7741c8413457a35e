#include "schema/type.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/concat.h"
#include "schema/words.h"

namespace opcompat {
namespace {

struct KindWord {
  TypeKind kind;
  absl::string_view word;
};

constexpr KindWord kWords[] = {
    {TypeKind::kTensor, "Tensor"},
    {TypeKind::kInt, "int"},
    {TypeKind::kFloat, "float"},
    {TypeKind::kBool, "bool"},
    {TypeKind::kComplex, "complex"},
    {TypeKind::kString, "str"},
    {TypeKind::kScalar, "Scalar"},
    {TypeKind::kScalarType, "ScalarType"},
    {TypeKind::kLayout, "Layout"},
    {TypeKind::kDevice, "Device"},
    {TypeKind::kMemoryFormat, "MemoryFormat"},
    {TypeKind::kGenerator, "Generator"},
    {TypeKind::kStorage, "Storage"},
    {TypeKind::kStream, "Stream"},
    {TypeKind::kDimname, "Dimname"},
    {TypeKind::kQScheme, "QScheme"},
    {TypeKind::kSymInt, "SymInt"},
    {TypeKind::kSymFloat, "SymFloat"},
    {TypeKind::kSymBool, "SymBool"},
    {TypeKind::kAny, "Any"},
    {TypeKind::kNone, "None"},
    {TypeKind::kReduction, "Reduction"},
};

bool IsWord(absl::string_view text) {
  return !text.empty() && IsWordStart(text[0]) &&
         std::all_of(text.begin(), text.end(), IsWordPart);
}

// A word, and after dots more of them, which may begin with a digit.
bool IsDottedName(absl::string_view text) {
  if (text.empty() || !IsWordStart(text[0])) return false;
  const std::vector<absl::string_view> parts = absl::StrSplit(text, '.');
  return std::all_of(parts.begin(), parts.end(), [](absl::string_view part) {
    return !part.empty() && std::all_of(part.begin(), part.end(), IsWordPart);
  });
}

// Where the count of parts saturates.
constexpr int64_t kManyParts = int64_t{1} << 40;

}  // namespace

bool IsTypeVariableName(absl::string_view word) {
  return !word.empty() && word[0] == 't' &&
         (word.size() == 1 || absl::ascii_isdigit(word[1]) ||
          absl::ascii_isupper(word[1]));
}

bool HasProperNames(const Type& type) {
  const std::string& name = type.name();
  switch (type.kind()) {
    case TypeKind::kNamed:
      return IsDottedName(name) && TypeKindOfWord(name) == TypeKind::kNamed &&
             !IsTypeVariableName(name) && name != "Dict" && name != "Future" &&
             name != "RRef" && name != "Await";
    case TypeKind::kVariable:
      return IsDottedName(name) && IsTypeVariableName(name);
    case TypeKind::kNamedTuple:
      return std::all_of(type.field_names().begin(), type.field_names().end(),
                         IsWord);
    default:
      return true;
  }
}

TypeKind TypeKindOfWord(absl::string_view word) {
  for (const KindWord& entry : kWords) {
    if (entry.word == word) return entry.kind;
  }
  return TypeKind::kNamed;
}

absl::string_view WordOfTypeKind(TypeKind kind) {
  for (const KindWord& entry : kWords) {
    if (entry.kind == kind) return entry.word;
  }
  return "";
}

bool IsEnumKind(TypeKind kind) {
  return kind == TypeKind::kScalarType || kind == TypeKind::kLayout ||
         kind == TypeKind::kMemoryFormat || kind == TypeKind::kReduction;
}

Type::Type(Node node) {
  size_t hash = absl::HashOf(static_cast<int>(node.kind), node.name, node.size,
                             node.field_names);
  int depth = 0;
  int64_t num_parts = 1;
  bool has_variables = node.kind == TypeKind::kVariable;
  for (const Type& child : node.children) {
    hash = absl::HashOf(hash, child.hash());
    depth = std::max(depth, child.depth());
    num_parts = std::min(num_parts + child.num_parts(), kManyParts);
    has_variables |= child.has_variables();
  }
  node.hash = hash;
  node.depth = depth + 1;
  node.num_parts = num_parts;
  node.has_variables = has_variables;
  node_ = std::make_shared<const Node>(std::move(node));
}

// Types that are nothing but their kind are there once, for as long as the
// program runs, and nobody counts who refers to them: most types are such, are
// made in great numbers, and are shared by threads.
Type::Type(TypeKind kind) {
  static const auto* const all = [] {
    auto* const types = new std::vector<Type>();
    for (size_t i = 0; i < kNumTypeKinds; ++i) {
      types->push_back(Type(Node{static_cast<TypeKind>(i), "", 0, {}, {}}));
    }
    return types;
  }();
  node_ = std::shared_ptr<const Node>(
      std::shared_ptr<const Node>(),
      (*all)[static_cast<size_t>(kind)].node_.get());
}

Type Type::Named(absl::string_view name) {
  return Type(Node{TypeKind::kNamed, std::string(name), 0, {}, {}});
}

Type Type::Variable(absl::string_view name) {
  return Type(Node{TypeKind::kVariable, std::string(name), 0, {}, {}});
}

Type Type::Optional(Type element) {
  return Type(Node{TypeKind::kOptional, "", 0, {std::move(element)}, {}});
}

Type Type::List(Type element, int64_t size) {
  return Type(Node{TypeKind::kList, "", size, {std::move(element)}, {}});
}

Type Type::Dict(Type key, Type value) {
  return Type(
      Node{TypeKind::kDict, "", 0, {std::move(key), std::move(value)}, {}});
}

Type Type::Tuple(std::vector<Type> elements) {
  return Type(Node{TypeKind::kTuple, "", 0, std::move(elements), {}});
}

Type Type::NamedTuple(std::vector<std::string> names,
                      std::vector<Type> elements) {
  return Type(Node{TypeKind::kNamedTuple, "", 0, std::move(elements),
                   std::move(names)});
}

Type Type::Wrapper(TypeKind kind, Type element) {
  return Type(Node{kind, "", 0, {std::move(element)}, {}});
}

bool Type::SameAs(const Type& other) const {
  return node_->kind == other.node_->kind && node_->name == other.node_->name &&
         node_->size == other.node_->size &&
         node_->field_names == other.node_->field_names &&
         node_->children == other.node_->children;
}

void Type::AppendTo(std::string* out, size_t limit) const {
  const auto append_children = [&](absl::string_view begin,
                                   absl::string_view end) {
    ConcatTo(out, begin);
    for (size_t i = 0; i < children().size() && out->size() <= limit; ++i) {
      if (i > 0) ConcatTo(out, ", ");
      if (kind() == TypeKind::kNamedTuple) {
        ConcatTo(out, absl::string_view(field_names()[i]).substr(0, limit),
                 " : ");
      }
      child(i).AppendTo(out, limit);
    }
    ConcatTo(out, end);
  };
  switch (kind()) {
    case TypeKind::kNamed:
    case TypeKind::kVariable:
      ConcatTo(out, absl::string_view(name()).substr(0, limit));
      return;
    case TypeKind::kOptional:
      append_children("", "?");
      return;
    case TypeKind::kList:
      append_children("", "[");
      if (size() != 0) ConcatTo(out, size());
      ConcatTo(out, "]");
      return;
    case TypeKind::kDict:
      append_children("Dict(", ")");
      return;
    case TypeKind::kFuture:
      append_children("Future(", ")");
      return;
    case TypeKind::kRRef:
      append_children("RRef(", ")");
      return;
    case TypeKind::kAwait:
      append_children("Await(", ")");
      return;
    case TypeKind::kTuple:
      append_children("(", children().size() == 1 ? ",)" : ")");
      return;
    case TypeKind::kNamedTuple:
      append_children("NamedTuple(", ")");
      return;
    default:
      ConcatTo(out, WordOfTypeKind(kind()));
      return;
  }
}

std::string Type::ToString() const {
  std::string text;
  AppendTo(&text, absl::string_view::npos);
  return text;
}

std::string Type::ToShortString(size_t max_bytes) const {
  std::string text;
  // One byte more than the limit: then it is known to be cut.
  AppendTo(&text, max_bytes + 1);
  if (text.size() <= max_bytes) return text;
  size_t cut = max_bytes;
  while (cut > 0 && (static_cast<uint8_t>(text[cut]) & 0xc0) == 0x80) --cut;
  text.resize(cut);
  text += "...";
  return text;
}

}  // namespace opcompat
