#include "compat_matrix/simulation/reduce.h"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "compat_matrix/simulation/smaller_history.h"
#include "compat_matrix/simulation/smaller_module.h"
#include "compat_matrix/simulation/step_kinds.h"
#include "ir/text/module_parser.h"
#include "ir/text/module_printer.h"
#include "schema/opset.h"

namespace opcompat {
namespace simulation {
namespace {

// Made when it is tried. nullopt: there is none.
using Candidate = std::function<absl::optional<ReducibleCase>()>;

class Reducer {
 public:
  Reducer(ReducibleCase failing, const StillFails& still_fails,
          const ReduceOptions& options)
      : smallest_(std::move(failing)),
        still_fails_(still_fails),
        options_(options),
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
    if (options_.on_try != nullptr) {
      options_.on_try(options_.max_tries - tries_left_, smallest_);
    }
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
    std::vector<Candidate> candidates = make();
    for (size_t i = 0; i < candidates.size() && tries_left_ > 0;) {
      absl::optional<ReducibleCase> candidate = candidates[i]();
      if (candidate.has_value() && Try(*std::move(candidate))) {
        is_smaller = true;
        candidates = make();
      } else {
        ++i;
      }
    }
    return is_smaller;
  }

  std::vector<Candidate> WithSmallerModule() const {
    std::vector<Candidate> candidates;
    for (SmallerText& smaller : SmallerModules(smallest_.module, true)) {
      AddWithText(
          std::move(smaller), [](ReducibleCase* c) { return &c->module; },
          &candidates);
    }
    return candidates;
  }

  std::vector<Candidate> WithSmallerHistory() const {
    std::vector<Candidate> candidates;
    for (HistoryFiles& files : SmallerHistories(
             smallest_.files, {smallest_.writer, smallest_.reader})) {
      candidates.push_back([this, files = std::move(files)] {
        ReducibleCase candidate = smallest_;
        candidate.files = files;
        return absl::make_optional(std::move(candidate));
      });
    }
    return candidates;
  }

  std::vector<Candidate> WithSmallerGraph() const {
    std::vector<Candidate> candidates;
    for (const auto& [path, text] : smallest_.files) {
      if (!absl::EndsWith(path, ".graph")) continue;
      for (SmallerText& smaller : SmallerModules(text, false)) {
        AddWithText(
            std::move(smaller),
            [path = path](ReducibleCase* c) { return &c->files[path]; },
            &candidates);
      }
    }
    return candidates;
  }

  // The smallest case, with another text in the place that `where` says.
  void AddWithText(SmallerText smaller,
                   std::function<std::string*(ReducibleCase*)> where,
                   std::vector<Candidate>* candidates) const {
    candidates->push_back(
        [this, smaller = std::move(smaller),
         where = std::move(where)]() -> absl::optional<ReducibleCase> {
          absl::optional<std::string> text = smaller();
          if (!text.has_value()) return absl::nullopt;
          ReducibleCase candidate = smallest_;
          *where(&candidate) = *std::move(text);
          return candidate;
        });
  }

  ReducibleCase smallest_;
  const StillFails& still_fails_;
  const ReduceOptions& options_;
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
