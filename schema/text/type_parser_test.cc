#include "schema/text/type_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/status_matchers.h"
#include "schema/text/schema_generator.h"

namespace opcompat {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

// Types as PyTorch and modules print them.
constexpr absl::string_view kTypes[] = {
    "Tensor",
    "Tensor?",
    "Tensor?[]?",
    "Tensor[][]",
    "int[2]",
    "int[2][]",
    "SymInt[1]?",
    "Scalar?[]",
    "Dict(str, Tensor)",
    "Dict(int, t)[]",
    "(int, str)",
    "(int,)",
    "()",
    "((str, t)[], (Tensor,)?)",
    "NamedTuple(a : int, b : Tensor?)",
    "NamedTuple()",
    "Future(t)",
    "RRef(t1)",
    "Await(Tensor[])",
    "__torch__.torch.classes.rnn.CellParamsBase[]",
    "__torch__.models.___torch_mangle_9.Sub",
    "__torch__.Seq.0.Sub",
    "AnyEnumType",
    "AnyClassType?",
    "DispatchKeySet",
    "NoneType",
    "Dimname[1]",
    "QScheme",
    "None",
    "bool[3]",
};

TEST(TypeParserTest, PrintAndParseIsTheIdentity) {
  for (absl::string_view text : kTypes) {
    const absl::StatusOr<Type> type = ParseType(text);
    ASSERT_THAT(type, IsOk()) << text;
    EXPECT_EQ(type->ToString(), text);
  }
}

TEST(TypeParserTest, PrintAndParseIsTheIdentityOnGeneratedTypes) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    SchemaGenerator generator(seed);
    const Type type = generator.NextType(6);
    EXPECT_THAT(ParseType(type.ToString()), IsOkAndHolds(type)) << seed;
  }
}

TEST(TypeParserTest, WordsAreTypesVariablesOrOpaqueNames) {
  EXPECT_THAT(ParseType("Scalar"), IsOkAndHolds(Type(TypeKind::kScalar)));
  EXPECT_THAT(ParseType("t"), IsOkAndHolds(Type::Variable("t")));
  EXPECT_THAT(ParseType("t12"), IsOkAndHolds(Type::Variable("t12")));
  EXPECT_THAT(ParseType("tensor"), IsOkAndHolds(Type::Named("tensor")));
  EXPECT_THAT(ParseType("a.b"), IsOkAndHolds(Type::Named("a.b")));
  EXPECT_THAT(ParseType("Tensor.b"), IsOkAndHolds(Type::Named("Tensor.b")));
}

TEST(TypeParserTest, AnnotationsKnowTheirPlaceAndPrintBack) {
  struct Case {
    absl::string_view text;
    std::vector<uint32_t> places;
  };
  const Case cases[] = {
      {"Tensor", {}},
      {"Tensor(a)", {0}},
      {"Tensor(a!)[]", {1}},
      {"Tensor[](a!)", {0}},
      {"Tensor(b)[](a!)", {0, 1}},
      {"t(a)?", {1}},
      {"Tensor?(a!)", {0}},
      {"Tensor(a!)?[]", {2}},
      {"Dict(str, t)(a!)", {0}},
      {"Dict(str, t(a)[])(b -> *)", {0, 3}},
      {"(Tensor(a), int[], Tensor(b|c! -> *))[]", {2, 5}},
      {"NamedTuple(x : int[], y : Tensor!)", {3}},
      {"Future(t(a))(*)", {0, 1}},
      {"Tensor!", {0}},
      {"Tensor($0!)", {0}},
      {"Tensor(b|a)", {0}},
  };
  for (const Case& c : cases) {
    Scanner scanner(c.text);
    AliasAnnotations alias;
    const absl::StatusOr<Type> type = ParseType(scanner, &alias);
    ASSERT_THAT(type, IsOk()) << c.text;
    EXPECT_TRUE(scanner.AtEnd()) << c.text;
    std::vector<uint32_t> places;
    for (const AliasAnnotation& annotation : alias) {
      places.push_back(annotation.place);
    }
    EXPECT_EQ(places, c.places) << c.text;
    EXPECT_EQ(TypeToString(*type, alias), c.text);
  }
}

TEST(TypeParserTest, TheSetsOfAnAnnotationAreRead) {
  Scanner scanner("Tensor(a|b! -> *|c)");
  AliasAnnotations alias;
  ASSERT_THAT(ParseType(scanner, &alias), IsOk());
  AliasAnnotation expected;
  expected.before = {"a", "b"};
  expected.after = {"*", "c"};
  expected.write = true;
  EXPECT_EQ(alias, AliasAnnotations({expected}));
}

TEST(TypeParserTest, MalformedTypesAreRefusedWithPlaceFoundAndExpected) {
  struct Case {
    absl::string_view text;
    absl::string_view message;
  };
  const Case cases[] = {
      {"", "1:1: expected a type, found the end"},
      {"?", "1:1: expected a type, found '?'"},
      {"int??", "1:5: found '?' after an optional type"},
      {"int?[]??", "1:8: found '?' after an optional type"},
      {"int[", "1:5: expected ']' or a length (1 or more), found the end"},
      {"int[0]", "1:5: expected ']' or a length (1 or more), found '0'"},
      {"int[-1]", "1:5: expected ']' or a length"},
      {"int[02]", "1:5: expected ']' or a length"},
      {"int[9223372036854775808]", "1:5: expected ']' or a length"},
      {"int[2", "1:6: expected ']', found the end"},
      {"(int)", "1:5: expected ',' (a tuple of one type is written `(T,)`)"},
      {"(int, str,)", "1:11: expected a type, found ')'"},
      {"(,)", "1:2: expected a type"},
      {"(int str)", "1:6: expected ',' or ')', found 'str'"},
      {"Dict(str)", "1:9: expected ',', found ')'"},
      {"Dict", "1:5: expected '(', found the end"},
      {"Future()", "1:8: expected a type"},
      {"NamedTuple(int)", "1:15: expected ':'"},
      {"NamedTuple(a : int b : int)", "1:20: expected ',' or ')'"},
      {"a.", "1:2: expected the end of the type, found '.'"},
      {"a. b", "1:2: expected the end of the type, found '.'"},
      {"int x", "1:5: expected the end of the type, found 'x'"},
      {"Tensor(a)", "1:7: an alias annotation has no meaning here"},
      {"Tensor!", "1:7: an alias annotation has no meaning here"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(ParseType(c.text),
                StatusIs(kInvalid, StartsWith(std::string(c.message))))
        << c.text;
  }
}

TEST(TypeParserTest, MalformedAnnotationsAreRefused) {
  for (absl::string_view text :
       {"Tensor()", "Tensor(!)", "Tensor(a", "Tensor(a|)", "Tensor(a b)",
        "Tensor(a!!)", "Tensor(a -> )", "Tensor(-> a)", "Tensor($)",
        "Tensor($ 0)", "Tensor(a -> *!)", "Tensor(1)"}) {
    Scanner scanner(text);
    AliasAnnotations alias;
    EXPECT_THAT(ParseType(scanner, &alias),
                StatusIs(kInvalid, HasSubstr("expected")))
        << text;
  }
}

TEST(TypeParserTest, NestingIsBoundedHoweverItIsSpelled) {
  const auto repeat = [](absl::string_view part, size_t n) {
    std::string text;
    for (size_t i = 0; i < n; ++i) text.append(part.data(), part.size());
    return text;
  };
  EXPECT_THAT(ParseType("int" + repeat("[]", kMaxTypeDepth - 1)), IsOk());
  EXPECT_THAT(ParseType("int" + repeat("[]", kMaxTypeDepth)),
              StatusIs(kInvalid, HasSubstr("nested deeper than 64")));
  EXPECT_THAT(ParseType(repeat("Future(", kMaxTypeDepth - 1) + "int" +
                        repeat(")", kMaxTypeDepth - 1)),
              IsOk());
  for (absl::string_view part :
       {"(", "[]", "?[]", "Dict(int, ", "Future(", "RRef(", "NamedTuple(a:"}) {
    const std::string many = repeat(part, 1000000);
    EXPECT_THAT(ParseType(many), StatusIs(kInvalid));
    EXPECT_THAT(ParseType("int" + many), StatusIs(kInvalid));
  }
}

TEST(TypeParserTest, TheNumberOfPartsIsBounded) {
  std::string wide = "(";
  for (int64_t i = 0; i < kMaxTypeParts - 1; ++i) wide += "int, ";
  EXPECT_THAT(ParseType(wide + "int)"),
              StatusIs(kInvalid, HasSubstr("more than 16384 parts")));
}

}  // namespace
}  // namespace opcompat
