#include "schema/differences/operator_difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_matchers.h"
#include "schema/operator_entry.h"
#include "schema/operator_schema.h"
#include "schema/text/schema_generator.h"
#include "schema/text/schema_parser.h"

namespace opcompat {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

OperatorEntry EntryOf(const std::string& schema) {
  const absl::StatusOr<OperatorSchema> parsed = ParseSchema(schema);
  EXPECT_TRUE(parsed.ok()) << schema << ": " << parsed.status();
  return parsed.ok() ? EntryOfSchema(*parsed) : OperatorEntry();
}

// "argument_added c: [] [int c=0]", one for each difference.
std::vector<std::string> Strings(const std::vector<Difference>& differences) {
  std::vector<std::string> strings;
  for (const Difference& d : differences) {
    strings.push_back(absl::StrCat(DifferenceKindId(d.kind), " ", d.argument,
                                   ": [", d.before, "] [", d.after, "]"));
  }
  return strings;
}

struct Case {
  const char* older;
  const char* newer;
  std::vector<std::string> differences;
};

TEST(OperatorDifferenceTest, EachKindOfChange) {
  const std::vector<Case> cases = {
      {"t::f(int a) -> int",
       "t::f(int a, *, str m=\"sum\") -> int",
       {"argument_added m: [] [*, str m=\"sum\"]"}},
      {"t::f(int a, int b=1) -> int",
       "t::f(int a) -> int",
       {"argument_removed b: [int b=1] []"}},
      // Nobody declared a rename.
      {"t::f(int a) -> int",
       "t::f(int b) -> int",
       {"argument_added b: [] [int b]", "argument_removed a: [int a] []"}},
      {"t::f(int a, int b, int c) -> int",
       "t::f(int a, int c, int b) -> int",
       {"arguments_reordered : [(a, b, c)] [(a, c, b)]"}},
      {"t::f(int a, *, int b, int c) -> int",
       "t::f(int a, *, int c, int b) -> int",
       {"arguments_reordered : [(b, c)] [(c, b)]"}},
      {"t::f(int a, int b=1) -> int",
       "t::f(int a, *, int b=1) -> int",
       {"made_keyword_only b: [int b=1] [*, int b=1]"}},
      {"t::f(int a, *, int b=1) -> int",
       "t::f(int a, int b=1) -> int",
       {"made_positional b: [*, int b=1] [int b=1]"}},
      // Whether in the middle or at the end, an argument added moves none.
      {"t::f(int a, int b) -> int",
       "t::f(int a, int c, int b) -> int",
       {"argument_added c: [] [int c]"}},
      {"t::f(int a=0) -> int",
       "t::f(int? a=None) -> int",
       {"type_changed a: [int] [int?]", "default_changed a: [0] [None]"}},
      // The default is the same number.
      {"t::f(int a=1) -> int",
       "t::f(float a=1) -> int",
       {"type_changed a: [int] [float]"}},
      {"t::f(int a=1) -> int",
       "t::f(int[2] a=[1, 1]) -> int",
       {"type_changed a: [int] [int[2]]"}},
      {"t::f(float a=0.0) -> int",
       "t::f(float a=-0.0) -> int",
       {"default_changed a: [0.0] [-0.0]"}},
      // As values print, not as the schemas spell them.
      {"t::f(float a=1e-05, float b=1., float[] c=[1.]) -> int",
       "t::f(float a=9.9999999999999995e-07, float b=2., float[] c=[2.], *, "
       "float d=1.0000000000000001e-05) -> int",
       {"argument_added d: [] [*, float d=1e-05]",
        "default_changed a: [1e-05] [1e-06]", "default_changed b: [1.0] [2.0]",
        "default_changed c: [[1.0]] [[2.0]]"}},
      {"t::f(int a) -> int",
       "t::f(int a=3) -> int",
       {"default_changed a: [] [3]"}},
      {"t::f(int a=3) -> int",
       "t::f(int a) -> int",
       {"default_changed a: [3] []"}},
      {"t::f(Tensor a) -> Tensor",
       "t::f(Tensor(a!) a) -> Tensor(a!)",
       {"alias_changed a: [Tensor] [Tensor(a!)]",
        "alias_changed result 0: [Tensor] [Tensor(a!)]"}},
      {"t::f(int a) -> int",
       "t::f(int a) -> (int, float extra)",
       {"result_added extra: [] [float extra]"}},
      {"t::f(int a) -> (int, float)",
       "t::f(int a) -> int",
       {"result_removed result 1: [float] []"}},
      {"t::f(int a) -> int",
       "t::f(int a) -> float",
       {"result_retyped result 0: [int] [float]"}},
      {"t::f(int a) -> (int x, int)",
       "t::f(int a) -> (int y, int z)",
       {"result_renamed result 0: [x] [y]", "result_renamed result 1: [] [z]"}},
      {"t::f(int a) -> int",
       "t::f(int a, ...) -> ...",
       {"vararg_changed : [] [...]", "result_removed result 0: [int] []",
        "varret_changed : [] [...]"}},
      {"t::f(int a) -> int",
       "t::g(int a) -> int",
       {"operator_renamed : [t::f] [t::g]"}},
      // Spellings are no differences.
      {"t::f(int[2] a=1, float b=1) -> int",
       "t::f(int[2] a=[1,1], float b=1.0) -> (int)",
       {}},
      {"t::f(ScalarType a=long) -> int", "t::f(ScalarType a=4) -> int", {}},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(Strings(DiffOperators(EntryOf(c.older), EntryOf(c.newer))),
                ElementsAreArray(c.differences))
        << c.older << "\n"
        << c.newer;
  }
}

TEST(OperatorDifferenceTest, AnArgumentIsKnownByAnyOfItsNames) {
  const OperatorEntry older = EntryOf("t::f(int a, int b) -> int");
  OperatorEntry newer = EntryOf("t::f(int x, int b) -> int");
  newer.arguments[0].names = {"x", "y", "a"};
  EXPECT_THAT(Strings(DiffOperators(older, newer)),
              ElementsAre("argument_renamed x: [a] [x]"));
  // The newer entry knows all names, whichever is asked about first.
  EXPECT_THAT(Strings(DiffOperators(newer, older)),
              ElementsAre("argument_renamed a: [x] [a]"));
}

TEST(OperatorDifferenceTest, DeclarationsThatStay) {
  const OperatorEntry older = EntryOf("t::f(int? a) -> int");
  OperatorEntry newer = older;
  newer.revision = 2;
  newer.arguments[0].ignorable = true;
  const Type type = newer.arguments[0].type;
  newer.arguments[0].equal_values = {
      {{type, Value::None()}, {type, Value::Int(0)}}};
  EXPECT_THAT(Strings(DiffOperators(older, newer)),
              ElementsAre("revision_changed : [revision 1] [revision 2]",
                          "ignorable_changed a: [] [ignorable]",
                          "equal_values_changed a: [] [None means 0]"));
}

// A schema that came from `schema` by a random edit or two.
OperatorSchema Edited(const OperatorSchema& schema, SchemaGenerator* random) {
  std::vector<Argument> arguments = schema.arguments();
  std::vector<Result> results = schema.results();
  const OperatorSchema other = random->NextSchema();
  for (uint64_t edits = 1 + random->Below(2); edits > 0; --edits) {
    const size_t i = arguments.empty() ? 0 : random->Below(arguments.size());
    switch (random->Below(8)) {
      case 0:
        if (!arguments.empty()) arguments.erase(arguments.begin() + i);
        break;
      case 1:
        if (arguments.size() > 1) {
          std::swap(arguments[i], arguments[(i + 1) % arguments.size()]);
        }
        break;
      case 2:
        if (!arguments.empty()) {
          arguments[i].type = random->NextType();
          arguments[i].alias.clear();
          arguments[i].default_value.reset();
        }
        break;
      case 3:
        if (!arguments.empty()) {
          arguments[i].default_value = random->NextValue(arguments[i].type);
        }
        break;
      case 4:
        if (!arguments.empty()) arguments[i].alias.clear();
        break;
      case 5:
        for (size_t k = i; k < arguments.size(); ++k) {
          arguments[k].keyword_only = true;
        }
        break;
      case 6:
        if (!other.arguments().empty()) {
          arguments.insert(arguments.begin() + i, other.arguments()[0]);
        }
        break;
      default:
        results = other.results();
        break;
    }
    for (Argument& argument : arguments) argument.default_spelling.clear();
  }
  const absl::StatusOr<OperatorSchema> edited =
      OperatorSchema::Create(schema.name(), schema.overload(), arguments,
                             results, schema.is_vararg(), other.is_varret());
  return edited.ok() ? *edited : other;
}

// The oracle is the text of the schema: equal lines, no difference.
TEST(OperatorDifferenceTest, NoDifferenceIffTheLinesAreEqualUpToSpelling) {
  SchemaGenerator random(7);
  int equal = 0, different = 0;
  for (int i = 0; i < 5000; ++i) {
    const OperatorSchema schema = random.NextSchema();
    const OperatorEntry older = EntryOfSchema(schema);
    ASSERT_THAT(DiffOperators(older, older), IsEmpty()) << schema.ToString();
    const OperatorEntry newer = EntryOfSchema(Edited(schema, &random));
    const bool same = older.ToString() == newer.ToString();
    ASSERT_EQ(DiffOperators(older, newer).empty(), same)
        << older.ToString() << "\n"
        << newer.ToString();
    ASSERT_EQ(DiffOperators(newer, older).empty(), same);
    ++(same ? equal : different);
  }
  EXPECT_GT(equal, 300);
  EXPECT_GT(different, 2000);
}

}  // namespace
}  // namespace opcompat
