#include "deserializer/compiled_history.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "base/concat.h"
#include "base/status_macros.h"
#include "deserializer/budget.h"
#include "deserializer/compiled_fields.h"
#include "deserializer/compiled_infos.h"

namespace opcompat {
namespace {

using decoding::Budget;
using decoding::CompiledInfos;
using decoding::VersionTable;

// An element of an opset's index is as much as so many bytes.
constexpr uint64_t kNameCost = 16;

absl::Status InHistory(const absl::Status& status) {
  return absl::Status(status.code(),
                      Concat("compiled history: ", status.message()));
}

// The operators of one version.
class VersionOperators : public LazyOperators {
 public:
  explicit VersionOperators(std::shared_ptr<CompiledInfos> infos)
      : all_(std::move(infos)) {}

  // To be called first, once. What there is to index is charged to `budget`.
  absl::Status ReadNames(size_t version, Budget* budget) {
    OPCOMPAT_ASSIGN_OR_RETURN(const VersionTable table,
                              all_->ReadVersion(version));
    num_operators_ = table.operators.size();
    infos_ = table.operators;
    infos_.insert(infos_.end(), table.removed_operators.begin(),
                  table.removed_operators.end());
    names_begin_.reserve(infos_.size() + 1);
    names_begin_.push_back(0);
    names_.reserve(infos_.size());
    for (const uint32_t info : infos_) {
      OPCOMPAT_RETURN_IF_ERROR(all_->AppendNames(info, &names_));
      OPCOMPAT_RETURN_IF_ERROR(budget->SpendParts(
          (names_.size() - names_begin_.back()) * kNameCost, "operators"));
      names_begin_.push_back(names_.size());
    }
    return absl::OkStatus();
  }

  // An error if one is malformed.
  absl::Status DecodeAll() const {
    for (const uint32_t info : infos_) {
      const absl::StatusOr<OperatorInfoPtr> decoded = all_->InfoOrError(info);
      if (!decoded.ok()) return decoded.status();
    }
    return absl::OkStatus();
  }

  size_t num_operators() const override { return num_operators_; }
  size_t num_removed_operators() const override {
    return infos_.size() - num_operators_;
  }
  absl::Span<const absl::string_view> names(size_t i) const override {
    return absl::MakeConstSpan(names_).subspan(
        names_begin_[i], names_begin_[i + 1] - names_begin_[i]);
  }
  const OperatorInfoPtr& info(size_t i) const override {
    return all_->Info(infos_[i]);
  }
  absl::StatusOr<OperatorInfoPtr> InfoAt(size_t version,
                                         size_t i) const override {
    OPCOMPAT_ASSIGN_OR_RETURN(const uint32_t number,
                              all_->OperatorNumber(infos_[i]));
    return all_->InfoAt(version, number);
  }

 private:
  const std::shared_ptr<CompiledInfos> all_;
  size_t num_operators_ = 0;
  std::vector<uint32_t> infos_;
  // Those of operator i begin at names_begin_[i].
  std::vector<size_t> names_begin_;
  std::vector<absl::string_view> names_;
};

absl::StatusOr<Opset> MakeOpset(const std::shared_ptr<CompiledInfos>& infos,
                                size_t version, bool decode_all,
                                Budget* budget) {
  OpsetParts parts;
  parts.name = infos->name();
  parts.aliases = infos->aliases();
  for (size_t i = 0; i <= version; ++i) {
    const std::string& id = infos->ids()[i];
    OPCOMPAT_RETURN_IF_ERROR(budget->SpendText(id.size() + 1, "versions"));
    parts.versions.push_back(id);
  }
  auto operators = std::make_shared<VersionOperators>(infos);
  OPCOMPAT_RETURN_IF_ERROR(operators->ReadNames(version, budget));
  if (decode_all) OPCOMPAT_RETURN_IF_ERROR(operators->DecodeAll());
  parts.lazy = std::move(operators);
  return Opset::Create(std::move(parts));
}

}  // namespace

CompiledHistory::CompiledHistory(std::shared_ptr<CompiledInfos> infos)
    : infos_(std::move(infos)) {}

absl::StatusOr<CompiledHistory> CompiledHistory::Open(
    absl::string_view bytes, std::shared_ptr<const void> owner) {
  auto infos = std::make_shared<CompiledInfos>(bytes, std::move(owner));
  if (absl::Status status = infos->Open(); !status.ok()) {
    return InHistory(status);
  }
  return CompiledHistory(std::move(infos));
}

const std::string& CompiledHistory::name() const { return infos_->name(); }

const std::vector<std::string>& CompiledHistory::aliases() const {
  return infos_->aliases();
}

const std::vector<std::string>& CompiledHistory::versions() const {
  return infos_->ids();
}

absl::StatusOr<Opset> CompiledHistory::At(absl::string_view id) const {
  const std::vector<std::string>& ids = versions();
  const auto found = std::find(ids.begin(), ids.end(), id);
  if (found == ids.end()) {
    return absl::NotFoundError(Concat("the history ", name(),
                                      " has no version ", id, "; it has ",
                                      absl::StrJoin(ids, ", ")));
  }
  Budget budget = infos_->NewBudget();
  absl::StatusOr<Opset> opset =
      MakeOpset(infos_, static_cast<size_t>(found - ids.begin()),
                /*decode_all=*/false, &budget);
  if (!opset.ok()) return InHistory(opset.status());
  return opset;
}

absl::StatusOr<std::shared_ptr<const OpsetHistory>> CompiledHistory::LoadAll()
    const {
  Budget budget = infos_->NewBudget();
  std::vector<Opset> opsets;
  for (size_t i = 0; i < versions().size(); ++i) {
    absl::StatusOr<Opset> opset =
        MakeOpset(infos_, i, /*decode_all=*/true, &budget);
    if (!opset.ok()) return InHistory(opset.status());
    opsets.push_back(*std::move(opset));
  }
  return std::make_shared<const OpsetHistory>(name(), aliases(),
                                              std::move(opsets));
}

bool LooksLikeCompiledHistory(absl::string_view bytes) {
  return decoding::HasHistoryMagic(bytes);
}

}  // namespace opcompat
