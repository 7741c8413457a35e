#include "fuzz/evolution/prepared_case.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/simulation/case_file.h"
#include "compat_matrix/simulation/history_draft.h"
#include "fuzz/evolution/case_maker.h"
#include "ir/text/module_parser.h"
#include "schema/declared_history.h"

namespace opcompat {
namespace fuzz {
namespace {

using simulation::Laws;
using simulation::SimulatedHistory;
using simulation::Truth;

constexpr size_t kMaxHistories = 500;
constexpr size_t kMaxSeen = 1000000;

[[noreturn]] void Die(absl::string_view message) {
  const std::string text = absl::StrCat(message, "\n");
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
  std::abort();
}

bool UndoesItself(const History& edits, const SimulatedHistory& made) {
  for (const Version& version : edits.versions()) {
    if (version.gap() != 0) return false;
  }
  for (const simulation::SimulatedStep& step : made.steps) {
    if (!simulation::StaysInvertible(step.kind)) return false;
  }
  return true;
}

std::unique_ptr<PreparedHistory> Load(const History& edits) {
  SimulatedHistory made = HistoryOf(edits);
  made.loaded = simulation::LoadFiles(made.files);
  if (made.history() == nullptr) {
    std::string message = "a history that must be one has faults:\n";
    for (const HistoryFault& fault : made.loaded.faults) {
      absl::StrAppend(&message, fault.ToString(), "\n");
    }
    Die(absl::StrCat(message, made.ToString()));
  }
  absl::StatusOr<Truth> truth = Truth::Create(made.loaded, made.files);
  if (!truth.ok()) {
    Die(absl::StrCat("no truth: ", truth.status().ToString(), "\n",
                     made.ToString()));
  }
  std::unique_ptr<PreparedHistory> prepared(new PreparedHistory{
      0, std::move(made), *std::move(truth), {}, nullptr, {}, {}});
  simulation::LawOptions options;
  options.truth = &prepared->truth;
  options.steps = &prepared->made.steps;
  options.undoes_itself = UndoesItself(edits, prepared->made);
  options.every_way = false;
  prepared->laws =
      std::make_unique<Laws>(prepared->history(), options, &prepared->tally);
  return prepared;
}

}  // namespace

simulation::ReducibleCase PreparedCase::ToReducible() const {
  simulation::ReducibleCase reducible;
  reducible.files = history->made.files;
  reducible.module = text;
  reducible.writer = absl::StrCat(writer + 1);
  reducible.reader = absl::StrCat(reader + 1);
  reducible.for_target = for_target;
  return reducible;
}

std::string PreparedCase::ToString(absl::string_view problem) const {
  simulation::CaseFile file;
  for (const absl::string_view line : absl::StrSplit(problem, '\n')) {
    absl::StrAppend(&file.comment, "# ", line, "\n");
  }
  for (const simulation::SimulatedStep& step : history->made.steps) {
    absl::StrAppend(&file.comment, "# ", step.ToString(), "\n");
  }
  file.the_case = ToReducible();
  return simulation::CaseFileText(file);
}

PreparedHistory* CaseCache::Prepare(const History& edits) {
  std::string key = edits.SerializeAsString();
  const auto young = young_.find(key);
  if (young != young_.end()) return young->second.get();
  if (young_.size() >= kMaxHistories) {
    old_ = std::move(young_);
    young_.clear();
  }
  std::unique_ptr<PreparedHistory> prepared;
  const auto old = old_.find(key);
  if (old != old_.end()) {
    prepared = std::move(old->second);
    old_.erase(old);
  } else {
    prepared = Load(edits);
    prepared->number = ++num_histories_;
  }
  return (young_[std::move(key)] = std::move(prepared)).get();
}

PreparedCase CaseCache::Get(const uint8_t* data, size_t size) {
  Case input;
  (void)input.ParsePartialFromArray(data, static_cast<int>(size));
  PreparedCase prepared;
  prepared.history = Prepare(input.history());
  const size_t num_versions = prepared.history->laws->num_versions();
  prepared.writer = input.writer() % num_versions;
  prepared.reader = input.reader() % num_versions;
  prepared.for_target = input.for_target();
  prepared.text =
      ModuleTextOf(input, prepared.history->history(), prepared.writer);
  prepared.parsed = Parse(prepared);
  prepared.is_repeated = IsRepeated(prepared);
  return prepared;
}

std::shared_ptr<const Module> CaseCache::Parse(const PreparedCase& prepared) {
  if (last_history_ == prepared.history->number &&
      last_writer_ == prepared.writer && last_text_ == prepared.text) {
    return last_module_;
  }
  absl::StatusOr<Module> module = ParseModule(
      prepared.text, prepared.history->laws->runtime(prepared.writer));
  if (!module.ok()) {
    FailWith(prepared, absl::StrCat("a module that must be one is none: ",
                                    module.status().ToString()));
  }
  last_history_ = prepared.history->number;
  last_writer_ = prepared.writer;
  last_text_ = prepared.text;
  last_module_ = std::make_shared<const Module>(*std::move(module));
  return last_module_;
}

bool CaseCache::IsRepeated(const PreparedCase& prepared) {
  if (seen_.size() >= kMaxSeen) seen_.clear();
  return !seen_
              .insert(absl::HashOf(prepared.history->number, prepared.writer,
                                   prepared.reader, prepared.for_target,
                                   prepared.text))
              .second;
}

void FailWith(const PreparedCase& failing, absl::string_view problem) {
  Die(absl::StrCat(failing.ToString(problem),
                   "(The input is a test in fuzz/evolution/crashers/TARGET/. "
                   "If it is a law that does not hold, the above is one as "
                   "fuzz/crashers/NAME.case, and `opcompat reduce` makes it "
                   "smaller.)"));
}

}  // namespace fuzz
}  // namespace opcompat
