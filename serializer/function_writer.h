// The graphs of a module as columns: one element per node, per operand that is
// a value, per operand that is a constant. And their debug information.
#ifndef OPCOMPAT_SERIALIZER_FUNCTION_WRITER_H_
#define OPCOMPAT_SERIALIZER_FUNCTION_WRITER_H_

#include "ir/module.h"
#include "serializer/byte_writer.h"
#include "serializer/call_forms.h"
#include "serializer/elision.h"
#include "serializer/table_writer.h"

namespace opcompat {
namespace encoding {

// Appends the elements of the file's field `functions`.
void WriteFunctions(const Module& module, const ElisionRule& elision,
                    const CallForms& forms, TableWriter* tables,
                    ByteWriter* out);

// Appends the field `debug`, if the module has names or locations.
void WriteDebug(const Module& module, ByteWriter* out);

}  // namespace encoding
}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_FUNCTION_WRITER_H_
