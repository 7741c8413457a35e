#include "tools/reader_edits.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "binding/bind_module.h"
#include "binding/report.h"
#include "deserializer/deserialize.h"
#include "deserializer/tensor_memory.h"
#include "ir/canonicalize.h"
#include "ir/module.h"
#include "schema/opset.h"
#include "serializer/options.h"
#include "serializer/serialize.h"
#include "tools/edit_calls.h"
#include "tools/edit_candidates.h"
#include "tools/reader_edit.h"

namespace opcompat {
namespace {

// Rounds of trying; each costs a binding of the module.
constexpr int kMaxRounds = 8;

// (operator, argument, value)
using Key = std::tuple<std::string, std::string, std::string>;

Key KeyOf(const Reason& reason) {
  return {reason.op, reason.argument, reason.value};
}

// The reasons of one key, and what may be tried against them.
struct Group {
  Key key;
  ReaderEdit edit;
  std::vector<EditCandidate> candidates;  // best first
  size_t next = 0;

  bool has_candidate() const { return next < candidates.size(); }
};

class Advisor {
 public:
  Advisor(const Module& module, const Runtime* writer, const Runtime& reader)
      : module_(module), writer_(writer), reader_(reader) {}

  ReaderAdvice Run(const std::vector<Reason>& reasons) {
    MakeGroups(reasons);
    ReaderAdvice advice;
    advice.can_be_target = CanBeTarget();
    advice.edits_suffice = Try();
    for (Group& group : groups_) {
      if (group.has_candidate()) {
        const EditCandidate& candidate = group.candidates[group.next];
        group.edit.kind = candidate.kind;
        group.edit.new_value = candidate.new_value;
        if (!candidate.argument.empty()) {
          group.edit.argument = candidate.argument;
        }
        group.edit.what = candidate.what;
        group.edit.is_checked = true;
      }
      Add(std::move(group.edit), advice.edits);
    }
    return advice;
  }

 private:
  // Two reasons may ask for the same, of the same calls.
  static void Add(ReaderEdit edit, std::vector<ReaderEdit>& edits) {
    for (ReaderEdit& other : edits) {
      if (!edit.is_checked && !other.is_checked && other.op == edit.op &&
          other.what == edit.what) {
        other.calls = std::max(other.calls, edit.calls);
        return;
      }
    }
    edits.push_back(std::move(edit));
  }

  void MakeGroups(const std::vector<Reason>& reasons) {
    for (const Reason& reason : reasons) {
      known_.insert(KeyOf(reason));
      if (reason.op.empty()) continue;  // not about calls
      auto group =
          std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) {
            return g.key == KeyOf(reason);
          });
      if (group == groups_.end()) {
        groups_.emplace_back();
        group = groups_.end() - 1;
        group->key = KeyOf(reason);
        group->edit = UncheckedEdit(module_, reader_, reason);
        group->candidates =
            EditCandidates(module_, writer_, reader_, reason);
      }
      group->edit.calls += reason.calls;
    }
  }

  // What is against the module as the file that its writer makes of it.
  std::vector<Reason> Ask(const Module& module) const {
    std::vector<Reason> reasons;
    if (writer_ == nullptr) return BindModule(module, reader_).reasons;
    const absl::StatusOr<std::string> bytes = Serialize(module, *writer_);
    absl::Status status = bytes.status();
    if (bytes.ok()) {
      DeserializeOptions options;
      options.tensors = TensorMemory::Borrowed();
      options.check_tensor_hashes = false;
      status = Deserialize(*bytes, reader_, options, &reasons).status();
    }
    if (!status.ok() && reasons.empty()) reasons.emplace_back();
    return reasons;
  }

  bool CanBeTarget() const {
    if (writer_ == nullptr) return false;
    SerializeOptions options;
    options.targets = {&reader_};
    return Serialize(module_, *writer_, options).ok();
  }

  std::vector<CallEdit> Edits() const {
    std::vector<CallEdit> edits;
    for (const Group& group : groups_) {
      if (!group.has_candidate()) continue;
      const std::vector<CallEdit>& more =
          group.candidates[group.next].edits;
      edits.insert(edits.end(), more.begin(), more.end());
    }
    return edits;
  }

  // Goes on to the next candidate of each group whose edits do not help, until
  // all that are left help. Returns whether the module is then accepted.
  bool Try() {
    for (int round = 0; round < kMaxRounds; ++round) {
      const std::vector<CallEdit> edits = Edits();
      if (edits.empty()) return false;
      const absl::StatusOr<Module> edited = EditCalls(module_, edits);
      if (!edited.ok()) {
        SkipInvalid();
        continue;
      }
      const std::vector<Reason> reasons = Ask(*edited);
      if (reasons.empty()) return true;
      bool all_help = true;
      for (Group& group : groups_) {
        if (!group.has_candidate() || Helps(group, reasons)) continue;
        ++group.next;
        all_help = false;
      }
      if (all_help) return false;
    }
    for (Group& group : groups_) group.next = group.candidates.size();
    return false;
  }

  // Whether, with the edits made, `reasons` have nothing to do with them.
  bool Helps(const Group& group, const std::vector<Reason>& reasons) const {
    return std::none_of(
        reasons.begin(), reasons.end(), [&](const Reason& reason) {
          if (KeyOf(reason) == group.key) return true;
          const bool is_new = known_.count(KeyOf(reason)) == 0;
          return is_new && (reason.op.empty() || reason.op == group.edit.op);
        });
  }

  // The edited module is not valid: finds the edits that are not.
  void SkipInvalid() {
    bool found = false;
    for (Group& group : groups_) {
      if (!group.has_candidate()) continue;
      if (!EditCalls(module_, group.candidates[group.next].edits).ok()) {
        ++group.next;
        found = true;
      }
    }
    if (found) return;
    for (Group& group : groups_) ++group.next;  // only together
  }

  const Module& module_;
  const Runtime* writer_;
  const Runtime& reader_;
  std::set<Key> known_;
  std::vector<Group> groups_;
};

}  // namespace

ReaderAdvice AdviseEdits(const Module& written, const Runtime* writer,
                         const Runtime& reader,
                         const std::vector<Reason>& reasons) {
  // Constants as operands, as the reasons see them.
  const absl::StatusOr<Module> canonical = Canonicalize(written);
  if (!canonical.ok()) return {};
  return Advisor(*canonical, writer, reader).Run(reasons);
}

}  // namespace opcompat
