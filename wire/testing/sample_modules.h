// Modules to write and read in tests: the ones that ship, at every version
// where they are valid, and small ones from text.
#ifndef OPCOMPAT_WIRE_TESTING_SAMPLE_MODULES_H_
#define OPCOMPAT_WIRE_TESTING_SAMPLE_MODULES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "ir/module.h"
#include "schema/opset.h"

namespace opcompat {

struct SampleModule {
  std::string name;  // `tile_twice.graph at demo 1.2`
  Runtime writer;
  Module module;
};

// Version `version` of opsets/NAME. A fault ends the process.
Runtime ShippedRuntime(absl::string_view name, absl::string_view version);

// Every module of opsets/demo at every version where it is valid. A fault ends
// the process: tests would show nothing without them.
std::vector<SampleModule> DemoModules();

// Every module of opsets/torch at the version that it is from.
std::vector<SampleModule> TorchModules();

// The module of `text`, whose operators are `schemas`, schema lines of an opset
// `t 1`. A fault ends the process.
SampleModule ModuleOf(absl::string_view schemas, absl::string_view text);

// What each call means: one line per node, with its operator and for each
// argument what it gets, be it written or the default. Two modules of equal
// lines mean the same, whatever they leave out.
std::string EffectiveLines(const Module& module);

}  // namespace opcompat

#endif  // OPCOMPAT_WIRE_TESTING_SAMPLE_MODULES_H_
