// Binding one call from an entry to another at the same revision: the table of
// docs/compatibility.md, "Binding".
#ifndef OPCOMPAT_BINDING_BIND_CALL_H_
#define OPCOMPAT_BINDING_BIND_CALL_H_

#include <string>
#include <vector>

#include "binding/call.h"
#include "binding/identity.h"
#include "binding/value_relation.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"
#include "schema/typing.h"

namespace opcompat {

// What can be said of two entries before any call is seen. Made once per pair.
class EntryPair {
 public:
  // `reader` decides the order of versions (origins) and gives its version's
  // name to messages.
  EntryPair(OperatorEntryPtr writer, OperatorEntryPtr reader_entry,
            const Opset& reader);

  const OperatorEntry& writer() const { return *writer_; }
  const OperatorEntryPtr& reader_entry() const { return reader_; }
  // Equal entries: every call passes as it is.
  bool identical() const { return identical_; }
  // Whether a constant given to the writer's exposed argument passes as it is
  // whatever its value.
  bool passes_constants(size_t writer_argument) const {
    return passes_constants_[writer_argument];
  }
  // The same for constants that are no words, and have none in them.
  bool passes_non_words(size_t writer_argument) const {
    return passes_non_words_[writer_argument];
  }

  struct Options {
    // A writer's unchanged steps never drop ignorable arguments.
    bool drop_ignorable = true;
  };

  // Binds `call` (of the writer's entry) to the reader's entry. Appends to
  // `refusals` every reason against it; if none were added, `*bound` is the
  // call and `*variables` the type variables of the reader's entry.
  void Bind(const Call& call, const Options& options, Call* bound,
            TypeVariables* variables, CallNotes* notes,
            std::vector<Refusal>* refusals) const;

 private:
  struct Context;
  // The two ends of a link; null: that side does not know the argument.
  const EntryArgument* WriterArgument(const ArgumentLink& link) const {
    return link.writer.has_value() ? &writer_->arguments[*link.writer]
                                   : nullptr;
  }
  const EntryArgument* ReaderArgument(const ArgumentLink& link) const {
    return link.reader.has_value() ? &reader_->arguments[*link.reader]
                                   : nullptr;
  }
  void BindLink(const ArgumentLink& link, const Call& call,
                Context& context) const;
  void BindValue(const ArgumentLink& link, const CallArgument& given,
                 Context& context) const;
  void BindConstant(const ArgumentLink& link, const TypedValue& value,
                    const CallArgument* given, Context& context) const;
  // Refuses, or drops the argument if a side declares it ignorable.
  void Refuse(const ArgumentLink& link, Refusal refusal,
              Context& context) const;
  void TypeCheck(Context& context) const;
  // For messages: names the reader's argument that stands where the writer's
  // stood, with its type, and that the writer does not expose; or nothing.
  std::string LikelyRename(size_t writer_argument) const;
  // `torch 1.7.1`
  const std::string& reader_name() const { return reader_name_; }

  OperatorEntryPtr writer_;
  OperatorEntryPtr reader_;
  std::string reader_name_;
  bool identical_ = false;
  ArgumentLinks links_;
  std::vector<ValueRelation> relations_;  // by link
  std::vector<bool> passes_constants_;
  std::vector<bool> passes_non_words_;
  std::vector<Refusal> always_;  // reasons against every call
};

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_BIND_CALL_H_
