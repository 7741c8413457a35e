// The life of one opset: its versions in order and what each of them declared.
// Loading checks all of it at once (history_builder.h); what comes out is
// immutable and shared between threads.
#ifndef OPCOMPAT_SCHEMA_HISTORY_H_
#define OPCOMPAT_SCHEMA_HISTORY_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "schema/opset.h"

namespace opcompat {

class OpsetHistory {
 public:
  // Used by the history builder. Precondition: `opsets` are the versions in
  // order, oldest first, at least one.
  OpsetHistory(std::string name, std::vector<std::string> aliases,
               std::vector<Opset> opsets);

  const std::string& name() const { return name_; }
  const std::vector<std::string>& aliases() const { return aliases_; }
  bool HasName(absl::string_view name) const;
  // Oldest first.
  const std::vector<Opset>& versions() const { return opsets_; }
  const Opset& newest() const { return opsets_.back(); }

  // What a binary of version `id` knows. Returns NotFound naming the versions
  // that there are.
  absl::StatusOr<Opset> At(absl::string_view id) const;

 private:
  std::string name_;
  std::vector<std::string> aliases_;
  std::vector<Opset> opsets_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_HISTORY_H_
