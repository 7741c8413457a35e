#include "wire/testing/raw_fields.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/wire_format_lite.h>

#include "absl/strings/str_cat.h"
#include "wire/module.pb.h"
#include "wire/testing/seal.h"

namespace opcompat {
namespace {

using ::google::protobuf::Descriptor;
using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::internal::WireFormatLite;
using ::google::protobuf::io::CodedInputStream;
using ::google::protobuf::io::CodedOutputStream;
using ::google::protobuf::io::StringOutputStream;

using With = std::function<std::string(absl::string_view)>;
using Change = std::function<void(const std::vector<RawField>&,
                                  const std::string&, const With&)>;

constexpr size_t kChecksumSize = 10;

void Visit(absl::string_view message, const Descriptor* descriptor,
           const std::string& name, const With& with, const Change& change) {
  const std::vector<RawField> fields = SplitFields(message);
  change(fields, name, with);
  for (size_t i = 0; i < fields.size(); ++i) {
    const FieldDescriptor* field =
        descriptor->FindFieldByNumber(static_cast<int>(fields[i].number));
    if (field == nullptr || field->type() != FieldDescriptor::TYPE_MESSAGE) {
      continue;
    }
    Visit(
        fields[i].payload, field->message_type(),
        absl::StrCat(name, ".", field->name(), "[field ", i, "]"),
        [&](absl::string_view changed) {
          const size_t begin = fields[i].bytes.data() - message.data();
          return with(
              absl::StrCat(message.substr(0, begin),
                           LengthDelimited(fields[i].number, changed),
                           message.substr(begin + fields[i].bytes.size())));
        },
        change);
  }
}

}  // namespace

std::vector<RawField> SplitFields(absl::string_view message) {
  std::vector<RawField> fields;
  CodedInputStream in(reinterpret_cast<const uint8_t*>(message.data()),
                      static_cast<int>(message.size()));
  while (true) {
    const int begin = in.CurrentPosition();
    const uint32_t tag = in.ReadTag();
    if (tag == 0) return fields;
    RawField field;
    field.number =
        static_cast<uint32_t>(WireFormatLite::GetTagFieldNumber(tag));
    if (WireFormatLite::GetTagWireType(tag) ==
        WireFormatLite::WIRETYPE_LENGTH_DELIMITED) {
      uint32_t size = 0;
      if (!in.ReadVarint32(&size)) return fields;
      field.payload = message.substr(in.CurrentPosition(), size);
      if (!in.Skip(static_cast<int>(size))) return fields;
    } else if (!WireFormatLite::SkipField(&in, tag)) {
      return fields;
    }
    field.bytes = message.substr(begin, in.CurrentPosition() - begin);
    fields.push_back(field);
  }
}

std::string LengthDelimited(uint32_t number, absl::string_view payload) {
  std::string bytes;
  {
    StringOutputStream stream(&bytes);
    CodedOutputStream out(&stream);
    out.WriteTag(WireFormatLite::MakeTag(
        static_cast<int>(number), WireFormatLite::WIRETYPE_LENGTH_DELIMITED));
    out.WriteVarint32(static_cast<uint32_t>(payload.size()));
  }
  return absl::StrCat(bytes, payload);
}

void ForEachMessage(absl::string_view file, const Change& change) {
  const absl::string_view bulk = BulkOf(file);
  Visit(
      file.substr(0, MessageSize(file) - kChecksumSize),
      wire::Module::descriptor(), "Module",
      [&](absl::string_view message) {
        return WithBulk(Reseal(message), bulk);
      },
      change);
}

}  // namespace opcompat
