#include "check/testing.h"

#include <utility>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"

namespace opcompat {

LoadedHistory LoadGoodText(const std::vector<TextVersion>& versions,
                           const std::map<std::string, std::string>& graphs) {
  LoadedHistory loaded = LoadText(versions, graphs);
  for (const HistoryFault& fault : loaded.faults) {
    ADD_FAILURE() << fault.ToString();
  }
  return loaded;
}

Runtime RuntimeOf(const Opset& opset) {
  absl::StatusOr<Runtime> runtime = Runtime::Create({opset});
  EXPECT_TRUE(runtime.ok()) << runtime.status();
  return runtime.ok() ? *std::move(runtime) : Runtime();
}

Opset OpsetAt(const OpsetHistory& history, absl::string_view id) {
  const absl::StatusOr<Opset> opset = history.At(id);
  EXPECT_TRUE(opset.ok()) << opset.status();
  return opset.ok() ? *opset : history.newest();
}

}  // namespace opcompat
