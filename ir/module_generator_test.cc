// Properties of builder, verifier, canonical form and equality, on modules
// made at random.
#include "ir/module_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "base/status_matchers.h"
#include "ir/canonicalize.h"
#include "ir/equality.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "ir/surely_canonical.h"
#include "ir/table_order.h"
#include "ir/testing.h"
#include "ir/verifier.h"
#include "schema/operator_entry.h"
#include "schema/text/schema_parser.h"

namespace opcompat {
namespace {

constexpr uint64_t kNumSeeds = 50;

// FirstDifference, readable when it fails; empty: equal.
std::string Difference(const Module& a, const Module& b) {
  return FirstDifference(a, b).value_or("");
}

// Whether everything about two modules is the same: columns, tables, names.
void ExpectSameColumns(const Module& a, const Module& b) {
  EXPECT_EQ(a.strings, b.strings);
  EXPECT_EQ(a.types, b.types);
  EXPECT_TRUE(a.constants == b.constants);
  EXPECT_TRUE(a.forms == b.forms);
  ASSERT_EQ(a.operators.size(), b.operators.size());
  for (size_t i = 0; i < a.operators.size(); ++i) {
    EXPECT_EQ(a.operators[i].name(), b.operators[i].name());
  }
  ASSERT_EQ(a.functions.size(), b.functions.size());
  for (size_t f = 0; f < a.functions.size(); ++f) {
    const Graph& x = a.functions[f].graph;
    const Graph& y = b.functions[f].graph;
    EXPECT_EQ(a.functions[f].result_types, b.functions[f].result_types);
    EXPECT_TRUE(x.operands == y.operands);
    EXPECT_EQ(x.value_types, y.value_types);
    EXPECT_EQ(x.value_names, y.value_names);
    EXPECT_EQ(x.node_locations, y.node_locations);
    ASSERT_EQ(x.num_nodes(), y.num_nodes());
    for (size_t n = 0; n < x.num_nodes(); ++n) {
      EXPECT_EQ(x.nodes[n].form, y.nodes[n].form);
    }
  }
}

TEST(ModuleGeneratorTest, EveryModuleVerifies) {
  const std::vector<OperatorEntryPtr> entries = EntriesForTesting();
  size_t nodes = 0;
  size_t blocks = 0;
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const Module module = GenerateModule(entries, seed);
    ASSERT_THAT(Verify(module), IsOk());
    for (const Function& function : module.functions) {
      nodes += function.graph.num_nodes();
      blocks += function.graph.blocks.size();
    }
  }
  // They are not all empty.
  EXPECT_GT(nodes, kNumSeeds * 40);
  EXPECT_GT(blocks, kNumSeeds * 4);
}

// Every type and every annotation that real operators have.
TEST(ModuleGeneratorTest, ModulesOfRealOperatorsVerify) {
  std::ifstream file("opsets/torch/torch-2.6.0.ops");
  ASSERT_TRUE(file.good());
  std::vector<OperatorEntryPtr> entries;
  for (std::string line; std::getline(file, line);) {
    if (line.find("::") == std::string::npos || line[0] == '#') continue;
    if (ParseSchema(line).ok()) entries.push_back(EntryOf(line));
  }
  ASSERT_GT(entries.size(), 4000);
  GeneratorOptions options;
  options.nodes_per_block = 100;
  options.max_depth = 1;
  absl::flat_hash_set<std::string> called;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const Module module = GenerateModule(entries, seed, options);
    ASSERT_THAT(Verify(module), IsOk());
    const absl::StatusOr<Module> canonical = Canonicalize(module);
    ASSERT_THAT(canonical, IsOk());
    ASSERT_THAT(Verify(*canonical), IsOk());
    EXPECT_EQ(Difference(module, *canonical), "");
    for (const ModuleOperator& op : module.operators) {
      called.emplace(op.name());
    }
  }
  EXPECT_GT(called.size(), 1000);
}

TEST(ModuleGeneratorTest, TheSameSeedMakesTheSameModule) {
  const std::vector<OperatorEntryPtr> entries = EntriesForTesting();
  ExpectSameColumns(GenerateModule(entries, 7), GenerateModule(entries, 7));
}

TEST(ModuleGeneratorTest, CanonicalModulesVerifyAndAreEqualToTheirOrigin) {
  const std::vector<OperatorEntryPtr> entries = EntriesForTesting();
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const Module module = GenerateModule(entries, seed);
    const absl::StatusOr<Module> canonical = Canonicalize(module);
    ASSERT_THAT(canonical, IsOk());
    ASSERT_THAT(Verify(*canonical), IsOk());
    EXPECT_EQ(Difference(module, *canonical), "");
  }
}

TEST(ModuleGeneratorTest, CanonicalizingTwiceIsCanonicalizingOnce) {
  const std::vector<OperatorEntryPtr> entries = EntriesForTesting();
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const absl::StatusOr<Module> once =
        Canonicalize(GenerateModule(entries, seed));
    ASSERT_THAT(once, IsOk());
    const absl::StatusOr<Module> twice = Canonicalize(*once);
    ASSERT_THAT(twice, IsOk());
    ExpectSameColumns(*once, *twice);
  }
}

// Only what would stay as it is may be taken for canonical; and that is most.
TEST(ModuleGeneratorTest, SurelyCanonicalModulesStayAsTheyAre) {
  const std::vector<OperatorEntryPtr> entries = EntriesForTesting();
  // Small: one constant that must be a node makes a module unsure.
  GeneratorOptions options;
  options.num_functions = 1;
  options.nodes_per_block = 2;
  options.max_depth = 1;
  options.with_header = false;
  int num_sure_before = 0;
  int num_sure_after = 0;
  for (uint64_t seed = 0; seed < 10 * kNumSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const Module module = GenerateModule(entries, seed, options);
    const absl::StatusOr<Module> canonical = Canonicalize(module);
    ASSERT_THAT(canonical, IsOk());
    num_sure_after += IsSurelyCanonical(*canonical);
    if (!IsSurelyCanonical(module)) continue;
    ++num_sure_before;
    Module ordered = module;
    OrderTables(&ordered);
    ExpectSameColumns(ordered, *canonical);
    EXPECT_EQ(Difference(module, *canonical), "");
  }
  EXPECT_GT(num_sure_before, 0);
  EXPECT_GT(num_sure_after, num_sure_before);
}

TEST(ModuleGeneratorTest, DebugInformationChangesNoOtherColumn) {
  const std::vector<OperatorEntryPtr> entries = EntriesForTesting();
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Module module = GenerateModule(entries, seed);
    const absl::StatusOr<Module> with = Canonicalize(module);
    for (Function& function : module.functions) {
      function.graph.value_names.clear();
      function.graph.node_locations.clear();
    }
    absl::StatusOr<Module> without = Canonicalize(module);
    ASSERT_THAT(with, IsOk());
    ASSERT_THAT(without, IsOk());
    EXPECT_EQ(Difference(*with, *without), "");
    ASSERT_LE(without->strings.size(), with->strings.size());
    Module stripped = *with;
    stripped.strings.resize(without->strings.size());
    for (Function& function : stripped.functions) {
      function.graph.value_names.clear();
      function.graph.node_locations.clear();
    }
    ExpectSameColumns(stripped, *without);
  }
}

TEST(ModuleGeneratorTest, ModulesOfDifferentSeedsDiffer) {
  const std::vector<OperatorEntryPtr> entries = EntriesForTesting();
  for (uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_NE(Difference(GenerateModule(entries, seed),
                         GenerateModule(entries, seed + 1)),
              "");
  }
}

// Whatever Verify accepts, all other code must survive.
void UseAll(const Module& module) {
  if (!Verify(module).ok()) return;
  const absl::StatusOr<Module> canonical = Canonicalize(module);
  ASSERT_THAT(canonical, IsOk());
  EXPECT_THAT(Verify(*canonical), IsOk());
  EXPECT_EQ(Difference(module, *canonical), "");
}

// Values that are most likely to do harm in place of `old`.
std::vector<uint32_t> Corruptions(uint32_t old) {
  return {old + 1, old - 1, 0, 0x7fffffff, 0x80000000, 0xffffffff};
}

TEST(ModuleGeneratorTest, ACorruptColumnIsRefusedOrIsAnotherModule) {
  const std::vector<OperatorEntryPtr> entries = EntriesForTesting();
  GeneratorOptions options;
  options.num_functions = 1;
  options.nodes_per_block = 3;
  options.max_depth = 1;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    Module module = GenerateModule(entries, seed, options);
    ASSERT_THAT(Verify(module), IsOk());
    std::vector<uint32_t*> cells;
    Graph& graph = module.functions[0].graph;
    for (Node& node : graph.nodes) {
      for (uint32_t* cell : {&node.form.index, &node.operands_begin,
                             &node.results_begin, &node.first_block.index}) {
        cells.push_back(cell);
      }
    }
    for (Block& block : graph.blocks) {
      for (uint32_t* cell :
           {&block.parent.index, &block.param.index, &block.end.index}) {
        cells.push_back(cell);
      }
    }
    for (TypeId& id : graph.value_types) cells.push_back(&id.index);
    for (NodeId& id : graph.value_nodes) cells.push_back(&id.index);
    for (StringId& id : graph.value_names) cells.push_back(&id.index);
    for (StringId& id : graph.node_locations) cells.push_back(&id.index);
    for (TypeId& id : module.functions[0].result_types) {
      cells.push_back(&id.index);
    }
    for (ModuleAttribute& attribute : module.attributes) {
      cells.push_back(&attribute.type.index);
      cells.push_back(&attribute.value.index);
    }
    for (ModuleTensor& tensor : module.tensors) {
      cells.push_back(&tensor.value.index);
    }
    for (CallForm& form : module.forms) {
      cells.push_back(&form.op.index);
      cells.push_back(&form.num_blocks);
      for (Slot& slot : form.slots) cells.push_back(&slot.argument);
      for (StringId& id : form.attribute_names) cells.push_back(&id.index);
      for (TypeId& id : form.result_types) cells.push_back(&id.index);
    }
    for (uint32_t* cell : cells) {
      const uint32_t old = *cell;
      for (const uint32_t bad : Corruptions(old)) {
        *cell = bad;
        UseAll(module);
      }
      *cell = old;
    }
    for (Operand& operand : graph.operands) {
      const Operand old = operand;
      for (const uint32_t index :
           {uint32_t{0}, uint32_t{1}, uint32_t{100000}, Operand::kLimit - 1}) {
        operand = Operand(ValueId(index));
        UseAll(module);
        operand = Operand(ConstantId(index));
        UseAll(module);
      }
      operand = Operand();
      EXPECT_FALSE(Verify(module).ok());
      operand = old;
    }
    ASSERT_THAT(Verify(module), IsOk());
  }
}

TEST(ModuleGeneratorTest, AColumnOfAnotherLengthIsRefused) {
  const Module good = GenerateModule(EntriesForTesting(), 3);
  const auto expect_refused = [&](auto change) {
    for (const bool longer : {false, true}) {
      Module module = good;
      auto& column = change(&module);
      ASSERT_FALSE(column.empty());
      if (longer) {
        column.push_back(column.back());
      } else {
        column.pop_back();
      }
      EXPECT_FALSE(Verify(module).ok());
    }
  };
  const auto graph = [](Module* m) -> Graph& { return m->functions[0].graph; };
  expect_refused([&](Module * m) -> auto& { return graph(m).nodes; });
  expect_refused([&](Module * m) -> auto& { return graph(m).operands; });
  expect_refused([&](Module * m) -> auto& { return graph(m).blocks; });
  expect_refused([&](Module * m) -> auto& { return graph(m).value_types; });
  expect_refused([&](Module * m) -> auto& { return graph(m).value_nodes; });
  expect_refused([&](Module * m) -> auto& { return graph(m).value_names; });
  expect_refused([&](Module * m) -> auto& { return graph(m).node_locations; });
}

}  // namespace
}  // namespace opcompat
