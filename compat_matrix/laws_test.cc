// Laws that hold whatever a history says, over the modules of the demo history
// and over histories and modules at random: what comes out of the library is
// compared with what else the library gives, and with the oracle.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "binding/bind_module.h"
#include "binding/report.h"
#include "compat_matrix/laws_test_histories.h"
#include "compat_matrix/oracle/oracle.h"
#include "compat_matrix/oracle/testing.h"
#include "deserializer/deserialize.h"
#include "gtest/gtest.h"
#include "ir/module.h"
#include "ir/text/history_loader.h"
#include "ir/text/module_parser.h"
#include "ir/text/module_printer.h"
#include "ir/verifier.h"
#include "schema/history.h"
#include "schema/opset.h"
#include "serializer/serialize.h"

namespace opcompat {
namespace {

// How often each law was put to the test: one that never was shows nothing.
struct Tally {
  int accepted = 0;
  int refused = 0;
  int stepped = 0;  // accepted, and some call took a step
  int through_another = 0;
  int up_in_two_steps = 0;
  int down_in_two_steps = 0;
  int down_and_up = 0;
};

// A module that came out, or the reasons.
struct Outcome {
  absl::optional<Module> module;
  std::set<std::string> reasons;  // `code operator argument`
  bool stepped = false;
  // A hint was dropped: what it said is lost, on purpose.
  bool lost_a_hint = false;
};

std::string ReasonText(absl::string_view code, const std::string& op,
                       const std::string& argument) {
  return absl::StrCat(code, " ", op, " ", argument);
}

void TakeReasons(const std::vector<Reason>& reasons, Outcome* outcome) {
  for (const Reason& reason : reasons) {
    outcome->reasons.insert(
        ReasonText(ReasonCodeName(reason.code), reason.op, reason.argument));
  }
}

void TakeReport(const LoadReport& report, Outcome* outcome) {
  outcome->lost_a_hint = !report.warnings.empty();
  for (const OperatorReport& op : report.operators) {
    outcome->stepped = outcome->stepped || op.upgraded > 0;
  }
}

class Laws {
 public:
  // `undoes_itself`: the way down and up again is the identity, and so is any
  // other that leads back.
  Laws(const OpsetHistory& history, bool undoes_itself, Tally* tally)
      : undoes_itself_(undoes_itself), tally_(*tally) {
    for (const Opset& opset : history.versions()) {
      runtimes_.push_back(oracle::RuntimeAt(history, opset.version()));
    }
  }

  size_t num_versions() const { return runtimes_.size(); }
  const Runtime& runtime(size_t version) const { return runtimes_[version]; }

  // `module` is written at version `w`.
  void Check(const Module& module, size_t w) {
    const std::string bytes = Written(module, w, Elision::kEqualToDefault);
    const std::string burnt = Written(module, w, Elision::kNone);
    std::vector<Outcome> read;
    std::vector<Outcome> bound;
    for (size_t r = 0; r < runtimes_.size(); ++r) {
      SCOPED_TRACE(absl::StrCat("version ", w, " read at ", r));
      read.push_back(Read(bytes, r));
      Judge(module, w, r, false, read[r]);
      ++(read[r].module.has_value() ? tally_.accepted : tally_.refused);
      tally_.stepped += read[r].module.has_value() && read[r].stepped;

      const Outcome burnt_read = Read(burnt, r);
      EXPECT_EQ(burnt_read.reasons, read[r].reasons) << "burnt in";
      ExpectSame(read[r], burnt_read, r, "elided and burnt in");
    }
    CheckIdentity(module, w, bytes, read[w]);
    for (size_t t = 0; t < runtimes_.size(); ++t) {
      SCOPED_TRACE(absl::StrCat("version ", w, " for target ", t));
      bound.push_back(BoundTo(module, w, t));
      Judge(module, w, t, true, bound[t]);
    }
    for (size_t t = 0; t < runtimes_.size(); ++t) {
      CheckThrough(w, t, read);
      CheckTargetThrough(w, t, bound);
      CheckBack(module, w, t, bound[t]);
    }
  }

 private:
  std::string Written(const Module& module, size_t version, Elision elision) {
    SerializeOptions options;
    options.elision = elision;
    const absl::StatusOr<std::string> bytes =
        Serialize(module, runtimes_[version], options);
    EXPECT_TRUE(bytes.ok()) << bytes.status() << "\n" << PrintModule(module);
    return bytes.ok() ? *bytes : std::string();
  }

  Outcome Read(const std::string& bytes, size_t reader) {
    Outcome outcome;
    std::vector<Reason> reasons;
    absl::StatusOr<Loaded> loaded =
        Deserialize(bytes, runtimes_[reader], {}, &reasons);
    TakeReasons(reasons, &outcome);
    EXPECT_EQ(loaded.ok(), reasons.empty()) << loaded.status();
    if (loaded.ok()) {
      TakeReport(loaded->report, &outcome);
      outcome.module = std::move(loaded->module);
      EXPECT_EQ(Verify(*outcome.module), absl::OkStatus());
    }
    return outcome;
  }

  Outcome BoundTo(const Module& module, size_t writer, size_t target) {
    Outcome outcome;
    BindOptions options;
    options.down_steps = &runtimes_[writer];
    BindResult result = BindModule(module, runtimes_[target], options);
    TakeReasons(result.reasons, &outcome);
    CheckLinear(module, result, target, options);
    if (result.accepted()) {
      TakeReport(result.report, &outcome);
      outcome.module = std::move(result.module);
      EXPECT_EQ(Verify(*outcome.module), absl::OkStatus());
    }
    return outcome;
  }

  // Five times the module: five times the nodes, and nothing more to think
  // about.
  void CheckLinear(const Module& module, const BindResult& once, size_t target,
                   const BindOptions& options) {
    Module module_5 = module;
    for (int copy = 1; copy < 5; ++copy) {
      for (const Function& function : module.functions) {
        module_5.functions.push_back(function);
        absl::StrAppend(&module_5.functions.back().name, "_", copy);
      }
    }
    const BindResult result = BindModule(module_5, runtimes_[target], options);
    EXPECT_EQ(result.accepted(), once.accepted());
    EXPECT_EQ(result.num_plans, once.num_plans);
    EXPECT_EQ(NumNodes(result.module), 5 * NumNodes(once.module));
  }

  static size_t NumNodes(const Module& module) {
    size_t num_nodes = 0;
    for (const Function& function : module.functions) {
      num_nodes += function.graph.nodes.size();
    }
    return num_nodes;
  }

  // The oracle expects the same outcome, the same reasons, the same module.
  void Judge(const Module& module, size_t w, size_t r, bool as_target,
             const Outcome& outcome) {
    const Prediction prediction =
        Predict(module, runtimes_[w], runtimes_[r], as_target);
    std::set<std::string> predicted;
    for (const Prediction::Refusal& refusal : prediction.refusals) {
      predicted.insert(ReasonText(refusal.code, refusal.op, refusal.argument));
    }
    EXPECT_EQ(outcome.reasons, predicted) << PrintModule(module);
    if (!outcome.module.has_value() || !prediction.accepted) return;
    EXPECT_EQ(MeaningDiffers(module, *outcome.module, runtimes_[w],
                             runtimes_[r], as_target),
              absl::nullopt)
        << PrintModule(module) << PrintModule(*outcome.module);
  }

  // Where both accept. Modules of version `r`.
  void ExpectSame(const Outcome& a, const Outcome& b, size_t r,
                  const std::string& what) {
    if (!a.module.has_value() || !b.module.has_value()) return;
    EXPECT_EQ(MeaningDiffers(*a.module, *b.module, runtimes_[r], runtimes_[r]),
              absl::nullopt)
        << what << "\n"
        << PrintModule(*a.module) << PrintModule(*b.module);
  }

  void CheckIdentity(const Module& module, size_t w, const std::string& bytes,
                     const Outcome& read) {
    ASSERT_TRUE(read.module.has_value()) << absl::StrJoin(read.reasons, "\n");
    EXPECT_EQ(MeaningDiffers(module, *read.module, runtimes_[w], runtimes_[w]),
              absl::nullopt);
    EXPECT_EQ(Written(*read.module, w, Elision::kEqualToDefault), bytes);
  }

  // Reading through a version that rewrites is reading directly. A file that
  // went beyond its reader may have another form there, unless all steps undo
  // each other: a graph says what a call means later, not earlier.
  void CheckThrough(size_t w, size_t t, const std::vector<Outcome>& read) {
    if (!read[t].module.has_value() || read[t].lost_a_hint) return;
    const std::string bytes =
        Written(*read[t].module, t, Elision::kEqualToDefault);
    for (size_t r = undoes_itself_ ? 0 : t; r < runtimes_.size(); ++r) {
      SCOPED_TRACE(absl::StrCat("version ", w, " through ", t, " to ", r));
      const Outcome onwards = Read(bytes, r);
      ExpectSame(read[r], onwards, r, "directly and through another");
      if (!read[r].module.has_value() || !onwards.module.has_value()) continue;
      ++tally_.through_another;
      tally_.up_in_two_steps += w < t && t < r && read[r].stepped;
    }
  }

  // The same for targets, downwards.
  void CheckTargetThrough(size_t w, size_t t,
                          const std::vector<Outcome>& bound) {
    if (t >= w || !bound[t].module.has_value() || bound[t].lost_a_hint) return;
    for (size_t s = 0; s < t; ++s) {
      SCOPED_TRACE(absl::StrCat("version ", w, " for ", t, ", then for ", s));
      const Outcome onwards = BoundTo(*bound[t].module, t, s);
      ExpectSame(bound[s], onwards, s, "directly and for another first");
      tally_.down_in_two_steps +=
          bound[s].module.has_value() && onwards.module.has_value();
    }
  }

  void CheckBack(const Module& module, size_t w, size_t t,
                 const Outcome& bound) {
    if (!undoes_itself_ || t >= w || !bound.module.has_value() ||
        bound.lost_a_hint) {
      return;
    }
    SCOPED_TRACE(absl::StrCat("version ", w, " for ", t, " and back"));
    const Outcome back =
        Read(Written(*bound.module, t, Elision::kEqualToDefault), w);
    if (!back.module.has_value()) return;
    ++tally_.down_and_up;
    EXPECT_EQ(MeaningDiffers(module, *back.module, runtimes_[w], runtimes_[w]),
              absl::nullopt)
        << PrintModule(module) << PrintModule(*bound.module)
        << PrintModule(*back.module);
  }

  const bool undoes_itself_;
  Tally& tally_;
  std::vector<Runtime> runtimes_;
};

class GeneratedLawsTest : public testing::TestWithParam<int> {};

void CheckGenerated(const HistoryOptions& options, uint64_t first_seed,
                    int num_histories, Tally* tally) {
  for (int i = 0; i < num_histories; ++i) {
    const uint64_t seed = first_seed + static_cast<uint64_t>(i);
    const GeneratedHistory generated = GenerateHistory(seed, options);
    SCOPED_TRACE(absl::StrCat("seed ", seed, "\n", generated.ToString()));
    const std::shared_ptr<const OpsetHistory> history =
        oracle::MakeHistory(generated.versions, generated.graphs);
    ASSERT_NE(history, nullptr);
    Laws laws(*history, options.invertible, tally);
    for (size_t w = 0; w < laws.num_versions(); ++w) {
      for (uint64_t m = 0; m < 2; ++m) {
        const std::string text =
            GenerateModuleText(generated, w, seed * 100 + w * 10 + m);
        SCOPED_TRACE(text);
        laws.Check(oracle::MakeModule(text, laws.runtime(w)), w);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST_P(GeneratedLawsTest, AnyStepsAndPresence) {
  Tally tally;
  CheckGenerated({/*num_versions=*/4, /*invertible=*/false},
                 static_cast<uint64_t>(GetParam()) * 1000, 8, &tally);
  EXPECT_GT(tally.accepted, 100);
  EXPECT_GT(tally.refused, 40);
  EXPECT_GT(tally.stepped, 20);
  EXPECT_GT(tally.through_another, 200);
  EXPECT_GT(tally.up_in_two_steps, 8);
  EXPECT_GT(tally.down_in_two_steps, 15);
}

TEST_P(GeneratedLawsTest, StepsThatUndoEachOther) {
  Tally tally;
  CheckGenerated({/*num_versions=*/4, /*invertible=*/true},
                 static_cast<uint64_t>(GetParam()) * 1000 + 500, 8, &tally);
  EXPECT_GT(tally.accepted, 100);
  EXPECT_GT(tally.stepped, 20);
  EXPECT_GT(tally.up_in_two_steps, 8);
  EXPECT_GT(tally.down_in_two_steps, 25);
  EXPECT_GT(tally.down_and_up, 50);
}

INSTANTIATE_TEST_SUITE_P(Seeds, GeneratedLawsTest, testing::Range(0, 3));

TEST(DemoLawsTest, EveryModuleAtEveryVersionThatTakesIt) {
  const absl::StatusOr<std::shared_ptr<const OpsetHistory>> history =
      LoadHistoryOrError("opsets/demo");
  ASSERT_TRUE(history.ok()) << history.status();
  Tally tally;
  Laws all_laws(**history, /*undoes_itself=*/true, &tally);
  // What was stepped by a graph says what a call means, not which it was.
  Laws laws_of_graphs(**history, /*undoes_itself=*/false, &tally);
  std::vector<std::string> paths;
  for (const auto& file :
       std::filesystem::directory_iterator("opsets/demo/modules")) {
    paths.push_back(file.path().string());
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    SCOPED_TRACE(path);
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    Laws& laws = absl::StrContains(text.str(), "demo::median") ||
                         absl::StrContains(text.str(), "demo::soften") ||
                         absl::StrContains(text.str(), "demo::thumbnail")
                     ? laws_of_graphs
                     : all_laws;
    const std::vector<OpsetVersion> opsets = ReadOpsetLines(text.str());
    int written = 0;
    for (size_t w = 0; w < laws.num_versions(); ++w) {
      const std::string& version = laws.runtime(w).opsets().front().version();
      if (!opsets.empty() && opsets[0].version != version) continue;
      const absl::StatusOr<Module> module =
          ParseModule(text.str(), laws.runtime(w));
      if (!module.ok()) continue;
      ++written;
      laws.Check(*module, w);
    }
    EXPECT_GT(written, 0);
  }
  EXPECT_GT(tally.accepted, 500);
  EXPECT_GT(tally.refused, 100);
  EXPECT_GT(tally.through_another, 1000);
  EXPECT_GT(tally.down_in_two_steps, 100);
  EXPECT_GT(tally.down_and_up, 100);
}

}  // namespace
}  // namespace opcompat
