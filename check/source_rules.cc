#include "check/source_rules.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "binding/identity.h"
#include "binding/value_relation.h"
#include "check/program_text.h"
#include "schema/typing.h"
#include "schema/value.h"

namespace opcompat {
namespace {

std::string Code(const Type& type) {
  return absl::StrCat("`", type.ToString(), "`");
}

std::string DefaultText(const EntryArgument& argument) {
  return absl::StrCat("`", argument.default_value->ToShortString(), "`");
}

int64_t ListSize(const Type& type) {
  const Type& inner = type.kind() == TypeKind::kOptional ? type.child() : type;
  return inner.kind() == TypeKind::kList ? inner.size() : -1;
}

class SourceCheck {
 public:
  SourceCheck(const OperatorInfo& older, const OperatorInfo& newer,
              const Reading& reading)
      : older_info_(older),
        newer_info_(newer),
        older_(*older.current()),
        newer_(*newer.current()),
        reading_(reading),
        links_(LinkArguments(older_, newer_, reading.newer())) {}

  std::vector<Breach> Run() {
    CheckName();
    for (const ArgumentLink& link : links_.links) {
      if (!link.writer.has_value() || !link.reader.has_value()) continue;
      const EntryArgument& a = older_.arguments[*link.writer];
      const EntryArgument& b = newer_.arguments[*link.reader];
      if (a.is_exposed() && b.is_exposed()) CheckArgument(a, b);
    }
    CheckOrder();
    CheckResultNames();
    CheckStepsDeclared();
    return std::move(breaches_);
  }

 private:
  void Add(std::string rule, std::string argument, std::string message,
           std::string counterexample, std::string remedy) {
    breaches_.push_back({std::move(rule), std::move(argument),
                         std::move(message), std::move(counterexample),
                         std::move(remedy)});
  }
  const std::string& before() const { return reading_.older().version(); }
  const std::string& now() const { return reading_.newer().version(); }

  void CheckName();
  void CheckArgument(const EntryArgument& a, const EntryArgument& b);
  void CheckDefault(const EntryArgument& a, const EntryArgument& b);
  void CheckOrder();
  void CheckResultNames();
  void CheckStepsDeclared();

  const OperatorInfo& older_info_;
  const OperatorInfo& newer_info_;
  const OperatorEntry& older_;
  const OperatorEntry& newer_;
  const Reading& reading_;
  const ArgumentLinks links_;
  std::vector<Breach> breaches_;
};

void SourceCheck::CheckName() {
  if (older_.name() == newer_.name()) return;
  Add("operator-renamed", "",
      absl::StrCat("was called ", older_.name(), " in ", before(),
                   ": files are read, text of that name is not"),
      FullProgramCall(older_),
      "keep the old name as an alias in the front end");
}

void SourceCheck::CheckArgument(const EntryArgument& a,
                                const EntryArgument& b) {
  if (a.name() != b.name()) {
    Add("argument-renamed", b.name(),
        absl::StrCat("argument `", b.name(), "` was called `", a.name(),
                     "` in ", before(),
                     ": files are read, text that passes it by name is not"),
        ProgramCallByName(older_, a.name(), a.name()),
        "take the old keyword in the front end too");
  }
  if (!a.keyword_only && b.keyword_only) {
    Add("argument-made-keyword-only", b.name(),
        absl::StrCat("argument `", b.name(),
                     "` is keyword-only now: text that passes it by position "
                     "is refused"),
        FullProgramCall(older_), "pass it by name");
  }
  if (a.keyword_only && !b.keyword_only) {
    Add("argument-made-positional", b.name(),
        absl::StrCat("argument `", b.name(),
                     "` may go by position now, which text for ", before(),
                     " cannot"),
        FullProgramCall(newer_),
        "pass it by name as long as that version is in use");
  }
  CheckDefault(a, b);
  const int64_t size_a = ListSize(a.type);
  const int64_t size_b = ListSize(b.type);
  if (size_a > 0 && size_b >= 0 && size_a != size_b) {
    Add("list-size-changed", b.name(),
        absl::StrCat("argument `", b.name(), "` was ", Code(a.type), " and is ",
                     Code(b.type), ": a lone value stood for ", size_a,
                     " copies of it, and ",
                     size_b == 0 ? std::string("stands for none now")
                                 : absl::StrCat("stands for ", size_b, " now")),
        ProgramCallByName(older_, a.name(), "1"), "pass a list");
  }
}

void SourceCheck::CheckDefault(const EntryArgument& a, const EntryArgument& b) {
  const bool had = a.default_value.has_value();
  const bool has = b.default_value.has_value();
  if (!had && !has) return;
  if (!had) {
    Add("default-added", b.name(),
        absl::StrCat("argument `", b.name(), "` has the default ",
                     DefaultText(b),
                     " now: text that leaves it out is not for ", before()),
        ShortProgramCall(newer_), "pass it as long as that version is in use");
  } else if (!has) {
    Add("default-removed", b.name(),
        absl::StrCat("argument `", b.name(), "` had the default ",
                     DefaultText(a),
                     " and is required now: files are read, "
                     "text that leaves it out is refused"),
        ShortProgramCall(older_), "keep the default");
  } else {
    const ValueRelation relation(&a.equal_values, &b.equal_values);
    if (relation.Equal({a.type, *a.default_value},
                       {b.type, *b.default_value})) {
      return;
    }
    Add("default-changed", b.name(),
        absl::StrCat("the default of argument `", b.name(), "` was ",
                     DefaultText(a), " and is ", DefaultText(b),
                     ": files keep their meaning, text that leaves it out does "
                     "not"),
        ShortProgramCall(older_), "keep the default, or add an overload");
  }
}

void SourceCheck::CheckOrder() {
  std::vector<size_t> places;
  std::vector<bool> is_new(newer_.num_exposed(), true);
  size_t last_old = 0;
  // Links stand in the newer one's order.
  for (const ArgumentLink& link : links_.links) {
    if (!link.writer.has_value() || !link.reader.has_value()) continue;
    const EntryArgument& a = older_.arguments[*link.writer];
    const EntryArgument& b = newer_.arguments[*link.reader];
    if (!a.is_exposed() || !b.is_exposed()) continue;
    is_new[*link.reader] = false;
    if (a.keyword_only || b.keyword_only) continue;
    places.push_back(*link.writer);
    last_old = *link.reader;
  }
  if (!std::is_sorted(places.begin(), places.end())) {
    Add("arguments-reordered", "",
        "arguments that go by position have another order: files are read, "
        "text that passes them by position means another call",
        FullProgramCall(older_),
        "keep the order, or make them keyword-only first");
  }
  for (size_t j = 0; j < last_old; ++j) {
    if (!is_new[j]) continue;
    Add("argument-inserted", newer_.arguments[j].name(),
        absl::StrCat("argument `", newer_.arguments[j].name(),
                     "` was added before `", newer_.arguments[last_old].name(),
                     "`: files are read, text that passes that by position "
                     "means another call"),
        FullProgramCall(older_), "add it at the end, or keyword-only");
  }
}

void SourceCheck::CheckResultNames() {
  const size_t n = std::min(older_.results.size(), newer_.results.size());
  for (size_t i = 0; i < n; ++i) {
    const std::string& a = older_.results[i].name;
    const std::string& b = newer_.results[i].name;
    if (a.empty() || a == b) continue;
    Add("result-renamed", "",
        absl::StrCat("result ", i, " was called `", a, "`",
                     b.empty() ? std::string(" and has no name now")
                               : absl::StrCat(" and is `", b, "`"),
                     ": files are read, text that takes it by name is not"),
        absl::StrCat(FullProgramCall(older_), ".", a), "keep the name");
    return;
  }
}

bool IsAlwaysUnchanged(const RevisionStep& step) {
  return std::any_of(step.unchanged_when.begin(), step.unchanged_when.end(),
                     [](const StepConditions& all) { return all.empty(); });
}

void SourceCheck::CheckStepsDeclared() {
  for (uint32_t r = older_info_.revision() + 1; r <= newer_info_.revision();
       ++r) {
    const OperatorRevision& revision = newer_info_.revisions[r - 1];
    if (revision.step == nullptr || IsAlwaysUnchanged(*revision.step)) continue;
    const RevisionStep& step = *revision.step;
    if (step.upgraders.empty() && !step.one_way_up) {
      Add("revision-step-undeclared-up", "",
          absl::StrCat("revision ", r,
                       " has no upgrader, and the history does not say that "
                       "there is none"),
          FullProgramCall(older_),
          absl::StrCat("in `semantic_change { revision: ", r,
                       " }`: `upgraders { graph: \"FILE.graph\" }`, or "
                       "`one_way_up: true`"));
    }
    if (step.downgraders.empty() && !step.one_way_down) {
      Add("revision-step-undeclared-down", "",
          absl::StrCat("revision ", r,
                       " has no downgrader, and the history does not say that "
                       "there is none"),
          FullProgramCall(newer_),
          absl::StrCat("in `semantic_change { revision: ", r,
                       " }`: `downgraders { graph: \"FILE.graph\" }`, or "
                       "`one_way_down: true`"));
    }
  }
}

}  // namespace

std::vector<Breach> CheckSource(const OperatorInfo& older,
                                const OperatorInfo& newer,
                                const Reading& reading) {
  if (older.current() == newer.current()) return {};
  return SourceCheck(older, newer, reading).Run();
}

}  // namespace opcompat
