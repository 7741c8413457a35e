#include "check/proof_lives.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace opcompat {
namespace {

std::string Schema(absl::string_view p) {
  return p.empty() ? "(Tensor x) -> Tensor"
                   : absl::StrCat("(Tensor x, ", p, ") -> Tensor");
}

std::vector<std::string> DeclarationsFor(const std::string& now) {
  // What may be declared where `p` is removed or stays away.
  if (now.empty()) {
    return {"retired_value { argument: \"p\" value: \"0\" }",
            "retired_value { argument: \"p\" value: \"1\" }",
            "retired_value { argument: \"p\" value: \"None\" }"};
  }
  return {"neutral_value { argument: \"p\" value: \"0\" }",
          "neutral_value { argument: \"p\" value: \"1\" }",
          "neutral_value { argument: \"p\" value: \"None\" }",
          "neutral_value { argument: \"p\" none: true }",
          "ignorable_argument: \"p\"",
          "equal_value { argument: \"p\" value: \"None\" means: \"0\" }"};
}

}  // namespace

std::vector<std::string> FewArguments() {
  return {"",
          "int p",
          "int p=0",
          "int? p=None",
          "float p=0.0",
          "Scalar p=0.5",
          "int[2] p=0",
          "Tensor? p=None"};
}

std::vector<std::string> SomeArguments() {
  std::vector<std::string> arguments = FewArguments();
  for (const char* more :
       {"int p=1", "float p=-0.0", "Scalar p", "bool p=False", "str p=\"a\"",
        "Tensor p", "int[] p=[]", "Scalar[] p=[]", "*, int p=0"}) {
    arguments.push_back(more);
  }
  return arguments;
}

std::vector<std::string> ManyArguments() {
  std::vector<std::string> arguments = SomeArguments();
  for (const char* more :
       {"int? p",         "int? p=0",           "float p",
        "float? p=None",  "float p=nan",        "Scalar p=0",
        "Scalar? p=None", "bool? p=None",       "str? p=None",
        "int[2] p",       "int[2] p=[0, 1]",    "int[3] p=0",
        "int[]? p=None",  "float[] p=[]",       "int?[] p=[]",
        "SymInt p=0",     "ScalarType? p=None", "ScalarType p=0",
        "*, int p",       "*, float p=0.0"}) {
    arguments.push_back(more);
  }
  return arguments;
}

std::vector<OperatorLife> OneArgumentLives(
    const std::vector<std::string>& arguments) {
  std::vector<OperatorLife> lives;
  for (const std::string& a : arguments) {
    for (const std::string& b : arguments) {
      for (const std::string& c : arguments) {
        lives.push_back({{Schema(a), {}}, {Schema(b), {}}, {Schema(c), {}}});
      }
      // Deleted and added again.
      lives.push_back({{Schema(a), {}}, {"", {}}, {Schema(b), {}}});
    }
  }
  return lives;
}

std::vector<OperatorLife> DeclaredLives(
    const std::vector<std::string>& arguments) {
  std::vector<OperatorLife> lives;
  for (const std::string& a : arguments) {
    for (const std::string& b : arguments) {
      for (const std::string& c : arguments) {
        const OperatorLife life = {
            {Schema(a), {}}, {Schema(b), {}}, {Schema(c), {}}};
        for (size_t v = 1; v < 3; ++v) {
          for (const std::string& declared : DeclarationsFor(v == 1 ? b : c)) {
            lives.push_back(life);
            lives.back()[v].declared = {declared};
          }
        }
      }
    }
  }
  return lives;
}

std::vector<OperatorLife> TwoArgumentLives() {
  const char* const kSchemas[] = {
      "(Tensor x) -> Tensor",
      "(Tensor x, int p, int q) -> Tensor",
      "(Tensor x, int q, int p) -> Tensor",
      "(Tensor x, int p, int q=0) -> Tensor",
      "(Tensor x, int p=0, int q=0) -> Tensor",
      "(Tensor x, int p=0, int q=1) -> Tensor",
      "(Tensor x, int q=0, int p=0) -> Tensor",
      "(Tensor x, *, int p, int q) -> Tensor",
      "(Tensor x, *, int p=0, int q) -> Tensor",
      "(Tensor x, *, int q, int p=0) -> Tensor",
      "(Tensor x, Scalar p, int? q=None) -> Tensor",
      "(Tensor x, int? q=None, *, Scalar p) -> Tensor",
      "(Tensor x, int q) -> Tensor",
      "(Tensor x, int r, int q) -> Tensor",
      "(Tensor x, int p=0, *, Tensor(a!) out) -> Tensor",
      "(Tensor x, int p=0, *, float q=0.0, Tensor(a!) out) -> Tensor",
  };
  std::vector<OperatorLife> lives;
  for (const char* a : kSchemas) {
    for (const char* b : kSchemas) {
      lives.push_back({{a, {}}, {b, {}}});
      for (const char* declared :
           {"renamed_argument { from: \"p\" to: \"r\" }",
            "renamed_argument { from: \"r\" to: \"p\" }",
            "neutral_value { argument: \"q\" value: \"0\" }",
            "ignorable_argument: \"q\"", "annotation_fixed: true"}) {
        lives.push_back({{a, {}}, {b, {declared}}});
      }
    }
  }
  return lives;
}

std::vector<OperatorLife> ResultLives() {
  const char* const kArguments[] = {"Tensor x", "Tensor(a!) x", "Tensor(a) x",
                                    "Tensor x, ..."};
  const char* const kResults[] = {"()",        "Tensor",        "Tensor(a!)",
                                  "Tensor(a)", "int",           "Scalar",
                                  "int?",      "(Tensor, int)", "(int, Tensor)",
                                  "...",       "(Tensor, ...)", "int[]",
                                  "Scalar[]",  "SymInt"};
  std::vector<std::string> schemas;
  for (const char* argument : kArguments) {
    for (const char* result : kResults) {
      schemas.push_back(absl::StrCat("(", argument, ") -> ", result));
    }
  }
  std::vector<OperatorLife> lives;
  for (const std::string& a : schemas) {
    for (const std::string& b : schemas) {
      lives.push_back({{a, {}}, {b, {}}});
      if (absl::StrContains(absl::StrCat(a, b), "(a")) {
        lives.push_back({{a, {}}, {b, {"annotation_fixed: true"}}});
      }
    }
  }
  return lives;
}

std::vector<OperatorLife> RevisionLives(
    const std::vector<std::string>& arguments) {
  const char* const kConditions[] = {
      "",
      "one_way_up: true one_way_down: true",
      "unchanged_when {}",
      "unchanged_when { all { argument: \"p\" one_of: \"0\" } }",
      "unchanged_when { all { argument: \"p\" one_of: \"None\" } }",
      "unchanged_when { all { argument: \"p\" types: \"int\" } }",
      "unchanged_when { all { argument: \"x\" types: \"Tensor\" } }",
      "unchanged_when { all { argument: \"p\" one_of: \"0\" types: \"int\" } }",
      ("unchanged_when { all { argument: \"p\" one_of: \"0\" } } "
       "unchanged_when { all { argument: \"p\" types: \"int\" } }"),
  };
  std::vector<OperatorLife> lives;
  for (const std::string& a : arguments) {
    for (const std::string& b : arguments) {
      for (const std::string& c : arguments) {
        for (const char* condition : kConditions) {
          const std::string change =
              absl::StrCat("semantic_change { revision: 2 ", condition, " }");
          lives.push_back(
              {{Schema(a), {}}, {Schema(b), {change}}, {Schema(c), {}}});
          lives.push_back(
              {{Schema(a), {}}, {Schema(b), {}}, {Schema(c), {change}}});
        }
      }
    }
  }
  return lives;
}

std::vector<OperatorLife> GraphLives() {
  struct Body {
    const char* schema;      // of the operator before
    const char* parameters;  // of the graph
    const char* operands;    // of the other operator's call
  };
  const Body kBodies[] = {
      {"(Tensor x) -> Tensor", "%x : Tensor", "%x"},
      {"(Tensor x) -> Tensor", "%x : Tensor", "%x, 3"},
      {"(Tensor x, int p=0) -> Tensor", "%x : Tensor, %p : int", "%x, %p"},
      {"(Tensor x, int p) -> Tensor", "%x : Tensor, %p : int", "%x, %p"},
      {"(Tensor x, int p=0) -> Tensor", "%x : Tensor, %p : int", "%x, 0"},
      {"(Tensor x, Scalar p=0) -> Tensor", "%x : Tensor, %p : Scalar",
       "%x, %p"},
  };
  const char* const kBefore[] = {"(Tensor x, int q) -> Tensor",
                                 "(Tensor x, int q=0) -> Tensor",
                                 "(Tensor x, Scalar q) -> Tensor"};
  const char* const kAfter[] = {
      "",
      "(Tensor x) -> Tensor",
      "(Tensor x, int q) -> Tensor",
      "(Tensor x, int? q=None) -> Tensor",
      "(Tensor x, Scalar q=1) -> Tensor",
      "(Tensor x, int q, int r) -> Tensor",
  };
  const char* const kConditions[] = {
      "upgraders { graph: \"$graph\" }",
      "upgraders { when { all { argument: \"p\" one_of: \"0\" } } graph: "
      "\"$graph\" }",
      "upgraders { when { all { argument: \"p\" types: \"int\" } } graph: "
      "\"$graph\" } unchanged_when { all { argument: \"p\" one_of: \"0\" } }",
      "upgraders { when { all { argument: \"x\" types: \"Tensor\" } } graph: "
      "\"$graph\" }",
  };
  std::vector<OperatorLife> lives;
  for (const Body& body : kBodies) {
    for (const char* before : kBefore) {
      for (const char* after : kAfter) {
        for (const char* condition : kConditions) {
          for (const char* retired : {"", "0", "3"}) {
            OperatorLife life(3);
            for (OperatorState& state : life) {
              state.schema = body.schema;
              state.helper = before;
            }
            life[1].declared = {absl::StrCat(
                "semantic_change { revision: 2 one_way_down: true ", condition,
                " }")};
            life[1].graph =
                absl::StrCat("func up(", body.parameters,
                             ") -> (Tensor):\n  %r : Tensor = $helper(",
                             body.operands, ")\n  return (%r)\n");
            life[2].helper = after;
            if (*retired != '\0') {
              life[2].helper_declared = {
                  absl::StrCat("retired_value { argument: \"q\" value: \"",
                               retired, "\" }")};
            }
            lives.push_back(life);
          }
        }
      }
    }
  }
  return lives;
}

std::vector<OperatorLife> VariableLives() {
  const char* const kSchemas[] = {
      "(t a, t b) -> t",
      "(t b, t a) -> t",
      "(t a, t b=1) -> t",
      "(t a, t b, int c=0) -> t",
      "(t a, t b) -> (t, t)",
      "(t[] a, t b) -> t",
      "(t a) -> t",
      "(t a, Any b) -> t",
      "(t a, *, t b) -> Tensor",
      "(int a, t b) -> t",
  };
  std::vector<OperatorLife> lives;
  for (const char* a : kSchemas) {
    for (const char* b : kSchemas) lives.push_back({{a, {}}, {b, {}}});
  }
  return lives;
}

}  // namespace opcompat
