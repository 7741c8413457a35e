// Names of values and source locations: for people. They never decide, so what
// does not make sense here is dropped and is no error.
#ifndef OPCOMPAT_DESERIALIZER_DEBUG_READER_H_
#define OPCOMPAT_DESERIALIZER_DEBUG_READER_H_

#include "deserializer/file_fields.h"
#include "deserializer/module_tables.h"
#include "ir/module.h"

namespace opcompat {
namespace decoding {

// Precondition: the functions of `module` are read.
void ReadDebug(const FileFields& file, ModuleTables* module_tables,
               Module* module);

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_DEBUG_READER_H_
