// A compiled history, opened: how a program without a text parser, on a device
// say, gets the opset with which it reads files. `opcompat history FILE
// --compile -o OUT` makes one (docs/device.md). Knows nothing of how.
//
//   OPCOMPAT_ASSIGN_OR_RETURN(const CompiledHistory history,
//                             CompiledHistory::Open(bytes));
//   OPCOMPAT_ASSIGN_OR_RETURN(const Opset opset, history.At("2.6.0"));
#ifndef OPCOMPAT_DESERIALIZER_COMPILED_HISTORY_H_
#define OPCOMPAT_DESERIALIZER_COMPILED_HISTORY_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {
namespace decoding {
class CompiledInfos;
}  // namespace decoding

// Cheap to copy; safe to share between threads.
class CompiledHistory {
 public:
  // Checks the file as a whole and reads its tables. `bytes` are used in place:
  // `owner` keeps them alive; null: they outlive this and every opset made from
  // it, as bytes inside the program do.
  //   * InvalidArgument: malformed bytes;
  //   * Unimplemented: a form version or a required feature that we do not
  //     know: compiled by a newer opcompat;
  //   * ResourceExhausted: over a limit.
  static absl::StatusOr<CompiledHistory> Open(
      absl::string_view bytes, std::shared_ptr<const void> owner = nullptr);

  const std::string& name() const;
  const std::vector<std::string>& aliases() const;
  // Ids, oldest first; at least one.
  const std::vector<std::string>& versions() const;

  // What a program of version `id` knows. Reads the names of its operators; an
  // operator is decoded when it is asked for. One that turns out to be
  // malformed then (nobody makes such a file by accident: the checksum was
  // right) has a fault, so that calls of it are refused. Returns NotFound
  // naming the versions that there are, and the codes of Open.
  absl::StatusOr<Opset> At(absl::string_view id) const;

  // All versions, with all of their operators decoded: an error if one is
  // malformed. For tools, and to check a file once.
  absl::StatusOr<std::shared_ptr<const OpsetHistory>> LoadAll() const;

 private:
  explicit CompiledHistory(std::shared_ptr<decoding::CompiledInfos> infos);

  std::shared_ptr<decoding::CompiledInfos> infos_;
};

// Whether `bytes` begin as a compiled history does (for tools that take text
// too).
bool LooksLikeCompiledHistory(absl::string_view bytes);

}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_COMPILED_HISTORY_H_
