// What the library says (binding/report.h), as messages of testee.proto and
// back. For both ends of the pipe.
#ifndef OPCOMPAT_COMPAT_MATRIX_TESTEES_MESSAGES_H_
#define OPCOMPAT_COMPAT_MATRIX_TESTEES_MESSAGES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "binding/report.h"
#include "compat_matrix/testees/testee.pb.h"
#include "google/protobuf/repeated_ptr_field.h"
#include "schema/opset.h"

namespace opcompat {

// Of Hello. Raised when nothing else can express a change.
inline constexpr uint32_t kTesteeProtocolVersion = 1;

testee::Refused RefusedMessage(const std::vector<Reason>& reasons);

// Reasons go into every report: ten thousand long ones fit.
inline constexpr size_t kMaxRefusedBytes = size_t{4} << 20;

// Returns InvalidArgument if there is no reason, one whose code is no word of
// ReasonCodeName or whose message is empty, or more than kMaxRefusedBytes.
absl::StatusOr<std::vector<Reason>> ReasonsOfMessage(
    const testee::Refused& refused);

// The answer to the request `request`, whose id is `id`. Returns Aborted if the
// bytes are none: what said that can not be talked to any more.
absl::StatusOr<testee::Answer> ParseAnswer(absl::string_view received,
                                           absl::string_view request,
                                           uint64_t id);
// What an answer says that is an error (Aborted) or says that the request is
// not supported (Unimplemented); OK: it is another one.
absl::Status ErrorOfAnswer(const testee::Answer& answer);

testee::LoadReport ReportMessage(const LoadReport& report);
LoadReport ReportOfMessage(const testee::LoadReport& message);

// The versions of `runtime`, one of each of its histories.
void AddVersions(const Runtime& runtime,
                 google::protobuf::RepeatedPtrField<testee::Version>* versions);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_TESTEES_MESSAGES_H_
