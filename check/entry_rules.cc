#include "check/entry_rules.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "binding/identity.h"
#include "binding/marks.h"
#include "check/argument_rules.h"
#include "check/call_text.h"
#include "check/declarations.h"
#include "check/witnesses.h"
#include "schema/operator_schema.h"
#include "schema/typing.h"

namespace opcompat {
namespace {

std::string Code(const Type& type) {
  return absl::StrCat("`", type.ToString(), "`");
}

class EntryCheck {
 public:
  EntryCheck(const OperatorEntryPtr& writer, const OperatorEntryPtr& reader,
             const Reading& reading)
      : writer_(writer),
        reader_(reader),
        reading_(reading),
        links_(LinkArguments(*writer, *reader, *reading.reader)) {}

  std::vector<Breach> Run() {
    if (CheckOrigins()) return std::move(breaches_);
    CheckMarks();
    CheckArguments();
    CheckVariables();
    CheckVarargs();
    CheckResults();
    return std::move(breaches_);
  }

 private:
  void Add(std::string rule, std::string argument, std::string message,
           std::string remedy, const SampleCall& call) {
    breaches_.push_back({std::move(rule), std::move(argument),
                         std::move(message), StatementText(call),
                         std::move(remedy)});
  }
  const EntryArgument* AtWriter(const ArgumentLink& link) const {
    return link.writer.has_value() ? &writer_->arguments[*link.writer]
                                   : nullptr;
  }
  const EntryArgument* AtReader(const ArgumentLink& link) const {
    return link.reader.has_value() ? &reader_->arguments[*link.reader]
                                   : nullptr;
  }

  bool CheckOrigins();
  void CheckMarks();
  void CheckArguments();
  void CheckVariables();
  void CheckVarargs();
  void CheckResults();
  void CheckResult(size_t i);
  const char* IfBackward(const char* backward, const char* forward) const {
    return reading_.backward ? backward : forward;
  }

  const OperatorEntryPtr& writer_;
  const OperatorEntryPtr& reader_;
  const Reading& reading_;
  const ArgumentLinks links_;
  std::vector<Breach> breaches_;
};

bool EntryCheck::CheckOrigins() {
  const Opset& order = *reading_.reader;
  if (!OriginsMatch(writer_->origin, reader_->origin, order) ||
      !OriginsMatch(writer_->revision_origin, reader_->revision_origin,
                    order)) {
    Add("other-history", "",
        absl::StrCat("the operator or its revision ", writer_->revision,
                     " has another origin in ", order.version()),
        kOneHistory, PlainCall(writer_));
    return true;
  }
  for (const size_t i : links_.other_origin) {
    Add("other-history", writer_->arguments[i].name(),
        absl::StrCat("argument `", writer_->arguments[i].name(),
                     "` has another origin than the argument of that name in ",
                     order.version()),
        kOneHistory, PlainCall(writer_));
  }
  return !links_.other_origin.empty();
}

void EntryCheck::CheckMarks() {
  const std::vector<MarkDifference> differences =
      CompareMarks(*writer_, *reader_, links_.links);
  if (differences.empty()) return;
  const MarkDifference& first = differences[0];
  const std::string where =
      first.argument.empty() ? absl::StrCat("result ", first.result)
                             : absl::StrCat("argument `", first.argument, "`");
  const std::string& older =
      reading_.backward ? first.writer_marks : first.reader_marks;
  const std::string& newer =
      reading_.backward ? first.reader_marks : first.writer_marks;
  const OperatorEntry& named = reading_.backward ? *reader_ : *writer_;
  Add("alias-changed", first.argument,
      older == newer ? absl::StrCat("the alias set of ", where, ", `", older,
                                    "`, stands at other places than before")
                     : absl::StrCat("the alias marks of ", where, " were `",
                                    older, "` and are `", newer, "`"),
      DeclareChange(named.name(), "annotation_fixed: true"),
      PlainCall(writer_));
}

void EntryCheck::CheckArguments() {
  for (const ArgumentLink& link : links_.links) {
    ArgumentPair pair;
    pair.writer_entry = writer_;
    pair.reader_entry = reader_;
    pair.writer_index = link.writer.value_or(0);
    pair.writer = AtWriter(link);
    pair.reader = AtReader(link);
    absl::optional<Breach> breach = CheckArgument(pair, reading_);
    if (breach.has_value()) breaches_.push_back(*std::move(breach));
  }
}

// Where types are solved together, no argument is judged alone: equal ones in
// the same order solve equally, and nothing else is claimed.
void EntryCheck::CheckVariables() {
  absl::optional<size_t> last;
  std::string changed;
  for (const ArgumentLink& link : links_.links) {
    const EntryArgument* w = AtWriter(link);
    const EntryArgument* r = AtReader(link);
    const bool in_w = w != nullptr && w->is_exposed() && HasVariables(w->type);
    const bool in_r = r != nullptr && r->is_exposed() && HasVariables(r->type);
    if (!in_w && !in_r) continue;
    // Links stand in the reader's order.
    const bool same = in_w && in_r && w->type == r->type &&
                      w->default_value == r->default_value &&
                      (!last.has_value() || *last < *link.writer);
    if (in_w) last = *link.writer;
    if (!same && changed.empty()) changed = (w != nullptr ? w : r)->name();
  }
  for (size_t i = 0;
       i < std::min(writer_->results.size(), reader_->results.size()); ++i) {
    const Type& w = writer_->results[i].type;
    const Type& r = reader_->results[i].type;
    if (w != r && (HasVariables(w) || HasVariables(r)) && changed.empty()) {
      changed = absl::StrCat("result ", i);
    }
  }
  if (changed.empty()) return;
  Add("type-variables-changed", "",
      absl::StrCat("types are solved together here, and `", changed,
                   "` changed: it is not certain that every call type-checks"),
      "keep arguments and results that have type variables as they are, or add "
      "an overload",
      PlainCall(writer_));
}

void EntryCheck::CheckVarargs() {
  if (!writer_->is_vararg || reader_->is_vararg) return;
  SampleCall call = PlainCall(writer_);
  call.variadic = {Type(TypeKind::kTensor)};
  Add(IfBackward("vararg-removed", "vararg-added"), "",
      absl::StrCat(reading_.reader->version(),
                   " takes no operands after the named ones (`...`)"),
      "add an overload instead", call);
}

void EntryCheck::CheckResults() {
  const size_t w = writer_->results.size();
  const size_t r = reader_->results.size();
  const bool unlike = writer_->is_varret && (!reader_->is_varret || r > w);
  if (unlike) {
    SampleCall call = PlainCall(writer_);
    do {
      call.results.push_back(Type(TypeKind::kTensor));
    } while (call.results.size() < r + 1);
    if (reader_->is_varret) {
      // A type that the reader's result has not.
      const bool is_tensor =
          WithoutVariables(reader_->results[w].type).kind() ==
          TypeKind::kTensor;
      call.results[w] = Type(is_tensor ? TypeKind::kString : TypeKind::kTensor);
    }
    Add("varret-changed", "",
        absl::StrCat("a call may have any number of further results in ",
                     reading_.writer->version(), ", but not in ",
                     reading_.reader->version()),
        "add an overload instead", call);
  }
  for (size_t i = 0; i < std::min(w, r); ++i) CheckResult(i);
  if (w > r && !reader_->is_varret) {
    Add(IfBackward("result-removed", "result-added"), "",
        absl::StrCat("result ", r, " of type ", Code(writer_->results[r].type),
                     " is not there in ", reading_.reader->version(),
                     ", which refuses calls that use it"),
        IfBackward("keep the result, or make it a semantic_change with an "
                   "upgrader",
                   "add an overload instead"),
        PlainCall(writer_));
  }
}

void EntryCheck::CheckResult(size_t i) {
  const Type& w = writer_->results[i].type;
  const Type& r = reader_->results[i].type;
  if (w == r || HasVariables(w) || HasVariables(r)) return;
  const bool fits = IsSubtype(r, w);
  if (fits && IsSubtype(w, r)) return;
  SampleCall call = PlainCall(writer_);
  std::string why =
      absl::StrCat("calls that use it as ", Code(w), " are refused by ");
  if (fits) {
    // A call may declare its result more narrowly than the schema does.
    for (const Type& declared : WitnessGraphTypes(w)) {
      if (IsSubtype(declared, w) && !IsSubtype(declared, r) &&
          !IsSubtype(r, declared)) {
        call.results[i] = declared;
        why = absl::StrCat("calls that declare it ", Code(declared),
                           " are refused by ");
        break;
      }
    }
  }
  const Type& older = reading_.backward ? w : r;
  const Type& newer = reading_.backward ? r : w;
  Add("result-type-changed", "",
      absl::StrCat("result ", i, " was ", Code(older), " and is ", Code(newer),
                   ", and ", why, reading_.reader->version()),
      "keep the type, add an overload, or make it a semantic_change with an "
      "upgrader",
      call);
}

}  // namespace

std::vector<Breach> CheckEntries(const OperatorEntryPtr& writer,
                                 const OperatorEntryPtr& reader,
                                 const Reading& reading) {
  if (writer == reader || *writer == *reader) return {};
  return EntryCheck(writer, reader, reading).Run();
}

}  // namespace opcompat
