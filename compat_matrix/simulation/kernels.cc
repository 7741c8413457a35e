#include "compat_matrix/simulation/kernels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "compat_matrix/simulation/run_value.h"
#include "ir/ids.h"
#include "schema/typing.h"

namespace opcompat {
namespace simulation {
namespace {

constexpr int64_t kMaxNodes = 100000;
constexpr int kMaxGraphs = 64;  // in graphs
constexpr int64_t kMaxRounds = 3;
constexpr int kNumTrials = 2;

// The one value that stands for all that are equal to it over the argument's
// types.
Value SpreadValue(const Value& value, const TrueArgument& argument) {
  switch (value.kind()) {
    case ValueKind::kInt:
      if (argument.is_float) {
        return Value::Float(static_cast<double>(value.int_value()));
      }
      break;
    case ValueKind::kList:
    case ValueKind::kNone:
      return value;
    default:
      break;
  }
  if (argument.num_copies == 0) return value;
  return Value::List(
      std::vector<Value>(static_cast<size_t>(argument.num_copies), value));
}

using Arguments = std::map<int, RunValue>;  // by id

class Machine {
 public:
  explicit Machine(const Truth& truth) : truth_(truth) {}

  // The results of `function`, executed with operators of version `version`.
  absl::StatusOr<std::vector<RunValue>> Run(const Module& module,
                                            const Function& function,
                                            size_t version,
                                            std::vector<RunValue> inputs) {
    Frame frame = {module, function.graph, version,
                   std::vector<RunValue>(function.graph.num_values())};
    return RunBlock(BlockId(0), inputs, &frame);
  }

 private:
  struct Frame {
    const Module& module;
    const Graph& graph;
    size_t version;
    std::vector<RunValue> values;
  };

  absl::StatusOr<std::vector<RunValue>> RunBlock(
      BlockId id, const std::vector<RunValue>& inputs, Frame* frame) {
    const Block& block = frame->graph.blocks[id.index];
    const Node& param = frame->graph.nodes[block.param.index];
    for (uint32_t i = 0; i < frame->module.num_results(param); ++i) {
      frame->values[param.results_begin + i] =
          i < inputs.size() ? inputs[i] : RunValue();
    }
    for (NodeId node = frame->module.next_sibling(frame->graph, block.param);
         node < block.end;
         node = frame->module.next_sibling(frame->graph, node)) {
      OPCOMPAT_RETURN_IF_ERROR(RunNode(frame->graph.nodes[node.index], frame));
    }
    return Operands(frame->graph.nodes[block.end.index], *frame);
  }

  static RunValue ValueOf(Operand operand, const Frame& frame) {
    if (operand.is_value()) return frame.values[operand.value().index];
    return ConstantValue(frame.module.constant(operand.constant()));
  }

  // Of the variadic slots.
  static std::vector<RunValue> Operands(const Node& node, const Frame& frame) {
    std::vector<RunValue> operands;
    const CallForm& form = frame.module.form(node);
    const auto given = frame.module.operands(frame.graph, node);
    for (size_t i = 0; i < form.slots.size(); ++i) {
      if (form.slots[i].argument == Slot::kVariadic) {
        operands.push_back(ValueOf(given[i], frame));
      }
    }
    return operands;
  }

  static void SetResults(const Node& node, std::vector<RunValue> results,
                         Frame* frame) {
    for (uint32_t i = 0; i < frame->module.num_results(node); ++i) {
      frame->values[node.results_begin + i] =
          i < results.size() ? std::move(results[i]) : RunValue();
    }
  }

  absl::Status RunNode(const Node& node, Frame* frame) {
    if (++num_nodes_ > kMaxNodes) {
      return absl::ResourceExhaustedError("too many nodes were executed");
    }
    switch (frame->module.intrinsic(node)) {
      case Intrinsic::kNone:
        return RunCall(node, frame);
      case Intrinsic::kConstant:
        SetResults(node,
                   {ConstantValue(frame->module.constant(
                       frame->module.attribute(frame->graph, node, "value")))},
                   frame);
        return absl::OkStatus();
      case Intrinsic::kListConstruct:
      case Intrinsic::kTupleConstruct:
        SetResults(node, {ListValue(Operands(node, *frame))}, frame);
        return absl::OkStatus();
      case Intrinsic::kListUnpack: {
        const std::vector<RunValue> operands = Operands(node, *frame);
        std::vector<RunValue> elements = operands[0].elements;
        if (operands[0].constant.kind() == ValueKind::kList) {
          for (const Value& value : operands[0].constant.elements()) {
            elements.push_back(ConstantValue(value));
          }
        }
        SetResults(node, std::move(elements), frame);
        return absl::OkStatus();
      }
      case Intrinsic::kIf:
        return RunIf(node, frame);
      case Intrinsic::kLoop:
        return RunLoop(node, frame);
      default:
        return absl::UnimplementedError(absl::StrCat(
            frame->module.op(node).name(), " cannot be executed here"));
    }
  }

  static bool IsTrue(const RunValue& value) {
    return value.constant.kind() == ValueKind::kBool &&
           value.constant.bool_value();
  }

  absl::Status RunIf(const Node& node, Frame* frame) {
    const bool first = IsTrue(Operands(node, *frame)[0]);
    OPCOMPAT_ASSIGN_OR_RETURN(
        std::vector<RunValue> results,
        RunBlock(BlockId(node.first_block.index + (first ? 0 : 1)), {}, frame));
    SetResults(node, std::move(results), frame);
    return absl::OkStatus();
  }

  absl::Status RunLoop(const Node& node, Frame* frame) {
    std::vector<RunValue> operands = Operands(node, *frame);
    const int64_t rounds =
        std::min(operands[0].constant.kind() == ValueKind::kInt
                     ? operands[0].constant.int_value()
                     : 0,
                 kMaxRounds);
    bool goes_on = IsTrue(operands[1]);
    std::vector<RunValue> carried(operands.begin() + 2, operands.end());
    for (int64_t round = 0; round < rounds && goes_on; ++round) {
      std::vector<RunValue> inputs = {ConstantValue(Value::Int(round))};
      inputs.insert(inputs.end(), carried.begin(), carried.end());
      OPCOMPAT_ASSIGN_OR_RETURN(std::vector<RunValue> yielded,
                                RunBlock(node.first_block, inputs, frame));
      goes_on = IsTrue(yielded[0]);
      carried.assign(yielded.begin() + 1, yielded.end());
    }
    SetResults(node, std::move(carried), frame);
    return absl::OkStatus();
  }

  absl::Status RunCall(const Node& node, Frame* frame) {
    const ModuleOperator& called = frame->module.op(node);
    const TrueOperator* op = truth_.Find(frame->version, called.name());
    if (op == nullptr) {
      return absl::NotFoundError(
          absl::StrCat("the version has no ", called.name()));
    }
    // By the name that the module's entry gives an argument.
    Arguments arguments;
    std::vector<std::pair<const Argument*, RunValue>> given;
    for (const TrueOperator::Exposed& exposed : op->exposed) {
      const absl::optional<size_t> place =
          called.entry->FindExposed(exposed.argument.name);
      if (!place.has_value()) {
        return absl::NotFoundError(absl::StrCat(
            called.name(), " has no argument ", exposed.argument.name));
      }
      const Operand operand = frame->module.operand(
          frame->graph, node, static_cast<uint32_t>(*place));
      RunValue value;
      if (!operand.is_default()) {
        value = ValueOf(operand, *frame);
      } else if (exposed.argument.default_value.has_value()) {
        value = ConstantValue(*exposed.argument.default_value);
      } else {
        return absl::InvalidArgumentError(
            absl::StrCat(called.name(), ": ", exposed.argument.name,
                         " is required and was left out"));
      }
      given.push_back({&exposed.argument, value});
      arguments[exposed.id] = std::move(value);
    }
    for (const TrueOperator::Hidden& hidden : op->hidden) {
      arguments[hidden.id] =
          hidden.value.has_value()
              ? ConstantValue(*hidden.value)
              : ConstantValue(Value::Word(absl::StrCat("unknown", hidden.id)));
    }
    const std::vector<RunValue> more = Operands(node, *frame);
    OPCOMPAT_ASSIGN_OR_RETURN(
        std::vector<RunValue> results,
        Compute(*op, op->revision, op->secret_revision, arguments, more, 0));
    for (size_t i = 0; i < given.size(); ++i) {
      if (!IsWritten(given[i].first->alias) ||
          given[i].second.tensor == nullptr) {
        continue;
      }
      // What it writes is what it computes.
      *given[i].second.tensor =
          Mix(results.empty() ? 0 : HashOf(results[0]), HashText("written"));
      for (size_t r = 0; r < results.size() && r < op->results.size(); ++r) {
        if (ShareASet(given[i].first->alias, op->results[r].alias)) {
          results[r] = given[i].second;
        }
      }
    }
    SetResults(node, std::move(results), frame);
    return absl::OkStatus();
  }

  // The value of an argument with all that means the same made one.
  RunValue Canonical(const RunValue& value, int id, uint32_t revision) const {
    if (value.tensor != nullptr || value.is_list) return value;
    const TrueArgument& argument = truth_.argument(id);
    Value constant = SpreadValue(value.constant, argument);
    const auto equal = argument.equal_values.find(revision);
    if (equal != argument.equal_values.end()) {
      for (const auto& [from, to] : equal->second) {
        if (constant == SpreadValue(from, argument)) {
          constant = SpreadValue(to, argument);
          break;
        }
      }
    }
    return ConstantValue(std::move(constant));
  }

  bool AreEqual(const RunValue& a, const RunValue& b, int id,
                uint32_t revision) const {
    return HashOf(Canonical(a, id, revision)) ==
           HashOf(Canonical(b, id, revision));
  }

  bool IsNeutral(const RunValue& value, int id, uint32_t revision) const {
    const TrueArgument& argument = truth_.argument(id);
    if (argument.is_hint.count(revision) > 0) return true;
    return argument.neutral.has_value() &&
           AreEqual(value, ConstantValue(*argument.neutral), id, revision);
  }

  // The results of a call. `op` is any version of the operator at `revision`.
  absl::StatusOr<std::vector<RunValue>> Compute(
      const TrueOperator& op, uint32_t revision, uint32_t secret_revision,
      const Arguments& arguments, const std::vector<RunValue>& more,
      int graphs) {
    if (graphs > kMaxGraphs) {
      return absl::ResourceExhaustedError("step graphs in step graphs");
    }
    const TrueStep* step = truth_.FindStep(op.id, revision);
    std::vector<RunValue> parameters;
    if (step != nullptr && step->side.secret_revision == secret_revision &&
        more.empty() && Express(*step, arguments, &parameters)) {
      for (const TrueStep::Case& which : step->cases) {
        if (!Holds(which, *step, parameters)) continue;
        if (which.graph == nullptr) {
          return Compute(op, revision + 1, secret_revision, arguments, more,
                         graphs + 1);
        }
        return RunGraph(*which.graph, step->graph_version,
                        std::move(parameters), graphs + 1);
      }
    }
    uint64_t hash = Mix(Mix(Mix(7, static_cast<uint64_t>(op.id)), revision),
                        secret_revision);
    for (const auto& [id, value] : arguments) {
      if (IsNeutral(value, id, revision)) continue;
      hash = Mix(hash, static_cast<uint64_t>(id));
      hash = Mix(hash, HashOf(Canonical(value, id, revision)));
    }
    for (const RunValue& value : more) hash = Mix(hash, HashOf(value));
    std::vector<RunValue> results;
    for (size_t i = 0; i < op.results.size(); ++i) {
      results.push_back(MakeResult(Mix(hash, i), op.results[i].type));
    }
    return results;
  }

  static RunValue MakeResult(uint64_t hash, const Type& type) {
    switch (type.kind()) {
      case TypeKind::kBool:
        return ConstantValue(Value::Bool(hash % 2 == 1));
      case TypeKind::kInt:
        return ConstantValue(Value::Int(static_cast<int64_t>(hash % 4)));
      case TypeKind::kFloat:
        return ConstantValue(Value::Float(static_cast<double>(hash % 8) / 4.0));
      default:
        return TensorValue(hash);
    }
  }

  // The value of `type` that `value`, of a version with another type, is;
  // nullopt: there is none.
  static absl::optional<Value> Fit(const Value& value, const Type& type) {
    const absl::StatusOr<Value> coerced = CoerceLiteral(value, type);
    if (coerced.ok()) return *coerced;
    // Back from where the type once led: n copies of one, a whole number.
    if (value.kind() == ValueKind::kList && !value.elements().empty() &&
        std::all_of(value.elements().begin(), value.elements().end(),
                    [&](const Value& e) { return e == value.elements()[0]; })) {
      return Fit(value.elements()[0], type);
    }
    constexpr double kIntLimit = 9223372036854775808.0;  // 2^63
    if (value.kind() == ValueKind::kFloat &&
        value.float_value() >= -kIntLimit && value.float_value() < kIntLimit) {
      const Value whole = Value::Int(static_cast<int64_t>(value.float_value()));
      if (CoerceLiteral(whole, Type(TypeKind::kFloat)).value_or(Value()) ==
          value) {
        const absl::StatusOr<Value> back = CoerceLiteral(whole, type);
        if (back.ok()) return *back;
      }
    }
    return absl::nullopt;
  }

  // What a call gives to the arguments of the step's side; false: the side has
  // no call that means the same.
  bool Express(const TrueStep& step, const Arguments& arguments,
               std::vector<RunValue>* parameters) const {
    const uint32_t revision = step.side.revision;
    Arguments left = arguments;
    for (const TrueOperator::Exposed& exposed : step.side.exposed) {
      RunValue value;
      const auto found = left.find(exposed.id);
      if (found != left.end()) {
        value = found->second;
        left.erase(found);
      } else {
        const TrueArgument& argument = truth_.argument(exposed.id);
        // Any value of a hint means the same.
        const absl::optional<Value>& stands =
            !argument.neutral.has_value() &&
                    argument.is_hint.count(revision) > 0
                ? exposed.argument.default_value
                : argument.neutral;
        if (!stands.has_value()) return false;
        value = ConstantValue(*stands);
      }
      if (value.tensor == nullptr && !value.is_list) {
        absl::optional<Value> fitted =
            Fit(value.constant, exposed.argument.type);
        if (!fitted.has_value()) {
          // None may mean a value that fits.
          fitted = Fit(Canonical(value, exposed.id, revision).constant,
                       exposed.argument.type);
        }
        if (!fitted.has_value()) return false;
        value.constant = *std::move(fitted);
      }
      parameters->push_back(std::move(value));
    }
    for (const TrueOperator::Hidden& hidden : step.side.hidden) {
      const auto found = left.find(hidden.id);
      RunValue value;
      if (found != left.end()) {
        value = found->second;
        left.erase(found);
      } else {
        const absl::optional<Value>& neutral =
            truth_.argument(hidden.id).neutral;
        if (!neutral.has_value()) return false;
        value = ConstantValue(*neutral);
      }
      if (truth_.argument(hidden.id).is_hint.count(revision) > 0) continue;
      const RunValue stands =
          hidden.value.has_value()
              ? ConstantValue(*hidden.value)
              : ConstantValue(Value::Word(absl::StrCat("unknown", hidden.id)));
      if (!AreEqual(value, stands, hidden.id, revision)) return false;
    }
    return std::all_of(left.begin(), left.end(), [&](const auto& other) {
      return IsNeutral(other.second, other.first, revision);
    });
  }

  bool Holds(const TrueStep::Case& which, const TrueStep& step,
             const std::vector<RunValue>& parameters) const {
    return std::all_of(
        which.when.begin(), which.when.end(),
        [&](const TrueStep::Condition& condition) {
          for (size_t i = 0; i < parameters.size(); ++i) {
            if (step.side.exposed[i].id != condition.argument) continue;
            const RunValue& value = parameters[i];
            const bool is_one = std::any_of(
                condition.one_of.begin(), condition.one_of.end(),
                [&](const Value& one) {
                  return AreEqual(value, ConstantValue(one), condition.argument,
                                  step.side.revision);
                });
            return is_one ||
                   std::any_of(condition.types.begin(), condition.types.end(),
                               [&](const Type& type) {
                                 const absl::StatusOr<Type> own =
                                     TypeOfLiteral(value.constant);
                                 return value.tensor == nullptr &&
                                        !value.is_list && own.ok() &&
                                        *own == type;
                               });
          }
          return false;
        });
  }

  absl::StatusOr<std::vector<RunValue>> RunGraph(
      const Module& module, size_t version, std::vector<RunValue> parameters,
      int graphs) {
    if (++num_graphs_ > kMaxNodes || graphs > kMaxGraphs) {
      return absl::ResourceExhaustedError("too many step graphs");
    }
    ++depth_;
    if (depth_ > kMaxGraphs) {
      return absl::ResourceExhaustedError("step graphs in step graphs");
    }
    absl::StatusOr<std::vector<RunValue>> results =
        Run(module, module.functions[0], version, std::move(parameters));
    --depth_;
    return results;
  }

  const Truth& truth_;
  int64_t num_nodes_ = 0;
  int64_t num_graphs_ = 0;
  int depth_ = 0;
};

std::vector<RunValue> InputsOf(const Module& module, const Function& function,
                               uint64_t trial) {
  std::vector<RunValue> inputs;
  const Node& param = function.graph.nodes[0];
  for (const TypeId type : module.form(param).result_types) {
    inputs.push_back(InputOf(module.type(type), trial + 4 * inputs.size()));
  }
  return inputs;
}

// The numbers that come out, and those of the inputs after that.
absl::StatusOr<std::vector<uint64_t>> NumbersOf(const Module& module,
                                                const Function& function,
                                                size_t version, uint64_t trial,
                                                const Truth& truth) {
  std::vector<RunValue> inputs = InputsOf(module, function, trial);
  OPCOMPAT_ASSIGN_OR_RETURN(
      const std::vector<RunValue> results,
      Machine(truth).Run(module, function, version, inputs));
  std::vector<uint64_t> numbers;
  for (const RunValue& value : results) numbers.push_back(HashOf(value));
  for (const RunValue& value : inputs) numbers.push_back(HashOf(value));
  return numbers;
}

}  // namespace

absl::optional<std::string> ExecutionDiffers(const Module& original,
                                             absl::string_view writer,
                                             const Module& result,
                                             absl::string_view reader,
                                             const Truth& truth) {
  const absl::optional<size_t> from = truth.VersionIndex(writer);
  const absl::optional<size_t> to = truth.VersionIndex(reader);
  if (!from.has_value() || !to.has_value()) {
    return absl::StrCat("no kernels of version ",
                        from.has_value() ? reader : writer);
  }
  for (const Function& function : original.functions) {
    const Function* other = result.FindFunction(function.name);
    if (other == nullptr) return absl::StrCat("no function ", function.name);
    for (uint64_t trial = 0; trial < kNumTrials; ++trial) {
      const absl::StatusOr<std::vector<uint64_t>> before =
          NumbersOf(original, function, *from, trial, truth);
      const absl::StatusOr<std::vector<uint64_t>> after =
          NumbersOf(result, *other, *to, trial, truth);
      if (!before.ok() || !after.ok()) {
        const absl::Status& status =
            before.ok() ? after.status() : before.status();
        return absl::StrCat(function.name, " at ",
                            before.ok() ? reader : writer,
                            " cannot be executed: ", status.message());
      }
      if (*before == *after) continue;
      size_t i = 0;
      while (i < before->size() && i < after->size() &&
             (*before)[i] == (*after)[i]) {
        ++i;
      }
      const size_t num_results = function.result_types.size();
      return absl::StrCat(
          function.name, " computes other numbers at ", reader, " than at ",
          writer, ": the first that differs is ",
          i < num_results
              ? absl::StrCat("result ", i)
              : absl::StrCat("what input ", i - num_results, " is afterwards"));
    }
  }
  return absl::nullopt;
}

}  // namespace simulation
}  // namespace opcompat
