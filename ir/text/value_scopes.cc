#include "ir/text/value_scopes.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/text/cursor.h"

namespace opcompat {
namespace {

// No text defines more values than one in so many bytes: `%1:t,`.
constexpr size_t kDefinitionBytes = 5;

}  // namespace

ValueScopes::ValueScopes(const Scanner& scanner)
    : scanner_(scanner),
      max_numbered_(scanner.text().size() / kDefinitionBytes) {}

void ValueScopes::BeginFunction() {
  names_of_values_.emplace_back();
  offsets_.clear();
  scopes_.clear();
  is_open_.clear();
  open_.clear();
}

bool ValueScopes::IsNumber(absl::string_view name, uint32_t* number) const {
  constexpr size_t kMaxDigits = 9;
  const absl::string_view digits = name.substr(1);
  if (digits.size() > kMaxDigits || (digits[0] == '0' && digits.size() > 1)) {
    return false;
  }
  *number = 0;
  for (const char c : digits) {
    if (!absl::ascii_isdigit(static_cast<unsigned char>(c))) return false;
    *number = *number * 10 + static_cast<uint32_t>(c - '0');
  }
  return *number < max_numbered_;
}

ValueScopes::Symbol& ValueScopes::Add(absl::string_view name) {
  uint32_t number;
  if (!IsNumber(name, &number)) return symbols_[name];
  if (number >= numbered_.size()) numbered_.resize(number + 1);
  return numbered_[number];
}

const ValueScopes::Symbol* ValueScopes::FindSymbol(
    absl::string_view name) const {
  uint32_t number;
  if (IsNumber(name, &number)) {
    return number < numbered_.size() ? &numbered_[number] : nullptr;
  }
  const auto known = symbols_.find(name);
  return known != symbols_.end() ? &known->second : nullptr;
}

absl::Status ValueScopes::Define(const Token& name) {
  const auto function = static_cast<uint32_t>(names_of_values_.size() - 1);
  Symbol& symbol = Add(name.text);
  if (symbol.function == function) {
    return scanner_.ErrorAt(
        name.offset,
        absl::StrCat(name.text, " is defined already, at ",
                     PlaceOf(scanner_.text(), offsets_[symbol.value.index])));
  }
  if (symbol.name == Symbol::kNone) {
    symbol.name = static_cast<uint32_t>(names_.size());
    names_.push_back(name.text.substr(1));
  }
  symbol.function = function;
  symbol.value = ValueId(static_cast<uint32_t>(offsets_.size()));
  names_of_values_.back().push_back(symbol.name);
  offsets_.push_back(static_cast<uint32_t>(name.offset));
  return absl::OkStatus();
}

void ValueScopes::OpenBlock() {
  open_.push_back(static_cast<uint32_t>(is_open_.size()));
  is_open_.push_back(true);
}

void ValueScopes::CloseBlock() {
  is_open_[open_.back()] = false;
  open_.pop_back();
}

absl::StatusOr<ValueId> ValueScopes::Find(const Token& name) const {
  const Symbol* const symbol = FindSymbol(name.text);
  // What the statement itself defines has no scope yet.
  if (symbol == nullptr || symbol->function != names_of_values_.size() - 1 ||
      symbol->value.index >= scopes_.size()) {
    return scanner_.ErrorAt(name.offset,
                            absl::StrCat(name.text, " is not defined"));
  }
  const ValueId value = symbol->value;
  if (!is_open_[scopes_[value.index]]) {
    return scanner_.ErrorAt(
        name.offset,
        absl::StrCat(name.text, " is not visible here: it is defined at ",
                     PlaceOf(scanner_.text(), offsets_[value.index]),
                     ", in a block that has ended"));
  }
  return value;
}

void ValueScopes::AddNames(Module* module) const {
  std::vector<std::string>& strings = module->strings;
  strings.reserve(strings.size() + names_.size());  // keeps the keys valid
  absl::flat_hash_map<absl::string_view, StringId> others;
  for (uint32_t i = 0; i < strings.size(); ++i) {
    others.emplace(strings[i], StringId(i));
  }
  std::vector<StringId> ids;
  ids.reserve(names_.size());
  for (const absl::string_view name : names_) {
    const auto other = others.empty() ? others.end() : others.find(name);
    if (other != others.end()) {
      ids.push_back(other->second);
    } else {
      ids.push_back(StringId(static_cast<uint32_t>(strings.size())));
      strings.emplace_back(name);
    }
  }
  for (size_t f = 0; f < module->functions.size(); ++f) {
    std::vector<StringId>& names = module->functions[f].graph.value_names;
    names.reserve(names_of_values_[f].size());
    for (const uint32_t name : names_of_values_[f]) names.push_back(ids[name]);
  }
}

}  // namespace opcompat
