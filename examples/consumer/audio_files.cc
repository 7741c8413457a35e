#include "audio_files.h"

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "deserializer/compiled_history.h"
#include "deserializer/deserialize.h"
#include "ir/module.h"
#include "ops/audio.h"
#include "schema/opset.h"
#include "serializer/options.h"
#include "serializer/serialize.h"

namespace audio {

absl::StatusOr<opcompat::Runtime> Release(absl::string_view id) {
  absl::StatusOr<opcompat::CompiledHistory> history =
      opcompat::CompiledHistory::Open(opcompat_histories::audio());
  if (!history.ok()) return history.status();
  absl::StatusOr<opcompat::Opset> opset = history->At(id);
  if (!opset.ok()) return opset.status();
  return opcompat::Runtime::Create({*std::move(opset)});
}

absl::StatusOr<std::string> Write(const opcompat::Module& model,
                                  const opcompat::Runtime& writer) {
  return opcompat::Serialize(model, writer);
}

absl::StatusOr<std::string> WriteFor(const opcompat::Runtime& device,
                                     const opcompat::Module& model,
                                     const opcompat::Runtime& writer) {
  opcompat::SerializeOptions options;
  options.targets = {&device};
  return opcompat::Serialize(model, writer, options);
}

absl::StatusOr<opcompat::Loaded> Read(absl::string_view file,
                                      const opcompat::Runtime& reader) {
  return opcompat::Deserialize(file, reader);
}

}  // namespace audio
