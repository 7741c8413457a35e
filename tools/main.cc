#include <csignal>

#include "tools/tool.h"

namespace {

// Nothing: writing past a limit of file sizes then is an error like a full
// disk, which is told, and not the end. (Unlike SIG_IGN, programs that are
// started do not inherit it.)
void KeepGoing(int /*signal*/) {}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, KeepGoing);
  return opcompat::RunTool(argc, argv);
}
