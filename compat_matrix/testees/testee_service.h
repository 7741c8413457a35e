// The program's side of the protocol for our own reader and writer: a request
// in, an answer out. testee_main.cc puts it behind pipes.
#ifndef OPCOMPAT_COMPAT_MATRIX_TESTEES_TESTEE_SERVICE_H_
#define OPCOMPAT_COMPAT_MATRIX_TESTEES_TESTEE_SERVICE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compat_matrix/testees/testee.pb.h"
#include "google/protobuf/repeated_ptr_field.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {

class TesteeService {
 public:
  // `name` is what it says of itself: `opcompat` with a commit, say.
  explicit TesteeService(std::string name) : name_(std::move(name)) {}

  // Answers any request: one that makes no sense with an error, one of a kind
  // that is not known with `unsupported`.
  testee::Answer Serve(const testee::Request& request);

 private:
  absl::Status Hello(const testee::Hello& hello, testee::Answer* answer);
  absl::Status SetHistories(const testee::SetHistories& request,
                            testee::Answer* answer);
  absl::Status Read(const testee::Read& request, testee::Answer* answer);
  absl::Status Write(const testee::Write& request, testee::Answer* answer);
  absl::StatusOr<Runtime> RuntimeOf(
      const google::protobuf::RepeatedPtrField<testee::Version>& versions)
      const;

  const std::string name_;
  std::vector<std::shared_ptr<const OpsetHistory>> histories_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_TESTEES_TESTEE_SERVICE_H_
