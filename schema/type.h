// The types of arguments, results and values: what the schema language can
// spell. A Type is structure only; alias annotations are not part of it (see
// operator_schema.h), and what fits where is decided in typing.h.
#ifndef OPCOMPAT_SCHEMA_TYPE_H_
#define OPCOMPAT_SCHEMA_TYPE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace opcompat {

// The numbers are used on the wire (docs/wire_format.md): add at the end only.
enum class TypeKind : uint8_t {
  kTensor = 1,
  kInt = 2,
  kFloat = 3,
  kBool = 4,
  kComplex = 5,
  kString = 6,
  kScalar = 7,
  kScalarType = 8,
  kLayout = 9,
  kDevice = 10,
  kMemoryFormat = 11,
  kGenerator = 12,
  kStorage = 13,
  kStream = 14,
  kDimname = 15,
  kQScheme = 16,
  kSymInt = 17,
  kSymFloat = 18,
  kSymBool = 19,
  kAny = 20,
  kNone = 21,
  // Has a name: `t`, `t1`, `tVal` (IsTypeVariableName).
  kVariable = 22,
  // Has a name: a class (`__torch__.Net`), or a word that this version of
  // opcompat does not know (`AnyEnumType`). Equal only to itself.
  kNamed = 23,
  // One child.
  kOptional = 24,
  // One child; `size` is n of `T[n]`, or 0 for `T[]`.
  kList = 25,
  // Two children: key, value.
  kDict = 26,
  // Any number of children.
  kTuple = 27,
  // As kTuple, with a name for each child: `NamedTuple(a : int, b : str)`.
  kNamedTuple = 28,
  // One child each.
  kFuture = 29,
  kRRef = 30,
  kAwait = 31,
  // `Reduction` of the enum words.
  kReduction = 32,
};
inline constexpr size_t kNumTypeKinds = 33;

// A type, immutable. Copying shares the structure (cheap); safe to share
// between threads. Equality is structural and exact: `T[2]` is not `T[]` here.
class Type {
 public:
  // The None type. (So that containers of Type can be resized.)
  Type() : Type(TypeKind::kNone) {}
  // A type without children or name.
  explicit Type(TypeKind kind);

  static Type Named(absl::string_view name);
  static Type Variable(absl::string_view name);
  static Type Optional(Type element);
  // `size` 0 is `T[]`.
  static Type List(Type element, int64_t size = 0);
  static Type Dict(Type key, Type value);
  static Type Tuple(std::vector<Type> elements);
  static Type NamedTuple(std::vector<std::string> names,
                         std::vector<Type> elements);
  // kFuture, kRRef or kAwait of `element`.
  static Type Wrapper(TypeKind kind, Type element);

  TypeKind kind() const { return node_->kind; }
  // Of kNamed and kVariable; else empty.
  const std::string& name() const { return node_->name; }
  // Of kList: n of `T[n]`, or 0.
  int64_t size() const { return node_->size; }
  const std::vector<Type>& children() const { return node_->children; }
  const Type& child(size_t i = 0) const { return node_->children[i]; }
  // Of kNamedTuple.
  const std::vector<std::string>& field_names() const {
    return node_->field_names;
  }

  // Levels of nesting: 1 for `int`. Makers of types bound it (kMaxTypeDepth).
  int depth() const { return node_->depth; }
  // How many types `this` is made of, itself included: 2 for `int[]`. Counts
  // shared parts each time (a few tables can describe a type of 2^60 parts);
  // saturates. Makers of types bound it (kMaxTypeParts).
  int64_t num_parts() const { return node_->num_parts; }
  // Whether a kVariable is among the parts.
  bool has_variables() const { return node_->has_variables; }

  // The canonical spelling in the schema language: `Tensor?[]`, `int[2]`,
  // `Dict(str, Tensor)`, `(int, str)`, `(int,)`.
  std::string ToString() const;

  // As ToString, cut to about `max_bytes` for a message. Costs no more than
  // what it prints: a small file can describe a type of any length.
  std::string ToShortString(size_t max_bytes = 400) const;

  size_t hash() const { return node_->hash; }

  friend bool operator==(const Type& a, const Type& b) {
    return a.node_ == b.node_ || (a.hash() == b.hash() && a.SameAs(b));
  }
  friend bool operator!=(const Type& a, const Type& b) { return !(a == b); }

  template <typename H>
  friend H AbslHashValue(H h, const Type& type) {
    return H::combine(std::move(h), type.hash());
  }

 private:
  struct Node {
    TypeKind kind;
    std::string name;
    int64_t size = 0;
    std::vector<Type> children;
    std::vector<std::string> field_names;
    size_t hash = 0;
    int depth = 1;
    int64_t num_parts = 1;
    bool has_variables = false;
  };

  explicit Type(Node node);
  bool SameAs(const Type& other) const;
  // Appends the spelling; stops once `out` is longer than the limit.
  void AppendTo(std::string* out, size_t limit) const;

  std::shared_ptr<const Node> node_;
};

// Parsers and decoders refuse types nested deeper or made of more parts, so
// that code over types may recurse.
inline constexpr int kMaxTypeDepth = 64;
inline constexpr int64_t kMaxTypeParts = 1 << 14;

// Whether `type` is within both bounds.
inline bool IsWithinTypeLimits(const Type& type) {
  return type.depth() <= kMaxTypeDepth && type.num_parts() <= kMaxTypeParts;
}

// Whether a word that is no type's is a variable rather than a kNamed: a `t`
// alone or before a digit or a capital letter.
bool IsTypeVariableName(absl::string_view word);

// Whether the name of a kNamed or kVariable, or the names of a kNamedTuple's
// fields, are such that the text of the type is the type: words, joined by dots
// in names of types, and none that stands for another type. True for other
// kinds. Children are not looked at. Encoders and decoders refuse others.
bool HasProperNames(const Type& type);

// The kind that the schema language spells with one word (`Tensor`, `str`,
// `NoneType` is not one: `None` is), or kNamed if it is no such word.
TypeKind TypeKindOfWord(absl::string_view word);

// The word for such a kind; empty for kinds that have no word of their own.
absl::string_view WordOfTypeKind(TypeKind kind);

// Whether int constants stand for the words of this type: ScalarType, Layout,
// MemoryFormat, Reduction.
bool IsEnumKind(TypeKind kind);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_TYPE_H_
