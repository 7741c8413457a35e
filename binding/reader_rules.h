// What becomes of the calls of a file's operators in a reader: which operator
// of the reader it is, if any, and whether a call passes, is bound, or takes
// steps to another revision.
#ifndef OPCOMPAT_BINDING_READER_RULES_H_
#define OPCOMPAT_BINDING_READER_RULES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/hash_map.h"
#include "binding/bind_options.h"
#include "binding/operator_rule.h"
#include "binding/steps.h"
#include "binding/written_versions.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {

// For one file: an operator of the reader stands for one of the file.
class ReaderRules : public CallRules {
 public:
  // Both must outlive this object.
  ReaderRules(const Runtime& reader, const BindOptions& options)
      : reader_(reader), options_(options) {}

  OperatorRule RuleFor(const OperatorEntryPtr& entry,
                       const WrittenVersions& versions) override;
  std::string Describe(const OperatorEntry& entry,
                       const WrittenVersions& versions) const override;

  // Whether two of the entries so far stand for one operator of the reader.
  bool met_one_twice() const { return met_one_twice_; }

  // The module is now the reader's: its opsets are, those that it names and
  // those whose operators it calls, each once. Histories that the reader lacks
  // stay only with the opaque calls that need them.
  void SetOpsets(Module* module) const;

 private:
  OperatorRule RuleIn(const Opset& reader, const OperatorEntryPtr& entry,
                      const WrittenVersions& versions);
  // The reader lacks the operator; `removed`: what it knew of it, or null. The
  // reader's own steps come first: down to the revision that it knew, up to its
  // last schema, and the upgraders of what it removed. Then, for a target, what
  // the writer says of the versions before it added the operator.
  OperatorRule RuleWithout(const OperatorEntryPtr& entry, const Opset& opset,
                           const OperatorInfo* removed);
  // The reader lacks the operator, and the history if `opset` is null.
  OperatorRule UnknownOperator(const OperatorEntryPtr& entry,
                               const Opset* opset);
  // What the writer knows of the operator, if steps down may be taken; else
  // null.
  const OperatorInfo* WriterInfo(const OperatorEntry& entry) const;
  // The reader's revision is lower: only a target takes steps down, with what
  // the writer knows of them.
  OperatorRule RuleDown(const OperatorEntryPtr& entry, const Opset& opset,
                        const OperatorInfo& info);
  std::shared_ptr<StepBinder> Steps(const OperatorInfo& info,
                                    const Opset& opset);

  const Runtime& reader_;
  const BindOptions& options_;
  HashMap<const OperatorInfo*, std::shared_ptr<StepBinder>> steps_;
  // Whether all entries that stand for an operator of the reader have a name in
  // common, this one included.
  bool IsOneOperator(const OperatorInfo* info, const OperatorEntryPtr& entry);

  // The file's entries that were bound to an operator of the reader.
  struct Entries {
    OperatorEntryPtr first;
    // What all of them are called, once there are two.
    std::vector<std::string> names;
  };
  HashMap<const OperatorInfo*, Entries> file_entries_of_;
  bool met_one_twice_ = false;
};

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_READER_RULES_H_
