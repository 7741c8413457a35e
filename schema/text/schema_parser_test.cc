#include "schema/text/schema_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/status_matchers.h"
#include "schema/text/schema_generator.h"

namespace opcompat {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  std::ostringstream contents;
  contents << file.rdbuf();
  return contents.str();
}

void ExpectSameArgument(const Argument& a, const Argument& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.alias, b.alias);
  EXPECT_EQ(a.default_value, b.default_value);
  EXPECT_EQ(a.default_spelling, b.default_spelling);
  EXPECT_EQ(a.keyword_only, b.keyword_only);
}

void ExpectSameSchema(const OperatorSchema& a, const OperatorSchema& b) {
  EXPECT_EQ(a.name(), b.name());
  EXPECT_EQ(a.overload(), b.overload());
  EXPECT_EQ(a.is_vararg(), b.is_vararg());
  EXPECT_EQ(a.is_varret(), b.is_varret());
  ASSERT_EQ(a.arguments().size(), b.arguments().size());
  for (size_t i = 0; i < a.arguments().size(); ++i) {
    ExpectSameArgument(a.arguments()[i], b.arguments()[i]);
  }
  ASSERT_EQ(a.results().size(), b.results().size());
  for (size_t i = 0; i < a.results().size(); ++i) {
    EXPECT_EQ(a.results()[i].name, b.results()[i].name);
    EXPECT_EQ(a.results()[i].type, b.results()[i].type);
    EXPECT_EQ(a.results()[i].alias, b.results()[i].alias);
  }
}

TEST(SchemaParserTest, PrintAndParseIsTheIdentityOnEveryRealSchema) {
  struct Case {
    std::string version;
    size_t operators;
    std::vector<std::string> strict_faults;
  };
  const Case cases[] = {
      {"1.7.1", 2465, {}},
      {"1.13.1", 4165, {"static_runtime::clamp_nan_to_num"}},
      {"2.6.0", 4409, {"static_runtime::clamp_nan_to_num"}},
  };
  for (const Case& c : cases) {
    const std::string text =
        ReadFile(absl::StrCat("opsets/torch/torch-", c.version, ".ops"));
    const std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
    const SchemaFile file = ParseSchemaFile(text);
    EXPECT_EQ(file.opset, "torch");
    EXPECT_EQ(file.version, c.version);
    EXPECT_THAT(file.faults, IsEmpty());
    EXPECT_THAT(file.lines, SizeIs(c.operators));
    std::vector<std::string> strict_faults;
    for (const SchemaLine& line : file.lines) {
      const absl::string_view original = lines[line.line - 1];
      ASSERT_THAT(line.schema, IsOk()) << original;
      EXPECT_EQ(line.schema->ToString(), original);
      if (ParseSchema(original).ok()) continue;
      EXPECT_TRUE(line.schema->has_repeated_name());
      strict_faults.push_back(line.schema->full_name());
    }
    EXPECT_EQ(strict_faults, c.strict_faults);
  }
}

TEST(SchemaParserTest, PrintAndParseIsTheIdentityOnGeneratedSchemas) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const OperatorSchema schema = SchemaGenerator(seed).NextSchema();
    const std::string text = schema.ToString();
    SCOPED_TRACE(absl::StrCat("seed ", seed, ": ", text));
    const absl::StatusOr<OperatorSchema> parsed = ParseSchema(text);
    ASSERT_THAT(parsed, IsOk());
    ExpectSameSchema(*parsed, schema);
    EXPECT_EQ(parsed->ToString(), text);
  }
}

// Spellings that stay as they are: those of PyTorch's printers over the years,
// and what PyTorch's own parser refuses.
TEST(SchemaParserTest, PrintAndParseIsTheIdentityOnOddSchemas) {
  for (absl::string_view text : {
           "_test::leaky_relu(Tensor self, float v=0.01) -> Tensor",
           "aten::__contains__.str_list(str[] l, str item) -> bool",
           "prim::NumToTensor.Scalar(Scalar a) -> Tensor",
           "my.lib::f.2d.x() -> ()",
           "a::from(Tensor from, int self=1, *, str in, int None=2) -> int "
           "True",
           "a::f(float inf=inf, float nan=nan, float j=-inf) -> ()",
           "a::f(float a=1., float b=1e-05, float c=9.9999999999999995e-07, "
           "float d=-0., float e=1, float f=0.10000000000000001, float g=0.1, "
           "float h=10000000000, float i=.5, float j=1e5) -> ()",
           "a::f(float a=nan(0x7ff8000000000001), float b=-nan) -> ()",
           "a::f(int a=9223372036854775807, int b=-9223372036854775808) -> ()",
           "a::f(complex c=1+2j, complex d=1.0+2.0j, complex e=2j, "
           "complex f=0.+2.j, complex g=3, complex? h=None) -> ()",
           "a::f(str a=\" \\n\\t\\f\\v\", str b=\"\\\"\\'\\\\\", str c='x', "
           "str d=\"\\303\\251\", str e=\"\xc3\xa9\", str f=\"#\") -> ()",
           "a::f(str[] s=[], Tensor[] t=[], Tensor?[] u=None, Tensor?[]? "
           "v=None, Tensor?[] w=[None, None]) -> ()",
           "a::f(Dict(str, int) d={}, Dict(str, int) e={\"a\": 1}, (int, str) "
           "p=(1, \"x\"), (int,) q=(2,), int[][] n=[[1], []]) -> ()",
           "a::f(int[2] a=1, int[2] b=[1, 1], int[2] c=[], int[1] d=[-2, -1], "
           "int[2]? e=[1,2], int[3] f=[ 1, 2, 3 ], float[2] g=1) -> ()",
           "a::f(int[2][] a, Scalar?[] b, bool[3] c, int[2]? d=None) -> ()",
           "a::f(ScalarType a=long, ScalarType? b=None, ScalarType c=4, Layout "
           "d=strided, MemoryFormat e=contiguous_format, int f=Mean, int? "
           "g=Sum, Reduction h=Mean, ScalarType i=float8_e5m2) -> ()",
           "a::f(Tensor! a, Tensor(a!)[] b, Tensor(a -> *) c, Tensor(*) d, "
           "Tensor(a|b!) e, Tensor(b|a) f, Generator(a)? g, Tensor($0!) h, "
           "Dict(str, t)(c!) i) -> Tensor(a!)",
           "a::f(DispatchKeySet a, DeviceObjType b, Dimname[1] c, QScheme d, "
           "AnyListType e, AnyTupleType f, AnyEnumType g, Stream h, Storage i, "
           "NoneType j, __torch__.torch.classes.x.Y k) -> Await(t)",
           "a::f(SymInt[] a, SymInt? b=None, SymInt[1] c=1, SymBool d=False, "
           "SymFloat e=1.) -> Future(t)",
           "a::f(NamedTuple(x : int, y : Tensor) a) -> RRef(t)",
           "a::f(...) -> ...",
           "a::f(...) -> (...)",
           "a::f(int a, ...) -> (int, ...)",
           "a::f(int a, *, int b=1, ...) -> (Tensor)",
           "a::f() -> (Tensor a, Tensor b)",
           "a::f() -> ((str, t)[])",
           "a::f() -> ((int, str))",
           "a::f() -> ((int,) x)",
           "a::f() -> Tensor[](*)",
           "a::f() -> ((int, str), int)",
           "a::f(int b=1, *, int c, int d=2) -> ()",
       }) {
    const absl::StatusOr<OperatorSchema> schema = ParseSchema(text);
    ASSERT_THAT(schema, IsOk()) << text;
    EXPECT_EQ(schema->ToString(), text);
    const absl::StatusOr<OperatorSchema> again =
        ParseSchema(schema->ToString());
    ASSERT_THAT(again, IsOk()) << text;
    ExpectSameSchema(*again, *schema);
  }
}

TEST(SchemaParserTest, SpacesAndParenthesesThatMeanNothingAreNormalized) {
  struct Case {
    absl::string_view text;
    absl::string_view printed;
  };
  const Case cases[] = {
      {"  a::f( int a,int b = 1,*,int c )->( int )  ",
       "a::f(int a, int b=1, *, int c) -> (int)"},
      {"a::f() -> (str, t)[]", "a::f() -> ((str, t)[])"},
      {"a::f() -> (str, t)? x", "a::f() -> ((str, t)? x)"},
      {"a::f() -> (str,)", "a::f() -> ((str,))"},
      {"a::f() -> int  # why", "a::f() -> int"},
  };
  for (const Case& c : cases) {
    const absl::StatusOr<OperatorSchema> schema = ParseSchema(c.text);
    ASSERT_THAT(schema, IsOk()) << c.text;
    EXPECT_EQ(schema->ToString(), c.printed);
  }
}

TEST(SchemaParserTest, DefaultsOfOneValueAreEqualHoweverTheyAreSpelled) {
  const auto default_of = [](absl::string_view argument) {
    const absl::StatusOr<OperatorSchema> schema =
        ParseSchema(absl::StrCat("a::f(", argument, ") -> ()"));
    EXPECT_THAT(schema, IsOk()) << argument;
    return schema.ok() ? *schema->arguments()[0].default_value : Value::None();
  };
  EXPECT_EQ(default_of("int[2] x=1"), default_of("int[2] x=[1, 1]"));
  EXPECT_EQ(default_of("float x=1"), default_of("float x=1."));
  EXPECT_EQ(default_of("float x=0.1"), default_of("float x=1.0e-1"));
  EXPECT_EQ(default_of("str x='a'"), default_of("str x=\"\\141\""));
  EXPECT_EQ(default_of("ScalarType x=long"), default_of("ScalarType x=4"));
  EXPECT_EQ(default_of("ScalarType x=int64"), default_of("ScalarType x=4"));
  EXPECT_EQ(default_of("int x=Mean"), default_of("int x=1"));
  EXPECT_NE(default_of("float x=0."), default_of("float x=-0."));
  EXPECT_NE(default_of("Scalar x=1"), default_of("Scalar x=1."));
}

TEST(SchemaParserTest, WrongSchemasAreRefusedWithPlaceFoundAndExpected) {
  struct Case {
    absl::string_view text;
    absl::string_view message;
  };
  const Case cases[] = {
      // Defaults that PyTorch's own parser takes for something else.
      {"a::f(int b=0x10) -> ()", "1:12: '0x10' is not a number"},
      {"a::f(int b=1.5) -> ()",
       "1:12: default of 'b': expected int, found 1.5"},
      {"a::f(int b=True) -> ()",
       "1:12: default of 'b': expected int, found True"},
      {"a::f(int b=\"x\") -> ()",
       "1:12: default of 'b': expected int, found \"x\""},
      {"a::f(int b=None) -> ()",
       "1:12: default of 'b': expected int, found None"},
      {"a::f(int b=long) -> ()", "1:12: default of 'b': expected int"},
      {"a::f(bool b=1) -> ()", "1:13: default of 'b': expected bool, found 1"},
      {"a::f(float b=9007199254740993) -> ()",
       "1:14: default of 'b': expected float"},
      {"a::f(str b=x) -> ()", "1:12: default of 'b': expected str, found x"},
      {"a::f(Tensor b=None) -> ()", "1:15: default of 'b': expected Tensor"},
      {"a::f(Tensor[] b=None) -> ()",
       "1:17: default of 'b': expected Tensor[]"},
      {"a::f(int[] b=1) -> ()",
       "1:14: default of 'b': expected int[], found 1"},
      {"a::f(int[3] b=[1,2]) -> ()",
       "1:15: expected a list of 3 elements (or none) for int[3], found [1, "
       "2]"},
      {"a::f(int[3]? b=[1]) -> ()", "1:16: expected a list of 3 elements"},
      {"a::f(int b=9223372036854775808) -> ()",
       "1:12: '9223372036854775808' is beyond int64"},
      {"a::f(int b=-9223372036854775809) -> ()",
       "1:12: '-9223372036854775809' is beyond int64"},
      {"a::f(str b=\"x) -> ()",
       "1:12: expected a literal, found a string that does not end"},
      {"a::f(int b=) -> ()", "1:12: expected a literal, found ')'"},
      {"a::f(int b=1 2) -> ()", "1:14: expected ',' or ')', found '2'"},
      // Arguments.
      {"a::f(int b, str b) -> ()", "1:17: argument 'b' is repeated"},
      {"a::f(int b, *, str b) -> ()", "1:20: argument 'b' is repeated"},
      {"a::f(int b=1, int c) -> ()",
       "1:19: argument 'c' is required but stands after one with a default"},
      {"a::f(int b, *, *, int c) -> ()", "1:16: found a second '*'"},
      {"a::f(*, int b, *, int c) -> ()", "1:16: found a second '*'"},
      {"a::f(int b, *) -> ()",
       "1:14: expected ',' and a keyword-only argument after '*', found ')'"},
      {"a::f(*) -> ()", "1:7: expected ',' and a keyword-only argument"},
      {"a::f(*, ...) -> ()", "1:9: expected a type, found '...'"},
      {"a::f(..., int b) -> ()",
       "1:9: expected ')' (nothing follows '...'), found ','"},
      {"a::f(int b,) -> ()", "1:12: expected a type, found ')'"},
      {"a::f(int) -> ()", "1:9: expected the name of an argument, found ')'"},
      {"a::f(int 1) -> ()",
       "1:10: expected the name of an argument, found '1'"},
      {"a::f(int?? b) -> ()", "1:10: found '?' after an optional type"},
      {"a::f(int b", "1:11: expected ',' or ')', found the end"},
      // Names.
      {"", "1:1: expected an operator such as `ns::name`, found the end"},
      {"f() -> ()", "1:2: expected '::' after the namespace, found '('"},
      {"a:f() -> ()", "1:2: expected '::' after the namespace, found ':'"},
      {"a::() -> ()", "1:4: expected the operator's name, found '('"},
      {"a ::f() -> ()", "1:3: expected '::' after the namespace"},
      {"a:: f() -> ()", "1:5: expected the operator's name"},
      {"a::f.() -> ()", "1:6: expected the overload's name, found '('"},
      {"a::f.x.() -> ()", "1:7: expected '(', found '.'"},
      {"a::f. x() -> ()", "1:7: expected the overload's name, found 'x'"},
      {"a::f .x() -> ()", "1:6: expected '(', found '.'"},
      {"a::b::f() -> ()", "1:5: expected '(', found '::'"},
      {"::f() -> ()", "1:1: expected an operator"},
      // Results.
      {"a::f()", "1:7: expected '->', found the end"},
      {"a::f() -> ", "1:11: expected a type, found the end"},
      {"a::f() -> int x y", "1:17: expected the end of the schema, found 'y'"},
      {"a::f() -> (int) x y",
       "1:17: expected the end of the schema, found 'x'"},
      {"a::f() -> (int, ", "1:17: expected a type, found the end"},
      {"a::f() -> (..., int)", "1:15: expected ')', found ','"},
      {"a::f() -> int; a::g() -> int",
       "1:14: expected the end of the schema, found ';'"},
      {"a::f() -> int\na::g() -> int",
       "2:1: expected the end of the schema, found 'a'"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(ParseSchema(c.text),
                StatusIs(kInvalid, StartsWith(std::string(c.message))))
        << c.text;
  }
}

TEST(SchemaParserTest, NestingDeeperThanTheBoundIsRefused) {
  const size_t kMany = 1000000;
  for (const std::string& text :
       {absl::StrCat("a::f(", std::string(kMany, '('), ") -> ()"),
        absl::StrCat("a::f(t a=", std::string(kMany, '['), ") -> ()"),
        absl::StrCat("a::f(t a=", std::string(kMany, '('), ") -> ()"),
        absl::StrCat("a::f() -> ", std::string(kMany, '(')),
        absl::StrCat("a::f() -> ", std::string(kMany, '('),
                     std::string(kMany, ')'))}) {
    EXPECT_THAT(ParseSchema(text),
                StatusIs(kInvalid, HasSubstr("nested deeper than 64")));
  }
}

// What is left of a schema cut anywhere is refused, or is a schema itself.
TEST(SchemaParserTest, NoPrefixOfASchemaIsReadAsSomethingElse) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const std::string text = SchemaGenerator(seed).NextSchema().ToString();
    for (size_t size = 0; size < text.size(); ++size) {
      const absl::string_view prefix = absl::string_view(text).substr(0, size);
      const absl::StatusOr<OperatorSchema> schema = ParseSchema(prefix);
      if (!schema.ok()) {
        EXPECT_THAT(schema, StatusIs(kInvalid, StartsWith("1:"))) << prefix;
        continue;
      }
      const absl::StatusOr<OperatorSchema> again =
          ParseSchema(schema->ToString());
      ASSERT_THAT(again, IsOk()) << prefix;
      ExpectSameSchema(*again, *schema);
    }
  }
}

TEST(SchemaParserTest, ARepeatedNameIsLetThroughOnlyLeniently) {
  const absl::string_view text = "a::f(int b, int b, int c) -> ()";
  const absl::StatusOr<OperatorSchema> schema = ParseSchemaLenient(text);
  ASSERT_THAT(schema, IsOk());
  EXPECT_TRUE(schema->has_repeated_name());
  EXPECT_EQ(schema->ToString(), text);
  EXPECT_THAT(
      ParseSchema(text, 12),
      StatusIs(kInvalid, StartsWith("12:17: argument 'b' is repeated")));
  EXPECT_THAT(ParseSchemaLenient("a::f(int b, int b=x) -> ()", 3),
              StatusIs(kInvalid, StartsWith("3:19: ")));
}

TEST(ParseSchemaFileTest, HeaderCommentsAndIndentedLines) {
  const SchemaFile file = ParseSchemaFile(
      "# operators\n\nopset my-ops 1.0.0+git  # now\r\n\n"
      "  a::f() -> ()\r\n\t# a::g() -> ()\na::h() -> ()");
  EXPECT_EQ(file.opset, "my-ops");
  EXPECT_EQ(file.version, "1.0.0+git");
  EXPECT_THAT(file.faults, IsEmpty());
  ASSERT_THAT(file.lines, SizeIs(2));
  EXPECT_EQ(file.lines[0].line, 5);
  EXPECT_EQ(file.lines[0].schema->full_name(), "a::f");
  EXPECT_EQ(file.lines[1].line, 7);
  EXPECT_EQ(file.lines[1].schema->full_name(), "a::h");
}

TEST(ParseSchemaFileTest, BareLinesNeedNoHeader) {
  const SchemaFile file = ParseSchemaFile("a::f() -> ()\n");
  EXPECT_EQ(file.opset, "");
  EXPECT_EQ(file.version, "");
  EXPECT_THAT(file.faults, IsEmpty());
  EXPECT_THAT(file.lines, SizeIs(1));
}

TEST(ParseSchemaFileTest, AFaultyLineDoesNotHideTheOthers) {
  const SchemaFile file =
      ParseSchemaFile("opset a 1\na::f() -> ()\n  a::g( -> ()\na::h() -> ()\n");
  ASSERT_THAT(file.lines, SizeIs(3));
  EXPECT_THAT(file.lines[0].schema, IsOk());
  EXPECT_THAT(file.lines[1].schema,
              StatusIs(kInvalid, "3:9: expected a type, found '->'"));
  EXPECT_THAT(file.lines[2].schema, IsOk());
}

TEST(ParseSchemaFileTest, FaultsOfTheFileHaveTheirPlace) {
  const auto faults = [](absl::string_view text) {
    std::vector<std::string> messages;
    for (const absl::Status& fault : ParseSchemaFile(text).faults) {
      EXPECT_EQ(fault.code(), kInvalid);
      messages.emplace_back(fault.message());
    }
    return messages;
  };
  EXPECT_THAT(
      faults("opset a\n"),
      ElementsAre("1:1: expected the header `opset NAME VERSION`, found "
                  "1 words after `opset`"));
  EXPECT_THAT(faults("  opset a 1 2\n"), ElementsAre(StartsWith("1:3: expected "
                                                                "the header")));
  EXPECT_THAT(faults("opset a 1\nopset a 1\n"),
              ElementsAre(StartsWith("2:1: found a second header")));
  EXPECT_THAT(faults("a::f() -> ()\nopset a 1\n"),
              ElementsAre(StartsWith("2:1: found the header after a schema")));
  EXPECT_THAT(
      faults("opset a 1\na::f() -> ()\na::f.x() -> ()\n a::f(int a) -> ()\n"),
      ElementsAre(
          "4:2: operator a::f is repeated; it stands in line 2 already"));
  // Without a header, it may be that of two versions.
  EXPECT_THAT(faults("a::f() -> ()\na::f(int a) -> ()\n"), ElementsAre());
}

}  // namespace
}  // namespace opcompat
