#include "compat_matrix/oracle/bind.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "compat_matrix/oracle/values.h"
#include "schema/typing.h"

namespace opcompat {
namespace oracle {
namespace {

// What one line of the table gives: a code to refuse with, or what the reader's
// call is given (nothing to give where the reader does not expose it).
struct Bound {
  std::string code;
  Given given;
};

Bound Refused(std::string code) {
  Bound bound;
  bound.code = std::move(code);
  return bound;
}
Bound Accepted(Given given = Given::LeftOut()) {
  Bound bound;
  bound.given = std::move(given);
  return bound;
}

std::vector<EqualValues> EqualValuesOf(const EntryArgument* w,
                                       const EntryArgument* r) {
  std::vector<EqualValues> equals;
  for (const EntryArgument* side : {w, r}) {
    if (side == nullptr) continue;
    equals.insert(equals.end(), side->equal_values.begin(),
                  side->equal_values.end());
  }
  return equals;
}

Constant Typed(const TypedValue& value) { return {value.type, value.value}; }

// Whether a graph value may stand at a type (variables stand for anything
// here; the whole call is checked later).
bool GraphValueFits(const Given& given, const Type& type,
                    TypeVariables* variables) {
  bool covariant = false;
  return IsSubtype(given.type, type, variables, &covariant) &&
         !(covariant && given.is_written);
}

// A graph value equals no constant.
Bound BindGraphValue(const EntryArgument& w, const EntryArgument* r,
                     const Given& given) {
  if (r == nullptr) {
    return Refused(w.neutral.has_value() ? "unknown_argument"
                                         : "no_neutral_value");
  }
  if (!r->is_exposed()) {
    return Refused(r->retired.has_value() ? "retired_argument"
                                          : "no_neutral_value");
  }
  TypeVariables variables;
  if (!GraphValueFits(given, r->type, &variables)) {
    return Refused("type_mismatch");
  }
  return Accepted(given);
}

// One argument that either side knows; `w` or `r` may be null, not both.
// `given` is null unless the writer exposes it.
Bound BindArgument(const EntryArgument* w, const EntryArgument* r,
                   const Given* given) {
  if (given != nullptr && given->kind == Given::Kind::kGraphValue) {
    return BindGraphValue(*w, r, *given);
  }
  // v, and whether it was left out (what the writer has retired was not: there
  // is nothing to leave out).
  absl::optional<Constant> v;
  bool left_out = false;
  if (w == nullptr) {
    if (r->neutral.has_value()) v = Typed(*r->neutral);
  } else if (!w->is_exposed()) {
    if (w->retired.has_value()) v = Typed(*w->retired);
  } else if (given->kind == Given::Kind::kConstant) {
    v = Constant{w->type, given->constant};
  } else if (w->default_value.has_value()) {
    v = Constant{w->type, *w->default_value};
    left_out = true;
  }
  if (!v.has_value()) {
    const bool agreed = w != nullptr && r != nullptr && !w->is_exposed() &&
                        !r->is_exposed() && !r->retired.has_value();
    return agreed ? Accepted() : Refused("no_neutral_value");
  }

  const std::vector<EqualValues> equals = EqualValuesOf(w, r);
  if (r == nullptr) {
    if (!w->neutral.has_value()) return Refused("no_neutral_value");
    return SameValue(*v, Typed(*w->neutral), equals)
               ? Accepted()
               : Refused("unknown_argument");
  }
  if (!r->is_exposed()) {
    if (!r->retired.has_value()) return Refused("no_neutral_value");
    return SameValue(*v, Typed(*r->retired), equals)
               ? Accepted()
               : Refused("retired_argument");
  }
  absl::optional<Value> fitted = FittedValue(*v, r->type, equals);
  if (!fitted.has_value()) return Refused("value_does_not_fit");
  if (left_out && r->default_value.has_value() &&
      SameValue(*v, {r->type, *r->default_value}, equals)) {
    return Accepted();
  }
  return Accepted(Given::Constant(*std::move(fitted)));
}

// What an ignorable argument gets that is dropped; nullopt: nothing will do.
absl::optional<Given> Dropped(const EntryArgument* r) {
  if (r == nullptr || !r->is_exposed() || r->default_value.has_value()) {
    return Given::LeftOut();
  }
  for (const Value& value :
       {Value::None(), Value::Int(0), Value::Float(0), Value::Bool(false),
        Value::String(""), Value::List({})}) {
    // A lone value is no value of a list here, but [] is.
    if (r->type.kind() == TypeKind::kList && value.kind() != ValueKind::kList) {
      continue;
    }
    absl::StatusOr<Value> fitted = CoerceLiteral(value, r->type);
    if (fitted.ok()) return Given::Constant(*std::move(fitted));
  }
  return absl::nullopt;
}

bool MayBeDropped(const EntryArgument* w, const EntryArgument* r) {
  bool is_ignorable = false;
  for (const EntryArgument* side : {w, r}) {
    if (side == nullptr) continue;
    if (side->is_written() || side->is_out()) return false;
    is_ignorable = is_ignorable || side->ignorable;
  }
  return is_ignorable;
}

// Solves the type variables of an entry over what a call gives. Adds a problem
// for each argument that does not fit with the others.
TypeVariables SolveTypes(const Call& call, std::vector<Problem>* problems) {
  TypeVariables variables;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const EntryArgument& argument = call.entry->arguments[i];
    const Given& given = call.arguments[i];
    bool fits = true;
    if (given.kind == Given::Kind::kGraphValue) {
      fits = GraphValueFits(given, argument.type, &variables);
    } else if (given.kind == Given::Kind::kConstant &&
               HasVariables(argument.type)) {
      // A literal without a type of its own (`[]`) takes any.
      const absl::StatusOr<Type> type = TypeOfLiteral(given.constant);
      fits = !type.ok() || IsSubtype(*type, argument.type, &variables, nullptr);
    }
    if (!fits && problems != nullptr) {
      problems->push_back({"type_mismatch", argument.name()});
    }
  }
  return variables;
}

// The type that result `i` has at the reader, or nullopt: the call cannot have
// it there.
absl::optional<Type> ResultType(const CallResult& result, const Type& at_writer,
                                const Type& at_reader) {
  const bool declared_fits = IsSubtype(result.type, at_reader);
  if (result.is_used) {
    bool covariant = false;
    if (!IsSubtype(at_reader, at_writer, nullptr, &covariant) ||
        (covariant && result.is_written)) {
      return absl::nullopt;
    }
    if (!declared_fits && !IsSubtype(at_reader, result.type)) {
      return absl::nullopt;
    }
  }
  return declared_fits ? result.type : at_reader;
}

// `has_arguments`: those of `bound` are there. Else no type variable is known
// at the reader, and only what needs none is said.
void BindResults(const Call& call, bool has_arguments, Call* bound,
                 std::vector<Problem>* problems) {
  const OperatorEntry& w = *call.entry;
  const OperatorEntry& r = *bound->entry;
  const TypeVariables at_writer = SolveTypes(call, nullptr);
  const TypeVariables at_reader =
      has_arguments ? SolveTypes(*bound, problems) : TypeVariables();
  for (size_t i = 0; i < std::max(call.results.size(), r.results.size()); ++i) {
    if (i >= r.results.size()) {
      if (r.is_varret) {
        bound->results.push_back(call.results[i]);
      } else if (call.results[i].is_used) {
        problems->push_back({"missing_result", ""});
        return;
      }
      continue;
    }
    if (!has_arguments && HasVariables(r.results[i].type)) continue;
    const Type type = Substitute(r.results[i].type, at_reader);
    CallResult result;
    if (i < call.results.size()) {
      result = call.results[i];
      const absl::optional<Type> at_result = ResultType(
          result,
          i < w.results.size() ? Substitute(w.results[i].type, at_writer)
                               : result.type,
          type);
      if (!at_result.has_value()) {
        problems->push_back({"type_mismatch", ""});
        return;
      }
      result.type = *at_result;
    } else {
      result.type = type;
    }
    bound->results.push_back(std::move(result));
  }
}

}  // namespace

absl::optional<Call> BindCall(const Call& call, const OperatorEntryPtr& reader,
                              const Pairing& pairing, Ignorable ignorable,
                              std::vector<Problem>* problems) {
  Call bound;
  bound.entry = reader;
  bound.has_blocks = call.has_blocks;
  if (call.entry == reader || *call.entry == *reader) {
    bound.arguments = call.arguments;
    bound.varargs = call.varargs;
    bound.results = call.results;
    return bound;
  }
  const size_t before = problems->size();
  problems->insert(problems->end(), pairing.problems.begin(),
                   pairing.problems.end());
  if (!pairing.is_paired) return absl::nullopt;

  bound.arguments.resize(reader->num_exposed());
  const auto bind = [&](absl::optional<size_t> i, absl::optional<size_t> j) {
    const EntryArgument* w =
        i.has_value() ? &call.entry->arguments[*i] : nullptr;
    const EntryArgument* r = j.has_value() ? &reader->arguments[*j] : nullptr;
    const Given* given =
        w != nullptr && w->is_exposed() ? &call.arguments[*i] : nullptr;
    Bound line = BindArgument(w, r, given);
    if (!line.code.empty() && ignorable == Ignorable::kMayBeDropped &&
        MayBeDropped(w, r)) {
      absl::optional<Given> dropped = Dropped(r);
      if (dropped.has_value()) line = Accepted(*std::move(dropped));
    }
    if (!line.code.empty()) {
      problems->push_back({line.code, w != nullptr ? w->name() : r->name()});
    } else if (r != nullptr && r->is_exposed()) {
      bound.arguments[*j] = std::move(line.given);
    }
  };
  for (size_t i = 0; i < call.entry->arguments.size(); ++i) {
    bind(i, pairing.reader_of[i]);
  }
  for (size_t j = 0; j < reader->arguments.size(); ++j) {
    if (!pairing.writer_of[j].has_value()) bind(absl::nullopt, j);
  }
  // Varargs are one list; an entry without them is at the empty one.
  if (!call.varargs.empty() && !reader->is_vararg) {
    problems->push_back({"unknown_argument", "..."});
  }
  bound.varargs = call.varargs;
  // Every reason at once: results too.
  const bool has_arguments = problems->size() == before;
  BindResults(call, has_arguments, &bound, problems);
  if (problems->size() != before) return absl::nullopt;
  return bound;
}

}  // namespace oracle
}  // namespace opcompat
