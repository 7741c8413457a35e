#include "schema/differences/declaration_proposals.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/variant.h"
#include "schema/differences/operator_difference.h"
#include "schema/differences/rename_proposals.h"
#include "schema/operator_entry.h"
#include "schema/operator_schema.h"
#include "schema/opset.h"
#include "schema/proto_string.h"

namespace opcompat {
namespace {

// What a version declares about one operator.
struct DeclaredOfOperator {
  std::string from;  // its name before; empty: the same
  std::vector<DeclaredRename> renames;
  std::set<std::string> neutral, retired, equal;  // names of arguments
  bool annotation_fixed = false;
  bool semantic_change = false;
};

using DeclaredByOperator = absl::flat_hash_map<std::string, DeclaredOfOperator>;

DeclaredByOperator Group(const DeclaredVersion& version) {
  struct Visitor {
    DeclaredOfOperator* of;
    void operator()(const DeclaredChange::OperatorRenamed& w) const {
      of->from = w.from;
    }
    void operator()(const DeclaredRename& w) const { of->renames.push_back(w); }
    void operator()(const DeclaredChange::NeutralValue& w) const {
      of->neutral.insert(w.value.argument);
    }
    void operator()(const DeclaredChange::RetiredValue& w) const {
      of->retired.insert(w.value.argument);
    }
    void operator()(const DeclaredEqualValue& w) const {
      of->equal.insert(w.argument);
    }
    void operator()(const DeclaredChange::AnnotationFixed&) const {
      of->annotation_fixed = true;
    }
    void operator()(const DeclaredSemanticChange&) const {
      of->semantic_change = true;
    }
    void operator()(absl::monostate) const {}
    void operator()(const DeclaredChange::Ignorable&) const {}
    void operator()(const DeclaredChange::Removed&) const {}
    void operator()(const DeclaredChange::Added&) const {}
  };
  DeclaredByOperator grouped;
  for (const DeclaredChange& change : version.changes) {
    absl::visit(Visitor{&grouped[change.op]}, change.what);
  }
  return grouped;
}

std::string Changes(const std::string& op, absl::string_view what) {
  return absl::StrCat("  changes {\n    operator: ", ProtoString(op), "\n    ", what,
                      "\n  }\n");
}

// A gap without the assertion, or that leaves this argument out: the default
// says nothing about the versions between.
bool GapHides(const DeclaredVersion& version, bool asserted,
              const std::string& op, const std::string& argument) {
  if (!version.gap.has_value()) return false;
  if (!asserted) return true;
  return std::any_of(version.gap->except.begin(), version.gap->except.end(),
                     [&](const DeclaredGap::Exception& exception) {
                       return exception.op == op &&
                              exception.argument == argument;
                     });
}

class Proposer {
 public:
  Proposer(const DeclaredHistory& declared, const Opset& before,
           const std::vector<HistoryFault>& faults)
      : declared_(declared),
        version_(declared.versions.back()),
        before_(before),
        grouped_(Group(version_)) {
    for (const HistoryFault& fault : faults) {
      if (!fault.op.empty()) faulty_.insert(fault.op);
    }
  }

  std::vector<DeclarationProposal> Run() {
    Renames();
    absl::flat_hash_map<std::string, const OperatorSchema*> older;
    const auto& versions = declared_.versions;
    for (const OperatorSchema& s : versions[versions.size() - 2].schemas) {
      if (!s.has_repeated_name()) older[s.full_name()] = &s;
    }
    for (const OperatorSchema& schema : version_.schemas) {
      if (schema.has_repeated_name()) continue;
      const std::string name = schema.full_name();
      const DeclaredOfOperator& declared = grouped_[name];
      const auto found =
          older.find(declared.from.empty() ? name : declared.from);
      if (found != older.end()) Compare(*found->second, schema, declared);
    }
    std::stable_sort(
        found_.begin(), found_.end(),
        [](const DeclarationProposal& a, const DeclarationProposal& b) {
          return std::tie(b.needed, a.op) < std::tie(a.needed, b.op);
        });
    return std::move(found_);
  }

 private:
  void Add(const std::string& op, const std::string& reason,
           std::string declaration) {
    found_.push_back({op, IsFaulty(op), reason, std::move(declaration)});
  }

  // Faults name an operator by either of its names.
  bool IsFaulty(const std::string& op) {
    return faulty_.contains(op) || faulty_.contains(grouped_[op].from);
  }

  void Renames() {
    for (const RenameProposal& rename :
         ProposeRenames(declared_, declared_.versions.size() - 1)) {
      Add(rename.op,
          absl::StrCat("if ", rename.of_operator ? "" : "the argument ", "`",
                       rename.from, "` was renamed to `", rename.to, "` (",
                       RenameConfidenceName(rename.confidence), ": ",
                       rename.reason, ")"),
          DeclarationOf(rename));
      if (rename.of_operator) continue;
      renamed_.insert({rename.op, rename.from});
      renamed_.insert({rename.op, rename.to});
    }
  }

  void Compare(const OperatorSchema& old_schema,
               const OperatorSchema& new_schema,
               const DeclaredOfOperator& declared) {
    const OperatorEntry older = EntryOfSchema(old_schema);
    OperatorEntry newer = EntryOfSchema(new_schema);
    newer.names.push_back(older.name());
    for (EntryArgument& argument : newer.arguments) {
      for (const DeclaredRename& rename : declared.renames) {
        if (rename.to == argument.name()) argument.names.push_back(rename.from);
      }
    }
    const size_t found_before = found_.size();
    // A new revision says what became of its arguments with its steps.
    if (!declared.semantic_change) {
      bool marks = false;
      for (const Difference& d : DiffOperators(older, newer)) {
        OfDifference(d, older, newer, declared);
        marks = marks || d.kind == DifferenceKind::kAliasChanged;
      }
      if (marks && !declared.annotation_fixed) {
        Add(newer.name(),
            "if only the alias and write marks were wrong before, and not what "
            "the operator does",
            Changes(newer.name(), "annotation_fixed: true"));
      }
    }
    const bool renamed = std::any_of(
        renamed_.begin(), renamed_.end(),
        [&](const auto& pair) { return pair.first == newer.name(); });
    if (IsFaulty(newer.name()) && !declared.semantic_change && !renamed &&
        found_.size() == found_before) {
      NewRevision(newer.name(), older.name());
    }
  }

  void OfDifference(const Difference& d, const OperatorEntry& older,
                    const OperatorEntry& newer,
                    const DeclaredOfOperator& declared) {
    const std::string& op = newer.name();
    if (renamed_.count({op, d.argument}) > 0) return;
    if (d.kind == DifferenceKind::kArgumentAdded &&
        declared.neutral.count(d.argument) == 0) {
      OfAdded(op, newer.arguments[*newer.FindExposed(d.argument)]);
    }
    if (d.kind == DifferenceKind::kArgumentRemoved &&
        declared.retired.count(d.argument) == 0) {
      OfRemoved(op, older.arguments[*older.FindExposed(d.argument)]);
    }
    if (d.kind == DifferenceKind::kDefaultChanged && d.after == "None" &&
        !d.before.empty() && declared.equal.count(d.argument) == 0) {
      Add(op,
          absl::StrCat("if None at `", d.argument, "` means what ", d.before,
                       " means"),
          Changes(op, absl::StrCat(
                          "equal_value { argument: ", ProtoString(d.argument),
                          " value: \"None\" means: ", ProtoString(d.before), " }")));
    }
  }

  void OfAdded(const std::string& op, const EntryArgument& argument) {
    const bool asserted =
        version_.gap.has_value() && version_.gap->added_defaults_are_neutral;
    const bool has_default = argument.default_value.has_value();
    if (has_default && !GapHides(version_, asserted, op, argument.name())) {
      return;  // the default is the neutral value
    }
    Add(op,
        absl::StrCat("if before `", argument.name(), "` was added (",
                     has_default ? "across a gap" : "without a default",
                     ") the operator did what it does now at this value"),
        Changes(op, Value("neutral_value", argument)));
  }

  void OfRemoved(const std::string& op, const EntryArgument& argument) {
    const bool asserted =
        version_.gap.has_value() && version_.gap->removed_defaults_are_retired;
    const bool has_default = argument.default_value.has_value();
    if (has_default && !GapHides(version_, asserted, op, argument.name())) {
      return;  // the default is the retired value
    }
    Add(op,
        absl::StrCat("if without `", argument.name(), "` (removed",
                     has_default ? " across a gap" : "; it had no default",
                     ") the operator does what it did at this value"),
        Changes(op, Value("retired_value", argument)));
  }

  static std::string Value(absl::string_view field,
                           const EntryArgument& argument) {
    return absl::StrCat(field, " { argument: ", ProtoString(argument.name()),
                        " value: ",
                        ProtoString(argument.default_value.has_value()
                                   ? DefaultToString(*argument.default_value)
                                   : "?"),
                        " }");
  }

  void NewRevision(const std::string& op, const std::string& old_name) {
    const OperatorInfo* info = before_.Find(old_name);
    if (info == nullptr) return;
    Add(op,
        "if it now means something else, or its schemas cannot be compared; "
        "with upgraders and downgraders instead of one_way if older (newer) "
        "calls can be expressed",
        Changes(op, absl::StrCat("semantic_change {\n      revision: ",
                                 info->revision() + 1,
                                 "\n      one_way_up: true\n      "
                                 "one_way_down: true\n    }")));
  }

  const DeclaredHistory& declared_;
  const DeclaredVersion& version_;
  const Opset& before_;
  DeclaredByOperator grouped_;
  absl::flat_hash_set<std::string> faulty_;
  // Operator and argument, by both names, of proposed renames.
  std::set<std::pair<std::string, std::string>> renamed_;
  std::vector<DeclarationProposal> found_;
};

// A comment in lines of at most 80 columns. Two marks tell it from what can be
// taken as a declaration by removing one.
std::string Prose(absl::string_view text) {
  constexpr size_t kWidth = 80;
  std::string comment;
  size_t used = kWidth;  // of the last line; at first there is none
  for (const absl::string_view word :
       absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    if (used + 1 + word.size() > kWidth) {
      absl::StrAppend(&comment, comment.empty() ? "" : "\n", "  ##");
      used = 4;
    }
    absl::StrAppend(&comment, " ", word);
    used += 1 + word.size();
  }
  return comment + "\n";
}

}  // namespace

std::vector<DeclarationProposal> ProposeDeclarations(
    const DeclaredHistory& declared, const Opset& before,
    const std::vector<HistoryFault>& faults) {
  return Proposer(declared, before, faults).Run();
}

std::string CommentOf(const DeclarationProposal& proposal) {
  std::string comment = Prose(absl::StrCat(
      proposal.needed ? "Needed; " : "Only ", proposal.reason, ", declare:"));
  for (absl::string_view line :
       absl::StrSplit(proposal.declaration, '\n', absl::SkipEmpty())) {
    // The declaration's own indentation stands behind the mark.
    line.remove_prefix(2);
    absl::StrAppend(&comment, "  # ", line, "\n");
  }
  return comment;
}

}  // namespace opcompat
