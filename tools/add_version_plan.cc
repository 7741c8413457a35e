#include "tools/add_version_plan.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "check/check.h"
#include "schema/differences/opset_difference.h"
#include "schema/proto_string.h"
#include "schema/text/schema_parser.h"
#include "schema/version_id.h"
#include "tools/fault_lines.h"
#include "tools/history_input.h"
#include "tools/inputs.h"
#include "tools/loaded_history.h"
#include "tools/output.h"
#include "tools/paths.h"
#include "tools/schema_list.h"

namespace opcompat {
namespace {

// ReadInput, for paths only.
absl::StatusOr<std::string> ReadFile(const std::string& path) {
  return ReadInput(path == "-" ? "./-" : path);
}

std::string BaseName(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

bool Exists(const std::string& path) {
  struct stat info;
  return lstat(path.c_str(), &info) == 0;
}

size_t CountLines(absl::string_view text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

class Planner {
 public:
  Planner(const AddVersionRequest& request, Histories& histories)
      : request_(request), histories_(histories) {}

  absl::StatusOr<AddVersionPlan> Run() {
    OPCOMPAT_RETURN_IF_ERROR(ReadHistory());
    OPCOMPAT_RETURN_IF_ERROR(ReadOperators());
    OPCOMPAT_RETURN_IF_ERROR(PlaceOperators());
    if (!request_.changes.empty()) {
      OPCOMPAT_ASSIGN_OR_RETURN(changes_, ReadFile(request_.changes));
      if (!changes_.empty() && changes_.back() != '\n') changes_ += '\n';
    }
    plan_.history_text = WithBlock("");
    plan_.loaded = Load();
    const size_t known = base_.declared.versions.size();
    const size_t versions = plan_.loaded.declared.versions.size();
    if (versions == known + 1 && base_.history != nullptr) {
      plan_.proposals = ProposeDeclarations(
          plan_.loaded.declared, base_.history->newest(), plan_.loaded.faults);
    }
    // The rest of the text has been read before, so it is the changes that
    // keep it from being read.
    RenamePlaces(/*malformed=*/versions == 0);
    if (versions == 0) return PlacedFaults(FaultLinesOf(plan_.loaded.faults));
    if (versions != known + 1) {
      return absl::InvalidArgumentError(
          absl::StrCat(request_.changes,
                       " leaves the block of the version; expected "
                       "`changes { ... }` and `gap { ... }` only"));
    }
    if (plan_.loaded.history == nullptr) return std::move(plan_);
    const std::vector<ListedOperator> now =
        ListOperators(plan_.loaded.history->newest());
    if (base_.history == nullptr) {
      plan_.differences = DiffOperatorLists({}, now);
      return std::move(plan_);  // nothing else reads or is read
    }
    plan_.differences =
        DiffOperatorLists(ListOperators(base_.history->newest()), now);
    CheckOptions check;
    check.newer = plan_.id;
    plan_.findings =
        CheckHistory(*plan_.loaded.history, &plan_.loaded.declared, check);
    if (request_.write_proposals) OPCOMPAT_RETURN_IF_ERROR(AddProposals());
    return std::move(plan_);
  }

 private:
  absl::Status ReadHistory() {
    plan_.history_path = request_.history;
    OPCOMPAT_ASSIGN_OR_RETURN(const HistoryInput input,
                              OpenHistory(plan_.history_path));
    if (input.is_compiled) {
      return PlacedFaults(FaultLinesOf(WithoutDeclarations(input.path).faults));
    }
    if (!absl::EndsWith(plan_.history_path, ".textproto")) {
      plan_.history_path = absl::StrCat(
          absl::StripSuffix(plan_.history_path, "/"), "/history.textproto");
    }
    const size_t slash = plan_.history_path.rfind('/');
    if (slash != std::string::npos) {
      directory_ = plan_.history_path.substr(0, slash + 1);
    }
    if (!Exists(plan_.history_path) &&
        IsDirectory(directory_.empty() ? "." : directory_)) {
      return absl::OkStatus();  // a history starts
    }
    OPCOMPAT_ASSIGN_OR_RETURN(base_text_, ReadFile(plan_.history_path));
    base_ = LoadDeclaredHistory(plan_.history_path, ReadFile, histories_);
    plan_.history = base_.declared.name;
    if (base_.history != nullptr) {
      plan_.before = base_.history->newest().version();
      return absl::OkStatus();
    }
    // A name and nothing else wrong than that there is no version.
    if (!plan_.history.empty() && base_.declared.versions.empty() &&
        base_.faults.size() == 1) {
      return absl::OkStatus();
    }
    return PlacedFaults(FaultLinesOf(base_.faults));
  }

  bool HasName(const std::string& name) const {
    const std::vector<std::string>& aliases = base_.declared.aliases;
    return name == plan_.history ||
           std::find(aliases.begin(), aliases.end(), name) != aliases.end();
  }

  // The name of the history, if it is not written down yet.
  absl::Status FindName(const SchemaFile& file) {
    if (plan_.history.empty()) {
      plan_.history = request_.name.empty() ? file.opset : request_.name;
      if (plan_.history.empty()) {
        return absl::InvalidArgumentError(
            absl::StrCat(plan_.history_path,
                         " is not there, and so starts with this version; ",
                         request_.operators,
                         " has no header `opset NAME ID`; say the name of the "
                         "history with --name=NAME"));
      }
      base_text_ = absl::StrCat("name: ", ProtoString(plan_.history), "\n");
    } else if (!request_.name.empty() && !HasName(request_.name)) {
      return absl::InvalidArgumentError(
          absl::StrCat(plan_.history_path, " is of history ", plan_.history,
                       ", --name says ", request_.name));
    }
    if (plan_.before.empty() && request_.gap) {
      return absl::InvalidArgumentError(
          absl::StrCat("--gap: history ", plan_.history,
                       " has no version yet before which one could lack"));
    }
    return absl::OkStatus();
  }

  absl::Status ReadOperators() {
    const std::string& path = request_.operators;
    OPCOMPAT_ASSIGN_OR_RETURN(plan_.operators_text, ReadInput(path));
    const SchemaFile file = ParseSchemaFile(plan_.operators_text);
    const std::vector<FaultLine> faults = SchemaFaults(file, path);
    if (!faults.empty()) return PlacedFaults(faults);
    OPCOMPAT_RETURN_IF_ERROR(FindName(file));
    return FindId(file);
  }

  absl::Status FindId(const SchemaFile& file) {
    const auto error = [](auto... parts) {
      return absl::InvalidArgumentError(absl::StrCat(parts...));
    };
    plan_.id = request_.id.empty() ? file.version : request_.id;
    if (plan_.id.empty()) {
      return error(request_.operators, " has no header `opset ", plan_.history,
                   " ID`; say which version it is with --id=ID");
    }
    const std::string fault = FaultOfVersionId(plan_.id);
    if (!fault.empty()) {
      return request_.id.empty() ? error(request_.operators, ": ", fault)
                                 : error("--id: ", fault);
    }
    if (file.opset.empty()) {
      plan_.operators_text = absl::StrCat("opset ", plan_.history, " ",
                                          plan_.id, "\n", plan_.operators_text);
      header_lines_ = 1;
    } else if (!HasName(file.opset)) {
      return error(request_.operators, " is of history ", file.opset,
                   ", expected ", plan_.history);
    } else if (file.version != plan_.id) {
      return error(request_.operators, " says that it is version ",
                   file.version, ", --id says ", plan_.id);
    }
    if (base_.history != nullptr && base_.history->At(plan_.id).ok()) {
      return error("history ", plan_.history, " has version ", plan_.id,
                   " already");
    }
    return absl::OkStatus();
  }

  absl::Status PlaceOperators() {
    name_ = request_.operators == "-"
                ? absl::StrCat(plan_.history, "-", plan_.id, ".ops")
                : BaseName(request_.operators);
    const std::string place = absl::StrCat(directory_, name_);
    operators_place_ = place;
    if (!Exists(place)) {
      plan_.operators_path = place;
      return absl::OkStatus();
    }
    if (request_.operators != "-" && header_lines_ == 0 &&
        IsSameFile(request_.operators, place)) {
      return absl::OkStatus();  // it is where it belongs
    }
    return absl::AlreadyExistsError(
        absl::StrCat(place, " exists already, and is not overwritten"));
  }

  // The history file with the new version, and `comments` in it.
  std::string WithBlock(absl::string_view comments) const {
    std::string text = base_text_;
    if (!text.empty() && text.back() != '\n') text += '\n';
    absl::StrAppend(&text, "\nversions {\n  id: ", ProtoString(plan_.id),
                    "\n  operators: ", ProtoString(name_), "\n");
    if (request_.gap) text += "  gap {}\n";
    absl::StrAppend(&text, changes_, comments, "}\n");
    return text;
  }

  // The history as it would be.
  LoadedHistory Load() const {
    const FileReader read_file =
        [this](const std::string& path) -> absl::StatusOr<std::string> {
      if (path == plan_.history_path) return plan_.history_text;
      if (path == operators_place_) return plan_.operators_text;
      return ReadFile(path);
    };
    return LoadDeclaredHistory(plan_.history_path, read_file, histories_);
  }

  // Places in text that is not on the disk, by what is. If that is `malformed`,
  // the changes are to blame, also where it shows only after them.
  void RenamePlaces(bool malformed) {
    const size_t known = CountLines(base_text_);
    for (HistoryFault& fault : plan_.loaded.faults) {
      SourcePlace& place = fault.place;
      if (place.file == operators_place_) {
        place.file = request_.operators;
        place.line = std::max(0, place.line - header_lines_);
      } else if (place.file == plan_.history_path &&
                 static_cast<size_t>(place.line) > known) {
        const bool in_changes = RenameBlockPlace(known, &place);
        if (malformed && !in_changes) {
          place = {request_.changes,
                   std::max(1, static_cast<int>(CountLines(changes_)))};
          fault.message =
              absl::StrCat("at the end of the file: ", fault.message);
        }
      }
    }
  }

  // Returns whether the place is in the changes.
  bool RenameBlockPlace(size_t known, SourcePlace* place) {
    // Before the changes: a line if the file did not end with one, an empty
    // one, `versions {`, id, operators, gap.
    const size_t added =
        (base_text_.empty() || base_text_.back() == '\n' ? 0 : 1) + 4 +
        (request_.gap ? 1 : 0);
    const size_t line = static_cast<size_t>(place->line) - known;
    const bool in_changes =
        line > added && line <= added + CountLines(changes_);
    place->file = in_changes ? request_.changes : request_.operators;
    place->line = in_changes ? static_cast<int>(line - added) : 0;
    if (!in_changes) place->column = 0;
    return in_changes;
  }

  absl::Status AddProposals() {
    std::string comments;
    for (const DeclarationProposal& proposal : plan_.proposals) {
      comments += CommentOf(proposal);
    }
    plan_.history_text = WithBlock(comments);
    // What is written has been loaded, word for word.
    LoadedHistory loaded = Load();
    if (loaded.history == nullptr) {
      return absl::InternalError(
          "the proposals, though comments, keep the history from loading");
    }
    plan_.loaded = std::move(loaded);
    return absl::OkStatus();
  }

  const AddVersionRequest& request_;
  Histories& histories_;
  AddVersionPlan plan_;
  std::string directory_;  // with the slash at its end, or empty
  std::string base_text_;
  LoadedHistory base_;  // without a history if there is no version yet
  std::string name_;    // of the .ops file, inside the directory
  std::string operators_place_;
  int header_lines_ = 0;  // put before the text of the .ops file
  std::string changes_;
};

}  // namespace

absl::StatusOr<AddVersionPlan> PlanAddVersion(const AddVersionRequest& request,
                                              Histories& histories) {
  return Planner(request, histories).Run();
}

absl::Status WriteAddedVersion(const AddVersionPlan& plan) {
  if (!plan.operators_path.empty()) {
    OPCOMPAT_RETURN_IF_ERROR(
        WriteOutput(plan.operators_path, plan.operators_text));
  }
  const absl::Status status = WriteOutput(plan.history_path, plan.history_text);
  if (!status.ok() && !plan.operators_path.empty()) {
    unlink(plan.operators_path.c_str());
  }
  return status;
}

}  // namespace opcompat
