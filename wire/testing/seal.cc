#include "wire/testing/seal.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>
#include <xxhash.h>

#include <cstdint>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace opcompat {
namespace {

constexpr absl::string_view kChecksumTag = "\xa1\x06";
constexpr size_t kChecksumSize = 10;

}  // namespace

std::string Reseal(absl::string_view file) {
  if (file.size() >= kChecksumSize &&
      absl::StartsWith(file.substr(file.size() - kChecksumSize),
                       kChecksumTag)) {
    file.remove_suffix(kChecksumSize);
  }
  return WithChecksum(file);
}

std::string WithChecksum(absl::string_view message) {
  const uint64_t checksum = XXH3_64bits(message.data(), message.size());
  std::string sealed = absl::StrCat(message, kChecksumTag);
  for (int shift = 0; shift < 64; shift += 8) {
    sealed.push_back(static_cast<char>(checksum >> shift));
  }
  return sealed;
}

size_t MessageSize(absl::string_view file) {
  using ::google::protobuf::internal::WireFormatLite;
  google::protobuf::io::CodedInputStream in(
      reinterpret_cast<const uint8_t*>(file.data()),
      static_cast<int>(file.size()));
  while (const uint32_t tag = in.ReadTag()) {
    if (!WireFormatLite::SkipField(&in, tag)) break;
    if (WireFormatLite::GetTagFieldNumber(tag) ==
        wire::Module::kChecksumFieldNumber) {
      return static_cast<size_t>(in.CurrentPosition());
    }
  }
  return file.size();
}

size_t BulkBegin(size_t message_size) { return (message_size + 63) / 64 * 64; }

absl::string_view BulkOf(absl::string_view file) {
  const size_t begin = BulkBegin(MessageSize(file));
  return begin < file.size() ? file.substr(begin) : absl::string_view();
}

std::string WithBulk(std::string message, absl::string_view bulk) {
  if (bulk.empty()) return message;
  message.resize(BulkBegin(message.size()));
  return absl::StrCat(message, bulk);
}

std::string Seal(wire::Module message) {
  message.clear_checksum();
  return WithChecksum(message.SerializeAsString());
}

}  // namespace opcompat
