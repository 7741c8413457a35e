#include "ir/text/value_scopes.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/text/cursor.h"

namespace opcompat {

void ValueScopes::Clear() {
  values_.clear();
  offsets_.clear();
  scopes_.clear();
  is_open_.clear();
  open_.clear();
}

absl::Status ValueScopes::Define(const Token& name) {
  const auto inserted = values_.try_emplace(
      name.text, ValueId(static_cast<uint32_t>(offsets_.size())));
  if (!inserted.second) {
    const uint32_t offset = offsets_[inserted.first->second.index];
    return scanner_.ErrorAt(name.offset,
                            absl::StrCat(name.text, " is defined already, at ",
                                         PlaceOf(scanner_.text(), offset)));
  }
  offsets_.push_back(static_cast<uint32_t>(name.offset));
  return absl::OkStatus();
}

void ValueScopes::OpenBlock() {
  open_.push_back(static_cast<uint32_t>(is_open_.size()));
  is_open_.push_back(true);
}

void ValueScopes::CloseBlock() {
  is_open_[open_.back()] = false;
  open_.pop_back();
}

absl::StatusOr<ValueId> ValueScopes::Find(const Token& name) const {
  const auto known = values_.find(name.text);
  // What the statement itself defines has no scope yet.
  if (known == values_.end() || known->second.index >= scopes_.size()) {
    return scanner_.ErrorAt(name.offset,
                            absl::StrCat(name.text, " is not defined"));
  }
  const ValueId value = known->second;
  if (!is_open_[scopes_[value.index]]) {
    return scanner_.ErrorAt(
        name.offset,
        absl::StrCat(name.text, " is not visible here: it is defined at ",
                     PlaceOf(scanner_.text(), offsets_[value.index]),
                     ", in a block that has ended"));
  }
  return value;
}

}  // namespace opcompat
