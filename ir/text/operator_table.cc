#include "ir/text/operator_table.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"

namespace opcompat {
namespace {

// Messages name at most this many overloads.
constexpr size_t kMaxNamed = 8;

// `aten::add` of `aten::add.Tensor`.
absl::string_view BaseName(absl::string_view full_name) {
  const size_t colons = full_name.find("::");
  const size_t dot =
      full_name.find('.', colons == absl::string_view::npos ? 0 : colons);
  return full_name.substr(0, dot);
}

absl::Status UnknownOperator(absl::string_view name, const Runtime& runtime) {
  std::vector<std::string> opsets;
  std::vector<std::string> overloads;
  size_t num_overloads = 0;
  for (const Opset& opset : runtime.opsets()) {
    opsets.push_back(absl::StrCat(opset.name(), " ", opset.version()));
    for (const OperatorInfoPtr& info : opset.operators()) {
      const std::string& other = info->current()->name();
      if (BaseName(other) != BaseName(name)) continue;
      if (++num_overloads <= kMaxNamed) overloads.push_back(other);
    }
  }
  std::string message =
      absl::StrCat("unknown operator ", name, " in ",
                   opsets.empty() ? "a runtime without opsets"
                                  : absl::StrJoin(opsets, ", "));
  if (num_overloads > 0) {
    absl::StrAppend(&message, "; there ", num_overloads == 1 ? "is " : "are ",
                    absl::StrJoin(overloads, ", "),
                    num_overloads > kMaxNamed ? ", ..." : "");
  }
  return absl::NotFoundError(message);
}

}  // namespace

std::string KnownOperator::ArgumentNames() const {
  std::string names;
  for (uint32_t i = 0; i < num_exposed; ++i) {
    if (i == num_positional) {
      absl::StrAppend(&names, i == 0 ? "*" : ", *");
    }
    absl::StrAppend(&names, names.empty() ? "" : ", ",
                    entry->arguments[i].name());
  }
  if (entry->is_vararg)
    absl::StrAppend(&names, names.empty() ? "" : ", ", "...");
  return names;
}

absl::StatusOr<const KnownOperator*> OperatorTable::Find(
    absl::string_view name) {
  const KnownOperator* const known = FindKnown(name);
  if (known != nullptr) return known;
  return Add(name);
}

absl::StatusOr<const KnownOperator*> OperatorTable::Add(
    absl::string_view name) {
  KnownOperator op;
  op.intrinsic = IntrinsicOfName(name);
  if (op.intrinsic != Intrinsic::kNone) {
    op.id = builder_->Operator(op.intrinsic);
  } else {
    const Opset* opset = nullptr;
    const OperatorInfo* const info = runtime_.Find(name, &opset);
    if (info == nullptr) return UnknownOperator(name, runtime_);
    if (!info->fault.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, " of ", opset->name(), " ", opset->version(),
                       " cannot be called: ", info->fault));
    }
    op.id = builder_->Operator(info->current());
    op.entry = info->current().get();
    op.num_exposed = static_cast<uint32_t>(op.entry->num_exposed());
    for (uint32_t i = 0; i < op.num_exposed; ++i) {
      const EntryArgument& argument = op.entry->arguments[i];
      if (!argument.keyword_only) op.num_positional = i + 1;
    }
    if (std::find(used_.begin(), used_.end(), opset) == used_.end()) {
      used_.push_back(opset);
    }
  }
  operators_.push_back(std::move(op));
  by_name_.emplace(name, &operators_.back());
  return &operators_.back();
}

std::vector<const Opset*> OperatorTable::UsedOpsets() const {
  std::vector<const Opset*> used;
  for (const Opset& opset : runtime_.opsets()) {
    if (std::find(used_.begin(), used_.end(), &opset) != used_.end()) {
      used.push_back(&opset);
    }
  }
  return used;
}

}  // namespace opcompat
