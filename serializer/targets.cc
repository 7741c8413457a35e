#include "serializer/targets.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"
#include "binding/bind_module.h"
#include "binding/report.h"
#include "ir/canonicalize.h"
#include "ir/equality.h"
#include "ir/module.h"
#include "schema/opset.h"
#include "serializer/as_written.h"
#include "serializer/encode.h"
#include "serializer/meaning_key.h"
#include "serializer/target_refusal.h"

namespace opcompat {
namespace {

// The opsets by name.
std::vector<const Opset*> Sorted(const Runtime& runtime) {
  std::vector<const Opset*> opsets;
  for (const Opset& opset : runtime.opsets()) opsets.push_back(&opset);
  std::sort(opsets.begin(), opsets.end(), [](const Opset* a, const Opset* b) {
    return a->name() < b->name();
  });
  return opsets;
}

// `demo 1.0, torch 1.7.1`
std::string NameOf(const Runtime& runtime) {
  return absl::StrJoin(
      Sorted(runtime), ", ", [](std::string* out, const Opset* opset) {
        absl::StrAppend(out, opset->name(), " ", opset->version());
      });
}

bool IsOlder(const Runtime* a, const Runtime* b) {
  const auto age = [](const Runtime& runtime) {
    std::vector<std::pair<absl::string_view, size_t>> age;
    for (const Opset* opset : Sorted(runtime)) {
      age.emplace_back(opset->name(), opset->versions().size());
    }
    return age;
  };
  return age(*a) < age(*b);
}

// One target and what came of the module when it was bound to it.
struct Target {
  const Runtime* runtime = nullptr;
  std::string name;
  // Why the module cannot be bound to it. Empty: it can,
  std::vector<Reason> reasons;
  // and then this is what it becomes, until FileFor takes it,
  Module bound;
  // and this the meaning key of that.
  EncodedModule key;

  bool accepts() const { return reasons.empty(); }
};

class TargetWriter {
 public:
  TargetWriter(const Module& module, const Runtime& writer,
               std::vector<const Runtime*> targets)
      : module_(module), writer_(writer) {
    std::stable_sort(targets.begin(), targets.end(), IsOlder);
    for (const Runtime* runtime : targets) {
      targets_.emplace_back();
      targets_.back().runtime = runtime;
      targets_.back().name = NameOf(*runtime);
    }
  }

  // Nullopt: there is none, and `refusals()` has why.
  absl::StatusOr<absl::optional<Module>> Write() {
    BindOptions options;
    options.down_steps = &writer_;
    for (Target& target : targets_) {
      BindResult bound = BindModule(module_, *target.runtime, options);
      target.reasons = std::move(bound.reasons);
      if (!target.accepts()) continue;
      target.bound = std::move(bound.module);
      OPCOMPAT_ASSIGN_OR_RETURN(target.key, MeaningKey(target.bound));
    }
    absl::optional<Module> second_best;
    // Each target's file in turn; null: the writer's own. One target alone has
    // said why it refuses, and that would be no file for it.
    std::vector<Target*> authors;
    for (Target& target : targets_) {
      if (target.accepts()) authors.push_back(&target);
    }
    if (targets_.size() > 1) authors.push_back(nullptr);
    for (Target* const author : authors) {
      OPCOMPAT_ASSIGN_OR_RETURN(Module file, author == nullptr
                                                 ? AsWritten(module_, writer_)
                                                 : FileFor(author));
      OPCOMPAT_ASSIGN_OR_RETURN(const Fitness fitness, Judge(file, author));
      if (fitness == Fitness::kExact) return {std::move(file)};
      if (fitness == Fitness::kReadable && !second_best.has_value()) {
        second_best = std::move(file);
      }
    }
    return second_best;
  }

  // After Write() has given nothing.
  std::vector<TargetRefusal> refusals() && {
    std::vector<TargetRefusal> all;
    for (Target& target : targets_) {
      if (target.accepts()) continue;
      all.push_back({target.name, "", std::move(target.reasons)});
      if (targets_.size() > 1) {
        Prefix(absl::StrCat("target ", target.name), &all.back());
      }
    }
    // Those that could be written for might have a file together.
    if (rest_has_file_) return all;
    for (TargetRefusal& refusal : conflicts_) {
      Prefix(absl::StrCat("target ", refusal.target,
                          " cannot read the file for ", refusal.written_for),
             &refusal);
      all.push_back(std::move(refusal));
    }
    return all;
  }

 private:
  enum class Fitness {
    kRefused,   // by some target
    kReadable,  // by all
    kExact,     // and each reads what the module becomes when bound to it
  };

  static absl::Status OurBug(const Target& target, absl::string_view what) {
    return absl::InternalError(absl::StrCat(
        "a bug of opcompat: the file that was made for ", target.name, " ",
        what, "; nothing was written, please report it"));
  }

  // What `target` writes. Checked: it reads it back, and finds in it what the
  // module became when it was bound to it.
  static absl::StatusOr<Module> FileFor(Target* target) {
    const Module bound = std::move(target->bound);
    OPCOMPAT_ASSIGN_OR_RETURN(const Module canonical, Canonicalize(bound));
    OPCOMPAT_ASSIGN_OR_RETURN(Module file,
                              AsWritten(canonical, *target->runtime));
    const BindResult read = BindModule(file, *target->runtime);
    if (!read.accepted()) {
      return OurBug(
          *target, absl::StrCat("is refused by it: ", read.status().message()));
    }
    OPCOMPAT_ASSIGN_OR_RETURN(const EncodedModule found,
                              MeaningKey(read.module));
    if (found != target->key) {
      return OurBug(*target,
                    absl::StrCat("is read by it as another module: ",
                                 FirstDifference(canonical, read.module)
                                     .value_or("they differ as a whole")));
    }
    return file;
  }

  // `file`, written for `of` (null: for the writer itself).
  absl::StatusOr<Fitness> Judge(const Module& file, const Target* of) {
    Fitness fitness = Fitness::kExact;
    const Target* refuses_rest = nullptr;
    for (const Target& target : targets_) {
      if (&target == of) continue;
      BindResult read = BindModule(file, *target.runtime);
      if (!read.accepted()) {
        fitness = Fitness::kRefused;
        if (!target.accepts()) continue;  // it has reasons of its own
        refuses_rest = &target;
        if (of != nullptr) {
          conflicts_.push_back(
              {target.name, of->name, std::move(read.reasons)});
        }
        break;
      }
      if (fitness == Fitness::kRefused || !target.accepts()) continue;
      OPCOMPAT_ASSIGN_OR_RETURN(const EncodedModule key,
                                MeaningKey(read.module));
      if (key != target.key) fitness = Fitness::kReadable;
    }
    if (refuses_rest == nullptr) rest_has_file_ = true;
    return fitness;
  }

  static void Prefix(absl::string_view prefix, TargetRefusal* refusal) {
    for (Reason& reason : refusal->reasons) {
      reason.message = absl::StrCat(prefix, ": ", reason.message);
    }
  }

  const Module& module_;
  const Runtime& writer_;
  std::vector<Target> targets_;  // oldest first
  // Whether some file can be read by all that the module can be bound to.
  bool rest_has_file_ = false;
  std::vector<TargetRefusal> conflicts_;
};

}  // namespace

absl::StatusOr<Module> WriteForTargets(
    const Module& module, const Runtime& writer,
    const std::vector<const Runtime*>& targets,
    std::vector<TargetRefusal>* refusals) {
  TargetWriter target_writer(module, writer, targets);
  OPCOMPAT_ASSIGN_OR_RETURN(absl::optional<Module> file, target_writer.Write());
  if (file.has_value()) return *std::move(file);
  std::vector<TargetRefusal> all = std::move(target_writer).refusals();
  std::vector<Reason> reasons;
  for (const TargetRefusal& refusal : all) {
    reasons.insert(reasons.end(), refusal.reasons.begin(),
                   refusal.reasons.end());
  }
  if (refusals != nullptr) *refusals = std::move(all);
  if (reasons.empty()) {
    return absl::InternalError(
        "a bug of opcompat: no file for the targets, and no reason");
  }
  return RefusalStatus(reasons);
}

}  // namespace opcompat
