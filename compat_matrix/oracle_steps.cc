#include "compat_matrix/oracle_steps.h"

#include <algorithm>
#include <string>

#include "compat_matrix/oracle_values.h"

namespace opcompat {
namespace oracle {
namespace {

absl::optional<size_t> FindByAnyName(const OperatorEntry& entry,
                                     const std::string& name) {
  for (size_t i = 0; i < entry.arguments.size(); ++i) {
    const std::vector<std::string>& names = entry.arguments[i].names;
    if (std::find(names.begin(), names.end(), name) != names.end()) return i;
  }
  return absl::nullopt;
}

// Conditions are read on the entry of the call.
bool Holds(const StepCondition& condition, const Call& call) {
  const absl::optional<size_t> i =
      FindByAnyName(*call.entry, condition.argument);
  if (!i.has_value()) return false;
  const EntryArgument& argument = call.entry->arguments[*i];
  Type type = argument.type;
  absl::optional<Constant> value;
  if (!argument.is_exposed()) {
    if (argument.retired.has_value()) {
      value = Constant{argument.retired->type, argument.retired->value};
    }
  } else {
    value = EffectiveConstant(call, *i);
    if (call.arguments[*i].kind == Given::Kind::kGraphValue) {
      type = call.arguments[*i].type;
    }
  }
  if (value.has_value()) {
    for (const TypedValue& literal : condition.one_of) {
      if (SameValue(*value, {literal.type, literal.value},
                    argument.equal_values)) {
        return true;
      }
    }
  }
  return std::find(condition.types.begin(), condition.types.end(), type) !=
         condition.types.end();
}

bool IsUnchanged(const RevisionStep& step, const Call& call) {
  return std::any_of(step.unchanged_when.begin(), step.unchanged_when.end(),
                     [&](const StepConditions& all) {
                       return std::all_of(all.begin(), all.end(),
                                          [&](const StepCondition& condition) {
                                            return Holds(condition, call);
                                          });
                     });
}

}  // namespace

Derivation::Derivation(const std::vector<OpsetVersion>& opsets,
                       const Runtime& reader, const Runtime* writer,
                       bool as_target)
    : opsets_(opsets),
      reader_(reader),
      writer_(writer),
      as_target_(as_target) {}

const Pairing& Derivation::PairingOf(const OperatorEntryPtr& a,
                                     const OperatorEntryPtr& b,
                                     const Opset& order) {
  const auto [it, is_new] = pairings_.try_emplace({a.get(), b.get()});
  if (is_new) {
    it->second = Pair(*a, *b, order);
    kept_.push_back(a);
    kept_.push_back(b);
  }
  return it->second;
}

const Pairing& Derivation::PairingAtReader(const OperatorEntryPtr& original,
                                           const OperatorEntryPtr& at_reader) {
  return PairingOf(original, at_reader, *reader_.FindOpset(at_reader->history));
}

absl::optional<Call> Derivation::Bind(const Call& call,
                                      const OperatorEntryPtr& to,
                                      const Opset& order, Ignorable ignorable,
                                      std::vector<Problem>* problems) {
  return BindCall(call, to, PairingOf(call.entry, to, order), ignorable,
                  problems);
}

absl::optional<Call> Derivation::Up(const Call& call, const OperatorInfo& info,
                                    const Opset& order) {
  const OperatorRevision& next = info.revisions[call.entry->revision];
  std::vector<Problem> ignored;
  absl::optional<Call> up =
      Bind(call, next.first, order, Ignorable::kMayBeDropped, &ignored);
  if (!up.has_value() || !IsUnchanged(*next.step, *up)) return absl::nullopt;
  return up;
}

absl::optional<Call> Derivation::Down(const Call& call,
                                      const OperatorInfo& info,
                                      const Opset& order, Ignorable ignorable) {
  const OperatorRevision& here = info.revisions[call.entry->revision - 1];
  std::vector<Problem> ignored;
  const absl::optional<Call> first =
      Bind(call, here.first, order, ignorable, &ignored);
  if (!first.has_value() || !IsUnchanged(*here.step, *first)) {
    return absl::nullopt;
  }
  return Bind(*first, info.revisions[call.entry->revision - 2].last, order,
              ignorable, &ignored);
}

const OperatorInfo* Derivation::Find(const OperatorEntry& entry,
                                     const Runtime& runtime,
                                     const Opset** opset,
                                     std::vector<Problem>* problems) {
  *opset = runtime.FindOpset(entry.history);
  const OperatorInfo* info = nullptr;
  if (*opset != nullptr) {
    for (const std::string& name : entry.names) {
      const OperatorInfo* found = (*opset)->FindByAnyName(name);
      if (found == nullptr) continue;
      if (info != nullptr && info != found) {
        problems->push_back({"other_history", ""});
        return nullptr;
      }
      info = found;
    }
  }
  if (info == nullptr || !info->fault.empty() || info->revisions.empty()) {
    problems->push_back({"unknown_operator", ""});
    return nullptr;
  }
  return info;
}

Call Derivation::Lowered(Call call) {
  if (writer_ == nullptr) return call;
  const Opset* opset = nullptr;
  std::vector<Problem> ignored;
  const OperatorInfo* info = Find(*call.entry, *writer_, &opset, &ignored);
  if (info == nullptr || call.entry->revision > info->revision()) return call;
  while (call.entry->revision > 1) {
    absl::optional<Call> lower =
        Down(call, *info, *opset, Ignorable::kMustBeKept);
    if (!lower.has_value()) break;
    call = *std::move(lower);
  }
  return call;
}

absl::optional<Call> Derivation::Derive(const Call& original,
                                        std::vector<Problem>* problems) {
  Call call = as_target_ ? original : Lowered(original);
  const Opset* order = nullptr;
  const OperatorInfo* info = Find(*call.entry, reader_, &order, problems);
  if (info == nullptr) return absl::nullopt;
  const OperatorEntry& current = *info->current();
  bool is_other = !OriginsMatch(call.entry->origin, current.origin, *order);
  for (const OpsetVersion& version : opsets_) {
    if (order->HasName(version.name)) {
      is_other =
          is_other || order->ContradictsVersion(version.version, *call.entry);
    }
  }
  if (is_other) {
    problems->push_back({"other_history", ""});
    return absl::nullopt;
  }

  if (call.entry->revision > info->revision()) {
    if (!as_target_) {
      problems->push_back({"newer_revision", ""});
      return absl::nullopt;
    }
    const Opset* writer_order = nullptr;
    std::vector<Problem> ignored;
    const OperatorInfo* at_writer =
        writer_ == nullptr
            ? nullptr
            : Find(*call.entry, *writer_, &writer_order, &ignored);
    // A hint may be dropped on the way to a target, as in binding to it; only
    // a writer without a target keeps it.
    while (call.entry->revision > info->revision()) {
      absl::optional<Call> lower =
          at_writer == nullptr
              ? absl::nullopt
              : Down(call, *at_writer, *writer_order, Ignorable::kMayBeDropped);
      if (!lower.has_value()) {
        problems->push_back({"no_downgrader", ""});
        return absl::nullopt;
      }
      call = *std::move(lower);
    }
  }

  const uint32_t revision = call.entry->revision;
  const OperatorEntryPtr& last = info->revisions[revision - 1].last;
  if (!OriginsMatch(call.entry->revision_origin, last->revision_origin,
                    *order)) {
    problems->push_back({"other_history", ""});
    return absl::nullopt;
  }
  absl::optional<Call> bound =
      Bind(call, last, *order, Ignorable::kMayBeDropped, problems);
  while (bound.has_value() && bound->entry->revision < info->revision()) {
    bound = Up(*bound, *info, *order);
    if (!bound.has_value()) {
      problems->push_back({"no_upgrader", ""});
      break;
    }
    bound = Bind(*bound, info->revisions[bound->entry->revision - 1].last,
                 *order, Ignorable::kMayBeDropped, problems);
  }
  return bound;
}

}  // namespace oracle
}  // namespace opcompat
