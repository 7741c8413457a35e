#include "check/argument_rules.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "binding/identity.h"
#include "check/declarations.h"
#include "check/witnesses.h"
#include "schema/proto_string.h"
#include "schema/typing.h"

namespace opcompat {
namespace {

using Kind = Passed::Kind;

class ArgumentCheck {
 public:
  ArgumentCheck(const ArgumentPair& pair, const Reading& reading)
      : pair_(pair),
        w_(pair.writer),
        r_(pair.reader),
        reading_(reading),
        relation_(w_ == nullptr ? nullptr : &w_->equal_values,
                  r_ == nullptr ? nullptr : &r_->equal_values) {}

  absl::optional<Breach> Run() {
    if (MayBeDropped(pair_)) return absl::nullopt;
    if (w_ == nullptr) return Fixed(r_->neutral);
    if (!w_->is_exposed()) return Fixed(w_->retired);
    if (r_ == nullptr) return NotKnown();
    return r_->is_exposed() ? BothExposed() : Removed();
  }

 private:
  const std::string& name() const {
    return w_ != nullptr ? w_->name() : r_->name();
  }
  const std::string& writer() const { return reading_.writer->version(); }
  const std::string& reader() const { return reading_.reader->version(); }
  // The operator's name in the newer version.
  const std::string& op() const {
    return reading_.backward ? pair_.reader_entry->name()
                             : pair_.writer_entry->name();
  }

  Breach Make(std::string rule, std::string message, std::string remedy) const {
    Breach breach;
    breach.rule = std::move(rule);
    breach.argument = name();
    breach.message = std::move(message);
    breach.remedy = std::move(remedy);
    breach.counterexample = StatementText(PlainCall(pair_.writer_entry));
    return breach;
  }
  Breach& Show(Breach& breach, Passed passed) const {
    breach.counterexample = StatementText(
        CallWith(pair_.writer_entry, pair_.writer_index, std::move(passed)));
    return breach;
  }

  // Every call has one value: neutral or retired.
  absl::optional<Breach> Fixed(const absl::optional<TypedValue>& v) const;
  Breach NoValue() const;
  std::string LikelyRename(const OperatorEntry& older,
                           const OperatorEntry& newer,
                           const EntryArgument& argument) const;

  // The writer exposes it; the reader does not.
  Breach NotKnown() const;
  Breach Removed() const;
  // Something that a call may pass other than `value`.
  Passed Other(const absl::optional<TypedValue>& value) const;

  absl::optional<Breach> BothExposed() const;
  absl::optional<Passed> Refused() const;

  const ArgumentPair& pair_;
  const EntryArgument* const w_;
  const EntryArgument* const r_;
  const Reading& reading_;
  const ValueRelation relation_;
};

std::string Code(const Value& value) {
  return absl::StrCat("`", value.ToShortString(), "`");
}
std::string Code(const Type& type) {
  return absl::StrCat("`", type.ToString(), "`");
}

// The declaration, if the argument that the one side lost is, by place and
// type, the one that the other got; else empty.
std::string ArgumentCheck::LikelyRename(const OperatorEntry& older,
                                        const OperatorEntry& newer,
                                        const EntryArgument& argument) const {
  const auto knows = [](const OperatorEntry& entry, const EntryArgument& a,
                        bool exposed) {
    for (const EntryArgument& other : entry.arguments) {
      if (exposed && !other.is_exposed()) continue;
      if (ShareName(other.names, a.names)) return true;
    }
    return false;
  };
  std::string from;
  std::string to;
  int gone = 0;
  int come = 0;
  for (const EntryArgument& a : older.arguments) {
    if (!a.is_exposed() || knows(newer, a, true) || a.type != argument.type) {
      continue;
    }
    ++gone;
    from = a.name();
  }
  for (const EntryArgument& a : newer.arguments) {
    if (!a.is_exposed() || knows(older, a, false) || a.type != argument.type) {
      continue;
    }
    ++come;
    to = a.name();
  }
  if (gone != 1 || come != 1 ||
      (argument.name() != from && argument.name() != to)) {
    return "";
  }
  return DeclareRename(newer.name(), from, to);
}

Breach ArgumentCheck::NoValue() const {
  const OperatorEntry& older =
      reading_.backward ? *pair_.writer_entry : *pair_.reader_entry;
  const OperatorEntry& newer =
      reading_.backward ? *pair_.reader_entry : *pair_.writer_entry;
  if (w_ == nullptr && r_->is_exposed()) {
    const bool required = !r_->default_value.has_value();
    std::string remedy = LikelyRename(older, newer, *r_);
    const absl::optional<Value> value =
        required ? EmptyLiteral(r_->type) : r_->default_value;
    if (remedy.empty() && value.has_value() && !HasVariables(r_->type) &&
        relation_.Fit({r_->type, *value}, r_->type).has_value()) {
      remedy = DeclareValue("neutral_value", op(), name(), *value);
    }
    if (remedy.empty()) {
      remedy =
          "add an overload instead, or make it a semantic_change with an "
          "upgrader";
    }
    return required
               ? Make("argument-added-required",
                      absl::StrCat("argument `", name(),
                                   "` was added without a default, and calls "
                                   "of ",
                                   writer(), " do not have it"),
                      std::move(remedy))
               : Make("argument-added-no-neutral-value",
                      absl::StrCat("argument `", name(),
                                   "` was added, nothing says that its "
                                   "default ",
                                   Code(*r_->default_value),
                                   " is what the operator did before, and "
                                   "calls of ",
                                   writer(), " do not have it"),
                      std::move(remedy));
  }
  if (w_ != nullptr && r_ != nullptr && r_->is_exposed()) {
    const absl::optional<Value> value = r_->default_value.has_value()
                                            ? r_->default_value
                                            : EmptyLiteral(w_->type);
    std::string remedy = LikelyRename(older, newer, *r_);
    if (remedy.empty() && value.has_value()) {
      remedy = DeclareValue("retired_value", op(), name(), *value);
    }
    if (remedy.empty()) remedy = "keep the argument";
    return Make("argument-removed-no-retired-value",
                absl::StrCat("argument `", name(),
                             "` was removed without a retired value, and ",
                             reader(), " needs one"),
                std::move(remedy));
  }
  return Make(w_ != nullptr && r_ != nullptr ? "retired-value-changed"
                                             : "argument-came-and-went",
              absl::StrCat("argument `", name(),
                           "` is known to one of the two only, or retired, and "
                           "nothing says at which value ",
                           writer(), " behaves"),
              "declare its neutral_value where it was added, or its "
              "retired_value where it was removed");
}

absl::optional<Breach> ArgumentCheck::Fixed(
    const absl::optional<TypedValue>& v) const {
  if (!v.has_value()) {
    const bool agreed = w_ != nullptr && r_ != nullptr && !r_->is_exposed() &&
                        !r_->retired.has_value();
    if (agreed) return absl::nullopt;
    return NoValue();
  }
  if (r_ != nullptr && r_->is_exposed()) {
    if (relation_.Fit(*v, r_->type).has_value()) return absl::nullopt;
    return Make(
        w_ == nullptr ? "neutral-value-does-not-fit"
                      : "retired-value-does-not-fit",
        absl::StrCat(
            w_ == nullptr ? "the neutral value " : "the retired value ",
            Code(v->value), " of argument `", name(), "` is no value of type ",
            Code(r_->type), ", which it has in ", reader()),
        "keep a type that has that value, or make it a "
        "semantic_change with an upgrader");
  }
  const absl::optional<TypedValue>& there =
      r_ == nullptr ? w_->neutral : r_->retired;
  if (there.has_value() && relation_.Equal(*v, *there)) return absl::nullopt;
  const bool both_know = w_ != nullptr && r_ != nullptr;
  const std::string found = there.has_value()
                                ? absl::StrCat("at ", Code(there->value))
                                : "at a value that nothing tells";
  return Make(both_know ? "retired-value-changed" : "argument-came-and-went",
              absl::StrCat("without argument `", name(), "` ", writer(),
                           " behaves as at ", Code(v->value), ", ", reader(),
                           " as ", found),
              there.has_value() || both_know
                  ? "retire it at the value at which both agree, or make it a "
                    "semantic_change"
                  : "declare its neutral_value where it was added");
}

Passed ArgumentCheck::Other(const absl::optional<TypedValue>& value) const {
  for (const Value& constant : WitnessConstants(w_->type, 4)) {
    // Of tensors, bytes are no help to who reads an example.
    if (constant.kind() == ValueKind::kTensor) continue;
    if (!value.has_value() || !relation_.Equal({w_->type, constant}, *value)) {
      return Passed::Constant(constant);
    }
  }
  return Passed::GraphValue(WithoutVariables(w_->type));
}

Breach ArgumentCheck::NotKnown() const {
  const std::string remedy =
      LikelyRename(*pair_.reader_entry, *pair_.writer_entry, *w_);
  const bool can_be_hint = !w_->is_written() && !w_->is_out();
  Breach breach = Make(
      reading_.backward ? "argument-removed" : "argument-added",
      w_->neutral.has_value()
          ? absl::StrCat("argument `", name(), "` is not known to ", reader(),
                         ", which behaves as at ", Code(w_->neutral->value),
                         " and refuses calls that pass anything else")
          : absl::StrCat("argument `", name(), "` is not known to ", reader(),
                         ", and it has no neutral value at which that "
                         "version behaves"),
      !remedy.empty() ? remedy
      : can_be_hint && !reading_.backward
          ? DeclareChange(
                op(), absl::StrCat("ignorable_argument: ", ProtoString(name())))
          : "add an overload instead");
  return Show(breach, Other(w_->neutral));
}

Breach ArgumentCheck::Removed() const {
  const OperatorEntry& older =
      reading_.backward ? *pair_.writer_entry : *pair_.reader_entry;
  const OperatorEntry& newer =
      reading_.backward ? *pair_.reader_entry : *pair_.writer_entry;
  std::string remedy = LikelyRename(older, newer, *w_);
  Breach breach = Make(
      reading_.backward ? "argument-removed" : "argument-added",
      r_->retired.has_value()
          ? absl::StrCat("argument `", name(), "` is not there any more in ",
                         reader(), ", which behaves as at ",
                         Code(r_->retired->value),
                         " and refuses calls that pass anything else")
          : absl::StrCat("argument `", name(), "` is not there any more in ",
                         reader(),
                         ", and nothing says at which value that version "
                         "behaves"),
      !remedy.empty() ? remedy
                      : "keep the argument, or make it a semantic_change with "
                        "an upgrader");
  return Show(breach, Other(r_->retired));
}

// What a call may pass, or leave out, that the reader's type does not take.
absl::optional<Passed> ArgumentCheck::Refused() const {
  if (w_->default_value.has_value() &&
      !relation_.Fit({w_->type, *w_->default_value}, r_->type).has_value()) {
    return Passed::LeftOut();
  }
  if (w_->type == r_->type) return absl::nullopt;
  const size_t count = w_->equal_values.size() + r_->equal_values.size() + 1;
  for (Value& constant : WitnessConstants(w_->type, count)) {
    if (!relation_.Fit({w_->type, constant}, r_->type).has_value()) {
      return Passed::Constant(std::move(constant));
    }
  }
  bool covariant = false;
  TypeVariables variables;
  if (!IsSubtype(w_->type, r_->type, &variables, &covariant)) {
    return Passed::GraphValue(WithoutVariables(w_->type));
  }
  if (covariant) {
    return Passed::GraphValue(WithoutVariables(w_->type), true);
  }
  return absl::nullopt;
}

absl::optional<Breach> ArgumentCheck::BothExposed() const {
  const absl::optional<Passed> refused = Refused();
  if (!refused.has_value()) return absl::nullopt;
  const Type& older = reading_.backward ? w_->type : r_->type;
  const Type& newer = reading_.backward ? r_->type : w_->type;
  if (older == newer) {
    Breach breach = Make(
        "opaque-default",
        absl::StrCat("the default ", Code(*w_->default_value), " of argument `",
                     name(),
                     "` cannot be decoded, so it passes only between equal "
                     "schemas, and something else of the operator changed"),
        "give the argument a type and a default that opcompat knows");
    return Show(breach, *refused);
  }
  const bool grows = IsSubtype(older, newer);
  const bool shrinks = IsSubtype(newer, older);
  const std::string what =
      refused->kind == Kind::kLeftOut
          ? absl::StrCat("the default ", Code(*w_->default_value))
      : refused->kind == Kind::kConstant ? Code(refused->constant)
      : refused->is_written ? absl::StrCat("a list of type ", Code(w_->type),
                                           " that something writes to")
                            : absl::StrCat("a value of type ", Code(w_->type));
  const bool is_none = refused->kind == Kind::kConstant &&
                       refused->constant.is_none() && !reading_.backward;
  Breach breach = Make(
      grows && !shrinks   ? "argument-type-widened"
      : shrinks && !grows ? "argument-type-narrowed"
                          : "argument-type-changed",
      absl::StrCat("argument `", name(), "` was ", Code(older), " and is ",
                   Code(newer), ", and ", reader(), " does not take ", what),
      is_none ? absl::StrCat(
                    "declare what None means (equal_value), so that calls that "
                    "pass it are read by ",
                    reader(), "; or keep the type")
              : "keep the type, add an overload, or make it a semantic_change "
                "with an upgrader");
  return Show(breach, *refused);
}

}  // namespace

bool MayBeDropped(const ArgumentPair& pair) {
  bool is_hint = false;
  for (const EntryArgument* side : {pair.writer, pair.reader}) {
    if (side == nullptr) continue;
    if (side->is_written() || side->is_out()) return false;
    is_hint = is_hint || side->ignorable;
  }
  if (!is_hint) return false;
  const EntryArgument* r = pair.reader;
  return r == nullptr || !r->is_exposed() || r->default_value.has_value() ||
         EmptyLiteral(r->type).has_value();
}

absl::optional<Breach> CheckArgument(const ArgumentPair& pair,
                                     const Reading& reading) {
  return ArgumentCheck(pair, reading).Run();
}

}  // namespace opcompat
