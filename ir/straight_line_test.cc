// The quick look at functions without nested blocks says the same as the slow
// one, of modules that are right and of modules that are not.
#include "ir/straight_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "ir/module_generator.h"
#include "ir/testing.h"
#include "ir/verifier.h"
#include "schema/operator_entry.h"

namespace opcompat {
namespace {

Module StraightLineModule(uint64_t seed) {
  GeneratorOptions options;
  options.num_functions = 1;
  options.nodes_per_block = 20;
  options.max_depth = 0;
  options.percent_given = static_cast<int>(seed % 100);
  return GenerateModule(EntriesForTesting(), seed, options);
}

// What the verifier says that looks at each operand for itself.
absl::Status VerifySlowly(const Module& module) {
  std::vector<std::vector<NodeId>> all(module.functions.size());
  for (size_t f = 0; f < all.size(); ++f) {
    for (uint32_t n = 0; n < module.functions[f].graph.num_nodes(); ++n) {
      all[f].push_back(NodeId(n));
    }
  }
  VerifyOptions options;
  options.doubtful = &all;
  return Verify(module, options);
}

// All columns of the graph, cell by cell.
std::vector<uint32_t*> CellsOf(Graph* graph) {
  std::vector<uint32_t*> cells;
  for (Node& node : graph->nodes) {
    for (uint32_t* cell : {&node.form.index, &node.operands_begin,
                           &node.results_begin, &node.first_block.index}) {
      cells.push_back(cell);
    }
  }
  for (Block& block : graph->blocks) {
    for (uint32_t* cell :
         {&block.parent.index, &block.param.index, &block.end.index}) {
      cells.push_back(cell);
    }
  }
  for (TypeId& id : graph->value_types) cells.push_back(&id.index);
  for (NodeId& id : graph->value_nodes) cells.push_back(&id.index);
  return cells;
}

TEST(StraightLineTest, NearlyAllCallsAreRightBeyondDoubt) {
  size_t nodes = 0;
  size_t doubtful_nodes = 0;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const Module module = StraightLineModule(seed);
    const Graph& graph = module.functions[0].graph;
    std::vector<NodeId> doubtful;
    EXPECT_TRUE(StraightLineCheck(module).Check(graph, &doubtful));
    nodes += graph.num_nodes();
    doubtful_nodes += doubtful.size();
  }
  EXPECT_GT(nodes, 30 * 15);
  EXPECT_LT(doubtful_nodes, nodes);
}

TEST(StraightLineTest, ACorruptCellIsJudgedAsBefore) {
  size_t refused = 0;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    Module module = StraightLineModule(seed);
    for (uint32_t* const cell : CellsOf(&module.functions[0].graph)) {
      const uint32_t old = *cell;
      for (const uint32_t value :
           {old + 1, old - 1, 0u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
        *cell = value;
        const absl::Status expected = VerifySlowly(module);
        ASSERT_EQ(Verify(module), expected);
        refused += expected.ok() ? 0 : 1;
      }
      *cell = old;
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(StraightLineTest, AnotherOperandIsJudgedAsBefore) {
  std::mt19937 random(1);
  size_t accepted = 0;
  size_t refused = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Module module = StraightLineModule(seed);
    Graph& graph = module.functions[0].graph;
    const std::vector<Operand> operands = graph.operands;
    for (size_t i = 0; i < operands.size(); ++i) {
      const auto below = [&](size_t limit) {
        return static_cast<uint32_t>(random() % (limit + 1));
      };
      for (const Operand operand :
           {Operand(), Operand(ValueId(below(graph.num_values()))),
            Operand(ValueId(below(graph.num_values()))),
            Operand(ConstantId(below(module.constants.size()))),
            Operand(ConstantId(below(module.constants.size())))}) {
        graph.operands[i] = operand;
        const absl::Status expected = VerifySlowly(module);
        ASSERT_EQ(Verify(module), expected);
        ++(expected.ok() ? accepted : refused);
      }
      graph.operands[i] = operands[i];
    }
    // Too many, too few.
    graph.operands.emplace_back();
    ASSERT_EQ(Verify(module), VerifySlowly(module));
    graph.operands.resize(operands.size() - 1);
    ASSERT_EQ(Verify(module), VerifySlowly(module));
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace opcompat
