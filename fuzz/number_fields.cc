#include "fuzz/number_fields.h"

#include <cstring>

namespace opcompat {
namespace {

using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;

template <typename To, typename From>
To BitsAs(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace

bool IsNumber(const FieldDescriptor* field) {
  return field->cpp_type() != FieldDescriptor::CPPTYPE_STRING &&
         field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE;
}

uint64_t GetNumber(const Message& message, const FieldDescriptor* field,
                   int i) {
  const Reflection& reflection = *message.GetReflection();
  const auto get = [&](auto singular, auto element) {
    return i == kSingular ? (reflection.*singular)(message, field)
                          : (reflection.*element)(message, field, i);
  };
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return static_cast<uint64_t>(
          get(&Reflection::GetInt32, &Reflection::GetRepeatedInt32));
    case FieldDescriptor::CPPTYPE_INT64:
      return static_cast<uint64_t>(
          get(&Reflection::GetInt64, &Reflection::GetRepeatedInt64));
    case FieldDescriptor::CPPTYPE_UINT32:
      return get(&Reflection::GetUInt32, &Reflection::GetRepeatedUInt32);
    case FieldDescriptor::CPPTYPE_UINT64:
      return get(&Reflection::GetUInt64, &Reflection::GetRepeatedUInt64);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return BitsAs<uint64_t>(
          get(&Reflection::GetDouble, &Reflection::GetRepeatedDouble));
    case FieldDescriptor::CPPTYPE_FLOAT:
      return BitsAs<uint32_t>(
          get(&Reflection::GetFloat, &Reflection::GetRepeatedFloat));
    case FieldDescriptor::CPPTYPE_BOOL:
      return get(&Reflection::GetBool, &Reflection::GetRepeatedBool) ? 1 : 0;
    case FieldDescriptor::CPPTYPE_ENUM:
      return static_cast<uint64_t>(
          get(&Reflection::GetEnumValue, &Reflection::GetRepeatedEnumValue));
    default:
      return 0;
  }
}

namespace {

// Gives the number in the field's type to `to`, with the name of the type.
template <typename To>
void WithTyped(const FieldDescriptor* field, uint64_t number, const To& to) {
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return to(&Reflection::SetInt32, &Reflection::SetRepeatedInt32,
                &Reflection::AddInt32, static_cast<int32_t>(number));
    case FieldDescriptor::CPPTYPE_INT64:
      return to(&Reflection::SetInt64, &Reflection::SetRepeatedInt64,
                &Reflection::AddInt64, static_cast<int64_t>(number));
    case FieldDescriptor::CPPTYPE_UINT32:
      return to(&Reflection::SetUInt32, &Reflection::SetRepeatedUInt32,
                &Reflection::AddUInt32, static_cast<uint32_t>(number));
    case FieldDescriptor::CPPTYPE_UINT64:
      return to(&Reflection::SetUInt64, &Reflection::SetRepeatedUInt64,
                &Reflection::AddUInt64, number);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return to(&Reflection::SetDouble, &Reflection::SetRepeatedDouble,
                &Reflection::AddDouble, BitsAs<double>(number));
    case FieldDescriptor::CPPTYPE_FLOAT:
      return to(&Reflection::SetFloat, &Reflection::SetRepeatedFloat,
                &Reflection::AddFloat,
                BitsAs<float>(static_cast<uint32_t>(number)));
    case FieldDescriptor::CPPTYPE_BOOL:
      return to(&Reflection::SetBool, &Reflection::SetRepeatedBool,
                &Reflection::AddBool, (number & 1) != 0);
    case FieldDescriptor::CPPTYPE_ENUM: {
      const int value = static_cast<int>(number);
      // Only proto3 keeps a number that its enum does not name.
      if (field->file()->syntax() !=
              google::protobuf::FileDescriptor::SYNTAX_PROTO3 &&
          field->enum_type()->FindValueByNumber(value) == nullptr) {
        return;
      }
      return to(&Reflection::SetEnumValue, &Reflection::SetRepeatedEnumValue,
                &Reflection::AddEnumValue, value);
    }
    default:
      return;
  }
}

}  // namespace

void SetNumber(Message* message, const FieldDescriptor* field, int i,
               uint64_t number) {
  const Reflection& reflection = *message->GetReflection();
  WithTyped(field, number,
            [&](auto singular, auto element, auto /*add*/, auto value) {
              if (i == kSingular) {
                (reflection.*singular)(message, field, value);
              } else {
                (reflection.*element)(message, field, i, value);
              }
            });
}

void AddNumber(Message* message, const FieldDescriptor* field,
               uint64_t number) {
  const Reflection& reflection = *message->GetReflection();
  WithTyped(field, number,
            [&](auto /*singular*/, auto /*element*/, auto add, auto value) {
              (reflection.*add)(message, field, value);
            });
}

}  // namespace opcompat
