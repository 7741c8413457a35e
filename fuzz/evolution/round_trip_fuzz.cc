// What is written is read: a module with blocks, by every policy of elision, at
// its own version; and its text.

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "compat_matrix/oracle/oracle.h"
#include "compat_matrix/simulation/laws.h"
#include "deserializer/decode.h"
#include "deserializer/deserialize.h"
#include "fuzz/evolution/case_target.h"
#include "fuzz/evolution/prepared_case.h"
#include "ir/equality.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"
#include "ir/text/module_printer.h"
#include "ir/verifier.h"
#include "schema/opset.h"
#include "serializer/byte_sink.h"
#include "serializer/serialize.h"

namespace opcompat {
namespace fuzz {
namespace {

// Whether a call was written at a lower revision: reading passes it what the
// file's schema does not know, though the module may have left that out.
bool HasLoweredCalls(const std::string& bytes, const Runtime& writer) {
  const absl::StatusOr<Module> written = Decode(bytes);
  if (!written.ok()) return false;  // reading says why
  for (const ModuleOperator& op : written->operators) {
    if (op.entry == nullptr) continue;
    const Opset* opset = writer.FindOpset(op.entry->history);
    const OperatorInfo* info =
        opset == nullptr ? nullptr : opset->FindByNamesOf(*op.entry);
    if (info != nullptr && op.entry->revision < info->revision()) return true;
  }
  return false;
}

// `plain`: what is written by default.
void CheckPolicy(const PreparedCase& input, const std::string& plain,
                 Elision elision) {
  const Runtime& runtime = input.history->laws->runtime(input.writer);
  const auto fail = [&](absl::string_view what) {
    FailWith(input,
             absl::StrCat("elision ", static_cast<int>(elision), ": ", what));
  };
  SerializeOptions options;
  options.elision = elision;
  const absl::StatusOr<std::string> bytes =
      Serialize(input.module(), runtime, options);
  if (!bytes.ok())
    fail(absl::StrCat("not written: ", bytes.status().ToString()));
  const absl::StatusOr<Loaded> read = Deserialize(*bytes, runtime);
  if (!read.ok()) fail(absl::StrCat("not read: ", read.status().ToString()));
  if (!Verify(read->module).ok()) fail("what is read does not verify");
  const absl::optional<std::string> meaning =
      MeaningDiffers(input.module(), read->module, runtime);
  if (meaning.has_value()) fail(*meaning);
  // The same module means the same however it was written, and is written as
  // the same file.
  if (elision == Elision::kUnspecifiedOnly &&
      !HasLoweredCalls(*bytes, runtime)) {
    const absl::optional<std::string> difference =
        FirstDifference(input.module(), read->module);
    if (difference.has_value()) fail(*difference);
  }
  const absl::StatusOr<std::string> again =
      Serialize(read->module, runtime, options);
  if (!again.ok() || *again != *bytes) fail("written again as other bytes");
  // And for whoever writes it anew, the policy is as if it had been his.
  const absl::StatusOr<std::string> plain_again =
      Serialize(read->module, runtime);
  if (!plain_again.ok() || *plain_again != plain) {
    fail("what was read is written otherwise than what it was read of");
  }
}

// Piece by piece it is the same file, and progress ends with all of it.
void CheckSink(const PreparedCase& input, const std::string& plain) {
  const Runtime& runtime = input.history->laws->runtime(input.writer);
  uint64_t last_done = 0;
  uint64_t last_total = 0;
  SerializeOptions options;
  options.progress = [&](uint64_t done, uint64_t total) {
    if (done < last_done || done > total) FailWith(input, "progress goes back");
    last_done = done;
    last_total = total;
  };
  std::string pieces;
  StringSink sink(&pieces);
  const absl::Status status =
      SerializeTo(input.module(), runtime, options, &sink);
  if (!status.ok() || pieces != plain) {
    FailWith(input, "piece by piece it is another file");
  }
  if (last_done != pieces.size() || last_total != pieces.size()) {
    FailWith(input, "progress does not end with the whole file");
  }
}

// Nobody writes a header that says nothing, or one thing twice.
void CheckHeaders(const PreparedCase& input) {
  for (const OpsetVersion& opset :
       {OpsetVersion{"", "1"}, OpsetVersion{"t", ""},
        input.module().opsets.front()}) {
    Module named = input.module();
    named.opsets.push_back(opset);
    if (!absl::IsInvalidArgument(
            Serialize(named, input.history->laws->runtime(input.writer))
                .status())) {
      FailWith(input, absl::StrCat("a header with `", opset.name, " ",
                                   opset.version, "` besides is written"));
    }
  }
}

// Another version does not write it as its own. Of a module that does not say
// of which version it is, it writes what is its own, and operators that it
// lacks; it refuses these when it reads, and what it reads is what was written.
void CheckOtherWriter(const PreparedCase& input) {
  if (input.reader == input.writer) return;
  const Runtime& other = input.history->laws->runtime(input.reader);
  if (Serialize(input.module(), other).ok()) {
    FailWith(input, "another version writes it as if it were its own");
  }
  Module unsaid = input.module();
  unsaid.opsets.clear();
  const absl::StatusOr<std::string> bytes = Serialize(unsaid, other);
  if (!bytes.ok()) return;
  const absl::StatusOr<Loaded> read = Deserialize(*bytes, other);
  if (absl::IsInvalidArgument(read.status()) ||
      absl::IsInternal(read.status())) {
    FailWith(input, absl::StrCat("another version writes what is no file: ",
                                 read.status().ToString()));
  }
  if (read.ok() && MeaningDiffers(unsaid, read->module, other).has_value()) {
    FailWith(input, "another version reads otherwise than it writes");
  }
}

void CheckText(const PreparedCase& input) {
  const std::string text = PrintModule(input.module());
  const absl::StatusOr<Module> parsed =
      ParseModule(text, input.history->laws->runtime(input.writer));
  if (!parsed.ok()) {
    FailWith(input, absl::StrCat("printed, it is no module: ",
                                 parsed.status().ToString(), "\n", text));
  }
  const absl::optional<std::string> difference =
      FirstDifference(input.module(), *parsed);
  if (difference.has_value()) {
    FailWith(input, absl::StrCat("printed and parsed: ", *difference));
  }
}

}  // namespace

void JudgeCase(PreparedCase input, absl::string_view /*bytes*/) {
  const absl::StatusOr<std::string> plain =
      Serialize(input.module(), input.history->laws->runtime(input.writer));
  if (!plain.ok()) {
    FailWith(input, absl::StrCat("not written: ", plain.status().ToString()));
  }
  for (const Elision elision :
       {Elision::kEqualToDefault, Elision::kUnspecifiedOnly, Elision::kNone}) {
    CheckPolicy(input, *plain, elision);
  }
  CheckSink(input, *plain);
  CheckHeaders(input);
  CheckOtherWriter(input);
  CheckText(input);
}

}  // namespace fuzz
}  // namespace opcompat
