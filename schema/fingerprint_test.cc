#include "schema/fingerprint.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "schema/operator_entry.h"
#include "schema/operator_schema.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace {

const Type kInt(TypeKind::kInt);
const Type kFloat(TypeKind::kFloat);

// An entry in which every field holds something. Made anew each time, so that
// nothing is shared.
OperatorEntry MakeEntry() {
  EntryArgument x;
  x.names = {"x", "self"};
  x.origin = {"1", "2"};
  x.type = Type::List(Type(TypeKind::kTensor), 2);
  x.alias = {{1, {"a"}, {"b"}, true}};
  EntryArgument alpha;
  alpha.names = {"alpha"};
  alpha.type = kFloat;
  alpha.keyword_only = true;
  alpha.ignorable = true;
  alpha.equal_values = {{{kInt, Value::Int(1)}, {kFloat, Value::Float(2)}}};
  alpha.default_value = Value::Float(0.0);
  alpha.neutral = TypedValue{kFloat, Value::Float(1)};
  EntryArgument old;
  old.names = {"old"};
  old.state = ArgumentState::kRetired;
  old.type = kInt;
  old.retired = TypedValue{kInt, Value::Int(3)};
  OperatorEntry entry;
  entry.names = {"a::f", "a::g"};
  entry.history = "a";
  entry.origin = {"", "1"};
  entry.revision = 2;
  entry.revision_origin = {"2", "3"};
  entry.arguments = {x, alpha, old};
  entry.results = {{"y", Type(TypeKind::kTensor), {{0, {"b"}, {"b"}, false}}}};
  entry.covered_marks = {
      {{{"x", {{0, {"a"}, {"a"}, false}}}}, {{{0, {"a"}, {"a"}, true}}}}};
  return entry;
}

TEST(FingerprintTest, IsTheSameOnEveryMachine) {
  EXPECT_EQ(Fingerprint(OperatorEntry()), 0x6ae9310797c1cc0bu);
  EXPECT_EQ(Fingerprint(MakeEntry()), 0xcc347fad1f7fa4d1u);
}

TEST(FingerprintTest, EqualEntriesHaveEqualOnes) {
  ASSERT_EQ(MakeEntry(), MakeEntry());
  EXPECT_EQ(Fingerprint(MakeEntry()), Fingerprint(MakeEntry()));
}

TEST(FingerprintTest, EveryChangeOfOneFieldChangesIt) {
  const struct {
    const char* what;
    std::function<void(OperatorEntry*)> change;
  } kChanges[] = {
      {"name", [](auto* e) { e->names[0] = "a::h"; }},
      {"earlier name", [](auto* e) { e->names[1] = "a::h"; }},
      {"order of names",
       [](auto* e) {
         e->names = {"a::g", "a::f"};
       }},
      {"one name of two", [](auto* e) { e->names = {"a::fa::g"}; }},
      {"no earlier name", [](auto* e) { e->names.pop_back(); }},
      {"history", [](auto* e) { e->history = "b"; }},
      {"origin", [](auto* e) { e->origin.first = "2"; }},
      {"origin, after", [](auto* e) { e->origin.after = "0"; }},
      {"revision", [](auto* e) { e->revision = 3; }},
      {"revision origin", [](auto* e) { e->revision_origin.first = "4"; }},
      {"revision origin, after",
       [](auto* e) { e->revision_origin.after = "1"; }},
      {"fewer arguments", [](auto* e) { e->arguments.pop_back(); }},
      {"vararg", [](auto* e) { e->is_vararg = true; }},
      {"varret", [](auto* e) { e->is_varret = true; }},
      {"no results", [](auto* e) { e->results.clear(); }},
      {"result name", [](auto* e) { e->results[0].name = "z"; }},
      {"result type", [](auto* e) { e->results[0].type = kInt; }},
      {"result alias", [](auto* e) { e->results[0].alias.clear(); }},
      {"no covered marks", [](auto* e) { e->covered_marks.clear(); }},
      {"covered argument",
       [](auto* e) { e->covered_marks[0].arguments[0].name = "y"; }},
      {"covered argument alias",
       [](auto* e) { e->covered_marks[0].arguments[0].alias.clear(); }},
      {"covered results",
       [](auto* e) { e->covered_marks[0].results[0].clear(); }},
      {"argument name", [](auto* e) { e->arguments[0].names[0] = "z"; }},
      {"earlier argument name",
       [](auto* e) { e->arguments[0].names[1] = "z"; }},
      {"argument origin", [](auto* e) { e->arguments[0].origin.first = "3"; }},
      {"argument origin, after",
       [](auto* e) { e->arguments[0].origin.after = ""; }},
      {"state",
       [](auto* e) { e->arguments[2].state = ArgumentState::kExposed; }},
      {"type", [](auto* e) { e->arguments[1].type = kInt; }},
      {"list size",
       [](auto* e) {
         e->arguments[0].type = Type::List(Type(TypeKind::kTensor), 3);
       }},
      {"class",
       [](auto* e) { e->arguments[0].type = Type::Named("__torch__.A"); }},
      {"other class",
       [](auto* e) { e->arguments[0].type = Type::Named("__torch__.B"); }},
      {"field names",
       [](auto* e) { e->arguments[0].type = Type::NamedTuple({"a"}, {kInt}); }},
      {"other field names",
       [](auto* e) { e->arguments[0].type = Type::NamedTuple({"b"}, {kInt}); }},
      {"alias place", [](auto* e) { e->arguments[0].alias[0].place = 0; }},
      {"alias before",
       [](auto* e) { e->arguments[0].alias[0].before[0] = "c"; }},
      {"alias after", [](auto* e) { e->arguments[0].alias[0].after[0] = "c"; }},
      {"alias write", [](auto* e) { e->arguments[0].alias[0].write = false; }},
      {"keyword only", [](auto* e) { e->arguments[1].keyword_only = false; }},
      {"ignorable", [](auto* e) { e->arguments[1].ignorable = false; }},
      {"no equal values",
       [](auto* e) { e->arguments[1].equal_values.clear(); }},
      {"equal value",
       [](auto* e) { e->arguments[1].equal_values[0].value.value = Value(); }},
      {"equal value's type",
       [](auto* e) { e->arguments[1].equal_values[0].value.type = kFloat; }},
      {"what it means",
       [](auto* e) { e->arguments[1].equal_values[0].means.value = Value(); }},
      {"its type",
       [](auto* e) { e->arguments[1].equal_values[0].means.type = kInt; }},
      {"no default", [](auto* e) { e->arguments[1].default_value.reset(); }},
      {"default None",
       [](auto* e) { e->arguments[1].default_value = Value(); }},
      {"default -0.0",
       [](auto* e) { e->arguments[1].default_value = Value::Float(-0.0); }},
      {"default 0",
       [](auto* e) { e->arguments[1].default_value = Value::Int(0); }},
      {"default False",
       [](auto* e) { e->arguments[1].default_value = Value::Bool(false); }},
      {"default True",
       [](auto* e) { e->arguments[1].default_value = Value::Bool(true); }},
      {"default complex",
       [](auto* e) { e->arguments[1].default_value = Value::Complex(0, 0); }},
      {"default imaginary",
       [](auto* e) { e->arguments[1].default_value = Value::Complex(0, 1); }},
      {"default real",
       [](auto* e) { e->arguments[1].default_value = Value::Complex(1, 0); }},
      {"default string",
       [](auto* e) { e->arguments[1].default_value = Value::String("s"); }},
      {"default word",
       [](auto* e) { e->arguments[1].default_value = Value::Word("s"); }},
      {"default list",
       [](auto* e) { e->arguments[1].default_value = Value::List({Value()}); }},
      {"default empty list",
       [](auto* e) { e->arguments[1].default_value = Value::List({}); }},
      {"default tuple",
       [](auto* e) {
         e->arguments[1].default_value = Value::Tuple({Value()});
       }},
      {"no neutral", [](auto* e) { e->arguments[1].neutral.reset(); }},
      {"neutral", [](auto* e) { e->arguments[1].neutral->value = Value(); }},
      {"neutral's type", [](auto* e) { e->arguments[1].neutral->type = kInt; }},
      {"no retired", [](auto* e) { e->arguments[2].retired.reset(); }},
      {"retired", [](auto* e) { e->arguments[2].retired->value = Value(); }},
      {"retired's type",
       [](auto* e) { e->arguments[2].retired->type = kFloat; }},
  };
  // All differ from each other, too.
  std::map<uint64_t, std::string> seen = {{Fingerprint(MakeEntry()), "none"}};
  for (const auto& c : kChanges) {
    OperatorEntry changed = MakeEntry();
    c.change(&changed);
    const auto inserted = seen.emplace(Fingerprint(changed), c.what);
    EXPECT_TRUE(inserted.second)
        << c.what << " is as " << inserted.first->second;
  }
}

}  // namespace
}  // namespace opcompat
