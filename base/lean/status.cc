// absl::Status without payloads, for small programs.
//
// A status may carry payloads, which are absl::Cords, and so whoever links
// absl::Status gets the whole of absl::Cord: 330 KB with its sampling, mutexes,
// time zones and symbolizer, where the archives of abseil are not built with a
// section for each function. The definitions here stand for those of status.cc
// and statusor.cc, which are then not taken out of their archives.
//
// A program that uses payloads (or anything else that is missing here) needs
// more of status.cc, takes it out of the archive, and does not link: functions
// are then defined twice. That is wanted; docs/device.md says when to link this
// file.
//
// Made for one release of abseil, since it knows what stands behind its
// headers; with another it is empty, and abseil's own parts are linked.

#include "absl/base/config.h"

#if defined(ABSL_LTS_RELEASE_VERSION) && ABSL_LTS_RELEASE_VERSION == 20220623

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace {

using absl::status_internal::StatusRep;

// Neither this nor Delete names the constructor and the destructor of
// StatusRep: they would refer to those of payloads.
StatusRep* NewRep(absl::StatusCode code, absl::string_view message) {
  auto* rep = static_cast<StatusRep*>(::operator new(sizeof(StatusRep)));
  new (&rep->ref) std::atomic<int32_t>(1);
  rep->code = code;
  new (&rep->message) std::string(message);
  new (&rep->payloads) std::unique_ptr<absl::status_internal::Payloads>();
  return rep;
}

void Delete(StatusRep* rep) {
  rep->message.~basic_string();
  ::operator delete(rep);
}

constexpr const char* kNames[] = {
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
};
constexpr int kNumNames = sizeof(kNames) / sizeof(kNames[0]);

[[noreturn]] void Die(const char* what, const absl::Status& status) {
  std::fprintf(stderr, "%s%s\n", what, status.ToString().c_str());
  std::abort();
}

}  // namespace

std::string absl::StatusCodeToString(StatusCode code) {
  const int index = static_cast<int>(code);
  return index >= 0 && index < kNumNames ? kNames[index] : "";
}

std::ostream& absl::operator<<(std::ostream& os, StatusCode code) {
  return os << StatusCodeToString(code);
}

std::ostream& absl::operator<<(std::ostream& os, const Status& status) {
  return os << status.ToString(StatusToStringMode::kWithEverything);
}

absl::Status::Status(StatusCode code, string_view message)
    : rep_(CodeToInlinedRep(code)) {
  if (code != StatusCode::kOk && !message.empty()) {
    rep_ = PointerToRep(NewRep(code, message));
  }
}

void absl::Status::UnrefNonInlined(uintptr_t rep) {
  StatusRep* const r = RepToPointer(rep);
  if (r->ref.fetch_sub(1, std::memory_order_acq_rel) == 1) Delete(r);
}

int absl::Status::raw_code() const {
  return static_cast<int>(IsInlined(rep_) ? InlinedRepToCode(rep_)
                                          : RepToPointer(rep_)->code);
}

absl::StatusCode absl::Status::code() const {
  const int code = raw_code();
  return code >= 0 && code < kNumNames ? static_cast<StatusCode>(code)
                                       : StatusCode::kUnknown;
}

bool absl::Status::EqualsSlow(const Status& a, const Status& b) {
  return a.raw_code() == b.raw_code() && a.message() == b.message();
}

std::string absl::Status::ToStringSlow(StatusToStringMode) const {
  std::string text = StatusCodeToString(code());
  text += ": ";
  text.append(message().data(), message().size());
  return text;
}

void absl::internal_statusor::Helper::HandleInvalidStatusCtorArg(
    Status* status) {
  Die("An OK status is not a valid constructor argument to StatusOr<T>: ",
      *status);
}

void absl::internal_statusor::Helper::Crash(const Status& status) {
  Die("Attempting to fetch value instead of handling error ", status);
}

#define OPCOMPAT_LEAN_CODE(Name)                        \
  absl::Status absl::Name##Error(string_view message) { \
    return Status(StatusCode::k##Name, message);        \
  }                                                     \
  bool absl::Is##Name(const Status& status) {           \
    return status.code() == StatusCode::k##Name;        \
  }
OPCOMPAT_LEAN_CODE(Aborted)
OPCOMPAT_LEAN_CODE(AlreadyExists)
OPCOMPAT_LEAN_CODE(Cancelled)
OPCOMPAT_LEAN_CODE(DataLoss)
OPCOMPAT_LEAN_CODE(DeadlineExceeded)
OPCOMPAT_LEAN_CODE(FailedPrecondition)
OPCOMPAT_LEAN_CODE(Internal)
OPCOMPAT_LEAN_CODE(InvalidArgument)
OPCOMPAT_LEAN_CODE(NotFound)
OPCOMPAT_LEAN_CODE(OutOfRange)
OPCOMPAT_LEAN_CODE(PermissionDenied)
OPCOMPAT_LEAN_CODE(ResourceExhausted)
OPCOMPAT_LEAN_CODE(Unauthenticated)
OPCOMPAT_LEAN_CODE(Unavailable)
OPCOMPAT_LEAN_CODE(Unimplemented)
OPCOMPAT_LEAN_CODE(Unknown)
#undef OPCOMPAT_LEAN_CODE

#endif
