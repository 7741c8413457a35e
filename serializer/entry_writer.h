// Operator entries on the wire: all that the writer knew, nothing implied.
#ifndef OPCOMPAT_SERIALIZER_ENTRY_WRITER_H_
#define OPCOMPAT_SERIALIZER_ENTRY_WRITER_H_

#include <set>
#include <string>

#include "schema/operator_entry.h"
#include "serializer/byte_writer.h"
#include "serializer/table_writer.h"

namespace opcompat {
namespace encoding {

// Appends `entry` as an element of the file's field `operators`, and adds to
// `features` what a reader must understand to read it.
void WriteEntry(const OperatorEntry& entry, TableWriter* tables,
                ByteWriter* out, std::set<std::string>* features);

}  // namespace encoding
}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_ENTRY_WRITER_H_
