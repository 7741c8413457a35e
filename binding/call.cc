#include "binding/call.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace opcompat {

void AddRefusal(Refusal refusal, std::vector<Refusal>* refusals) {
  for (Refusal& earlier : *refusals) {
    if (earlier.code == refusal.code && earlier.argument == refusal.argument &&
        earlier.value == refusal.value) {
      if (earlier.text != refusal.text) {
        absl::StrAppend(&earlier.text, "; ", refusal.text);
      }
      return;
    }
  }
  refusals->push_back(std::move(refusal));
}

}  // namespace opcompat
