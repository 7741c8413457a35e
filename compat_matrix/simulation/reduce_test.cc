// A planted misreading, made small.
#include "compat_matrix/simulation/reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "binding/report.h"
#include "compat_matrix/simulation/law_case.h"
#include "compat_matrix/simulation/laws.h"
#include "compat_matrix/simulation/module_maker.h"
#include "compat_matrix/simulation/simulated_history.h"
#include "compat_matrix/simulation/step_kinds.h"
#include "compat_matrix/testees/testee.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"
#include "schema/opset.h"

namespace opcompat {
namespace simulation {
namespace {

// A reader that follows its own defaults: what its version must write out
// because the writer meant another value, it takes for its default.
class DefaultFollower : public Testee {
 public:
  std::string name() const override { return "follows its own defaults"; }
  TesteeAnswer Read(absl::string_view bytes, const Runtime& reader) override {
    TesteeAnswer answer = in_process_.Read(bytes, reader);
    for (const OperatorReport& op : answer.report.operators) {
      if (op.materialized > 0 && answer.module.has_value()) {
        Follow(op.op, &*answer.module);
      }
    }
    return answer;
  }

 private:
  static void Follow(const std::string& op, Module* module) {
    for (Function& function : module->functions) {
      for (const Node& node : function.graph.nodes) {
        const CallForm& form = module->form(node);
        const OperatorEntryPtr& entry = module->op(node).entry;
        if (entry == nullptr || entry->name() != op) continue;
        for (size_t i = 0; i < form.slots.size(); ++i) {
          const Slot slot = form.slots[i];
          if (!slot.is_constant || slot.argument == Slot::kVariadic) continue;
          const EntryArgument& argument = entry->arguments[slot.argument];
          if (!argument.default_value.has_value()) continue;
          function.graph.operands[node.operands_begin + i] =
              Operand(Intern(*argument.default_value, module));
        }
      }
    }
  }

  static ConstantId Intern(const Value& value, Module* module) {
    const auto found =
        std::find(module->constants.begin(), module->constants.end(), value);
    if (found == module->constants.end()) module->constants.push_back(value);
    const auto place =
        std::find(module->constants.begin(), module->constants.end(), value);
    return ConstantId(static_cast<uint32_t>(place - module->constants.begin()));
  }

  InProcessTestee in_process_;
};

size_t NumStatements(const std::string& module) {
  size_t statements = 0;
  for (const absl::string_view line : absl::StrSplit(module, '\n')) {
    statements += absl::StrContains(line, " = ");
  }
  return statements;
}

// A failing case of ten versions and a module of 500 calls.
ReducibleCase FindCase(const LawOptions& options) {
  for (uint64_t seed = 1; seed < 200; ++seed) {
    SimulationOptions simulation;
    simulation.num_versions = 10;
    simulation.num_operators = 5;
    const absl::StatusOr<SimulatedHistory> made =
        SimulateHistory(seed, simulation);
    EXPECT_TRUE(made.ok()) << made.status();
    for (size_t w = 3; w < 7; ++w) {
      ReducibleCase found;
      found.files = made->files;
      found.module = SmallModule(*made->history(), w, seed, 500);
      found.writer = absl::StrCat(w + 1);
      found.reader = absl::StrCat(w + 2);
      // The oracle sees it, and so do the kernels.
      if (BreaksLaw(found, Law::kNoMisread, options) &&
          BreaksLaw(found, Law::kSameNumbers, options)) {
        return found;
      }
    }
  }
  ADD_FAILURE() << "the fault was never met";
  return {};
}

TEST(ReduceCaseTest, AMisreadingBecomesAFewLinesAndTwoVersions) {
  DefaultFollower testee;
  LawOptions options;
  options.testee = &testee;
  options.every_way = false;
  const ReducibleCase failing = FindCase(options);
  ASSERT_GE(NumStatements(failing.module), 500);
  const StillFails still_fails = [&](const ReducibleCase& c) {
    return BreaksLaw(c, Law::kNoMisread, options);
  };
  const ReducibleCase reduced = ReduceCase(failing, still_fails);
  SCOPED_TRACE(reduced.ToString());
  EXPECT_TRUE(still_fails(reduced));
  EXPECT_EQ(NumStatements(reduced.module), 1);
  const std::vector<std::string> lines =
      absl::StrSplit(reduced.module, '\n', absl::SkipEmpty());
  EXPECT_LE(lines.size(), 5);
  const LoadedHistory loaded = LoadFiles(reduced.files);
  ASSERT_NE(loaded.history, nullptr);
  EXPECT_LE(loaded.history->versions().size(), 3);
  EXPECT_EQ(loaded.history->newest().operators().size(), 1);
  // Nothing is left to be taken away.
  EXPECT_EQ(ReduceCase(reduced, still_fails).ToString(), reduced.ToString());
}

// A history of ten versions in which `kind` was not declared, and a module of
// 500 calls with which the kernels notice.
ReducibleCase FindCarelessCase(StepKind kind) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    SimulationOptions simulation;
    simulation.num_versions = 10;
    simulation.careless = true;
    const absl::StatusOr<SimulatedHistory> made =
        SimulateHistory(seed, simulation);
    EXPECT_TRUE(made.ok()) << made.status();
    if (made->secrets.empty() || made->secrets[0].kind != kind) continue;
    const Secret& secret = made->secrets[0];
    ReducibleCase found;
    found.files = made->files;
    found.writer = absl::StrCat(secret.version);
    found.reader = absl::StrCat(secret.version + 1);
    found.module = SmallModule(*made->history(), secret.version - 1, seed, 500);
    found.secrets = {
        {found.reader, secret.kind, secret.op, secret.argument, secret.truth}};
    LawOptions options;
    options.every_way = false;
    if (BreaksLaw(found, Law::kSameNumbers, options)) return found;
  }
  ADD_FAILURE() << "never noticed";
  return {};
}

TEST(ReduceCaseTest, WhatNobodyDeclaredBecomesAFewLinesAndTwoVersions) {
  for (const StepKind kind :
       {StepKind::kMeaningChanged, StepKind::kWrongUpgrader,
        StepKind::kWrongNeutral}) {
    SCOPED_TRACE(StepKindName(kind));
    const ReducibleCase failing = FindCarelessCase(kind);
    LawOptions options;
    options.every_way = false;
    const ReducibleCase reduced =
        ReduceCase(failing, [&](const ReducibleCase& c) {
          return BreaksLaw(c, Law::kSameNumbers, options);
        });
    SCOPED_TRACE(reduced.ToString());
    EXPECT_EQ(NumStatements(reduced.module), 1);
    const LoadedHistory loaded = LoadFiles(reduced.files);
    ASSERT_NE(loaded.history, nullptr);
    EXPECT_EQ(loaded.history->versions().size(), 2);
  }
}

TEST(ReduceCaseTest, WhatDoesNotFailStaysAsItIs) {
  ReducibleCase sound;
  sound.module = "func f() -> ():\n  return ()\n";
  const ReducibleCase same =
      ReduceCase(sound, [](const ReducibleCase&) { return false; });
  EXPECT_EQ(same.module, sound.module);
}

TEST(ReduceCaseTest, AsksNoMoreThanItMay) {
  size_t asked = 0;
  ReducibleCase failing;
  failing.module = "func f(%x : int) -> (int):\n  return (%x)\n";
  ReduceOptions options;
  options.max_tries = 2;
  ReduceCase(
      failing,
      [&](const ReducibleCase&) {
        ++asked;
        return true;
      },
      options);
  EXPECT_LE(asked, 1 + options.max_tries);
}

TEST(ReduceCaseTest, BlocksAreUnwrapped) {
  ReducibleCase failing;
  failing.module =
      "func f(%c : bool, %x : Tensor) -> (Tensor, Tensor):\n"
      "  %r : Tensor = prim::If(%c)\n"
      "    block0():\n"
      "      %s : Tensor = prim::Loop(3, True, %x)\n"
      "        block0(%i : int, %t : Tensor):\n"
      "          %u : Tensor = t::f(%t, \"a, (b\")\n"
      "          -> (True, %u)\n"
      "      -> (%s)\n"
      "    block1():\n"
      "      -> (%x)\n"
      "  return (%r, %x)\n";
  const ReducibleCase reduced = ReduceCase(failing, [](const ReducibleCase& c) {
    return absl::StrContains(c.module, "t::f(") &&
           absl::StrContains(c.module, "\"a, (b\"");
  });
  EXPECT_EQ(NumStatements(reduced.module), 1) << reduced.module;
  EXPECT_FALSE(absl::StrContains(reduced.module, "prim::")) << reduced.module;
}

}  // namespace
}  // namespace simulation
}  // namespace opcompat
