// Step graphs while a history is built: which there are, and who reads them.
// schema/ knows what a graph must fit; what is in it, only the reader knows.
#ifndef OPCOMPAT_SCHEMA_EVOLUTION_STEP_GRAPH_USE_H_
#define OPCOMPAT_SCHEMA_EVOLUTION_STEP_GRAPH_USE_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "schema/declared_history.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {

// A graph that a declaration names.
struct StepGraphUse {
  enum class Kind {
    kUpgrader,    // written at the version that declares it
    kDowngrader,  // written at the version before
  };
  Kind kind = Kind::kUpgrader;
  // Of the declaration, for messages.
  SourcePlace place;
  // Path as the declaration has it.
  std::string path;
  // The schema whose calls the graph expresses: its exposed arguments are the
  // graph's parameters, in order, and its results what the graph returns.
  OperatorEntryPtr entry;
};

struct StepGraphBody {
  std::shared_ptr<const Module> module;
  std::string mismatch;  // see StepGraph
};

// Reads the graph of a use, whose operators are those of `written_at`, and
// checks it against the use's entry. Returns InvalidArgument, "LINE:COLUMN:
// message" of the graph's file or a message alone, for what cannot be read or
// does not fit.
using StepGraphReader =
    std::function<absl::StatusOr<StepGraphBody>(const StepGraphUse& use,
                                                const Opset& written_at)>;

// A graph that is still to be read.
struct PendingGraph {
  StepGraphUse use;
  // Where it goes; lives as long as `owner`.
  StepGraph* graph = nullptr;
  std::shared_ptr<const void> owner;
};

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_EVOLUTION_STEP_GRAPH_USE_H_
