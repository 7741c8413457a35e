// Schemas as text: what parses prints, and what it prints is the same schema.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "fuzz/check.h"
#include "schema/fingerprint.h"
#include "schema/operator_entry.h"
#include "schema/operator_schema.h"
#include "schema/text/schema_generator.h"
#include "schema/text/schema_parser.h"

namespace opcompat {
namespace {

// Longer ones say nothing new.
constexpr size_t kMaxSize = 512;

void TestOne(absl::string_view text) {
  const absl::StatusOr<OperatorSchema> schema = ParseSchema(text);
  if (!schema.ok()) return ExpectAnswerCode(schema.status(), "parsing");
  const std::string printed = schema->ToString();
  const OperatorSchema again =
      ValueOf(ParseSchema(printed), "what is printed does not parse");
  if (again.ToString() != printed) Fail("printed, parsed and printed differs");
  const OperatorEntry entry = EntryOfSchema(*schema);
  const OperatorEntry entry_again = EntryOfSchema(again);
  if (entry != entry_again) Fail("what is printed is another schema");
  if (Fingerprint(entry) != Fingerprint(entry_again)) {
    Fail("equal schemas have different fingerprints");
  }
}

// A schema that nobody parsed: what is lost when it is printed or parsed.
void TestGenerated(uint64_t seed) {
  const OperatorSchema schema = SchemaGenerator(seed).NextSchema();
  const OperatorSchema parsed = ValueOf(ParseSchema(schema.ToString()),
                                        "a schema, printed, does not parse");
  if (EntryOfSchema(parsed) != EntryOfSchema(schema) ||
      parsed.ToString() != schema.ToString()) {
    Fail("a schema, printed and parsed, is another one");
  }
}

}  // namespace
}  // namespace opcompat

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > opcompat::kMaxSize) return -1;
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  opcompat::TestOne(text);
  const uint64_t choice = opcompat::ChoiceOf(text);
  if (choice % 256 == 0) opcompat::TestGenerated(choice);
  return 0;
}
