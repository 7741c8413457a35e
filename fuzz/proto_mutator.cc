#include "fuzz/proto_mutator.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fuzz/number_fields.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/stubs/logging.h"

namespace opcompat {
namespace {

using ::google::protobuf::Descriptor;
using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;

constexpr int kMaxDepth = 8;
// Of elements that are copied or removed at once.
constexpr int kMaxRun = 8;

bool IsMessage(const FieldDescriptor* field) {
  return field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
}

int SizeOf(const Message& message, const FieldDescriptor* field) {
  return message.GetReflection()->FieldSize(message, field);
}

// Appends element `i` of `from`, which may be the message itself.
void AppendCopy(Message* to, const FieldDescriptor* field, const Message& from,
                int i) {
  const Reflection& reflection = *to->GetReflection();
  if (IsNumber(field)) {
    AddNumber(to, field, GetNumber(from, field, i));
  } else if (IsMessage(field)) {
    // Elements do not move when one is added.
    reflection.AddMessage(to, field)->CopyFrom(
        reflection.GetRepeatedMessage(from, field, i));
  } else {
    reflection.AddString(to, field,
                         reflection.GetRepeatedString(from, field, i));
  }
}

// Makes field `field` of `to` what it is in `from`.
void CopyField(Message* to, const FieldDescriptor* field, const Message& from) {
  const Reflection& reflection = *to->GetReflection();
  reflection.ClearField(to, field);
  if (field->is_repeated()) {
    for (int i = 0; i < SizeOf(from, field); ++i) {
      AppendCopy(to, field, from, i);
    }
  } else if (IsNumber(field)) {
    SetNumber(to, field, kSingular, GetNumber(from, field, kSingular));
  } else if (IsMessage(field)) {
    reflection.MutableMessage(to, field)->CopyFrom(
        reflection.GetMessage(from, field));
  } else {
    reflection.SetString(to, field, reflection.GetString(from, field));
  }
}

// Moves the last element to place `i`; those behind it keep their order.
void MoveLastTo(Message* message, const FieldDescriptor* field, int i) {
  for (int last = SizeOf(*message, field) - 1; last > i; --last) {
    message->GetReflection()->SwapElements(message, field, last, last - 1);
  }
}

// Removes `count` elements from place `i` on; the others keep their order.
void Erase(Message* message, const FieldDescriptor* field, int i, int count) {
  const Reflection& reflection = *message->GetReflection();
  const int size = SizeOf(*message, field);
  for (; i + count < size; ++i) {
    reflection.SwapElements(message, field, i, i + count);
  }
  for (int n = 0; n < count; ++n) reflection.RemoveLast(message, field);
}

class Mutator {
 public:
  Mutator(unsigned int seed, const FieldBytesMutator* mutate_bytes)
      : random_(seed), mutate_bytes_(mutate_bytes) {}

  void Mutate(Message* message) {
    do {
      MutateOnce(message, kMaxDepth);
    } while (edits_++ < 3 && Below(2) == 0);
  }

  void CrossOver(Message* message, const Message& other, int depth) {
    std::vector<const FieldDescriptor*> fields;
    other.GetReflection()->ListFields(other, &fields);
    if (fields.empty()) return;
    const FieldDescriptor* field = fields[Below(fields.size())];
    const Reflection& reflection = *message->GetReflection();
    if (!field->is_repeated()) {
      if (IsMessage(field) && depth > 0 && Below(4) != 0) {
        return CrossOver(reflection.MutableMessage(message, field),
                         reflection.GetMessage(other, field), depth - 1);
      }
      return CopyField(message, field, other);
    }
    const int size = SizeOf(*message, field);
    const int from = Below(SizeOf(other, field));
    if (IsMessage(field) && size > 0 && depth > 0 && Below(4) != 0) {
      return CrossOver(
          reflection.MutableRepeatedMessage(message, field, Below(size)),
          reflection.GetRepeatedMessage(other, field, from), depth - 1);
    }
    if (Below(4) == 0) return CopyField(message, field, other);
    const int at = Below(size + 1);
    const int count = 1 + Below(std::min(kMaxRun, SizeOf(other, field) - from));
    if (Below(2) == 0) Erase(message, field, at, std::min(count, size - at));
    for (int n = 0; n < count; ++n) {
      AppendCopy(message, field, other, from + n);
      MoveLastTo(message, field, at + n);
    }
  }

 private:
  int Below(size_t n) { return static_cast<int>(random_() % n); }

  void MutateOnce(Message* message, int depth) {
    const Descriptor* descriptor = message->GetDescriptor();
    if (descriptor->field_count() == 0) return;
    std::vector<const FieldDescriptor*> fields;
    // Otherwise what is empty would take most of the changes.
    if (Below(8) != 0) message->GetReflection()->ListFields(*message, &fields);
    const FieldDescriptor* field =
        fields.empty() ? descriptor->field(Below(descriptor->field_count()))
                       : fields[Below(fields.size())];
    if (field->is_repeated()) {
      MutateRepeated(message, field, depth);
    } else if (Below(16) == 0) {
      message->GetReflection()->ClearField(message, field);
    } else {
      ChangeElement(message, field, kSingular, depth);
    }
  }

  // One thing that is done to a repeated field. Changes come first: among
  // columns that belong together, elements that come or go rarely fit.
  void MutateRepeated(Message* message, const FieldDescriptor* field,
                      int depth) {
    const Reflection& reflection = *message->GetReflection();
    const int size = SizeOf(*message, field);
    const int at = Below(size + 1);
    if (size == 0) return AddElement(message, field, depth);
    const int i = std::min(at, size - 1);
    switch (Below(IsMessage(field) ? 16 : 10)) {
      case 0:
        return reflection.SwapElements(message, field, i, Below(size));
      case 1:
        return Erase(message, field, i, 1);
      case 2:
        return Erase(message, field, i, 1 + Below(size - i));
      case 3:
        AddElement(message, field, depth);
        return MoveLastTo(message, field, at);
      case 4:
      case 5:
        return CopyRun(message, field, at);
      default:
        return ChangeElement(message, field, i, depth);
    }
  }

  // Inserts a copy of some elements, mostly one, at place `at`.
  void CopyRun(Message* message, const FieldDescriptor* field, int at) {
    const int size = SizeOf(*message, field);
    const int from = Below(size);
    const int count =
        Below(2) == 0 ? 1 : 1 + Below(std::min(kMaxRun, size - from));
    for (int n = 0; n < count; ++n)
      AppendCopy(message, field, *message, from + n);
    for (int n = 0; n < count; ++n) MoveLastTo(message, field, at);
  }

  void AddElement(Message* message, const FieldDescriptor* field, int depth) {
    const Reflection& reflection = *message->GetReflection();
    if (IsNumber(field)) {
      AddNumber(message, field, NewNumber(field, 0));
    } else if (IsMessage(field)) {
      Message* element = reflection.AddMessage(message, field);
      if (depth > 0) MutateOnce(element, depth - 1);
    } else {
      reflection.AddString(message, field, NewString(field, ""));
    }
  }

  void ChangeElement(Message* message, const FieldDescriptor* field, int i,
                     int depth) {
    const Reflection& reflection = *message->GetReflection();
    if (IsNumber(field)) {
      // What stands elsewhere in the column is more likely to fit than what
      // stands nowhere.
      const bool copy = i != kSingular && Below(4) == 0;
      const uint64_t number =
          copy ? GetNumber(*message, field, Below(SizeOf(*message, field)))
               : NewNumber(field, GetNumber(*message, field, i));
      SetNumber(message, field, i, number);
    } else if (IsMessage(field)) {
      if (depth == 0) return;
      MutateOnce(i == kSingular
                     ? reflection.MutableMessage(message, field)
                     : reflection.MutableRepeatedMessage(message, field, i),
                 depth - 1);
    } else if (i == kSingular) {
      reflection.SetString(
          message, field,
          NewString(field, reflection.GetString(*message, field)));
    } else {
      reflection.SetRepeatedString(
          message, field, i,
          NewString(field, reflection.GetRepeatedString(*message, field, i)));
    }
  }

  uint64_t NewNumber(const FieldDescriptor* field, uint64_t old) {
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_BOOL) return old ^ 1;
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_ENUM && Below(8) != 0) {
      const auto* type = field->enum_type();
      return static_cast<uint64_t>(
          type->value(Below(type->value_count()))->number());
    }
    switch (Below(8)) {
      case 0:
      case 1:
        return old + 1;
      case 2:
      case 3:
        return old - 1;
      case 4:
        return Below(32);
      case 5:
        return old ^ (uint64_t{1} << Below(64));
      case 6:
        return (uint64_t{1} << Below(64)) - static_cast<uint64_t>(Below(2));
      default:
        return (uint64_t{random_()} << 32) | random_();
    }
  }

  std::string NewString(const FieldDescriptor* field, std::string old) {
    if (mutate_bytes_ != nullptr && *mutate_bytes_ != nullptr &&
        (*mutate_bytes_)(*field, static_cast<unsigned int>(random_()), &old)) {
      return old;
    }
    const size_t at = old.empty() ? 0 : random_() % old.size();
    const char byte =
        static_cast<char>(Below(16) == 0 ? Below(256) : ' ' + Below(95));
    switch (Below(4)) {
      case 0:
        return old.insert(at, 1 + Below(4), byte);
      case 1:
        return old.erase(at, 1 + Below(4));
      case 2:
        return old.insert(at, old.substr(random_() % (old.size() + 1), 16));
      default:
        if (!old.empty()) old[at] = byte;
        return old;
    }
  }

  std::mt19937 random_;
  const FieldBytesMutator* const mutate_bytes_;
  int edits_ = 0;
};

}  // namespace

void MutateMessage(Message& message, unsigned int seed,
                   const FieldBytesMutator& mutate_bytes) {
  Mutator(seed, &mutate_bytes).Mutate(&message);
}

void CrossOverMessages(Message& message, const Message& other,
                       unsigned int seed) {
  Mutator(seed, nullptr).CrossOver(&message, other, kMaxDepth);
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

size_t CrossOverSerialized(const Message& prototype, const uint8_t* data1,
                           size_t size1, const uint8_t* data2, size_t size2,
                           uint8_t* out, size_t max_out_size,
                           unsigned int seed) {
  const std::unique_ptr<Message> message(prototype.New());
  const std::unique_ptr<Message> other(prototype.New());
  (void)message->ParsePartialFromArray(data1, static_cast<int>(size1));
  (void)other->ParsePartialFromArray(data2, static_cast<int>(size2));
  CrossOverMessages(*message, *other, seed);
  const size_t size = message->ByteSizeLong();
  if (size > max_out_size) return 0;
  (void)message->SerializePartialToArray(out, static_cast<int>(max_out_size));
  return size;
}

void SilenceProtobuf() {
  static auto* const before = google::protobuf::SetLogHandler(nullptr);
  static_cast<void>(before);
}

}  // namespace opcompat
