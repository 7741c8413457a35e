// Compiled histories that nobody meant well: every input gets an answer, and
// what is accepted is a history that compiles and loads again. Run it under the
// sanitizers.

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_matchers.h"
#include "deserializer/compiled_history.h"
#include "ir/text/history_for_testing.h"
#include "ir/text/module_parser.h"
#include "schema/history.h"
#include "schema/opset.h"
#include "serializer/compile_history.h"
#include "serializer/serialize.h"
#include "wire/compiled_history.pb.h"
#include "wire/testing/answer_problem.h"
#include "wire/testing/message_fields.h"
#include "wire/testing/opset_difference.h"
#include "wire/testing/seal.h"

namespace opcompat {
namespace {

using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;
using ::testing::HasSubstr;

// A small history that has something of everything.
std::shared_ptr<const OpsetHistory> SmallHistory() {
  const LoadedHistory loaded =
      LoadText({{"1", R"(
t::f(Tensor x, int n=0) -> Tensor
t::h(Tensor x) -> Tensor
t::gone(Tensor x) -> Tensor
t::old(Tensor(a!) x, int[2] k=[1, 1]) -> Tensor(a!)
)"},
                {"2", R"(
t::f(Tensor x, int n=0) -> Tensor
t::h(Tensor x) -> Tensor
t::new(Tensor(a!) x, int[2] k=[1, 1]) -> Tensor(a!)
t::came(Tensor x) -> Tensor
t::twice(int a, int a) -> int
)",
                 R"(
changes { operator: "t::new" renamed_from: "t::old" }
changes {
  operator: "t::f"
  semantic_change {
    revision: 2
    upgraders {
      when { all { argument: "n" one_of: "1" one_of: "2" types: "int" } }
      graph: "up"
    }
    downgraders { graph: "down" }
    unchanged_when { all { argument: "n" one_of: "0" } }
  }
}
changes {
  operator: "t::h"
  semantic_change { revision: 2 one_way_up: true one_way_down: true }
}
changes { operator: "t::gone" removed { steps { graph: "removed" } } }
changes { operator: "t::came" added { steps { graph: "added" } } }
)"}},
               {{"up",
                 "func up(%x : Tensor, %n : int) -> (Tensor):\n"
                 "  %y : Tensor = t::came(%x)\n  return (%y)\n"},
                {"down",
                 "func down(%x : Tensor, %n : int) -> (Tensor):\n"
                 "  %y : Tensor = t::gone(%x)\n  return (%y)\n"},
                {"removed",
                 "func up(%x : Tensor) -> (Tensor):\n"
                 "  %y : Tensor = t::came(%x)\n  return (%y)\n"},
                {"added",
                 "func down(%x : Tensor) -> (Tensor):\n"
                 "  %y : Tensor = t::gone(%x)\n  return (%y)\n"}});
  for (const HistoryFault& fault : loaded.faults) {
    ADD_FAILURE() << fault.ToString();
  }
  return loaded.history;
}

std::string GoodFile() {
  static const std::string* const file =
      new std::string(*CompileHistory(*SmallHistory()));
  return *file;
}

wire::CompiledHistory GoodMessage() {
  wire::CompiledHistory message;
  EXPECT_TRUE(message.ParseFromString(GoodFile()));
  return message;
}

std::string SealHistory(wire::CompiledHistory message) {
  message.clear_checksum();
  return Reseal(message.SerializeAsString());
}

// Files to read with whatever history there is, of versions 1 and 2.
std::vector<std::string> Files() {
  static const std::vector<std::string>* const files = [] {
    auto* made = new std::vector<std::string>;
    const std::shared_ptr<const OpsetHistory> history = SmallHistory();
    const std::vector<std::vector<std::string>> calls = {
        {"t::f(%x, 1)", "t::f(%x)", "t::gone(%x)", "t::old(%x)"},
        {"t::f(%x, 1)", "t::came(%x)", "t::new(%x)"}};
    for (size_t i = 0; i < calls.size(); ++i) {
      const Runtime writer = *Runtime::Create({history->versions()[i]});
      for (const std::string& call : calls[i]) {
        const absl::StatusOr<Module> module =
            ParseModule(absl::StrCat("func forward(%x : Tensor) -> (Tensor):\n"
                                     "  %y : Tensor = ",
                                     call, "\n  return (%y)\n"),
                        writer);
        EXPECT_THAT(module, IsOk());
        made->push_back(*Serialize(*module, writer));
      }
    }
    return made;
  }();
  return *files;
}

// Whatever the bytes are, each question to them is answered.
void CheckAnswer(absl::string_view bytes, absl::string_view what) {
  EXPECT_EQ(CompiledHistoryAnswerProblem(bytes, Files()), "") << what;
}

TEST(CompiledHistoryHostileTest, EachPrefixIsRefused) {
  const std::string good = GoodFile();
  CheckAnswer(good, "as it is");
  for (size_t size = 0; size < good.size(); ++size) {
    const absl::string_view prefix = absl::string_view(good).substr(0, size);
    EXPECT_THAT(CompiledHistory::Open(prefix),
                StatusIs(absl::StatusCode::kInvalidArgument));
    CheckAnswer(Reseal(prefix), absl::StrCat(size, " bytes"));
  }
}

TEST(CompiledHistoryHostileTest, EachFlippedBitIsRefusedByTheChecksum) {
  const std::string good = GoodFile();
  for (size_t i = 0; i < good.size() * 8; ++i) {
    std::string changed = good;
    changed[i / 8] ^= 1 << (i % 8);
    EXPECT_THAT(CompiledHistory::Open(changed),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

// One bit of each byte, another one each time: all of them take minutes.
TEST(CompiledHistoryHostileTest, EachChangedByteUnderTheChecksumGetsAnAnswer) {
  const std::string good = GoodFile();
  for (size_t i = 0; i + 10 < good.size(); ++i) {
    std::string changed = good;
    changed[i] ^= 1 << (i * 5 % 8);
    CheckAnswer(Reseal(changed), absl::StrCat("byte ", i));
  }
}

TEST(CompiledHistoryHostileTest, EachFieldDroppedOrDoubledGetsAnAnswer) {
  wire::CompiledHistory message = GoodMessage();
  int fields = 0;
  ForEachField(
      &message, "CompiledHistory",
      [&](Message* parent, const FieldDescriptor* field,
          const std::string& name) {
        const Reflection& reflection = *parent->GetReflection();
        const std::string kept = parent->SerializeAsString();
        reflection.ClearField(parent, field);
        CheckAnswer(SealHistory(message), absl::StrCat("without ", name));
        ASSERT_TRUE(parent->ParseFromString(kept));
        ++fields;
        if (!field->is_repeated()) return;
        reflection.RemoveLast(parent, field);
        CheckAnswer(SealHistory(message), absl::StrCat("a shorter ", name));
        ASSERT_TRUE(parent->ParseFromString(kept));
        // Merging appends all elements once more.
        ASSERT_TRUE(parent->MergeFromString(kept));
        CheckAnswer(SealHistory(message), absl::StrCat("a doubled ", name));
        ASSERT_TRUE(parent->ParseFromString(kept));
      });
  EXPECT_GT(fields, 150);
  EXPECT_EQ(SealHistory(message), GoodFile());
}

TEST(CompiledHistoryHostileTest, EachNumberSetToOthersGetsAnAnswer) {
  wire::CompiledHistory message = GoodMessage();
  ForEachChangedNumber({0u, 1u, 3u, 0xffffffffu}, &message, "CompiledHistory",
                       [&](const std::string& what) {
                         CheckAnswer(SealHistory(message), what);
                       });
  EXPECT_EQ(SealHistory(message), GoodFile());
}

// Of a field number that no version of the form has.
TEST(CompiledHistoryHostileTest, UnknownFieldsAreIgnored) {
  wire::CompiledHistory message = GoodMessage();
  int messages = 0;
  const auto add = [&](Message* to) {
    const std::string kept = to->SerializeAsString();
    to->GetReflection()->MutableUnknownFields(to)->AddVarint(90, 7);
    const std::string bytes = SealHistory(message);
    const absl::StatusOr<CompiledHistory> history =
        CompiledHistory::Open(bytes);
    ASSERT_THAT(history, IsOk());
    const absl::StatusOr<std::shared_ptr<const OpsetHistory>> all =
        history->LoadAll();
    ASSERT_THAT(all, IsOk());
    EXPECT_EQ(HistoryDifference(**all, *SmallHistory()), "");
    ASSERT_TRUE(to->ParseFromString(kept));
    ++messages;
  };
  add(&message);
  ForEachField(
      &message, "CompiledHistory",
      [&](Message* parent, const FieldDescriptor* field, const std::string&) {
        if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
          return;
        }
        const Reflection& reflection = *parent->GetReflection();
        if (field->is_repeated()) {
          add(reflection.MutableRepeatedMessage(parent, field, 0));
        } else {
          add(reflection.MutableMessage(parent, field));
        }
      });
  EXPECT_GT(messages, 30);
}

// A few bytes that name much: many infos that each have the same long list of
// names, many graphs that are the same large module. Refused at a limit that is
// a multiple of the file's size.
TEST(CompiledHistoryHostileTest, SharedPartsAreNotExpandedWithoutLimit) {
  {
    wire::CompiledHistory message = GoodMessage();
    wire::StepGraph* graph =
        message.mutable_revision_steps(0)->mutable_upgraders(0);
    // A module with large metadata.
    wire::Module module;
    ASSERT_TRUE(module.ParseFromString(message.modules(graph->module() - 1)));
    module.add_metadata()->set_value(std::string(100000, 'x'));
    *message.mutable_modules(graph->module() - 1) = Seal(module);
    const wire::StepGraph one = *graph;
    for (int i = 0; i < 1000; ++i) {
      *message.mutable_revision_steps(0)->add_upgraders() = one;
    }
    const std::string bytes = SealHistory(message);
    ASSERT_LT(bytes.size(), 200000);
    const absl::StatusOr<CompiledHistory> history =
        CompiledHistory::Open(bytes);
    ASSERT_THAT(history, IsOk());
    EXPECT_THAT(history->LoadAll(),
                StatusIs(absl::StatusCode::kResourceExhausted,
                         HasSubstr("expand to more than")));
  }
  {
    wire::CompiledHistory message = GoodMessage();
    // 3,000 versions that each know one operator of 4,000 names.
    wire::Operator* op = message.mutable_operators(0);
    for (int i = 0; i < 4000; ++i) {
      op->add_names(static_cast<uint32_t>(message.strings_size()));
      message.add_strings(absl::StrCat("t::n", i));
    }
    uint32_t info = 0;
    while (message.infos(info).revisions(0).last() != 0) ++info;
    message.clear_versions();
    for (int i = 0; i < 3000; ++i) {
      wire::HistoryVersion* version = message.add_versions();
      version->set_id(absl::StrCat(i));
      version->add_operators(info);
    }
    const std::string bytes = SealHistory(message);
    ASSERT_LT(bytes.size(), 300000);
    const absl::StatusOr<CompiledHistory> history =
        CompiledHistory::Open(bytes);
    ASSERT_THAT(history, IsOk());
    EXPECT_THAT(history->LoadAll(),
                StatusIs(absl::StatusCode::kResourceExhausted,
                         HasSubstr("expand to more than")));
  }
}

}  // namespace
}  // namespace opcompat
