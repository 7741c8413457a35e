// A finding as the rules about one operator see it: without the versions'
// context. Internal to check/.
#ifndef OPCOMPAT_CHECK_BREACH_H_
#define OPCOMPAT_CHECK_BREACH_H_

#include <string>

#include "schema/opset.h"

namespace opcompat {

// The remedy of other-history.
inline constexpr char kOneHistory[] =
    "check two versions of one history; if they are, correct the later one "
    "where it rewrote what the earlier one says";

// See the fields of the same names of Finding.
struct Breach {
  std::string rule;
  std::string argument;
  std::string message;
  std::string counterexample;
  std::string remedy;
  // The path, as declared, of the step graph that is at fault; may be empty.
  std::string graph = "";
};

// Who writes and who reads.
struct Reading {
  const Opset* writer = nullptr;
  const Opset* reader = nullptr;
  // The reader is the newer one.
  bool backward = false;

  const Opset& older() const { return backward ? *writer : *reader; }
  const Opset& newer() const { return backward ? *reader : *writer; }
};

}  // namespace opcompat

#endif  // OPCOMPAT_CHECK_BREACH_H_
