// What people declared about a history: plain data, as read and not yet
// checked. history_builder.h checks it and makes an OpsetHistory;
// text/history_file.h reads it from files.
#ifndef OPCOMPAT_SCHEMA_DECLARED_HISTORY_H_
#define OPCOMPAT_SCHEMA_DECLARED_HISTORY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/variant.h"
#include "schema/operator_schema.h"

namespace opcompat {

// Where something was declared, for messages: "history.textproto:12".
struct SourcePlace {
  std::string file;
  int line = 0;
  int column = 0;  // 0: not known
};

// The declarations, one struct for each message of schema/history.proto.
// Literals (`value`, `one_of`) are text, read at the argument's type.
struct DeclaredArgumentValue {
  std::string argument;
  std::string value;
  bool none = false;
};
struct DeclaredRename {
  std::string from;
  std::string to;
};
struct DeclaredEqualValue {
  std::string argument;
  std::string value;
  std::string means;
};
struct DeclaredCondition {
  std::string argument;
  std::vector<std::string> one_of;
  std::vector<std::string> types;
};
struct DeclaredStep {
  std::vector<DeclaredCondition> when;
  std::string graph;
};
struct DeclaredSemanticChange {
  uint32_t revision = 0;
  std::vector<DeclaredStep> upgraders;
  std::vector<DeclaredStep> downgraders;
  std::vector<std::vector<DeclaredCondition>> unchanged_when;
  bool one_way_up = false;
  bool one_way_down = false;
};

struct DeclaredChange {
  struct OperatorRenamed {
    std::string from;
  };
  struct NeutralValue {
    DeclaredArgumentValue value;
  };
  struct RetiredValue {
    DeclaredArgumentValue value;
  };
  struct Ignorable {
    std::string argument;
  };
  struct AnnotationFixed {};
  struct Removed {
    std::vector<DeclaredStep> upgraders;
  };
  struct Added {
    std::vector<DeclaredStep> downgraders;
  };

  SourcePlace place;
  std::string op;
  std::string note;
  absl::variant<absl::monostate, OperatorRenamed, DeclaredRename, NeutralValue,
                RetiredValue, DeclaredEqualValue, Ignorable,
                DeclaredSemanticChange, AnnotationFixed, Removed, Added>
      what;
};

struct DeclaredGap {
  struct Exception {
    std::string op;
    std::string argument;
    SourcePlace place;
  };
  bool added_defaults_are_neutral = false;
  bool removed_defaults_are_retired = false;
  std::vector<Exception> except;
};

struct DeclaredVersion {
  SourcePlace place;
  std::string id;
  // In the order of the .ops file; one with a repeated argument name is kept
  // and is unusable.
  std::vector<OperatorSchema> schemas;
  // Where the schemas are, for messages: a file, and a line for each of
  // `schemas`. May be empty; then their faults are placed at `place`.
  std::string operators_file;
  std::vector<int> schema_lines;
  // Full names of operators whose lines could not be read. That was reported
  // by whoever read them; here it means that nothing is known of them from
  // this version on, and that no further faults follow from it.
  std::vector<std::string> unreadable;
  absl::optional<DeclaredGap> gap;
  std::vector<DeclaredChange> changes;
};

struct DeclaredHistory {
  std::string name;
  std::vector<std::string> aliases;
  std::vector<DeclaredVersion> versions;  // oldest first
  // Of the history itself, for faults that belong to no version.
  SourcePlace place;
};

// One thing that is wrong with a history.
struct HistoryFault {
  SourcePlace place;
  std::string message;
  // The operator that it is about, as the message, which begins with it, names
  // it; empty: none.
  std::string op = "";

  // "FILE:LINE: message", or "FILE:LINE:COLUMN: message".
  std::string ToString() const;
};

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_DECLARED_HISTORY_H_
