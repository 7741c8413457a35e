#include "compat_matrix/simulation/reduce.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compat_matrix/simulation/smaller_history.h"
#include "compat_matrix/simulation/smaller_module.h"
#include "compat_matrix/simulation/step_kinds.h"
#include "ir/text/module_parser.h"
#include "ir/text/module_printer.h"
#include "schema/opset.h"

namespace opcompat {
namespace simulation {
namespace {

class Reducer {
 public:
  Reducer(ReducibleCase failing, const StillFails& still_fails,
          const ReduceOptions& options)
      : smallest_(std::move(failing)),
        still_fails_(still_fails),
        tries_left_(options.max_tries) {}

  ReducibleCase Reduce() {
    if (!still_fails_(smallest_)) return smallest_;
    MakeCanonical();
    bool is_smaller = true;
    while (is_smaller && tries_left_ > 0) {
      is_smaller = false;
      is_smaller |= TryAll([&] { return WithSmallerModule(); });
      is_smaller |= TryAll([&] { return WithSmallerHistory(); });
      is_smaller |= TryAll([&] { return WithSmallerGraph(); });
    }
    return smallest_;
  }

 private:
  bool Try(ReducibleCase candidate) {
    if (tries_left_ == 0) return false;
    --tries_left_;
    if (!still_fails_(candidate)) return false;
    smallest_ = std::move(candidate);
    return true;
  }

  // Statements on lines of their own, blocks indented.
  void MakeCanonical() {
    const LoadedHistory loaded = LoadFiles(smallest_.files);
    if (loaded.history == nullptr) return;
    const absl::StatusOr<Opset> opset = loaded.history->At(smallest_.writer);
    if (!opset.ok()) return;
    const absl::StatusOr<Runtime> runtime = Runtime::Create({*opset});
    if (!runtime.ok()) return;
    const absl::StatusOr<Module> module =
        ParseModule(smallest_.module, *runtime);
    if (!module.ok()) return;
    ReducibleCase canonical = smallest_;
    canonical.module = PrintModule(*module);
    Try(std::move(canonical));
  }

  // Goes through what `make` makes of the smallest case. After a success that
  // is something else; what was tried already is not tried again.
  template <typename Make>
  bool TryAll(Make make) {
    bool is_smaller = false;
    std::vector<ReducibleCase> candidates = make();
    for (size_t i = 0; i < candidates.size();) {
      if (Try(std::move(candidates[i]))) {
        is_smaller = true;
        candidates = make();
      } else {
        ++i;
      }
    }
    return is_smaller;
  }

  std::vector<ReducibleCase> WithSmallerModule() const {
    std::vector<ReducibleCase> candidates;
    for (std::string& module : SmallerModules(smallest_.module, true)) {
      candidates.push_back(smallest_);
      candidates.back().module = std::move(module);
    }
    return candidates;
  }

  std::vector<ReducibleCase> WithSmallerHistory() const {
    std::vector<ReducibleCase> candidates;
    for (HistoryFiles& files : SmallerHistories(
             smallest_.files, {smallest_.writer, smallest_.reader})) {
      candidates.push_back(smallest_);
      candidates.back().files = std::move(files);
    }
    return candidates;
  }

  std::vector<ReducibleCase> WithSmallerGraph() const {
    std::vector<ReducibleCase> candidates;
    for (const auto& [path, text] : smallest_.files) {
      if (!absl::EndsWith(path, ".graph")) continue;
      for (std::string& graph : SmallerModules(text, false)) {
        candidates.push_back(smallest_);
        candidates.back().files[path] = std::move(graph);
      }
    }
    return candidates;
  }

  ReducibleCase smallest_;
  const StillFails& still_fails_;
  size_t tries_left_;
};

}  // namespace

std::string ReducibleCase::ToString() const {
  std::string text =
      absl::StrCat("written at ", writer, for_target ? ", for " : ", read at ",
                   reader, "\n");
  for (const CaseSecret& secret : secrets) {
    absl::StrAppend(
        &text, "secret: ",
        absl::StrJoin({secret.version, std::string(StepKindName(secret.kind)),
                       secret.op, secret.argument, secret.truth},
                      " | "),
        "\n");
  }
  return absl::StrCat(text, "--- module\n", module, FilesText(files));
}

ReducibleCase ReduceCase(ReducibleCase failing, const StillFails& still_fails,
                         const ReduceOptions& options) {
  return Reducer(std::move(failing), still_fails, options).Reduce();
}

}  // namespace simulation
}  // namespace opcompat
