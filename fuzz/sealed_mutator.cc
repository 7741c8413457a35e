#include "fuzz/sealed_mutator.h"

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "deserializer/decode.h"
#include "fuzz/engine.h"
#include "google/protobuf/descriptor.h"
#include "wire/compiled_history.pb.h"
#include "wire/module.pb.h"
#include "wire/testing/seal.h"

namespace opcompat {
namespace {

using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;

// Of fields that stand under the same numbers in each of our files.
constexpr int kMagic = 1;
constexpr int kVersion = 2;
constexpr int kRequiredFeatures = 3;
constexpr int kChecksum = 100;

struct OpenFile {
  std::unique_ptr<Message> message;
  std::string bulk;
};

OpenFile Open(const SealedForm& form, absl::string_view file) {
  OpenFile open{std::unique_ptr<Message>(form.header->New()),
                std::string(BulkOf(file))};
  // Whatever could be parsed before an error is kept.
  (void)open.message->ParsePartialFromArray(
      file.data(), static_cast<int>(MessageSize(file)));
  return open;
}

void Take(int number, const Message& from, Message* to) {
  const FieldDescriptor* field = to->GetDescriptor()->FindFieldByNumber(number);
  const Reflection& reflection = *to->GetReflection();
  reflection.ClearField(to, field);
  if (number == kVersion) {
    reflection.SetUInt32(to, field, reflection.GetUInt32(from, field));
  } else if (number == kMagic) {
    reflection.SetString(to, field, reflection.GetString(from, field));
  } else {
    for (int i = 0; i < reflection.FieldSize(from, field); ++i) {
      reflection.AddString(to, field,
                           reflection.GetRepeatedString(from, field, i));
    }
  }
}

std::string Close(const SealedForm& form, std::mt19937* random, OpenFile open) {
  Message* message = open.message.get();
  if ((*random)() % 16 != 0) {
    Take(kMagic, *form.header, message);
    Take(kVersion, *form.header, message);
  }
  // What a change needs beyond what the file did.
  if ((*random)() % 2 != 0) Take(kRequiredFeatures, *form.header, message);
  if (form.fit_bulk != nullptr && (*random)() % 8 != 0) {
    form.fit_bulk(static_cast<unsigned int>((*random)()), message, &open.bulk);
  }
  message->GetReflection()->ClearField(
      message, message->GetDescriptor()->FindFieldByNumber(kChecksum));
  return WithBulk(WithChecksum(message->SerializePartialAsString()), open.bulk);
}

// Room for bytes that are added where an engine changes bytes.
constexpr size_t kRoom = 64;

std::string MutatePlain(absl::string_view bytes) {
  std::string changed(bytes);
  changed.resize(bytes.size() + kRoom);
  changed.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(changed.data()),
                                  bytes.size(), changed.size()));
  return changed;
}

}  // namespace

SealedForm ModuleForm() {
  auto header = std::make_shared<wire::Module>();
  header->set_magic("opcompat");
  header->set_wire_version(1);
  for (const std::string& feature : KnownFeatures()) {
    header->add_required_features(feature);
  }
  SealedForm form;
  form.header = std::move(header);
  return form;
}

SealedForm CompiledHistoryForm() {
  auto header = std::make_shared<wire::CompiledHistory>();
  header->set_magic("opcompat-history");
  header->set_form_version(1);
  for (const std::string& feature : KnownFeatures()) {
    header->add_required_features(feature);
  }
  SealedForm form;
  form.header = std::move(header);
  form.mutate_bytes = [modules = ModuleForm()](const FieldDescriptor& field,
                                               unsigned int seed,
                                               std::string* bytes) {
    if (field.number() != wire::CompiledHistory::kModulesFieldNumber ||
        field.containing_type() != wire::CompiledHistory::descriptor()) {
      return false;
    }
    *bytes = MutateSealed(modules, *bytes, seed);
    return true;
  };
  return form;
}

std::string MutateSealed(const SealedForm& form, absl::string_view file,
                         unsigned int seed) {
  std::mt19937 random(seed);
  switch (random() % 16) {
    case 0:
      return MutatePlain(file);
    case 1: {
      const absl::string_view bulk = BulkOf(file);
      std::string message(file.substr(0, MessageSize(file)));
      // Without the checksum, which is made anew.
      message.resize(message.size() - std::min<size_t>(message.size(), 10));
      return WithBulk(WithChecksum(MutatePlain(message)), bulk);
    }
    default: {
      OpenFile open = Open(form, file);
      MutateMessage(*open.message, static_cast<unsigned int>(random()),
                    form.mutate_bytes);
      return Close(form, &random, std::move(open));
    }
  }
}

size_t MutateSealedInput(const SealedForm& form, uint8_t* data, size_t size,
                         size_t max_size, unsigned int seed) {
  const std::string changed = MutateSealed(
      form, absl::string_view(reinterpret_cast<const char*>(data), size), seed);
  if (changed.size() > max_size) return size;
  std::copy(changed.begin(), changed.end(), data);
  return changed.size();
}

size_t CrossOverSealedInputs(const SealedForm& form, const uint8_t* data1,
                             size_t size1, const uint8_t* data2, size_t size2,
                             uint8_t* out, size_t max_out_size,
                             unsigned int seed) {
  std::mt19937 random(seed);
  OpenFile open = Open(
      form, absl::string_view(reinterpret_cast<const char*>(data1), size1));
  const OpenFile other = Open(
      form, absl::string_view(reinterpret_cast<const char*>(data2), size2));
  CrossOverMessages(*open.message, *other.message,
                    static_cast<unsigned int>(random()));
  if (random() % 4 == 0) open.bulk = other.bulk;
  const std::string crossed = Close(form, &random, std::move(open));
  if (crossed.size() > max_out_size) return 0;
  std::copy(crossed.begin(), crossed.end(), out);
  return crossed.size();
}

}  // namespace opcompat
