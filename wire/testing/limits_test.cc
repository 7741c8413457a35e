// Limits that no option changes (docs/wire_format.md has the table). Those of
// DecodeLimits, and of types and constants, are in refusals_test.cc.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_matchers.h"
#include "deserializer/decode.h"
#include "ir/module.h"
#include "serializer/serialize.h"
#include "wire/module.pb.h"
#include "wire/testing/sample_modules.h"
#include "wire/testing/seal.h"

namespace opcompat {
namespace {

using ::testing::HasSubstr;

wire::Module GoodMessage() {
  const SampleModule sample =
      ModuleOf("t::f(Tensor x, int a=1, str? mode=None) -> Tensor",
               "func f(%x : Tensor) -> (Tensor):\n"
               "  %y : Tensor = t::f(%x, 7)\n"
               "  return (%y)\n");
  wire::Module message;
  EXPECT_TRUE(
      message.ParseFromString(Serialize(sample.module, sample.writer).value()));
  return message;
}

// So many prim::If, each in a block of the one before.
SampleModule Nested(int levels) {
  std::string text = "func f(%b : bool) -> ():\n";
  for (int i = 0; i < levels; ++i) {
    absl::StrAppend(&text, " = prim::If(%b)\nblock0():\n");
  }
  for (int i = 0; i < levels; ++i) {
    absl::StrAppend(&text, "-> ()\nblock1():\n-> ()\n");
  }
  return ModuleOf("t::f(Tensor x) -> Tensor", text + "return ()\n");
}

TEST(LimitsTest, WhatIsWrittenIsNestedNoDeeperThanReadersTake) {
  const SampleModule deepest = Nested(100000);
  const absl::StatusOr<std::string> file =
      Serialize(deepest.module, deepest.writer);
  ASSERT_THAT(file, IsOk());
  EXPECT_THAT(Decode(*file), IsOk());
  const SampleModule deeper = Nested(100001);
  EXPECT_THAT(Serialize(deeper.module, deeper.writer),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("nested 100001 levels deep; files hold at "
                                 "most 100000")));
}

// One operator may have no more of anything than BeyondEntryLimits says.
TEST(LimitsTest, AnOperatorHasBounds) {
  const auto refusal =
      [](const std::function<void(wire::Operator*, wire::Module*)>& change) {
        wire::Module message = GoodMessage();
        change(message.mutable_operators(0), &message);
        return Decode(Seal(message)).status();
      };
  const auto add_arguments = [](int count) {
    return [count](wire::Operator* op, wire::Module* message) {
      const wire::Argument optional = op->arguments(1);
      while (op->arguments_size() < count) {
        wire::Argument* argument = op->add_arguments();
        *argument = optional;
        argument->set_names(0, message->strings_size());
        message->add_strings(absl::StrCat("x", op->arguments_size()));
      }
    };
  };
  EXPECT_THAT(refusal(add_arguments(1024)), IsOk());
  EXPECT_THAT(refusal(add_arguments(1025)),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("1025 arguments; at most 1024")));
  EXPECT_THAT(refusal([](wire::Operator* op, wire::Module*) {
                const wire::Result result = op->results(0);
                while (op->results_size() < 1025) *op->add_results() = result;
              }),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("1025 results; at most 1024")));
  EXPECT_THAT(refusal([](wire::Operator* op, wire::Module* message) {
                for (int i = 0; i < 4097; ++i) {
                  op->add_names(message->strings_size());
                  message->add_strings(absl::StrCat("t::old", i));
                }
              }),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("names; at most 4096")));
  EXPECT_THAT(refusal([](wire::Operator* op, wire::Module* message) {
                op->add_names(message->strings_size());
                message->add_strings("t::" + std::string(1022, 'a'));
              }),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("1025 bytes in a name")));
  EXPECT_THAT(refusal([](wire::Operator* op, wire::Module*) {
                op->mutable_results(0)->add_alias();
                for (int i = 0; i < 4096; ++i) {
                  op->mutable_results(0)->mutable_alias(0)->add_before(0);
                }
              }),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("alias marks and sets")));
  EXPECT_THAT(refusal([](wire::Operator* op, wire::Module*) {
                wire::Argument* argument = op->mutable_arguments(1);
                for (int i = 0; i < 33; ++i) {
                  wire::EqualValue* equal = argument->add_equal_values();
                  equal->set_value(argument->default_value() - 2);
                  equal->set_value_type(argument->type());
                  equal->set_means(argument->default_value() - 2);
                  equal->set_means_type(argument->type());
                }
              }),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("33 equal values of one argument")));
}

// A file that no reader takes is not written.
TEST(LimitsTest, OperandsThatTakeNoByteAreBoundedOnBothSides) {
  const auto module = [](int nodes) {
    std::string text = "func f() -> ():\n";
    std::string nones = "None";
    for (int i = 1; i < 1000; ++i) nones += ", None";
    for (int i = 0; i < nodes; ++i) {
      absl::StrAppend(&text, "   = t::any(", nones, ")\n");
    }
    return ModuleOf("t::any(...) -> ()", text + "  return ()\n");
  };
  const SampleModule some = module(200);
  const absl::StatusOr<std::string> file = Serialize(some.module, some.writer);
  ASSERT_THAT(file, IsOk());
  EXPECT_THAT(Decode(*file), IsOk());
  const SampleModule many = module(300);
  EXPECT_THAT(Serialize(many.module, many.writer),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("operands and results")));
}

}  // namespace
}  // namespace opcompat
