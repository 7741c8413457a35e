// Makes an OpsetHistory from what people declared, checking all of it: every
// rule of docs/compatibility.md that a history can break is a fault with its
// place. Knows no file format; schema/text/history_file.h reads one.
#ifndef OPCOMPAT_SCHEMA_HISTORY_BUILDER_H_
#define OPCOMPAT_SCHEMA_HISTORY_BUILDER_H_

#include <memory>
#include <vector>

#include "schema/declared_history.h"
#include "schema/evolution/literals.h"
#include "schema/evolution/step_graph_use.h"
#include "schema/history.h"

namespace opcompat {

struct HistoryResult {
  // Null if there are faults, or schemas that could not be read.
  std::shared_ptr<const OpsetHistory> history;
  // All of them, in the order of the versions.
  std::vector<HistoryFault> faults;
  // What is no fault, but most likely was not meant, and makes calls be refused:
  // a new revision that says neither how older (newer) calls are read nor that
  // they are not to be; a step graph with other effects than its schema's marks.
  std::vector<HistoryFault> warnings;
};

// One pass over the versions, oldest first: what version i knows depends on
// the versions up to i only. The time is linear in the sum of their schemas.
// `read_graph` is asked once for each use of a step graph; what it returns is a
// fault, or StepGraph::body. Null: the bodies stay null.
HistoryResult BuildHistory(const DeclaredHistory& declared,
                           LiteralReader read_literal, TypeReader read_type,
                           const StepGraphReader& read_graph = nullptr);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_HISTORY_BUILDER_H_
