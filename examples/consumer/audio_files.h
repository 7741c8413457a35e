// Models made of audio operators, as files. This is all that a program needs of
// opcompat to read and write them: no text, no protobuf library, no files of
// opcompat's own.
#ifndef AUDIO_FILES_H_
#define AUDIO_FILES_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "deserializer/deserialize.h"
#include "ir/module.h"
#include "schema/opset.h"

namespace audio {

// What a release of that id (`2.0`) knows of the operators.
absl::StatusOr<opcompat::Runtime> Release(absl::string_view id);

// The file of a model that `writer` made.
absl::StatusOr<std::string> Write(const opcompat::Module& model,
                                  const opcompat::Runtime& writer);

// The same for devices with an older release: an error with every reason if
// they could not read it.
absl::StatusOr<std::string> WriteFor(const opcompat::Runtime& device,
                                     const opcompat::Module& model,
                                     const opcompat::Runtime& writer);

// What `reader` makes of a file of any release: the writer's meaning, or an
// error with every reason why not.
absl::StatusOr<opcompat::Loaded> Read(absl::string_view file,
                                      const opcompat::Runtime& reader);

}  // namespace audio

#endif  // AUDIO_FILES_H_
