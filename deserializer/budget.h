// How much more than its bytes a file may become. Tables share parts (a string
// that a thousand arguments are named by, a list of which each element is the
// list before it), so a few bytes could ask for gigabytes; what is copied or
// walked once per reference is charged here first.
#ifndef OPCOMPAT_DESERIALIZER_BUDGET_H_
#define OPCOMPAT_DESERIALIZER_BUDGET_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace opcompat {
namespace decoding {

class Budget {
 public:
  // What no honest file comes near: 16 million parts and bytes, or sixteen for
  // each byte of the file if that is more.
  explicit Budget(size_t file_size)
      : total_(std::max(uint64_t{1} << 24, uint64_t{file_size} * 16)),
        left_(total_) {}

  // ResourceExhausted if the total is used up; `what` says by what.
  absl::Status Spend(uint64_t amount, absl::string_view what) {
    if (amount <= left_) {
      left_ -= amount;
      return absl::OkStatus();
    }
    left_ = 0;
    return absl::ResourceExhaustedError(
        absl::StrCat("the file's ", what, " expand to more than ", total_,
                     " parts and bytes, the limit for a file of its size"));
  }

 private:
  uint64_t total_;
  uint64_t left_;
};

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_BUDGET_H_
