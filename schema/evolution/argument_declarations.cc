#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/variant.h"
#include "schema/evolution/advance.h"

namespace opcompat {
namespace {

// Whether the type is Scalar or Scalar?.
bool IsScalar(const Type& type) {
  const Type& inner = type.kind() == TypeKind::kOptional ? type.child() : type;
  return inner.kind() == TypeKind::kScalar;
}

}  // namespace
namespace evolution_internal {

void Advance::ApplyDeclarations() {
  for (const DeclaredChange* change : change_.declared) {
    if (const auto* neutral =
            absl::get_if<DeclaredChange::NeutralValue>(&change->what)) {
      ApplyNeutral(*change, neutral->value);
    } else if (const auto* retired =
                   absl::get_if<DeclaredChange::RetiredValue>(&change->what)) {
      ApplyRetired(*change, retired->value);
    } else if (const auto* ignorable =
                   absl::get_if<DeclaredChange::Ignorable>(&change->what)) {
      ApplyIgnorable(*change, ignorable->argument);
    } else if (const auto* equal =
                   absl::get_if<DeclaredEqualValue>(&change->what)) {
      ApplyEqual(*change, *equal);
    } else if (absl::holds_alternative<DeclaredChange::Added>(change->what) &&
               !change_.appears) {
      faults_.Add(change->place,
                  "`added` belongs to the version that adds the operator, and "
                  "the version before has it already");
    }
  }
}

std::string Advance::KnownSince(size_t id) const {
  const Origin& origin = track_.arguments[id].entry.origin;
  return origin.is_base() ? std::string("known from the beginning")
                          : absl::StrCat("known since ", origin.first);
}

absl::optional<size_t> Advance::FindNow(const DeclaredChange& change,
                                        const std::string& name,
                                        const char* what) {
  const auto found = track_.argument_by_name.find(name);
  if (found != track_.argument_by_name.end()) {
    const EntryArgument& entry = argument(found->second).entry;
    if (entry.name() == name &&
        (entry.is_exposed() || semantic_change_ != nullptr)) {
      return found->second;
    }
  }
  faults_.Add(change.place,
              absl::StrCat(what, ": this version has no argument `", name,
                           "`: ", schema_.ToString()));
  return absl::nullopt;
}

absl::optional<TypedValue> Advance::Read(const DeclaredChange& change,
                                         const std::string& literal,
                                         const std::string& argument,
                                         const Type& type) {
  absl::StatusOr<Value> value = version_.read_literal(literal, type);
  if (value.ok()) return TypedValue{type, *std::move(value)};
  faults_.Add(change.place,
              absl::StrCat("`", literal, "` is no value of type `",
                           type.ToString(), "`, which argument `", argument,
                           "` has: ", value.status().message()));
  return absl::nullopt;
}

bool Advance::First(const DeclaredChange& change, const DeclaredChange** slot,
                    const char* what, const std::string& argument) {
  if (*slot != nullptr) {
    faults_.Add(change.place, absl::StrCat(what, " of argument `", argument,
                                           "` is declared twice"));
    return false;
  }
  *slot = &change;
  return true;
}

void Advance::ApplyNeutral(const DeclaredChange& change,
                           const DeclaredArgumentValue& value) {
  const absl::optional<size_t> id =
      FindNow(change, value.argument, "neutral_value");
  if (!id.has_value()) return;
  if (news_[*id] != News::kAdded && news_[*id] != News::kFounding &&
      !declared_anew(*id)) {
    faults_.Add(change.place,
                absl::StrCat("neutral_value belongs to the version that adds "
                             "the argument, and `",
                             value.argument, "` is ", KnownSince(*id)));
    return;
  }
  if (!First(change, &declared_[*id].neutral, "the neutral value",
             value.argument)) {
    return;
  }
  EntryArgument& entry = argument(*id).entry;
  entry.neutral.reset();
  if (value.none) {
    if (!value.value.empty()) {
      faults_.Add(change.place,
                  "neutral_value gives a value and says `none` too");
    }
    return;
  }
  entry.neutral = Read(change, value.value, value.argument, entry.type);
}

void Advance::ApplyRetired(const DeclaredChange& change,
                           const DeclaredArgumentValue& value) {
  const auto found = track_.argument_by_name.find(value.argument);
  if (found == track_.argument_by_name.end() ||
      news_[found->second] == News::kAdded ||
      news_[found->second] == News::kFounding) {
    faults_.Add(change.place,
                absl::StrCat("retired_value: the version before has no "
                             "argument `",
                             value.argument, "`"));
    return;
  }
  const size_t id = found->second;
  EntryArgument& entry = argument(id).entry;
  if (entry.is_exposed()) {
    faults_.Add(change.place,
                absl::StrCat("retired_value belongs to the version that "
                             "removes the argument, and this one has `",
                             entry.name(), "`"));
    return;
  }
  if (entry.name() != value.argument) {
    faults_.Add(change.place,
                absl::StrCat("retired_value: the last name of argument `",
                             value.argument, "` is `", entry.name(), "`"));
    return;
  }
  if (news_[id] != News::kRemoved && !declared_anew(id)) {
    faults_.Add(change.place,
                absl::StrCat("retired_value belongs to the version that "
                             "removes the argument, and `",
                             value.argument, "` was removed before"));
    return;
  }
  if (!First(change, &declared_[id].retired, "the retired value",
             value.argument)) {
    return;
  }
  entry.retired.reset();
  if (!value.none) {
    entry.retired = Read(change, value.value, value.argument, entry.type);
    return;
  }
  if (!value.value.empty()) {
    faults_.Add(change.place,
                "retired_value gives a value and says `none` too");
  }
  if (news_[id] == News::kRemoved && !version_.gap &&
      semantic_change_ == nullptr) {
    faults_.Add(change.place,
                absl::StrCat("argument `", value.argument,
                             "` is removed without a retired value, which is "
                             "a change of meaning: declare a semantic_change"));
  }
}

void Advance::ApplyIgnorable(const DeclaredChange& change,
                             const std::string& name) {
  const absl::optional<size_t> id = FindNow(change, name, "ignorable_argument");
  if (!id.has_value()) return;
  if (news_[*id] != News::kAdded && news_[*id] != News::kFounding &&
      !declared_anew(*id)) {
    faults_.Add(change.place,
                absl::StrCat("ignorable_argument belongs to the version that "
                             "adds the argument, and `",
                             name, "` is ", KnownSince(*id)));
    return;
  }
  if (!First(change, &declared_[*id].ignorable, "the ignorable mark", name)) {
    return;
  }
  argument(*id).entry.ignorable = true;
}

void Advance::ApplyEqual(const DeclaredChange& change,
                         const DeclaredEqualValue& equal) {
  const absl::optional<size_t> id =
      FindNow(change, equal.argument, "equal_value");
  if (!id.has_value()) return;
  EntryArgument& entry = argument(*id).entry;
  const absl::optional<TypedValue> value =
      Read(change, equal.value, equal.argument, entry.type);
  const absl::optional<TypedValue> means =
      Read(change, equal.means, equal.argument, entry.type);
  if (!value.has_value() || !means.has_value()) return;
  // It must not have been possible to write both before: calls that tell them
  // apart may exist.
  const std::vector<Type>& types = argument(*id).types.types();
  for (size_t i = 0; i < types_before_[*id]; ++i) {
    const auto was_possible = [&](const std::string& text,
                                  const TypedValue& now) {
      const absl::StatusOr<Value> then = version_.read_literal(text, types[i]);
      // A literal may read as another value there: Scalar 1 is no float.
      return then.ok() &&
             (!IsScalar(now.type) || then->kind() == now.value.kind());
    };
    if (was_possible(equal.value, *value) &&
        was_possible(equal.means, *means)) {
      faults_.Add(
          change.place,
          absl::StrCat("equal_value belongs to the version that makes both "
                       "values possible, and type `",
                       types[i].ToString(), "`, which argument `",
                       equal.argument, "` had before, has both `", equal.value,
                       "` and `", equal.means, "`"));
      return;
    }
  }
  if (*value == *means) {
    faults_.Add(change.place,
                absl::StrCat("equal_value of argument `", equal.argument,
                             "`: `", equal.value, "` and `", equal.means,
                             "` are one value already"));
    return;
  }
  for (const EqualValues& other : entry.equal_values) {
    if (other.value == *value || other.means == *value ||
        other.value == *means) {
      faults_.Add(
          change.place,
          absl::StrCat("equal_value of argument `", equal.argument, "`: what `",
                       equal.value, "` means is declared from `",
                       other.value.value.ToShortString(), "` to `",
                       other.means.value.ToShortString(),
                       "` already; name the final value on the right, and "
                       "each value once on the left"));
      return;
    }
  }
  entry.equal_values.push_back({*value, *means});
}

void Advance::ApplyExceptions() {
  for (const DeclaredGap::Exception* exception : change_.except) {
    const auto found = track_.argument_by_name.find(exception->argument);
    if (found != track_.argument_by_name.end()) {
      const size_t id = found->second;
      if (argument(id).entry.name() == exception->argument &&
          (news_[id] == News::kAdded || news_[id] == News::kRemoved ||
           news_[id] == News::kFounding)) {
        declared_[id].excepted = true;
        continue;
      }
    }
    faults_.Add(exception->place,
                absl::StrCat("the gap excepts argument `", exception->argument,
                             "`, which is neither added nor removed across "
                             "it"));
  }
}

void Advance::FillNeutral(size_t id) {
  if (declared_[id].neutral != nullptr) return;
  EntryArgument& entry = argument(id).entry;
  if (!entry.default_value.has_value()) return;
  if (version_.gap &&
      (!version_.added_defaults_are_neutral || declared_[id].excepted)) {
    return;
  }
  entry.neutral = TypedValue{entry.type, *entry.default_value};
}

void Advance::FillRetired(size_t id) {
  EntryArgument& entry = argument(id).entry;
  absl::optional<Value> last_default = std::move(entry.default_value);
  entry.default_value.reset();
  if (declared_[id].retired != nullptr) return;
  if (version_.gap) {
    if (last_default.has_value() && version_.removed_defaults_are_retired &&
        !declared_[id].excepted) {
      entry.retired = TypedValue{entry.type, *std::move(last_default)};
    }
    return;
  }
  if (last_default.has_value()) {
    entry.retired = TypedValue{entry.type, *std::move(last_default)};
  } else if (semantic_change_ == nullptr) {
    faults_.Add(change_.schema_place,
                absl::StrCat("argument `", entry.name(),
                             "` is removed; it has no default, so declare its "
                             "retired_value, or a semantic_change (or a "
                             "renamed_argument, if it has another name now)"));
  }
}

}  // namespace evolution_internal
}  // namespace opcompat
