// The laws over the modules of the demo history: stories that people wrote.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "compat_matrix/simulation/laws.h"
#include "ir/module.h"
#include "ir/text/history_loader.h"
#include "ir/text/module_parser.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {
namespace simulation {
namespace {

TEST(DemoLawsTest, EveryModuleAtEveryVersionThatTakesIt) {
  const absl::StatusOr<std::shared_ptr<const OpsetHistory>> history =
      LoadHistoryOrError("opsets/demo");
  ASSERT_TRUE(history.ok()) << history.status();
  LawTally tally;
  LawOptions options;
  // What was stepped by a graph says what a call means, not which it was.
  Laws laws_of_graphs(**history, options, &tally);
  options.undoes_itself = true;
  Laws all_laws(**history, options, &tally);
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
      for (const LawFailure& failure : laws.Check(*module, w)) {
        ADD_FAILURE() << failure.ToString();
      }
    }
    EXPECT_GT(written, 0);
  }
  SCOPED_TRACE(tally.ToString());
  const auto tested = [&](Law law) {
    return tally.tested[static_cast<size_t>(law)];
  };
  EXPECT_GT(tally.accepted, 500);
  EXPECT_GT(tally.refused, 100);
  EXPECT_GT(tested(Law::kThrough), 1000);
  EXPECT_GT(tested(Law::kDownInTwoSteps), 100);
  EXPECT_GT(tested(Law::kDownAndUp), 100);
}

}  // namespace
}  // namespace simulation
}  // namespace opcompat
