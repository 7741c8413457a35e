#include "tools/check_declarations.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/variant.h"
#include "schema/proto_string.h"

namespace opcompat {
namespace {

// ` name: "text"`
std::string Field(absl::string_view name, absl::string_view text) {
  return absl::StrCat(" ", name, ": ", ProtoString(text));
}

std::string Fields(absl::string_view name,
                   const std::vector<std::string>& texts) {
  std::string fields;
  for (const std::string& text : texts) {
    absl::StrAppend(&fields, Field(name, text));
  }
  return fields;
}

std::string Flag(absl::string_view name, bool value) {
  return value ? absl::StrCat(" ", name, ": true") : "";
}

std::string ConditionsText(const std::vector<DeclaredCondition>& conditions) {
  std::string text;
  for (const DeclaredCondition& condition : conditions) {
    absl::StrAppend(&text, " all {", Field("argument", condition.argument),
                    Fields("one_of", condition.one_of),
                    Fields("types", condition.types), " }");
  }
  return text;
}

std::string ArgumentValueText(absl::string_view kind,
                              const DeclaredArgumentValue& value) {
  return absl::StrCat(kind, " {", Field("argument", value.argument),
                      value.none ? " none: true" : Field("value", value.value),
                      " }");
}

struct Visitor {
  const GraphNamer& name_graph;

  std::string Steps(absl::string_view name,
                    const std::vector<DeclaredStep>& steps) const {
    std::string text;
    for (const DeclaredStep& step : steps) {
      absl::StrAppend(&text, " ", name, " {");
      if (!step.when.empty()) {
        absl::StrAppend(&text, " when {", ConditionsText(step.when), " }");
      }
      absl::StrAppend(
          &text,
          Field("graph",
                name_graph == nullptr ? step.graph : name_graph(step.graph)),
          " }");
    }
    return text;
  }

  std::string operator()(absl::monostate) const { return "nothing"; }
  std::string operator()(const DeclaredChange::OperatorRenamed& change) const {
    return absl::StrCat("renamed_from: ", ProtoString(change.from));
  }
  std::string operator()(const DeclaredRename& change) const {
    return absl::StrCat("renamed_argument {", Field("from", change.from),
                        Field("to", change.to), " }");
  }
  std::string operator()(const DeclaredChange::NeutralValue& change) const {
    return ArgumentValueText("neutral_value", change.value);
  }
  std::string operator()(const DeclaredChange::RetiredValue& change) const {
    return ArgumentValueText("retired_value", change.value);
  }
  std::string operator()(const DeclaredEqualValue& change) const {
    return absl::StrCat("equal_value {", Field("argument", change.argument),
                        Field("value", change.value),
                        Field("means", change.means), " }");
  }
  std::string operator()(const DeclaredChange::Ignorable& change) const {
    return absl::StrCat("ignorable_argument: ", ProtoString(change.argument));
  }
  std::string operator()(const DeclaredSemanticChange& change) const {
    std::string text =
        absl::StrCat("semantic_change { revision: ", change.revision,
                     Steps("upgraders", change.upgraders),
                     Steps("downgraders", change.downgraders));
    for (const std::vector<DeclaredCondition>& when : change.unchanged_when) {
      absl::StrAppend(&text, " unchanged_when {", ConditionsText(when), " }");
    }
    absl::StrAppend(&text, Flag("one_way_up", change.one_way_up),
                    Flag("one_way_down", change.one_way_down), " }");
    return text;
  }
  std::string operator()(const DeclaredChange::AnnotationFixed&) const {
    return "annotation_fixed: true";
  }
  std::string operator()(const DeclaredChange::Removed& change) const {
    return absl::StrCat("removed {", Steps("steps", change.upgraders), " }");
  }
  std::string operator()(const DeclaredChange::Added& change) const {
    return absl::StrCat("added {", Steps("steps", change.downgraders), " }");
  }
};

}  // namespace

std::string DeclarationText(const DeclaredChange& change,
                            const GraphNamer& name_graph) {
  return absl::visit(Visitor{name_graph}, change.what);
}

std::string GapText(const DeclaredGap& gap) {
  std::vector<std::string> exceptions;
  for (const DeclaredGap::Exception& exception : gap.except) {
    exceptions.push_back(
        absl::StrCat(" except {", Field("operator", exception.op),
                     Field("argument", exception.argument), " }"));
  }
  std::sort(exceptions.begin(), exceptions.end());
  return absl::StrCat(
      "gap {",
      Flag("added_defaults_are_neutral", gap.added_defaults_are_neutral),
      Flag("removed_defaults_are_retired", gap.removed_defaults_are_retired),
      absl::StrJoin(exceptions, ""), " }");
}

}  // namespace opcompat
