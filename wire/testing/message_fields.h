// The fields that are there in a message, for tests that change one after the
// other, by reflection.
#ifndef OPCOMPAT_WIRE_TESTING_MESSAGE_FIELDS_H_
#define OPCOMPAT_WIRE_TESTING_MESSAGE_FIELDS_H_

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace opcompat {

// Visits each field that is there in the tree of messages. `path` names the
// message. The visitor may change its message if it changes it back.
void ForEachField(
    google::protobuf::Message* message, const std::string& path,
    const std::function<void(google::protobuf::Message* parent,
                             const google::protobuf::FieldDescriptor* field,
                             const std::string& name)>& visit);

// Calls `check` with each uint32 of the tree, elements of repeated fields one
// by one, set to each of `numbers`; `what` says which to what. Changes all
// back.
void ForEachChangedNumber(
    const std::vector<uint32_t>& numbers, google::protobuf::Message* message,
    const std::string& path,
    const std::function<void(const std::string& what)>& check);

}  // namespace opcompat

#endif  // OPCOMPAT_WIRE_TESTING_MESSAGE_FIELDS_H_
