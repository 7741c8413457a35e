// The operators that a module text uses, looked up once per name. For the
// parser of modules only.
#ifndef OPCOMPAT_IR_TEXT_OPERATOR_TABLE_H_
#define OPCOMPAT_IR_TEXT_OPERATOR_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "ir/module_builder.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {

struct KnownOperator {
  OperatorId id;
  Intrinsic intrinsic = Intrinsic::kNone;
  // Null for an intrinsic.
  const OperatorEntry* entry = nullptr;
  uint32_t num_exposed = 0;
  // Exposed arguments that need no name; they come first.
  uint32_t num_positional = 0;

  absl::string_view name() const {
    return entry != nullptr ? absl::string_view(entry->name())
                            : IntrinsicName(intrinsic);
  }
  // `self, other, *, alpha`, for messages. Not for intrinsics.
  std::string ArgumentNames() const;
};

class OperatorTable {
 public:
  // `runtime` and `builder` must live as long as the table.
  OperatorTable(const Runtime& runtime, ModuleBuilder* builder)
      : runtime_(runtime), builder_(builder) {}

  // What Find has given for the name; null: it was not asked yet.
  const KnownOperator* FindKnown(absl::string_view name) const {
    const auto known = by_name_.find(name);
    return known != by_name_.end() ? known->second : nullptr;
  }

  // `name` must live as long as the table. Returns NotFound for an unknown
  // operator, InvalidArgument for one whose schema cannot be used; without a
  // place.
  absl::StatusOr<const KnownOperator*> Find(absl::string_view name);

  // The opsets of the operators found, in the order of the runtime.
  std::vector<const Opset*> UsedOpsets() const;

 private:
  absl::StatusOr<const KnownOperator*> Add(absl::string_view name);

  const Runtime& runtime_;
  ModuleBuilder* const builder_;
  absl::flat_hash_map<absl::string_view, const KnownOperator*> by_name_;
  std::deque<KnownOperator> operators_;
  std::vector<const Opset*> used_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_IR_TEXT_OPERATOR_TABLE_H_
