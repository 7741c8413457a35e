#include "compat_matrix/simulation/truth.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/variant.h"
#include "base/status_macros.h"
#include "ir/text/module_parser.h"
#include "schema/declared_history.h"
#include "schema/history.h"
#include "schema/opset.h"
#include "schema/text/literal_parser.h"
#include "schema/text/type_parser.h"

namespace opcompat {
namespace simulation {
namespace {

const Type& WithoutOptional(const Type& type) {
  return type.kind() == TypeKind::kOptional ? type.child() : type;
}

}  // namespace

// Goes through the versions, oldest first.
class TruthReader {
 public:
  TruthReader(const LoadedHistory& loaded, const HistoryFiles& files,
              const std::vector<Secret>& secrets)
      : declared_(loaded.declared),
        history_(*loaded.history),
        files_(files),
        secrets_(secrets) {}

  absl::StatusOr<Truth> Read() {
    for (size_t v = 0; v < declared_.versions.size(); ++v) {
      truth_.ids_.push_back(declared_.versions[v].id);
      truth_.versions_.emplace_back();
      OPCOMPAT_RETURN_IF_ERROR(ReadVersion(v));
    }
    ReadTypes();
    for (const auto& [key, step] : down_) {
      truth_.steps_.emplace(key, step);  // unless there is one upwards
    }
    return std::move(truth_);
  }

 private:
  // What a version declares about one operator.
  using Changes = std::vector<const DeclaredChange*>;
  using OperatorKey = std::pair<int, uint32_t>;

  // Name of argument in the version before -> at this one, and so on.
  struct Declared {
    std::string before;                          // the operator's name
    std::map<std::string, std::string> renamed;  // new -> old
    std::map<std::string, const DeclaredArgumentValue*> neutral;
    std::map<std::string, const DeclaredArgumentValue*> retired;
    std::vector<const DeclaredEqualValue*> equal_values;
    std::vector<std::string> hints;
    const DeclaredSemanticChange* semantic_change = nullptr;
    const DeclaredChange::Removed* removed = nullptr;
    const DeclaredChange::Added* added = nullptr;
  };

  static std::map<std::string, Declared> ByOperator(
      const DeclaredVersion& version) {
    std::map<std::string, Declared> by_operator;
    for (const DeclaredChange& change : version.changes) {
      Declared& declared = by_operator[change.op];
      if (declared.before.empty()) declared.before = change.op;
      if (const auto* what =
              absl::get_if<DeclaredChange::OperatorRenamed>(&change.what)) {
        declared.before = what->from;
      } else if (const auto* what =
                     absl::get_if<DeclaredRename>(&change.what)) {
        declared.renamed[what->to] = what->from;
      } else if (const auto* what =
                     absl::get_if<DeclaredChange::NeutralValue>(&change.what)) {
        declared.neutral[what->value.argument] = &what->value;
      } else if (const auto* what =
                     absl::get_if<DeclaredChange::RetiredValue>(&change.what)) {
        declared.retired[what->value.argument] = &what->value;
      } else if (const auto* what =
                     absl::get_if<DeclaredEqualValue>(&change.what)) {
        declared.equal_values.push_back(what);
      } else if (const auto* what =
                     absl::get_if<DeclaredChange::Ignorable>(&change.what)) {
        declared.hints.push_back(what->argument);
      } else if (const auto* what =
                     absl::get_if<DeclaredSemanticChange>(&change.what)) {
        declared.semantic_change = what;
      } else if (const auto* what =
                     absl::get_if<DeclaredChange::Removed>(&change.what)) {
        declared.removed = what;
      } else if (const auto* what =
                     absl::get_if<DeclaredChange::Added>(&change.what)) {
        declared.added = what;
      }
    }
    return by_operator;
  }

  const Secret* SecretOf(size_t version, const std::string& op,
                         StepKind kind) const {
    for (const Secret& secret : secrets_) {
      if (secret.version == version && secret.op == op && secret.kind == kind) {
        return &secret;
      }
    }
    return nullptr;
  }

  absl::Status ReadVersion(size_t v) {
    const DeclaredVersion& version = declared_.versions[v];
    std::map<std::string, Declared> by_operator = ByOperator(version);
    std::set<std::string> continued;
    for (const OperatorSchema& schema : version.schemas) {
      const std::string name = schema.full_name();
      Declared& declared = by_operator[name];
      if (declared.before.empty()) declared.before = name;
      const TrueOperator* before =
          v == 0 ? nullptr : truth_.Find(v - 1, declared.before);
      if (before == nullptr) before = FindGone(name);
      TrueOperator op;
      if (before != nullptr) {
        continued.insert(declared.before);
        op = *before;
      } else {
        op.id = num_operators_++;
      }
      OPCOMPAT_RETURN_IF_ERROR(
          ReadOperator(v, schema, declared, before != nullptr, &op));
      truth_.versions_[v].emplace(name, op);
      if (before != nullptr && declared.semantic_change != nullptr) {
        OPCOMPAT_RETURN_IF_ERROR(
            ReadRevision(v, *declared.semantic_change, *before, op));
      }
      if (before == nullptr && declared.added != nullptr) {
        OPCOMPAT_ASSIGN_OR_RETURN(
            down_[OperatorKey(op.id, op.revision)],
            ReadStep(op, declared.added->downgraders, {}, v - 1));
      }
    }
    if (v == 0) return absl::OkStatus();
    for (const auto& [name, op] : truth_.versions_[v - 1]) {
      if (continued.count(name) > 0) continue;
      gone_[name] = op;
      const auto declared = by_operator.find(name);
      if (declared == by_operator.end() ||
          declared->second.removed == nullptr) {
        continue;
      }
      OPCOMPAT_ASSIGN_OR_RETURN(
          truth_.steps_[OperatorKey(op.id, op.revision)],
          ReadStep(op, declared->second.removed->upgraders, {}, v));
    }
    return absl::OkStatus();
  }

  const TrueOperator* FindGone(const std::string& name) const {
    const auto found = gone_.find(name);
    return found == gone_.end() ? nullptr : &found->second;
  }

  // Makes of `op`, as it was, what it is at version `v`.
  absl::Status ReadOperator(size_t v, const OperatorSchema& schema,
                            const Declared& declared, bool is_known,
                            TrueOperator* op) {
    const DeclaredVersion& version = declared_.versions[v];
    const std::string name = schema.full_name();
    if (declared.semantic_change != nullptr) {
      op->revision = declared.semantic_change->revision;
    }
    if (SecretOf(v, name, StepKind::kMeaningChanged) != nullptr) {
      ++op->secret_revision;
    }
    const auto is_excepted = [&](const std::string& argument) {
      return std::any_of(version.gap->except.begin(), version.gap->except.end(),
                         [&](const auto& e) {
                           return e.op == name && e.argument == argument;
                         });
    };
    const Secret* rename = SecretOf(v, name, StepKind::kSilentRename);
    const Secret* neutral = SecretOf(v, name, StepKind::kWrongNeutral);
    std::vector<TrueOperator::Exposed> exposed;
    std::set<int> found;
    for (const Argument& argument : schema.arguments()) {
      std::string old_name = argument.name;
      const auto renamed = declared.renamed.find(argument.name);
      if (renamed != declared.renamed.end()) old_name = renamed->second;
      if (rename != nullptr && rename->argument == argument.name) {
        old_name = rename->truth;
      }
      int id = -1;
      for (const TrueOperator::Exposed& old : op->exposed) {
        if (old.argument.name == old_name) id = old.id;
      }
      if (id < 0) {
        const auto retired = ids_of_names_.find({op->id, argument.name});
        if (retired != ids_of_names_.end()) id = retired->second;
      }
      if (id < 0) {
        id = static_cast<int>(truth_.arguments_.size());
        truth_.arguments_.emplace_back();
        absl::optional<Value> value;
        const auto declared_value = declared.neutral.find(argument.name);
        if (neutral != nullptr && neutral->argument == argument.name) {
          OPCOMPAT_ASSIGN_OR_RETURN(
              value, ParseLiteralAt(neutral->truth, argument.type));
        } else if (declared_value != declared.neutral.end()) {
          if (!declared_value->second->none) {
            OPCOMPAT_ASSIGN_OR_RETURN(
                value,
                ParseLiteralAt(declared_value->second->value, argument.type));
          }
        } else if (is_known && (!version.gap.has_value() ||
                                (version.gap->added_defaults_are_neutral &&
                                 !is_excepted(argument.name)))) {
          value = argument.default_value;
        }
        truth_.arguments_.back().neutral = value;
      }
      ids_of_names_[{op->id, argument.name}] = id;
      exposed.push_back({id, argument});
      types_[id].push_back(argument.type);
      found.insert(id);
    }
    // What is gone, and what was and still is.
    op->hidden.erase(
        std::remove_if(op->hidden.begin(), op->hidden.end(),
                       [&](const auto& h) { return found.count(h.id) > 0; }),
        op->hidden.end());
    for (const TrueOperator::Exposed& old : op->exposed) {
      if (found.count(old.id) > 0) continue;
      absl::optional<Value> value = old.argument.default_value;
      const auto declared_value = declared.retired.find(old.argument.name);
      if (declared_value != declared.retired.end()) {
        value.reset();
        if (!declared_value->second->none) {
          OPCOMPAT_ASSIGN_OR_RETURN(
              value,
              ParseLiteralAt(declared_value->second->value, old.argument.type));
        }
      } else if (version.gap.has_value() &&
                 (!version.gap->removed_defaults_are_retired ||
                  is_excepted(old.argument.name))) {
        value.reset();
      }
      op->hidden.push_back({old.id, value});
    }
    op->exposed = std::move(exposed);
    op->results = schema.results();
    for (const DeclaredEqualValue* equal : declared.equal_values) {
      for (const TrueOperator::Exposed& e : op->exposed) {
        if (e.argument.name != equal->argument) continue;
        OPCOMPAT_ASSIGN_OR_RETURN(
            const Value value, ParseLiteralAt(equal->value, e.argument.type));
        OPCOMPAT_ASSIGN_OR_RETURN(
            const Value means, ParseLiteralAt(equal->means, e.argument.type));
        truth_.arguments_[static_cast<size_t>(e.id)]
            .equal_values[op->revision]
            .push_back({value, means});
      }
    }
    for (const std::string& hint : declared.hints) {
      for (const TrueOperator::Exposed& e : op->exposed) {
        if (e.argument.name == hint) {
          truth_.arguments_[static_cast<size_t>(e.id)].is_hint[op->revision] =
              true;
        }
      }
    }
    return absl::OkStatus();
  }

  absl::Status ReadRevision(size_t v, const DeclaredSemanticChange& change,
                            const TrueOperator& before,
                            const TrueOperator& after) {
    std::string name;
    for (const auto& [n, op] : truth_.versions_[v]) {
      if (op.id == after.id) name = n;
    }
    if (SecretOf(v, name, StepKind::kWrongUpgrader) != nullptr) {
      return absl::OkStatus();
    }
    OPCOMPAT_ASSIGN_OR_RETURN(TrueStep up, ReadStep(before, change.upgraders,
                                                    change.unchanged_when, v));
    if (!up.cases.empty()) {
      truth_.steps_[OperatorKey(before.id, before.revision)] = std::move(up);
      return absl::OkStatus();
    }
    OPCOMPAT_ASSIGN_OR_RETURN(down_[OperatorKey(after.id, after.revision)],
                              ReadStep(after, change.downgraders, {}, v - 1));
    return absl::OkStatus();
  }

  absl::StatusOr<TrueStep> ReadStep(
      const TrueOperator& side, const std::vector<DeclaredStep>& steps,
      const std::vector<std::vector<DeclaredCondition>>& unchanged_when,
      size_t graph_version) {
    TrueStep step;
    step.side = side;
    step.graph_version = graph_version;
    for (const std::vector<DeclaredCondition>& when : unchanged_when) {
      TrueStep::Case unchanged;
      OPCOMPAT_ASSIGN_OR_RETURN(unchanged.when, ReadConditions(side, when));
      step.cases.push_back(std::move(unchanged));
    }
    for (const DeclaredStep& declared : steps) {
      TrueStep::Case graph;
      OPCOMPAT_ASSIGN_OR_RETURN(graph.when,
                                ReadConditions(side, declared.when));
      const auto file = files_.find(declared.graph);
      if (file == files_.end()) {
        return absl::NotFoundError(absl::StrCat(declared.graph, ": no file"));
      }
      OPCOMPAT_ASSIGN_OR_RETURN(
          const Runtime runtime,
          Runtime::Create({history_.versions()[graph_version]}));
      OPCOMPAT_ASSIGN_OR_RETURN(Module module,
                                ParseModule(file->second, runtime));
      graph.graph = std::make_shared<const Module>(std::move(module));
      step.cases.push_back(std::move(graph));
    }
    return step;
  }

  // (`unchanged_when` is read at the newer revision. Simulated histories write
  // conditions that both sides read alike.)
  static absl::StatusOr<std::vector<TrueStep::Condition>> ReadConditions(
      const TrueOperator& side, const std::vector<DeclaredCondition>& when) {
    std::vector<TrueStep::Condition> conditions;
    for (const DeclaredCondition& declared : when) {
      TrueStep::Condition condition;
      for (const TrueOperator::Exposed& e : side.exposed) {
        if (e.argument.name != declared.argument) continue;
        condition.argument = e.id;
        for (const std::string& literal : declared.one_of) {
          OPCOMPAT_ASSIGN_OR_RETURN(Value value,
                                    ParseLiteralAt(literal, e.argument.type));
          condition.one_of.push_back(std::move(value));
        }
        for (const std::string& text : declared.types) {
          OPCOMPAT_ASSIGN_OR_RETURN(Type type, ParseType(text));
          condition.types.push_back(std::move(type));
        }
      }
      conditions.push_back(std::move(condition));
    }
    return conditions;
  }

  // Which values of an argument are one value, whatever its type was.
  void ReadTypes() {
    for (const auto& [id, types] : types_) {
      bool has_int = false;
      bool has_float = false;
      bool has_lone = false;
      int64_t num_copies = 0;
      for (const Type& type : types) {
        const Type& inner = WithoutOptional(type);
        has_int = has_int || inner.kind() == TypeKind::kInt;
        has_float = has_float || inner.kind() == TypeKind::kFloat;
        if (inner.kind() != TypeKind::kList) {
          has_lone = true;
        } else {
          num_copies = std::max(num_copies, inner.size());
        }
      }
      TrueArgument& argument = truth_.arguments_[static_cast<size_t>(id)];
      argument.is_float = has_int && has_float;
      argument.num_copies = has_lone ? num_copies : 0;
    }
  }

  const DeclaredHistory& declared_;
  const OpsetHistory& history_;
  const HistoryFiles& files_;
  const std::vector<Secret>& secrets_;
  Truth truth_;
  int num_operators_ = 0;
  std::map<std::string, TrueOperator> gone_;
  std::map<std::pair<int, std::string>, int> ids_of_names_;
  std::map<int, std::vector<Type>> types_;
  std::map<OperatorKey, TrueStep> down_;
};

absl::StatusOr<Truth> Truth::Create(const LoadedHistory& loaded,
                                    const HistoryFiles& files,
                                    const std::vector<Secret>& secrets) {
  if (loaded.history == nullptr) {
    return absl::FailedPreconditionError("the history has faults");
  }
  return TruthReader(loaded, files, secrets).Read();
}

absl::optional<size_t> Truth::VersionIndex(absl::string_view id) const {
  const auto found = std::find(ids_.begin(), ids_.end(), id);
  if (found == ids_.end()) return absl::nullopt;
  return static_cast<size_t>(found - ids_.begin());
}

const TrueOperator* Truth::Find(size_t version, absl::string_view op) const {
  const auto found = versions_[version].find(op);
  return found == versions_[version].end() ? nullptr : &found->second;
}

const TrueStep* Truth::FindStep(int op, uint32_t revision) const {
  const auto found = steps_.find({op, revision});
  return found == steps_.end() ? nullptr : &found->second;
}

}  // namespace simulation
}  // namespace opcompat
