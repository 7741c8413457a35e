// Laws of the model, over every call of every small history: what the table of
// docs/compatibility.md derives is what the definition of meaning says, and it
// refuses only where no call of the reader means the same.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compat_matrix/oracle/call.h"
#include "compat_matrix/oracle/identity.h"
#include "compat_matrix/oracle/meaning.h"
#include "compat_matrix/oracle/steps.h"
#include "compat_matrix/oracle/testing.h"
#include "gtest/gtest.h"
#include "schema/history.h"
#include "schema/opset.h"
#include "schema/typing.h"

namespace opcompat {
namespace oracle {
namespace {

// What `p` of `t::f(Tensor x, ..., int q=5)` may be at one version.
const char* const kStates[] = {
    nullptr,  // not there
    "int p",       "int p=0",     "int p=1",
    "int? p=None", "float p=0.0", "float p=-0.0",
    "Scalar p=0",  "int[2] p=0",  "int[2] p=[0, 1]",
};

// What a test may write for `p`, where it fits.
const Value kLiterals[] = {
    Value::None(),
    Value::Int(0),
    Value::Int(1),
    Value::Float(0.0),
    Value::Float(-0.0),
    Value::Float(0.5),
    Value::List({Value::Int(0), Value::Int(0)}),
    Value::List({Value::Int(0), Value::Int(1)}),
    Value::List({}),
};

// Graph values, by type.
const TypeKind kGraphTypes[] = {TypeKind::kInt, TypeKind::kFloat};

struct Version {
  Runtime runtime;
  OperatorEntryPtr entry;
  std::vector<OpsetVersion> opsets;
  std::vector<Call> calls;
};

Given GraphValue(uint32_t id, TypeKind kind) {
  Given given;
  given.kind = Given::Kind::kGraphValue;
  given.value = ValueId(id);
  given.type = Type(kind);
  return given;
}

// Every call of `entry` over the literals and graph values.
std::vector<Call> AllCalls(const OperatorEntryPtr& entry) {
  std::vector<Call> calls(1);
  calls[0].entry = entry;
  calls[0].results = {{Type(TypeKind::kTensor), true, false}};
  for (size_t i = 0; i < entry->num_exposed(); ++i) {
    const EntryArgument& argument = entry->arguments[i];
    std::vector<Given> choices;
    if (argument.name() == "x") {
      choices = {GraphValue(100, TypeKind::kTensor)};
    } else {
      if (argument.default_value.has_value()) {
        choices.push_back(Given::LeftOut());
      }
      if (argument.name() != "q") {
        for (const Value& literal : kLiterals) {
          // Only in the form that the type wants: `1` at float is 1.0, which is
          // there already.
          const absl::StatusOr<Value> value =
              CoerceLiteral(literal, argument.type);
          if (value.ok() && *value == literal) {
            choices.push_back(Given::Constant(*value));
          }
        }
        for (size_t g = 0; g < std::size(kGraphTypes); ++g) {
          if (IsSubtype(Type(kGraphTypes[g]), argument.type)) {
            choices.push_back(
                GraphValue(static_cast<uint32_t>(g), kGraphTypes[g]));
          }
        }
      }
    }
    std::vector<Call> longer;
    for (const Call& call : calls) {
      for (const Given& choice : choices) {
        longer.push_back(call);
        longer.back().arguments.push_back(choice);
      }
    }
    calls = std::move(longer);
  }
  return calls;
}

bool SameGraphValue(const Given& a, const Type&, const Given& b, const Type&) {
  return a.kind == b.kind &&
         (a.kind == Given::Kind::kGraphValue ? a.value == b.value
                                             : a.constant == b.constant);
}

class SmallHistory {
 public:
  explicit SmallHistory(const OpsetHistory& history) {
    for (const Opset& opset : history.versions()) {
      Version version;
      version.runtime = RuntimeAt(history, opset.version());
      version.entry = opset.Find("t::f")->current();
      version.opsets = {{"t", opset.version()}};
      version.calls = AllCalls(version.entry);
      versions_.push_back(std::move(version));
    }
    for (size_t i = 0; i < versions_.size(); ++i) {
      pairings_.emplace_back();
      for (size_t j = 0; j < versions_.size(); ++j) {
        // Versions know others up to their own: the later one knows both.
        const Runtime& later = versions_[i < j ? j : i].runtime;
        pairings_[i].push_back(Pair(*versions_[i].entry, *versions_[j].entry,
                                    later.opsets().front()));
      }
    }
  }

  const std::vector<Version>& versions() const { return versions_; }

  absl::optional<Call> Derive(const Call& call, size_t writer,
                              size_t reader) const {
    std::vector<Problem> problems;
    Derived derived =
        Derivation(versions_[reader].runtime, &versions_[writer].runtime, false)
            .Derive(call, versions_[writer].opsets,
                    Derivation::Where::kInModule, &problems);
    EXPECT_EQ(derived.call.has_value(), problems.empty());
    return std::move(derived.call);
  }

  // By definition. `a` is a call of version `i`, `b` of version `j`.
  bool SameMeaning(const Call& a, size_t i, const Call& b, size_t j) const {
    return !MeaningsDiffer(a, b, pairings_[i][j], SameGraphValue).has_value();
  }

 private:
  std::vector<Version> versions_;
  std::vector<std::vector<Pairing>> pairings_;
};

void CheckLaws(const SmallHistory& history, int* accepted, int* refused) {
  const std::vector<Version>& versions = history.versions();
  for (size_t w = 0; w < versions.size(); ++w) {
    for (const Call& call : versions[w].calls) {
      std::vector<absl::optional<Call>> derived_at;
      for (size_t r = 0; r < versions.size(); ++r) {
        derived_at.push_back(history.Derive(call, w, r));
      }
      for (size_t r = 0; r < versions.size(); ++r) {
        SCOPED_TRACE(testing::Message()
                     << "written at " << w + 1 << ", read at " << r + 1);
        const absl::optional<Call>& derived = derived_at[r];
        std::vector<const Call*> same;
        for (const Call& other : versions[r].calls) {
          if (history.SameMeaning(call, w, other, r)) same.push_back(&other);
        }
        if (!derived.has_value()) {
          ++*refused;
          EXPECT_NE(w, r) << "refused by its own version";
          EXPECT_TRUE(same.empty()) << "refused, but there is such a call";
          continue;
        }
        ++*accepted;
        EXPECT_TRUE(history.SameMeaning(call, w, *derived, r))
            << "derived with another meaning";
        // One normal form: whatever means the same at the reader is one call.
        for (const Call* other : same) {
          EXPECT_TRUE(history.SameMeaning(*derived, r, *other, r));
        }
        for (size_t t = 0; t < versions.size(); ++t) {
          const absl::optional<Call>& directly = derived_at[t];
          const absl::optional<Call> onwards = history.Derive(*derived, r, t);
          if (t == w) {
            EXPECT_TRUE(onwards.has_value()) << "no way back";
          }
          if (directly.has_value() && onwards.has_value()) {
            EXPECT_TRUE(history.SameMeaning(*directly, t, *onwards, t))
                << "through this to " << t + 1;
          }
        }
      }
    }
  }
}

class OracleLawsTest : public testing::TestWithParam<const char*> {};

TEST_P(OracleLawsTest, TheTableIsTheDefinition) {
  int histories = 0;
  int accepted = 0;
  int refused = 0;
  for (const char* const first : kStates) {
    for (const char* const second : kStates) {
      for (const char* const third : kStates) {
        std::vector<TextVersion> texts;
        for (const char* const state : {first, second, third}) {
          // In the third version the arguments behind `x` are keyword-only, so
          // that place means nothing.
          const bool last = texts.size() == 2;
          texts.push_back(
              {absl::StrCat(texts.size() + 1),
               absl::StrCat("t::f(Tensor x, ", last ? "*, " : "",
                            state == nullptr ? "" : absl::StrCat(state, ", "),
                            "int q=5) -> Tensor"),
               last ? GetParam() : ""});
        }
        if (second != nullptr && absl::StrContains(second, "int?") &&
            (first == nullptr || !absl::StrContains(first, "int?"))) {
          texts[1].declared =
              "changes { operator: \"t::f\" equal_value { argument: \"p\" "
              "value: \"None\" means: \"0\" } }";
        }
        const LoadedHistory loaded = LoadText(texts);
        // Types that do not go together, a removal without a value, ...
        if (loaded.history == nullptr) continue;
        ++histories;
        SCOPED_TRACE(absl::StrCat(texts[0].operators, "\n", texts[1].operators,
                                  texts[1].declared, "\n", texts[2].operators));
        CheckLaws(SmallHistory(*loaded.history), &accepted, &refused);
        if (HasFailure()) return;
      }
    }
  }
  // The sieve of faulty histories must not have taken everything.
  EXPECT_GT(histories, 150);
  EXPECT_GT(accepted, 5000);
  EXPECT_GT(refused, 2000);
}

INSTANTIATE_TEST_SUITE_P(
    Gaps, OracleLawsTest,
    testing::Values("", "gap { }\n",
                    "gap { added_defaults_are_neutral: true "
                    "removed_defaults_are_retired: true }\n"));

}  // namespace
}  // namespace oracle
}  // namespace opcompat
