#include "compat_matrix/oracle/oracle.h"

#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "compat_matrix/oracle/call.h"
#include "compat_matrix/oracle/expand.h"
#include "compat_matrix/oracle/expand_module.h"
#include "compat_matrix/oracle/judgement.h"
#include "ir/canonicalize.h"
#include "ir/surely_canonical.h"

namespace opcompat {

struct OriginalModule::Prepared {
  const Module* module = nullptr;         // in canonical form
  absl::optional<Module> canonical;       // owns it, if it was made
  std::vector<oracle::GraphFacts> facts;  // by function of it
  const Runtime* writer = nullptr;        // null: nothing is known
  // Not OK: there is no canonical form.
  absl::Status status;

  static std::unique_ptr<const Prepared> Of(const Module& module,
                                            const Runtime* writer) {
    auto prepared = std::make_unique<Prepared>();
    prepared->writer = writer;
    prepared->module = &module;
    if (!IsSurelyCanonical(module)) {
      absl::StatusOr<Module> canonical = Canonicalize(module);
      prepared->status = canonical.status();
      if (canonical.ok()) {
        prepared->canonical = *std::move(canonical);
        prepared->module = &*prepared->canonical;
      }
    }
    prepared->facts = oracle::FactsOfFunctions(*prepared->module);
    return prepared;
  }
};

OriginalModule::OriginalModule(const Module& module, const Runtime& writer)
    : prepared_(Prepared::Of(module, &writer)) {}
OriginalModule::OriginalModule(const Module& module)
    : prepared_(Prepared::Of(module, nullptr)) {}
OriginalModule::~OriginalModule() = default;

struct ExpectedReading::Expected {
  Expected(const OriginalModule::Prepared& prepared, const Runtime& reader,
           bool as_target)
      : original(prepared), expander(reader, prepared.writer, as_target) {}

  // Why nothing at all may come out; nullopt: `module` may.
  absl::optional<std::string> Prepare() {
    if (!original.status.ok()) return std::string(original.status.message());
    if (!refused.empty()) {
      return absl::StrCat(refused[0].function, ": ", refused[0].op,
                          " must be refused: ", refused[0].problem.code, " ",
                          refused[0].problem.argument);
    }
    if (is_original) return absl::nullopt;
    if (!module.has_value()) return "no module can be expected: too large";
    if (!expander.contradictions().empty()) {
      return absl::StrCat("the oracle contradicts itself: ",
                          expander.contradictions()[0]);
    }
    if (is_canonical) return absl::nullopt;
    if (!IsSurelyCanonical(*module)) {
      absl::StatusOr<Module> canonical = Canonicalize(*module);
      if (!canonical.ok()) return std::string(canonical.status().message());
      module = *std::move(canonical);
    }
    is_canonical = true;
    return absl::nullopt;
  }

  const OriginalModule::Prepared& original;
  oracle::Expander expander;
  std::vector<oracle::RefusedCall> refused;
  absl::optional<Module> module;
  bool is_canonical = false;
  bool is_original = false;  // it is the original itself

  // Precondition: Prepare() gave nothing.
  const Module& must_come_out() const {
    return is_original ? *original.module : *module;
  }
};

ExpectedReading::ExpectedReading(const OriginalModule& original,
                                 const Runtime& reader, bool as_target)
    : expected_(
          std::make_unique<Expected>(*original.prepared_, reader, as_target)) {
  const OriginalModule::Prepared& prepared = *original.prepared_;
  if (oracle::IsTheSameThere(*prepared.module, &expected_->expander)) {
    expected_->is_original = true;
  } else {
    expected_->module =
        oracle::ExpectedModule(*prepared.module, prepared.facts,
                               &expected_->expander, &expected_->refused);
  }
  std::set<std::tuple<std::string, std::string, std::string, std::string>> seen;
  for (const oracle::RefusedCall& call : expected_->refused) {
    if (seen.emplace(call.problem.code, call.function, call.op,
                     call.problem.argument)
            .second) {
      prediction_.refusals.push_back(
          {call.problem.code, call.function, call.op, call.problem.argument});
    }
  }
  prediction_.accepted = prediction_.refusals.empty();
}
ExpectedReading::~ExpectedReading() = default;

absl::optional<std::string> ExpectedReading::Differs(const Module& result) {
  absl::optional<std::string> difference = expected_->Prepare();
  if (difference.has_value()) return difference;
  if (IsSurelyCanonical(result)) {
    return oracle::ModulesDiffer(expected_->must_come_out(), result);
  }
  const absl::StatusOr<Module> canonical = Canonicalize(result);
  if (!canonical.ok()) return std::string(canonical.status().message());
  return oracle::ModulesDiffer(expected_->must_come_out(), *canonical);
}

Prediction Predict(const Module& module, const Runtime& writer,
                   const Runtime& reader, bool as_target) {
  const OriginalModule original(module, writer);
  return ExpectedReading(original, reader, as_target).prediction();
}

absl::optional<std::string> MeaningDiffers(const Module& original,
                                           const Module& result,
                                           const Runtime& writer,
                                           const Runtime& reader,
                                           bool as_target) {
  const OriginalModule prepared(original, writer);
  return ExpectedReading(prepared, reader, as_target).Differs(result);
}

absl::optional<std::string> MeaningDiffers(const Module& original,
                                           const Module& result,
                                           const Runtime& reader) {
  const OriginalModule prepared(original);
  return ExpectedReading(prepared, reader, /*as_target=*/false).Differs(result);
}

}  // namespace opcompat
