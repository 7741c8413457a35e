#include "tools/out_of_memory.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "tools/output.h"

namespace opcompat {

std::string OutOfMemoryMessage(absl::string_view command,
                               const std::vector<std::string>& inputs) {
  constexpr size_t kMostNames = 3;
  const std::vector<std::string> named(
      inputs.begin(),
      inputs.begin() + std::min<ptrdiff_t>(kMostNames, inputs.size()));
  return absl::StrCat(
      command, ": out of memory", named.empty() ? "" : " at ",
      OneLine(absl::StrJoin(named, ", ")),
      inputs.size() > kMostNames ? ", ..." : "",
      "; text takes many times the bytes of its tensors: a .opc file can be "
      "converted to .opc without it (`opcompat convert IN.opc --to=opc`)");
}

int RunWithinMemory(const std::string& message,
                    const std::function<int()>& run) {
  try {
    return run();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  PrintError(message);
  return kExitBadInput;
}

}  // namespace opcompat
