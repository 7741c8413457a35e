#include "compat_matrix/simulation/laws.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "binding/bind_module.h"
#include "binding/report.h"
#include "compat_matrix/oracle/oracle.h"
#include "compat_matrix/simulation/kernels.h"
#include "ir/text/module_printer.h"
#include "ir/verifier.h"
#include "serializer/serialize.h"

namespace opcompat {
namespace simulation {
namespace {

// A module that came out, or the reasons.
struct Outcome {
  absl::optional<Module> module;
  std::set<std::string> reasons;  // `code operator argument`
  bool stepped = false;
  // A hint was dropped: what it said is lost, on purpose.
  bool lost_a_hint = false;
};

// The operator's name at the version of `writer`. (A call that is written at a
// lower revision is refused by the name that the operator had then.)
std::string NameNow(const std::string& name, const Runtime& writer) {
  for (const Opset& opset : writer.opsets()) {
    const OperatorInfo* info = opset.FindByAnyName(name);
    if (info != nullptr) return info->current()->name();
  }
  return name;
}

void TakeReasons(const std::vector<Reason>& reasons, const Runtime& writer,
                 Outcome* outcome) {
  for (const Reason& reason : reasons) {
    outcome->reasons.insert(absl::StrCat(ReasonCodeName(reason.code), " ",
                                         NameNow(reason.op, writer), " ",
                                         reason.argument));
  }
}

void TakeReport(const LoadReport& report, Outcome* outcome) {
  outcome->lost_a_hint = !report.warnings.empty();
  for (const OperatorReport& op : report.operators) {
    outcome->stepped = outcome->stepped || op.upgraded > 0;
  }
}

size_t NumNodes(const Module& module) {
  size_t num_nodes = 0;
  for (const Function& function : module.functions) {
    num_nodes += function.graph.nodes.size();
  }
  return num_nodes;
}

// The laws on one module.
class Run {
 public:
  Run(const Module& module, size_t w, const std::vector<Runtime>& runtimes,
      const LawOptions& options, Testee* testee, LawTally* tally)
      : module_(module),
        w_(w),
        runtimes_(runtimes),
        options_(options),
        testee_(*testee),
        tally_(*tally),
        original_(module, runtimes[w]) {}

  std::vector<LawFailure> Check() {
    const std::string bytes = Written(module_, w_, Elision::kEqualToDefault);
    const std::string burnt = Written(module_, w_, Elision::kNone);
    if (bytes.empty() || burnt.empty()) return std::move(failures_);
    for (size_t r = 0; r < runtimes_.size(); ++r) {
      reader_ = r;
      for_target_ = false;
      read_.push_back(Read(bytes, r));
      Judge(read_[r]);
      ++(read_[r].module.has_value() ? tally_.accepted : tally_.refused);
      tally_.stepped += read_[r].module.has_value() && read_[r].stepped;
      if (options_.every_way || r % 2 == w_ % 2) {
        const Outcome burnt_read = Read(burnt, r);
        ++Tested(Law::kElision);
        if (burnt_read.reasons != read_[r].reasons) {
          Fail(Law::kElision,
               absl::StrCat(
                   "refused otherwise when burnt in: ",
                   absl::StrJoin(burnt_read.reasons, "; "),
                   "; left out: ", absl::StrJoin(read_[r].reasons, "; ")));
        }
        ExpectSame(Law::kElision, read_[r], burnt_read);
      }
    }
    CheckIdentity(bytes);
    for (size_t t = 0; t < runtimes_.size(); ++t) {
      reader_ = t;
      for_target_ = true;
      bound_.push_back(BoundTo(module_, w_, t));
      if (t != w_ || options_.every_way) Judge(bound_[t]);
      if (options_.every_way || t + 1 == w_ || t == 0) {
        CheckLinear(t);
      }
    }
    CheckPromises();
    for (size_t t = 0; t < runtimes_.size(); ++t) {
      CheckThrough(t);
      CheckTargetThrough(t);
      CheckBack(t);
    }
    return std::move(failures_);
  }

  std::vector<LawFailure> CheckReading(size_t r, bool for_target) {
    const absl::optional<Outcome> outcome = OneReading(r, for_target);
    if (outcome.has_value()) Judge(*outcome);
    return std::move(failures_);
  }

  std::set<std::string> ReasonCodes(size_t r, bool for_target) {
    std::set<std::string> codes;
    const absl::optional<Outcome> outcome = OneReading(r, for_target);
    if (!outcome.has_value()) return codes;
    for (const std::string& reason : outcome->reasons) {
      codes.insert(reason.substr(0, reason.find(' ')));
    }
    return codes;
  }

 private:
  uint64_t& Tested(Law law) { return tally_.tested[static_cast<size_t>(law)]; }

  void Fail(Law law, std::string what) {
    failures_.push_back({law, w_, reader_, for_target_, std::move(what)});
  }

  // nullopt: it cannot be written.
  absl::optional<Outcome> OneReading(size_t r, bool for_target) {
    reader_ = r;
    for_target_ = for_target;
    if (for_target) return BoundTo(module_, w_, r);
    const std::string bytes = Written(module_, w_, Elision::kEqualToDefault);
    if (bytes.empty()) return absl::nullopt;
    return Read(bytes, r);
  }

  std::string Written(const Module& module, size_t version, Elision elision) {
    SerializeOptions options;
    options.elision = elision;
    const absl::StatusOr<std::string> bytes =
        Serialize(module, runtimes_[version], options);
    ++Tested(Law::kAnswers);
    if (bytes.ok()) return *bytes;
    Fail(Law::kAnswers,
         absl::StrCat("cannot be written: ", bytes.status().ToString(), "\n",
                      PrintModule(module)));
    return std::string();
  }

  void CheckModule(const Module& module) {
    ++Tested(Law::kAnswers);
    const absl::Status verified = Verify(module);
    if (!verified.ok()) {
      Fail(Law::kAnswers, absl::StrCat("what comes out does not verify: ",
                                       verified.ToString()));
    }
  }

  Outcome Read(const std::string& bytes, size_t reader) {
    Outcome outcome;
    TesteeAnswer answer = testee_.Read(bytes, runtimes_[reader]);
    TakeReasons(answer.reasons, runtimes_[w_], &outcome);
    if (!answer.crash.empty() ||
        answer.module.has_value() != answer.reasons.empty()) {
      Fail(Law::kAnswers, absl::StrCat("no answer: ", answer.crash));
    }
    if (answer.module.has_value()) {
      TakeReport(answer.report, &outcome);
      outcome.module = std::move(answer.module);
      CheckModule(*outcome.module);
    }
    return outcome;
  }

  Outcome BoundTo(const Module& module, size_t writer, size_t target) {
    Outcome outcome;
    BindOptions options;
    options.down_steps = &runtimes_[writer];
    BindResult result = BindModule(module, runtimes_[target], options);
    num_plans_ = result.num_plans;
    TakeReasons(result.reasons, runtimes_[w_], &outcome);
    if (result.accepted()) {
      TakeReport(result.report, &outcome);
      outcome.module = std::move(result.module);
      CheckModule(*outcome.module);
    }
    return outcome;
  }

  void CheckLinear(size_t target) {
    Module module_5 = module_;
    for (int copy = 1; copy < 5; ++copy) {
      for (const Function& function : module_.functions) {
        module_5.functions.push_back(function);
        absl::StrAppend(&module_5.functions.back().name, "_", copy);
      }
    }
    BindOptions options;
    options.down_steps = &runtimes_[w_];
    const BindResult result = BindModule(module_5, runtimes_[target], options);
    ++Tested(Law::kLinear);
    const Outcome& once = bound_[target];
    if (result.accepted() != once.module.has_value() ||
        result.num_plans != num_plans_ ||
        (once.module.has_value() &&
         NumNodes(result.module) != 5 * NumNodes(*once.module))) {
      Fail(Law::kLinear, absl::StrCat("five copies: ", result.num_plans,
                                      " plans, one: ", num_plans_));
    }
  }

  // The oracle expects the same outcome, the same reasons, the same module;
  // the kernels compute the same.
  void Judge(const Outcome& outcome) {
    ExpectedReading expected(original_, runtimes_[reader_], for_target_);
    std::set<std::string> predicted;
    for (const Prediction::Refusal& refusal : expected.prediction().refusals) {
      predicted.insert(
          absl::StrCat(refusal.code, " ", refusal.op, " ", refusal.argument));
    }
    ++Tested(Law::kPrediction);
    if (outcome.reasons != predicted) {
      Fail(Law::kPrediction,
           absl::StrCat("predicted: ", absl::StrJoin(predicted, "; "),
                        "\nactual: ", absl::StrJoin(outcome.reasons, "; ")));
    }
    if (!outcome.module.has_value()) return;
    ++Tested(Law::kNoMisread);
    const absl::optional<std::string> difference =
        expected.Differs(*outcome.module);
    if (difference.has_value()) {
      Fail(Law::kNoMisread,
           absl::StrCat(*difference, "\n", PrintModule(*outcome.module)));
    }
    Execute(*outcome.module, reader_);
  }

  void Execute(const Module& result, size_t reader) {
    if (options_.truth == nullptr) return;
    ++Tested(Law::kSameNumbers);
    const absl::optional<std::string> difference =
        ExecutionDiffers(module_, Id(w_), result, Id(reader), *options_.truth);
    if (difference.has_value()) {
      Fail(Law::kSameNumbers,
           absl::StrCat(*difference, "\n", PrintModule(result)));
    }
  }

  const std::string& Id(size_t version) const {
    return runtimes_[version].opsets().front().version();
  }

  // Where both accept. Modules of version reader_.
  void ExpectSame(Law law, const Outcome& a, const Outcome& b) {
    if (!a.module.has_value() || !b.module.has_value()) return;
    ++Tested(law);
    const absl::optional<std::string> difference = MeaningDiffers(
        *a.module, *b.module, runtimes_[reader_], runtimes_[reader_]);
    if (difference.has_value()) {
      Fail(law, absl::StrCat(*difference, "\n", PrintModule(*a.module),
                             PrintModule(*b.module)));
    }
  }

  void CheckIdentity(const std::string& bytes) {
    reader_ = w_;
    for_target_ = false;
    ++Tested(Law::kOwnVersion);
    const Outcome& read = read_[w_];
    if (!read.module.has_value()) {
      Fail(Law::kOwnVersion, absl::StrCat("refused at its own version: ",
                                          absl::StrJoin(read.reasons, "; ")));
      return;
    }
    const absl::optional<std::string> difference =
        MeaningDiffers(module_, *read.module, runtimes_[w_], runtimes_[w_]);
    if (difference.has_value()) Fail(Law::kOwnVersion, *difference);
    if (Written(*read.module, w_, Elision::kEqualToDefault) != bytes) {
      Fail(Law::kOwnVersion, "what was read is written as other bytes");
    }
  }

  // Reading through a version that rewrites is reading directly. A file that
  // went beyond its reader may have another form there, unless all steps undo
  // each other: a graph says what a call means later, not earlier. The kernels
  // compute the same whatever the form is.
  void CheckThrough(size_t t) {
    if (!read_[t].module.has_value() || read_[t].lost_a_hint) return;
    for_target_ = false;
    std::string bytes;
    for (size_t r = 0; r < runtimes_.size(); ++r) {
      if (r == t || !read_[r].module.has_value()) continue;
      const bool is_up = w_ < t && t < r && read_[r].stepped;
      if (!options_.every_way && !is_up && (r + t + w_) % 3 != 0) continue;
      reader_ = r;
      if (bytes.empty()) {
        bytes = Written(*read_[t].module, t, Elision::kEqualToDefault);
      }
      const Outcome onwards = Read(bytes, r);
      if (!onwards.module.has_value()) continue;
      Execute(*onwards.module, r);
      if (r < t && !options_.undoes_itself) continue;
      ExpectSame(is_up ? Law::kUpInTwoSteps : Law::kThrough, read_[r], onwards);
    }
  }

  // The same for targets, downwards.
  void CheckTargetThrough(size_t t) {
    if (t >= w_ || !bound_[t].module.has_value() || bound_[t].lost_a_hint) {
      return;
    }
    for_target_ = true;
    for (size_t s = 0; s < t; ++s) {
      if (!bound_[s].module.has_value()) continue;
      reader_ = s;
      const Outcome onwards = BoundTo(*bound_[t].module, t, s);
      if (!onwards.module.has_value()) continue;
      Execute(*onwards.module, s);
      ExpectSame(Law::kDownInTwoSteps, bound_[s], onwards);
    }
  }

  void CheckBack(size_t t) {
    if (t >= w_ || !bound_[t].module.has_value() || bound_[t].lost_a_hint) {
      return;
    }
    for_target_ = false;
    reader_ = w_;
    const Outcome back =
        Read(Written(*bound_[t].module, t, Elision::kEqualToDefault), w_);
    if (!back.module.has_value()) return;
    Execute(*back.module, w_);
    if (!options_.undoes_itself) return;
    ++Tested(Law::kDownAndUp);
    const absl::optional<std::string> difference =
        MeaningDiffers(module_, *back.module, runtimes_[w_], runtimes_[w_]);
    if (difference.has_value()) {
      Fail(Law::kDownAndUp,
           absl::StrCat(*difference, "\nfor version ", t + 1, ":\n",
                        PrintModule(*bound_[t].module), "and back:\n",
                        PrintModule(*back.module)));
    }
  }

  // --- Promises.

  std::set<std::string> CalledOperators() const {
    std::set<std::string> names;
    for (const ModuleOperator& op : module_.operators) {
      if (op.entry != nullptr) names.insert(op.entry->name());
    }
    return names;
  }

  void CheckPromises() {
    if (options_.steps == nullptr) return;
    const std::set<std::string> called = CalledOperators();
    // What the version after, or the one before, did to the operators.
    bool backward = true;
    bool forward = true;
    bool for_target = true;
    for (const SimulatedStep& step : *options_.steps) {
      if (step.version == w_ + 1 && called.count(step.before) > 0) {
        backward = backward && step.promise.backward;
      }
      if (step.version == w_ && called.count(step.op) > 0) {
        forward = forward && step.promise.forward;
        for_target = for_target && step.promise.for_target;
      }
    }
    if (backward && w_ + 1 < runtimes_.size()) {
      ExpectAccepted(read_[w_ + 1], w_ + 1, false);
    }
    if (w_ > 0) {
      if (forward) ExpectAccepted(read_[w_ - 1], w_ - 1, false);
      if (for_target) ExpectAccepted(bound_[w_ - 1], w_ - 1, true);
    }
    // Over several versions: if all steps of all operators promise it.
    for (size_t r = w_ + 1; r < runtimes_.size(); ++r) {
      for (const SimulatedStep& step : *options_.steps) {
        if (step.version == r && !step.promise.backward) return;
      }
      if (r > w_ + 1) ExpectAccepted(read_[r], r, false);
    }
  }

  void ExpectAccepted(const Outcome& outcome, size_t reader, bool for_target) {
    reader_ = reader;
    for_target_ = for_target;
    ++Tested(Law::kPromise);
    if (!outcome.module.has_value()) {
      Fail(Law::kPromise, absl::StrCat("refused against the promise: ",
                                       absl::StrJoin(outcome.reasons, "; ")));
    }
  }

  const Module& module_;
  const size_t w_;
  const std::vector<Runtime>& runtimes_;
  const LawOptions& options_;
  Testee& testee_;
  LawTally& tally_;
  const OriginalModule original_;
  std::vector<LawFailure> failures_;
  std::vector<Outcome> read_;   // by version
  std::vector<Outcome> bound_;  // by version
  size_t num_plans_ = 0;        // of the last BoundTo
  // What failures are about.
  size_t reader_ = 0;
  bool for_target_ = false;
};

}  // namespace

absl::string_view LawName(Law law) {
  switch (law) {
    case Law::kAnswers:
      return "answers";
    case Law::kNoMisread:
      return "no-misread";
    case Law::kSameNumbers:
      return "same-numbers";
    case Law::kPrediction:
      return "prediction";
    case Law::kPromise:
      return "promise";
    case Law::kOwnVersion:
      return "own-version";
    case Law::kElision:
      return "elision";
    case Law::kThrough:
      return "through";
    case Law::kUpInTwoSteps:
      return "up-in-two-steps";
    case Law::kDownInTwoSteps:
      return "down-in-two-steps";
    case Law::kDownAndUp:
      return "down-and-up";
    case Law::kLinear:
      return "linear";
  }
  return "";
}

std::string LawFailure::ToString() const {
  return absl::StrCat(LawName(law), ", written at ", writer + 1,
                      for_target ? ", for " : ", read at ", reader + 1, ": ",
                      what);
}

void LawTally::Add(const LawTally& other) {
  for (size_t i = 0; i < kNumLaws; ++i) tested[i] += other.tested[i];
  accepted += other.accepted;
  refused += other.refused;
  stepped += other.stepped;
}

std::string LawTally::ToString() const {
  std::string text = absl::StrCat("accepted ", accepted, ", refused ", refused,
                                  ", stepped ", stepped, "\n");
  for (size_t i = 0; i < kNumLaws; ++i) {
    absl::StrAppend(&text, LawName(static_cast<Law>(i)), " ", tested[i], "\n");
  }
  return text;
}

Laws::Laws(const OpsetHistory& history, const LawOptions& options,
           LawTally* tally)
    : options_(options), tally_(*tally) {
  for (const Opset& opset : history.versions()) {
    // One opset: nothing that could clash.
    runtimes_.push_back(*Runtime::Create({opset}));
  }
}

std::vector<LawFailure> Laws::Check(const Module& module, size_t w) {
  InProcessTestee in_process;
  return Run(module, w, runtimes_, options_, TesteeOr(&in_process), &tally_)
      .Check();
}

std::vector<LawFailure> Laws::CheckReading(const Module& module, size_t w,
                                           size_t r, bool for_target) {
  InProcessTestee in_process;
  return Run(module, w, runtimes_, options_, TesteeOr(&in_process), &tally_)
      .CheckReading(r, for_target);
}

std::set<std::string> Laws::ReasonCodes(const Module& module, size_t w,
                                        size_t r, bool for_target) {
  InProcessTestee in_process;
  return Run(module, w, runtimes_, options_, TesteeOr(&in_process), &tally_)
      .ReasonCodes(r, for_target);
}

absl::optional<Law> LawOfName(absl::string_view name) {
  for (size_t i = 0; i < kNumLaws; ++i) {
    const Law law = static_cast<Law>(i);
    if (LawName(law) == name) return law;
  }
  return absl::nullopt;
}

}  // namespace simulation
}  // namespace opcompat
