#include "wire/testing/message_fields.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace opcompat {

using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;

void ForEachField(Message* message, const std::string& path,
                  const std::function<void(Message*, const FieldDescriptor*,
                                           const std::string&)>& visit) {
  const Reflection& reflection = *message->GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(*message, &fields);
  for (const FieldDescriptor* field : fields) {
    const std::string name = absl::StrCat(path, ".", field->name());
    visit(message, field, name);
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (field->is_repeated()) {
      for (int i = 0; i < reflection.FieldSize(*message, field); ++i) {
        ForEachField(reflection.MutableRepeatedMessage(message, field, i),
                     absl::StrCat(name, "[", i, "]"), visit);
      }
    } else {
      ForEachField(reflection.MutableMessage(message, field), name, visit);
    }
  }
}

void ForEachChangedNumber(
    const std::vector<uint32_t>& numbers, Message* message,
    const std::string& path,
    const std::function<void(const std::string& what)>& check) {
  ForEachField(message, path,
               [&](Message* parent, const FieldDescriptor* field,
                   const std::string& name) {
                 if (field->cpp_type() != FieldDescriptor::CPPTYPE_UINT32)
                   return;
                 const Reflection& reflection = *parent->GetReflection();
                 for (const uint32_t number : numbers) {
                   if (!field->is_repeated()) {
                     const uint32_t kept = reflection.GetUInt32(*parent, field);
                     reflection.SetUInt32(parent, field, number);
                     check(absl::StrCat(name, " = ", number));
                     reflection.SetUInt32(parent, field, kept);
                     continue;
                   }
                   for (int i = 0; i < reflection.FieldSize(*parent, field);
                        ++i) {
                     const uint32_t kept =
                         reflection.GetRepeatedUInt32(*parent, field, i);
                     reflection.SetRepeatedUInt32(parent, field, i, number);
                     check(absl::StrCat(name, "[", i, "] = ", number));
                     reflection.SetRepeatedUInt32(parent, field, i, kept);
                   }
                 }
               });
}

}  // namespace opcompat
