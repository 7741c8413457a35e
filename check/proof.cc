#include "check/proof.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "check/call_text.h"
#include "check/check.h"
#include "check/testing.h"
#include "compat_matrix/oracle/oracle.h"
#include "gtest/gtest.h"
#include "ir/text/module_parser.h"
#include "schema/typing.h"

namespace opcompat {
namespace {

// How many operators share a history.
constexpr size_t kBatch = 500;
constexpr size_t kMaxComplaints = 10;

// What calls pass, where it fits.
const std::vector<Value>& Literals() {
  static const auto* const literals = new std::vector<Value>{
      Value::None(),
      Value::Int(0),
      Value::Int(1),
      Value::Int(9007199254740993),
      Value::Float(0.0),
      Value::Float(-0.0),
      Value::Float(1.0),
      Value::Float(0.25),
      Value::FloatBits(0x7ff8000000000000),
      Value::Bool(true),
      Value::Bool(false),
      Value::String("a"),
      Value::String("b"),
      Value::List({}),
      Value::List({Value::Int(0)}),
      Value::List({Value::Int(0), Value::Int(0)}),
      Value::List({Value::Int(0), Value::Int(1)}),
      Value::List({Value::Int(1), Value::Int(1), Value::Int(1)}),
      Value::List({Value::Float(0.25)}),
      Value::List({Value::None()}),
  };
  return *literals;
}

// What values in the graph are, and results are declared to be.
const std::vector<Type>& GraphTypes() {
  const auto kind = [](TypeKind k) { return Type(k); };
  static const auto* const types = new std::vector<Type>{
      kind(TypeKind::kTensor),
      kind(TypeKind::kInt),
      kind(TypeKind::kFloat),
      kind(TypeKind::kBool),
      kind(TypeKind::kString),
      kind(TypeKind::kScalar),
      kind(TypeKind::kScalarType),
      kind(TypeKind::kNone),
      Type::List(kind(TypeKind::kInt)),
      Type::List(kind(TypeKind::kFloat)),
      Type::List(kind(TypeKind::kScalar)),
      Type::List(kind(TypeKind::kTensor)),
      Type::Optional(kind(TypeKind::kTensor)),
      Type::Optional(kind(TypeKind::kInt)),
      Type::Optional(kind(TypeKind::kFloat)),
      Type::Optional(kind(TypeKind::kString)),
      Type::Optional(kind(TypeKind::kScalar)),
      Type::Optional(Type::List(kind(TypeKind::kInt))),
  };
  return *types;
}

bool HasList(const Type& type) {
  return type.kind() == TypeKind::kList ||
         (type.kind() == TypeKind::kOptional && HasList(type.child()));
}

std::vector<Passed> Choices(const EntryArgument& argument) {
  // The same in all histories and not in question.
  if (argument.name() == "x") {
    return {Passed::GraphValue(Type(TypeKind::kTensor))};
  }
  std::vector<Passed> choices;
  if (argument.default_value.has_value()) choices.push_back(Passed::LeftOut());
  if (HasVariables(argument.type) || argument.type == Type(TypeKind::kAny)) {
    for (const TypeKind kind :
         {TypeKind::kTensor, TypeKind::kInt, TypeKind::kFloat}) {
      const bool is_list = argument.type.kind() == TypeKind::kList;
      choices.push_back(
          Passed::GraphValue(is_list ? Type::List(Type(kind)) : Type(kind)));
    }
    choices.push_back(Passed::GraphValue(Type::Optional(Type(TypeKind::kInt))));
    choices.push_back(Passed::Constant(Value::Int(1)));
    return choices;
  }
  for (const Value& literal : Literals()) {
    const absl::StatusOr<Value> value = CoerceLiteral(literal, argument.type);
    if (!value.ok() || *value != literal) continue;
    choices.push_back(Passed::Constant(literal));
  }
  for (const Type& type : GraphTypes()) {
    bool covariant = false;
    if (!IsSubtype(type, argument.type, nullptr, &covariant)) continue;
    choices.push_back(Passed::GraphValue(type));
    if (HasList(type) && !covariant) {
      choices.push_back(Passed::GraphValue(type, true));
    }
  }
  return choices;
}

template <typename T, typename Assign>
void Multiply(std::vector<SampleCall>* calls, const std::vector<T>& choices,
              const Assign& assign) {
  std::vector<SampleCall> product;
  for (const SampleCall& call : *calls) {
    for (const T& choice : choices) {
      product.push_back(call);
      assign(choice, &product.back());
    }
  }
  *calls = std::move(product);
}

// Solves the type variables of a call; false: it does not type-check.
bool Solve(const SampleCall& call, TypeVariables* variables) {
  bool fits = true;
  for (int pass = 0; pass < 2; ++pass) {
    fits = true;
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      const Passed& passed = call.arguments[i];
      if (passed.kind == Passed::Kind::kLeftOut) continue;
      const Type type = passed.kind == Passed::Kind::kValue
                            ? passed.type
                            : Type(TypeKind::kInt);
      if (!HasVariables(call.entry->arguments[i].type)) continue;
      fits = fits &&
             IsSubtype(type, call.entry->arguments[i].type, variables, nullptr);
    }
  }
  return fits;
}

// The calls of an operator with type variables: results as solved.
std::vector<SampleCall> Solved(std::vector<SampleCall> calls) {
  std::vector<SampleCall> solved;
  for (SampleCall& call : calls) {
    TypeVariables variables;
    if (!Solve(call, &variables)) continue;
    for (const EntryResult& result : call.entry->results) {
      const Type type = Substitute(result.type, variables);
      if (HasVariables(type)) break;
      call.results.push_back(type);
    }
    if (call.results.size() != call.entry->results.size()) continue;
    solved.push_back(std::move(call));
  }
  return solved;
}

std::vector<SampleCall> AllCalls(const OperatorEntryPtr& entry) {
  std::vector<SampleCall> calls(1);
  calls[0].entry = entry;
  for (size_t i = 0; i < entry->num_exposed(); ++i) {
    Multiply(&calls, Choices(entry->arguments[i]),
             [](const Passed& choice, SampleCall* call) {
               call->arguments.push_back(choice);
             });
  }
  if (std::any_of(entry->arguments.begin(), entry->arguments.end(),
                  [](const EntryArgument& argument) {
                    return HasVariables(argument.type);
                  })) {
    return Solved(std::move(calls));
  }
  for (const EntryResult& result : entry->results) {
    std::vector<Type> types;
    for (const Type& type : GraphTypes()) {
      if (IsSubtype(type, result.type)) types.push_back(type);
    }
    Multiply(&calls, types, [](const Type& type, SampleCall* call) {
      call->results.push_back(type);
    });
  }
  const std::vector<std::vector<Type>> more = {
      {}, {Type(TypeKind::kTensor)}, {Type(TypeKind::kInt)}};
  if (entry->is_vararg) {
    Multiply(&calls, more, [](const std::vector<Type>& types, SampleCall* c) {
      c->variadic = types;
    });
  }
  if (entry->is_varret) {
    Multiply(&calls, more, [](const std::vector<Type>& types, SampleCall* c) {
      c->results.insert(c->results.end(), types.begin(), types.end());
    });
  }
  return calls;
}

std::string OpName(size_t i) { return absl::StrCat("t::f", i); }

std::string HelperName(size_t i) { return absl::StrCat("t::g", i); }
std::string GraphPath(size_t i, size_t version) {
  return absl::StrCat("up", i, "_", version, ".graph");
}

// The number after the first `before` in `text`.
absl::optional<size_t> NumberAfter(absl::string_view before,
                                   absl::string_view text) {
  const size_t at = text.find(before);
  if (at == absl::string_view::npos) return absl::nullopt;
  text.remove_prefix(at + before.size());
  size_t digits = 0;
  while (digits < text.size() && absl::ascii_isdigit(text[digits])) ++digits;
  size_t i = 0;
  if (!absl::SimpleAtoi(text.substr(0, digits), &i)) return absl::nullopt;
  return i;
}

absl::optional<size_t> OpIn(absl::string_view text) {
  return NumberAfter("t::f", text);
}

// Which life is at fault.
absl::optional<size_t> LifeOf(const HistoryFault& fault) {
  for (const char* before : {"t::f", "t::g"}) {
    absl::optional<size_t> i = NumberAfter(before, fault.message);
    if (i.has_value()) return i;
  }
  return NumberAfter("up", fault.place.file);
}

class Batch {
 public:
  Batch(const std::vector<OperatorLife>& lives, size_t begin, size_t end,
        const ProofOptions& options, size_t* complaints, ProofSize* size)
      : lives_(lives),
        options_(options),
        complaints_(*complaints),
        size_(*size) {
    for (size_t i = begin; i < end; ++i) numbers_.insert(i);
  }

  void Run() {
    if (!Load() || numbers_.empty()) return;
    size_.operators += numbers_.size();
    const std::vector<Opset>& versions = loaded_.history->versions();
    for (const Opset& opset : versions) {
      runtimes_.push_back(RuntimeOf(opset));
      WriteCalls(opset, runtimes_.back());
      if (modules_.size() != runtimes_.size()) return;
    }
    for (size_t a = 0; a < versions.size(); ++a) {
      for (size_t b = a + 1; b < versions.size(); ++b) ProvePair(a, b);
    }
  }

 private:
  std::vector<TextVersion> Texts(
      std::map<std::string, std::string>* graphs) const;
  bool Load();
  void WriteCalls(const Opset& opset, const Runtime& runtime);
  void ProvePair(size_t a, size_t b);
  // By operator: a function whose call is refused, with the reason.
  absl::flat_hash_map<size_t, std::string> Refused(size_t writer,
                                                   size_t reader);
  void Compare(size_t writer, size_t reader, FindingCategory category,
               const std::vector<Finding>& findings);
  std::string Describe(size_t i) const;

  const std::vector<OperatorLife>& lives_;
  const ProofOptions& options_;
  size_t& complaints_;
  ProofSize& size_;
  std::set<size_t> numbers_;
  LoadedHistory loaded_;
  std::vector<Runtime> runtimes_;
  std::vector<Module> modules_;
  // By version: the operator and statement of each function, by its number.
  std::vector<std::vector<std::pair<size_t, std::string>>> calls_;
};

std::vector<TextVersion> Batch::Texts(
    std::map<std::string, std::string>* graphs) const {
  std::vector<TextVersion> versions;
  for (size_t v = 0; v < lives_[0].size(); ++v) {
    TextVersion version;
    version.id = absl::StrCat(v + 1);
    if (v < options_.versions.size()) version.declared = options_.versions[v];
    for (const size_t i : numbers_) {
      const OperatorState& state = lives_[i][v];
      if (!state.schema.empty()) {
        absl::StrAppend(&version.operators, OpName(i), state.schema, "\n");
      }
      const auto declare = [&](const std::string& op,
                               const std::vector<std::string>& all) {
        for (const std::string& declared : all) {
          absl::StrAppend(
              &version.declared, "changes { operator: \"", op, "\" ",
              absl::StrReplaceAll(declared, {{"$graph", GraphPath(i, v)}}),
              " }\n");
        }
      };
      declare(OpName(i), state.declared);
      if (!state.helper.empty()) {
        absl::StrAppend(&version.operators, HelperName(i), state.helper, "\n");
      }
      declare(HelperName(i), state.helper_declared);
      if (!state.graph.empty()) {
        (*graphs)[GraphPath(i, v)] =
            absl::StrReplaceAll(state.graph, {{"$helper", HelperName(i)}});
      }
    }
    versions.push_back(std::move(version));
  }
  return versions;
}

// Drops the lives that are at fault.
bool Batch::Load() {
  while (true) {
    std::map<std::string, std::string> graphs;
    const std::vector<TextVersion> texts = Texts(&graphs);
    loaded_ = LoadText(texts, graphs);
    if (loaded_.history != nullptr) return true;
    const size_t before = numbers_.size();
    for (const HistoryFault& fault : loaded_.faults) {
      const absl::optional<size_t> i = LifeOf(fault);
      if (i.has_value()) numbers_.erase(*i);
    }
    if (numbers_.size() == before) {
      ADD_FAILURE() << loaded_.faults[0].ToString();
      return false;
    }
  }
}

void Batch::WriteCalls(const Opset& opset, const Runtime& runtime) {
  std::vector<std::pair<size_t, std::string>> calls;
  std::string text;
  for (const size_t i : numbers_) {
    const OperatorInfo* info = opset.Find(OpName(i));
    if (info == nullptr) continue;
    for (const SampleCall& call : AllCalls(info->current())) {
      absl::StrAppend(&text,
                      FunctionText(absl::StrCat("f", calls.size()), call));
      calls.emplace_back(i, StatementText(call));
    }
  }
  absl::StatusOr<Module> module = ParseModule(text, runtime);
  ASSERT_TRUE(module.ok()) << module.status();
  modules_.push_back(*std::move(module));
  calls_.push_back(std::move(calls));
}

absl::flat_hash_map<size_t, std::string> Batch::Refused(size_t writer,
                                                        size_t reader) {
  const Prediction prediction =
      Predict(modules_[writer], runtimes_[writer], runtimes_[reader]);
  size_.calls += calls_[writer].size();
  absl::flat_hash_map<size_t, std::string> refused;
  for (const Prediction::Refusal& refusal : prediction.refusals) {
    size_t f = 0;
    EXPECT_TRUE(
        absl::SimpleAtoi(absl::string_view(refusal.function).substr(1), &f));
    const auto& [i, statement] = calls_[writer][f];
    refused.emplace(
        i, absl::StrCat(statement, ": ", refusal.code, " ", refusal.argument));
  }
  return refused;
}

std::string Batch::Describe(size_t i) const {
  std::string text;
  for (size_t v = 0; v < lives_[i].size(); ++v) {
    absl::StrAppend(
        &text, "  ", v + 1, ": ",
        lives_[i][v].schema.empty() ? "(none)" : lives_[i][v].schema, "\n");
    for (const std::string& declared : lives_[i][v].declared) {
      absl::StrAppend(&text, "     ", declared, "\n");
    }
    if (!lives_[i][v].helper.empty()) {
      absl::StrAppend(&text, "     helper ", lives_[i][v].helper, "\n");
    }
    absl::StrAppend(&text, lives_[i][v].graph);
  }
  return text;
}

void Batch::Compare(size_t writer, size_t reader, FindingCategory category,
                    const std::vector<Finding>& findings) {
  const absl::flat_hash_map<size_t, std::string> refused =
      Refused(writer, reader);
  absl::flat_hash_map<size_t, const Finding*> found;
  for (const Finding& finding : findings) {
    const absl::optional<size_t> i = OpIn(finding.op);
    if (finding.category == category && i.has_value()) {
      found.emplace(*i, &finding);
    }
  }
  for (const size_t i : numbers_) {
    ++size_.pairs;
    const auto at_rules = found.find(i);
    const auto at_oracle = refused.find(i);
    if (at_rules == found.end()) ++size_.compatible;
    const bool agree =
        (at_rules == found.end()) == (at_oracle == refused.end());
    const bool careful = !options_.exact && at_rules != found.end();
    if (agree || careful || ++complaints_ > kMaxComplaints) continue;
    ADD_FAILURE() << "written at " << writer + 1 << ", read at " << reader + 1
                  << "\n"
                  << Describe(i) << "the rules: "
                  << (at_rules == found.end() ? "compatible"
                                              : FindingText(*at_rules->second))
                  << "\nthe oracle: "
                  << (at_oracle == refused.end() ? "accepts every call"
                                                 : at_oracle->second);
  }
}

void Batch::ProvePair(size_t a, size_t b) {
  const std::vector<Opset>& versions = loaded_.history->versions();
  const std::vector<Finding> findings = CheckPair(versions[a], versions[b]);
  Compare(a, b, FindingCategory::kBackward, findings);
  Compare(b, a, FindingCategory::kForward, findings);
}

}  // namespace

ProofSize Prove(const std::vector<OperatorLife>& lives,
                const ProofOptions& options) {
  ProofSize size;
  size_t complaints = 0;
  for (size_t begin = 0; begin < lives.size(); begin += kBatch) {
    Batch(lives, begin, std::min(begin + kBatch, lives.size()), options,
          &complaints, &size)
        .Run();
  }
  EXPECT_LE(complaints, kMaxComplaints) << "only the first ones are shown";
  return size;
}

}  // namespace opcompat
