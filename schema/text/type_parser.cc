#include "schema/text/type_parser.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"

namespace opcompat {
namespace {

// One ParseType call. Types nest at most kMaxTypeDepth deep, and the recursion
// no deeper than that.
class TypeParser {
 public:
  TypeParser(Scanner& scanner, AliasAnnotations* alias)
      : scanner_(scanner), alias_(alias) {}

  absl::StatusOr<Type> Parse() {
    Parsed parsed;
    OPCOMPAT_RETURN_IF_ERROR(ParseOne(1, &parsed));
    if (!IsWithinTypeLimits(parsed.type)) {
      return scanner_.Error(
          absl::StrCat("the type has more than ", kMaxTypeParts, " parts"));
    }
    return std::move(parsed.type);
  }

 private:
  // A type and how many nodes it has, for the places of annotations.
  struct Parsed {
    Type type;
    uint32_t nodes = 1;
  };

  absl::Status TooDeep() const {
    return scanner_.Error(absl::StrCat("the type is nested deeper than ",
                                       kMaxTypeDepth, " levels"));
  }

  absl::Status ParseOne(int depth, Parsed* out) {
    if (depth > kMaxTypeDepth) return TooDeep();
    // Annotations from here on belong to this type.
    const size_t first = alias_ == nullptr ? 0 : alias_->size();
    OPCOMPAT_RETURN_IF_ERROR(ParseBase(depth, out));
    OPCOMPAT_RETURN_IF_ERROR(ParseAnnotation(first));
    while (true) {
      if (scanner_.Is("[")) {
        OPCOMPAT_RETURN_IF_ERROR(ParseListSuffix(&out->type));
      } else if (scanner_.Is("?")) {
        if (out->type.kind() == TypeKind::kOptional) {
          return scanner_.Error(
              "found '?' after an optional type: the type is optional already");
        }
        scanner_.Next();
        out->type = Type::Optional(std::move(out->type));
      } else {
        return absl::OkStatus();
      }
      if (out->type.depth() + depth - 1 > kMaxTypeDepth) return TooDeep();
      ++out->nodes;
      // What stood at node n of the element stands at n + 1 now.
      if (alias_ != nullptr) {
        for (size_t i = first; i < alias_->size(); ++i) ++(*alias_)[i].place;
      }
      OPCOMPAT_RETURN_IF_ERROR(ParseAnnotation(first));
    }
  }

  // `[]` or `[n]` after the element's type.
  absl::Status ParseListSuffix(Type* type) {
    scanner_.Next();
    int64_t size = 0;
    if (!scanner_.Is("]")) {
      const absl::string_view text = scanner_.peek().text;
      if (scanner_.peek().kind != Token::Kind::kNumber ||
          !absl::SimpleAtoi(text, &size) || size < 1 ||
          absl::StrCat(size) != text) {
        return scanner_.Expected("']' or a length (1 or more)");
      }
      scanner_.Next();
    }
    OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect("]"));
    *type = Type::List(std::move(*type), size);
    return absl::OkStatus();
  }

  absl::Status ParseBase(int depth, Parsed* out) {
    if (scanner_.Is("(")) return ParseTuple(depth, out);
    if (scanner_.peek().kind != Token::Kind::kWord) {
      return scanner_.Expected("a type");
    }
    const absl::string_view word = scanner_.TakeDottedName();
    if (word == "Dict") return ParseDict(depth, out);
    if (word == "Future") return ParseWrapper(TypeKind::kFuture, depth, out);
    if (word == "RRef") return ParseWrapper(TypeKind::kRRef, depth, out);
    if (word == "Await") return ParseWrapper(TypeKind::kAwait, depth, out);
    if (word == "NamedTuple" && scanner_.Is("(")) {
      return ParseNamedTuple(depth, out);
    }
    const TypeKind kind = TypeKindOfWord(word);
    if (kind != TypeKind::kNamed) {
      out->type = Type(kind);
    } else if (IsTypeVariableName(word)) {
      out->type = Type::Variable(word);
    } else {
      out->type = Type::Named(word);
    }
    return absl::OkStatus();
  }

  // Parses a child; its annotations are at `out->nodes` and after.
  absl::Status ParseChild(int depth, Parsed* out, std::vector<Type>* children) {
    const size_t first = alias_ == nullptr ? 0 : alias_->size();
    Parsed child;
    OPCOMPAT_RETURN_IF_ERROR(ParseOne(depth + 1, &child));
    if (alias_ != nullptr) {
      for (size_t i = first; i < alias_->size(); ++i) {
        (*alias_)[i].place += out->nodes;
      }
    }
    out->nodes += child.nodes;
    children->push_back(std::move(child.type));
    return absl::OkStatus();
  }

  absl::Status ParseTuple(int depth, Parsed* out) {
    OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect("("));
    std::vector<Type> children;
    while (!scanner_.Is(")")) {
      OPCOMPAT_RETURN_IF_ERROR(ParseChild(depth, out, &children));
      if (scanner_.Take(",")) {
        // Only a tuple of one ends in a comma.
        if (children.size() > 1 && scanner_.Is(")")) {
          return scanner_.Expected("a type");
        }
        continue;
      }
      if (!scanner_.Is(")")) return scanner_.Expected("',' or ')'");
      if (children.size() == 1) {
        return scanner_.Expected("',' (a tuple of one type is written `(T,)`)");
      }
    }
    scanner_.Next();
    out->type = Type::Tuple(std::move(children));
    return absl::OkStatus();
  }

  absl::Status ParseNamedTuple(int depth, Parsed* out) {
    OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect("("));
    std::vector<std::string> names;
    std::vector<Type> children;
    while (!scanner_.Take(")")) {
      if (!children.empty()) {
        if (!scanner_.Is(",")) return scanner_.Expected("',' or ')'");
        scanner_.Next();
      }
      if (scanner_.peek().kind != Token::Kind::kWord) {
        return scanner_.Expected("the name of a field");
      }
      names.emplace_back(scanner_.Next().text);
      OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect(":"));
      OPCOMPAT_RETURN_IF_ERROR(ParseChild(depth, out, &children));
    }
    out->type = Type::NamedTuple(std::move(names), std::move(children));
    return absl::OkStatus();
  }

  absl::Status ParseDict(int depth, Parsed* out) {
    OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect("("));
    std::vector<Type> children;
    OPCOMPAT_RETURN_IF_ERROR(ParseChild(depth, out, &children));
    OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect(","));
    OPCOMPAT_RETURN_IF_ERROR(ParseChild(depth, out, &children));
    OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect(")"));
    out->type = Type::Dict(std::move(children[0]), std::move(children[1]));
    return absl::OkStatus();
  }

  absl::Status ParseWrapper(TypeKind kind, int depth, Parsed* out) {
    OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect("("));
    std::vector<Type> children;
    OPCOMPAT_RETURN_IF_ERROR(ParseChild(depth, out, &children));
    OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect(")"));
    out->type = Type::Wrapper(kind, std::move(children[0]));
    return absl::OkStatus();
  }

  // The annotation that stands here, if one does: it belongs to the outermost
  // node of the type so far, so it goes before those of its children (from
  // index `first` on).
  absl::Status ParseAnnotation(size_t first) {
    if (!scanner_.Is("(") && !scanner_.Is("!")) return absl::OkStatus();
    if (alias_ == nullptr) {
      return scanner_.Error("an alias annotation has no meaning here");
    }
    AliasAnnotation annotation;
    if (scanner_.Take("!")) {
      annotation.write = true;
    } else {
      scanner_.Next();
      OPCOMPAT_RETURN_IF_ERROR(ParseAliasSets(&annotation.before));
      annotation.write = scanner_.Take("!");
      if (scanner_.Take("->")) {
        OPCOMPAT_RETURN_IF_ERROR(ParseAliasSets(&annotation.after));
      } else {
        annotation.after = annotation.before;
      }
      if (!scanner_.Is(")")) {
        return scanner_.Expected(annotation.write ? "'->' or ')'"
                                                  : "'|', '!', '->' or ')'");
      }
      scanner_.Next();
    }
    alias_->insert(alias_->begin() + static_cast<ptrdiff_t>(first),
                   std::move(annotation));
    return absl::OkStatus();
  }

  // `a`, `a|b`, `*`. A set may also be called `$0`: that is what the writer's
  // printer makes of `Tensor!`.
  absl::Status ParseAliasSets(std::vector<std::string>* sets) {
    do {
      if (scanner_.Take("*")) {
        sets->push_back("*");
        continue;
      }
      const size_t begin = scanner_.peek().offset;
      const bool generated = scanner_.Take("$") && scanner_.FollowsDirectly() &&
                             scanner_.peek().kind == Token::Kind::kNumber;
      if (!generated && scanner_.peek().kind != Token::Kind::kWord) {
        return scanner_.Expected("the name of an alias set or '*'");
      }
      scanner_.Next();
      sets->emplace_back(scanner_.TextSince(begin));
    } while (scanner_.Take("|"));
    return absl::OkStatus();
  }

  Scanner& scanner_;
  AliasAnnotations* alias_;
};

}  // namespace

absl::StatusOr<Type> ParseType(Scanner& scanner, AliasAnnotations* alias) {
  if (alias != nullptr) alias->clear();
  return TypeParser(scanner, alias).Parse();
}

absl::StatusOr<Type> ParseType(absl::string_view text) {
  Scanner scanner(text);
  OPCOMPAT_ASSIGN_OR_RETURN(Type type, ParseType(scanner, nullptr));
  if (!scanner.AtEnd()) return scanner.Expected("the end of the type");
  return type;
}

}  // namespace opcompat
