#include "tools/history_input.h"

#include <sys/stat.h>

#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "deserializer/compiled_history.h"
#include "deserializer/decode.h"
#include "schema/declared_history.h"
#include "tools/inputs.h"
#include "tools/paths.h"

namespace opcompat {
namespace {

// What LoadHistory takes for a file in the current directory.
constexpr char kPiped[] = "-.textproto";

// What is wrong with a file that begins so; empty: nothing is seen from that.
std::string FaultOfBeginning(absl::string_view beginning) {
  constexpr char kExpected[] =
      "a history was expected, a history.textproto or a compiled one";
  if (beginning.empty()) return absl::StrCat("it is empty; ", kExpected);
  if (LooksLikeModuleFile(beginning)) {
    return absl::StrCat("it is a module (`opcompat show` prints it); ",
                        kExpected);
  }
  return "";
}

// Gives what was read as kPiped its name.
void NamePiped(const std::string& path, LoadedHistory* loaded) {
  const auto name = [&](std::string* file) {
    if (*file == kPiped) *file = path;
  };
  for (std::vector<HistoryFault>* faults :
       {&loaded->faults, &loaded->warnings}) {
    for (HistoryFault& fault : *faults) name(&fault.place.file);
  }
  for (std::string& file : loaded->files) name(&file);
  DeclaredHistory& declared = loaded->declared;
  name(&declared.place.file);
  for (DeclaredVersion& version : declared.versions) {
    name(&version.place.file);
    for (DeclaredChange& change : version.changes) name(&change.place.file);
    if (!version.gap.has_value()) continue;
    for (DeclaredGap::Exception& exception : version.gap->except) {
      name(&exception.place.file);
    }
  }
}

}  // namespace

absl::StatusOr<HistoryInput> OpenHistory(const std::string& path) {
  HistoryInput input;
  input.path = HistoryFileOf(path);
  struct stat info;
  const bool is_piped =
      path == "-" || (stat(input.path.c_str(), &info) == 0 &&
                      !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode));
  std::string content;
  if (is_piped) {
    OPCOMPAT_ASSIGN_OR_RETURN(content, ReadInput(input.path));
  } else {
    std::ifstream file(input.path, std::ios::binary);
    if (!file || IsDirectory(input.path)) return input;
    content.resize(32);
    file.read(&content[0], static_cast<std::streamsize>(content.size()));
    content.resize(static_cast<size_t>(file.gcount()));
  }
  input.is_compiled = LooksLikeCompiledHistory(content);
  input.fault = FaultOfBeginning(content);
  if (!is_piped && !input.is_compiled) return input;
  if (!is_piped) {
    OPCOMPAT_ASSIGN_OR_RETURN(content, ReadInput(input.path));
  }
  input.content = std::make_shared<const std::string>(std::move(content));
  return input;
}

absl::StatusOr<std::shared_ptr<const OpsetHistory>> DecodeCompiledHistory(
    const HistoryInput& input) {
  OPCOMPAT_ASSIGN_OR_RETURN(
      const CompiledHistory compiled,
      CompiledHistory::Open(*input.content, input.content));
  return compiled.LoadAll();
}

LoadedHistory LoadTextHistory(const HistoryInput& input, LoadOptions options) {
  if (!input.fault.empty()) {
    LoadedHistory loaded;
    loaded.faults.push_back({{input.path}, input.fault});
    return loaded;
  }
  if (input.content == nullptr) return LoadHistory(input.path, options);
  options.read_file =
      [&input](const std::string& path) -> absl::StatusOr<std::string> {
    if (path == kPiped) return *input.content;
    return ReadInput(path == "-" ? "./-" : path);
  };
  LoadedHistory loaded = LoadHistory(kPiped, options);
  NamePiped(input.path, &loaded);
  return loaded;
}

}  // namespace opcompat
