// Which arguments stay off the wire, by table, and what the tables of a file
// hold: seen through protobuf's generated code and by reading back.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "base/status_matchers.h"
#include "deserializer/decode.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "serializer/options.h"
#include "serializer/serialize.h"
#include "wire/module.pb.h"
#include "wire/testing/sample_modules.h"

namespace opcompat {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// The operators of all tests here.
constexpr absl::string_view kSchemas = R"(
t::trail(Tensor x, int a=1, int b=2) -> Tensor
t::mid(Tensor x, int a=1, int b=2, int c=9) -> Tensor
t::kw(Tensor x, int b=1, *, int c=2, int d=9) -> Tensor
t::needs_kw(Tensor x, int a=1, *, int b=2, int must) -> Tensor
t::out(Tensor x, int a=1, *, Tensor(a!) out) -> Tensor(a!)
t::float(Tensor x, float v=0.0) -> Tensor
t::float_one(Tensor x, float v=1.0) -> Tensor
t::nan(Tensor x, float v=nan) -> Tensor
t::scalar(Tensor x, Scalar v=1) -> Tensor
t::opt(Tensor x, int? v=3) -> Tensor
t::int(Tensor x, int v=5) -> Tensor
t::list(Tensor x, int[] v=[1, 2]) -> Tensor
t::two(Tensor x, int[2] v=1) -> Tensor
t::empty(Tensor x, int[] v=[]) -> Tensor
t::bool(Tensor x, bool v=True) -> Tensor
t::str(Tensor x, str v="sum") -> Tensor
t::dtype(Tensor x, ScalarType v=long) -> Tensor
t::none(Tensor x, Tensor? v=None) -> Tensor
t::complex(Tensor x, complex v=1.0+2.0j) -> Tensor
)";

// A module of one function with these statements.
SampleModule Sample(absl::string_view lines) {
  return ModuleOf(kSchemas,
                  absl::StrCat("func f(%x : Tensor, %n : int, %l : int[], %o : "
                               "Tensor) -> ():\n",
                               lines, "\n return ()"));
}

std::string Write(const SampleModule& sample,
                  Elision elision = Elision::kEqualToDefault) {
  SerializeOptions options;
  options.elision = elision;
  const absl::StatusOr<std::string> file =
      Serialize(sample.module, sample.writer, options);
  EXPECT_THAT(file, IsOk());
  return file.value_or("");
}

wire::Module Parse(absl::string_view file) {
  wire::Module message;
  EXPECT_TRUE(message.ParseFromArray(file.data(), file.size()));
  return message;
}

// For each call: its operator and the names of the arguments that are on the
// wire, as generated code and the file's own entry have them.
std::vector<std::string> WrittenArguments(const wire::Module& file) {
  constexpr uint32_t kFirstOperator = 32;
  std::vector<std::string> of_form;
  int next_slot = 0;
  for (int f = 0; f < file.forms().operators_size(); ++f) {
    const uint32_t op = file.forms().operators(f);
    std::vector<std::string> written;
    for (uint32_t i = 0; i < file.forms().slot_counts(f); ++i) {
      const uint32_t slot = file.forms().slots(next_slot++);
      if ((slot & 15) == 1) ++next_slot;  // the length of a run
      if (op < kFirstOperator) continue;
      const wire::Argument& argument =
          file.operators(op - kFirstOperator).arguments(slot >> 4);
      written.push_back(file.strings(argument.names(0)));
    }
    if (op < kFirstOperator) {
      of_form.push_back("");
    } else {
      of_form.push_back(absl::StrCat(
          file.strings(file.operators(op - kFirstOperator).names(0)), ": ",
          absl::StrJoin(written, " ")));
    }
  }
  std::vector<std::string> calls;
  for (const wire::Function& function : file.functions()) {
    for (const uint32_t form : function.forms()) {
      if (!of_form[form].empty()) calls.push_back(of_form[form]);
    }
  }
  return calls;
}

struct ElisionCase {
  absl::string_view call;
  absl::string_view on_the_wire;
};

std::ostream& operator<<(std::ostream& os, const ElisionCase& c) {
  return os << c.call;
}

class ElisionTest : public ::testing::TestWithParam<ElisionCase> {};

TEST_P(ElisionTest, AnArgumentIsLeftOutIffItIsBitIdenticalToTheDefault) {
  const SampleModule sample =
      Sample(absl::StrCat(" %r : Tensor = ", GetParam().call));
  const std::string file = Write(sample);
  EXPECT_THAT(WrittenArguments(Parse(file)),
              ElementsAre(std::string(GetParam().on_the_wire)));
  const absl::StatusOr<Module> read = Decode(file);
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(EffectiveLines(*read), EffectiveLines(sample.module));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ElisionTest,
    ::testing::Values(
        // Wherever it stands.
        ElisionCase{"t::trail(%x)", "t::trail: x"},
        ElisionCase{"t::trail(%x, 1, 2)", "t::trail: x"},
        ElisionCase{"t::trail(%x, 7)", "t::trail: x a"},
        ElisionCase{"t::trail(%x, 1, 7)", "t::trail: x b"},
        ElisionCase{"t::mid(%x, 1, 2, 10)", "t::mid: x c"},
        ElisionCase{"t::mid(%x, 3, 2, 9)", "t::mid: x a"},
        ElisionCase{"t::mid(%x, 1, 4, 9)", "t::mid: x b"},
        ElisionCase{"t::kw(%x, 1, c=2, d=10)", "t::kw: x d"},
        ElisionCase{"t::kw(%x, c=3, d=9)", "t::kw: x c"},
        ElisionCase{"t::needs_kw(%x, 1, b=2, must=0)", "t::needs_kw: x must"},
        ElisionCase{"t::out(%x, 1, out=%o)", "t::out: x out"},
        ElisionCase{"t::out(%x, 2, out=%o)", "t::out: x a out"},
        // Bits.
        ElisionCase{"t::float(%x, 0.0)", "t::float: x"},
        ElisionCase{"t::float(%x, -0.0)", "t::float: x v"},
        ElisionCase{"t::float(%x, 5e-324)", "t::float: x v"},
        ElisionCase{"t::nan(%x, nan)", "t::nan: x"},
        ElisionCase{"t::nan(%x, nan(0x7ff8000000000001))", "t::nan: x v"},
        ElisionCase{"t::nan(%x, nan(0xfff8000000000000))", "t::nan: x v"},
        ElisionCase{"t::complex(%x, 1.0+2.0j)", "t::complex: x"},
        ElisionCase{"t::complex(%x, 1.0-2.0j)", "t::complex: x v"},
        // After the exact form that the type gives, and not beyond it.
        ElisionCase{"t::float_one(%x, 1)", "t::float_one: x"},
        ElisionCase{"t::scalar(%x, 1)", "t::scalar: x"},
        ElisionCase{"t::scalar(%x, 1.0)", "t::scalar: x v"},
        ElisionCase{"t::dtype(%x, long)", "t::dtype: x"},
        ElisionCase{"t::dtype(%x, 4)", "t::dtype: x"},
        ElisionCase{"t::dtype(%x, 3)", "t::dtype: x v"},
        ElisionCase{"t::two(%x, 1)", "t::two: x"},
        ElisionCase{"t::two(%x, [1, 1])", "t::two: x"},
        ElisionCase{"t::two(%x, [1])", "t::two: x v"},
        ElisionCase{"t::two(%x, [1, 2])", "t::two: x v"},
        // Explicit zeros, and nothing where the default is something.
        ElisionCase{"t::opt(%x, None)", "t::opt: x v"},
        ElisionCase{"t::opt(%x, 3)", "t::opt: x"},
        ElisionCase{"t::int(%x, 0)", "t::int: x v"},
        ElisionCase{"t::bool(%x, False)", "t::bool: x v"},
        ElisionCase{"t::bool(%x, True)", "t::bool: x"},
        ElisionCase{"t::str(%x, \"\")", "t::str: x v"},
        ElisionCase{"t::str(%x, \"sum\")", "t::str: x"},
        ElisionCase{"t::list(%x, [])", "t::list: x v"},
        ElisionCase{"t::list(%x, [1, 2])", "t::list: x"},
        ElisionCase{"t::list(%x, [1, 2, 3])", "t::list: x v"},
        ElisionCase{"t::empty(%x, [])", "t::empty: x"},
        ElisionCase{"t::none(%x, None)", "t::none: x"},
        // Never what the graph computes.
        ElisionCase{"t::int(%x, %n)", "t::int: x v"},
        ElisionCase{"t::none(%x, %o)", "t::none: x v"},
        ElisionCase{"t::list(%x, %l)", "t::list: x v"}));

TEST(CallSitesTest, EachHasItsOwnSetOfWrittenArguments) {
  const SampleModule sample = Sample(R"(
 %a : Tensor = t::mid(%x)
 %b : Tensor = t::mid(%x, 1, 2, 10)
 %c : Tensor = t::mid(%x, 3, 2, 9)
 %d : Tensor = t::mid(%x, %n, 4, 9))");
  EXPECT_THAT(
      WrittenArguments(Parse(Write(sample))),
      ElementsAre("t::mid: x", "t::mid: x c", "t::mid: x a", "t::mid: x a b"));
}

TEST(PolicyTest, UnspecifiedOnlyKeepsWhatIsWritten) {
  const SampleModule sample = Sample(R"(
 %a : Tensor = t::mid(%x, 1, c=9)
 %b : Tensor = t::mid(%x))");
  EXPECT_THAT(WrittenArguments(Parse(Write(sample, Elision::kUnspecifiedOnly))),
              ElementsAre("t::mid: x a c", "t::mid: x"));
}

TEST(PolicyTest, NoneWritesEveryDefaultOnceInTheTables) {
  const SampleModule sample = Sample(R"(
 %a : Tensor = t::mid(%x, c=3)
 %b : Tensor = t::nan(%x)
 %c : Tensor = t::two(%x)
 %d : Tensor = t::two(%x, [1, 1]))");
  const wire::Module file = Parse(Write(sample, Elision::kNone));
  EXPECT_THAT(WrittenArguments(file),
              ElementsAre("t::mid: x a b c", "t::nan: x v", "t::two: x v",
                          "t::two: x v"));
  EXPECT_THAT(file.constants().floats(), ElementsAre(0x7ff8000000000000));
  EXPECT_THAT(file.constants().int_list_lengths(), ElementsAre(2));
}

TEST(PolicyTest, WhetherTheUserWroteADefaultDoesNotChangeTheFile) {
  EXPECT_EQ(Write(Sample(" %r : Tensor = t::mid(%x)")),
            Write(Sample(" %r : Tensor = t::mid(%x, 1, 2, c=9)")));
}

TEST(FoldingTest, TheFileDoesNotDependOnWhichPassesRan) {
  const std::string folded = Write(Sample(R"(
 %r : Tensor = t::list(%x, [3, 4])
 %s : Tensor = t::two(%x)
 %t : Tensor = t::trail(%x, 7, 2))"));
  EXPECT_EQ(Write(Sample(R"(
 %3 : int = prim::Constant[value=3]()
 %4 : int = prim::Constant[value=4]()
 %v : int[] = prim::ListConstruct(%3, %4)
 %r : Tensor = t::list(%x, %v)
 %1 : int = prim::Constant[value=1]()
 %one : int[] = prim::ListConstruct(%1, %1)
 %s : Tensor = t::two(%x, %one)
 %7 : int = prim::Constant[value=7]()
 %2 : int = prim::Constant[value=2]()
 %t : Tensor = t::trail(%x, %7, %2))")),
            folded);
}

TEST(TablesTest, HoldNothingThatIsLeftOutOrUnused) {
  SampleModule sample = Sample(R"(
 %a : Tensor = t::str(%x, "sum")
 %b : Tensor = t::float(%x, 0.0)
 %c : Tensor = t::list(%x, [1, 2])
 %d : Tensor = t::str(%x, "max"))");
  // Nobody uses these.
  sample.module.constants.push_back(Value::Float(12.5));
  sample.module.constants.push_back(Value::String("nobody"));
  sample.module.strings.push_back("nobody");
  sample.module.types.push_back(Type::Named("nobody"));
  const std::string bytes = Write(sample);
  const wire::Module file = Parse(bytes);
  EXPECT_THAT(file.constants().floats(), IsEmpty());
  EXPECT_THAT(file.constants().int_list_lengths(), IsEmpty());
  EXPECT_EQ(bytes.find("nobody"), std::string::npos);
  std::vector<std::string> operators;
  for (const wire::Operator& op : file.operators()) {
    operators.push_back(file.strings(op.names(0)));
  }
  EXPECT_THAT(operators, UnorderedElementsAre("t::str", "t::float", "t::list"));
}

TEST(TablesTest, TheMostFrequentFormIsTheFirst) {
  const wire::Module file = Parse(Write(Sample(R"(
 %a : Tensor = t::int(%x, 0)
 %b : Tensor = t::nan(%x)
 %c : Tensor = t::nan(%x)
 %d : Tensor = t::nan(%x))")));
  // Node 0 begins the function's block.
  EXPECT_EQ(file.functions(0).forms(2), 0u);
  EXPECT_EQ(file.functions(0).forms(4), 0u);
}

TEST(FeaturesTest, AreWhatTheFileUses) {
  EXPECT_THAT(
      Parse(Write(Sample(" %r : Tensor = t::int(%x)"))).required_features(),
      IsEmpty());
  EXPECT_THAT(Parse(Write(Sample(R"(
 %v : int[] = prim::ListConstruct(%n, 4)
 %r : Tensor = t::list(%x, %v))")))
                  .required_features(),
              ElementsAre("prim::ListConstruct"));
}

TEST(SerializeTest, RefusesAnEntryThatIsNotTheWriters) {
  const SampleModule sample = Sample(" %r : Tensor = t::int(%x)");
  const SampleModule other = ModuleOf("t::int(Tensor x, int v=6) -> Tensor",
                                      "func f(%x : Tensor) -> ():\n return ()");
  EXPECT_THAT(Serialize(sample.module, other.writer),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       ::testing::HasSubstr("t::int")));
}

TEST(SerializeTest, RefusesAVersionThatIsNotTheWriters) {
  SampleModule sample = Sample(" %r : Tensor = t::int(%x)");
  sample.module.opsets = {{"t", "2"}};
  EXPECT_THAT(Serialize(sample.module, sample.writer),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       ::testing::HasSubstr("t 2")));
}

TEST(SerializeTest, RefusesAModuleThatDoesNotVerify) {
  SampleModule sample = Sample(" %r : Tensor = t::int(%x)");
  sample.module.functions[0].graph.operands[0] = Operand(ValueId(1000));
  EXPECT_THAT(Serialize(sample.module, sample.writer),
              StatusIs(absl::StatusCode::kInvalidArgument, ::testing::_));
}

}  // namespace
}  // namespace opcompat
