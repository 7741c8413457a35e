#include "ir/form_checks.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "base/concat.h"
#include "base/status_macros.h"
#include "ir/ids.h"
#include "schema/operator_entry.h"
#include "schema/typing.h"

namespace opcompat {
namespace {

absl::Status Fault(absl::string_view message) {
  return absl::InvalidArgumentError(message);
}

absl::Status CheckCallForm(const Module& module, const CallForm& form,
                           const OperatorEntry& entry, TypeRelations* relations,
                           bool* has_variables) {
  size_t slot = 0;
  const auto num_exposed = static_cast<uint32_t>(entry.num_exposed());
  for (uint32_t a = 0; a < num_exposed; ++a) {
    const EntryArgument& argument = entry.arguments[a];
    const bool is_given =
        slot < form.slots.size() && form.slots[slot].argument == a;
    if (is_given) {
      ++slot;
      *has_variables |= HasVariables(argument.type);
    } else if (!argument.default_value.has_value()) {
      return Fault(Concat("required argument ", argument.name(),
                          " is not given: ", entry.ToShortString()));
    }
  }
  const size_t num_results = form.result_types.size();
  if (entry.is_varret ? num_results < entry.results.size()
                      : num_results != entry.results.size()) {
    return Fault(Concat("the call has ", num_results, " results, expected ",
                        entry.results.size(), entry.is_varret ? " or more" : "",
                        ": ", entry.ToShortString()));
  }
  for (size_t r = 0; r < entry.results.size(); ++r) {
    *has_variables |= HasVariables(entry.results[r].type);
  }
  if (*has_variables) return absl::OkStatus();
  for (size_t r = 0; r < entry.results.size(); ++r) {
    const Type& declared = module.type(form.result_types[r]);
    const Type& expected = entry.results[r].type;
    if (!relations->IsSubtype(relations->Intern(declared),
                              relations->Intern(expected))) {
      return Fault(Concat("result ", r, " is declared ",
                          declared.ToShortString(), ", expected ",
                          expected.ToShortString(), ": ",
                          entry.ToShortString()));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckIntrinsicForm(const Module& module, const CallForm& form,
                                Intrinsic intrinsic) {
  const size_t slots = form.slots.size();
  const size_t results = form.result_types.size();
  const auto kind_of = [&](size_t r) {
    return module.type(form.result_types[r]).kind();
  };
  const auto check = [&](bool holds, absl::string_view rule) {
    return holds ? absl::OkStatus()
                 : Fault(Concat("found ", slots, " operands and ", results,
                                " results, expected ", rule));
  };
  switch (intrinsic) {
    case Intrinsic::kNone:
    case Intrinsic::kParam:
    case Intrinsic::kReturn:
      return absl::OkStatus();
    case Intrinsic::kConstant:
      return check(slots == 0 && results == 1, "no operand and one result");
    case Intrinsic::kIf:
      return check(slots == 1, "one operand, the condition");
    case Intrinsic::kLoop:
      return check(slots == results + 2,
                   "the trip count, the condition, and an operand for each "
                   "result");
    case Intrinsic::kListConstruct:
      return check(results == 1 && kind_of(0) == TypeKind::kList,
                   "one result of a list type");
    case Intrinsic::kTupleConstruct:
      return check(
          results == 1 &&
              (kind_of(0) == TypeKind::kNamed ||
               ((kind_of(0) == TypeKind::kTuple ||
                 kind_of(0) == TypeKind::kNamedTuple) &&
                module.type(form.result_types[0]).children().size() == slots)),
          "one result of a tuple type with one part for each operand");
    case Intrinsic::kDictConstruct:
      return check(
          results == 1 && kind_of(0) == TypeKind::kDict && slots % 2 == 0,
          "keys and values in turn, and one result of a Dict type");
    case Intrinsic::kListUnpack:
      for (size_t r = 1; r < results; ++r) {
        if (form.result_types[r] != form.result_types[0]) {
          return Fault("the results are of several types, expected one");
        }
      }
      return check(slots == 1, "one operand, a list");
    case Intrinsic::kGetAttr:
      return check(slots == 1 && results == 1, "an object and one result");
    case Intrinsic::kSetAttr:
      return check(slots == 2 && results == 0,
                   "an object, a value and no result");
    case Intrinsic::kCallMethod:
      return check(slots >= 1, "an object and what it is given");
    case Intrinsic::kCallFunction:
      return absl::OkStatus();
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckValueType(const Type& type) {
  if (!HasVariables(type)) return absl::OkStatus();
  return Fault(Concat("type ", type.ToShortString(),
                      " has a type variable, which no value can have"));
}

absl::Status CheckForm(const Module& module, const CallForm& form,
                       TypeRelations* relations, bool* has_variables) {
  for (const TypeId type : form.result_types) {
    OPCOMPAT_RETURN_IF_ERROR(CheckValueType(module.type(type)));
  }
  const ModuleOperator& op = module.op(form.op);
  return op.entry != nullptr
             ? CheckCallForm(module, form, *op.entry, relations, has_variables)
             : CheckIntrinsicForm(module, form, op.intrinsic);
}

}  // namespace opcompat
