// Histories from files, whole: as schema/text/history_file.h reads them, with
// their step graphs (upgraders and downgraders), parsed at the version that
// they are written at and checked against the schemas of their step.
#ifndef OPCOMPAT_IR_TEXT_HISTORY_LOADER_H_
#define OPCOMPAT_IR_TEXT_HISTORY_LOADER_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "schema/history.h"
#include "schema/text/history_file.h"

namespace opcompat {

struct LoadOptions {
  // Null: the file system.
  FileReader read_file = nullptr;
  // Finds another history whose operators a step graph calls: one that its
  // `opset` lines name. Null: there is none.
  std::function<absl::StatusOr<std::shared_ptr<const OpsetHistory>>(
      absl::string_view name)>
      find_other = nullptr;
};

// Loads and checks `path`: a history.textproto, or a directory that has one
// (see ReadHistory). What is wrong with a step graph is a fault like any other,
// placed in the graph's file. A step graph
//   * is module text with one function and nothing beside it but `opset` and
//     `meta` lines; an `opset` line of the history itself names the version
//     that declares an upgrader (the one before, for a downgrader);
//   * has one parameter for each argument that the schema on its side exposes,
//     in schema order, of that type or a supertype;
//   * returns as many results as the schema has, each of that type or a
//     subtype;
//   * does not use prim::GetAttr, SetAttr, CallMethod or CallFunction: it has no
//     module around it.
// A graph that writes to other parameters than the schema marks, or whose
// results alias others (graph_effects.h), is a warning, and stands for no call
// (StepGraph::mismatch).
LoadedHistory LoadHistory(const std::string& path,
                          const LoadOptions& options = {});

// As LoadHistory: the history, or InvalidArgument (NotFound if `path` cannot be
// read) with every fault, one a line.
absl::StatusOr<std::shared_ptr<const OpsetHistory>> LoadHistoryOrError(
    const std::string& path, const LoadOptions& options = {});

}  // namespace opcompat

#endif  // OPCOMPAT_IR_TEXT_HISTORY_LOADER_H_
