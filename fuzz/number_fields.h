// Numbers of protobuf messages by reflection, whatever their type: integers,
// floats, booleans and enums as 64 bits. Strings and messages are none.
#ifndef OPCOMPAT_FUZZ_NUMBER_FIELDS_H_
#define OPCOMPAT_FUZZ_NUMBER_FIELDS_H_

#include <cstdint>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace opcompat {

// Of a singular field.
inline constexpr int kSingular = -1;

bool IsNumber(const google::protobuf::FieldDescriptor* field);

// Element `i`, or kSingular. Integers are sign-extended, floats are their bits.
uint64_t GetNumber(const google::protobuf::Message& message,
                   const google::protobuf::FieldDescriptor* field, int i);

// Cuts `number` to the bits that the field has.
void SetNumber(google::protobuf::Message* message,
               const google::protobuf::FieldDescriptor* field, int i,
               uint64_t number);

// Appends an element to a repeated field.
void AddNumber(google::protobuf::Message* message,
               const google::protobuf::FieldDescriptor* field, uint64_t number);

}  // namespace opcompat

#endif  // OPCOMPAT_FUZZ_NUMBER_FIELDS_H_
