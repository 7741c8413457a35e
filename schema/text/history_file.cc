#include "schema/text/history_file.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/message.h>
#include <google/protobuf/text_format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "schema/history.pb.h"
#include "schema/history_builder.h"
#include "schema/operator_schema.h"
#include "schema/text/literal_parser.h"
#include "schema/text/schema_parser.h"
#include "schema/text/type_parser.h"

namespace opcompat {
namespace {

using ::google::protobuf::Message;
using ::google::protobuf::TextFormat;
using Tree = TextFormat::ParseInfoTree;

bool IsDirectory(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

absl::StatusOr<std::string> ReadFromDisk(const std::string& path) {
  // Opening a directory succeeds; reading it gives nothing.
  if (IsDirectory(path)) {
    return absl::NotFoundError(
        absl::StrCat("cannot read ", path, ": it is a directory"));
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) return absl::NotFoundError(absl::StrCat("cannot read ", path));
  std::string text{std::istreambuf_iterator<char>(in),
                   std::istreambuf_iterator<char>()};
  if (in.bad()) return absl::NotFoundError(absl::StrCat("cannot read ", path));
  return text;
}

// Moves "LINE:COLUMN: " from the beginning of the message to the place.
void TakePlace(HistoryFault* fault) {
  const std::vector<absl::string_view> parts =
      absl::StrSplit(fault->message, absl::MaxSplits(':', 2));
  int line, column;
  if (parts.size() != 3 || !absl::SimpleAtoi(parts[0], &line) ||
      !absl::SimpleAtoi(parts[1], &column)) {
    return;
  }
  fault->place.line = line;
  fault->place.column = column;
  fault->message = std::string(absl::StripLeadingAsciiWhitespace(parts[2]));
}

// Turns the parser's errors into faults.
class SyntaxFaults : public google::protobuf::io::ErrorCollector {
 public:
  SyntaxFaults(const std::string& file, std::vector<HistoryFault>* faults)
      : file_(file), faults_(faults) {}

  // Lines and columns are counted from 0; -1 stands for the whole file.
  void AddError(int line, int column, const std::string& message) override {
    faults_->push_back({{file_, line + 1, column + 1}, message});
  }
  void AddWarning(int line, int column, const std::string& message) override {
    AddError(line, column, message);
  }

 private:
  const std::string& file_;
  std::vector<HistoryFault>* faults_;
};

std::vector<DeclaredCondition> ReadConditions(
    const schema::Conditions& conditions) {
  std::vector<DeclaredCondition> declared;
  for (const schema::Condition& c : conditions.all()) {
    declared.push_back({c.argument(),
                        {c.one_of().begin(), c.one_of().end()},
                        {c.types().begin(), c.types().end()}});
  }
  return declared;
}

template <typename Steps>
std::vector<DeclaredStep> ReadSteps(const Steps& steps) {
  std::vector<DeclaredStep> declared;
  for (const schema::Step& step : steps) {
    declared.push_back({ReadConditions(step.when()), step.graph()});
  }
  return declared;
}

DeclaredArgumentValue ReadArgumentValue(const schema::ArgumentValue& value) {
  return {value.argument(), value.value(), value.none()};
}

DeclaredSemanticChange ReadSemanticChange(
    const schema::SemanticChange& change) {
  DeclaredSemanticChange declared;
  declared.revision = change.revision();
  declared.upgraders = ReadSteps(change.upgraders());
  declared.downgraders = ReadSteps(change.downgraders());
  for (const schema::Conditions& when : change.unchanged_when()) {
    declared.unchanged_when.push_back(ReadConditions(when));
  }
  declared.one_way_up = change.one_way_up();
  declared.one_way_down = change.one_way_down();
  return declared;
}

// The place of the index-th value of `field` (-1: it is not repeated).
SourcePlace PlaceOf(const std::string& file, const Message& message,
                    const Tree* tree, const char* field, int index = -1) {
  if (tree == nullptr) return {file};
  const TextFormat::ParseLocation location =
      tree->GetLocation(message.GetDescriptor()->FindFieldByName(field), index);
  return {file, location.line + 1};
}

// The places inside the index-th value of `field`, or null.
const Tree* TreeOf(const Message& message, const Tree* tree, const char* field,
                   int index = -1) {
  if (tree == nullptr) return nullptr;
  return tree->GetTreeForNested(message.GetDescriptor()->FindFieldByName(field),
                                index);
}

// "t::f.x" of a line that begins like a schema; else empty.
std::string OperatorOfLine(absl::string_view line) {
  absl::string_view name =
      absl::StripAsciiWhitespace(line.substr(0, line.find('(')));
  if (name.find("::") == absl::string_view::npos ||
      name.find_first_of(" \t\"'#") != absl::string_view::npos) {
    return "";
  }
  return std::string(name);
}

class Loader {
 public:
  Loader(const std::string& path, const FileReader& read_file,
         const StepGraphParser& parse_graph)
      : read_file_(read_file), parse_graph_(parse_graph), path_(path) {
    const bool is_directory = read_file == nullptr
                                  ? IsDirectory(path)
                                  : !absl::EndsWith(path, ".textproto");
    if (read_file == nullptr) read_file_ = ReadFromDisk;
    if (is_directory) {
      path_ = absl::StrCat(absl::StripSuffix(path, "/"), "/history.textproto");
    }
    const size_t slash = path_.rfind('/');
    if (slash != std::string::npos) directory_ = path_.substr(0, slash + 1);
  }

  LoadedHistory Load();

 private:
  bool ReadMessage(schema::History* message, Tree* tree);
  void ReadVersion(const schema::Version& message, const Tree* tree,
                   DeclaredVersion* version);
  void ReadChange(const schema::Change& message, DeclaredChange* change);
  void CheckGraphs(const SourcePlace& place,
                   const std::vector<DeclaredStep>& steps);
  // Returns whether the file could be read so far that it is known which
  // operators it has.
  bool ReadOperators(const std::string& file, const SourcePlace& place,
                     DeclaredVersion* version);
  void CheckHeader(const SchemaFile& file, absl::string_view text,
                   const DeclaredVersion& version);
  absl::StatusOr<StepGraphBody> ReadGraph(const StepGraphUse& use,
                                          const Opset& written_at);
  void Build(size_t num_readable);

  void Fault(const SourcePlace& place, const std::string& message) {
    result_.faults.push_back({place, message});
  }
  absl::StatusOr<std::string> Read(const std::string& path) {
    result_.files.push_back(path);
    return read_file_(path);
  }
  std::string Resolve(const std::string& path) const {
    return absl::StartsWith(path, "/") ? path : directory_ + path;
  }

  FileReader read_file_;
  const StepGraphParser& parse_graph_;
  std::string path_;
  std::string directory_;  // with the slash at its end, or empty
  LoadedHistory result_;
  // The texts of step graphs, by path, or why there is none.
  absl::flat_hash_map<std::string, absl::StatusOr<std::string>> graphs_;
};

LoadedHistory Loader::Load() {
  schema::History message;
  Tree tree;
  if (!ReadMessage(&message, &tree)) return std::move(result_);
  DeclaredHistory& declared = result_.declared;
  declared.place = PlaceOf(path_, message, &tree, "name");
  declared.name = message.name();
  declared.aliases = {message.aliases().begin(), message.aliases().end()};
  size_t num_readable = 0;
  for (int i = 0; i < message.versions_size(); ++i) {
    const schema::Version& v = message.versions(i);
    declared.versions.emplace_back();
    DeclaredVersion& version = declared.versions.back();
    version.place = PlaceOf(path_, message, &tree, "versions", i);
    const Tree* version_tree = TreeOf(message, &tree, "versions", i);
    ReadVersion(v, version_tree, &version);
    const bool readable = ReadOperators(
        v.operators(), PlaceOf(path_, v, version_tree, "operators"), &version);
    if (readable && num_readable == static_cast<size_t>(i)) ++num_readable;
  }
  Build(num_readable);
  return std::move(result_);
}

absl::StatusOr<StepGraphBody> Loader::ReadGraph(const StepGraphUse& use,
                                                const Opset& written_at) {
  const auto text = graphs_.find(Resolve(use.path));
  if (text == graphs_.end() || !text->second.ok()) {
    return absl::InvalidArgumentError("not read");  // that is a fault already
  }
  return parse_graph_(*text->second, use, written_at);
}

// Checks the versions before the first one of which too little is known: what
// would be said of later ones might only be its echo.
void Loader::Build(size_t num_readable) {
  std::vector<DeclaredVersion>& versions = result_.declared.versions;
  if (num_readable == 0 && !versions.empty()) return;
  std::vector<DeclaredVersion> rest(
      std::make_move_iterator(versions.begin() + num_readable),
      std::make_move_iterator(versions.end()));
  versions.erase(versions.begin() + num_readable, versions.end());
  StepGraphReader read_graph = nullptr;
  if (parse_graph_ != nullptr) {
    read_graph = [this](const StepGraphUse& use, const Opset& written_at) {
      return ReadGraph(use, written_at);
    };
  }
  HistoryResult built =
      BuildHistory(result_.declared, ParseLiteralAt, ParseType, read_graph);
  std::move(rest.begin(), rest.end(), std::back_inserter(versions));
  for (std::vector<HistoryFault>* list : {&built.faults, &built.warnings}) {
    for (HistoryFault& fault : *list) {
      if (fault.place.line > 0 ||
          !graphs_.contains(Resolve(fault.place.file))) {
        continue;
      }
      fault.place.file = Resolve(fault.place.file);
      TakePlace(&fault);
    }
  }
  result_.faults.insert(result_.faults.end(),
                        std::make_move_iterator(built.faults.begin()),
                        std::make_move_iterator(built.faults.end()));
  result_.warnings = std::move(built.warnings);
  if (result_.faults.empty()) result_.history = std::move(built.history);
}

bool Loader::ReadMessage(schema::History* message, Tree* tree) {
  absl::StatusOr<std::string> text = Read(path_);
  if (!text.ok()) {
    Fault({path_}, std::string(text.status().message()));
    result_.missing = true;
    return false;
  }
  SyntaxFaults errors(path_, &result_.faults);
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  parser.WriteLocationsTo(tree);
  if (parser.ParseFromString(*text, message)) return result_.faults.empty();
  if (result_.faults.empty()) {
    Fault({path_}, "this is no history in protobuf's text format");
  }
  return false;
}

void Loader::ReadVersion(const schema::Version& message, const Tree* tree,
                         DeclaredVersion* version) {
  version->id = message.id();
  if (message.has_gap()) {
    const schema::Gap& gap = message.gap();
    const Tree* gap_tree = TreeOf(message, tree, "gap");
    version->gap.emplace();
    version->gap->added_defaults_are_neutral = gap.added_defaults_are_neutral();
    version->gap->removed_defaults_are_retired =
        gap.removed_defaults_are_retired();
    for (int i = 0; i < gap.except_size(); ++i) {
      version->gap->except.push_back(
          {gap.except(i).operator_(), gap.except(i).argument(),
           PlaceOf(path_, gap, gap_tree, "except", i)});
    }
  }
  for (int i = 0; i < message.changes_size(); ++i) {
    version->changes.emplace_back();
    DeclaredChange& change = version->changes.back();
    change.place = PlaceOf(path_, message, tree, "changes", i);
    ReadChange(message.changes(i), &change);
  }
}

void Loader::ReadChange(const schema::Change& message, DeclaredChange* change) {
  change->op = message.operator_();
  change->note = message.note();
  switch (message.what_case()) {
    case schema::Change::kRenamedFrom:
      change->what = DeclaredChange::OperatorRenamed{message.renamed_from()};
      break;
    case schema::Change::kRenamedArgument:
      change->what = DeclaredRename{message.renamed_argument().from(),
                                    message.renamed_argument().to()};
      break;
    case schema::Change::kNeutralValue:
      change->what = DeclaredChange::NeutralValue{
          ReadArgumentValue(message.neutral_value())};
      break;
    case schema::Change::kRetiredValue:
      change->what = DeclaredChange::RetiredValue{
          ReadArgumentValue(message.retired_value())};
      break;
    case schema::Change::kEqualValue:
      change->what = DeclaredEqualValue{message.equal_value().argument(),
                                        message.equal_value().value(),
                                        message.equal_value().means()};
      break;
    case schema::Change::kIgnorableArgument:
      change->what = DeclaredChange::Ignorable{message.ignorable_argument()};
      break;
    case schema::Change::kSemanticChange: {
      DeclaredSemanticChange declared =
          ReadSemanticChange(message.semantic_change());
      CheckGraphs(change->place, declared.upgraders);
      CheckGraphs(change->place, declared.downgraders);
      change->what = std::move(declared);
      break;
    }
    case schema::Change::kAnnotationFixed:
      // `annotation_fixed: false` declares nothing, which is a fault.
      if (message.annotation_fixed()) {
        change->what = DeclaredChange::AnnotationFixed{};
      }
      break;
    case schema::Change::kRemoved: {
      std::vector<DeclaredStep> steps = ReadSteps(message.removed().steps());
      CheckGraphs(change->place, steps);
      change->what = DeclaredChange::Removed{std::move(steps)};
      break;
    }
    case schema::Change::kAdded: {
      std::vector<DeclaredStep> steps = ReadSteps(message.added().steps());
      CheckGraphs(change->place, steps);
      change->what = DeclaredChange::Added{std::move(steps)};
      break;
    }
    case schema::Change::WHAT_NOT_SET:
      break;
  }
}

void Loader::CheckGraphs(const SourcePlace& place,
                         const std::vector<DeclaredStep>& steps) {
  for (const DeclaredStep& step : steps) {
    if (step.graph.empty()) continue;  // a fault of the declaration
    const std::string path = Resolve(step.graph);
    auto text = graphs_.find(path);
    if (text == graphs_.end()) {
      text = graphs_.emplace(path, Read(path)).first;
    }
    if (!text->second.ok()) {
      Fault(place, absl::StrCat("step graph `", step.graph,
                                "`: ", text->second.status().message()));
    }
  }
}

bool Loader::ReadOperators(const std::string& file, const SourcePlace& place,
                           DeclaredVersion* version) {
  if (file.empty()) {
    Fault(version->place,
          absl::StrCat("version ", version->id, " names no file of operators"));
    return false;
  }
  const std::string path = Resolve(file);
  version->operators_file = path;
  const absl::StatusOr<std::string> text = Read(path);
  if (!text.ok()) {
    Fault(place, std::string(text.status().message()));
    return false;
  }
  SchemaFile parsed = ParseSchemaFile(*text);
  const std::vector<absl::string_view> lines = absl::StrSplit(*text, '\n');
  const auto fault = [&](int line, const absl::Status& status) {
    HistoryFault fault{{path, line}, std::string(status.message())};
    TakePlace(&fault);
    result_.faults.push_back(std::move(fault));
  };
  for (const absl::Status& status : parsed.faults) fault(0, status);
  if (parsed.faults.empty()) CheckHeader(parsed, *text, *version);
  bool readable = true;
  absl::flat_hash_set<std::string> names;
  for (SchemaLine& line : parsed.lines) {
    if (!line.schema.ok()) {
      fault(line.line, line.schema.status());
      std::string name = OperatorOfLine(lines[line.line - 1]);
      if (name.empty()) readable = false;
      version->unreadable.push_back(std::move(name));
      continue;
    }
    // A repeated operator is among the faults of the file already.
    if (!names.insert(line.schema->full_name()).second) continue;
    version->schemas.push_back(*std::move(line.schema));
    version->schema_lines.push_back(line.line);
  }
  return readable;
}

void Loader::CheckHeader(const SchemaFile& file, absl::string_view text,
                         const DeclaredVersion& version) {
  const DeclaredHistory& declared = result_.declared;
  const std::string expected =
      absl::StrCat("`opset ", declared.name, " ", version.id, "`");
  int line = 0;
  for (absl::string_view l : absl::StrSplit(text, '\n')) {
    ++line;
    l = absl::StripAsciiWhitespace(l);
    if (l.empty() || l[0] == '#') continue;
    break;
  }
  const SourcePlace place{version.operators_file, line};
  if (file.opset.empty()) {
    Fault(place, absl::StrCat("expected the header ", expected,
                              " before the schemas, found none"));
    return;
  }
  const bool is_name =
      file.opset == declared.name ||
      std::find(declared.aliases.begin(), declared.aliases.end(), file.opset) !=
          declared.aliases.end();
  if (!is_name || file.version != version.id) {
    Fault(place,
          absl::StrCat("expected the header ", expected, ", found `opset ",
                       file.opset, " ", file.version, "`"));
  }
}

}  // namespace

absl::StatusOr<std::shared_ptr<const OpsetHistory>> HistoryOrError(
    LoadedHistory loaded) {
  if (loaded.history != nullptr) return std::move(loaded.history);
  const std::string faults = absl::StrJoin(
      loaded.faults, "\n", [](std::string* out, const HistoryFault& fault) {
        out->append(fault.ToString());
      });
  return loaded.missing ? absl::NotFoundError(faults)
                        : absl::InvalidArgumentError(faults);
}

LoadedHistory ReadHistory(const std::string& path, const FileReader& read_file,
                          const StepGraphParser& parse_graph) {
  return Loader(path, read_file, parse_graph).Load();
}

}  // namespace opcompat
