// The tables of a module file in words, from the message that protobuf's own
// generated code reads. For `show --wire` only: nothing that decides uses this.
#ifndef OPCOMPAT_TOOLS_WIRE_TABLES_H_
#define OPCOMPAT_TOOLS_WIRE_TABLES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "schema/type.h"
#include "schema/value.h"
#include "wire/module.pb.h"

namespace opcompat {

class WireTables {
 public:
  // `file` must be of a file that Decode accepts (so that indices are in
  // range), and `bulk` what follows its message; both must outlive this object.
  WireTables(const wire::Module& file, absl::string_view bulk);

  const std::string& String(uint32_t index) const {
    return file_.strings(static_cast<int>(index));
  }
  const Type& TypeAt(uint32_t index) const { return types_[index]; }
  size_t num_types() const { return types_.size(); }

  // Literals, cut short where they are long.
  std::string Float(int index) const;
  std::string IntList(uint32_t index) const;
  std::string Other(uint32_t index) const;
  std::string Tensor(uint32_t index) const;
  size_t num_int_lists() const { return int_lists_.size(); }

  // `1` or `none`, as Argument says defaults: 1 is none, 2 + i others[i].
  std::string ValueOrNone(uint32_t reference) const;
  // `base`, `2.0`, `after 1.0, at the latest 2.0`.
  std::string Origin(const wire::Origin& origin) const;

 private:
  Type MakeType(const wire::Type& type) const;
  Value MakeConstant(const wire::Constant& constant) const;

  absl::string_view BytesOf(const wire::Tensor& tensor) const {
    return tensor.bulk_size() == 0
               ? absl::string_view(tensor.data())
               : bulk_.substr(tensor.bulk_offset(), tensor.bulk_size());
  }

  const wire::Module& file_;
  const absl::string_view bulk_;
  std::vector<Type> types_;
  std::vector<Value> int_lists_;
  std::vector<Value> others_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_WIRE_TABLES_H_
