#include "wire/testing/opset_difference.h"

#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "ir/equality.h"
#include "ir/module.h"
#include "ir/text/module_printer.h"
#include "schema/operator_entry.h"

namespace opcompat {
namespace {

std::string Of(absl::string_view what, const std::string& difference) {
  return difference.empty() ? "" : absl::StrCat(what, ": ", difference);
}

// Each of the comparisons below returns from its function if it differs.
#define OPCOMPAT_SAME(what, a, b) \
  if (!((a) == (b))) return std::string(what)

std::string ConditionsDiffer(const StepConditions& a, const StepConditions& b) {
  OPCOMPAT_SAME("number of conditions", a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    OPCOMPAT_SAME("argument of a condition", a[i].argument, b[i].argument);
    OPCOMPAT_SAME("values of a condition", a[i].one_of, b[i].one_of);
    OPCOMPAT_SAME("types of a condition", a[i].types, b[i].types);
  }
  return "";
}

std::string GraphsDiffer(const std::vector<StepGraph>& a,
                         const std::vector<StepGraph>& b) {
  OPCOMPAT_SAME("number of graphs", a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    const std::string when = ConditionsDiffer(a[i].when, b[i].when);
    if (!when.empty()) return Of(a[i].path, when);
    OPCOMPAT_SAME("path", a[i].path, b[i].path);
    OPCOMPAT_SAME("version", a[i].version, b[i].version);
    OPCOMPAT_SAME("mismatch", a[i].mismatch, b[i].mismatch);
    OPCOMPAT_SAME("body", a[i].body == nullptr, b[i].body == nullptr);
    if (a[i].body == nullptr) continue;
    const absl::optional<std::string> difference =
        FirstDifference(*a[i].body, *b[i].body);
    if (difference.has_value()) return Of(a[i].path, *difference);
    OPCOMPAT_SAME("text of the body", PrintModule(*a[i].body),
                  PrintModule(*b[i].body));
  }
  return "";
}

std::string StepsDiffer(const RevisionStep* a, const RevisionStep* b) {
  OPCOMPAT_SAME("step", a == nullptr, b == nullptr);
  if (a == nullptr) return "";
  OPCOMPAT_SAME("one_way_up", a->one_way_up, b->one_way_up);
  OPCOMPAT_SAME("one_way_down", a->one_way_down, b->one_way_down);
  OPCOMPAT_SAME("number of unchanged_when", a->unchanged_when.size(),
                b->unchanged_when.size());
  for (size_t i = 0; i < a->unchanged_when.size(); ++i) {
    const std::string when =
        ConditionsDiffer(a->unchanged_when[i], b->unchanged_when[i]);
    if (!when.empty()) return Of("unchanged_when", when);
  }
  const std::string up = GraphsDiffer(a->upgraders, b->upgraders);
  if (!up.empty()) return Of("upgraders", up);
  return Of("downgraders", GraphsDiffer(a->downgraders, b->downgraders));
}

std::string PresenceDiffers(const PresenceStep* a, const PresenceStep* b) {
  OPCOMPAT_SAME("presence step", a == nullptr, b == nullptr);
  if (a == nullptr) return "";
  OPCOMPAT_SAME("entry of a presence step", *a->entry, *b->entry);
  return GraphsDiffer(a->graphs, b->graphs);
}

std::string InfosDiffer(const OperatorInfo& a, const OperatorInfo& b) {
  OPCOMPAT_SAME("number of revisions", a.revision(), b.revision());
  for (size_t i = 0; i < a.revisions.size(); ++i) {
    OPCOMPAT_SAME("first entry", *a.revisions[i].first, *b.revisions[i].first);
    OPCOMPAT_SAME("last entry", *a.revisions[i].last, *b.revisions[i].last);
    const std::string step =
        StepsDiffer(a.revisions[i].step.get(), b.revisions[i].step.get());
    if (!step.empty()) return step;
  }
  OPCOMPAT_SAME("fault", a.fault, b.fault);
  OPCOMPAT_SAME("removed_in", a.removed_in, b.removed_in);
  const std::string added = PresenceDiffers(a.added.get(), b.added.get());
  if (!added.empty()) return Of("added", added);
  return Of("removed", PresenceDiffers(a.removed.get(), b.removed.get()));
}

#undef OPCOMPAT_SAME

std::string InfosDiffer(const std::vector<OperatorInfoPtr>& a,
                        const std::vector<OperatorInfoPtr>& b) {
  if (a.size() != b.size()) {
    return absl::StrCat(a.size(), " / ", b.size(), " operators");
  }
  for (size_t i = 0; i < a.size(); ++i) {
    const std::string difference = InfosDiffer(*a[i], *b[i]);
    if (!difference.empty()) return Of(a[i]->current()->name(), difference);
  }
  return "";
}

}  // namespace

std::string OpsetDifference(const Opset& a, const Opset& b) {
  if (a.name() != b.name()) return "name";
  if (a.aliases() != b.aliases()) return "aliases";
  if (a.versions() != b.versions()) return "versions";
  const std::string operators = InfosDiffer(a.operators(), b.operators());
  if (!operators.empty()) return operators;
  return Of("removed",
            InfosDiffer(a.removed_operators(), b.removed_operators()));
}

std::string HistoryDifference(const OpsetHistory& a, const OpsetHistory& b) {
  if (a.name() != b.name()) return "name";
  if (a.aliases() != b.aliases()) return "aliases";
  if (a.versions().size() != b.versions().size()) return "number of versions";
  for (size_t i = 0; i < a.versions().size(); ++i) {
    const std::string difference =
        OpsetDifference(a.versions()[i], b.versions()[i]);
    if (!difference.empty()) return Of(a.versions()[i].version(), difference);
  }
  return "";
}

}  // namespace opcompat
