#include "compat_matrix/oracle/steps.h"

#include <algorithm>
#include <string>
#include <utility>

#include "compat_matrix/oracle/values.h"

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

bool AllHold(const StepConditions& all, const Call& call) {
  return std::all_of(
      all.begin(), all.end(),
      [&](const StepCondition& condition) { return Holds(condition, call); });
}

bool IsUnchanged(const RevisionStep& step, const Call& call) {
  return std::any_of(
      step.unchanged_when.begin(), step.unchanged_when.end(),
      [&](const StepConditions& all) { return AllHold(all, call); });
}

// The first of `graphs` that takes the call. `none`: the code if no conditions
// hold; `code`: if there is a graph, but it cannot be put there.
Derived TakeGraph(Call call, const std::vector<StepGraph>& graphs,
                  const char* none, const char* code,
                  std::vector<Problem>* problems) {
  Derived derived;
  for (const StepGraph& graph : graphs) {
    if (!AllHold(graph.when, call)) continue;
    derived.graph = &graph;
    if (graph.body == nullptr || !call.varargs.empty() || call.has_blocks ||
        call.results.size() > call.entry->results.size()) {
      problems->push_back({code, ""});
      return derived;
    }
    if (!graph.mismatch.empty()) {
      problems->push_back({"alias_changed", ""});
      return derived;
    }
    derived.call = std::move(call);
    derived.code = code;
    return derived;
  }
  problems->push_back({none, ""});
  return derived;
}

// Whether some graph could take a call of the revision away from the operator:
// on the way to where it ends, or to where it began.
bool HasGraphsUp(const OperatorInfo& info, uint32_t revision) {
  if (info.removed != nullptr && !info.removed->graphs.empty()) return true;
  for (const OperatorRevision& r : info.revisions) {
    if (r.last->revision > revision && !r.step->upgraders.empty()) return true;
  }
  return false;
}

bool HasGraphsDown(const OperatorInfo& info, uint32_t revision) {
  if (info.added != nullptr && !info.added->graphs.empty() &&
      info.added->entry->revision <= revision) {
    return true;
  }
  for (const OperatorRevision& r : info.revisions) {
    if (r.step != nullptr && r.last->revision <= revision &&
        !r.step->downgraders.empty()) {
      return true;
    }
  }
  return false;
}

}  // namespace

Derivation::Derivation(const Runtime& reader, const Runtime* writer,
                       bool as_target)
    : reader_(reader), writer_(writer), as_target_(as_target) {}

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

Derivation::Known Derivation::Find(const OperatorEntry& entry,
                                   const Runtime& runtime) {
  Known known;
  known.opset = runtime.FindOpset(entry.history);
  if (known.opset == nullptr) return known;
  for (const bool removed : {false, true}) {
    for (const std::string& name : entry.names) {
      const OperatorInfo* found = removed ? known.opset->FindRemoved(name)
                                          : known.opset->FindByAnyName(name);
      if (found == nullptr || found == known.info) continue;
      if (known.info != nullptr) {
        known.info = nullptr;
        known.contradicts = true;
        return known;
      }
      known.info = found;
      known.is_removed = removed;
    }
    if (known.info != nullptr) break;
  }
  if (known.info != nullptr &&
      (!known.info->fault.empty() || known.info->revisions.empty())) {
    known.info = nullptr;
    known.is_faulty = true;
  }
  return known;
}

absl::optional<Call> Derivation::UnchangedDown(const Call& first,
                                               const Known& known,
                                               Ignorable ignorable) {
  const uint32_t revision = first.entry->revision;
  if (!IsUnchanged(*known.info->revisions[revision - 1].step, first)) {
    return absl::nullopt;
  }
  std::vector<Problem> ignored;
  return Bind(first, known.info->revisions[revision - 2].last, *known.opset,
              ignorable, &ignored);
}

Call Derivation::Lowered(Call call) {
  if (writer_ == nullptr) return call;
  const Known known = Find(*call.entry, *writer_);
  if (known.info == nullptr || call.entry->revision > known.info->revision()) {
    return call;
  }
  std::vector<Problem> ignored;
  while (call.entry->revision > 1) {
    const absl::optional<Call> first =
        Bind(call, known.info->revisions[call.entry->revision - 1].first,
             *known.opset, Ignorable::kMustBeKept, &ignored);
    if (!first.has_value()) break;
    absl::optional<Call> lower =
        UnchangedDown(*first, known, Ignorable::kMustBeKept);
    if (!lower.has_value()) break;
    call = *std::move(lower);
  }
  return call;
}

bool Derivation::StepUp(Call* call, const Known& reader, Derived* derived,
                        std::vector<Problem>* problems) {
  const std::vector<OperatorRevision>& revisions = reader.info->revisions;
  if (!OriginsMatch(call->entry->revision_origin,
                    revisions[call->entry->revision - 1].last->revision_origin,
                    *reader.opset)) {
    problems->push_back({"other_history", ""});
    return false;
  }
  while (true) {
    // To the last schema of its revision.
    const uint32_t revision = call->entry->revision;
    absl::optional<Call> last =
        Bind(*call, revisions[revision - 1].last, *reader.opset,
             Ignorable::kMayBeDropped, problems);
    if (!last.has_value()) return false;
    *call = *std::move(last);
    if (revision == revisions.size()) return true;
    // To the first one of the next revision, if nothing changed.
    const OperatorRevision& next = revisions[revision];
    std::vector<Problem> ignored;
    absl::optional<Call> first = Bind(*call, next.first, *reader.opset,
                                      Ignorable::kMayBeDropped, &ignored);
    if (!first.has_value() || !IsUnchanged(*next.step, *first)) {
      *derived = TakeGraph(std::move(*call), next.step->upgraders,
                           "no_upgrader", "no_upgrader", problems);
      return false;
    }
    *call = *std::move(first);
  }
}

// A hint may be dropped on the way to a target, as in binding to it; only a
// writer without a target keeps it.
bool Derivation::StepDown(Call* call, uint32_t to_revision, const Known& writer,
                          Derived* derived, std::vector<Problem>* problems) {
  while (call->entry->revision > to_revision) {
    const uint32_t revision = call->entry->revision;
    if (writer.info == nullptr || revision > writer.info->revision()) {
      problems->push_back({"no_downgrader", ""});
      return false;
    }
    absl::optional<Call> first =
        Bind(*call, writer.info->revisions[revision - 1].first, *writer.opset,
             Ignorable::kMayBeDropped, problems);
    if (!first.has_value()) return false;
    absl::optional<Call> lower =
        UnchangedDown(*first, writer, Ignorable::kMayBeDropped);
    if (!lower.has_value()) {
      *derived =
          TakeGraph(*std::move(first),
                    writer.info->revisions[revision - 1].step->downgraders,
                    "no_downgrader", "no_downgrader", problems);
      return false;
    }
    *call = *std::move(lower);
  }
  return true;
}

Derived Derivation::DeriveAdded(Call call, std::vector<Problem>* problems) {
  Derived derived;
  Known writer;
  if (writer_ != nullptr) writer = Find(*call.entry, *writer_);
  if (writer.info == nullptr ||
      call.entry->revision > writer.info->revision() ||
      !HasGraphsDown(*writer.info, call.entry->revision)) {
    problems->push_back({"unknown_operator", ""});
    return derived;
  }
  const PresenceStep* added = writer.info->added.get();
  if (added != nullptr && call.entry->revision < added->entry->revision) {
    added = nullptr;
  }
  const uint32_t lowest = added == nullptr ? 1 : added->entry->revision;
  if (!StepDown(&call, lowest, writer, &derived, problems)) return derived;
  if (added == nullptr) {
    problems->push_back({"unknown_operator", ""});
    return derived;
  }
  absl::optional<Call> first = Bind(call, added->entry, *writer.opset,
                                    Ignorable::kMayBeDropped, problems);
  if (!first.has_value()) return derived;
  return TakeGraph(*std::move(first), added->graphs, "unknown_operator",
                   "no_downgrader", problems);
}

Derived Derivation::DeriveRemoved(Call call, const Known& reader,
                                  std::vector<Problem>* problems) {
  Derived derived;
  const OperatorInfo& info = *reader.info;
  Known writer;
  if (writer_ != nullptr && as_target_) writer = Find(*call.entry, *writer_);
  const bool is_newer = call.entry->revision > info.revision();
  const bool can_go_down =
      writer.info != nullptr && call.entry->revision <= writer.info->revision();
  const bool has_graphs =
      HasGraphsUp(info, std::min(call.entry->revision, info.revision())) ||
      (is_newer && can_go_down &&
       HasGraphsDown(*writer.info, call.entry->revision));
  if ((is_newer && !can_go_down) || !has_graphs) {
    problems->push_back({"unknown_operator", ""});
    return derived;
  }
  if (is_newer &&
      !StepDown(&call, info.revision(), writer, &derived, problems)) {
    return derived;
  }
  if (!StepUp(&call, reader, &derived, problems)) return derived;
  if (info.removed == nullptr) {
    problems->push_back({"unknown_operator", ""});
    return derived;
  }
  return TakeGraph(std::move(call), info.removed->graphs, "unknown_operator",
                   "no_upgrader", problems);
}

OperatorEntryPtr Derivation::OnlyEntry(const OperatorEntry& entry,
                                       const Known& reader) {
  if (reader.info == nullptr || reader.is_removed || entry.revision != 1 ||
      reader.info->revisions.size() != 1) {
    return nullptr;
  }
  return reader.info->revisions[0].last;
}

bool Derivation::IsOther(const OperatorEntry& entry, const Known& reader,
                         const std::vector<OpsetVersion>& opsets) {
  if (!OriginsMatch(entry.origin, reader.info->current()->origin,
                    *reader.opset)) {
    return true;
  }
  for (const OpsetVersion& version : opsets) {
    if (reader.opset->HasName(version.name) &&
        reader.opset->ContradictsVersion(version.version, entry)) {
      return true;
    }
  }
  return false;
}

bool Derivation::IsTheSameThere(const OperatorEntryPtr& entry,
                                const std::vector<OpsetVersion>& opsets) {
  const Known reader = Find(*entry, reader_);
  const OperatorEntryPtr only = OnlyEntry(*entry, reader);
  return only != nullptr && *only == *entry &&
         OriginsMatch(entry->revision_origin, only->revision_origin,
                      *reader.opset) &&
         !IsOther(*entry, reader, opsets);
}

absl::optional<PassedArguments> Derivation::ArgumentsPassedOn(
    const OperatorEntryPtr& entry) {
  const Known known = Find(*entry, reader_);
  const OperatorEntryPtr reader = OnlyEntry(*entry, known);
  if (reader == nullptr) return absl::nullopt;
  PassedArguments passed_on(entry->num_exposed());
  const Pairing& pairing = PairingOf(entry, reader, *known.opset);
  if (!pairing.is_paired) return absl::nullopt;
  const bool is_equal = *entry == *reader;
  for (size_t i = 0; i < passed_on.size(); ++i) {
    const absl::optional<size_t> j = pairing.reader_of[i];
    if (!j.has_value() || !reader->arguments[*j].is_exposed()) continue;
    const EntryArgument& w = entry->arguments[i];
    const EntryArgument& r = reader->arguments[*j];
    // A value fits its own type as itself.
    if (is_equal || (w.type == r.type && !w.type.has_variables() &&
                     w.equal_values.empty() && r.equal_values.empty())) {
      passed_on[i] = j;
    }
  }
  return passed_on;
}

Derived Derivation::Derive(const Call& original,
                           const std::vector<OpsetVersion>& opsets, Where where,
                           std::vector<Problem>* problems) {
  Derived derived;
  Call call =
      as_target_ || where == Where::kInStepGraph ? original : Lowered(original);
  const Known reader = Find(*call.entry, reader_);
  if (reader.contradicts) {
    problems->push_back({"other_history", ""});
    return derived;
  }
  if (reader.info == nullptr) {
    if (as_target_ && !reader.is_faulty) {
      return DeriveAdded(std::move(call), problems);
    }
    problems->push_back({"unknown_operator", ""});
    return derived;
  }

  const OperatorInfo& info = *reader.info;
  if (IsOther(*call.entry, reader, opsets)) {
    problems->push_back({"other_history", ""});
    return derived;
  }

  // What the reader says of an operator that it lost comes before what the
  // writer says of the versions before it had it.
  if (reader.is_removed) {
    std::vector<Problem> own;
    derived = DeriveRemoved(call, reader, &own);
    if (derived.call.has_value()) return derived;
    if (as_target_ && derived.graph == nullptr) {
      std::vector<Problem> others;
      const Derived added = DeriveAdded(std::move(call), &others);
      if (added.call.has_value()) return added;
      // Of the two, whoever had something to say.
      if (own == std::vector<Problem>{{"unknown_operator", ""}}) own = others;
    }
    problems->insert(problems->end(), own.begin(), own.end());
    return Derived();
  }

  if (call.entry->revision > info.revision()) {
    if (!as_target_) {
      problems->push_back({"newer_revision", ""});
      return derived;
    }
    Known writer;
    if (writer_ != nullptr) writer = Find(*call.entry, *writer_);
    if (!StepDown(&call, info.revision(), writer, &derived, problems)) {
      return derived;
    }
  }
  if (!StepUp(&call, reader, &derived, problems)) return derived;
  derived.call = std::move(call);
  return derived;
}

}  // namespace oracle
}  // namespace opcompat
