#include "compat_matrix/simulation/smaller_history.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/types/optional.h"
#include "google/protobuf/text_format.h"
#include "schema/history.pb.h"
#include "schema/operator_schema.h"
#include "schema/text/schema_parser.h"

namespace opcompat {
namespace simulation {
namespace {

constexpr char kHistory[] = "history.textproto";

// The argument that a change is about; empty: none.
std::string ArgumentOf(const schema::Change& change) {
  switch (change.what_case()) {
    case schema::Change::kRenamedArgument:
      return change.renamed_argument().to();
    case schema::Change::kNeutralValue:
      return change.neutral_value().argument();
    case schema::Change::kRetiredValue:
      return change.retired_value().argument();
    case schema::Change::kEqualValue:
      return change.equal_value().argument();
    case schema::Change::kIgnorableArgument:
      return change.ignorable_argument();
    default:
      return "";
  }
}

class Smaller {
 public:
  Smaller(const HistoryFiles& files, const std::vector<std::string>& kept)
      : files_(files), kept_(kept) {}

  std::vector<HistoryFiles> All() {
    const auto text = files_.find(kHistory);
    if (text == files_.end() || !google::protobuf::TextFormat::ParseFromString(
                                    text->second, &history_)) {
      return {};
    }
    DropVersions();
    DropOperators();
    DropChanges();
    DropArguments();
    DropResults();
    return std::move(smaller_);
  }

 private:
  // `files` with this history, and without what nobody names.
  void Add(HistoryFiles files, const schema::History& history) {
    google::protobuf::TextFormat::PrintToString(history, &files[kHistory]);
    std::set<std::string> named = {kHistory};
    const auto name = [&](const auto& steps) {
      for (const schema::Step& step : steps) named.insert(step.graph());
    };
    for (const schema::Version& version : history.versions()) {
      named.insert(version.operators());
      for (const schema::Change& change : version.changes()) {
        name(change.removed().steps());
        name(change.added().steps());
        name(change.semantic_change().upgraders());
        name(change.semantic_change().downgraders());
      }
    }
    for (auto it = files.begin(); it != files.end();) {
      it = named.count(it->first) > 0 ? std::next(it) : files.erase(it);
    }
    if (files != files_) smaller_.push_back(std::move(files));
  }

  void DropVersions() {
    for (int v = history_.versions_size(); v-- > 0;) {
      const std::string& id = history_.versions(v).id();
      if (std::find(kept_.begin(), kept_.end(), id) != kept_.end()) continue;
      schema::History dropped = history_;
      dropped.mutable_versions()->DeleteSubrange(v, 1);
      Add(files_, dropped);
      // The next one declares what it did.
      if (v >= dropped.versions_size()) continue;
      schema::Version& next = *dropped.mutable_versions(v);
      schema::Version moved = next;
      moved.clear_changes();
      moved.mutable_changes()->CopyFrom(history_.versions(v).changes());
      moved.mutable_changes()->MergeFrom(next.changes());
      next = std::move(moved);
      Add(files_, dropped);
    }
  }

  // Every line of the .ops files, changed; nullopt: dropped.
  using Edit = std::function<absl::optional<std::string>(
      const std::string& path, const OperatorSchema& schema)>;
  HistoryFiles Edited(const Edit& edit) const {
    HistoryFiles files = files_;
    for (const schema::Version& version : history_.versions()) {
      const auto file = files.find(version.operators());
      if (file == files.end()) continue;
      std::string text;
      for (const absl::string_view line :
           absl::StrSplit(file->second, '\n', absl::SkipWhitespace())) {
        const absl::StatusOr<OperatorSchema> schema = ParseSchemaLenient(line);
        const absl::optional<std::string> edited =
            schema.ok() ? edit(file->first, *schema) : std::string(line);
        if (edited.has_value()) absl::StrAppend(&text, *edited, "\n");
      }
      file->second = std::move(text);
    }
    return files;
  }

  // The names of operators and of their arguments, each with all that it was
  // called.
  std::vector<std::set<std::string>> Operators() const {
    std::vector<std::set<std::string>> operators;
    const auto find = [&](const std::string& name) {
      return std::find_if(operators.begin(), operators.end(),
                          [&](const auto& o) { return o.count(name) > 0; });
    };
    for (const schema::Version& version : history_.versions()) {
      for (const schema::Change& change : version.changes()) {
        if (!change.has_renamed_from()) continue;
        const auto old = find(change.renamed_from());
        if (old == operators.end()) {
          operators.push_back({change.renamed_from(), change.operator_()});
        } else {
          old->insert(change.operator_());
        }
      }
    }
    Edited([&](const std::string&, const OperatorSchema& schema) {
      if (find(schema.full_name()) == operators.end()) {
        operators.push_back({schema.full_name()});
      }
      return absl::optional<std::string>(schema.ToString());
    });
    return operators;
  }

  void DropOperators() {
    for (const std::set<std::string>& names : Operators()) {
      schema::History dropped = history_;
      for (schema::Version& version : *dropped.mutable_versions()) {
        Remove(version.mutable_changes(), [&](const schema::Change& change) {
          return names.count(change.operator_()) > 0;
        });
        if (version.has_gap()) {
          Remove(version.mutable_gap()->mutable_except(),
                 [&](const schema::ArgumentRef& except) {
                   return names.count(except.operator_()) > 0;
                 });
        }
      }
      Add(Edited([&](const std::string&, const OperatorSchema& schema)
                     -> absl::optional<std::string> {
            if (names.count(schema.full_name()) > 0) return absl::nullopt;
            return schema.ToString();
          }),
          dropped);
    }
  }

  template <typename Repeated, typename Predicate>
  static void Remove(Repeated* from, Predicate predicate) {
    for (int i = from->size(); i-- > 0;) {
      if (predicate(from->Get(i))) from->DeleteSubrange(i, 1);
    }
  }

  void DropChanges() {
    if (history_.aliases_size() > 0) {
      schema::History dropped = history_;
      dropped.clear_aliases();
      Add(files_, dropped);
    }
    for (int v = 0; v < history_.versions_size(); ++v) {
      if (history_.versions(v).has_gap()) {
        schema::History dropped = history_;
        dropped.mutable_versions(v)->clear_gap();
        Add(files_, dropped);
      }
      for (int c = history_.versions(v).changes_size(); c-- > 0;) {
        schema::History dropped = history_;
        dropped.mutable_versions(v)->mutable_changes()->DeleteSubrange(c, 1);
        Add(files_, dropped);
        DropSteps(v, c);
      }
    }
  }

  void DropSteps(int v, int c) {
    const schema::SemanticChange& change =
        history_.versions(v).changes(c).semantic_change();
    const auto drop = [&](int size, auto mutable_field) {
      for (int i = size; i-- > 0;) {
        schema::History dropped = history_;
        mutable_field(dropped.mutable_versions(v)
                          ->mutable_changes(c)
                          ->mutable_semantic_change())
            ->DeleteSubrange(i, 1);
        Add(files_, dropped);
      }
    };
    drop(change.upgraders_size(),
         [](schema::SemanticChange* s) { return s->mutable_upgraders(); });
    drop(change.downgraders_size(),
         [](schema::SemanticChange* s) { return s->mutable_downgraders(); });
    drop(change.unchanged_when_size(),
         [](schema::SemanticChange* s) { return s->mutable_unchanged_when(); });
  }

  // An argument under all its names, and what was declared of it.
  void DropArguments() {
    for (const std::set<std::string>& names : Operators()) {
      std::vector<std::set<std::string>> arguments;
      const auto find = [&](const std::string& name) {
        return std::find_if(arguments.begin(), arguments.end(),
                            [&](const auto& a) { return a.count(name) > 0; });
      };
      for (const schema::Version& version : history_.versions()) {
        for (const schema::Change& change : version.changes()) {
          if (names.count(change.operator_()) == 0 ||
              !change.has_renamed_argument()) {
            continue;
          }
          const auto old = find(change.renamed_argument().from());
          if (old == arguments.end()) {
            arguments.push_back({change.renamed_argument().from(),
                                 change.renamed_argument().to()});
          } else {
            old->insert(change.renamed_argument().to());
          }
        }
      }
      Edited([&](const std::string&, const OperatorSchema& schema) {
        if (names.count(schema.full_name()) > 0) {
          for (const Argument& argument : schema.arguments()) {
            if (find(argument.name) == arguments.end()) {
              arguments.push_back({argument.name});
            }
          }
        }
        return absl::optional<std::string>(schema.ToString());
      });
      for (const std::set<std::string>& argument : arguments) {
        DropArgument(names, argument);
      }
    }
  }

  void DropArgument(const std::set<std::string>& operators,
                    const std::set<std::string>& argument) {
    schema::History dropped = history_;
    for (schema::Version& version : *dropped.mutable_versions()) {
      Remove(version.mutable_changes(), [&](const schema::Change& change) {
        return operators.count(change.operator_()) > 0 &&
               argument.count(ArgumentOf(change)) > 0;
      });
    }
    Add(Edited([&](const std::string&, const OperatorSchema& schema)
                   -> absl::optional<std::string> {
          if (operators.count(schema.full_name()) == 0) {
            return schema.ToString();
          }
          std::vector<Argument> left;
          for (const Argument& a : schema.arguments()) {
            if (argument.count(a.name) == 0) left.push_back(a);
          }
          return SchemaToString(schema.full_name(), left, schema.is_vararg(),
                                schema.results(), schema.is_varret());
        }),
        dropped);
  }

  void DropResults() {
    for (const std::set<std::string>& names : Operators()) {
      Add(Edited([&](const std::string&, const OperatorSchema& schema)
                     -> absl::optional<std::string> {
            if (names.count(schema.full_name()) == 0 ||
                schema.results().size() < 2) {
              return schema.ToString();
            }
            std::vector<Result> left = schema.results();
            left.pop_back();
            return SchemaToString(schema.full_name(), schema.arguments(),
                                  schema.is_vararg(), left, schema.is_varret());
          }),
          history_);
    }
  }

  const HistoryFiles& files_;
  const std::vector<std::string>& kept_;
  schema::History history_;
  std::vector<HistoryFiles> smaller_;
};

}  // namespace

std::vector<HistoryFiles> SmallerHistories(
    const HistoryFiles& files, const std::vector<std::string>& kept) {
  return Smaller(files, kept).All();
}

}  // namespace simulation
}  // namespace opcompat
