// A compiled history is the history: every version knows the same, and every
// file is read alike, whichever of the two a program has.

#include "deserializer/compiled_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status_matchers.h"
#include "deserializer/deserialize.h"
#include "ir/equality.h"
#include "ir/text/history_for_testing.h"
#include "ir/text/history_loader.h"
#include "schema/history.h"
#include "schema/opset.h"
#include "serializer/compile_history.h"
#include "serializer/serialize.h"
#include "wire/compiled_history.pb.h"
#include "wire/testing/opset_difference.h"
#include "wire/testing/sample_modules.h"
#include "wire/testing/seal.h"

namespace opcompat {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using HistoryPtr = std::shared_ptr<const OpsetHistory>;

HistoryPtr TextHistory(absl::string_view name) {
  absl::StatusOr<HistoryPtr> history =
      LoadHistoryOrError(absl::StrCat("opsets/", name, "/history.textproto"));
  EXPECT_THAT(history, IsOk());
  return *std::move(history);
}

std::string Compile(const OpsetHistory& history) {
  absl::StatusOr<std::string> bytes = CompileHistory(history);
  EXPECT_THAT(bytes, IsOk());
  return *std::move(bytes);
}

CompiledHistory OpenOrDie(absl::string_view bytes) {
  absl::StatusOr<CompiledHistory> history = CompiledHistory::Open(bytes);
  EXPECT_THAT(history, IsOk());
  return *std::move(history);
}

class ShippedHistoryTest : public ::testing::TestWithParam<const char*> {
 protected:
  const HistoryPtr text_ = TextHistory(GetParam());
  const std::string bytes_ = Compile(*text_);
};

INSTANTIATE_TEST_SUITE_P(All, ShippedHistoryTest,
                         ::testing::Values("demo", "torch"),
                         [](const auto& info) {
                           return std::string(info.param);
                         });

TEST_P(ShippedHistoryTest, EveryVersionKnowsTheSameAsOfTheText) {
  const CompiledHistory compiled = OpenOrDie(bytes_);
  EXPECT_EQ(compiled.name(), text_->name());
  EXPECT_EQ(compiled.aliases(), text_->aliases());
  ASSERT_EQ(compiled.versions().size(), text_->versions().size());
  for (const Opset& expected : text_->versions()) {
    // Opened for this version alone.
    const absl::StatusOr<Opset> opset =
        OpenOrDie(bytes_).At(expected.version());
    ASSERT_THAT(opset, IsOk());
    EXPECT_EQ(OpsetDifference(*opset, expected), "") << expected.version();
  }
  const absl::StatusOr<HistoryPtr> all = compiled.LoadAll();
  ASSERT_THAT(all, IsOk());
  EXPECT_EQ(HistoryDifference(**all, *text_), "");
}

TEST_P(ShippedHistoryTest, CompiledAgainItGivesEqualBytes) {
  const absl::StatusOr<HistoryPtr> all = OpenOrDie(bytes_).LoadAll();
  ASSERT_THAT(all, IsOk());
  EXPECT_TRUE(Compile(**all) == bytes_);
}

TEST_P(ShippedHistoryTest, ProtobufReadsItAndWritesEqualBytes) {
  wire::CompiledHistory message;
  ASSERT_TRUE(message.ParseFromString(bytes_));
  EXPECT_EQ(message.magic(), "opcompat-history");
  EXPECT_EQ(message.form_version(), 1);
  EXPECT_EQ(message.versions_size(),
            static_cast<int>(text_->versions().size()));
  EXPECT_TRUE(message.SerializeAsString() == bytes_);
}

TEST_P(ShippedHistoryTest, OperatorsAreFoundByTheSameNames) {
  for (const Opset& expected : text_->versions()) {
    const absl::StatusOr<Opset> opset =
        OpenOrDie(bytes_).At(expected.version());
    ASSERT_THAT(opset, IsOk());
    // Names of every version, of which some are not known yet or no more.
    for (const Opset& other : text_->versions()) {
      for (const OperatorInfoPtr& info : other.operators()) {
        for (const std::string& name : info->current()->names) {
          for (const auto find :
               {&Opset::Find, &Opset::FindByAnyName, &Opset::FindRemoved}) {
            const OperatorInfo* found = (*opset.*find)(name);
            const OperatorInfo* wanted = (expected.*find)(name);
            ASSERT_EQ(found == nullptr, wanted == nullptr) << name;
            if (wanted == nullptr) continue;
            ASSERT_EQ(found->current()->names, wanted->current()->names);
          }
        }
      }
    }
  }
}

// That a version id which the reader knows comes with an entry that it does not
// is seen without the earlier opsets at hand.
TEST_P(ShippedHistoryTest, ItKnowsWhatEarlierVersionsHad) {
  size_t contradictions = 0;
  for (const Opset& expected : text_->versions()) {
    const absl::StatusOr<Opset> opset =
        OpenOrDie(bytes_).At(expected.version());
    ASSERT_THAT(opset, IsOk());
    for (const Opset& writer : text_->versions()) {
      for (const OperatorInfoPtr& info : writer.operators()) {
        for (const std::string& id :
             {std::string("none"), writer.version(),
              text_->versions()[0].version(), text_->versions()[1].version()}) {
          const bool contradicts =
              expected.ContradictsVersion(id, *info->current());
          contradictions += contradicts;
          ASSERT_EQ(opset->ContradictsVersion(id, *info->current()),
                    contradicts)
              << info->current()->ToString() << " of " << id << " for "
              << expected.version();
        }
      }
    }
  }
  EXPECT_GT(contradictions, 0);
}

// Reads every file with both at every version.
void ExpectFilesAreReadAlike(const OpsetHistory& text, absl::string_view bytes,
                             const std::vector<SampleModule>& samples) {
  const CompiledHistory compiled = OpenOrDie(bytes);
  size_t accepted = 0;
  size_t refused = 0;
  for (const Opset& opset : text.versions()) {
    const absl::StatusOr<Runtime> with_text = Runtime::Create({opset});
    const absl::StatusOr<Opset> at = compiled.At(opset.version());
    ASSERT_THAT(at, IsOk());
    const absl::StatusOr<Runtime> with_compiled = Runtime::Create({*at});
    for (const SampleModule& sample : samples) {
      const absl::StatusOr<std::string> file =
          Serialize(sample.module, sample.writer);
      ASSERT_THAT(file, IsOk());
      const absl::StatusOr<Loaded> expected = Deserialize(*file, *with_text);
      const absl::StatusOr<Loaded> found = Deserialize(*file, *with_compiled);
      ASSERT_EQ(found.status(), expected.status())
          << sample.name << " for " << opset.version();
      if (!expected.ok()) {
        ++refused;
        continue;
      }
      ++accepted;
      ASSERT_EQ(FirstDifference(found->module, expected->module), absl::nullopt)
          << sample.name << " for " << opset.version();
      // And it is written alike.
      EXPECT_EQ(*Serialize(found->module, *with_compiled),
                *Serialize(expected->module, *with_text));
    }
  }
  EXPECT_GT(accepted, 0);
  EXPECT_GT(refused, 0);
}

// Each graph takes what the calls of its side of the step are given.
TEST(CompiledHistoryTest, StepsBetweenSchemasThatDiffer) {
  const LoadedHistory text =
      LoadText({{"1", "t::f(Tensor x, int n) -> Tensor\n"},
                {"2", "t::f(Tensor x, float p, bool q) -> (Tensor, Tensor)\n",
                 R"(
changes {
  operator: "t::f"
  semantic_change {
    revision: 2
    upgraders { graph: "up" }
    downgraders { graph: "down" }
  }
}
)"}},
               {{"up",
                 "func up(%x : Tensor, %n : int) -> (Tensor):\n"
                 "  %y : Tensor, %z : Tensor = t::f(%x, 1.0, True)\n"
                 "  return (%y)\n"},
                {"down",
                 "func down(%x : Tensor, %p : float, %q : bool) -> "
                 "(Tensor, Tensor):\n"
                 "  %y : Tensor = t::f(%x, 1)\n"
                 "  return (%y, %y)\n"}});
  ASSERT_NE(text.history, nullptr);
  const std::string bytes = Compile(*text.history);
  const absl::StatusOr<HistoryPtr> all = OpenOrDie(bytes).LoadAll();
  ASSERT_THAT(all, IsOk());
  EXPECT_EQ(HistoryDifference(**all, *text.history), "");
}

TEST(CompiledHistoryTest, DemoFilesAreReadAlike) {
  const HistoryPtr text = TextHistory("demo");
  ExpectFilesAreReadAlike(*text, Compile(*text), DemoModules());
}

TEST(CompiledHistoryTest, TorchFilesAreReadAlike) {
  const HistoryPtr text = TextHistory("torch");
  // Some of them: all take a minute.
  std::vector<SampleModule> some;
  for (SampleModule& sample : TorchModules()) {
    if (sample.module.functions[0].graph.num_nodes() < 60) {
      some.push_back(std::move(sample));
    }
  }
  ExpectFilesAreReadAlike(*text, Compile(*text), some);
}

TEST(CompiledHistoryTest, AnUnknownVersionIsNotFound) {
  const std::string bytes = Compile(*TextHistory("demo"));
  EXPECT_THAT(OpenOrDie(bytes).At("3.0"),
              StatusIs(absl::StatusCode::kNotFound,
                       "the history demo has no version 3.0; it has 1.0, 1.1, "
                       "1.2, 1.3, 2.0, 2.1"));
}

TEST(CompiledHistoryTest, ItKeepsItsBytesAlive) {
  auto owner =
      std::make_shared<const std::string>(Compile(*TextHistory("demo")));
  const std::weak_ptr<const std::string> alive = owner;
  absl::optional<Opset> opset;
  {
    const absl::StatusOr<CompiledHistory> history =
        CompiledHistory::Open(*owner, owner);
    ASSERT_THAT(history, IsOk());
    opset = *history->At("2.1");
    owner = nullptr;
  }
  EXPECT_FALSE(alive.expired());
  EXPECT_FALSE(opset->operators().empty());
  opset = absl::nullopt;
  EXPECT_TRUE(alive.expired());
}

// Run it under ThreadSanitizer.
TEST(CompiledHistoryTest, ThreadsShareItWhileItIsDecoded) {
  const HistoryPtr text = TextHistory("demo");
  const std::string bytes = Compile(*text);
  const CompiledHistory compiled = OpenOrDie(bytes);
  const absl::StatusOr<Opset> shared = compiled.At("2.1");
  ASSERT_THAT(shared, IsOk());
  std::vector<std::string> differences(4);
  std::vector<std::thread> threads;
  for (std::string& difference : differences) {
    threads.emplace_back([&] {
      for (const OperatorInfoPtr& info : text->newest().operators()) {
        const OperatorEntry& entry = *info->current();
        const OperatorInfo* found = shared->Find(entry.name());
        if (found == nullptr || *found->current() != entry) {
          difference = entry.name();
        }
        shared->ContradictsVersion("1.0", entry);
      }
      for (const Opset& expected : text->versions()) {
        const std::string of_version =
            OpsetDifference(*compiled.At(expected.version()), expected);
        if (!of_version.empty()) difference = of_version;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& difference : differences) EXPECT_EQ(difference, "");
}

class CompiledHeaderTest : public ::testing::Test {
 protected:
  CompiledHeaderTest() {
    const LoadedHistory loaded = LoadText({{"1", "t::f(Tensor x) -> Tensor"}});
    bytes_ = Compile(*loaded.history);
    EXPECT_TRUE(message_.ParseFromString(bytes_));
  }
  absl::Status OpenMessage() {
    message_.clear_checksum();
    return CompiledHistory::Open(Reseal(message_.SerializeAsString())).status();
  }

  std::string bytes_;
  wire::CompiledHistory message_;
};

TEST_F(CompiledHeaderTest, ItIsToldByItsFirstBytes) {
  EXPECT_TRUE(LooksLikeCompiledHistory(bytes_));
  EXPECT_FALSE(LooksLikeCompiledHistory("name: \"t\""));
  EXPECT_FALSE(LooksLikeModuleFile(bytes_));
  EXPECT_THAT(CompiledHistory::Open("name: \"t\""),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("it does not begin with the bytes 0A 10")));
}

TEST_F(CompiledHeaderTest, ANewerFormIsRefusedByItsVersion) {
  message_.set_form_version(2);
  EXPECT_EQ(OpenMessage(),
            absl::UnimplementedError(
                "compiled history: the file has form version 2; this loader "
                "reads form version 1; a newer loader is needed, or a history "
                "compiled for this one"));
}

TEST_F(CompiledHeaderTest, AFeatureThatIsNotKnownIsRefusedByName) {
  message_.add_required_features("from_the_future");
  EXPECT_EQ(OpenMessage(),
            absl::UnimplementedError(
                "compiled history: the file needs feature "
                "\"from_the_future\", which this reader does not know; a newer "
                "reader is needed, or a file written without it"));
}

TEST_F(CompiledHeaderTest, WhatIsInsideANewerFormIsNotLookedAt) {
  message_.set_form_version(2);
  message_.clear_name();
  message_.clear_versions();
  EXPECT_THAT(OpenMessage(), StatusIs(absl::StatusCode::kUnimplemented,
                                      HasSubstr("form version 2")));
}

TEST_F(CompiledHeaderTest, DamageIsSeenByTheChecksum) {
  std::string damaged = bytes_;
  damaged[damaged.size() / 2] ^= 1;
  EXPECT_THAT(CompiledHistory::Open(damaged),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("it was damaged or changed")));
  EXPECT_THAT(CompiledHistory::Open(absl::string_view(bytes_).substr(0, 40)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       StartsWith("compiled history: malformed file: ")));
}

TEST_F(CompiledHeaderTest, NamesAndVersionsAreThere) {
  const wire::CompiledHistory good = message_;
  message_.clear_name();
  EXPECT_THAT(OpenMessage(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("the history has no name")));
  message_ = good;
  message_.clear_versions();
  EXPECT_THAT(OpenMessage(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("the history has no version")));
  message_ = good;
  message_.mutable_versions(0)->clear_id();
  EXPECT_THAT(OpenMessage(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("it has no id")));
  message_ = good;
  *message_.add_versions() = good.versions(0);
  EXPECT_THAT(OpenMessage(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("its id is there twice")));
}

// An operator is decoded when it is asked for, too late for an error: calls of
// it are refused.
TEST_F(CompiledHeaderTest, AMalformedOperatorRefusesItsCallsOnly) {
  const LoadedHistory loaded =
      LoadText({{"1", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor"}});
  ASSERT_TRUE(message_.ParseFromString(Compile(*loaded.history)));
  // An argument in no state.
  message_.mutable_operators(0)->mutable_arguments(0)->set_state(3);
  message_.clear_checksum();
  const std::string bytes = Reseal(message_.SerializeAsString());
  const CompiledHistory history = OpenOrDie(bytes);
  EXPECT_THAT(history.LoadAll(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("t::f, argument `x`: it is neither exposed "
                                 "nor retired")));
  const absl::StatusOr<Opset> opset = history.At("1");
  ASSERT_THAT(opset, IsOk());
  ASSERT_NE(opset->Find("t::f"), nullptr);
  EXPECT_THAT(opset->Find("t::f")->fault,
              HasSubstr("the compiled history is malformed: "));
  EXPECT_EQ(opset->Find("t::g")->fault, "");

  const Runtime writer = *Runtime::Create({loaded.history->newest()});
  const Runtime reader = *Runtime::Create({*opset});
  for (const char* name : {"f", "g"}) {
    const SampleModule module = ModuleOf(
        absl::StrCat("t::", name, "(Tensor x) -> Tensor"),
        absl::StrCat("opset t 1\nfunc forward(%x : Tensor) -> (Tensor):\n"
                     "  %y : Tensor = t::",
                     name, "(%x)\n  return (%y)\n"));
    const absl::StatusOr<std::string> file =
        Serialize(module.module, module.writer);
    ASSERT_THAT(file, IsOk());
    ASSERT_THAT(Deserialize(*file, writer), IsOk());
    if (name[0] == 'g') {
      EXPECT_THAT(Deserialize(*file, reader), IsOk());
    } else {
      EXPECT_THAT(Deserialize(*file, reader),
                  StatusIs(absl::StatusCode::kNotFound,
                           HasSubstr("the compiled history is malformed")));
    }
  }
}

}  // namespace
}  // namespace opcompat
