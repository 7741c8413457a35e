// For tests: a small history in one expression, and what becomes of one call
// between two of its versions.
#ifndef OPCOMPAT_BINDING_STORY_H_
#define OPCOMPAT_BINDING_STORY_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "binding/bind_module.h"
#include "ir/module.h"
#include "schema/history.h"

namespace opcompat {

struct StoryVersion {
  std::string id;
  // Schema lines.
  std::string schemas;
  // Fields of the Version message besides id and operators, as text format.
  std::string declared;
};

// A history named `t`, whose step graphs are the texts of `graphs`, by path. A
// fault in it fails the test.
std::shared_ptr<const OpsetHistory> MakeHistory(
    const std::vector<StoryVersion>& versions,
    const std::map<std::string, std::string>& graphs = {});

// `%r : T = t::f(...)` lines as a module of one function, whose parameters are
// %x and %y (Tensor), %n (int), %d (float), %b (bool), %s (str), %l (int[]), %c
// (Scalar), %o (Tensor?), and which returns `returned`.
std::string StoryModuleText(absl::string_view lines,
                            absl::string_view returned = "");

// Parses StoryModuleText at `version`. A fault fails the test.
Module StoryModule(const OpsetHistory& history, absl::string_view version,
                   absl::string_view lines, absl::string_view returned = "");

// The statements of the module's first function, one a line.
std::string StoryLines(const Module& module);

// What binding `lines`, written at version `from`, to version `to` gives: the
// statements, or "refused: " and the reasons as `code` or `code(argument)`.
std::string Retell(const OpsetHistory& history, absl::string_view from,
                   absl::string_view to, absl::string_view lines,
                   absl::string_view returned = "");

// The reasons as Retell puts them.
std::string ReasonsText(const std::vector<Reason>& reasons);

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_STORY_H_
