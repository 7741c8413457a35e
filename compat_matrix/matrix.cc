#include "compat_matrix/matrix.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"
#include "compat_matrix/cell_runner.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"
#include "schema/opset.h"

namespace opcompat {
namespace {

using HistoryPtr = std::shared_ptr<const OpsetHistory>;

bool Selected(const std::vector<std::string>& only, const std::string& id) {
  return only.empty() || std::find(only.begin(), only.end(), id) != only.end();
}

absl::Status CheckVersions(const MatrixOptions& options) {
  for (const auto* only : {&options.writers, &options.readers}) {
    for (const std::string& id : *only) {
      const bool known = std::any_of(
          options.histories.begin(), options.histories.end(),
          [&](const HistoryPtr& history) { return history->At(id).ok(); });
      if (!known) {
        return absl::InvalidArgumentError(
            absl::StrCat("no history has a version ", id));
      }
    }
  }
  return absl::OkStatus();
}

// The runtimes in which one history varies.
absl::StatusOr<std::vector<RuntimeVersion>> Varying(
    const std::vector<HistoryPtr>& histories, size_t varying) {
  std::vector<RuntimeVersion> versions;
  for (const Opset& version : histories[varying]->versions()) {
    std::vector<Opset> opsets;
    for (size_t i = 0; i < histories.size(); ++i) {
      opsets.push_back(i == varying ? version : histories[i]->newest());
    }
    OPCOMPAT_ASSIGN_OR_RETURN(Runtime runtime,
                              Runtime::Create(std::move(opsets)));
    versions.push_back({version.version(), std::move(runtime)});
  }
  return versions;
}

std::shared_ptr<const MatrixHistory> Described(const OpsetHistory& history,
                                               const std::string& group) {
  auto described = std::make_shared<MatrixHistory>();
  described->name = history.name();
  described->group = group.empty() ? history.name() : group;
  for (const Opset& version : history.versions()) {
    described->versions.push_back(version.version());
  }
  return described;
}

const OpsetVersion* LineOf(const std::vector<OpsetVersion>& lines,
                           const OpsetHistory& history) {
  for (const OpsetVersion& line : lines) {
    if (history.HasName(line.name)) return &line;
  }
  return nullptr;
}

// What writes a module: the varying history at `version`, the others at the
// versions that the module names, else at their newest.
absl::StatusOr<Runtime> WriterRuntime(const std::vector<HistoryPtr>& histories,
                                      const MatrixModule& module,
                                      const std::vector<OpsetVersion>& lines,
                                      const RuntimeVersion& version) {
  std::vector<Opset> opsets;
  for (const Opset& opset : version.runtime.opsets()) {
    const auto line = std::find_if(
        lines.begin(), lines.end(),
        [&](const OpsetVersion& l) { return opset.HasName(l.name); });
    if (line == lines.end() || line->version == opset.version()) {
      opsets.push_back(opset);
      continue;
    }
    for (const HistoryPtr& history : histories) {
      if (!history->HasName(line->name)) continue;
      absl::StatusOr<Opset> named = history->At(line->version);
      if (!named.ok()) {
        return absl::InvalidArgumentError(
            absl::StrCat(module.path, ": ", named.status().message()));
      }
      opsets.push_back(*std::move(named));
    }
  }
  return Runtime::Create(std::move(opsets));
}

}  // namespace

struct ModuleUnits::History {
  const OpsetHistory* history = nullptr;
  std::shared_ptr<const MatrixHistory> described;
  std::vector<RuntimeVersion> versions;
  std::vector<bool> is_reader;  // by version

  // Whether some version can write the module, which names none.
  bool CanWrite(const MatrixModule& module) const {
    return std::any_of(versions.begin(), versions.end(),
                       [&](const RuntimeVersion& version) {
                         return ParseModule(module.text, version.runtime).ok();
                       });
  }
};

ModuleUnits::ModuleUnits(MatrixOptions options)
    : options_(std::move(options)) {}
ModuleUnits::~ModuleUnits() = default;

absl::StatusOr<std::unique_ptr<ModuleUnits>> ModuleUnits::Create(
    MatrixOptions options) {
  OPCOMPAT_RETURN_IF_ERROR(CheckVersions(options));
  std::unique_ptr<ModuleUnits> units(new ModuleUnits(std::move(options)));
  const MatrixOptions& of = units->options_;
  for (size_t h = 0; h < of.histories.size(); ++h) {
    auto history = std::make_unique<History>();
    history->history = of.histories[h].get();
    history->described = Described(*history->history, of.group);
    OPCOMPAT_ASSIGN_OR_RETURN(history->versions, Varying(of.histories, h));
    for (const RuntimeVersion& version : history->versions) {
      history->is_reader.push_back(Selected(of.readers, version.id));
    }
    units->histories_.push_back(std::move(history));
  }
  return units;
}

size_t ModuleUnits::size() const {
  return histories_.size() * options_.modules.size();
}

const std::string& ModuleUnits::module_of(size_t i) const {
  return options_.modules[i % options_.modules.size()].path;
}

const std::string& ModuleUnits::history_of(size_t i) const {
  return histories_[i / options_.modules.size()]->described->name;
}

void ModuleUnits::AddTo(RunFingerprint* fingerprint) const {
  for (const auto& history : histories_) {
    fingerprint->Add(history->described->name);
    fingerprint->Add(history->described->versions);
  }
  for (const MatrixModule& module : options_.modules) {
    fingerprint->Add(module.path);
    fingerprint->Add(module.text);
  }
  fingerprint->Add(options_.writers);
  fingerprint->Add(options_.readers);
}

absl::StatusOr<std::vector<ModuleCells>> ModuleUnits::Run(
    size_t i, Worker& worker) const {
  const History& history = *histories_[i / options_.modules.size()];
  const MatrixModule& module = options_.modules[i % options_.modules.size()];
  const std::vector<OpsetVersion> lines = ReadOpsetLines(module.text);
  const OpsetVersion* const line = LineOf(lines, *history.history);
  std::vector<ModuleCells> cells;
  // A module that names other histories only has no part in this one's cells.
  if (!lines.empty() && line == nullptr) {
    if (std::any_of(histories_.begin(), histories_.end(),
                    [&](const std::unique_ptr<const History>& other) {
                      return LineOf(lines, *other->history) != nullptr;
                    })) {
      return cells;
    }
    return absl::InvalidArgumentError(
        absl::StrCat(module.path, ": it names none of the histories given"));
  }

  CellRunner::Options options;
  options.history = history.described;
  options.versions = &history.versions;
  options.is_reader = &history.is_reader;
  options.execution = options_.execution;
  worker.SetHistories(options_.histories);
  CellRunner runner(std::move(options), &worker);
  size_t written = 0;
  absl::Status last_error;
  for (size_t v = 0; v < history.versions.size(); ++v) {
    const RuntimeVersion& version = history.versions[v];
    if (line != nullptr && line->version != version.id) continue;
    OPCOMPAT_ASSIGN_OR_RETURN(
        const Runtime writer,
        WriterRuntime(options_.histories, module, lines, version));
    const absl::StatusOr<Module> parsed = ParseModule(module.text, writer);
    if (!parsed.ok()) {
      last_error = parsed.status();
      if (lines.empty()) continue;
      return absl::InvalidArgumentError(
          absl::StrCat(module.path, ":", last_error.message()));
    }
    ++written;
    if (Selected(options_.writers, version.id)) {
      runner.AddWriter(v, writer, *parsed);
    }
  }
  if (written == 0 && line != nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat(module.path, ": ", history.history->name(),
                     " has none of the versions that it names"));
  }
  // With other histories around, it may be a module of theirs.
  if (written == 0 && histories_.size() == 1) {
    return absl::InvalidArgumentError(
        absl::StrCat(module.path, ":", last_error.message()));
  }
  if (written == 0 && std::none_of(histories_.begin(), histories_.end(),
                                   [&](const auto& other) {
                                     return other->CanWrite(module);
                                   })) {
    return absl::InvalidArgumentError(absl::StrCat(
        module.path, ": no version of the histories given can write it"));
  }
  ModuleCells of_module = runner.Take(module.path, module.text);
  if (!of_module.cells.empty()) cells.push_back(std::move(of_module));
  return cells;
}

absl::StatusOr<MatrixResult> RunMatrix(const MatrixOptions& options,
                                       const RunOptions& run) {
  class Collector : public ResultSink {
   public:
    explicit Collector(std::vector<ModuleCells>* modules) : modules_(modules) {}
    absl::Status Add(const ModuleCells& module) override {
      modules_->push_back(module);
      return absl::OkStatus();
    }

   private:
    std::vector<ModuleCells>* const modules_;
  };

  OPCOMPAT_ASSIGN_OR_RETURN(const std::unique_ptr<ModuleUnits> units,
                            ModuleUnits::Create(options));
  MatrixResult result;
  Collector collector(&result.modules);
  OPCOMPAT_ASSIGN_OR_RETURN(result.summary,
                            RunUnits({units.get()}, run, &collector));
  result.names = NamesOf(run);
  if (result.modules.empty()) {
    return absl::InvalidArgumentError(
        "no cell: no module is left for these versions");
  }
  return result;
}

}  // namespace opcompat
