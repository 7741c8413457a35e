#include "binding/bind_call.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "base/concat.h"
#include "binding/bind_results.h"
#include "binding/call.h"
#include "binding/identity.h"
#include "binding/marks.h"
#include "binding/report.h"
#include "binding/value_relation.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"
#include "schema/typing.h"

namespace opcompat {

// The state of one Bind.
struct EntryPair::Context {
  const Options& options;
  Call& bound;
  TypeVariables& variables;
  CallNotes& notes;
  std::vector<Refusal>& refusals;
};

namespace {

// Whether words that have no number, which fit nowhere, can occur at `type`.
bool MayHoldWords(const Type& type) {
  if (IsEnumKind(type.kind()) || type.kind() == TypeKind::kQScheme ||
      type.kind() == TypeKind::kNamed || type.kind() == TypeKind::kAny ||
      type.kind() == TypeKind::kVariable) {
    return true;
  }
  for (const Type& child : type.children()) {
    if (MayHoldWords(child)) return true;
  }
  return false;
}

// Whether constants of `type`, or parts of them, are of a type that is not
// known, and fit nowhere.
bool IsOpaque(const Type& type) {
  if (type.kind() == TypeKind::kQScheme || type.kind() == TypeKind::kNamed ||
      type.kind() == TypeKind::kAny || type.kind() == TypeKind::kVariable) {
    return true;
  }
  return std::any_of(type.children().begin(), type.children().end(), IsOpaque);
}

std::string Assignment(const std::string& name, const Value& value) {
  return Concat(name, "=", value.ToShortString());
}

// The value that stands for an ignorable argument that the reader exposes
// without a default; nullopt: its type has none.
absl::optional<Value> IgnoredValue(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kOptional:
      return Value::None();
    case TypeKind::kInt:
    case TypeKind::kSymInt:
    case TypeKind::kScalar:
    case TypeKind::kScalarType:
    case TypeKind::kLayout:
    case TypeKind::kMemoryFormat:
    case TypeKind::kReduction:
      return Value::Int(0);
    case TypeKind::kFloat:
    case TypeKind::kSymFloat:
      return Value::Float(0.0);
    case TypeKind::kBool:
    case TypeKind::kSymBool:
      return Value::Bool(false);
    case TypeKind::kString:
      return Value::String("");
    case TypeKind::kList:
      return Value::List({});
    default:
      return absl::nullopt;
  }
}

}  // namespace

EntryPair::EntryPair(OperatorEntryPtr writer, OperatorEntryPtr reader_entry,
                     const Opset& reader)
    : writer_(std::move(writer)),
      reader_(std::move(reader_entry)),
      reader_name_(Concat(reader.name(), " ", reader.version())),
      identical_(writer_ == reader_ || *writer_ == *reader_),
      passes_constants_(writer_->num_exposed(), false),
      passes_non_words_(writer_->num_exposed(), false) {
  if (identical_) return;
  links_ = LinkArguments(*writer_, *reader_, reader);
  for (const ArgumentLink& link : links_.links) {
    const EntryArgument* w = WriterArgument(link);
    const EntryArgument* r = ReaderArgument(link);
    relations_.emplace_back(w == nullptr ? nullptr : &w->equal_values,
                            r == nullptr ? nullptr : &r->equal_values);
    if (w != nullptr && r != nullptr && w->is_exposed() && r->is_exposed()) {
      const bool is_same = w->type == r->type && !HasVariables(r->type) &&
                           !relations_.back().has_equal_values();
      passes_constants_[*link.writer] = is_same && !MayHoldWords(r->type);
      passes_non_words_[*link.writer] = is_same && !IsOpaque(r->type);
    }
  }
  if (!OriginsMatch(writer_->origin, reader_->origin, reader)) {
    AddRefusal({ReasonCode::kOtherHistory, "", "",
                Concat("has another origin than the operator of "
                       "that name in ",
                       reader_name())},
               &always_);
  }
  // A step binds across revisions on purpose.
  if (writer_->revision == reader_->revision &&
      !OriginsMatch(writer_->revision_origin, reader_->revision_origin,
                    reader)) {
    AddRefusal({ReasonCode::kOtherHistory, "", "",
                Concat("revision ", writer_->revision,
                       " has another origin than that revision "
                       "in ",
                       reader_name())},
               &always_);
  }
  for (const size_t index : links_.other_origin) {
    const EntryArgument& argument = writer_->arguments[index];
    AddRefusal({ReasonCode::kOtherHistory, argument.name(), "",
                Concat("argument ", argument.name(),
                       " has another origin than the argument of that name in ",
                       reader_name())},
               &always_);
  }
  for (const MarkDifference& mark :
       CompareMarks(*writer_, *reader_, links_.links)) {
    const std::string what = mark.argument.empty()
                                 ? Concat("result ", mark.result)
                                 : Concat("argument ", mark.argument);
    // Equal texts: only which other places share the alias set differs.
    const std::string found =
        mark.writer_marks != mark.reader_marks
            ? Concat("the alias marks of ", what, " are ", mark.writer_marks,
                     " in the file and ", mark.reader_marks, " in ",
                     reader_name())
            : Concat(what, ", ", mark.writer_marks,
                     ", shares its alias set with other places in the "
                     "file than in ",
                     reader_name());
    AddRefusal({ReasonCode::kAliasChanged, mark.argument, "",
                Concat(found,
                       " (if only the annotation was wrong, the history can "
                       "declare annotation_fixed)")},
               &always_);
  }
}

std::string EntryPair::LikelyRename(size_t writer_argument) const {
  if (writer_argument >= reader_->num_exposed()) return "";
  const EntryArgument& w = writer_->arguments[writer_argument];
  const EntryArgument& r = reader_->arguments[writer_argument];
  if (w.type != r.type) return "";
  for (const ArgumentLink& link : links_.links) {
    if (link.reader != writer_argument) continue;
    if (link.writer.has_value() &&
        writer_->arguments[*link.writer].is_exposed()) {
      return "";
    }
  }
  return Concat(" (perhaps it was renamed: ", reader_name(), " has ", r.name(),
                " in its place; the history can declare "
                "renamed_argument)");
}

void EntryPair::Bind(const Call& call, const Options& options, Call* bound,
                     TypeVariables* variables, CallNotes* notes,
                     std::vector<Refusal>* refusals) const {
  bound->entry = reader_;
  if (identical_) {
    bound->arguments = call.arguments;
    bound->variadic = call.variadic;
    bound->results = call.results;
    return;
  }
  const size_t refusals_before = refusals->size();
  bound->arguments.clear();
  bound->arguments.resize(reader_->num_exposed());
  bound->variadic = call.variadic;
  refusals->insert(refusals->end(), always_.begin(), always_.end());
  Context context{options, *bound, *variables, *notes, *refusals};
  if (writer_->name() != reader_->name()) notes->renamed = true;
  for (const ArgumentLink& link : links_.links) BindLink(link, call, context);
  if (!call.variadic.empty() && !reader_->is_vararg) {
    refusals->push_back(
        {ReasonCode::kUnknownArgument, "...", "",
         Concat("takes no further operands (`...`) in ", reader_name())});
  }
  if (refusals->size() == refusals_before) TypeCheck(context);
  // Every reason at once: results too.
  bound->results = BindResults(*writer_, *reader_, *variables, call.results,
                               reader_name(), refusals);
}

void EntryPair::BindLink(const ArgumentLink& link, const Call& call,
                         Context& context) const {
  const EntryArgument* w = WriterArgument(link);
  const EntryArgument* r = ReaderArgument(link);

  absl::optional<TypedValue> value;
  const CallArgument* given = nullptr;
  if (w != nullptr && w->is_exposed()) {
    given = &call.arguments[*link.writer];
    switch (given->state) {
      case CallArgument::State::kValue:
        BindValue(link, *given, context);
        return;
      case CallArgument::State::kPassedConstant:
        context.bound.arguments[*link.reader] = *given;
        if (w->name() != r->name()) context.notes.renamed = true;
        return;
      case CallArgument::State::kConstant:
        value = TypedValue{w->type, given->constant};
        break;
      case CallArgument::State::kLeftOut:
        // A call that leaves out a required argument does not verify.
        if (w->default_value.has_value()) {
          value = TypedValue{w->type, *w->default_value};
        }
        break;
    }
  } else if (w != nullptr) {
    value = w->retired;
  } else {
    value = r->neutral;
  }

  if (value.has_value()) {
    BindConstant(link, *value, given, context);
    return;
  }
  if (w != nullptr && r != nullptr && !w->is_exposed() && !r->is_exposed() &&
      !r->retired.has_value()) {
    return;  // retired without a value on both sides: agreed
  }
  const EntryArgument& argument = w != nullptr ? *w : *r;
  std::string text;
  if (w != nullptr) {
    text = Concat("argument ", argument.name(),
                  " was retired in the file's version without a value");
  } else {
    text = Concat(
        "argument ", argument.name(), " of ", reader_name(),
        OriginText(argument.origin),
        " is not known to the file, and no neutral value is declared for it");
  }
  ConcatTo(&text, w != nullptr ? " (the history can declare a retired_value)"
                               : " (the history can declare a neutral_value)");
  Refuse(link, {ReasonCode::kNoNeutralValue, argument.name(), "", text},
         context);
}

void EntryPair::BindValue(const ArgumentLink& link, const CallArgument& given,
                          Context& context) const {
  const EntryArgument& w = writer_->arguments[*link.writer];
  if (!link.reader.has_value()) {
    const bool none = !w.neutral.has_value();
    Refuse(link,
           {none ? ReasonCode::kNoNeutralValue : ReasonCode::kUnknownArgument,
            w.name(), "",
            Concat("argument ", w.name(), ", given a graph value of type ",
                   given.type.ToShortString(), ", is unknown to ",
                   reader_name(), OriginText(w.origin),
                   none ? ", and no neutral value is declared for it" : "")},
           context);
    return;
  }
  const EntryArgument& r = reader_->arguments[*link.reader];
  if (!r.is_exposed()) {
    Refuse(link,
           {r.retired.has_value() ? ReasonCode::kRetiredArgument
                                  : ReasonCode::kNoNeutralValue,
            w.name(), "",
            Concat("argument ", w.name(), " is retired in ", reader_name(),
                   ", and a graph value equals no constant",
                   r.retired.has_value()
                       ? Concat(" (it would have to be ",
                                r.retired->value.ToShortString(), ")")
                       : "; no value is declared for it there")},
           context);
    return;
  }
  TypeVariables variables;
  bool covariant = false;
  if (!IsSubtype(given.type, r.type, &variables, &covariant) ||
      (covariant && given.written)) {
    Refuse(link,
           {ReasonCode::kTypeMismatch, w.name(), "",
            Concat("argument ", w.name(),
                   " is given a graph value of "
                   "type ",
                   given.type.ToShortString(), ", which does not fit ",
                   r.type.ToShortString(), " in ", reader_name(),
                   covariant ? " because something writes to it" : "")},
           context);
    return;
  }
  context.bound.arguments[*link.reader] = given;
  if (w.name() != r.name()) context.notes.renamed = true;
}

void EntryPair::BindConstant(const ArgumentLink& link, const TypedValue& value,
                             const CallArgument* given,
                             Context& context) const {
  const EntryArgument* w = WriterArgument(link);
  const ValueRelation& relation = relations_[&link - links_.links.data()];
  const bool written =
      given != nullptr && given->state == CallArgument::State::kConstant;

  if (!link.reader.has_value()) {
    if (w->neutral.has_value() && relation.Equal(value, *w->neutral)) {
      if (written) context.notes.dropped = true;
      return;
    }
    const bool none = !w->neutral.has_value();
    Refuse(link,
           {none ? ReasonCode::kNoNeutralValue : ReasonCode::kUnknownArgument,
            w->name(), value.value.ToShortString(),
            Concat("argument ", Assignment(w->name(), value.value),
                   " is unknown to ", reader_name(), OriginText(w->origin),
                   none ? ", and no neutral value is declared for it"
                        : Concat(", where calls behave as with ",
                                 Assignment(w->name(), w->neutral->value)))},
           context);
    return;
  }

  const EntryArgument& r = reader_->arguments[*link.reader];
  if (!r.is_exposed()) {
    if (r.retired.has_value() && relation.Equal(value, *r.retired)) {
      if (written) context.notes.retired = true;
      return;
    }
    const std::string& name = w != nullptr ? w->name() : r.name();
    const bool none = !r.retired.has_value();
    Refuse(link,
           {none ? ReasonCode::kNoNeutralValue : ReasonCode::kRetiredArgument,
            name, value.value.ToShortString(),
            Concat("argument ", Assignment(name, value.value),
                   " is retired in ", reader_name(),
                   none ? ", and no value is declared for it there"
                        : Concat(", where calls behave as with ",
                                 Assignment(r.name(), r.retired->value)))},
           context);
    return;
  }

  absl::optional<Value> fitted = relation.Fit(value, r.type);
  if (!fitted.has_value()) {
    const std::string& name = w != nullptr ? w->name() : r.name();
    Refuse(link,
           {ReasonCode::kValueDoesNotFit, name, value.value.ToShortString(),
            Concat("argument ", Assignment(name, value.value), " of type ",
                   value.type.ToShortString(), " does not fit ",
                   r.type.ToShortString(), " in ", reader_name())},
           context);
    return;
  }
  // The reader exposes it. `given` says that the writer does too: only then was
  // it left out; a retired argument is written out.
  if (given != nullptr && !written && r.default_value.has_value() &&
      relation.Equal(value, TypedValue{r.type, *r.default_value})) {
    context.notes.filled = true;
    return;  // stays defaulted
  }
  CallArgument& out = context.bound.arguments[*link.reader];
  out.state = CallArgument::State::kConstant;
  out.constant = *std::move(fitted);
  if (written) {
    out.source = given->source;
    if (w->name() != r.name()) context.notes.renamed = true;
  } else {
    context.notes.materialized = true;
  }
}

void EntryPair::Refuse(const ArgumentLink& link, Refusal refusal,
                       Context& context) const {
  const EntryArgument* w = WriterArgument(link);
  const EntryArgument* r = ReaderArgument(link);
  const bool ignorable =
      (w != nullptr && w->ignorable) || (r != nullptr && r->ignorable);
  const bool marked =
      (w != nullptr && w->is_written()) || (r != nullptr && r->is_written());
  if (!ignorable || marked || !context.options.drop_ignorable) {
    if (w != nullptr && w->is_exposed() && (r == nullptr || !r->is_exposed())) {
      ConcatTo(&refusal.text, LikelyRename(*link.writer));
    }
    context.refusals.push_back(std::move(refusal));
    return;
  }
  if (r != nullptr && r->is_exposed() && !r->default_value.has_value()) {
    absl::optional<Value> value = IgnoredValue(r->type);
    if (!value.has_value()) {
      context.refusals.push_back(std::move(refusal));
      return;
    }
    CallArgument& out = context.bound.arguments[*link.reader];
    out.state = CallArgument::State::kConstant;
    out.constant = *std::move(value);
  }
  context.notes.dropped = true;
  refusal.text = Concat("ignorable ", refusal.text, ": dropped");
  AddRefusal(std::move(refusal), &context.notes.warnings);
}

void EntryPair::TypeCheck(Context& context) const {
  struct Given {
    const EntryArgument* argument;
    Type type;
    bool written;
  };
  std::vector<Given> all;
  for (size_t i = 0; i < context.bound.arguments.size(); ++i) {
    const CallArgument& argument = context.bound.arguments[i];
    const EntryArgument& r = reader_->arguments[i];
    if (argument.state == CallArgument::State::kValue) {
      all.push_back({&r, argument.type, argument.written});
    } else if (argument.state == CallArgument::State::kConstant &&
               HasVariables(r.type)) {
      absl::StatusOr<Type> literal = TypeOfLiteral(argument.constant);
      // One without a type (`[]`) takes whatever the others fix.
      if (literal.ok()) all.push_back({&r, *std::move(literal), false});
    }
  }
  // A later operand may widen a variable that an earlier one has met: only the
  // second pass sees them all with the final types.
  for (const Given& given : all) {
    bool covariant = false;
    IsSubtype(given.type, given.argument->type, &context.variables, &covariant);
  }
  for (const Given& given : all) {
    bool covariant = false;
    if (!IsSubtype(given.type, given.argument->type, &context.variables,
                   &covariant) ||
        (covariant && given.written)) {
      context.refusals.push_back(
          {ReasonCode::kTypeMismatch, given.argument->name(), "",
           Concat("the call does not type-check in ", reader_name(),
                  ": argument ", given.argument->name(), " has type ",
                  given.type.ToShortString(), ", ",
                  Substitute(given.argument->type, context.variables)
                      .ToShortString(),
                  " is expected")});
    }
  }
}

}  // namespace opcompat
