#include "tools/declared_text.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/variant.h"
#include "schema/declared_history.h"

namespace opcompat {
namespace {

struct KindVisitor {
  const char* operator()(absl::monostate) const { return "nothing"; }
  const char* operator()(const DeclaredChange::OperatorRenamed&) const {
    return "renamed_from";
  }
  const char* operator()(const DeclaredRename&) const {
    return "renamed_argument";
  }
  const char* operator()(const DeclaredChange::NeutralValue&) const {
    return "neutral_value";
  }
  const char* operator()(const DeclaredChange::RetiredValue&) const {
    return "retired_value";
  }
  const char* operator()(const DeclaredEqualValue&) const {
    return "equal_value";
  }
  const char* operator()(const DeclaredChange::Ignorable&) const {
    return "ignorable_argument";
  }
  const char* operator()(const DeclaredSemanticChange&) const {
    return "semantic_change";
  }
  const char* operator()(const DeclaredChange::AnnotationFixed&) const {
    return "annotation_fixed";
  }
  const char* operator()(const DeclaredChange::Removed&) const {
    return "removed";
  }
  const char* operator()(const DeclaredChange::Added&) const { return "added"; }
};

// `n is 0 or 1, x is of type Tensor`
std::string ConditionsText(const std::vector<DeclaredCondition>& conditions) {
  return absl::StrJoin(
      conditions, ", ", [](std::string* out, const DeclaredCondition& c) {
        absl::StrAppend(
            out, c.argument, " is ", absl::StrJoin(c.one_of, " or "),
            c.one_of.empty() || c.types.empty() ? "" : " or ",
            c.types.empty() ? "" : "of type ", absl::StrJoin(c.types, " or "));
      });
}

std::string StepsText(const std::vector<DeclaredStep>& steps) {
  return absl::StrJoin(
      steps, ", else ", [](std::string* out, const DeclaredStep& step) {
        absl::StrAppend(out, step.graph);
        if (step.when.empty()) return;
        absl::StrAppend(out, " if ", ConditionsText(step.when));
      });
}

std::string ValueText(const DeclaredArgumentValue& value) {
  return absl::StrCat(" of ", value.argument, ": ",
                      value.none ? "none" : value.value);
}

struct TextVisitor {
  std::string operator()(absl::monostate) const { return ""; }
  std::string operator()(const DeclaredChange::OperatorRenamed& w) const {
    return absl::StrCat(" ", w.from);
  }
  std::string operator()(const DeclaredRename& w) const {
    return absl::StrCat(" ", w.from, " -> ", w.to);
  }
  std::string operator()(const DeclaredChange::NeutralValue& w) const {
    return ValueText(w.value);
  }
  std::string operator()(const DeclaredChange::RetiredValue& w) const {
    return ValueText(w.value);
  }
  std::string operator()(const DeclaredEqualValue& w) const {
    return absl::StrCat(" of ", w.argument, ": ", w.value, " means ", w.means);
  }
  std::string operator()(const DeclaredChange::Ignorable& w) const {
    return absl::StrCat(" ", w.argument);
  }
  std::string operator()(const DeclaredSemanticChange& w) const {
    std::string text = absl::StrCat(": revision ", w.revision);
    for (const std::vector<DeclaredCondition>& when : w.unchanged_when) {
      absl::StrAppend(&text, "; unchanged when ", ConditionsText(when));
    }
    if (!w.upgraders.empty()) {
      absl::StrAppend(&text, "; up: ", StepsText(w.upgraders));
    }
    if (!w.downgraders.empty()) {
      absl::StrAppend(&text, "; down: ", StepsText(w.downgraders));
    }
    if (w.one_way_up) absl::StrAppend(&text, "; no upgrader, on purpose");
    if (w.one_way_down) absl::StrAppend(&text, "; no downgrader, on purpose");
    return text;
  }
  std::string operator()(const DeclaredChange::AnnotationFixed&) const {
    return "";
  }
  std::string operator()(const DeclaredChange::Removed& w) const {
    return absl::StrCat(": up: ", StepsText(w.upgraders));
  }
  std::string operator()(const DeclaredChange::Added& w) const {
    return absl::StrCat(": down: ", StepsText(w.downgraders));
  }
};

}  // namespace

std::string DeclaredKind(const DeclaredChange& change) {
  return absl::visit(KindVisitor(), change.what);
}

std::string DeclaredText(const DeclaredChange& change) {
  return absl::StrCat(DeclaredKind(change),
                      absl::visit(TextVisitor(), change.what));
}

}  // namespace opcompat
