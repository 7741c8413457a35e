#include "binding/call.h"

#include <utility>
#include <vector>

#include "base/concat.h"

namespace opcompat {

void AddRefusal(Refusal refusal, std::vector<Refusal>* refusals) {
  for (Refusal& earlier : *refusals) {
    if (earlier.code == refusal.code && earlier.argument == refusal.argument &&
        earlier.value == refusal.value) {
      if (earlier.text != refusal.text) {
        ConcatTo(&earlier.text, "; ", refusal.text);
      }
      return;
    }
  }
  refusals->push_back(std::move(refusal));
}

}  // namespace opcompat
