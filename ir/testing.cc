#include "ir/testing.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "schema/operator_schema.h"
#include "schema/text/schema_parser.h"

namespace opcompat {

OperatorEntryPtr EntryOf(absl::string_view schema) {
  const absl::StatusOr<OperatorSchema> parsed = ParseSchema(schema);
  if (!parsed.ok()) {
    std::fprintf(stderr, "EntryOf(%s): %s\n", std::string(schema).c_str(),
                 std::string(parsed.status().message()).c_str());
    std::abort();
  }
  auto entry = std::make_shared<OperatorEntry>(EntryOfSchema(*parsed));
  entry->history = parsed->name().substr(0, parsed->name().find(':'));
  return entry;
}

std::vector<OperatorEntryPtr> EntriesForTesting() {
  std::vector<OperatorEntryPtr> entries;
  for (const absl::string_view schema : {
           "t::relu(Tensor self) -> Tensor",
           "t::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> "
           "Tensor",
           "t::add.out(Tensor self, Tensor other, *, Scalar alpha=1, "
           "Tensor(a!) out) -> Tensor(a!)",
           "t::conv(Tensor x, Tensor w, Tensor? b=None, int[2] stride=1, "
           "SymInt[2] padding=0, bool t=False, str mode=\"zeros\") -> Tensor",
           "t::cat(Tensor[] tensors, int dim=0) -> Tensor",
           "t::index(Tensor self, Tensor?[] indices) -> Tensor",
           "t::zeros(int[] size, *, ScalarType? dtype=None, Layout? "
           "layout=None, Device? device=None) -> Tensor",
           "t::size(Tensor self) -> int[]",
           "t::len.t(t[] a) -> int",
           "t::append.t(t[](a!) self, t(c -> *) el) -> t[](a!)",
           "t::get.t(t[](a) list, int idx) -> t(*)",
           "t::extend.t(t[](a!) self, t[] other) -> ()",
           "t::gt.int(int a, int b) -> bool",
           "t::cast(t x) -> t",
           "t::type_of(Any x) -> str",
           "t::format(str self, ...) -> str",
           "t::unpack(Any tup) -> ...",
           "t::split(Tensor(a -> *) self, int size, float[]? scales=None) -> "
           "Tensor(a)[]",
           "t::warn(str message, int stacklevel=2) -> ()",
           "t::nested(int[][] a, (int, float) b, Dict(str, float) c) -> Tensor",
           "t::scalar(Scalar s, complex c=1j, float f=1.5) -> Scalar",
       }) {
    entries.push_back(EntryOf(schema));
  }
  return entries;
}

Runtime RuntimeOf(const std::vector<OperatorEntryPtr>& entries) {
  OpsetParts parts;
  parts.name = "t";
  parts.versions = {"1"};
  for (const OperatorEntryPtr& entry : entries) {
    auto info = std::make_shared<OperatorInfo>();
    info->revisions.push_back({entry, entry, nullptr});
    parts.operators.push_back(std::move(info));
  }
  const absl::StatusOr<Opset> opset = Opset::Create(std::move(parts));
  if (!opset.ok()) {
    std::fprintf(stderr, "RuntimeOf: %s\n",
                 std::string(opset.status().message()).c_str());
    std::abort();
  }
  return *Runtime::Create({*opset});
}

std::vector<OperatorEntryPtr> EntriesOf(const Runtime& runtime) {
  std::vector<OperatorEntryPtr> entries;
  for (const Opset& opset : runtime.opsets()) {
    for (const OperatorInfoPtr& op : opset.operators()) {
      if (op->fault.empty()) entries.push_back(op->current());
    }
  }
  return entries;
}

}  // namespace opcompat
