// The program's loop of the protocol: reads requests and writes answers until
// the input ends. Knows no file descriptors.
#ifndef OPCOMPAT_COMPAT_MATRIX_TESTEES_SERVE_REQUESTS_H_
#define OPCOMPAT_COMPAT_MATRIX_TESTEES_SERVE_REQUESTS_H_

#include <cstddef>
#include <functional>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/testees/testee_service.h"

namespace opcompat {

// Reads up to `size` bytes to `buffer`; returns how many, 0 at the end.
using ReadSome = std::function<size_t(char* buffer, size_t size)>;
// Returns false if the bytes can not be written.
using WriteAll = std::function<bool(absl::string_view bytes)>;

// OK at the end of the input. Returns InvalidArgument if the input is no
// request, Aborted if nothing can be written. Memory is asked for as bytes
// arrive, never for a length that a frame announces.
absl::Status ServeRequests(const ReadSome& read, const WriteAll& write,
                           TesteeService* service);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_TESTEES_SERVE_REQUESTS_H_
