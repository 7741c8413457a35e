// Makes an OpsetHistory from what people declared, checking all of it: every
// rule of docs/compatibility.md that a history can break is a fault with its
// place. Knows no file format; schema/text/history_file.h reads one.
#ifndef OPCOMPAT_SCHEMA_HISTORY_BUILDER_H_
#define OPCOMPAT_SCHEMA_HISTORY_BUILDER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "absl/types/variant.h"
#include "schema/history.h"
#include "schema/operator_schema.h"

namespace opcompat {

// Where something was declared, for messages: "history.textproto:12".
struct SourcePlace {
  std::string file;
  int line = 0;
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
  absl::optional<DeclaredGap> gap;
  std::vector<DeclaredChange> changes;
};

struct DeclaredHistory {
  std::string name;
  std::vector<std::string> aliases;
  std::vector<DeclaredVersion> versions;  // oldest first
};

// Reads a literal of the schema language at a type (given by the caller, so
// that this library needs no text parser).
using LiteralReader = absl::StatusOr<Value> (*)(absl::string_view text,
                                                const Type& type);
// Reads a type.
using TypeReader = absl::StatusOr<Type> (*)(absl::string_view text);

struct HistoryFault {
  SourcePlace place;
  std::string message;

  // "FILE:LINE: message"
  std::string ToString() const;
};

struct HistoryResult {
  // Null if there are faults.
  std::shared_ptr<const OpsetHistory> history;
  // All of them, in the order of the versions.
  std::vector<HistoryFault> faults;
};

HistoryResult BuildHistory(const DeclaredHistory& declared,
                           LiteralReader read_literal, TypeReader read_type);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_HISTORY_BUILDER_H_
