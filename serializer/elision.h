// Which arguments stay off the wire: the contract.
//
// An argument may be left out iff its effective value is, bit for bit, the
// default of the entry that travels in the same file. Then a reader finds in
// the file what leaving out meant, whatever its own default is. It does not
// matter which argument (trailing, in the middle, keyword-only, before an out
// argument) nor whether somebody wrote the value or left it out. A value that
// the graph computes is never left out, even if it always equals the default.
//
// Bits decide: -0.0 is not 0.0, the same NaN is equal, int 1 at a Scalar is not
// 1.0. The constants of a verified module and the defaults of an entry are both
// in the form that the argument's type gives them (CoerceLiteral), so equality
// of Value is equality of bits.
#ifndef OPCOMPAT_SERIALIZER_ELISION_H_
#define OPCOMPAT_SERIALIZER_ELISION_H_

#include <cstdint>
#include <vector>

#include "ir/ids.h"
#include "ir/module.h"
#include "schema/value.h"
#include "serializer/options.h"

namespace opcompat {
namespace encoding {

// Answers for one module and one policy. Constants are interned, so that the
// question per node is whether two ids are the same.
class ElisionRule {
 public:
  // `module` must outlive the rule.
  ElisionRule(const Module& module, Elision policy);

  // The constant with which exposed argument `argument` of `op` may be left
  // out, or an invalid id.
  ConstantId LeftOutAt(OperatorId op, uint32_t argument) const {
    return policy_ == Elision::kEqualToDefault && op.index < defaults_.size() &&
                   argument < defaults_[op.index].size()
               ? defaults_[op.index][argument]
               : ConstantId();
  }

  // What must be written for an argument that the node leaves out, or an
  // invalid id: nothing.
  ConstantId WriteInstead(OperatorId op, uint32_t argument) const {
    return policy_ == Elision::kNone ? defaults_[op.index][argument]
                                     : ConstantId();
  }

  // The module's constants, and after them defaults that WriteInstead needs.
  size_t num_constants() const {
    return module_->constants.size() + more_constants_.size();
  }
  const Value& constant(ConstantId id) const {
    return id.index < module_->constants.size()
               ? module_->constants[id.index]
               : more_constants_[id.index - module_->constants.size()];
  }

 private:
  const Module* module_;
  Elision policy_;
  // By operator and exposed argument: the constant that equals the default; not
  // valid if there is none.
  std::vector<std::vector<ConstantId>> defaults_;
  std::vector<Value> more_constants_;
};

}  // namespace encoding
}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_ELISION_H_
