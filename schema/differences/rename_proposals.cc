#include "schema/differences/rename_proposals.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/types/variant.h"
#include "schema/declared_history.h"
#include "schema/differences/argument_alignment.h"
#include "schema/differences/name_similarity.h"
#include "schema/operator_schema.h"
#include "schema/proto_string.h"

namespace opcompat {
namespace {

// Names of operators that are alike enough, of those with equal schemas.
constexpr double kLikelyOperator = 0.85;
constexpr double kPossibleOperator = 0.6;

absl::string_view NamespaceOf(const OperatorSchema& schema) {
  const absl::string_view name = schema.name();
  return name.substr(0, name.find("::"));
}

absl::string_view BaseNameOf(const OperatorSchema& schema) {
  const absl::string_view name = schema.name();
  return name.substr(name.find("::") + 2);
}

// The schema line without the operator's name, SymInt as int.
std::string LineWithoutName(const OperatorSchema& schema) {
  const std::string line = schema.ToString();
  return absl::StrReplaceAll(line.substr(schema.full_name().size()),
                             {{"SymInt", "int"}});
}

// The renames that a version declares.
struct DeclaredNames {
  // From its name in the newer version to the one in the older version.
  absl::flat_hash_map<std::string, std::string> operator_from;
  absl::flat_hash_set<std::string> renamed_operators;  // the older names
  // By the operator's name in the newer version.
  absl::flat_hash_map<std::string, std::vector<DeclaredRename>> arguments;
};

DeclaredNames NamesOf(const DeclaredVersion& version) {
  DeclaredNames names;
  for (const DeclaredChange& change : version.changes) {
    if (const auto* renamed =
            absl::get_if<DeclaredChange::OperatorRenamed>(&change.what)) {
      names.operator_from[change.op] = renamed->from;
      names.renamed_operators.insert(renamed->from);
    } else if (const auto* argument =
                   absl::get_if<DeclaredRename>(&change.what)) {
      names.arguments[change.op].push_back(*argument);
    }
  }
  return names;
}

using SchemasByName =
    absl::flat_hash_map<absl::string_view, const OperatorSchema*>;

SchemasByName ByName(const std::vector<OperatorSchema>& schemas,
                     std::vector<std::string>* names) {
  names->reserve(schemas.size());  // the map looks into it
  SchemasByName by_name;
  for (const OperatorSchema& schema : schemas) {
    if (schema.has_repeated_name()) continue;
    names->push_back(schema.full_name());
    by_name[names->back()] = &schema;
  }
  return by_name;
}

// A rename of `older` to `newer`, whose schemas are equal up to the name, if
// the names are alike: in at least one of namespace, name and overload they
// must agree, and in the name nearly.
// Returns a score of 0 otherwise.
RenameProposal JudgeOperators(const OperatorSchema& older,
                              const OperatorSchema& newer) {
  RenameProposal proposal;
  proposal.op = newer.full_name();
  proposal.of_operator = true;
  proposal.from = older.full_name();
  proposal.to = newer.full_name();
  const bool same_space = NamespaceOf(older) == NamespaceOf(newer);
  const bool same_base = BaseNameOf(older) == BaseNameOf(newer);
  const bool same_overload = older.overload() == newer.overload();
  const double likeness = NameSimilarity(BaseNameOf(older), BaseNameOf(newer));
  if (same_base) {
    proposal.score = same_space || same_overload ? 1 : 0;
    proposal.reason = same_space ? "another overload name, the same schema"
                                 : "another namespace, the same schema";
  } else if (same_space && same_overload && likeness >= kPossibleOperator) {
    proposal.score = likeness;
    proposal.reason = "names alike, the same schema";
  }
  proposal.confidence = proposal.score >= kLikelyOperator
                            ? RenameConfidence::kLikely
                            : RenameConfidence::kPossible;
  return proposal;
}

// Keeps of each name the pair that ranks first. Precondition: ranked.
std::vector<RenameProposal> OneToOne(std::vector<RenameProposal> proposals) {
  absl::flat_hash_set<std::string> from, to;
  std::vector<RenameProposal> kept;
  for (RenameProposal& proposal : proposals) {
    if (from.contains(proposal.from) || to.contains(proposal.to)) continue;
    from.insert(proposal.from);
    to.insert(proposal.to);
    kept.push_back(std::move(proposal));
  }
  return kept;
}

void Rank(std::vector<RenameProposal>* proposals) {
  std::sort(proposals->begin(), proposals->end(),
            [](const RenameProposal& a, const RenameProposal& b) {
              return std::make_tuple(a.confidence, -a.score, &a.op, &a.from) <
                     std::make_tuple(b.confidence, -b.score, &b.op, &b.from);
            });
}

class Proposer {
 public:
  Proposer(const DeclaredHistory& declared, size_t index)
      : declared_(declared),
        index_(index),
        names_(NamesOf(declared.versions[index])),
        older_(ByName(declared.versions[index - 1].schemas, &older_names_)),
        newer_(ByName(declared.versions[index].schemas, &newer_names_)) {}

  std::vector<RenameProposal> Run() {
    std::vector<RenameProposal> all = Operators();
    for (const std::string& name : newer_names_) Arguments(name, &all);
    Rank(&all);
    return all;
  }

 private:
  std::vector<RenameProposal> Operators() const;
  void Arguments(const std::string& name,
                 std::vector<RenameProposal>* proposals) const;

  const DeclaredHistory& declared_;
  const size_t index_;
  const DeclaredNames names_;
  std::vector<std::string> older_names_;
  std::vector<std::string> newer_names_;
  const SchemasByName older_;
  const SchemasByName newer_;
};

std::vector<RenameProposal> Proposer::Operators() const {
  // An operator that was there before is one that returns, not one renamed.
  absl::flat_hash_set<std::string> earlier;
  for (size_t v = 0; v < index_; ++v) {
    for (const OperatorSchema& schema : declared_.versions[v].schemas) {
      earlier.insert(schema.full_name());
    }
  }
  absl::flat_hash_map<std::string, std::vector<const OperatorSchema*>> added;
  for (const std::string& name : newer_names_) {
    if (earlier.contains(name) || names_.operator_from.contains(name)) continue;
    const OperatorSchema* schema = newer_.at(name);
    added[LineWithoutName(*schema)].push_back(schema);
  }
  std::vector<RenameProposal> proposals;
  for (const std::string& name : older_names_) {
    if (newer_.contains(name) || names_.renamed_operators.contains(name)) {
      continue;
    }
    const OperatorSchema& schema = *older_.at(name);
    const auto candidates = added.find(LineWithoutName(schema));
    if (candidates == added.end()) continue;
    for (const OperatorSchema* candidate : candidates->second) {
      RenameProposal proposal = JudgeOperators(schema, *candidate);
      if (proposal.score > 0) proposals.push_back(std::move(proposal));
    }
  }
  Rank(&proposals);
  return OneToOne(std::move(proposals));
}

void Proposer::Arguments(const std::string& name,
                         std::vector<RenameProposal>* proposals) const {
  const auto from = names_.operator_from.find(name);
  const auto older =
      older_.find(from == names_.operator_from.end() ? name : from->second);
  if (older == older_.end()) return;
  const auto declared = names_.arguments.find(name);
  const std::vector<DeclaredRename> none;
  for (const LikelyArgumentRename& rename : AlignArguments(
           *older->second, *newer_.at(name),
           declared == names_.arguments.end() ? none : declared->second)) {
    RenameProposal proposal;
    proposal.op = name;
    proposal.from = rename.from;
    proposal.to = rename.to;
    proposal.confidence =
        rename.sure ? RenameConfidence::kLikely : RenameConfidence::kPossible;
    proposal.reason = rename.reason;
    proposal.score = rename.score;
    proposals->push_back(std::move(proposal));
  }
}

}  // namespace

absl::string_view RenameConfidenceName(RenameConfidence confidence) {
  return confidence == RenameConfidence::kLikely ? "likely" : "possible";
}

std::vector<RenameProposal> ProposeRenames(const DeclaredHistory& declared,
                                           size_t index) {
  return Proposer(declared, index).Run();
}

std::string DeclarationOf(const RenameProposal& proposal) {
  const std::string what =
      proposal.of_operator
          ? absl::StrCat("renamed_from: ", ProtoString(proposal.from))
          : absl::StrCat("renamed_argument { from: ", ProtoString(proposal.from),
                         " to: ", ProtoString(proposal.to), " }");
  return absl::StrCat("  changes {\n    operator: ", ProtoString(proposal.op),
                      "\n    ", what, "\n  }\n");
}

}  // namespace opcompat
