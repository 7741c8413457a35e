#include "fuzz/targets/frame_mutator.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "compat_matrix/testees/testee.pb.h"
#include "fuzz/engine.h"
#include "fuzz/proto_mutator.h"
#include "fuzz/sealed_mutator.h"
#include "fuzz/targets/frame_stream.h"
#include "google/protobuf/descriptor.h"

namespace opcompat {
namespace {

using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;

// Bytes that a plain change may add.
constexpr size_t kRoom = 64;

// Files as files; texts of modules as an engine changes text.
bool MutateField(const FieldDescriptor& field, unsigned int seed,
                 std::string* bytes) {
  static const auto* const module_form = new SealedForm(ModuleForm());
  static const auto* const history_form = new SealedForm(CompiledHistoryForm());
  const auto is = [&](const google::protobuf::Descriptor* message, int number) {
    return field.containing_type() == message && field.number() == number;
  };
  if (is(testee::Read::descriptor(), testee::Read::kFileFieldNumber) ||
      is(testee::Written::descriptor(), testee::Written::kFileFieldNumber)) {
    *bytes = MutateSealed(*module_form, *bytes, seed);
    return true;
  }
  if (is(testee::History::descriptor(),
         testee::History::kCompiledFieldNumber)) {
    *bytes = MutateSealed(*history_form, *bytes, seed);
    return true;
  }
  if (is(testee::Write::descriptor(), testee::Write::kModuleFieldNumber) ||
      is(testee::Accepted::descriptor(),
         testee::Accepted::kModuleFieldNumber)) {
    const size_t size = bytes->size();
    bytes->resize(size + kRoom);
    bytes->resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(bytes->data()),
                                   size, bytes->size()));
    return true;
  }
  return false;
}

std::unique_ptr<Message> Parsed(const Message& prototype,
                                const std::string& bytes) {
  std::unique_ptr<Message> message(prototype.New());
  (void)message->ParsePartialFromString(bytes);
  return message;
}

absl::string_view View(const uint8_t* data, size_t size) {
  return absl::string_view(reinterpret_cast<const char*>(data), size);
}

}  // namespace

size_t MutateStream(const Message& prototype, uint8_t* data, size_t size,
                    size_t max_size, unsigned int seed) {
  std::mt19937 random(seed);
  std::vector<std::string> messages = MessagesOf(View(data, size));
  if (messages.empty()) messages.emplace_back();
  const size_t i = random() % messages.size();
  switch (random() % 16) {
    case 0:
      return LLVMFuzzerMutate(data, size, max_size);
    case 1:
      messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    case 2:
      messages.push_back(messages[i]);
      break;
    case 3:
      std::swap(messages[i], messages[random() % messages.size()]);
      break;
    default: {
      const std::unique_ptr<Message> message = Parsed(prototype, messages[i]);
      MutateMessage(*message, static_cast<unsigned int>(random()), MutateField);
      messages[i] = message->SerializePartialAsString();
      break;
    }
  }
  const std::string stream = StreamOf(messages);
  if (stream.size() > max_size) return size;
  std::copy(stream.begin(), stream.end(), data);
  return stream.size();
}

size_t CrossOverStreams(const Message& prototype, const uint8_t* data1,
                        size_t size1, const uint8_t* data2, size_t size2,
                        uint8_t* out, size_t max_out_size, unsigned int seed) {
  std::mt19937 random(seed);
  std::vector<std::string> messages = MessagesOf(View(data1, size1));
  const std::vector<std::string> others = MessagesOf(View(data2, size2));
  if (others.empty()) return 0;
  const std::string& other = others[random() % others.size()];
  const size_t at = random() % (messages.size() + 1);
  if (at == messages.size() || random() % 2 == 0) {
    messages.insert(messages.begin() + static_cast<std::ptrdiff_t>(at), other);
  } else {
    const std::unique_ptr<Message> message = Parsed(prototype, messages[at]);
    CrossOverMessages(*message, *Parsed(prototype, other),
                      static_cast<unsigned int>(random()));
    messages[at] = message->SerializePartialAsString();
  }
  const std::string stream = StreamOf(messages);
  if (stream.size() > max_out_size) return 0;
  std::copy(stream.begin(), stream.end(), out);
  return stream.size();
}

}  // namespace opcompat
