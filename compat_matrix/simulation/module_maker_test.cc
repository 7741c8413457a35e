#include "compat_matrix/simulation/module_maker.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "compat_matrix/simulation/simulated_case.h"
#include "compat_matrix/simulation/simulated_history.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {
namespace simulation {
namespace {

TEST(ModuleMakerTest, EveryArgumentOfEveryOperatorIsGivenInAllItsWays) {
  int in_blocks = 0;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    const absl::StatusOr<SimulatedHistory> made = SimulateHistory(seed);
    ASSERT_TRUE(made.ok()) << made.status();
    const OpsetHistory& history = *made->history();
    for (size_t v = 0; v < history.versions().size(); ++v) {
      const Opset& opset = history.versions()[v];
      std::vector<GivenWay> given;
      const std::string text = PopulatedModule(history, v, seed, &given);
      const absl::StatusOr<Module> module =
          ParseModule(text, *Runtime::Create({opset}));
      ASSERT_TRUE(module.ok()) << module.status() << "\n" << text;
      in_blocks += absl::StrContains(text, "prim::If") &&
                   absl::StrContains(text, "prim::Loop");
      std::set<std::tuple<std::string, std::string, Way>> seen;
      for (const GivenWay& way : given) {
        seen.insert({way.op, way.argument, way.way});
      }
      for (const OperatorInfoPtr& info : opset.operators()) {
        const OperatorEntry& entry = *info->current();
        EXPECT_TRUE(absl::StrContains(text, entry.name()));
        for (size_t i = 0; i < entry.num_exposed(); ++i) {
          const std::string& argument = entry.arguments[i].name();
          const std::vector<Way> ways =
              WaysOf(history, v, entry.name(), argument);
          ASSERT_FALSE(ways.empty());
          for (const Way way : ways) {
            EXPECT_EQ(seen.count({entry.name(), argument, way}), 1)
                << entry.name() << " " << argument << " in way "
                << static_cast<int>(way) << "\n"
                << text;
          }
        }
      }
    }
  }
  EXPECT_GT(in_blocks, 60);
}

TEST(SimulateCaseTest, ModulesParseAtTheVersionThatTheyNameAndRunThere) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    SimulationOptions options;
    options.careless = seed % 2 == 0;
    const absl::StatusOr<SimulatedCase> made = SimulateCase(seed, options);
    ASSERT_TRUE(made.ok()) << made.status();
    EXPECT_GE(made->modules.size(), 3 * made->history->versions().size());
    for (const SimulatedModule& text : made->modules) {
      EXPECT_TRUE(absl::StartsWith(text.path, made->name + "/m")) << text.path;
      const std::vector<OpsetVersion> lines = ReadOpsetLines(text.text);
      ASSERT_EQ(lines.size(), 1);
      EXPECT_EQ(lines[0].name, made->history->name());
      const absl::StatusOr<Opset> opset = made->history->At(lines[0].version);
      ASSERT_TRUE(opset.ok()) << opset.status();
      const absl::StatusOr<Module> module =
          ParseModule(text.text, *Runtime::Create({*opset}));
      ASSERT_TRUE(module.ok()) << module.status() << "\n" << text.text;
      EXPECT_EQ(
          made->judge(*module, lines[0].version, *module, lines[0].version),
          absl::nullopt);
    }
  }
}

}  // namespace
}  // namespace simulation
}  // namespace opcompat
