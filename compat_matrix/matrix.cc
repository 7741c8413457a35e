#include "compat_matrix/matrix.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"
#include "binding/report.h"
#include "compat_matrix/oracle/oracle.h"
#include "compat_matrix/result.h"
#include "compat_matrix/testees/testee.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"
#include "schema/history.h"
#include "schema/opset.h"
#include "serializer/serialize.h"

namespace opcompat {
namespace {

bool Selected(const std::vector<std::string>& only, const std::string& id) {
  return only.empty() || std::find(only.begin(), only.end(), id) != only.end();
}

// The runtimes in which one history varies.
class Varying {
 public:
  static absl::StatusOr<Varying> Create(
      const std::vector<std::shared_ptr<const OpsetHistory>>& histories,
      size_t varying) {
    Varying result;
    for (const Opset& version : histories[varying]->versions()) {
      std::vector<Opset> opsets;
      for (size_t i = 0; i < histories.size(); ++i) {
        opsets.push_back(i == varying ? version : histories[i]->newest());
      }
      OPCOMPAT_ASSIGN_OR_RETURN(Runtime runtime,
                                Runtime::Create(std::move(opsets)));
      result.versions_.push_back({version.version(), std::move(runtime)});
    }
    return result;
  }

  struct Version {
    std::string id;
    Runtime runtime;
  };
  const std::vector<Version>& versions() const { return versions_; }

 private:
  std::vector<Version> versions_;
};

// A module as one version writes it.
struct Written {
  std::string id;    // of the version that varies
  size_t index = 0;  // of that version
  Runtime runtime;
  Module module;
};

std::shared_ptr<const MatrixHistory> DescribeHistory(
    const OpsetHistory& history) {
  auto described = std::make_shared<MatrixHistory>();
  described->name = described->group = history.name();
  for (const Opset& version : history.versions()) {
    described->versions.push_back(version.version());
  }
  return described;
}

class MatrixRunner {
 public:
  explicit MatrixRunner(const MatrixOptions& options) : options_(options) {}

  absl::StatusOr<MatrixResult> Run() {
    OPCOMPAT_RETURN_IF_ERROR(CheckVersions());
    for (Testee* testee : options_.testees) {
      result_.names.testees.push_back(testee->name());
      testee->SetHistories(options_.histories);
    }
    const size_t all = options_.histories.size() * options_.modules.size();
    size_t done = 0;
    std::vector<bool> took_part(options_.modules.size(), false);
    for (size_t h = 0; h < options_.histories.size(); ++h) {
      history_ = options_.histories[h].get();
      OPCOMPAT_ASSIGN_OR_RETURN(Varying varying,
                                Varying::Create(options_.histories, h));
      const std::shared_ptr<const MatrixHistory> history =
          DescribeHistory(*history_);
      for (size_t m = 0; m < options_.modules.size(); ++m) {
        const MatrixModule& module = options_.modules[m];
        OPCOMPAT_ASSIGN_OR_RETURN(std::vector<Written> written,
                                  Write(module, varying));
        if (!written.empty()) took_part[m] = true;
        module_.history = history;
        module_.module = module.path;
        module_.text = module.text;
        for (const Written& w : written) RunWriter(w, varying);
        if (!module_.cells.empty()) {
          result_.modules.push_back(std::move(module_));
        }
        module_ = ModuleCells();
        ++done;
        if (options_.progress) options_.progress(done, all);
      }
    }
    for (size_t m = 0; m < took_part.size(); ++m) {
      if (!took_part[m] && options_.writers.empty()) {
        return absl::InvalidArgumentError(
            absl::StrCat(options_.modules[m].path,
                         ": no version of the histories given can write it"));
      }
    }
    if (result_.modules.empty()) {
      return absl::InvalidArgumentError(
          "no cell: no module is left for these versions");
    }
    return std::move(result_);
  }

 private:
  absl::Status CheckVersions() const {
    for (const auto* only : {&options_.writers, &options_.readers}) {
      for (const std::string& id : *only) {
        const bool known = std::any_of(
            options_.histories.begin(), options_.histories.end(),
            [&](const std::shared_ptr<const OpsetHistory>& history) {
              return history->At(id).ok();
            });
        if (!known) {
          return absl::InvalidArgumentError(
              absl::StrCat("no history has a version ", id));
        }
      }
    }
    return absl::OkStatus();
  }

  // The module at each version that writes it. A module that names other
  // histories only has no part in this one's cells.
  absl::StatusOr<std::vector<Written>> Write(const MatrixModule& module,
                                             const Varying& varying) const {
    const std::vector<OpsetVersion> lines = ReadOpsetLines(module.text);
    std::vector<Written> written;
    absl::Status last_error;
    for (size_t v = 0; v < varying.versions().size(); ++v) {
      const Varying::Version& version = varying.versions()[v];
      if (!lines.empty()) {
        const auto line = std::find_if(lines.begin(), lines.end(),
                                       [&](const OpsetVersion& opset) {
                                         return history_->HasName(opset.name);
                                       });
        if (line == lines.end() || line->version != version.id) continue;
      }
      OPCOMPAT_ASSIGN_OR_RETURN(Runtime writer,
                                WriterRuntime(module, lines, version));
      absl::StatusOr<Module> parsed = ParseModule(module.text, writer);
      if (!parsed.ok()) {
        last_error = parsed.status();
        if (lines.empty()) continue;
        return absl::InvalidArgumentError(
            absl::StrCat(module.path, ":", parsed.status().message()));
      }
      written.push_back({version.id, v, std::move(writer), *std::move(parsed)});
    }
    if (written.empty() && lines.empty() && options_.histories.size() == 1) {
      return absl::InvalidArgumentError(
          absl::StrCat(module.path, ":", last_error.message()));
    }
    if (written.empty() &&
        std::any_of(lines.begin(), lines.end(), [&](const OpsetVersion& opset) {
          return history_->HasName(opset.name);
        })) {
      return absl::InvalidArgumentError(
          absl::StrCat(module.path, ": ", history_->name(),
                       " has none of the versions that it names"));
    }
    written.erase(std::remove_if(written.begin(), written.end(),
                                 [&](const Written& w) {
                                   return !Selected(options_.writers, w.id);
                                 }),
                  written.end());
    return written;
  }

  // What writes a module: the varying history at `version`, the others at the
  // versions that the module names, else at their newest.
  absl::StatusOr<Runtime> WriterRuntime(const MatrixModule& module,
                                        const std::vector<OpsetVersion>& lines,
                                        const Varying::Version& version) const {
    std::vector<Opset> opsets;
    for (const Opset& opset : version.runtime.opsets()) {
      const auto line = std::find_if(
          lines.begin(), lines.end(),
          [&](const OpsetVersion& l) { return opset.HasName(l.name); });
      if (line == lines.end() || line->version == opset.version()) {
        opsets.push_back(opset);
        continue;
      }
      for (const std::shared_ptr<const OpsetHistory>& history :
           options_.histories) {
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

  void RunWriter(const Written& written, const Varying& varying) {
    absl::StatusOr<std::string> bytes =
        Serialize(written.module, written.runtime);
    for (size_t r = 0; r < varying.versions().size(); ++r) {
      const Varying::Version& reader = varying.versions()[r];
      if (!Selected(options_.readers, reader.id)) continue;
      const Prediction prediction =
          Predict(written.module, written.runtime, reader.runtime);
      for (size_t t = 0; t < options_.testees.size(); ++t) {
        NewCell cell(written, r, t, prediction, /*for_target=*/false);
        if (bytes.ok()) {
          Read(*bytes, written, reader, *options_.testees[t], &cell);
        } else {
          cell.outcome.detail =
              absl::StrCat("cannot be written: ", bytes.status().ToString());
        }
        Add(std::move(cell));
      }
      if (reader.id != written.id) RunTarget(written, reader, r);
    }
  }

  void RunTarget(const Written& written, const Varying::Version& reader,
                 size_t r) {
    const Prediction prediction =
        Predict(written.module, written.runtime, reader.runtime,
                /*as_target=*/true);
    SerializeOptions options;
    options.targets = {&reader.runtime};
    std::vector<TargetRefusal> refusals;
    absl::StatusOr<std::string> bytes =
        Serialize(written.module, written.runtime, options, &refusals);
    for (size_t t = 0; t < options_.testees.size(); ++t) {
      NewCell cell(written, r, t, prediction, /*for_target=*/true);
      if (bytes.ok()) {
        Read(*bytes, written, reader, *options_.testees[t], &cell);
        // What was written for a version must be readable there.
        if (!cell.accepted && cell.state == CellState::kRefused) {
          cell.state = CellState::kUnexpected;
          cell.outcome.detail = "written for this version, which refuses it";
        }
      } else if (!refusals.empty()) {
        cell.outcome.reasons = refusals[0].reasons;
        cell.state = cell.predicted_accepted ? CellState::kUnexpected
                                             : CellState::kRefused;
        if (cell.predicted_accepted) {
          cell.outcome.detail = "predicted: accepted";
        }
      } else {
        cell.outcome.detail =
            absl::StrCat("cannot be written: ", bytes.status().ToString());
      }
      Add(std::move(cell));
    }
  }

  // A cell and its own outcome.
  struct NewCell : Cell {
    NewCell(const Written& written, size_t reader_index, size_t testee_index,
            const Prediction& prediction, bool written_for_target) {
      writer = static_cast<uint16_t>(written.index);
      reader = static_cast<uint16_t>(reader_index);
      testee = static_cast<uint16_t>(testee_index);
      for_target = written_for_target;
      predicted_accepted = prediction.accepted;
      for (const Prediction::Refusal& refusal : prediction.refusals) {
        outcome.predicted_reasons.push_back(absl::StrCat(
            refusal.code, " ", refusal.op, refusal.argument.empty() ? "" : " ",
            refusal.argument));
      }
    }
    CellOutcome outcome;
  };

  // Runs and judges one cell.
  void Read(absl::string_view bytes, const Written& written,
            const Varying::Version& reader, Testee& testee,
            NewCell* cell) const {
    TesteeAnswer answer = testee.Read(bytes, reader.runtime);
    if (!answer.crash.empty()) {
      cell->outcome.detail = std::move(answer.crash);
      if (answer.hung) cell->state = CellState::kHung;
      return;
    }
    cell->accepted = answer.module.has_value();
    cell->outcome.reasons = std::move(answer.reasons);
    cell->outcome.report = std::move(answer.report);
    if (cell->accepted) {
      absl::optional<std::string> difference =
          MeaningDiffers(written.module, *answer.module, written.runtime,
                         reader.runtime, /*as_target=*/cell->for_target);
      if (difference.has_value()) {
        cell->state = CellState::kMisread;
        cell->outcome.detail = *std::move(difference);
        return;
      }
    }
    if (cell->accepted != cell->predicted_accepted) {
      cell->state = CellState::kUnexpected;
      cell->outcome.detail = absl::StrCat(
          "predicted: ", cell->predicted_accepted ? "accepted" : "refused");
    } else if (!cell->accepted) {
      cell->state = CellState::kRefused;
    } else {
      cell->state = ReadAsItStands(cell->outcome.report) ? CellState::kIdentical
                                                         : CellState::kAdapted;
    }
  }

  // Whether that is what the testee says; it need not say anything.
  static bool ReadAsItStands(const LoadReport& report) {
    return !report.operators.empty() &&
           std::all_of(report.operators.begin(), report.operators.end(),
                       [](const OperatorReport& op) {
                         return op.identical == op.calls;
                       });
  }

  void Add(NewCell cell) {
    result_.summary.Add(cell.state);
    static_cast<Cell&>(cell).outcome =
        static_cast<uint32_t>(module_.outcomes.size());
    module_.outcomes.push_back(std::move(cell.outcome));
    module_.cells.push_back(cell);
  }

  const MatrixOptions& options_;
  const OpsetHistory* history_ = nullptr;  // the one that varies
  ModuleCells module_;
  MatrixResult result_;
};

}  // namespace

absl::StatusOr<MatrixResult> RunMatrix(const MatrixOptions& options) {
  return MatrixRunner(options).Run();
}

}  // namespace opcompat
