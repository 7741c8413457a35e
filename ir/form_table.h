// The call forms of a module that is being made, each once.
#ifndef OPCOMPAT_IR_FORM_TABLE_H_
#define OPCOMPAT_IR_FORM_TABLE_H_

#include <cstdint>
#include <vector>

#include "base/hash_map.h"
#include "ir/ids.h"
#include "ir/module.h"

namespace opcompat {

class FormTable {
 public:
  // The form's number in the module, to which it is added if no equal one is
  // there. All forms of the module must have come by this.
  FormId Intern(CallForm form, Module* module);

 private:
  // By all that a form is, as words.
  HashMap<std::vector<uint32_t>, FormId> ids_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_IR_FORM_TABLE_H_
