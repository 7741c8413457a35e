#include "schema/evolution/argument_types.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "schema/text/type_parser.h"

namespace opcompat {
namespace {

struct Case {
  std::vector<std::string> types;
  bool compatible;
};

const Case kCases[] = {
    // One class.
    {{"int", "int"}, true},
    {{"Tensor", "Tensor?"}, true},
    {{"int[2]", "int[]", "int[3]", "int[]?"}, true},
    {{"Tensor[]", "Tensor?[]"}, true},
    {{"Dict(str, int)", "Dict(str, int?)"}, true},
    {{"(int, str)", "(int?, str)?"}, true},
    // Two classes, one in the other.
    {{"int", "float"}, true},
    {{"int?", "Scalar"}, true},
    {{"float", "Scalar?"}, true},
    {{"int", "SymInt", "int?", "SymInt?"}, true},
    {{"float", "SymFloat"}, true},
    {{"bool", "SymBool"}, true},
    {{"int?", "ScalarType?"}, true},
    {{"int", "Layout"}, true},
    {{"int", "MemoryFormat"}, true},
    {{"int", "Reduction"}, true},
    {{"int[2]", "SymInt[2]", "SymInt[]"}, true},
    {{"int[]", "float[]", "float?[]"}, true},
    {{"Dict(str, int)", "Dict(str, Scalar)"}, true},
    {{"(int, int)", "(float, int)"}, true},
    {{"NamedTuple(a : int, b : int)", "NamedTuple(a : float, b : int)"}, true},
    // A lone value.
    {{"int", "int[1]"}, true},
    {{"int?", "int[2]?", "int[2]"}, true},
    {{"int", "SymInt[2]"}, true},
    {{"float", "float[2]"}, true},
    {{"int", "int[]"}, false},
    {{"int", "int[1]", "int[2]"}, false},
    {{"int[2]", "int[]", "int"}, false},
    {{"int[]", "int[][2]"}, false},
    // Three classes, or two that do not relate.
    {{"int", "float", "Scalar"}, false},
    {{"int", "SymInt", "Scalar"}, false},
    {{"int", "SymInt", "SymInt[2]"}, false},
    {{"int", "Layout", "ScalarType"}, false},
    {{"Layout", "ScalarType"}, false},
    {{"SymInt", "ScalarType"}, false},
    {{"SymInt", "Scalar"}, false},
    {{"float", "int[]"}, false},
    {{"int", "bool"}, false},
    {{"bool", "Scalar"}, false},
    {{"int", "complex"}, false},
    {{"int", "str"}, false},
    {{"Device", "str"}, false},
    {{"Tensor", "Tensor[]"}, false},
    {{"Tensor", "Any"}, false},
    {{"Tensor", "t"}, false},
    {{"int", "Storage"}, false},
    {{"__torch__.A", "__torch__.B"}, false},
    {{"Future(int)", "Future(float)"}, false},
    {{"(int, float)", "(float, int)"}, false},
    {{"(int, int)", "(int, int, int)"}, false},
    {{"NamedTuple(a : int, b : int)", "NamedTuple(a : float, c : int)"}, false},
};

absl::Status AddAll(const std::vector<std::string>& types,
                    ArgumentTypes* argument) {
  absl::Status status;
  for (const std::string& text : types) {
    const auto type = ParseType(text);
    EXPECT_TRUE(type.ok()) << type.status();
    status.Update(argument->Add(*type));
  }
  return status;
}

TEST(ArgumentTypesTest, TypesAreOfTwoClassesThatEmbedInWhicheverOrder) {
  for (const Case& c : kCases) {
    std::vector<std::string> types = c.types;
    std::sort(types.begin(), types.end());
    do {
      ArgumentTypes argument;
      EXPECT_EQ(AddAll(types, &argument).ok(), c.compatible)
          << absl::StrJoin(types, ", ");
    } while (std::next_permutation(types.begin(), types.end()));
  }
}

TEST(ArgumentTypesTest, AMisfitIsNotAddedAndTheOthersStay) {
  ArgumentTypes argument;
  const absl::Status status = AddAll({"int", "Layout", "str"}, &argument);
  EXPECT_EQ(status.message(),
            "type `str` is one too many beside `int`, `Layout`: values of more "
            "than two kinds of types cannot all be compared");
  EXPECT_EQ(argument.types().size(), 2u);
}

TEST(ArgumentTypesTest, TheMessageSaysWhatClashes) {
  ArgumentTypes unrelated, lone;
  EXPECT_EQ(AddAll({"int[]", "Tensor"}, &unrelated).message(),
            "values of type `Tensor` cannot be compared with those of `int[]`");
  EXPECT_EQ(AddAll({"int[2]", "int", "int[3]"}, &lone).message(),
            "type `int[3]` beside `int[2]`, `int`: where a lone value stands "
            "for n copies, only one `T[n]` may occur, and no `T[]`");
}

}  // namespace
}  // namespace opcompat
