// What is written is read back, over everything that ships: the encoder and
// the decoder share no code, so each is the other's judge; protobuf's generated
// code is the third.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status_matchers.h"
#include "deserializer/decode.h"
#include "ir/equality.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "serializer/serialize.h"
#include "wire/module.pb.h"
#include "wire/testing/sample_modules.h"
#include "wire/testing/seal.h"

namespace opcompat {
namespace {

constexpr Elision kPolicies[] = {Elision::kEqualToDefault,
                                 Elision::kUnspecifiedOnly, Elision::kNone};

const std::vector<SampleModule>& Samples() {
  static const auto* const samples = [] {
    auto* all = new std::vector<SampleModule>(DemoModules());
    for (SampleModule& sample : TorchModules()) {
      all->push_back(std::move(sample));
    }
    return all;
  }();
  return *samples;
}

std::string WriteNow(const SampleModule& sample, Elision elision) {
  SerializeOptions options;
  options.elision = elision;
  absl::StatusOr<std::string> file =
      Serialize(sample.module, sample.writer, options);
  EXPECT_THAT(file, IsOk());
  return file.ok() ? *std::move(file) : "";
}

// One of Samples(), written once for all tests of the process.
const std::string& Write(const SampleModule& sample,
                         Elision elision = Elision::kEqualToDefault) {
  static auto* const files =
      new std::map<std::pair<const SampleModule*, Elision>, std::string>();
  const auto [it, is_new] = files->try_emplace({&sample, elision});
  if (is_new) it->second = WriteNow(sample, elision);
  return it->second;
}

Module Read(absl::string_view file) {
  absl::StatusOr<Module> module = Decode(file);
  EXPECT_THAT(module, IsOk());
  return module.ok() ? *std::move(module) : Module();
}

// At the writer's own version calls go out at the lowest revision, which is
// another entry, so these are left out where the same module is expected.
bool IsAtRevisionOne(const Module& module) {
  for (const ModuleOperator& op : module.operators) {
    if (op.entry != nullptr && op.entry->revision > 1) return false;
  }
  return true;
}

TEST(RoundTripTest, TheSamplesAreMany) {
  EXPECT_GT(Samples().size(), 174u);
  std::set<std::string> features;
  for (const SampleModule& sample : Samples()) {
    wire::Module message;
    ASSERT_TRUE(message.ParseFromString(Write(sample)));
    features.insert(message.required_features().begin(),
                    message.required_features().end());
  }
  // Each part of the format that is optional occurs in some file.
  for (const char* feature :
       {"covered_marks", "equal_values", "ignorable_arguments",
        "neutral_values", "origins", "prim::CallFunction", "prim::Constant",
        "prim::GetAttr", "prim::If", "prim::ListConstruct", "prim::Loop",
        "retired_arguments"}) {
    EXPECT_TRUE(features.count(feature)) << feature;
  }
}

TEST(RoundTripTest, LeavingOutWhatTheModuleLeavesOutGivesAnEqualModule) {
  for (const SampleModule& sample : Samples()) {
    if (!IsAtRevisionOne(sample.module)) continue;
    const Module read = Read(Write(sample, Elision::kUnspecifiedOnly));
    EXPECT_EQ(FirstDifference(sample.module, read), absl::nullopt)
        << sample.name;
  }
}

TEST(RoundTripTest, EveryPolicyKeepsWhatEachCallMeans) {
  for (const SampleModule& sample : Samples()) {
    if (!IsAtRevisionOne(sample.module)) continue;
    const std::string expected = EffectiveLines(sample.module);
    for (const Elision policy : kPolicies) {
      EXPECT_EQ(EffectiveLines(Read(Write(sample, policy))), expected)
          << sample.name;
    }
  }
}

TEST(RoundTripTest, BurningInLeavesNoDefaultOut) {
  for (const SampleModule& sample : Samples()) {
    const Module read = Read(Write(sample, Elision::kNone));
    for (const CallForm& form : read.forms) {
      const ModuleOperator& op = read.op(form.op);
      if (op.entry == nullptr) continue;
      size_t given = 0;
      for (const Slot& slot : form.slots) {
        given += slot.argument != Slot::kVariadic;
      }
      EXPECT_EQ(given, op.entry->num_exposed())
          << sample.name << ": " << op.name();
    }
  }
}

TEST(RoundTripTest, WritingWhatWasReadGivesTheSameBytes) {
  for (const SampleModule& sample : Samples()) {
    for (const Elision policy : kPolicies) {
      const std::string& file = Write(sample, policy);
      const SampleModule again = {sample.name, sample.writer, Read(file)};
      EXPECT_TRUE(WriteNow(again, policy) == file) << sample.name;
    }
  }
}

TEST(RoundTripTest, NamesAndMetadataComeBack) {
  for (const SampleModule& sample : Samples()) {
    const Module read = Read(Write(sample, Elision::kUnspecifiedOnly));
    ASSERT_EQ(read.functions.size(), sample.module.functions.size());
    ASSERT_EQ(read.metadata.size(), sample.module.metadata.size());
    EXPECT_TRUE(read.opsets == sample.module.opsets);
    for (size_t f = 0; f < read.functions.size(); ++f) {
      const Graph& a = sample.module.functions[f].graph;
      const Graph& b = read.functions[f].graph;
      ASSERT_EQ(a.num_values(), b.num_values());
      for (uint32_t v = 0; v < a.num_values(); ++v) {
        EXPECT_EQ(sample.module.value_name(a, ValueId(v)),
                  read.value_name(b, ValueId(v)));
      }
    }
  }
}

TEST(RoundTripTest, WithoutDebugInformationTheModuleIsEqual) {
  for (const SampleModule& sample : Samples()) {
    SerializeOptions options;
    options.debug_information = false;
    const absl::StatusOr<std::string> file =
        Serialize(sample.module, sample.writer, options);
    ASSERT_THAT(file, IsOk());
    const Module read = Read(*file);
    EXPECT_EQ(FirstDifference(read, Read(Write(sample))), absl::nullopt)
        << sample.name;
    for (const Function& function : read.functions) {
      EXPECT_TRUE(function.graph.value_names.empty());
      EXPECT_TRUE(function.graph.node_locations.empty());
    }
  }
}

TEST(RoundTripTest, FilesBeginWithTheMagicString) {
  for (const SampleModule& sample : Samples()) {
    EXPECT_TRUE(absl::StartsWith(Write(sample), "\x0a\x08opcompat\x10\x01"));
  }
}

// Fields in order, packed, zeros left out: our bytes are protobuf's.
TEST(RoundTripTest, ProtobufReadsEveryFileAndWritesTheSameBytes) {
  for (const SampleModule& sample : Samples()) {
    const std::string& file = Write(sample);
    wire::Module message;
    ASSERT_TRUE(message.ParseFromString(file)) << sample.name;
    EXPECT_TRUE(message.SerializeAsString() == file) << sample.name;
    EXPECT_TRUE(Seal(message) == file) << sample.name;
  }
}

// The file that docs/wire_format.md explains byte by byte.
TEST(FormatTest, TheFileInTheDocumentationIsWhatIsWritten) {
  const SampleModule sample =
      ModuleOf("t::add(Tensor x, Tensor y, *, Scalar alpha=1) -> Tensor",
               R"(
func f(%x : Tensor) -> (Tensor):
  %y : Tensor = t::add(%x, %x, alpha=1)
  %z : Tensor = t::add(%x, %y, alpha=2)
  return (%z)
)");
  SerializeOptions options;
  options.debug_information = false;
  const absl::StatusOr<std::string> file =
      Serialize(sample.module, sample.writer, options);
  ASSERT_THAT(file, IsOk());
  EXPECT_EQ(absl::BytesToHexString(*file),
            "0a086f70636f6d706174100122060a01741201313201663206743a3a61646432"
            "01743201783201793205616c7068613a0208013a020807420622040802100252"
            "340a010110022001320b0a01031801480150016001320b0a0104180148015001"
            "6001320f0a010518012001300148025001600142005a2c0a0401202002120400"
            "0203011a04000000002204010101002a04000000003207001000102501014203"
            "00000072131201001a0400010203220501010201012a0104a1060055705201d6"
            "82b4");
}

}  // namespace
}  // namespace opcompat
