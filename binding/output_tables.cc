#include "binding/output_tables.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/hash_map.h"

namespace opcompat {
namespace {

// So many elements are searched for one by one, before a table gets an index.
constexpr size_t kFewSearches = 16;

// The number of `element` in a table. Its index is filled when it pays.
template <typename T, typename Key>
uint32_t Intern(const Key& element, std::vector<T>* table,
                HashMap<T, uint32_t>* index, size_t* num_searches) {
  if (index->empty() && ++*num_searches <= kFewSearches) {
    const auto it = std::find(table->begin(), table->end(), element);
    const auto found = static_cast<uint32_t>(it - table->begin());
    if (it == table->end()) table->emplace_back(element);
    return found;
  }
  if (index->empty()) {
    for (uint32_t i = 0; i < table->size(); ++i) index->emplace((*table)[i], i);
  }
  const auto [it, is_new] =
      index->emplace(element, static_cast<uint32_t>(table->size()));
  if (is_new) table->emplace_back(element);
  return it->second;
}

}  // namespace

OutputTables::OutputTables(const Module& in) {
  out_.opsets = in.opsets;
  out_.metadata = in.metadata;
  out_.attributes = in.attributes;
  out_.tensors = in.tensors;
  out_.strings = in.strings;
  out_.types = in.types;
  out_.constants = in.constants;
}

StringId OutputTables::InternString(absl::string_view text) {
  return StringId(
      Intern(std::string(text), &out_.strings, &strings_, &string_searches_));
}

TypeId OutputTables::InternType(const Type& type) {
  return TypeId(Intern(type, &out_.types, &types_, &type_searches_));
}

ConstantId OutputTables::InternConstant(const Value& value) {
  return ConstantId(
      Intern(value, &out_.constants, &constants_, &constant_searches_));
}

OperatorId OutputTables::InternOperator(const ModuleOperator& op) {
  const std::pair<const OperatorEntry*, Intrinsic> key(op.entry.get(),
                                                       op.intrinsic);
  const auto [it, is_new] =
      operators_.emplace(key, static_cast<uint32_t>(out_.operators.size()));
  if (is_new) out_.operators.push_back(op);
  return OperatorId(it->second);
}

}  // namespace opcompat
