// Files that nobody meant well: every input gets an answer, and what is
// accepted is a module that verifies and that writes and reads again. Run it
// under the sanitizers.

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status_matchers.h"
#include "deserializer/decode.h"
#include "ir/equality.h"
#include "ir/module.h"
#include "schema/opset.h"
#include "serializer/options.h"
#include "serializer/serialize.h"
#include "wire/module.pb.h"
#include "wire/testing/answers.h"
#include "wire/testing/message_fields.h"
#include "wire/testing/sample_modules.h"
#include "wire/testing/seal.h"

namespace opcompat {
namespace {

using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;
using ::testing::HasSubstr;

// A small module that has something of everything.
SampleModule SmallModule() {
  return ModuleOf(
      R"(
t::add(Tensor x, Tensor y, *, Scalar alpha=1) -> Tensor
t::pick(t[] list, int i=-1, str? mode=None, float[] w=[0.5], complex c=2j) -> t
t::many(...) -> ...
t::out(Tensor x, ScalarType d=long, *, Tensor(a!) out) -> Tensor(a!)
)",
      R"(
opset t 1
attr scale : (float, str) = (0.5, "half")
tensor w : float32[2] = hex"0000803f00000000"
meta "producer" = "test"
func f(%x : Tensor, %n : int, %b : bool) -> (Tensor, int[]):
  %y : Tensor = t::add(%x, %x, alpha=2.5)
  %l : Tensor[] = prim::ListConstruct(%x, %y)
  %p : Tensor = t::pick(%l, 3, mode="a", w=[1.0, -0.0], c=1.0+1.0j)
  %c : Tensor = prim::Constant[value=tensor(float32, [1], hex"0000803f")]()
  %z : Tensor = prim::If(%b)
    block0():
      %q : Tensor = t::out(%p, 3, out=%c)
      -> (%q)
    block1():
      -> (%y)
  %k : int[] = prim::ListConstruct(%n, 3)
   = t::many(%x, None, %n)
  return (%z, %k)
func g() -> ():
  return ()
)");
}

std::string Write(const Module& module) {
  SerializeOptions options;
  options.elision = Elision::kUnspecifiedOnly;
  const absl::StatusOr<std::string> file =
      Serialize(module, Runtime(), options);
  EXPECT_THAT(file, IsOk());
  return file.value_or("");
}

const std::string& SmallFile() {
  static const auto* const file = new std::string(Write(SmallModule().module));
  return *file;
}

wire::Module Parse(const std::string& file) {
  wire::Module message;
  EXPECT_TRUE(message.ParseFromString(file));
  return message;
}

wire::Module SmallMessage() { return Parse(SmallFile()); }

// The small file, whose first operator has all that an entry can have.
const std::string& RichFile() {
  static const auto* const file = [] {
    wire::Module message = SmallMessage();
    const auto string = [&](const char* s) {
      message.add_strings(s);
      return static_cast<uint32_t>(message.strings_size() - 1);
    };
    const auto constant = [&](int64_t i) {
      wire::Constant* other = message.mutable_constants()->add_others();
      other->set_kind(2);
      other->set_integer(i);
      return static_cast<uint32_t>(message.constants().others_size() - 1);
    };
    wire::Type* type = message.add_types();
    type->set_kind(17);  // SymInt
    const uint32_t sym_int = message.types_size() - 1;
    const uint32_t version = string("0.9");
    const uint32_t before = string("0.8");
    wire::Operator* op = message.mutable_operators(0);
    op->add_names(string("t::earlier"));
    op->set_revision(2);
    op->mutable_origin()->set_first(version + 1);
    op->mutable_origin()->set_after(before + 1);
    op->mutable_revision_origin()->set_first(version + 1);
    for (int a = 0; a < op->arguments_size(); ++a) {
      op->mutable_arguments(a)->set_ignorable(a == 1);
    }
    wire::Argument* retired = op->add_arguments();
    retired->add_names(string("gone"));
    retired->add_names(string("going"));
    retired->mutable_origin()->set_first(version + 1);
    retired->set_state(2);
    retired->set_type(sym_int);
    retired->set_default_value(1);
    retired->set_neutral(2 + constant(101));
    retired->set_neutral_type(sym_int + 1);
    retired->set_retired(2 + constant(102));
    retired->set_retired_type(sym_int + 1);
    wire::EqualValue* equal = retired->add_equal_values();
    equal->set_value(constant(103));
    equal->set_value_type(sym_int);
    equal->set_means(constant(104));
    equal->set_means_type(sym_int);
    wire::CoveredMarks* marks = op->add_covered_marks();
    wire::CoveredArgument* covered = marks->add_arguments();
    covered->set_name(retired->names(0));
    wire::Alias* alias = covered->add_alias();
    alias->add_before(string("before"));
    alias->add_after(string("after"));
    alias->set_write(true);
    *marks->add_results()->add_alias() = *alias;
    message.clear_required_features();
    for (const char* feature :
         {"covered_marks", "equal_values", "ignorable_arguments",
          "neutral_values", "origins", "prim::Constant", "prim::If",
          "prim::ListConstruct", "retired_arguments", "revisions"}) {
      message.add_required_features(feature);
    }
    return new std::string(Seal(message));
  }();
  return *file;
}

// The parameter: whether the entries have all that they can have.
class AnyFileTest : public ::testing::TestWithParam<bool> {
 protected:
  static const std::string& GoodFile() {
    return GetParam() ? RichFile() : SmallFile();
  }
};

INSTANTIATE_TEST_SUITE_P(SmallAndRich, AnyFileTest, ::testing::Bool());

TEST_P(AnyFileTest, IsGoodAsItIs) {
  EXPECT_THAT(Decode(GoodFile()), IsOk());
  ExpectAnswer(GoodFile(), "as it is");
}

TEST(HostileTest, TheBeginningShowsWhatItIs) {
  EXPECT_TRUE(LooksLikeModuleFile(SmallFile()));
  EXPECT_FALSE(LooksLikeModuleFile("opset t 1"));
}

TEST_P(AnyFileTest, EveryTruncationIsAnError) {
  const std::string& file = GoodFile();
  for (size_t size = 0; size < file.size(); ++size) {
    EXPECT_THAT(Decode(absl::string_view(file).substr(0, size)),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("")))
        << size;
  }
}

TEST_P(AnyFileTest, EveryTruncationWithARightChecksumGetsAnAnswer) {
  const std::string& file = GoodFile();
  for (size_t size = 0; size + 10 < file.size(); ++size) {
    ExpectAnswer(Reseal(absl::string_view(file).substr(0, size)),
                 absl::StrCat("cut to ", size));
  }
}

TEST_P(AnyFileTest, EveryFlippedBitIsAnError) {
  std::string file = GoodFile();
  for (size_t i = 0; i < file.size() * 8; ++i) {
    file[i / 8] ^= 1 << (i % 8);
    EXPECT_THAT(Decode(file),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("")))
        << i;
    file[i / 8] ^= 1 << (i % 8);
  }
}

TEST_P(AnyFileTest, EveryFlippedBitWithARightChecksumGetsAnAnswer) {
  std::string file = GoodFile();
  file.resize(file.size() - 10);
  for (size_t i = 0; i < file.size() * 8; ++i) {
    file[i / 8] ^= 1 << (i % 8);
    ExpectAnswer(Reseal(file), absl::StrCat("bit ", i));
    file[i / 8] ^= 1 << (i % 8);
  }
}

TEST_P(AnyFileTest, EveryByteSetToTheExtremesGetsAnAnswer) {
  std::string file = GoodFile();
  file.resize(file.size() - 10);
  for (size_t i = 0; i < file.size(); ++i) {
    const char kept = file[i];
    for (const char byte : {'\0', '\x7f', '\x80', '\xff'}) {
      file[i] = byte;
      ExpectAnswer(Reseal(file), absl::StrCat("byte ", i));
    }
    file[i] = kept;
  }
}

TEST(HostileTest, AppendedBytesAreAnError) {
  for (const absl::string_view more :
       {absl::string_view("\0", 1), absl::string_view("opcompat")}) {
    EXPECT_THAT(
        Decode(absl::StrCat(SmallFile(), more)),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("checksum")));
  }
}

TEST_P(AnyFileTest, EachDroppedFieldGetsAnAnswer) {
  wire::Module message = Parse(GoodFile());
  int fields = 0;
  ForEachField(&message, "Module",
               [&](Message* parent, const FieldDescriptor* field,
                   const std::string& name) {
                 const std::string kept = parent->SerializeAsString();
                 parent->GetReflection()->ClearField(parent, field);
                 ExpectAnswer(Seal(message), absl::StrCat("without ", name));
                 ASSERT_TRUE(parent->ParseFromString(kept));
                 ++fields;
               });
  EXPECT_GT(fields, 150);
  EXPECT_EQ(Seal(message), GoodFile());
}

TEST_P(AnyFileTest, EachElementDroppedOrDoubledGetsAnAnswer) {
  wire::Module message = Parse(GoodFile());
  ForEachField(&message, "Module",
               [&](Message* parent, const FieldDescriptor* field,
                   const std::string& name) {
                 if (!field->is_repeated()) return;
                 const Reflection& reflection = *parent->GetReflection();
                 const std::string kept = parent->SerializeAsString();
                 reflection.RemoveLast(parent, field);
                 ExpectAnswer(Seal(message), absl::StrCat("a shorter ", name));
                 ASSERT_TRUE(parent->ParseFromString(kept));
                 // Merging appends all elements once more.
                 ASSERT_TRUE(parent->MergeFromString(kept));
                 ExpectAnswer(Seal(message), absl::StrCat("a doubled ", name));
                 ASSERT_TRUE(parent->ParseFromString(kept));
               });
  EXPECT_EQ(Seal(message), GoodFile());
}

TEST_P(AnyFileTest, EachNumberSetToOthersGetsAnAnswer) {
  wire::Module message = Parse(GoodFile());
  ForEachChangedNumber(
      {0u, 1u, 2u, 3u, 15u, 31u, 33u, 100u, 0x7fffffffu, 0xffffffffu}, &message,
      "Module",
      [&](const std::string& what) { ExpectAnswer(Seal(message), what); });
  EXPECT_EQ(Seal(message), GoodFile());
}

// Debug information never decides.
TEST(HostileTest, WhateverIsInTheDebugInformationTheModuleIsTheSame) {
  const wire::Module good = SmallMessage();
  const Module expected = SmallModule().module;
  const std::string debug = good.debug().SerializeAsString();
  ASSERT_FALSE(debug.empty());
  wire::Module bare = good;
  bare.clear_debug();
  const std::string rest = bare.SerializeAsString();
  const size_t before_checksum = rest.size() - 10;
  const auto check = [&](const std::string& bytes) {
    // Field 15, length-delimited.
    ASSERT_LT(bytes.size(), 128u * 128u);
    std::string file = rest.substr(0, before_checksum);
    file += '\x7a';
    file += static_cast<char>(bytes.size() % 128 | 128);
    file += static_cast<char>(bytes.size() / 128);
    file += bytes;
    const absl::StatusOr<Module> module = Decode(Reseal(file));
    ASSERT_THAT(module, IsOk());
    EXPECT_EQ(FirstDifference(*module, expected), absl::nullopt);
  };
  check(debug);
  check("");
  check("garbage");
  for (size_t i = 0; i < debug.size() * 8; ++i) {
    std::string changed = debug;
    changed[i / 8] ^= 1 << (i % 8);
    check(changed);
  }
  for (size_t size = 0; size < debug.size(); ++size) {
    check(debug.substr(0, size));
  }
}

}  // namespace
}  // namespace opcompat
