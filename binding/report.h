// What binding says: a LoadReport of what it did, or every reason why not.
#ifndef OPCOMPAT_BINDING_REPORT_H_
#define OPCOMPAT_BINDING_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace opcompat {

// Why a reading (or a target) is refused. The words are an interface:
// ReasonCodeName.
enum class ReasonCode : uint8_t {
  kUnknownOperator,  // no operator of any of the names
  kUnknownArgument,  // not known, and the value is not the writer's neutral one
  kNoNeutralValue,   // a neutral or retired value is needed, there is none
  kRetiredArgument,  // retired, and the value is not the retired one
  kValueDoesNotFit,  // a constant that the reader's type cannot hold
  kTypeMismatch,     // a graph value, a result, or the call as a whole
  kMissingResult,    // a used result that the reader lacks
  kAliasChanged,     // alias or write marks differ
  kNewerRevision,
  kNoUpgrader,
  kNoDowngrader,
  kOtherHistory,  // origins differ; a known version with another entry
  kUnknownFeature,
  kWireVersion,
  kLimit,
  kMalformed,
};

// `unknown_argument` etc.
absl::string_view ReasonCodeName(ReasonCode code);

// One reason per (code, function, operator, argument, value).
struct Reason {
  ReasonCode code = ReasonCode::kMalformed;
  std::string function;  // `forward`
  std::string node;      // the first: `%12`, or `#N` by preorder index
  std::string location;  // of that node, if known
  std::string op;        // `aten::gelu`; the writer's name
  std::string argument;  // empty: not about one
  std::string value;     // as text; empty: none
  uint64_t calls = 0;
  // A whole sentence: what was found, what was expected, where, what helps.
  std::string message;
};

// The status of a refusal: its code by the table of docs/compatibility.md (the
// first that applies of ResourceExhausted, InvalidArgument, Unimplemented,
// NotFound, FailedPrecondition), its message every reason, one a line.
// OK if `reasons` is empty.
absl::Status RefusalStatus(const std::vector<Reason>& reasons);

// What was done to the calls of one operator. A call counts once in `calls`
// and once in each column that applies to it.
struct OperatorReport {
  std::string op;  // the reader's name
  uint64_t calls = 0;
  uint64_t identical = 0;     // equal entries: nothing looked at
  uint64_t filled = 0;        // an argument left out stays defaulted
  uint64_t materialized = 0;  // a value that was not written is written now
  uint64_t dropped = 0;   // an argument that the reader does not know, or an
                          // ignorable one, was left away
  uint64_t retired = 0;   // an argument that the reader has retired was left
                          // away
  uint64_t renamed = 0;   // the operator or a written argument
  uint64_t upgraded = 0;  // taken to another revision
};

struct LoadReport {
  std::vector<OperatorReport> operators;  // by name
  std::vector<std::string> warnings;      // ignorable arguments dropped
};

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_REPORT_H_
