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
  // What no honest file comes near. Parts that are walked: 16 million, which is
  // a few constants as large as they may be, or sixteen for each byte of the
  // file if that is more. Text that is copied, or would be in a message: a
  // million bytes, or sixteen for each.
  explicit Budget(size_t file_size)
      : parts_(uint64_t{1} << 24, file_size),
        text_(uint64_t{1} << 20, file_size) {}

  // ResourceExhausted if the total is used up; `what` says by what.
  absl::Status SpendParts(uint64_t amount, absl::string_view what) {
    return parts_.Spend(amount, what);
  }
  absl::Status SpendText(uint64_t amount, absl::string_view what) {
    return text_.Spend(amount, what);
  }

 private:
  class Account {
   public:
    Account(uint64_t least, size_t file_size)
        : total_(std::max(least, uint64_t{file_size} * 16)), left_(total_) {}

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

  Account parts_;
  Account text_;
};

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_BUDGET_H_
