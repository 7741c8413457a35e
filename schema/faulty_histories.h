// Histories with a fault each: every fault that a history can have. A table for
// the tests of what is said about them, and seeds for fuzzers.
#ifndef OPCOMPAT_SCHEMA_FAULTY_HISTORIES_H_
#define OPCOMPAT_SCHEMA_FAULTY_HISTORIES_H_

#include <string>
#include <vector>

#include "schema/text/history_text.h"

namespace opcompat {

struct FaultyHistory {
  std::string name;
  std::vector<VersionText> versions;
  // FILE:LINE[:COLUMN]: message, without the folder `h/`. Version N begins in
  // line 2, or where the versions before it end; its declarations follow.
  std::vector<std::string> faults;
};

const std::vector<FaultyHistory>& FaultyHistories();

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_FAULTY_HISTORIES_H_
