#include "compat_matrix/simulation/argument_steps.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "schema/type.h"
#include "schema/typing.h"
#include "schema/value.h"

namespace opcompat {
namespace simulation {
namespace {

using Places = std::vector<size_t>;

bool IsKind(const Type& type, TypeKind kind) { return type.kind() == kind; }

std::string ValueField(const char* field, const std::string& argument,
                       const Value& value) {
  return absl::StrCat(field, " { argument: \"", argument, "\" value: \"",
                      EscapedLiteral(value), "\" }");
}

// One step with one operator.
class Step {
 public:
  Step(StepKind kind, const GapModel* gap, OperatorModel* op, NewNames* names,
       Random* random)
      : kind_(kind), gap_(gap), op_(*op), names_(*names), random_(*random) {
    taken_.promise = PromiseOf(kind);
  }

  absl::optional<TakenStep> Take() {
    if (!Change()) return absl::nullopt;
    return std::move(taken_);
  }

 private:
  template <typename Predicate>
  absl::optional<size_t> Find(Predicate predicate) {
    Places places;
    for (size_t i = 0; i < op_.arguments.size(); ++i) {
      const ArgumentModel& argument = op_.arguments[i];
      if (!argument.is_input && !argument.is_out && predicate(argument)) {
        places.push_back(i);
      }
    }
    if (places.empty()) return absl::nullopt;
    return random_.Pick(places);
  }

  // How many positional ones come first, and how many of them are required.
  size_t NumPositional() const {
    return static_cast<size_t>(
        std::count_if(op_.arguments.begin(), op_.arguments.end(),
                      [](const ArgumentModel& a) { return !a.keyword_only; }));
  }
  size_t NumRequired() const {
    return static_cast<size_t>(std::count_if(
        op_.arguments.begin(), op_.arguments.end(), [](const ArgumentModel& a) {
          return !a.keyword_only && !a.default_value.has_value();
        }));
  }
  bool HasOut() const {
    return std::any_of(op_.arguments.begin(), op_.arguments.end(),
                       [](const ArgumentModel& a) { return a.is_out; });
  }

  Value OtherValue(const Type& type, const absl::optional<Value>& than) {
    Value value = AnyValue(type, &random_);
    for (int i = 0; i < 8 && than.has_value() && value == *than; ++i) {
      value = AnyValue(type, &random_);
    }
    return value;
  }

  ArgumentModel NewArgument() {
    ArgumentModel argument;
    argument.name = names_.Next("p");
    argument.type = AnyType(&random_);
    taken_.argument = argument.name;
    return argument;
  }

  bool Change() {
    if (kind_ <= StepKind::kArgumentReturned) return Add();
    if (kind_ <= StepKind::kRetiredDeclared) return Remove();
    if (kind_ >= StepKind::kEqualValue && kind_ <= StepKind::kListSize) {
      return ChangeType();
    }
    switch (kind_) {
      case StepKind::kDefaultChanged:
      case StepKind::kDefaultAdded:
      case StepKind::kDefaultRemoved:
        return ChangeDefault();
      case StepKind::kArgumentRenamed:
      case StepKind::kSilentRename:
        return Rename();
      case StepKind::kMadeKeywordOnly:
      case StepKind::kMadePositional:
        return Move();
      case StepKind::kReordered:
        return Reorder();
      case StepKind::kPositionsReordered:
        return ReorderPositions();
      case StepKind::kWrongNeutral:
        return Add();
      default:
        return ChangeResults();
    }
  }

  bool Add() {
    if (kind_ == StepKind::kArgumentReturned) return Return();
    if (kind_ == StepKind::kAddedBeforeOut && !HasOut()) return false;
    ArgumentModel argument = NewArgument();
    const Value value = AnyValue(argument.type, &random_);
    argument.notable.push_back(value);
    const bool is_required = kind_ == StepKind::kArgumentAddedRequired ||
                             kind_ == StepKind::kRequiredAddedNeutral;
    if (!is_required) argument.default_value = value;
    size_t position = op_.arguments.size();
    argument.keyword_only = op_.is_vararg ||
                            kind_ == StepKind::kKeywordOnlyAdded ||
                            kind_ == StepKind::kAddedBeforeOut;
    bool neutral_is_declared = false;
    switch (kind_) {
      case StepKind::kArgumentAddedInMiddle:
        position = 0;
        break;
      case StepKind::kKeywordOnlyAdded:
        position = random_.Below(3);
        break;
      case StepKind::kRequiredAddedNeutral:
        neutral_is_declared = true;
        break;
      case StepKind::kNeutralDeclared:
        argument.default_value = OtherValue(argument.type, value);
        neutral_is_declared = true;
        break;
      case StepKind::kHintAdded:
        argument.is_hint = true;
        argument.keyword_only = argument.keyword_only || random_.OneIn(2);
        taken_.declared.push_back(
            absl::StrCat("ignorable_argument: \"", argument.name, "\""));
        break;
      case StepKind::kWrongNeutral:
        taken_.truth = OtherValue(argument.type, value).ToString();
        if (taken_.truth == value.ToString()) return false;
        break;
      default:
        break;
    }
    if (neutral_is_declared) {
      taken_.declared.push_back(
          ValueField("neutral_value", argument.name, value));
    }
    if (gap_ != nullptr && !neutral_is_declared && !is_required) {
      taken_.is_exception = random_.OneIn(4);
      const bool neutral =
          gap_->added_defaults_are_neutral && !taken_.is_exception;
      if (!neutral && !argument.is_hint) taken_.promise = {};
      if (!neutral && kind_ == StepKind::kWrongNeutral) return false;
    }
    InsertArgument(std::move(argument), position, &op_);
    return true;
  }

  bool Return() {
    Places places;
    for (size_t i = 0; i < op_.retired.size(); ++i) {
      if (op_.retired[i].has_value) places.push_back(i);
    }
    if (places.empty()) return false;
    const size_t place = random_.Pick(places);
    ArgumentModel argument = op_.retired[place].argument;
    op_.retired.erase(op_.retired.begin() + static_cast<ptrdiff_t>(place));
    argument.default_value = AnyValue(argument.type, &random_);
    argument.keyword_only = op_.is_vararg || random_.OneIn(2);
    taken_.argument = argument.name;
    InsertArgument(std::move(argument), op_.arguments.size(), &op_);
    return true;
  }

  bool Remove() {
    const bool declared = kind_ == StepKind::kRetiredDeclared;
    const absl::optional<size_t> place = Find([&](const ArgumentModel& a) {
      return a.name[0] != '_' &&
             (declared ? CanMakeValue(a.type) : a.default_value.has_value());
    });
    if (!place.has_value()) return false;
    RetiredModel retired = {op_.arguments[*place], true};
    op_.arguments.erase(op_.arguments.begin() + static_cast<ptrdiff_t>(*place));
    taken_.argument = retired.argument.name;
    if (declared) {
      taken_.declared.push_back(
          ValueField("retired_value", taken_.argument,
                     retired.argument.notable.empty() || random_.OneIn(3)
                         ? AnyValue(retired.argument.type, &random_)
                         : retired.argument.notable[0]));
    } else if (gap_ != nullptr) {
      taken_.is_exception = random_.OneIn(4);
      retired.has_value =
          gap_->removed_defaults_are_retired && !taken_.is_exception;
      if (!retired.has_value && !retired.argument.is_hint) taken_.promise = {};
    }
    op_.retired.push_back(std::move(retired));
    return true;
  }

  bool ChangeDefault() {
    if (kind_ == StepKind::kDefaultRemoved) {
      // Of a keyword-only one, or of the first positional one that has one.
      const size_t first = NumRequired();
      const absl::optional<size_t> place = Find([&](const ArgumentModel& a) {
        return a.default_value.has_value() &&
               (a.keyword_only || &a == &op_.arguments[first]);
      });
      if (!place.has_value()) return false;
      op_.arguments[*place].notable.push_back(
          *op_.arguments[*place].default_value);
      op_.arguments[*place].default_value.reset();
      taken_.argument = op_.arguments[*place].name;
      return true;
    }
    const bool added = kind_ == StepKind::kDefaultAdded;
    const size_t num_required = NumRequired();
    const absl::optional<size_t> place = Find([&](const ArgumentModel& a) {
      return CanMakeValue(a.type) && a.default_value.has_value() != added &&
             (!added || a.keyword_only ||
              &a == &op_.arguments[num_required - 1]);
    });
    if (!place.has_value()) return false;
    ArgumentModel& argument = op_.arguments[*place];
    if (argument.default_value.has_value()) {
      argument.notable.push_back(*argument.default_value);
    }
    argument.default_value = OtherValue(argument.type, argument.default_value);
    taken_.argument = argument.name;
    return true;
  }

  bool Rename() {
    const bool silent = kind_ == StepKind::kSilentRename;
    const absl::optional<size_t> place = Find([&](const ArgumentModel& a) {
      return a.name[0] != '_' && (!silent || a.default_value.has_value());
    });
    if (!place.has_value()) return false;
    std::string& name = op_.arguments[*place].name;
    taken_.truth = name;
    name = names_.Next("p");
    taken_.argument = name;
    if (!silent) {
      taken_.declared.push_back(absl::StrCat("renamed_argument { from: \"",
                                             taken_.truth, "\" to: \"", name,
                                             "\" }"));
    } else if (gap_ != nullptr) {
      return false;
    }
    return true;
  }

  bool Move() {
    const bool to_keyword = kind_ == StepKind::kMadeKeywordOnly;
    const size_t last = NumPositional() - 1;
    const absl::optional<size_t> place = Find([&](const ArgumentModel& a) {
      return a.name[0] != '_' &&
             (to_keyword ? &a == &op_.arguments[last]
                         : a.keyword_only && !op_.is_vararg);
    });
    if (!place.has_value()) return false;
    ArgumentModel argument = op_.arguments[*place];
    op_.arguments.erase(op_.arguments.begin() + static_cast<ptrdiff_t>(*place));
    argument.keyword_only = to_keyword;
    taken_.argument = argument.name;
    InsertArgument(std::move(argument), to_keyword ? 0 : op_.arguments.size(),
                   &op_);
    return true;
  }

  // Turns those that may change places: keyword-only ones but out, or
  // positional ones with defaults.
  bool Reorder() {
    std::vector<size_t> places;
    const bool keyword_only = random_.OneIn(2);
    for (size_t i = 0; i < op_.arguments.size(); ++i) {
      const ArgumentModel& a = op_.arguments[i];
      if (a.is_input || a.is_out || a.name[0] == '_') continue;
      if (keyword_only ? a.keyword_only
                       : !a.keyword_only && a.default_value.has_value()) {
        places.push_back(i);
      }
    }
    if (places.size() < 2) return false;
    for (size_t i = 0; i + 1 < places.size(); ++i) {
      std::swap(op_.arguments[places[i]], op_.arguments[places[i + 1]]);
    }
    return true;
  }

  bool ReorderPositions() {
    for (size_t i = 0; i + 1 < op_.arguments.size(); ++i) {
      if (op_.arguments[i].name == "_0" && op_.arguments[i + 1].name == "_1") {
        std::swap(op_.arguments[i], op_.arguments[i + 1]);
        return true;
      }
    }
    return false;
  }

  // A new type for the argument, whose default and values follow.
  bool SetType(size_t place, Type type, bool is_final) {
    ArgumentModel& argument = op_.arguments[place];
    argument.type = std::move(type);
    argument.type_is_final = argument.type_is_final || is_final;
    taken_.argument = argument.name;
    if (argument.default_value.has_value()) {
      const absl::StatusOr<Value> same =
          CoerceLiteral(*argument.default_value, argument.type);
      // (A default of `T[n]` has n elements, or none.)
      const size_t size = static_cast<size_t>(argument.type.size());
      const bool may_stand =
          same.ok() &&
          (size < 2 || same->kind() != ValueKind::kList ||
           same->elements().empty() || same->elements().size() == size);
      argument.default_value =
          may_stand ? *same : AnyValue(argument.type, &random_);
    }
    std::vector<Value> notable;
    for (const Value& value : argument.notable) {
      const absl::StatusOr<Value> same = CoerceLiteral(value, argument.type);
      if (same.ok()) notable.push_back(*same);
    }
    argument.notable = std::move(notable);
    return true;
  }

  bool ChangeType() {
    const auto find_kind = [&](TypeKind kind) {
      return Find([&](const ArgumentModel& a) {
        return IsKind(a.type, kind) && !a.type_is_final;
      });
    };
    switch (kind_) {
      case StepKind::kEqualValue: {
        const absl::optional<size_t> place = Find([&](const ArgumentModel& a) {
          return CanMakeValue(a.type) && !IsKind(a.type, TypeKind::kOptional) &&
                 !a.was_optional;
        });
        if (!place.has_value()) return false;
        ArgumentModel& argument = op_.arguments[*place];
        argument.was_optional = true;
        const Value means = argument.default_value.has_value()
                                ? *argument.default_value
                                : AnyValue(argument.type, &random_);
        argument.none_means = means;
        SetType(*place, Type::Optional(argument.type), false);
        if (argument.default_value.has_value() && random_.OneIn(2)) {
          argument.default_value = Value::None();
        }
        argument.notable.push_back(Value::None());
        argument.notable.push_back(means);
        const std::vector<std::string> declared = DeclaredAgain(op_);
        for (const std::string& field : declared) {
          if (field.find(absl::StrCat("equal_value { argument: \"",
                                      argument.name, "\"")) == 0) {
            taken_.declared.push_back(field);
          }
        }
        return true;
      }
      case StepKind::kSymbolic: {
        const absl::optional<size_t> place = find_kind(TypeKind::kInt);
        return place.has_value() &&
               SetType(*place, Type(TypeKind::kSymInt), true);
      }
      case StepKind::kMadeOptional: {
        const absl::optional<size_t> place = Find([&](const ArgumentModel& a) {
          return CanMakeValue(a.type) && !IsKind(a.type, TypeKind::kOptional);
        });
        if (!place.has_value()) return false;
        op_.arguments[*place].was_optional = true;
        return SetType(*place, Type::Optional(op_.arguments[*place].type),
                       false);
      }
      case StepKind::kMadeRequiredType: {
        const absl::optional<size_t> place = Find([&](const ArgumentModel& a) {
          return IsKind(a.type, TypeKind::kOptional) &&
                 CanMakeValue(a.type.child()) && !a.none_means.has_value();
        });
        if (!place.has_value()) return false;
        op_.arguments[*place].was_optional = true;
        return SetType(*place, Type(op_.arguments[*place].type.child()), false);
      }
      case StepKind::kWidened: {
        const absl::optional<size_t> place =
            find_kind(random_.OneIn(2) ? TypeKind::kInt : TypeKind::kFloat);
        return place.has_value() &&
               SetType(*place, Type(TypeKind::kScalar), true);
      }
      case StepKind::kNarrowed: {
        const absl::optional<size_t> place = find_kind(TypeKind::kScalar);
        if (!place.has_value()) return false;
        return SetType(*place, Type(TypeKind::kInt), true);
      }
      case StepKind::kEmbedded: {
        const absl::optional<size_t> place = Find([&](const ArgumentModel& a) {
          return !a.type_is_final && !a.none_means.has_value() &&
                 (IsKind(a.type, TypeKind::kInt) ||
                  (IsKind(a.type, TypeKind::kOptional) &&
                   IsKind(a.type.child(), TypeKind::kInt)));
        });
        if (!place.has_value()) return false;
        if (IsKind(op_.arguments[*place].type, TypeKind::kOptional)) {
          return SetType(*place, Type::Optional(Type(TypeKind::kScalarType)),
                         true);
        }
        return SetType(*place,
                       random_.OneIn(2) ? Type(TypeKind::kFloat)
                                        : Type::List(Type(TypeKind::kInt), 2),
                       true);
      }
      default: {
        const absl::optional<size_t> place = find_kind(TypeKind::kList);
        if (!place.has_value()) return false;
        const Type& type = op_.arguments[*place].type;
        return SetType(
            *place, Type::List(type.child(), type.size() > 0 ? 0 : 2), false);
      }
    }
  }

  bool ChangeResults() {
    switch (kind_) {
      case StepKind::kResultAdded:
        if (op_.has_shrunk || op_.results.empty() || HasOut()) return false;
        op_.results.push_back(
            {op_.results[0].name.empty() ? "" : names_.Next("r"),
             Type(TypeKind::kTensor)});
        return true;
      case StepKind::kResultRemoved:
        if (op_.results.size() < 2) return false;
        op_.results.pop_back();
        op_.has_shrunk = true;
        return true;
      case StepKind::kResultRenamed:
        if (op_.results.empty()) return false;
        for (ResultModel& result : op_.results) result.name = names_.Next("r");
        return true;
      default:
        // Marks: `x` and the first result are views of one another, or not.
        if (op_.results.empty() || HasOut() || op_.arguments.empty() ||
            op_.arguments[0].name != "x" ||
            !IsKind(op_.arguments[0].type, TypeKind::kTensor) ||
            !IsKind(op_.results[0].type, TypeKind::kTensor)) {
          return false;
        }
        op_.has_view_marks = !op_.has_view_marks;
        if (kind_ == StepKind::kMarksFixed) {
          taken_.declared.push_back("annotation_fixed: true");
        }
        return true;
    }
  }

  const StepKind kind_;
  const GapModel* const gap_;
  OperatorModel& op_;
  NewNames& names_;
  Random& random_;
  TakenStep taken_;
};

}  // namespace

std::string NewNames::Next(const char* prefix) {
  return absl::StrCat(prefix, next_++);
}

absl::optional<TakenStep> TakeArgumentStep(StepKind kind, const GapModel* gap,
                                           OperatorModel* op, NewNames* names,
                                           Random* random) {
  OperatorModel changed = *op;
  absl::optional<TakenStep> taken =
      Step(kind, gap, &changed, names, random).Take();
  if (taken.has_value()) *op = std::move(changed);
  return taken;
}

void InsertArgument(ArgumentModel argument, size_t position,
                    OperatorModel* op) {
  std::vector<ArgumentModel>& arguments = op->arguments;
  const auto is_before = [&](const ArgumentModel& other) {
    if (argument.keyword_only) return !other.keyword_only;
    return !other.keyword_only &&
           (!other.default_value.has_value() || other.name[0] == '_');
  };
  const auto is_behind = [&](const ArgumentModel& other) {
    if (argument.keyword_only) return other.is_out;
    return other.keyword_only || (!argument.default_value.has_value() &&
                                  other.default_value.has_value());
  };
  size_t first = 0;
  while (first < arguments.size() && is_before(arguments[first])) ++first;
  if (!argument.keyword_only && !argument.default_value.has_value()) {
    // Behind the last required one.
    while (first > 0 && arguments[first - 1].default_value.has_value()) --first;
  }
  size_t last = first;
  while (last < arguments.size() && !is_behind(arguments[last])) ++last;
  const size_t place = std::min(first + position, last);
  arguments.insert(arguments.begin() + static_cast<ptrdiff_t>(place),
                   std::move(argument));
}

std::vector<std::string> DeclaredAgain(const OperatorModel& op) {
  std::vector<std::string> fields;
  for (const ArgumentModel& argument : op.arguments) {
    if (argument.is_hint) {
      fields.push_back(
          absl::StrCat("ignorable_argument: \"", argument.name, "\""));
    }
    if (argument.none_means.has_value()) {
      fields.push_back(absl::StrCat("equal_value { argument: \"", argument.name,
                                    "\" value: \"None\" means: \"",
                                    EscapedLiteral(*argument.none_means),
                                    "\" }"));
    }
  }
  return fields;
}

}  // namespace simulation
}  // namespace opcompat
