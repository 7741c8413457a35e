#include "compat_matrix/simulation/module_maker.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "compat_matrix/simulation/argument_ways.h"
#include "compat_matrix/simulation/operator_model.h"
#include "compat_matrix/simulation/random.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"
#include "schema/type.h"
#include "schema/typing.h"
#include "schema/value.h"

namespace opcompat {
namespace simulation {
namespace {

bool IsTensor(const Type& type) { return type.kind() == TypeKind::kTensor; }

class ModuleText {
 public:
  ModuleText(const OpsetHistory& history, size_t version, uint64_t seed)
      : history_(history),
        opset_(history.versions()[version]),
        own_random_(seed * 1000003 + version) {
    tensors_ = {"%x", "%y"};
  }

  std::string Populated(std::vector<GivenWay>* given) {
    given_ = given;
    for (const OperatorInfoPtr& info : opset_.operators()) {
      const OperatorEntry& entry = *info->current();
      std::vector<std::vector<Value>> notable;
      std::vector<std::vector<Way>> ways;
      size_t num_calls = 1;
      for (size_t i = 0; i < entry.num_exposed(); ++i) {
        notable.push_back(NotableValues(history_, entry, entry.arguments[i]));
        ways.push_back(WaysOf(entry.arguments[i], notable.back()));
        num_calls = std::max(num_calls, ways.back().size());
      }
      const size_t turn = random_->Below(num_calls);
      for (size_t call = 0; call < num_calls; ++call) {
        std::vector<Way> chosen;
        for (size_t i = 0; i < ways.size(); ++i) {
          chosen.push_back(ways[i][(call + turn * i) % ways[i].size()]);
        }
        Place(entry, chosen, notable);
      }
    }
    return Text();
  }

  std::string Small(size_t num_calls) {
    if (num_calls == 0) num_calls = 1 + random_->Below(3);
    for (size_t call = 0; call < num_calls; ++call) {
      const OperatorEntry& entry =
          *random_->Pick(opset_.operators())->current();
      std::vector<std::vector<Value>> notable;
      std::vector<Way> chosen;
      for (size_t i = 0; i < entry.num_exposed(); ++i) {
        notable.push_back(NotableValues(history_, entry, entry.arguments[i]));
        const std::vector<Way> ways =
            WaysOf(entry.arguments[i], notable.back());
        // What is never refused comes first.
        chosen.push_back(random_->OneIn(3) ? random_->Pick(ways)
                         : random_->OneIn(2) && ways.size() > 3 ? ways[2]
                                                                : ways[0]);
      }
      Place(entry, chosen, notable);
    }
    return Text();
  }

  std::string Wanted(const std::vector<WantedNode>& nodes) {
    PlaceWanted(nodes);
    return Text();
  }

 private:
  std::string NewValue() { return absl::StrCat("%v", next_value_++); }

  std::string Indent() const {
    return std::string(static_cast<size_t>(2 + 4 * depth_), ' ');
  }
  void Line(const std::string& line) {
    absl::StrAppend(&body_, Indent(), line, "\n");
  }

  // A parameter of the function with that type; there are up to two.
  std::string Parameter(const Type& type) {
    if (IsTensor(type)) return random_->Pick(tensors_);
    std::vector<std::string>& names = parameters_[type.ToString()];
    if (names.size() < 2 && (names.empty() || random_->OneIn(3))) {
      names.push_back(absl::StrCat("%a", next_parameter_++));
    }
    return random_->Pick(names);
  }

  std::string GraphValue(const Type& type) {
    switch (type.kind()) {
      case TypeKind::kVariable:
        return random_->Pick(tensors_);
      case TypeKind::kOptional:
        return random_->OneIn(2) ? Parameter(type) : GraphValue(type.child());
      case TypeKind::kScalar:
        return Parameter(random_->OneIn(2) ? type : Type(TypeKind::kInt));
      case TypeKind::kSymInt:
        return Parameter(random_->OneIn(2) ? type : Type(TypeKind::kInt));
      case TypeKind::kList: {
        const bool construct = IsTensor(type.child()) || random_->OneIn(2);
        if (!construct) return Parameter(Type::List(type.child()));
        const std::string first = GraphValue(type.child());
        const std::string second = GraphValue(type.child());
        const std::string list = NewValue();
        Line(absl::StrCat(list, " : ", Type::List(type.child()).ToString(),
                          " = prim::ListConstruct(", first, ", ", second, ")"));
        return list;
      }
      default:
        return Parameter(type);
    }
  }

  void PlaceWanted(const std::vector<WantedNode>& nodes) {
    for (const WantedNode& node : nodes) {
      Random random = node.random;
      Random* const outer = random_;
      random_ = &random;
      switch (node.kind) {
        case WantedNode::Kind::kCall:
          CallWanted(node);
          break;
        case WantedNode::Kind::kIf:
          PlaceIf([&] { PlaceWanted(node.first_block); },
                  [&] { PlaceWanted(node.second_block); });
          break;
        case WantedNode::Kind::kLoop:
          PlaceLoop(random_->Pick(tensors_),
                    [&] { PlaceWanted(node.first_block); });
          break;
      }
      random_ = outer;
    }
  }

  void CallWanted(const WantedNode& node) {
    const std::vector<OperatorInfoPtr>& operators = opset_.operators();
    const OperatorEntry& entry =
        *operators[node.op % operators.size()]->current();
    std::vector<std::vector<Value>> notable;
    std::vector<Way> chosen;
    for (size_t i = 0; i < entry.num_exposed(); ++i) {
      notable.push_back(NotableValues(history_, entry, entry.arguments[i]));
      const std::vector<Way> ways = WaysOf(entry.arguments[i], notable.back());
      chosen.push_back(i < node.ways.size() ? ways[node.ways[i] % ways.size()]
                                            : random_->Pick(ways));
    }
    Call(entry, chosen, notable);
  }

  // One call, in a block now and then.
  void Place(const OperatorEntry& entry, const std::vector<Way>& ways,
             const std::vector<std::vector<Value>>& notable) {
    const size_t where = depth_ < 2 ? random_->Below(8) : 7;
    if (where > 1) {
      Call(entry, ways, notable);
      return;
    }
    const auto place = [&] { Place(entry, ways, notable); };
    const std::string started = random_->Pick(tensors_);
    if (where == 0) {
      PlaceIf(place, [] {});
    } else {
      PlaceLoop(started, place);
    }
  }

  template <typename First, typename Second>
  void PlaceIf(const First& first, const Second& second) {
    const std::vector<std::string> outer = tensors_;
    const std::string result = NewValue();
    const std::string condition = Condition();
    Line(absl::StrCat(result, " : Tensor = prim::If(", condition, ")"));
    OpenBlock("block0():");
    first();
    CloseBlock(tensors_.back());
    tensors_ = outer;
    OpenBlock("block1():");
    second();
    CloseBlock(random_->Pick(tensors_));
    tensors_ = outer;
    tensors_.push_back(result);
  }

  template <typename Body>
  void PlaceLoop(const std::string& started, const Body& body) {
    const std::vector<std::string> outer = tensors_;
    const std::string result = NewValue();
    const std::string rounds = random_->OneIn(2)
                                   ? absl::StrCat(random_->Below(3))
                                   : Parameter(Type(TypeKind::kInt));
    Line(absl::StrCat(result, " : Tensor = prim::Loop(", rounds, ", True, ",
                      started, ")"));
    const std::string count = NewValue();
    const std::string carried = NewValue();
    OpenBlock(
        absl::StrCat("block0(", count, " : int, ", carried, " : Tensor):"));
    tensors_.push_back(carried);
    body();
    CloseBlock(absl::StrCat("True, ", tensors_.back()));
    tensors_ = outer;
    tensors_.push_back(result);
  }

  void OpenBlock(const std::string& head) {
    absl::StrAppend(&body_, Indent(), "  ", head, "\n");
    ++depth_;
  }
  void CloseBlock(const std::string& yielded) {
    Line(absl::StrCat("-> (", yielded, ")"));
    --depth_;
  }

  std::string Condition() {
    for (const OperatorInfoPtr& info : opset_.operators()) {
      const OperatorEntry& entry = *info->current();
      if (entry.results.size() == 1 && entry.num_exposed() == 1 &&
          entry.results[0].type.kind() == TypeKind::kBool &&
          random_->OneIn(2)) {
        const std::string condition = NewValue();
        Line(absl::StrCat(condition, " : bool = ", entry.name(), "(",
                          random_->Pick(tensors_), ")"));
        return condition;
      }
    }
    return Parameter(Type(TypeKind::kBool));
  }

  void Call(const OperatorEntry& entry, const std::vector<Way>& ways,
            const std::vector<std::vector<Value>>& notable) {
    std::vector<std::string> operands;
    bool by_name = false;
    const size_t num_exposed = entry.num_exposed();
    for (size_t i = 0; i < num_exposed; ++i) {
      const EntryArgument& argument = entry.arguments[i];
      if (given_ != nullptr) {
        given_->push_back({entry.name(), argument.name(), ways[i]});
      }
      if (ways[i] == Way::kLeftOut) {
        by_name = true;
        continue;
      }
      by_name = by_name || argument.keyword_only || random_->OneIn(4);
      const std::string operand = OperandOf(argument, ways[i], notable[i]);
      operands.push_back(by_name ? absl::StrCat(argument.name(), "=", operand)
                                 : operand);
    }
    if (entry.is_vararg) {
      if (num_exposed > 0) operands.push_back("...");
      for (size_t n = random_->Below(3); n > 0; --n) {
        operands.push_back(random_->Pick(tensors_));
      }
      if (operands.back() == "...") operands.pop_back();
    }
    std::vector<std::string> results;
    for (const EntryResult& result : entry.results) {
      const bool is_tensor =
          IsTensor(result.type) || result.type.kind() == TypeKind::kVariable;
      const std::string name = NewValue();
      results.push_back(absl::StrCat(
          name, " : ", is_tensor ? "Tensor" : result.type.ToString()));
    }
    Line(absl::StrCat(absl::StrJoin(results, ", "), " = ", entry.name(), "(",
                      absl::StrJoin(operands, ", "), ")"));
    // The first one last: it is what blocks yield.
    for (size_t i = results.size(); i-- > 0;) {
      const std::string name = results[i].substr(0, results[i].find(' '));
      const bool is_tensor = absl::StrCat(name, " : Tensor") == results[i];
      if (is_tensor && (i == 0 || random_->OneIn(2))) tensors_.push_back(name);
    }
  }

  std::string OperandOf(const EntryArgument& argument, Way way,
                        const std::vector<Value>& notable) {
    switch (way) {
      case Way::kDefault:
        return argument.default_value->ToString();
      case Way::kNeutral:
        return CoerceLiteral(argument.neutral->value, argument.type)
            ->ToString();
      case Way::kNotable:
        return random_->Pick(notable).ToString();
      case Way::kOther:
        return AnyValue(argument.type, random_).ToString();
      default:
        return GraphValue(argument.type);
    }
  }

  std::string Text() const {
    std::vector<std::string> parameters = {"%x : Tensor", "%y : Tensor"};
    for (const auto& [type, names] : parameters_) {
      for (const std::string& name : names) {
        parameters.push_back(absl::StrCat(name, " : ", type));
      }
    }
    // The values made last hang on most of the others.
    std::vector<std::string> returned(
        tensors_.end() -
            static_cast<ptrdiff_t>(std::min<size_t>(3, tensors_.size())),
        tensors_.end());
    return absl::StrCat(
        "opset ", opset_.name(), " ", opset_.version(), "\nfunc forward(",
        absl::StrJoin(parameters, ", "), ") -> (",
        absl::StrJoin(std::vector<std::string>(returned.size(), "Tensor"),
                      ", "),
        "):\n", body_, "  return (", absl::StrJoin(returned, ", "), ")\n");
  }

  const OpsetHistory& history_;
  const Opset& opset_;
  Random own_random_;
  Random* random_ = &own_random_;
  std::vector<GivenWay>* given_ = nullptr;
  std::string body_;
  int depth_ = 0;
  int next_value_ = 0;
  int next_parameter_ = 0;
  std::vector<std::string> tensors_;                            // in scope
  std::map<std::string, std::vector<std::string>> parameters_;  // by type
};

}  // namespace

std::vector<Way> WaysOf(const OpsetHistory& history, size_t version,
                        const std::string& op, const std::string& argument) {
  const OperatorInfo* info = history.versions()[version].Find(op);
  if (info == nullptr) return {};
  const OperatorEntry& entry = *info->current();
  const absl::optional<size_t> place = entry.FindExposed(argument);
  if (!place.has_value()) return {};
  return WaysOf(entry.arguments[*place],
                NotableValues(history, entry, entry.arguments[*place]));
}

std::string PopulatedModule(const OpsetHistory& history, size_t version,
                            uint64_t seed, std::vector<GivenWay>* given) {
  return ModuleText(history, version, seed).Populated(given);
}

std::string SmallModule(const OpsetHistory& history, size_t version,
                        uint64_t seed, size_t num_calls) {
  return ModuleText(history, version, seed).Small(num_calls);
}

std::string WantedModule(const OpsetHistory& history, size_t version,
                         const std::vector<WantedNode>& nodes) {
  return ModuleText(history, version, 0).Wanted(nodes);
}

}  // namespace simulation
}  // namespace opcompat
