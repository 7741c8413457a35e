#include "fuzz/proto_mutator.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace opcompat {
namespace {

using ::google::protobuf::Descriptor;
using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;

constexpr int kMaxDepth = 8;

class Mutator {
 public:
  explicit Mutator(unsigned int seed) : random_(seed) {}

  void Mutate(Message& message, int depth) {
    const Descriptor* descriptor = message.GetDescriptor();
    if (descriptor->field_count() == 0) return;
    const FieldDescriptor* field =
        descriptor->field(Below(descriptor->field_count()));
    if (field->is_repeated()) {
      MutateRepeated(message, field, depth);
    } else if (Below(8) == 0) {
      message.GetReflection()->ClearField(&message, field);
    } else {
      MutateSingular(message, field, depth);
    }
  }

 private:
  int Below(int n) { return static_cast<int>(random_() % n); }

  template <typename T>
  T Number(T old) {
    switch (Below(4)) {
      case 0:
        return static_cast<T>(Below(16));
      case 1:
        return static_cast<T>(-1);
      case 2:
        return static_cast<T>(random_());
      default:
        // Not `old + 1`, which overflows at the largest signed number.
        return old < static_cast<T>(1 << 24) ? static_cast<T>(old + 1) : T();
    }
  }

  std::string String(std::string old) {
    const size_t at = old.empty() ? 0 : random_() % old.size();
    const char byte =
        static_cast<char>(Below(16) == 0 ? Below(256) : ' ' + Below(95));
    switch (Below(3)) {
      case 0:
        old.insert(at, 1 + Below(4), byte);
        break;
      case 1:
        old.erase(at, 1 + Below(4));
        break;
      case 2:
        if (!old.empty()) old[at] = byte;
        break;
    }
    return old;
  }

  // Any number of the enum, now and then one that it does not name.
  int Enum(const FieldDescriptor* field) {
    const auto* type = field->enum_type();
    if (field->file()->syntax() ==
            google::protobuf::FileDescriptor::SYNTAX_PROTO3 &&
        Below(8) == 0) {
      return Below(64);
    }
    return type->value(Below(type->value_count()))->number();
  }

  // Removes, swaps, changes or adds an element.
  void MutateRepeated(Message& message, const FieldDescriptor* field,
                      int depth) {
    const Reflection* reflection = message.GetReflection();
    const int size = reflection->FieldSize(message, field);
    if (size > 0) {
      switch (Below(4)) {
        case 0:
          reflection->SwapElements(&message, field, Below(size), size - 1);
          reflection->RemoveLast(&message, field);
          return;
        case 1:
          reflection->SwapElements(&message, field, Below(size), Below(size));
          return;
        case 2:
          MutateElement(message, field, Below(size), depth);
          return;
      }
    }
    AddElement(message, field, depth);
  }

  void MutateElement(Message& message, const FieldDescriptor* field, int i,
                     int depth) {
    const Reflection* reflection = message.GetReflection();
    switch (field->cpp_type()) {
#define OPCOMPAT_CASE(TYPE, Name)                                  \
  case FieldDescriptor::CPPTYPE_##TYPE:                            \
    reflection->SetRepeated##Name(                                 \
        &message, field, i,                                        \
        Number(reflection->GetRepeated##Name(message, field, i))); \
    break;
      OPCOMPAT_CASE(INT32, Int32)
      OPCOMPAT_CASE(INT64, Int64)
      OPCOMPAT_CASE(UINT32, UInt32)
      OPCOMPAT_CASE(UINT64, UInt64)
      OPCOMPAT_CASE(DOUBLE, Double)
      OPCOMPAT_CASE(FLOAT, Float)
#undef OPCOMPAT_CASE
      case FieldDescriptor::CPPTYPE_BOOL:
        reflection->SetRepeatedBool(&message, field, i, Below(2) == 0);
        break;
      case FieldDescriptor::CPPTYPE_ENUM:
        reflection->SetRepeatedEnumValue(&message, field, i, Enum(field));
        break;
      case FieldDescriptor::CPPTYPE_STRING:
        reflection->SetRepeatedString(
            &message, field, i,
            String(reflection->GetRepeatedString(message, field, i)));
        break;
      case FieldDescriptor::CPPTYPE_MESSAGE:
        if (depth > 0) {
          Mutate(*reflection->MutableRepeatedMessage(&message, field, i),
                 depth - 1);
        }
        break;
    }
  }

  void AddElement(Message& message, const FieldDescriptor* field, int depth) {
    const Reflection* reflection = message.GetReflection();
    switch (field->cpp_type()) {
#define OPCOMPAT_CASE(TYPE, Name, type)                     \
  case FieldDescriptor::CPPTYPE_##TYPE:                     \
    reflection->Add##Name(&message, field, Number(type())); \
    break;
      OPCOMPAT_CASE(INT32, Int32, int32_t)
      OPCOMPAT_CASE(INT64, Int64, int64_t)
      OPCOMPAT_CASE(UINT32, UInt32, uint32_t)
      OPCOMPAT_CASE(UINT64, UInt64, uint64_t)
      OPCOMPAT_CASE(DOUBLE, Double, double)
      OPCOMPAT_CASE(FLOAT, Float, float)
#undef OPCOMPAT_CASE
      case FieldDescriptor::CPPTYPE_BOOL:
        reflection->AddBool(&message, field, Below(2) == 0);
        break;
      case FieldDescriptor::CPPTYPE_ENUM:
        reflection->AddEnumValue(&message, field, Enum(field));
        break;
      case FieldDescriptor::CPPTYPE_STRING:
        reflection->AddString(&message, field, String(""));
        break;
      case FieldDescriptor::CPPTYPE_MESSAGE: {
        Message* element = reflection->AddMessage(&message, field);
        if (depth > 0) Mutate(*element, depth - 1);
        break;
      }
    }
  }

  void MutateSingular(Message& message, const FieldDescriptor* field,
                      int depth) {
    const Reflection* reflection = message.GetReflection();
    switch (field->cpp_type()) {
#define OPCOMPAT_CASE(TYPE, Name)                                         \
  case FieldDescriptor::CPPTYPE_##TYPE:                                   \
    reflection->Set##Name(&message, field,                                \
                          Number(reflection->Get##Name(message, field))); \
    break;
      OPCOMPAT_CASE(INT32, Int32)
      OPCOMPAT_CASE(INT64, Int64)
      OPCOMPAT_CASE(UINT32, UInt32)
      OPCOMPAT_CASE(UINT64, UInt64)
      OPCOMPAT_CASE(DOUBLE, Double)
      OPCOMPAT_CASE(FLOAT, Float)
#undef OPCOMPAT_CASE
      case FieldDescriptor::CPPTYPE_BOOL:
        reflection->SetBool(&message, field, Below(2) == 0);
        break;
      case FieldDescriptor::CPPTYPE_ENUM:
        reflection->SetEnumValue(&message, field, Enum(field));
        break;
      case FieldDescriptor::CPPTYPE_STRING:
        reflection->SetString(&message, field,
                              String(reflection->GetString(message, field)));
        break;
      case FieldDescriptor::CPPTYPE_MESSAGE:
        if (depth > 0) {
          Mutate(*reflection->MutableMessage(&message, field), depth - 1);
        }
        break;
    }
  }

  std::mt19937 random_;
};

}  // namespace

void MutateMessage(Message& message, unsigned int seed) {
  Mutator(seed).Mutate(message, kMaxDepth);
}

size_t MutateSerialized(const Message& prototype, uint8_t* data, size_t size,
                        size_t max_size, unsigned int seed) {
  const std::unique_ptr<Message> message(prototype.New());
  // Whatever could be parsed before an error is kept.
  (void)message->ParsePartialFromArray(data, static_cast<int>(size));
  MutateMessage(*message, seed);
  const size_t new_size = message->ByteSizeLong();
  if (new_size > max_size) return size;
  (void)message->SerializePartialToArray(data, static_cast<int>(max_size));
  return new_size;
}

}  // namespace opcompat
