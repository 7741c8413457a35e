#include "compat_matrix/laws_test_histories.h"

#include <cstddef>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace opcompat {
namespace {

using Operators = std::vector<GeneratedOperator>;

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  int Below(int n) {
    return static_cast<int>(engine_() % static_cast<uint64_t>(n));
  }
  bool OneIn(int n) { return Below(n) == 0; }

 private:
  std::mt19937_64 engine_;
};

std::string SchemaOf(const GeneratedOperator& op) {
  std::string schema = absl::StrCat("t::", op.name, "(Tensor x");
  if (op.num_tensors == 2) absl::StrAppend(&schema, ", Tensor y");
  for (const GeneratedOperator::Number& number : op.numbers) {
    absl::StrAppend(&schema, ", int ", number.name, "=", number.default_value);
  }
  return absl::StrCat(schema, ") -> Tensor");
}

// Statements over values at hand, one a line.
class Statements {
 public:
  Statements(const Operators& operators, std::vector<std::string> tensors,
             std::vector<std::string> ints, Random* random)
      : operators_(operators),
        tensors_(std::move(tensors)),
        ints_(std::move(ints)),
        random_(*random) {}

  // `calls` of them, at least one; returns the text, and the last value.
  std::string Make(int calls, std::string* last) {
    for (int i = 0; i < calls; ++i) {
      switch (random_.Below(8)) {
        case 0:
          AddList();
          break;
        case 1:
          AddBranch();
          break;
        default:
          Add(CallOf(Chosen()));
      }
    }
    *last = tensors_.back();
    return std::move(text_);
  }

 private:
  const GeneratedOperator& Chosen() {
    return operators_[static_cast<size_t>(
        random_.Below(static_cast<int>(operators_.size())))];
  }
  const std::string& AnyOf(const std::vector<std::string>& values) {
    return values[static_cast<size_t>(
        random_.Below(static_cast<int>(values.size())))];
  }
  std::string AnInt() {
    return ints_.empty() || !random_.OneIn(3) ? absl::StrCat(random_.Below(3))
                                              : AnyOf(ints_);
  }

  std::string CallOf(const GeneratedOperator& op) {
    std::vector<std::string> operands;
    for (int i = 0; i < op.num_tensors; ++i) {
      operands.push_back(AnyOf(tensors_));
    }
    for (const GeneratedOperator::Number& number : op.numbers) {
      if (random_.OneIn(2)) {
        operands.push_back(absl::StrCat(number.name, "=", AnInt()));
      }
    }
    return absl::StrCat("t::", op.name, "(", absl::StrJoin(operands, ", "),
                        ")");
  }

  std::string NewValue() { return absl::StrCat("%v", next_++); }

  void Add(const std::string& what) {
    const std::string value = NewValue();
    absl::StrAppend(&text_, "  ", value, " : Tensor = ", what, "\n");
    tensors_.push_back(value);
  }

  void AddList() {
    const std::string list = NewValue();
    absl::StrAppend(&text_, "  ", list, " : int[] = prim::ListConstruct(",
                    AnInt(), ", ", AnInt(), ")\n");
    Add(absl::StrCat("t::list(", AnyOf(tensors_), ", ", list, ")"));
  }

  void AddBranch() {
    const std::string condition = NewValue();
    const std::string inside = NewValue();
    absl::StrAppend(&text_, "  ", condition, " : bool = t::flag(",
                    AnyOf(tensors_), ")\n");
    const std::string yielded = AnyOf(tensors_);
    const std::string call = CallOf(Chosen());
    Add(absl::StrCat("prim::If(", condition, ")\n    block0():\n      ", inside,
                     " : Tensor = ", call, "\n      -> (", inside,
                     ")\n    block1():\n      -> (", yielded, ")"));
  }

  const Operators& operators_;
  std::vector<std::string> tensors_;
  std::vector<std::string> ints_;
  Random& random_;
  std::string text_;
  int next_ = 0;
};

class Maker {
 public:
  Maker(uint64_t seed, const HistoryOptions& options)
      : random_(seed), options_(options) {}

  GeneratedHistory Make() {
    Operators operators;
    operators.push_back({"mix", 2, {{"k", 0}}, 1});
    for (int i = 0; i < 3; ++i) operators.push_back(NewOperator());
    AddVersion(operators, "");
    for (int v = 1; v < options_.num_versions; ++v) NextVersion();
    return std::move(history_);
  }

 private:
  GeneratedOperator NewOperator() {
    GeneratedOperator op;
    op.name = absl::StrCat("op", next_operator_++);
    op.numbers.push_back({"m", random_.Below(3)});
    if (random_.OneIn(2)) op.numbers.push_back(NewNumber());
    return op;
  }
  GeneratedOperator::Number NewNumber() {
    return {absl::StrCat("p", next_number_++), random_.Below(3)};
  }

  void AddVersion(const Operators& operators, const std::string& declared) {
    std::string schemas =
        "t::flag(Tensor x) -> bool\nt::list(Tensor x, int[] v) -> Tensor";
    for (const GeneratedOperator& op : operators) {
      absl::StrAppend(&schemas, "\n", SchemaOf(op));
    }
    history_.versions.push_back(
        {absl::StrCat(history_.versions.size() + 1), schemas, declared});
    history_.operators.push_back(operators);
  }

  // First what becomes of each operator, then the graphs, which call operators
  // of a whole version.
  void NextVersion() {
    const Operators before = history_.operators.back();
    Operators after;
    std::vector<size_t> changed;  // places in `before` and in `after`
    std::vector<size_t> changed_after;
    std::vector<size_t> gone;
    for (size_t i = 0; i < before.size(); ++i) {
      GeneratedOperator op = before[i];
      if (random_.OneIn(3)) {
        GeneratedOperator::Number& number = op.numbers[static_cast<size_t>(
            random_.Below(static_cast<int>(op.numbers.size())))];
        number.default_value = random_.Below(3);
      }
      const int kind = op.name == "mix" ? 9 : random_.Below(8);
      if (kind == 0) {
        op.numbers.push_back(NewNumber());
      } else if (kind == 1 && op.numbers.size() > 1) {
        op.numbers.pop_back();
      } else if (kind == 2 && !options_.invertible && before.size() > 3) {
        gone.push_back(i);
        continue;
      } else if (kind <= 5) {
        ++op.revision;
        changed.push_back(i);
        changed_after.push_back(after.size());
      }
      after.push_back(op);
    }
    const size_t first_new = after.size();
    if (!options_.invertible && random_.OneIn(2)) {
      after.push_back(NewOperator());
    }

    std::string declared;
    for (size_t i = 0; i < changed.size(); ++i) {
      const GeneratedOperator& from = before[changed[i]];
      const GeneratedOperator& to = after[changed_after[i]];
      const bool permutes = options_.invertible || random_.OneIn(3);
      absl::StrAppend(
          &declared,
          oracle::SemanticChange(absl::StrCat("t::", to.name), to.revision,
                                 permutes ? Permutation(from, to)
                                          : AnyStep(from, before, to, after)));
    }
    for (const size_t i : gone) {
      if (random_.OneIn(4)) continue;
      absl::StrAppend(&declared, "changes { operator: \"t::", before[i].name,
                      "\" removed { ", Graphs("steps", before[i], after),
                      " } }\n");
    }
    for (size_t i = first_new; i < after.size(); ++i) {
      if (random_.OneIn(4)) continue;
      absl::StrAppend(&declared, "changes { operator: \"t::", after[i].name,
                      "\" added { ", Graphs("steps", after[i], before),
                      " } }\n");
    }
    AddVersion(after, declared);
  }

  std::string Condition(int value) {
    return absl::StrCat("all { argument: \"m\" one_of: \"", value, "\" }");
  }

  // `m` is numbered anew, here and back.
  std::string Permutation(const GeneratedOperator& from,
                          const GeneratedOperator& to) {
    // A turn of all three, or an exchange of two, which leaves the third.
    const int turn = random_.Below(3);
    std::string fields;
    if (turn == 0) {
      absl::StrAppend(&fields, "unchanged_when { ", Condition(2), " } ");
    }
    for (int value = 0; value < 3; ++value) {
      const int moved =
          turn == 0 ? (value == 2 ? 2 : 1 - value) : (value + turn) % 3;
      absl::StrAppend(&fields, "upgraders { when { ", Condition(value),
                      " } graph: \"", Renumbered(from, to, moved), "\" } ",
                      "downgraders { when { ", Condition(moved), " } graph: \"",
                      Renumbered(to, from, value), "\" } ");
    }
    return fields;
  }

  // A graph that takes the arguments of `from`, and calls `to` with all that
  // both have, `m` being `value`.
  std::string Renumbered(const GeneratedOperator& from,
                         const GeneratedOperator& to, int value) {
    std::string call = absl::StrCat("t::", to.name, "(%x, m=", value);
    for (const GeneratedOperator::Number& number : to.numbers) {
      for (const GeneratedOperator::Number& other : from.numbers) {
        if (number.name == other.name && number.name != "m") {
          absl::StrAppend(&call, ", ", number.name, "=%", number.name);
        }
      }
    }
    return AddGraph(from, absl::StrCat("  %r : Tensor = ", call, ")\n"), "%r");
  }

  std::string AnyStep(const GeneratedOperator& from, const Operators& before,
                      const GeneratedOperator& to, const Operators& after) {
    std::string fields;
    if (random_.OneIn(2)) {
      absl::StrAppend(&fields, "unchanged_when { ", Condition(random_.Below(3)),
                      " } ");
    }
    fields += random_.OneIn(4) ? "one_way_up: true "
                               : Graphs("upgraders", from, after);
    fields += random_.OneIn(4) ? "one_way_down: true "
                               : Graphs("downgraders", to, before);
    return fields;
  }

  // One graph or two in field `field`, which take the arguments of `from`.
  std::string Graphs(const char* field, const GeneratedOperator& from,
                     const Operators& operators) {
    std::string fields;
    if (random_.OneIn(2)) {
      absl::StrAppend(&fields, field, " { when { ", Condition(random_.Below(3)),
                      " } graph: \"", AnyGraph(from, operators), "\" } ");
    }
    absl::StrAppend(&fields, field, " { ");
    if (random_.OneIn(4)) {
      absl::StrAppend(&fields, "when { ", Condition(random_.Below(3)), " } ");
    }
    absl::StrAppend(&fields, "graph: \"", AnyGraph(from, operators), "\" } ");
    return fields;
  }

  std::string AnyGraph(const GeneratedOperator& from,
                       const Operators& operators) {
    std::vector<std::string> tensors = {"%x"};
    if (from.num_tensors == 2) tensors.push_back("%y");
    std::vector<std::string> ints;
    for (const GeneratedOperator::Number& number : from.numbers) {
      ints.push_back("%" + number.name);
    }
    if (random_.OneIn(8)) return AddGraph(from, "", "%x");
    std::string last;
    const std::string statements =
        Statements(operators, tensors, ints, &random_)
            .Make(1 + random_.Below(2), &last);
    return AddGraph(from, statements, last);
  }

  std::string AddGraph(const GeneratedOperator& from,
                       const std::string& statements,
                       const std::string& returned) {
    std::string text = "func step(%x : Tensor";
    if (from.num_tensors == 2) absl::StrAppend(&text, ", %y : Tensor");
    for (const GeneratedOperator::Number& number : from.numbers) {
      absl::StrAppend(&text, ", %", number.name, " : int");
    }
    absl::StrAppend(&text, ") -> (Tensor):\n", statements, "  return (",
                    returned, ")\n");
    std::string path = absl::StrCat("graph", history_.graphs.size());
    history_.graphs.emplace(path, std::move(text));
    return path;
  }

  Random random_;
  const HistoryOptions options_;
  GeneratedHistory history_;
  int next_operator_ = 0;
  int next_number_ = 0;
};

}  // namespace

std::string GeneratedHistory::ToString() const {
  std::string text;
  for (const TextVersion& version : versions) {
    absl::StrAppend(&text, "version ", version.id, "\n", version.operators,
                    "\n", version.declared);
  }
  for (const auto& [path, graph] : graphs) {
    absl::StrAppend(&text, path, ":\n", graph);
  }
  return text;
}

GeneratedHistory GenerateHistory(uint64_t seed, const HistoryOptions& options) {
  return Maker(seed, options).Make();
}

std::string GenerateModuleText(const GeneratedHistory& history, size_t version,
                               uint64_t seed) {
  Random random(seed);
  std::string last;
  const std::string statements =
      Statements(history.operators[version], {"%x", "%y"}, {"%n"}, &random)
          .Make(1 + random.Below(3), &last);
  return absl::StrCat(
      "func forward(%x : Tensor, %y : Tensor, %n : int) -> (Tensor):\n",
      statements, "  return (", last, ")\n");
}

}  // namespace opcompat
