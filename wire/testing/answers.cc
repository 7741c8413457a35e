#include "wire/testing/answers.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "base/status_matchers.h"
#include "deserializer/decode.h"
#include "ir/equality.h"
#include "ir/module.h"
#include "ir/verifier.h"
#include "schema/opset.h"
#include "serializer/options.h"
#include "serializer/serialize.h"
#include "wire/module.pb.h"
#include "wire/testing/raw_fields.h"
#include "wire/testing/seal.h"

namespace opcompat {
namespace {

constexpr uint32_t kDebug = 15;

// What generated code makes of the file, written by it.
absl::optional<std::string> WrittenByProtobuf(absl::string_view file) {
  const absl::string_view bulk = BulkOf(file);
  file = file.substr(0, MessageSize(file));
  wire::Module message;
  if (message.ParseFromString(std::string(file))) {
    return WithBulk(Seal(message), bulk);
  }
  // Garbage in the debug information is an error to protobuf.
  std::string without_debug;
  for (const RawField& field : SplitFields(file)) {
    if (field.number != kDebug) without_debug += std::string(field.bytes);
  }
  if (!message.ParseFromString(without_debug)) return absl::nullopt;
  return WithBulk(Seal(message), bulk);
}

}  // namespace

void ExpectAnswer(absl::string_view file, absl::string_view what) {
  const absl::StatusOr<Module> module = Decode(file);
  if (!module.ok()) {
    const absl::StatusCode code = module.status().code();
    EXPECT_TRUE(code == absl::StatusCode::kInvalidArgument ||
                code == absl::StatusCode::kUnimplemented ||
                code == absl::StatusCode::kResourceExhausted)
        << what << ": " << module.status();
    EXPECT_FALSE(module.status().message().empty()) << what;
    return;
  }
  ASSERT_THAT(Verify(*module), IsOk()) << what;
  SerializeOptions options;
  options.elision = Elision::kUnspecifiedOnly;
  const absl::StatusOr<std::string> again =
      Serialize(*module, Runtime(), options);
  ASSERT_THAT(again, IsOk()) << what;
  const absl::StatusOr<Module> read = Decode(*again);
  ASSERT_THAT(read, IsOk()) << what;
  EXPECT_EQ(FirstDifference(*module, *read), absl::nullopt) << what;

  const absl::optional<std::string> by_protobuf = WrittenByProtobuf(file);
  ASSERT_TRUE(by_protobuf.has_value()) << what << ": protobuf cannot read it";
  const absl::StatusOr<Module> other = Decode(*by_protobuf);
  ASSERT_THAT(other, IsOk()) << what << ", written by protobuf";
  EXPECT_EQ(FirstDifference(*module, *other), absl::nullopt)
      << what << ", written by protobuf";
}

}  // namespace opcompat
