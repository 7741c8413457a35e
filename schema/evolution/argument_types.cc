#include "schema/evolution/argument_types.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "schema/type.h"

namespace opcompat {
namespace {

const Type& WithoutOptional(const Type& type) {
  const Type* inner = &type;
  while (inner->kind() == TypeKind::kOptional) inner = &inner->child();
  return *inner;
}

bool KindEmbeds(TypeKind from, TypeKind to) {
  switch (from) {
    case TypeKind::kInt:
      return to == TypeKind::kFloat || to == TypeKind::kScalar ||
             to == TypeKind::kSymInt || IsEnumKind(to);
    case TypeKind::kFloat:
      return to == TypeKind::kScalar || to == TypeKind::kSymFloat;
    case TypeKind::kBool:
      return to == TypeKind::kSymBool;
    default:
      return false;
  }
}

bool SameOrEmbeds(const Type& from, const Type& to) {
  return from == to || ClassEmbeds(from, to);
}

// Whether a lone value of class `lone` stands for n copies at lists of class
// `list`. Only what is no list itself can be lone: else `[1, 2]` could be read
// as one list or as two copies of one.
bool LoneEmbeds(const Type& lone, const Type& list) {
  return list.kind() == TypeKind::kList && lone.kind() != TypeKind::kList &&
         SameOrEmbeds(lone, list.child());
}

std::string Join(const std::vector<Type>& types) {
  return absl::StrJoin(types, ", ", [](std::string* out, const Type& type) {
    absl::StrAppend(out, "`", type.ToString(), "`");
  });
}

}  // namespace

Type TypeClass(const Type& type) {
  const Type& inner = WithoutOptional(type);
  if (inner.children().empty()) return inner;
  std::vector<Type> children;
  children.reserve(inner.children().size());
  for (const Type& child : inner.children()) {
    children.push_back(TypeClass(child));
  }
  switch (inner.kind()) {
    case TypeKind::kList:
      return Type::List(std::move(children[0]));
    case TypeKind::kDict:
      return Type::Dict(std::move(children[0]), std::move(children[1]));
    case TypeKind::kTuple:
      return Type::Tuple(std::move(children));
    case TypeKind::kNamedTuple:
      return Type::NamedTuple(inner.field_names(), std::move(children));
    case TypeKind::kFuture:
    case TypeKind::kRRef:
    case TypeKind::kAwait:
      return Type::Wrapper(inner.kind(), std::move(children[0]));
    default:
      return inner;
  }
}

bool ClassEmbeds(const Type& from, const Type& to) {
  if (from.kind() != to.kind()) return KindEmbeds(from.kind(), to.kind());
  switch (from.kind()) {
    case TypeKind::kList:
    case TypeKind::kDict:
    case TypeKind::kTuple:
    case TypeKind::kNamedTuple:
      break;
    default:
      return false;
  }
  if (from == to || from.children().size() != to.children().size() ||
      from.field_names() != to.field_names()) {
    return false;
  }
  for (size_t i = 0; i < from.children().size(); ++i) {
    if (!SameOrEmbeds(from.child(i), to.child(i))) return false;
  }
  return true;
}

absl::Status ArgumentTypes::Add(const Type& type) {
  if (std::find(types_.begin(), types_.end(), type) != types_.end()) {
    return absl::OkStatus();
  }
  std::vector<Type> all = types_;
  all.push_back(type);
  std::vector<Type> classes;
  for (const Type& t : all) {
    Type c = TypeClass(t);
    if (std::find(classes.begin(), classes.end(), c) == classes.end()) {
      classes.push_back(std::move(c));
    }
  }
  if (classes.size() > 2) {
    return absl::InvalidArgumentError(absl::StrCat(
        "type `", type.ToString(), "` is one too many beside ", Join(types_),
        ": values of more than two kinds of types cannot all be compared"));
  }
  if (classes.size() == 2 && !ClassEmbeds(classes[0], classes[1]) &&
      !ClassEmbeds(classes[1], classes[0])) {
    const bool first_is_lone = LoneEmbeds(classes[0], classes[1]);
    if (!first_is_lone && !LoneEmbeds(classes[1], classes[0])) {
      return absl::InvalidArgumentError(
          absl::StrCat("values of type `", type.ToString(),
                       "` cannot be compared with those of ", Join(types_)));
    }
    const Type& list_class = classes[first_is_lone ? 1 : 0];
    absl::optional<int64_t> size;
    for (const Type& t : all) {
      if (TypeClass(t) != list_class) continue;
      const int64_t n = WithoutOptional(t).size();
      if (n == 0 || (size.has_value() && *size != n)) {
        return absl::InvalidArgumentError(absl::StrCat(
            "type `", type.ToString(), "` beside ", Join(types_),
            ": where a lone value stands for n copies, only one `T[n]` may "
            "occur, and no `T[]`"));
      }
      size = n;
    }
  }
  types_ = std::move(all);
  return absl::OkStatus();
}

}  // namespace opcompat
