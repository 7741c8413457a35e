#include "schema/operator_entry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "schema/operator_schema.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace {

const Type kInt(TypeKind::kInt);
const Type kTensor(TypeKind::kTensor);

EntryArgument Exposed(const std::string& name, Type type) {
  EntryArgument argument;
  argument.names = {name};
  argument.type = std::move(type);
  return argument;
}

// An operator with something of everything.
OperatorEntry Everything() {
  OperatorEntry entry;
  entry.names = {"mine::scale.out", "mine::scal.out"};
  entry.history = "mine";
  entry.origin = {"1", "3"};
  entry.revision = 2;
  entry.revision_origin = {"", "4"};
  entry.arguments = {Exposed("self", kTensor), Exposed("by", kInt),
                     Exposed("out", Type::List(kTensor)),
                     Exposed("mode", kInt)};
  EntryArgument& by = entry.arguments[1];
  by.names.push_back("factor");
  by.origin = {"", "2"};
  by.ignorable = true;
  by.equal_values = {{{Type(), Value()}, {kInt, Value::Int(0)}}};
  by.default_value = Value::Int(2);
  by.neutral = TypedValue{kInt, Value::Int(1)};
  by.keyword_only = true;
  EntryArgument& out = entry.arguments[2];
  out.keyword_only = true;
  out.alias = {{1, {"a"}, {"a"}, true}};
  EntryArgument& mode = entry.arguments[3];
  mode.state = ArgumentState::kRetired;
  mode.retired = TypedValue{kInt, Value::Int(0)};
  entry.results = {{"", Type::List(kTensor), {{1, {"a"}, {"a"}, true}}},
                   {"count", kInt, {}}};
  entry.covered_marks = {{{{"out", {}}}, {{}, {}}}};
  return entry;
}

TEST(OperatorEntryTest, PrintsTheSchemaOfWhatItExposes) {
  EXPECT_EQ(Everything().ToString(),
            "mine::scale.out(Tensor self, *, int by=2, Tensor(a!)[] out) -> "
            "(Tensor(a!)[], int count)");
  OperatorEntry open;
  open.names = {"mine::any"};
  open.is_vararg = true;
  open.is_varret = true;
  EXPECT_EQ(open.ToString(), "mine::any(...) -> ...");
}

TEST(OperatorEntryTest, FindsExposedArgumentsByTheirPresentName) {
  const OperatorEntry entry = Everything();
  EXPECT_EQ(entry.num_exposed(), 3);
  EXPECT_EQ(entry.FindExposed("self"), 0);
  EXPECT_EQ(entry.FindExposed("by"), 1);
  EXPECT_EQ(entry.FindExposed("out"), 2);
  EXPECT_EQ(entry.FindExposed("mode"), absl::nullopt);
  EXPECT_EQ(entry.FindExposed("factor"), absl::nullopt);
  EXPECT_EQ(OperatorEntry().num_exposed(), 0);
}

TEST(OperatorEntryTest, OutArgumentsAreKeywordOnlyAndWritten) {
  const OperatorEntry entry = Everything();
  EXPECT_FALSE(entry.arguments[1].is_out());
  EXPECT_TRUE(entry.arguments[2].is_written());
  EXPECT_TRUE(entry.arguments[2].is_out());
}

TEST(OperatorEntryTest, EntriesThatDifferAnywhereAreDifferent) {
  const std::function<void(OperatorEntry&)> kChanges[] = {
      [](OperatorEntry& e) { e.names[0] = "mine::other"; },
      [](OperatorEntry& e) { e.names.pop_back(); },
      [](OperatorEntry& e) { e.history = "other"; },
      [](OperatorEntry& e) { e.origin.after = ""; },
      [](OperatorEntry& e) { e.origin.first = "2"; },
      [](OperatorEntry& e) { e.revision = 1; },
      [](OperatorEntry& e) { e.revision_origin.after = "3"; },
      [](OperatorEntry& e) { e.revision_origin.first = "5"; },
      [](OperatorEntry& e) { e.is_vararg = true; },
      [](OperatorEntry& e) { e.is_varret = true; },
      [](OperatorEntry& e) { e.arguments.pop_back(); },
      [](OperatorEntry& e) { std::swap(e.arguments[0], e.arguments[1]); },
      [](OperatorEntry& e) { e.arguments[1].names.pop_back(); },
      [](OperatorEntry& e) { e.arguments[1].origin.first = "3"; },
      [](OperatorEntry& e) { e.arguments[1].state = ArgumentState::kRetired; },
      [](OperatorEntry& e) { e.arguments[1].type = Type::Optional(kInt); },
      [](OperatorEntry& e) { e.arguments[2].type = Type::List(kTensor, 2); },
      [](OperatorEntry& e) { e.arguments[2].alias.clear(); },
      [](OperatorEntry& e) { e.arguments[2].alias[0].place = 0; },
      [](OperatorEntry& e) { e.arguments[2].alias[0].before = {"b"}; },
      [](OperatorEntry& e) { e.arguments[2].alias[0].after = {"*"}; },
      [](OperatorEntry& e) { e.arguments[2].alias[0].write = false; },
      [](OperatorEntry& e) { e.arguments[1].keyword_only = false; },
      [](OperatorEntry& e) { e.arguments[1].ignorable = false; },
      [](OperatorEntry& e) { e.arguments[1].equal_values.clear(); },
      [](OperatorEntry& e) {
        e.arguments[1].equal_values[0].value.type = kInt;
      },
      [](OperatorEntry& e) {
        e.arguments[1].equal_values[0].means.value = Value::Int(1);
      },
      [](OperatorEntry& e) { e.arguments[1].default_value = absl::nullopt; },
      [](OperatorEntry& e) { e.arguments[1].default_value = Value::Float(2); },
      [](OperatorEntry& e) { e.arguments[1].neutral = absl::nullopt; },
      [](OperatorEntry& e) { e.arguments[1].neutral->value = Value::Int(2); },
      [](OperatorEntry& e) { e.arguments[1].neutral->type = Type(); },
      [](OperatorEntry& e) { e.arguments[3].retired = absl::nullopt; },
      [](OperatorEntry& e) { e.arguments[3].retired->value = Value::Int(1); },
      [](OperatorEntry& e) { e.results.pop_back(); },
      [](OperatorEntry& e) { e.results[1].name = ""; },
      [](OperatorEntry& e) { e.results[1].type = kTensor; },
      [](OperatorEntry& e) { e.results[0].alias.clear(); },
      [](OperatorEntry& e) { e.covered_marks.clear(); },
      [](OperatorEntry& e) { e.covered_marks[0].arguments[0].name = "self"; },
      [](OperatorEntry& e) {
        e.covered_marks[0].arguments[0].alias = {{0, {"a"}, {"a"}, false}};
      },
      [](OperatorEntry& e) { e.covered_marks[0].results.pop_back(); },
  };
  EXPECT_TRUE(Everything() == Everything());
  int i = 0;
  for (const auto& change : kChanges) {
    OperatorEntry changed = Everything();
    change(changed);
    EXPECT_TRUE(changed != Everything()) << "change " << i;
    EXPECT_FALSE(changed == Everything()) << "change " << i;
    ++i;
  }
}

}  // namespace
}  // namespace opcompat
