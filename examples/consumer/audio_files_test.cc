#include "audio_files.h"

#include <fstream>
#include <sstream>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "deserializer/deserialize.h"
#include "gtest/gtest.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"
#include "ir/text/module_printer.h"
#include "schema/opset.h"

namespace audio {
namespace {

opcompat::Module Model(absl::string_view call,
                       const opcompat::Runtime& writer) {
  const std::string text =
      "func forward(%x : Tensor) -> (Tensor):\n"
      "  %y : Tensor = " +
      std::string(call) +
      "\n"
      "  return (%y)\n";
  return *opcompat::ParseModule(text, writer);
}

TEST(AudioFiles, AnOldReleaseReadsWhatTheNewestWrote) {
  const opcompat::Runtime newest = *Release("3.0");
  const opcompat::Runtime oldest = *Release("1.0");
  const std::string file =
      *Write(Model("audio::normalize(%x, level=0.5)", newest), newest);
  const absl::StatusOr<opcompat::Loaded> loaded = Read(file, oldest);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_TRUE(absl::StrContains(opcompat::PrintModule(loaded->module),
                                "audio::normalize(%x, 0.5)"));
}

TEST(AudioFiles, ANewDefaultIsNoOldMeaning) {
  const opcompat::Runtime newest = *Release("3.0");
  const opcompat::Runtime oldest = *Release("1.0");
  const opcompat::Module model = Model("audio::fade(%x, 100)", newest);
  const absl::StatusOr<opcompat::Loaded> loaded =
      Read(*Write(model, newest), oldest);
  ASSERT_FALSE(loaded.ok());
  EXPECT_TRUE(absl::StrContains(loaded.status().message(),
                                "curve=\"cosine\" is unknown"));
  // Whoever writes for that release is told at once.
  EXPECT_FALSE(WriteFor(oldest, model, newest).ok());
}

TEST(AudioFiles, AnOldCallIsUpgraded) {
  const opcompat::Runtime newest = *Release("3.0");
  const opcompat::Runtime oldest = *Release("1.0");
  const std::string file =
      *Write(Model("audio::gain(%x, 2.0)", oldest), oldest);
  const absl::StatusOr<opcompat::Loaded> loaded = Read(file, newest);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_TRUE(absl::StrContains(opcompat::PrintModule(loaded->module),
                                "audio::to_decibel(2.0)"));
}

TEST(AudioFiles, WhatTheBuildConvertedIsReadByEveryRelease) {
  std::ifstream stream("models/voice.opc", std::ios::binary);
  std::stringstream file;
  file << stream.rdbuf();
  for (const char* id : {"1.0", "2.0", "3.0"}) {
    const absl::StatusOr<opcompat::Loaded> loaded =
        Read(file.str(), *Release(id));
    EXPECT_TRUE(loaded.ok()) << id << ": " << loaded.status();
  }
}

}  // namespace
}  // namespace audio
