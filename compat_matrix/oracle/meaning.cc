#include "compat_matrix/oracle/meaning.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "compat_matrix/oracle/values.h"

namespace opcompat {
namespace oracle {
namespace {

// The effective value of an argument that a side knows: a constant, a graph
// value, or none (required and left out; retired without a value).
struct Effective {
  const Given* graph = nullptr;
  absl::optional<Constant> constant;
};

Effective EffectiveOf(const Call& call, size_t i) {
  const EntryArgument& argument = call.entry->arguments[i];
  Effective effective;
  if (!argument.is_exposed()) {
    if (argument.retired.has_value()) {
      effective.constant =
          Constant{argument.retired->type, argument.retired->value};
    }
  } else if (call.arguments[i].kind == Given::Kind::kGraphValue) {
    effective.graph = &call.arguments[i];
  } else {
    effective.constant = EffectiveConstant(call, i);
  }
  return effective;
}

std::string ToString(const Effective& effective) {
  if (effective.graph != nullptr) return "a graph value";
  if (!effective.constant.has_value()) return "no value";
  return effective.constant->value.ToShortString();
}

// An argument that only one side knows must be at its neutral value.
absl::optional<std::string> IsNotNeutral(const Call& call, size_t i) {
  const EntryArgument& argument = call.entry->arguments[i];
  const Effective effective = EffectiveOf(call, i);
  if (argument.neutral.has_value() && effective.constant.has_value() &&
      SameValue(*effective.constant,
                {argument.neutral->type, argument.neutral->value},
                argument.equal_values)) {
    return absl::nullopt;
  }
  return absl::StrCat("argument ", argument.name(), ": ", ToString(effective),
                      ", known to one side only and not neutral (",
                      argument.neutral.has_value()
                          ? argument.neutral->value.ToShortString()
                          : "none",
                      ")");
}

bool SameEffective(const Effective& a, const EntryArgument& at_a,
                   const Effective& b, const EntryArgument& at_b,
                   const SameGiven& same_given) {
  if (a.graph != nullptr || b.graph != nullptr) {
    const auto given = [](const Effective& effective) {
      if (effective.graph != nullptr) return *effective.graph;
      return effective.constant.has_value()
                 ? Given::Constant(effective.constant->value)
                 : Given::LeftOut();
    };
    return same_given(given(a), at_a.type, given(b), at_b.type);
  }
  if (!a.constant.has_value() || !b.constant.has_value()) {
    return a.constant.has_value() == b.constant.has_value();
  }
  std::vector<EqualValues> equals = at_a.equal_values;
  equals.insert(equals.end(), at_b.equal_values.begin(),
                at_b.equal_values.end());
  return SameValue(*a.constant, *b.constant, equals);
}

}  // namespace

absl::optional<std::string> MeaningsDiffer(const Call& a, const Call& b,
                                           const Pairing& pairing,
                                           const SameGiven& same_given) {
  if (a.entry->revision != b.entry->revision) {
    return absl::StrCat("revision ", a.entry->revision, " / ",
                        b.entry->revision);
  }
  for (size_t i = 0; i < a.entry->arguments.size(); ++i) {
    const absl::optional<size_t> j = pairing.reader_of[i];
    if (!j.has_value()) {
      absl::optional<std::string> difference = IsNotNeutral(a, i);
      if (difference.has_value()) return difference;
      continue;
    }
    const EntryArgument& at_a = a.entry->arguments[i];
    const EntryArgument& at_b = b.entry->arguments[*j];
    const Effective of_a = EffectiveOf(a, i);
    const Effective of_b = EffectiveOf(b, *j);
    if (!SameEffective(of_a, at_a, of_b, at_b, same_given)) {
      return absl::StrCat("argument ", at_a.name(), ": ", ToString(of_a), " / ",
                          ToString(of_b));
    }
  }
  for (size_t j = 0; j < b.entry->arguments.size(); ++j) {
    if (pairing.writer_of[j].has_value()) continue;
    absl::optional<std::string> difference = IsNotNeutral(b, j);
    if (difference.has_value()) return difference;
  }
  if (a.varargs.size() != b.varargs.size()) {
    return absl::StrCat("operands of `...`: ", a.varargs.size(), " / ",
                        b.varargs.size());
  }
  for (size_t i = 0; i < a.varargs.size(); ++i) {
    if (!same_given(a.varargs[i], Type(TypeKind::kAny), b.varargs[i],
                    Type(TypeKind::kAny))) {
      return absl::StrCat("operand ", i, " of `...`");
    }
  }
  return absl::nullopt;
}

}  // namespace oracle
}  // namespace opcompat
