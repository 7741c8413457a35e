// A reader under test: bytes in, a module or a refusal out. The matrix runs
// every cell through one and believes nothing that it says.
#ifndef OPCOMPAT_COMPAT_MATRIX_TESTEES_TESTEE_H_
#define OPCOMPAT_COMPAT_MATRIX_TESTEES_TESTEE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "binding/report.h"
#include "ir/module.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {

struct TesteeAnswer {
  // What the reader would run; nullopt: refused.
  absl::optional<Module> module;
  // What it says it did; empty if it says nothing.
  LoadReport report;
  // Why it was refused.
  std::vector<Reason> reasons;
  // Not empty: it did not answer (crash, an answer that is none).
  std::string crash;
  // It did not answer in time; `crash` says so.
  bool hung = false;
};

// Not shared between threads: each has its own.
class Testee {
 public:
  virtual ~Testee() = default;
  // As reports name it: `in-process`.
  virtual std::string name() const = 0;
  // The histories whose versions the readers of later calls are made of, in
  // place of earlier ones. To be called before the first Read; costs nothing
  // if they are the same. A testee that needs no more than the reader has
  // nothing to do.
  virtual void SetHistories(
      const std::vector<std::shared_ptr<const OpsetHistory>>& histories) {
    static_cast<void>(histories);
  }
  // Reads a file as a program of that runtime would.
  virtual TesteeAnswer Read(absl::string_view bytes, const Runtime& reader) = 0;
};

// The deserializer of this very build, with the opsets of another version.
class InProcessTestee : public Testee {
 public:
  std::string name() const override { return "in-process"; }
  TesteeAnswer Read(absl::string_view bytes, const Runtime& reader) override;
};

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_TESTEES_TESTEE_H_
