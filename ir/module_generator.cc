#include "ir/module_generator.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "ir/ids.h"
#include "ir/module_builder.h"
#include "ir/testing.h"
#include "schema/type.h"
#include "schema/typing.h"
#include "schema/value.h"

namespace opcompat {
namespace {

// What the standard distributions give differs between libraries.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  // 0 ... n - 1.
  uint64_t Below(uint64_t n) { return engine_() % n; }
  bool Percent(int percent) {
    return Below(100) < static_cast<uint64_t>(percent);
  }
  uint64_t Bits() { return engine_(); }
  template <typename T>
  const T& Pick(const std::vector<T>& choices) {
    return choices[Below(choices.size())];
  }

 private:
  std::mt19937_64 engine_;
};

class Generator {
 public:
  Generator(const std::vector<OperatorEntryPtr>& entries, uint64_t seed,
            const GeneratorOptions& options)
      : entries_(entries), options_(options), random_(seed) {}

  // To be filled before Run.
  ModuleBuilder& builder() { return builder_; }
  Module Run();

 private:
  struct Known {
    ValueId id;
    Type type;
  };

  void AddHeader();
  void AddFunction(int f);
  void AddBody(int depth);
  void AddCall(const OperatorEntry& entry, OperatorId op);
  void AddIf(int depth);
  void AddLoop(int depth);
  void AddOther();

  // A literal that is in form at `type`, or nullopt: none is.
  absl::optional<Value> MakeLiteral(const Type& type, int depth = 0);
  // Something of `type`; nullopt: nothing can be found. `as_value`: no literal.
  absl::optional<Operand> MakeOperand(const Type& type, bool as_value = false);
  // A value in scope of this type or, if `exact` is not set, a subtype.
  absl::optional<ValueId> FindValue(const Type& type, bool exact);
  // Wraps a literal, a list of operands, ... into a node.
  absl::optional<ValueId> MakeNode(const Type& type);

  ModuleBuilder::Definition Define(const Type& type);
  ValueId Add(OperatorId op, const std::vector<ModuleBuilder::Given>& given,
              const std::vector<ModuleBuilder::Attribute>& attributes,
              const std::vector<Type>& results, uint32_t num_blocks = 0);
  void Locate();

  const std::vector<OperatorEntryPtr>& entries_;
  const GeneratorOptions options_;
  Random random_;
  ModuleBuilder builder_;
  std::vector<Known> scope_;
  int names_ = 0;
};

Type Kind(TypeKind kind) { return Type(kind); }

bool MentionsAny(const Type& type) {
  return type.kind() == TypeKind::kAny ||
         std::any_of(type.children().begin(), type.children().end(),
                     MentionsAny);
}

Module Generator::Run() {
  if (options_.with_header) AddHeader();
  for (int f = 0; f < options_.num_functions; ++f) AddFunction(f);
  absl::StatusOr<Module> module = std::move(builder_).Build();
  if (!module.ok()) {
    std::fprintf(stderr, "GenerateModule: %s\n",
                 std::string(module.status().message()).c_str());
    std::abort();
  }
  return *std::move(module);
}

void Generator::AddHeader() {
  builder_.AddMetadata("producer", absl::StrCat("generator ", random_.Bits()));
  const Type type = random_.Pick<Type>(
      {Kind(TypeKind::kFloat), Type::List(Kind(TypeKind::kInt)),
       Type::Optional(Kind(TypeKind::kString))});
  builder_.AddAttribute("attribute", builder_.InternType(type),
                        builder_.Constant(*MakeLiteral(type)));
  builder_.AddTensor("weight",
                     builder_.Constant(*MakeLiteral(Kind(TypeKind::kTensor))));
}

ModuleBuilder::Definition Generator::Define(const Type& type) {
  ModuleBuilder::Definition definition;
  definition.type = builder_.InternType(type);
  if (options_.with_debug && random_.Percent(70)) {
    definition.name = absl::StrCat("v", names_++, ".", random_.Below(3));
  }
  return definition;
}

ValueId Generator::Add(OperatorId op,
                       const std::vector<ModuleBuilder::Given>& given,
                       const std::vector<ModuleBuilder::Attribute>& attributes,
                       const std::vector<Type>& results, uint32_t num_blocks) {
  std::vector<ModuleBuilder::Definition> definitions;
  for (const Type& type : results) definitions.push_back(Define(type));
  const ValueId first =
      builder_.AddNode(op, given, attributes, definitions, num_blocks);
  Locate();
  if (num_blocks == 0) {
    for (uint32_t i = 0; i < results.size(); ++i) {
      scope_.push_back({ValueId(first.index + i), results[i]});
    }
  }
  return first;
}

void Generator::Locate() {
  if (options_.with_debug && random_.Percent(20)) {
    builder_.SetLocation(absl::StrCat("model.py:", random_.Below(100)));
  }
}

absl::optional<Value> Generator::MakeLiteral(const Type& type, int depth) {
  switch (type.kind()) {
    case TypeKind::kInt:
    case TypeKind::kSymInt:
      return Value::Int(random_.Pick<int64_t>(
          {0, 1, 1, 2, -1, 7, std::numeric_limits<int64_t>::min(),
           std::numeric_limits<int64_t>::max(),
           static_cast<int64_t>(random_.Bits())}));
    case TypeKind::kFloat:
    case TypeKind::kSymFloat:
      return random_.Percent(20)
                 ? Value::FloatBits(random_.Bits())
                 : Value::Float(random_.Pick<double>({0.0, -0.0, 1.0, 0.1}));
    case TypeKind::kBool:
    case TypeKind::kSymBool:
      return Value::Bool(random_.Percent(50));
    case TypeKind::kComplex:
      return Value::Complex(0.5, -0.0);
    case TypeKind::kScalar:
      return random_.Percent(50) ? MakeLiteral(Kind(TypeKind::kInt))
                                 : MakeLiteral(Kind(TypeKind::kFloat));
    case TypeKind::kString:
      return Value::String(random_.Pick<std::string>(
          {"", "a", "zeros", "\xc3\xa9\n\"q\"", std::string("\0x", 2)}));
    case TypeKind::kDevice:
    case TypeKind::kDimname:
      return Value::String("cpu");
    case TypeKind::kScalarType:
    case TypeKind::kLayout:
    case TypeKind::kMemoryFormat:
    case TypeKind::kReduction:
      return Value::Int(static_cast<int64_t>(random_.Below(3)));
    case TypeKind::kQScheme:
      return Value::Word("per_tensor_affine");
    case TypeKind::kNone:
      return Value::None();
    case TypeKind::kOptional: {
      if (random_.Percent(30)) return Value::None();
      absl::optional<Value> some = MakeLiteral(type.child(), depth);
      return some.has_value() ? some : Value::None();
    }
    case TypeKind::kTensor: {
      TensorData data;
      data.dtype = "uint8";
      data.shape = {4};
      data.bytes = random_.Percent(50) ? "abcd" : "\x01\x02\x03\x04";
      return Value::Tensor(std::move(data));
    }
    case TypeKind::kList: {
      std::vector<Value> elements(random_.Below(depth == 0 ? 4 : 2));
      for (Value& element : elements) {
        absl::optional<Value> made = MakeLiteral(type.child(), depth + 1);
        if (!made.has_value()) return absl::nullopt;
        element = *std::move(made);
      }
      return Value::List(std::move(elements));
    }
    case TypeKind::kTuple:
    case TypeKind::kNamedTuple: {
      std::vector<Value> elements;
      for (const Type& child : type.children()) {
        absl::optional<Value> made = MakeLiteral(child, depth + 1);
        if (!made.has_value()) return absl::nullopt;
        elements.push_back(*std::move(made));
      }
      return Value::Tuple(std::move(elements));
    }
    case TypeKind::kDict: {
      absl::optional<Value> key = MakeLiteral(type.child(0), depth + 1);
      absl::optional<Value> value = MakeLiteral(type.child(1), depth + 1);
      if (!key.has_value() || !value.has_value()) return absl::nullopt;
      return Value::Dict({*std::move(key), *std::move(value)});
    }
    default:
      return absl::nullopt;
  }
}

absl::optional<ValueId> Generator::FindValue(const Type& type, bool exact) {
  // From a random place on, so that near and far values are used.
  const size_t start = scope_.empty() ? 0 : random_.Below(scope_.size());
  for (size_t i = 0; i < scope_.size(); ++i) {
    const Known& known = scope_[(start + i) % scope_.size()];
    if (known.type == type) return known.id;
    bool covariant = false;
    if (!exact && IsSubtype(known.type, type, nullptr, &covariant) &&
        !covariant) {
      return known.id;
    }
  }
  return absl::nullopt;
}

absl::optional<ValueId> Generator::MakeNode(const Type& type) {
  if (random_.Percent(50)) {
    const absl::optional<Value> literal = MakeLiteral(type);
    if (!literal.has_value()) return absl::nullopt;
    return Add(builder_.Operator(Intrinsic::kConstant), {},
               {{"value", builder_.Constant(*literal)}}, {type});
  }
  std::vector<ModuleBuilder::Given> parts;
  const auto add = [&](const Type& part) {
    const absl::optional<Operand> operand = MakeOperand(part);
    if (!operand.has_value()) return false;
    parts.push_back({Slot::kVariadic, *operand});
    return true;
  };
  Intrinsic construct = Intrinsic::kNone;
  switch (type.kind()) {
    case TypeKind::kList:
      construct = Intrinsic::kListConstruct;
      for (uint64_t n = random_.Below(4); n > 0; --n) {
        if (!add(type.child())) return absl::nullopt;
      }
      break;
    case TypeKind::kTuple:
    case TypeKind::kNamedTuple:
      construct = Intrinsic::kTupleConstruct;
      for (const Type& child : type.children()) {
        if (!add(child)) return absl::nullopt;
      }
      break;
    case TypeKind::kDict:
      construct = Intrinsic::kDictConstruct;
      if (!add(type.child(0)) || !add(type.child(1))) return absl::nullopt;
      break;
    default: {
      const absl::optional<Value> literal = MakeLiteral(type);
      if (!literal.has_value()) return absl::nullopt;
      return Add(builder_.Operator(Intrinsic::kConstant), {},
                 {{"value", builder_.Constant(*literal)}}, {type});
    }
  }
  return Add(builder_.Operator(construct), parts, {}, {type});
}

absl::optional<Operand> Generator::MakeOperand(const Type& type,
                                               bool as_value) {
  if (type.kind() == TypeKind::kAny) {
    if (scope_.empty() || (!as_value && random_.Percent(30))) {
      return Operand(builder_.Constant(
          *MakeLiteral(random_.Percent(50) ? Kind(TypeKind::kInt)
                                           : Kind(TypeKind::kString))));
    }
    return Operand(scope_[random_.Below(scope_.size())].id);
  }
  // Where the type does not say all, a literal may have none.
  as_value |= MentionsAny(type);
  if (!as_value && random_.Percent(40)) {
    const absl::optional<Value> literal = MakeLiteral(type);
    if (literal.has_value()) return Operand(builder_.Constant(*literal));
  }
  if (random_.Percent(70)) {
    if (const absl::optional<ValueId> value = FindValue(type, as_value)) {
      return Operand(*value);
    }
  }
  if (const absl::optional<ValueId> value = MakeNode(type)) {
    return Operand(*value);
  }
  if (const absl::optional<ValueId> value = FindValue(type, as_value)) {
    return Operand(*value);
  }
  return absl::nullopt;
}

void Generator::AddCall(const OperatorEntry& entry, OperatorId op) {
  // Each variable is one type for the whole call. What `t?` is given says what
  // T is without its `?`, so that T is no optional itself.
  const bool has_optional_variable =
      std::any_of(entry.arguments.begin(), entry.arguments.end(),
                  [](const EntryArgument& argument) {
                    return argument.type.kind() == TypeKind::kOptional &&
                           argument.type.child().kind() == TypeKind::kVariable;
                  });
  TypeVariables variables;
  for (const char* name : {"t", "t1", "t2", "tVal", "tKey", "T"}) {
    variables[name] = random_.Pick<Type>(
        {Kind(TypeKind::kInt), Kind(TypeKind::kFloat), Kind(TypeKind::kString),
         Kind(TypeKind::kTensor),
         has_optional_variable ? Kind(TypeKind::kBool)
                               : Type::Optional(Kind(TypeKind::kInt))});
  }
  const auto type_of = [&](const Type& type) {
    return Substitute(type, variables);
  };
  std::vector<ModuleBuilder::Given> given;
  for (uint32_t a = 0; a < entry.num_exposed(); ++a) {
    const EntryArgument& argument = entry.arguments[a];
    if (argument.default_value.has_value()) {
      if (!random_.Percent(options_.percent_given)) continue;
      if (random_.Percent(20)) {
        // Written as its default.
        if (!HasVariables(argument.type)) {
          given.push_back(
              {a, Operand(builder_.Constant(*argument.default_value))});
        }
        continue;
      }
    }
    // What is written is a value, and what a variable is, a value says.
    const bool as_value = HasVariables(argument.type) || argument.is_written();
    const absl::optional<Operand> operand =
        MakeOperand(type_of(argument.type), as_value);
    if (operand.has_value()) {
      given.push_back({a, *operand});
    } else if (!argument.default_value.has_value()) {
      return;
    }
  }
  // The builder puts them into order.
  if (random_.Percent(30)) std::reverse(given.begin(), given.end());
  if (entry.is_vararg) {
    for (uint64_t n = random_.Below(3); n > 0; --n) {
      given.push_back({Slot::kVariadic, *MakeOperand(Kind(TypeKind::kAny))});
    }
  }
  std::vector<Type> results;
  for (const EntryResult& result : entry.results) {
    Type type = type_of(result.type);
    if (HasVariables(type)) return;
    if (type.kind() == TypeKind::kAny) type = Kind(TypeKind::kTensor);
    results.push_back(std::move(type));
  }
  if (entry.is_varret) {
    for (uint64_t n = random_.Below(3); n > 0; --n) {
      results.push_back(Kind(TypeKind::kInt));
    }
  }
  std::vector<ModuleBuilder::Attribute> attributes;
  if (random_.Percent(10)) {
    attributes.push_back(
        {"warn_id", builder_.Constant(
                        Value::Int(static_cast<int64_t>(random_.Below(3))))});
  }
  Add(op, given, attributes, results);
}

void Generator::AddIf(int depth) {
  const absl::optional<Operand> condition = MakeOperand(Kind(TypeKind::kBool));
  const std::vector<Type> choices = {
      Kind(TypeKind::kInt), Type::Optional(Kind(TypeKind::kInt)),
      Kind(TypeKind::kTensor), Type::List(Kind(TypeKind::kInt)),
      Type::Optional(Kind(TypeKind::kTensor))};
  std::vector<Type> results(random_.Below(3));
  for (Type& type : results) type = random_.Pick(choices);
  const ValueId first = Add(builder_.Operator(Intrinsic::kIf),
                            {{Slot::kVariadic, *condition}}, {}, results, 2);
  for (int b = 0; b < 2; ++b) {
    const size_t outer = scope_.size();
    builder_.BeginBlock({});
    AddBody(depth + 1);
    std::vector<Operand> yielded;
    for (const Type& type : results) yielded.push_back(*MakeOperand(type));
    builder_.EndBlock(yielded);
    scope_.resize(outer);
  }
  for (uint32_t i = 0; i < results.size(); ++i) {
    scope_.push_back({ValueId(first.index + i), results[i]});
  }
}

void Generator::AddLoop(int depth) {
  std::vector<ModuleBuilder::Given> given = {
      {Slot::kVariadic, *MakeOperand(Kind(TypeKind::kInt))},
      {Slot::kVariadic, *MakeOperand(Kind(TypeKind::kBool))}};
  std::vector<Type> carried(random_.Below(3));
  for (Type& type : carried) {
    type = random_.Pick<Type>({Kind(TypeKind::kFloat),
                               Type::List(Kind(TypeKind::kInt)),
                               Type::Optional(Kind(TypeKind::kString))});
    given.push_back({Slot::kVariadic, *MakeOperand(type)});
  }
  const ValueId first =
      Add(builder_.Operator(Intrinsic::kLoop), given, {}, carried, 1);
  const size_t outer = scope_.size();
  std::vector<ModuleBuilder::Definition> parameters = {
      Define(Kind(TypeKind::kInt))};
  for (const Type& type : carried) parameters.push_back(Define(type));
  const ValueId parameter = builder_.BeginBlock(parameters);
  scope_.push_back({parameter, Kind(TypeKind::kInt)});
  for (uint32_t i = 0; i < carried.size(); ++i) {
    scope_.push_back({ValueId(parameter.index + 1 + i), carried[i]});
  }
  AddBody(depth + 1);
  std::vector<Operand> yielded = {*MakeOperand(Kind(TypeKind::kBool))};
  for (const Type& type : carried) yielded.push_back(*MakeOperand(type));
  builder_.EndBlock(yielded);
  scope_.resize(outer);
  for (uint32_t i = 0; i < carried.size(); ++i) {
    scope_.push_back({ValueId(first.index + i), carried[i]});
  }
}

void Generator::AddOther() {
  const Type self = Type::Named("__torch__.Net");
  const absl::optional<ValueId> object = FindValue(self, true);
  const ModuleBuilder::Attribute name = {
      "name", builder_.Constant(Value::String("callee"))};
  const Type list = Type::List(Kind(TypeKind::kInt));
  const ModuleBuilder::Given self_given = {Slot::kVariadic, Operand(*object)};
  // Made before the call is: nodes come in the order of this text.
  const auto make = [&](const Type& type) -> ModuleBuilder::Given {
    return {Slot::kVariadic, *MakeOperand(type)};
  };
  std::vector<ModuleBuilder::Given> given;
  switch (random_.Below(6)) {
    case 0:
      Add(builder_.Operator(Intrinsic::kGetAttr), {self_given}, {name}, {list});
      break;
    case 1:
      // No type is expected here, so a literal may lack one.
      given = {self_given,
               {Slot::kVariadic, *MakeOperand(list, /*as_value=*/true)}};
      Add(builder_.Operator(Intrinsic::kSetAttr), given, {name}, {});
      break;
    case 2:
      given = {self_given, make(Kind(TypeKind::kAny))};
      Add(builder_.Operator(Intrinsic::kCallMethod), given, {name},
          {Kind(TypeKind::kTensor)});
      break;
    case 3:
      given = {make(list)};
      Add(builder_.Operator(Intrinsic::kListUnpack), given, {},
          {Kind(TypeKind::kInt), Kind(TypeKind::kInt)});
      break;
    case 4:
      Add(builder_.Operator(Intrinsic::kConstant), {}, {name},
          {Type::Named("__torch__.function")});
      break;
    default:
      given = {make(Kind(TypeKind::kAny))};
      Add(builder_.Operator(Intrinsic::kCallFunction), given, {name},
          {Kind(TypeKind::kFloat)});
      break;
  }
}

void Generator::AddBody(int depth) {
  for (int i = 0; i < options_.nodes_per_block; ++i) {
    const uint64_t what = random_.Below(100);
    if (what < 8 && depth < options_.max_depth) {
      AddIf(depth);
    } else if (what < 14 && depth < options_.max_depth) {
      AddLoop(depth);
    } else if (what < 22) {
      AddOther();
    } else if (!entries_.empty()) {
      const OperatorEntryPtr& entry = random_.Pick(entries_);
      AddCall(*entry, builder_.Operator(entry));
    }
  }
}

void Generator::AddFunction(int f) {
  scope_.clear();
  names_ = 0;
  std::vector<Type> parameters = {Type::Named("__torch__.Net"),
                                  Kind(TypeKind::kTensor),
                                  Kind(TypeKind::kInt)};
  // What some argument wants and no literal can be.
  for (const OperatorEntryPtr& entry : entries_) {
    for (const EntryArgument& argument : entry->arguments) {
      if (parameters.size() >= 16) break;
      if (!HasVariables(argument.type) &&
          argument.type.kind() != TypeKind::kAny &&
          !MakeLiteral(argument.type).has_value() &&
          std::find(parameters.begin(), parameters.end(), argument.type) ==
              parameters.end()) {
        parameters.push_back(argument.type);
      }
    }
  }
  builder_.BeginFunction(f == 0 ? "forward" : absl::StrCat("function", f));
  std::vector<ModuleBuilder::Definition> definitions;
  for (const Type& type : parameters) definitions.push_back(Define(type));
  const ValueId first = builder_.BeginBlock(definitions);
  for (uint32_t i = 0; i < parameters.size(); ++i) {
    scope_.push_back({ValueId(first.index + i), parameters[i]});
  }
  AddBody(0);
  std::vector<Type> results = {Kind(TypeKind::kTensor)};
  if (random_.Percent(50)) results.push_back(Type::List(Kind(TypeKind::kInt)));
  if (random_.Percent(50)) {
    results.push_back(Type::Optional(Kind(TypeKind::kFloat)));
  }
  std::vector<Operand> returned;
  std::vector<TypeId> types;
  for (const Type& type : results) {
    returned.push_back(*MakeOperand(type));
    types.push_back(builder_.InternType(type));
  }
  builder_.EndBlock(returned);
  builder_.EndFunction(std::move(types));
}

}  // namespace

Module GenerateModule(const std::vector<OperatorEntryPtr>& entries,
                      uint64_t seed, const GeneratorOptions& options) {
  return Generator(entries, seed, options).Run();
}

Module GenerateModule(const Runtime& runtime, uint64_t seed,
                      const GeneratorOptions& options) {
  const std::vector<OperatorEntryPtr> entries = EntriesOf(runtime);
  Generator generator(entries, seed, options);
  for (const Opset& opset : runtime.opsets()) {
    generator.builder().AddOpset(opset.name(), opset.version());
  }
  return generator.Run();
}

}  // namespace opcompat
