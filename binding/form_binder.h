// Binding before there are nodes: where the form of a call says all that its
// binding depends on, whoever makes the nodes can make them as the reader has
// them, and nothing is left to bind afterwards. So it is when a reader is a few
// versions away and nothing has another revision.
//
// A reader of files asks this first and falls back on BindModule
// (bind_module.h), which takes any module, refuses with reasons, and decides
// what calls mean; this gives what BindModule gives, or nothing.
#ifndef OPCOMPAT_BINDING_FORM_BINDER_H_
#define OPCOMPAT_BINDING_FORM_BINDER_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "binding/bind_options.h"
#include "binding/call.h"
#include "binding/operator_rule.h"
#include "binding/reader_rules.h"
#include "binding/report.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {

// What a node of one form becomes. Its results stay what they are.
struct BoundForm {
  OperatorEntryPtr entry;
  std::vector<Slot> slots;
  // By slot: the operand of the old node, or ~i: constants[i]. Operands of
  // which the constant was known may not be referred to.
  absl::InlinedVector<int64_t, 8> sources;
  std::vector<Value> constants;
  CallNotes notes;
};

class FormBinder {
 public:
  // What a slot of a form is given in every node: a value of that type; that
  // constant; or a constant of which only this is known, that it has the form
  // which its argument gives it, and that it is no word.
  struct Given {
    Slot slot;
    const Type* type = nullptr;  // of a value
    absl::optional<Value> constant;
  };

  // `entries` are the file's; `header` is a module with its opsets. All but
  // `header` must outlive this object.
  FormBinder(const Runtime& reader, const BindOptions& options,
             const std::vector<OperatorEntryPtr>& entries,
             const Module& header);

  // False: calls of some entry are refused, or may need another revision, so
  // this is of no use.
  bool may_bind() const { return may_bind_; }

  // The reader's entry with which all calls of entry `i` pass as they are;
  // null: they are to be bound. Precondition: may_bind().
  const OperatorEntryPtr& same(size_t i) const { return rules_[i].same; }

  // What nodes of a form of entry `i` become which have no attributes and no
  // blocks; nullopt: that is not the same for all of them, or more than this
  // can say. Precondition: may_bind(), same(i) is null.
  absl::optional<BoundForm> Bind(size_t i, absl::Span<const Given> given,
                                 absl::Span<const Type* const> results) const;

  // So many calls of entry `entry` were bound; `notes` null: they passed.
  struct FormCalls {
    size_t entry;
    uint64_t calls;
    const CallNotes* notes;
  };
  LoadReport Report(absl::Span<const FormCalls> calls) const;

  // See ReaderRules.
  void SetOpsets(Module* module) const { reader_rules_.SetOpsets(module); }

 private:
  const std::vector<OperatorEntryPtr>& entries_;
  ReaderRules reader_rules_;
  std::vector<OperatorRule> rules_;  // by entry
  bool may_bind_ = true;
};

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_FORM_BINDER_H_
