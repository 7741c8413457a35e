// IsSubtype, Substitute and HasVariables of schema/typing.h.

#include "schema/typing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "schema/random_types.h"
#include "schema/type.h"

namespace opcompat {
namespace {

const Type kInt(TypeKind::kInt);
const Type kFloat(TypeKind::kFloat);
const Type kBool(TypeKind::kBool);
const Type kComplex(TypeKind::kComplex);
const Type kString(TypeKind::kString);
const Type kScalar(TypeKind::kScalar);
const Type kScalarType(TypeKind::kScalarType);
const Type kLayout(TypeKind::kLayout);
const Type kReduction(TypeKind::kReduction);
const Type kTensor(TypeKind::kTensor);
const Type kAny(TypeKind::kAny);
const Type kNone(TypeKind::kNone);
const Type kSymInt(TypeKind::kSymInt);
const Type kSymFloat(TypeKind::kSymFloat);
const Type kSymBool(TypeKind::kSymBool);
const Type kQScheme(TypeKind::kQScheme);
const Type kNet = Type::Named("__torch__.Net");
const Type kT = Type::Variable("t");
const Type kT1 = Type::Variable("t1");

Type Opt(const Type& type) { return Type::Optional(type); }
Type List(const Type& type, int64_t size = 0) { return Type::List(type, size); }
Type Future(const Type& type) { return Type::Wrapper(TypeKind::kFuture, type); }

enum class Fits { kNo, kYes, kCovariantly };

struct Case {
  Type value;
  Type expected;
  Fits fits;
};

TEST(IsSubtypeTest, FollowsTheTable) {
  const Case kCases[] = {
      // Several names of one type.
      {kInt, kInt, Fits::kYes},
      {kInt, kSymInt, Fits::kYes},
      {kSymInt, kInt, Fits::kYes},
      {kScalarType, kInt, Fits::kYes},
      {kLayout, kScalarType, Fits::kYes},
      {kSymInt, kReduction, Fits::kYes},
      {kSymFloat, kFloat, Fits::kYes},
      {kFloat, kSymFloat, Fits::kYes},
      {kSymBool, kBool, Fits::kYes},
      {kInt, kFloat, Fits::kNo},
      {kInt, kBool, Fits::kNo},
      {kBool, kInt, Fits::kNo},
      {kFloat, kComplex, Fits::kNo},
      {kInt, kQScheme, Fits::kNo},
      {kString, Type(TypeKind::kDevice), Fits::kNo},
      // Scalar.
      {kInt, kScalar, Fits::kYes},
      {kSymInt, kScalar, Fits::kYes},
      {kScalarType, kScalar, Fits::kYes},
      {kFloat, kScalar, Fits::kYes},
      {kSymFloat, kScalar, Fits::kYes},
      {kComplex, kScalar, Fits::kYes},
      {kScalar, kScalar, Fits::kYes},
      {kBool, kScalar, Fits::kNo},
      {kTensor, kScalar, Fits::kNo},
      {kScalar, kInt, Fits::kNo},
      {kScalar, kFloat, Fits::kNo},
      // Any.
      {kTensor, kAny, Fits::kYes},
      {kNone, kAny, Fits::kYes},
      {Opt(kInt), kAny, Fits::kYes},
      {kAny, kAny, Fits::kYes},
      {kAny, Opt(kAny), Fits::kYes},
      {kAny, kTensor, Fits::kNo},
      {kT, kAny, Fits::kYes},
      // Optionals.
      {kNone, Opt(kTensor), Fits::kYes},
      {kTensor, Opt(kTensor), Fits::kYes},
      {Opt(kTensor), Opt(kTensor), Fits::kYes},
      {Opt(kInt), Opt(kScalar), Fits::kYes},
      {kInt, Opt(kScalar), Fits::kYes},
      {Opt(kTensor), kTensor, Fits::kNo},
      {Opt(kInt), Opt(kFloat), Fits::kNo},
      {kNone, kNone, Fits::kYes},
      {kNone, kTensor, Fits::kNo},
      {kNone, kReduction, Fits::kNo},
      {Opt(kTensor), kNone, Fits::kNo},
      // Lists.
      {List(kInt), List(kInt), Fits::kYes},
      {List(kInt, 2), List(kInt), Fits::kYes},
      {List(kInt), List(kInt, 2), Fits::kYes},
      {List(kInt, 3), List(kInt, 2), Fits::kYes},
      {List(kInt), List(kSymInt), Fits::kYes},
      {List(kSymFloat), List(kFloat), Fits::kYes},
      {List(kInt), List(kScalar), Fits::kCovariantly},
      {List(kTensor), List(Opt(kTensor)), Fits::kCovariantly},
      {List(kTensor), List(kAny), Fits::kCovariantly},
      {List(List(kInt)), List(List(kScalar)), Fits::kCovariantly},
      {List(kInt), Opt(List(kInt)), Fits::kYes},
      {List(kInt), Opt(List(kScalar)), Fits::kCovariantly},
      {Opt(List(kInt)), Opt(List(kScalar)), Fits::kCovariantly},
      {List(kInt), kAny, Fits::kYes},
      {List(Opt(kTensor)), List(kTensor), Fits::kNo},
      {List(kInt), List(kFloat), Fits::kNo},
      {kInt, List(kInt, 2), Fits::kNo},
      {List(kInt), kInt, Fits::kNo},
      // Dicts.
      {Type::Dict(kString, kInt), Type::Dict(kString, kInt), Fits::kYes},
      {Type::Dict(kInt, kInt), Type::Dict(kSymInt, kSymInt), Fits::kYes},
      {Type::Dict(kString, kInt), Type::Dict(kString, kScalar),
       Fits::kCovariantly},
      {Type::Dict(kInt, kInt), Type::Dict(kScalar, kInt), Fits::kNo},
      {Type::Dict(kString, kScalar), Type::Dict(kString, kInt), Fits::kNo},
      // Tuples, which nobody can write.
      {Type::Tuple({kInt, kTensor}), Type::Tuple({kScalar, Opt(kTensor)}),
       Fits::kYes},
      {Type::Tuple({}), Type::Tuple({}), Fits::kYes},
      {Type::Tuple({List(kInt)}), Type::Tuple({List(kScalar)}),
       Fits::kCovariantly},
      {List(Type::Tuple({kInt})), List(Type::Tuple({kScalar})),
       Fits::kCovariantly},
      {Type::Tuple({kInt}), Type::Tuple({kInt, kInt}), Fits::kNo},
      {Type::Tuple({kInt}), Type::Tuple({kFloat}), Fits::kNo},
      {Type::Tuple({kInt}), List(kInt), Fits::kNo},
      {Type::NamedTuple({"a"}, {kInt}), Type::NamedTuple({"a"}, {kScalar}),
       Fits::kYes},
      {Type::NamedTuple({"a"}, {kInt}), Type::NamedTuple({"b"}, {kInt}),
       Fits::kNo},
      {Type::NamedTuple({"a"}, {kInt}), Type::Tuple({kScalar}), Fits::kYes},
      {List(Type::NamedTuple({"a"}, {kInt})), List(Type::Tuple({kInt})),
       Fits::kCovariantly},
      {Type::Tuple({kInt}), Type::NamedTuple({"a"}, {kInt}), Fits::kNo},
      // Wrappers.
      {Future(kInt), Future(kSymInt), Fits::kYes},
      {Future(kInt), Future(kScalar), Fits::kNo},
      {Future(kInt), Type::Wrapper(TypeKind::kRRef, kInt), Fits::kNo},
      // Names.
      {kNet, kNet, Fits::kYes},
      {kNet, Type::Named("__torch__.Other"), Fits::kNo},
      {kNet, kTensor, Fits::kNo},
      {kT, kT, Fits::kYes},
      {kT, kT1, Fits::kNo},
      {kInt, kT, Fits::kNo},
      {kT, Type::Named("t"), Fits::kNo},
  };
  for (const Case& c : kCases) {
    bool covariant = false;
    const bool fits = IsSubtype(c.value, c.expected, nullptr, &covariant);
    EXPECT_EQ(fits, c.fits != Fits::kNo)
        << c.value.ToString() << " at " << c.expected.ToString();
    EXPECT_EQ(IsSubtype(c.value, c.expected), fits);
    if (fits) {
      EXPECT_EQ(covariant, c.fits == Fits::kCovariantly)
          << c.value.ToString() << " at " << c.expected.ToString();
    }
  }
}

TEST(IsSubtypeTest, NeverClearsTheFlag) {
  bool covariant = true;
  EXPECT_TRUE(IsSubtype(kInt, kInt, nullptr, &covariant));
  EXPECT_TRUE(covariant);
}

// Every type of up to two levels over a few leaves, and some at random.
std::vector<Type> ManyTypes() {
  const std::vector<Type> leaves = {kTensor, kInt,   kFloat, kBool,
                                    kScalar, kAny,   kNone,  kScalarType,
                                    kNet,    kSymInt};
  std::vector<Type> types = leaves;
  for (const Type& leaf : leaves) {
    if (leaf != kNone) types.push_back(Opt(leaf));
    types.push_back(List(leaf));
    types.push_back(List(leaf, 2));
    types.push_back(Type::Dict(kInt, leaf));
    types.push_back(Type::Dict(leaf, kInt));
    types.push_back(Type::Tuple({leaf}));
    types.push_back(Type::NamedTuple({"a"}, {leaf}));
    types.push_back(Future(leaf));
    types.push_back(List(Opt(leaf)));
    types.push_back(Opt(List(leaf)));
    types.push_back(List(Type::Tuple({leaf})));
    types.push_back(List(Type::NamedTuple({"a"}, {leaf})));
  }
  RandomTypes random(6);
  for (int i = 0; i < 50; ++i) types.push_back(random.NextType(3));
  return types;
}

TEST(IsSubtypeTest, EveryTypeIsItsOwnSubtypeInvariantly) {
  RandomTypes random(7);
  for (int i = 0; i < 5000; ++i) {
    const Type type = random.NextType(4, true);
    bool covariant = false;
    EXPECT_TRUE(IsSubtype(type, type, nullptr, &covariant)) << type.ToString();
    EXPECT_FALSE(covariant) << type.ToString();
    EXPECT_TRUE(IsSubtype(type, Opt(type))) << type.ToString();
    EXPECT_TRUE(IsSubtype(type, kAny)) << type.ToString();
  }
}

TEST(IsSubtypeTest, ASubtypeOfASubtypeIsASubtype) {
  const std::vector<Type> types = ManyTypes();
  std::vector<std::vector<size_t>> above(types.size());
  for (size_t a = 0; a < types.size(); ++a) {
    for (size_t b = 0; b < types.size(); ++b) {
      if (IsSubtype(types[a], types[b])) above[a].push_back(b);
    }
  }
  int chains = 0;
  for (size_t a = 0; a < types.size(); ++a) {
    const absl::flat_hash_set<size_t> above_a(above[a].begin(), above[a].end());
    for (size_t b : above[a]) {
      for (size_t c : above[b]) {
        if (a != b && b != c) ++chains;
        EXPECT_TRUE(above_a.contains(c))
            << types[a].ToString() << ", " << types[b].ToString() << ", "
            << types[c].ToString();
      }
    }
  }
  EXPECT_GT(chains, 1000);
}

struct Operand {
  Type value;
  Type expected;
  bool covariant = false;  // as the second pass finds it
};

struct Call {
  std::vector<Operand> operands;
  bool fits;
  Type bound = kNone;  // to `t`
};

TEST(IsSubtypeTest, VariablesAreSolvedOverTheWholeCall) {
  const Call kCalls[] = {
      {{{kInt, kT}}, true, kInt},
      {{{kInt, kT}, {kInt, kT}}, true, kInt},
      {{{kInt, kT}, {kSymInt, kT}}, true, kInt},
      {{{kInt, kT}, {kFloat, kT}}, false},
      {{{List(kInt), List(kT)}, {kInt, kT}}, true, kInt},
      {{{List(kInt), List(kT)}, {kString, kT}}, false},
      {{{kInt, List(kT)}}, false},
      // The wider one wins, whichever came first.
      {{{kInt, kT}, {kScalar, kT}}, true, kScalar},
      {{{kScalar, kT}, {kInt, kT}}, true, kScalar},
      {{{kInt, kT}, {Opt(kInt), kT}}, true, Opt(kInt)},
      {{{kNone, kT}, {Opt(kInt), kT}}, true, Opt(kInt)},
      {{{Opt(kInt), kT}, {kNone, kT}}, true, Opt(kInt)},
      {{{kNone, kT}, {kInt, kT}}, false},
      // A container's element, once widened, is a subtype only.
      {{{List(kInt), List(kT), true}, {kScalar, kT}}, true, kScalar},
      {{{kScalar, kT}, {List(kInt), List(kT), true}}, true, kScalar},
      {{{List(kInt), List(kT), true}, {Opt(kInt), kT}}, true, Opt(kInt)},
      {{{List(kInt), List(kT), true}, {List(kScalar), List(kT)}},
       true,
       kScalar},
      // Optional arguments.
      {{{kNone, Opt(kT)}, {kInt, kT}}, true, kInt},
      {{{Opt(kInt), Opt(kT)}, {kInt, kT}}, true, kInt},
      {{{kInt, Opt(kT)}}, true, kInt},
      // A key that is widened no longer is the same.
      {{{Type::Dict(kInt, kTensor), Type::Dict(kT, kTensor)}, {kScalar, kT}},
       false},
      {{{Type::Dict(kInt, kInt), Type::Dict(kT, kT1)}, {kInt, kT}}, true, kInt},
      {{{Type::Tuple({kInt, kFloat}), Type::Tuple({kT, kT1})}}, true, kInt},
      {{{Future(kInt), Future(kT)}, {kScalar, kT}}, false},
      // The variables of the value are types like others.
      {{{kT, kT}, {kInt, kT}}, false},
      {{{kT1, kT}, {List(kT1), List(kT)}}, true, kT1},
  };
  for (const Call& call : kCalls) {
    TypeVariables variables;
    bool fits = true;
    for (const Operand& operand : call.operands) {
      fits = fits &&
             IsSubtype(operand.value, operand.expected, &variables, nullptr);
    }
    std::string text;
    for (const Operand& operand : call.operands) {
      text += operand.value.ToString() + " at " + operand.expected.ToString() +
              "; ";
      bool covariant = false;
      fits = fits &&
             IsSubtype(operand.value, operand.expected, &variables, &covariant);
      if (fits) {
        EXPECT_EQ(covariant, operand.covariant) << text;
      }
    }
    EXPECT_EQ(fits, call.fits) << text;
    if (call.fits) {
      EXPECT_EQ(variables.at("t").ToString(), call.bound.ToString()) << text;
    }
  }
}

TEST(IsSubtypeTest, NoneBindsNothingAtAnOptional) {
  TypeVariables variables;
  EXPECT_TRUE(IsSubtype(kNone, Opt(kT), &variables, nullptr));
  EXPECT_TRUE(variables.empty());
}

TEST(IsSubtypeTest, WhatFitsTwiceFitsTheSubstitutedTypeAndBindsNoFurther) {
  RandomTypes random(8);
  int solved = 0;
  for (int i = 0; i < 50000; ++i) {
    const Type expected = random.NextType(3, true);
    if (!HasVariables(expected)) continue;
    const Type value = random.NextType(3);
    TypeVariables variables;
    if (!IsSubtype(value, expected, &variables, nullptr)) continue;
    TypeVariables again = variables;
    bool covariant = false;
    const bool fits = IsSubtype(value, expected, &again, &covariant);
    const Type substituted = Substitute(expected, variables);
    bool covariant_there = false;
    EXPECT_EQ(IsSubtype(value, substituted, nullptr, &covariant_there), fits)
        << value.ToString() << " at " << expected.ToString() << " = "
        << substituted.ToString();
    if (!fits) continue;
    ++solved;
    EXPECT_EQ(again, variables);
    EXPECT_EQ(covariant, covariant_there)
        << value.ToString() << " at " << expected.ToString();
  }
  EXPECT_GT(solved, 500);
}

TEST(IsSubtypeTest, TypesOverTheLimitsFitNothing) {
  Type type = kInt;
  for (int i = 1; i < kMaxTypeDepth; ++i) type = Type::Tuple({type, type});
  EXPECT_FALSE(IsSubtype(type, kAny));
  Type deep = kInt;
  for (int i = 0; i < 1000; ++i) deep = Type::List(deep);
  EXPECT_FALSE(IsSubtype(deep, deep));
}

TEST(SubstituteTest, ReplacesEveryBoundVariable) {
  const TypeVariables variables = {{"t", kInt}, {"t2", kT}, {"t3", Opt(kInt)}};
  const struct {
    Type type;
    Type substituted;
  } kCases[] = {
      {kT, kInt},
      {kT1, kT1},
      {kTensor, kTensor},
      // Not again in what was put in.
      {Type::Variable("t2"), kT},
      {Opt(kT), Opt(kInt)},
      {Opt(Type::Variable("t3")), Opt(kInt)},
      {List(kT, 2), List(kInt, 2)},
      {Type::Dict(kT1, kT), Type::Dict(kT1, kInt)},
      {Type::Tuple({kT, List(kT)}), Type::Tuple({kInt, List(kInt)})},
      {Type::NamedTuple({"a"}, {kT}), Type::NamedTuple({"a"}, {kInt})},
      {Future(kT), Future(kInt)},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(Substitute(c.type, variables).ToString(),
              c.substituted.ToString());
  }
}

TEST(HasVariablesTest, FindsThemAtEveryLevel) {
  for (const Type& type :
       {kT, Opt(kT), List(kT), Type::Dict(kInt, kT), Type::Tuple({kInt, kT}),
        Type::NamedTuple({"a"}, {kT}), Future(kT)}) {
    EXPECT_TRUE(HasVariables(type)) << type.ToString();
    EXPECT_TRUE(HasVariables(List(type)));
  }
  for (const Type& type : {kInt, kNet, Type::Tuple({}), List(kInt)}) {
    EXPECT_FALSE(HasVariables(type)) << type.ToString();
  }
}

}  // namespace
}  // namespace opcompat
