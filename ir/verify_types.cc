#include "ir/verify_types.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "base/concat.h"
#include "base/hash_map.h"
#include "base/status_macros.h"
#include "ir/form_checks.h"
#include "ir/ids.h"
#include "ir/literal_checks.h"
#include "ir/place_types.h"
#include "ir/written_values.h"
#include "schema/operator_entry.h"
#include "schema/type.h"
#include "schema/typing.h"
#include "schema/value.h"

namespace opcompat {
namespace {

absl::Status Fault(absl::string_view message) {
  return absl::InvalidArgumentError(message);
}

// Who says what a type variable is.
enum class Speaker { kValue, kLiteral, kNone };

Speaker SpeakerOf(const Type& type, bool is_constant) {
  if (type.kind() == TypeKind::kNone) return Speaker::kNone;
  return is_constant ? Speaker::kLiteral : Speaker::kValue;
}

// Which forms the nodes have that are to be checked.
std::vector<bool> AskedForms(const Module& module,
                             const std::vector<std::vector<NodeId>>* doubtful) {
  std::vector<bool> asked(module.forms.size(), doubtful == nullptr);
  if (doubtful == nullptr) return asked;
  for (size_t f = 0; f < module.functions.size(); ++f) {
    const Graph& graph = module.functions[f].graph;
    for (const NodeId node : (*doubtful)[f]) {
      asked[graph.nodes[node.index].form.index] = true;
    }
    if (graph.blocks.size() == 1) continue;
    // What a block yields is a matter of the node that has it.
    for (const Block& block : graph.blocks) {
      if (!block.parent.valid()) continue;
      asked[graph.nodes[block.parent.index].form.index] = true;
    }
  }
  return asked;
}

class TypeVerifier {
 public:
  TypeVerifier(const Module& module, uint64_t max_steps,
               const std::vector<std::vector<NodeId>>* doubtful,
               FaultPlace* place)
      : module_(module),
        max_steps_(max_steps),
        doubtful_(doubtful),
        place_(*place),
        asked_forms_(AskedForms(module, doubtful)),
        places_(module, asked_forms_, &relations_),
        literals_(module, &relations_) {}

  absl::Status Run();

 private:
  // What is known of a form before any node of it is looked at.
  struct FormFacts {
    // Something is wrong with all calls of this form: CheckForm says what. (Not
    // kept here: forms are many, and what is said of each may be long.)
    bool is_faulty = false;
    // The entry has type variables: each call is solved for itself.
    bool has_variables = false;
    // Nothing but its operands is left to check of a node.
    bool is_plain = false;
    uint32_t num_slots = 0;
    uint32_t num_values = 0;  // among them
    // Where the form's slots are in last_ok_ and slots_by_kind_.
    size_t slots_begin = 0;
  };
  // A container that stands where a wider one is expected.
  struct Covariance {
    NodeId node;
    uint32_t slot;
  };

  absl::Status CheckHeader();
  absl::Status CheckFunction(const Function& function,
                             const std::vector<NodeId>* doubtful);
  // One node that may not be known to pass.
  absl::Status CheckOneOf(NodeId id);
  // Whether the node is plain and all its operands are as ones that were found
  // right before. False says nothing.
  bool IsKnownToPass(const Node& node) const;
  absl::Status CheckNode(NodeId id);
  // Operand `slot` of a node against the type that its place has.
  absl::Status CheckOperand(NodeId id, size_t slot, uint32_t expected);
  absl::Status SolveVariables(NodeId id, const OperatorEntry& entry);
  absl::Status VariableFault(NodeId id, size_t slot, const Type& expected,
                             const Type& solved) const;
  absl::Status CheckReturn(NodeId id);
  absl::Status CheckConstant(const Node& node);
  absl::Status CheckBlocksOf(const Node& node, Intrinsic intrinsic);
  absl::Status CheckCallFunction(NodeId id);
  // That the attribute `name` is a string and, if `has_object`, the first
  // operand an object.
  absl::Status CheckNameAndObject(const Node& node, bool has_object);
  absl::Status CheckCovariances();
  absl::Status CheckSteps() const;

  // "argument alpha" or "operand 2".
  std::string Describe(const CallForm& form, size_t slot) const;
  std::string Spell(uint32_t type) const {
    return relations_.type(type).ToShortString();
  }
  std::string Spell(Operand operand) const;
  std::string Label(NodeId id) const;

  const Module& module_;
  const uint64_t max_steps_;
  const std::vector<std::vector<NodeId>>* const doubtful_;
  FaultPlace& place_;
  const std::vector<bool> asked_forms_;  // of nodes that are to be checked
  TypeRelations relations_;
  PlaceTypes places_;
  LiteralChecks literals_;
  std::vector<FormFacts> facts_;
  // By slot of each form: the type of a value that was found right last; nodes
  // of one form are mostly alike.
  std::vector<TypeId> last_ok_;
  // The slots of each form, those of values before those of literals.
  struct SlotPlace {
    uint32_t slot;
    uint32_t place;
  };
  std::vector<SlotPlace> slots_by_kind_;
  // Pairs of place and constant that were found right, each in the one slot
  // that its hash says; what is not there is asked again.
  std::vector<uint64_t> known_literals_;
  HashMap<absl::string_view, uint32_t> functions_;
  // Calls with type variables that were found right: form, types of operands.
  HashSet<std::vector<uint32_t>> solved_;
  std::vector<uint32_t> key_;

  // Of the function at hand.
  const Function* function_ = nullptr;
  const Graph* graph_ = nullptr;
  // By kReturn node: whose block it closes. Empty: there is one block.
  std::vector<NodeId> parents_;
  std::vector<Covariance> covariances_;
};

constexpr uint32_t kNothing = 0xffffffff;

constexpr uint64_t kNoLiteral = ~uint64_t{0};

constexpr uint64_t LiteralKey(uint32_t place, ConstantId constant) {
  return uint64_t{place} << 32 | constant.index;
}

// A power of two, for so many nodes.
size_t NumKnownLiterals(const Module& module, size_t num_nodes) {
  const size_t most = std::min(size_t{1} << 15, num_nodes);
  size_t size = 64;
  while (size < most && size < 2 * module.constants.size()) size *= 2;
  return size;
}

size_t LiteralSlot(uint64_t key, size_t num_slots) {
  // Constants of one place one after the other, places far apart.
  return static_cast<size_t>(key + (key >> 32) * 0x9e3779b1u) & (num_slots - 1);
}

// Whether CheckNode has nothing to do for nodes of the intrinsic but to look at
// their operands.
bool ChecksOperandsOnly(Intrinsic intrinsic) {
  switch (intrinsic) {
    case Intrinsic::kNone:
    case Intrinsic::kListConstruct:
    case Intrinsic::kTupleConstruct:
    case Intrinsic::kDictConstruct:
    case Intrinsic::kListUnpack:
      return true;
    default:
      return false;
  }
}

absl::Status TypeVerifier::Run() {
  size_t num_nodes = 0;
  for (size_t f = 0; f < module_.functions.size(); ++f) {
    num_nodes += doubtful_ == nullptr ? module_.functions[f].graph.num_nodes()
                                      : (*doubtful_)[f].size();
  }
  known_literals_.assign(NumKnownLiterals(module_, num_nodes), kNoLiteral);
  for (uint32_t f = 0; f < module_.forms.size(); ++f) {
    const FormId form_id(f);
    const CallForm& form = module_.form(form_id);
    FormFacts facts;
    if (!asked_forms_[f]) {
      facts_.push_back(facts);
      continue;
    }
    facts.is_faulty =
        !CheckForm(module_, form, &relations_, &facts.has_variables).ok();
    facts.is_plain = !facts.is_faulty && !facts.has_variables &&
                     ChecksOperandsOnly(module_.op(form.op).intrinsic);
    facts.num_slots = static_cast<uint32_t>(form.slots.size());
    facts.slots_begin = last_ok_.size();
    last_ok_.resize(last_ok_.size() + form.slots.size());
    for (const bool literals : {false, true}) {
      for (uint32_t i = 0; i < form.slots.size(); ++i) {
        if (form.slots[i].is_constant != literals) continue;
        slots_by_kind_.push_back({i, places_.OfSlot(form_id, i)});
        facts.num_values += !literals;
      }
    }
    facts_.push_back(facts);
    OPCOMPAT_RETURN_IF_ERROR(CheckSteps());
  }
  OPCOMPAT_RETURN_IF_ERROR(CheckHeader());
  for (uint32_t f = 0; f < module_.functions.size(); ++f) {
    functions_.emplace(module_.functions[f].name, f);
  }
  for (uint32_t f = 0; f < module_.functions.size(); ++f) {
    place_.function = f;
    place_.node = NodeId();
    const absl::Status status =
        CheckFunction(module_.functions[f],
                      doubtful_ == nullptr ? nullptr : &(*doubtful_)[f]);
    if (status.ok()) continue;
    if (absl::IsResourceExhausted(status)) return status;
    return Fault(
        Concat(module_.functions[f].name, ": ",
               place_.node.valid() ? Concat(Label(place_.node), ": ") : "",
               status.message()));
  }
  return absl::OkStatus();
}

absl::Status TypeVerifier::CheckSteps() const {
  if (relations_.steps() <= max_steps_) return absl::OkStatus();
  return absl::ResourceExhaustedError(Concat(
      "its types and constants, held against each other, have more than ",
      max_steps_, " parts, the limit"));
}

std::string TypeVerifier::Label(NodeId id) const {
  const Node& node = graph_->nodes[id.index];
  return module_.num_results(node) == 0 ||
                 module_.intrinsic(node) == Intrinsic::kParam
             ? Concat("#", id.index)
             : Concat("%",
                      module_.value_name(*graph_, ValueId(node.results_begin)));
}

std::string TypeVerifier::Spell(Operand operand) const {
  if (operand.is_constant()) {
    return module_.constant(operand.constant()).ToShortString();
  }
  const ValueId value = operand.value();
  return Concat("%", module_.value_name(*graph_, value), " of type ",
                module_.type(graph_->value_types[value.index]).ToShortString());
}

std::string TypeVerifier::Describe(const CallForm& form, size_t slot) const {
  const OperatorEntry* const entry = module_.op(form.op).entry.get();
  const uint32_t argument = form.slots[slot].argument;
  return entry == nullptr || argument == Slot::kVariadic
             ? Concat("operand ", slot)
             : Concat("argument ", entry->arguments[argument].name());
}

absl::Status TypeVerifier::CheckHeader() {
  for (const ModuleAttribute& attribute : module_.attributes) {
    absl::Status status = CheckValueType(module_.type(attribute.type));
    if (status.ok()) {
      status =
          literals_.CheckForm(attribute.value, places_.OfType(attribute.type));
    }
    OPCOMPAT_RETURN_IF_ERROR(CheckSteps());
    if (!status.ok()) {
      return Fault(
          Concat("module attribute ", attribute.name, ": ", status.message()));
    }
  }
  return absl::OkStatus();
}

absl::Status TypeVerifier::CheckFunction(const Function& function,
                                         const std::vector<NodeId>* doubtful) {
  function_ = &function;
  graph_ = &function.graph;
  covariances_.clear();
  for (const TypeId type : function.result_types) {
    OPCOMPAT_RETURN_IF_ERROR(CheckValueType(module_.type(type)));
  }
  parents_.clear();
  if (graph_->blocks.size() > 1) {
    parents_.resize(graph_->num_nodes());
    for (const Block& block : graph_->blocks) {
      parents_[block.end.index] = block.parent;
    }
  }
  if (doubtful == nullptr) {
    for (uint32_t n = 0; n < graph_->num_nodes(); ++n) {
      if (IsKnownToPass(graph_->nodes[n])) continue;
      OPCOMPAT_RETURN_IF_ERROR(CheckOneOf(NodeId(n)));
    }
  } else {
    for (const NodeId id : *doubtful) {
      if (IsKnownToPass(graph_->nodes[id.index])) continue;
      OPCOMPAT_RETURN_IF_ERROR(CheckOneOf(id));
    }
  }
  OPCOMPAT_RETURN_IF_ERROR(CheckCovariances());
  place_.node = NodeId();
  return absl::OkStatus();
}

absl::Status TypeVerifier::CheckOneOf(NodeId id) {
  place_.node = id;
  const absl::Status status = CheckNode(id);
  OPCOMPAT_RETURN_IF_ERROR(CheckSteps());
  if (status.ok()) return absl::OkStatus();
  const absl::string_view op = module_.op(graph_->nodes[id.index]).name();
  return Fault(Concat(op, ": ", status.message()));
}

bool TypeVerifier::IsKnownToPass(const Node& node) const {
  const FormFacts& facts = facts_[node.form.index];
  if (!facts.is_plain) return false;
  const Operand* const operands = graph_->operands.data() + node.operands_begin;
  const TypeId* const types = graph_->value_types.data();
  const TypeId* const last_ok = last_ok_.data() + facts.slots_begin;
  // Values first and then literals, since nobody can foresee which a slot is.
  const SlotPlace* slot = slots_by_kind_.data() + facts.slots_begin;
  const SlotPlace* const first_literal = slot + facts.num_values;
  const SlotPlace* const end = slot + facts.num_slots;
  const uint64_t* const known_literals = known_literals_.data();
  const size_t num_literals = known_literals_.size();
  bool ok = true;
  for (; slot != first_literal; ++slot) {
    ok &= types[operands[slot->slot].value().index] == last_ok[slot->slot];
  }
  for (; slot != end; ++slot) {
    const uint64_t key =
        LiteralKey(slot->place, operands[slot->slot].constant());
    ok &= known_literals[LiteralSlot(key, num_literals)] == key;
  }
  return ok;
}

absl::Status TypeVerifier::CheckNode(NodeId id) {
  const Node& node = graph_->nodes[id.index];
  const CallForm& form = module_.form(node);
  const FormFacts& facts = facts_[node.form.index];
  if (facts.is_faulty) {
    bool has_variables = false;
    return CheckForm(module_, form, &relations_, &has_variables);
  }
  const ModuleOperator& op = module_.op(form.op);
  switch (op.intrinsic) {
    case Intrinsic::kReturn:
      return CheckReturn(id);
    case Intrinsic::kCallFunction:
      return CheckCallFunction(id);
    default:
      break;
  }
  for (size_t i = 0; i < form.slots.size(); ++i) {
    OPCOMPAT_RETURN_IF_ERROR(CheckOperand(id, i, places_.OfSlot(node.form, i)));
  }
  switch (op.intrinsic) {
    case Intrinsic::kNone:
      return facts.has_variables ? SolveVariables(id, *op.entry)
                                 : absl::OkStatus();
    case Intrinsic::kConstant:
      return CheckConstant(node);
    case Intrinsic::kIf:
    case Intrinsic::kLoop:
      return CheckBlocksOf(node, op.intrinsic);
    case Intrinsic::kGetAttr:
    case Intrinsic::kSetAttr:
    case Intrinsic::kCallMethod:
      return CheckNameAndObject(node, true);
    default:
      return absl::OkStatus();
  }
}

absl::Status TypeVerifier::CheckOperand(NodeId id, size_t slot,
                                        uint32_t expected) {
  const Node& node = graph_->nodes[id.index];
  const CallForm& form = module_.form(node);
  const FormFacts& facts = facts_[node.form.index];
  const Operand operand = graph_->operands[node.operands_begin + slot];
  if (operand.is_constant()) {
    const uint64_t key = LiteralKey(expected, operand.constant());
    uint64_t& known = known_literals_[LiteralSlot(key, known_literals_.size())];
    if (known == key) return absl::OkStatus();
    absl::Status status = literals_.CheckForm(operand.constant(), expected);
    if (status.ok() && !relations_.FixesLiterals(expected) &&
        !literals_.OwnType(operand.constant()).has_value()) {
      status = Fault(Concat(
          Spell(operand), " has no type of its own and ", Spell(expected),
          " gives it none; a prim::Constant node with a type would"));
    }
    if (!status.ok()) {
      return Fault(Concat(Describe(form, slot), ": ", status.message()));
    }
    known = key;
    return absl::OkStatus();
  }

  const TypeId declared = graph_->value_types[operand.value().index];
  // The place of what is returned does not depend on the form alone.
  const bool is_return = module_.op(form.op).intrinsic == Intrinsic::kReturn;
  TypeId& last_ok = last_ok_[facts.slots_begin + slot];
  if (!is_return && declared == last_ok) return absl::OkStatus();
  const uint32_t found = places_.OfType(declared);
  if (!relations_.HasVariables(expected)) {
    bool covariant = false;
    if (!relations_.IsSubtype(found, expected, &covariant)) {
      return Fault(Concat(Describe(form, slot), ": found ", Spell(operand),
                          ", expected ", Spell(expected)));
    }
    if (covariant) {
      // May be right for this value and wrong for the next.
      covariances_.push_back({id, static_cast<uint32_t>(slot)});
      return absl::OkStatus();
    }
  }
  if (!is_return) last_ok = declared;
  return absl::OkStatus();
}

absl::Status TypeVerifier::VariableFault(NodeId id, size_t slot,
                                         const Type& expected,
                                         const Type& solved) const {
  const Node& node = graph_->nodes[id.index];
  return Fault(
      Concat(Describe(module_.form(node), slot), ": found ",
             Spell(graph_->operands[node.operands_begin + slot]), ", expected ",
             expected.ToShortString(),
             solved == expected
                 ? ""
                 : Concat(", which is ", solved.ToShortString(), " here")));
}

absl::Status TypeVerifier::SolveVariables(NodeId id,
                                          const OperatorEntry& entry) {
  const Node& node = graph_->nodes[id.index];
  const CallForm& form = module_.form(node);
  key_.assign(1, node.form.index);
  for (size_t i = 0; i < form.slots.size(); ++i) {
    const Operand operand = graph_->operands[node.operands_begin + i];
    if (!relations_.HasVariables(places_.OfSlot(node.form, i))) {
      key_.push_back(kNothing);
    } else if (operand.is_constant()) {
      // CheckOperand has seen that it has one.
      key_.push_back(*literals_.OwnType(operand.constant()));
    } else {
      key_.push_back(
          places_.OfType(graph_->value_types[operand.value().index]));
    }
  }
  if (solved_.contains(key_)) return absl::OkStatus();
  for (size_t i = 1; i < key_.size(); ++i) {
    if (key_[i] == kNothing) continue;
    relations_.AddSteps(
        static_cast<uint64_t>(relations_.type(key_[i]).num_parts()));
  }

  // Values say what the variables are. A literal is of its own type and of
  // wider ones (2 may be a Scalar, None is of every `T?`), so it speaks later,
  // and None last.
  TypeVariables variables;
  TypeVariables of_values;
  for (const Speaker speaker :
       {Speaker::kValue, Speaker::kLiteral, Speaker::kNone}) {
    for (size_t i = 0; i < form.slots.size(); ++i) {
      if (key_[i + 1] == kNothing) continue;
      const Type& type = relations_.type(key_[i + 1]);
      if (SpeakerOf(type, form.slots[i].is_constant) != speaker) continue;
      const Type& expected = entry.arguments[form.slots[i].argument].type;
      if (speaker == Speaker::kNone && expected.kind() == TypeKind::kVariable &&
          !variables.contains(expected.name())) {
        continue;
      }
      if (!IsSubtype(type, expected, &variables, nullptr)) {
        return VariableFault(id, i, expected, Substitute(expected, variables));
      }
    }
    if (speaker == Speaker::kValue) of_values = variables;
  }
  // A variable may have become wider than what an earlier argument was held
  // against.
  bool is_covariant = false;
  for (size_t i = 0; i < form.slots.size(); ++i) {
    if (key_[i + 1] == kNothing || form.slots[i].is_constant) continue;
    const Type& expected = entry.arguments[form.slots[i].argument].type;
    const Type solved = Substitute(expected, variables);
    if (HasVariables(solved)) continue;
    bool covariant = false;
    if (!relations_.IsSubtype(key_[i + 1], relations_.Intern(solved),
                              &covariant)) {
      return VariableFault(id, i, expected, solved);
    }
    if (covariant) {
      covariances_.push_back({id, static_cast<uint32_t>(i)});
      is_covariant = true;
    }
  }
  for (size_t r = 0; r < entry.results.size(); ++r) {
    // A variable that no value has bound takes any type, or a wider one than
    // its literals have.
    const Type& declared = module_.type(form.result_types[r]);
    if (!IsSubtype(declared, Substitute(entry.results[r].type, of_values),
                   &variables, nullptr)) {
      return Fault(
          Concat("result ", r, " is declared ", declared.ToShortString(),
                 ", expected ",
                 Substitute(entry.results[r].type, variables).ToShortString(),
                 ": ", entry.ToShortString()));
    }
  }
  if (!is_covariant) solved_.insert(key_);
  return absl::OkStatus();
}

absl::Status TypeVerifier::CheckReturn(NodeId id) {
  const Node& node = graph_->nodes[id.index];
  const size_t found = module_.form(node).slots.size();
  const NodeId parent = parents_.empty() ? NodeId() : parents_[id.index];
  if (!parent.valid()) {
    const std::vector<TypeId>& types = function_->result_types;
    if (found != types.size()) {
      return Fault(Concat("the function returns ", found, " values, expected ",
                          types.size()));
    }
    for (size_t i = 0; i < found; ++i) {
      OPCOMPAT_RETURN_IF_ERROR(CheckOperand(id, i, places_.OfType(types[i])));
    }
    return absl::OkStatus();
  }
  const FormId form_id = graph_->nodes[parent.index].form;
  const CallForm& form = module_.form(form_id);
  const Intrinsic intrinsic = module_.op(form.op).intrinsic;
  // Blocks of ordinary operators may yield anything.
  if (intrinsic == Intrinsic::kNone) {
    for (size_t i = 0; i < found; ++i) {
      OPCOMPAT_RETURN_IF_ERROR(CheckOperand(id, i, places_.any()));
    }
    return absl::OkStatus();
  }
  const size_t expected =
      form.result_types.size() + (intrinsic == Intrinsic::kLoop ? 1 : 0);
  if (found != expected) {
    return Fault(Concat("a block of ", IntrinsicName(intrinsic), " yields ",
                        found, " values, expected ", expected));
  }
  for (size_t i = 0; i < found; ++i) {
    OPCOMPAT_RETURN_IF_ERROR(CheckOperand(id, i, places_.OfYield(form_id, i)));
  }
  return absl::OkStatus();
}

absl::Status TypeVerifier::CheckConstant(const Node& node) {
  const CallForm& form = module_.form(node);
  const ConstantId value = module_.attribute(*graph_, node, "value");
  if (value.valid()) {
    return literals_.CheckForm(value, places_.OfType(form.result_types[0]));
  }
  const Type& type = module_.type(form.result_types[0]);
  if (form.attribute_names.empty() || type.kind() != TypeKind::kNamed) {
    return Fault(Concat(
        "a constant of type ", type.ToShortString(),
        " without a value; expected an attribute `value`, or other attributes "
        "for a constant of a class"));
  }
  return absl::OkStatus();
}

absl::Status TypeVerifier::CheckBlocksOf(const Node& node,
                                         Intrinsic intrinsic) {
  const CallForm& form = module_.form(node);
  for (uint32_t b = 0; b < form.num_blocks; ++b) {
    const Block& block = graph_->blocks[node.first_block.index + b];
    const std::vector<TypeId>& found =
        module_.form(graph_->nodes[block.param.index]).result_types;
    const size_t expected =
        intrinsic == Intrinsic::kLoop ? form.result_types.size() + 1 : 0;
    if (found.size() != expected) {
      return Fault(Concat("block", b, " has ", found.size(),
                          " parameters, expected ", expected));
    }
    for (size_t i = 0; i < expected; ++i) {
      const uint32_t type = i == 0 ? relations_.Intern(Type(TypeKind::kInt))
                                   : places_.OfType(form.result_types[i - 1]);
      if (!relations_.AreAlike(places_.OfType(found[i]), type)) {
        return Fault(Concat("parameter ", i, " of block", b, " is ",
                            module_.type(found[i]).ToShortString(),
                            ", expected ", Spell(type)));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status TypeVerifier::CheckNameAndObject(const Node& node,
                                              bool has_object) {
  const ConstantId name = module_.attribute(*graph_, node, "name");
  if (!name.valid() || module_.constant(name).kind() != ValueKind::kString) {
    return Fault("expected an attribute `name` with a string");
  }
  if (!has_object) return absl::OkStatus();
  const Operand object = graph_->operands[node.operands_begin];
  if (object.is_constant() ||
      module_.type(graph_->value_types[object.value().index]).kind() !=
          TypeKind::kNamed) {
    return Fault(Concat("operand 0: found ", Spell(object),
                        ", expected a value of a class"));
  }
  return absl::OkStatus();
}

absl::Status TypeVerifier::CheckCallFunction(NodeId id) {
  const Node& node = graph_->nodes[id.index];
  OPCOMPAT_RETURN_IF_ERROR(CheckNameAndObject(node, false));
  const CallForm& form = module_.form(node);
  const std::string& name =
      module_.constant(module_.attribute(*graph_, node, "name")).string_value();
  const auto it = functions_.find(name);
  if (it == functions_.end()) {
    for (size_t i = 0; i < form.slots.size(); ++i) {
      OPCOMPAT_RETURN_IF_ERROR(CheckOperand(id, i, places_.any()));
    }
    return absl::OkStatus();
  }
  const Function& callee = module_.functions[it->second];
  const std::vector<TypeId>& parameters =
      module_.form(callee.graph.nodes[0]).result_types;
  if (form.slots.size() != parameters.size() ||
      form.result_types.size() != callee.result_types.size()) {
    return Fault(Concat("found ", form.slots.size(), " operands and ",
                        form.result_types.size(), " results; function ", name,
                        " has ", parameters.size(), " and ",
                        callee.result_types.size()));
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    // Several functions share a form.
    last_ok_[facts_[node.form.index].slots_begin + i] = TypeId();
    OPCOMPAT_RETURN_IF_ERROR(
        CheckOperand(id, i, places_.OfType(parameters[i])));
  }
  for (size_t r = 0; r < callee.result_types.size(); ++r) {
    const uint32_t declared = places_.OfType(form.result_types[r]);
    const uint32_t expected = places_.OfType(callee.result_types[r]);
    if (!relations_.IsSubtype(declared, expected)) {
      return Fault(Concat("result ", r, " is declared ", Spell(declared),
                          ", function ", name, " returns ", Spell(expected)));
    }
  }
  return absl::OkStatus();
}

absl::Status TypeVerifier::CheckCovariances() {
  absl::optional<WrittenValues> written;
  for (const Covariance& covariance : covariances_) {
    place_.node = covariance.node;
    const Node& node = graph_->nodes[covariance.node.index];
    const CallForm& form = module_.form(node);
    const OperatorEntry* const entry = module_.op(form.op).entry.get();
    const Operand operand =
        graph_->operands[node.operands_begin + covariance.slot];
    const uint32_t argument = form.slots[covariance.slot].argument;
    std::string why;
    if (entry == nullptr || argument == Slot::kVariadic) {
      why = "only an argument of an operator may be given such a container";
    } else if (MarksContainer(entry->arguments[argument].type,
                              entry->arguments[argument].alias)) {
      why = "the argument has alias marks";
    } else {
      if (!written.has_value()) written.emplace(module_, *graph_);
      if (!written->MayBeWritten(operand.value())) continue;
      why = "it may be written";
    }
    return Fault(Concat(
        module_.op(form.op).name(), ": ", Describe(form, covariance.slot),
        ": found ", Spell(operand), ", expected the same element type: ", why));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status VerifyTypes(const Module& module, uint64_t max_steps,
                         const std::vector<std::vector<NodeId>>* doubtful,
                         FaultPlace* place) {
  return TypeVerifier(module, max_steps, doubtful, place).Run();
}

}  // namespace opcompat
