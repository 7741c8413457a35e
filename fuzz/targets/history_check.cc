#include "fuzz/targets/history_check.h"

#include <cstddef>
#include <memory>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "deserializer/compiled_history.h"
#include "fuzz/check.h"
#include "ir/text/history_loader.h"
#include "schema/declared_history.h"
#include "schema/fingerprint.h"
#include "schema/history.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"
#include "serializer/compile_history.h"
#include "wire/testing/opset_difference.h"

namespace opcompat {
namespace {

using simulation::HistoryFiles;

// What the opset knows, as text; an operator that it can not use knows no
// schema, and is what its line says.
std::string OpsText(const Opset& opset, const DeclaredVersion& declared) {
  std::string text =
      absl::StrCat("opset ", opset.name(), " ", opset.version(), "\n");
  for (size_t i = 0; i < opset.operators().size(); ++i) {
    const OperatorInfo& info = *opset.operators()[i];
    absl::StrAppend(&text,
                    info.fault.empty() ? info.current()->ToString()
                                       : declared.schemas[i].ToString(),
                    "\n");
  }
  return text;
}

void CheckPrinted(HistoryFiles files, const LoadedHistory& loaded) {
  std::set<std::string> replaced;
  for (size_t i = 0; i < loaded.declared.versions.size(); ++i) {
    const DeclaredVersion& declared = loaded.declared.versions[i];
    const std::string& path = declared.operators_file;
    // Two versions in one file, without a header: there is one text for both.
    if (!replaced.insert(path).second) return;
    files[path] = OpsText(loaded.history->versions()[i], declared);
  }
  const LoadedHistory again = simulation::LoadFiles(files);
  if (again.history == nullptr) {
    Fail(absl::StrCat("with its operators printed it does not load: ",
                      again.faults[0].ToString()));
  }
  ExpectNone(HistoryDifference(*loaded.history, *again.history),
             "with its operators printed it is another history");
}

// Of entries of two histories that are equal.
void CheckFingerprints(const OpsetHistory& a, const OpsetHistory& b) {
  for (size_t v = 0; v < a.versions().size(); ++v) {
    const Opset& one = a.versions()[v];
    const Opset& other = b.versions()[v];
    for (size_t i = 0; i < one.operators().size(); ++i) {
      const OperatorInfo& info = *one.operators()[i];
      if (!info.fault.empty()) continue;
      if (Fingerprint(*info.current()) !=
          Fingerprint(*other.operators()[i]->current())) {
        Fail(absl::StrCat("what is compiled has another fingerprint: ",
                          info.current()->name()));
      }
    }
  }
}

void CheckCompiled(const OpsetHistory& history) {
  const absl::StatusOr<std::string> compiled = CompileHistory(history);
  // Larger than readers take.
  if (absl::IsInvalidArgument(compiled.status())) return;
  ExpectOk(compiled.status(), "compiling");
  const CompiledHistory opened = ValueOf(CompiledHistory::Open(*compiled),
                                         "what is compiled does not open");
  const auto loaded =
      ValueOf(opened.LoadAll(), "what is compiled does not load");
  ExpectNone(HistoryDifference(history, *loaded),
             "what is compiled is another history");
  CheckFingerprints(history, *loaded);
}

}  // namespace

void CheckHistoryFiles(const HistoryFiles& files) {
  const LoadedHistory loaded = simulation::LoadFiles(files);
  for (const HistoryFault& fault : loaded.faults) {
    if (fault.message.empty()) Fail("a fault without a message");
    if (fault.place.file.empty()) {
      Fail(absl::StrCat("a fault without a file: ", fault.message));
    }
  }
  if (loaded.history == nullptr) {
    if (loaded.faults.empty()) Fail("neither a history nor a fault");
    return;
  }
  if (!loaded.faults.empty()) Fail("a history that has faults");
  CheckPrinted(files, loaded);
  CheckCompiled(*loaded.history);
}

}  // namespace opcompat
