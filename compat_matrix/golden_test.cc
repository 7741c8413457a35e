// Wire version 1 is what the golden files are. A failure here says that files
// which people have are read otherwise than before, or are no longer what the
// writer writes: the code is to be changed back, not the files.

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status_matchers.h"
#include "binding/report.h"
#include "compat_matrix/golden_files.h"
#include "deserializer/decode.h"
#include "deserializer/deserialize.h"
#include "ir/equality.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "ir/text/history_loader.h"
#include "ir/text/module_printer.h"
#include "schema/history.h"
#include "schema/opset.h"
#include "schema/type.h"
#include "schema/value.h"
#include "serializer/serialize.h"
#include "wire/module.pb.h"
#include "wire/testing/seal.h"
#include "wire/testing/unknown_fields.h"

namespace opcompat {
namespace {

using ::google::protobuf::Descriptor;
using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;

const char kDirectory[] = "compat_matrix/golden";

std::shared_ptr<const OpsetHistory> History() {
  static const auto* const history =
      new std::shared_ptr<const OpsetHistory>([] {
        auto loaded =
            LoadHistoryOrError(absl::StrCat(kDirectory, "/history.textproto"));
        EXPECT_THAT(loaded, IsOk());
        return *loaded;
      }());
  return *history;
}

std::string GoldenFile(const std::string& name) {
  const absl::StatusOr<std::string> file =
      ReadGoldenFile(absl::StrCat(kDirectory, "/", name, ".opc"));
  EXPECT_THAT(file, IsOk()) << "bazel run //compat_matrix:golden_update makes "
                               "what is missing";
  return file.value_or("");
}

GoldenModule GoldenText(const std::string& name) {
  absl::StatusOr<GoldenModule> golden =
      ReadGoldenText(kDirectory, name, *History());
  EXPECT_THAT(golden, IsOk()) << name;
  return golden.ok() ? *std::move(golden) : GoldenModule();
}

// With names and locations, which are no part of equality.
std::string TextOf(const Module& module) {
  std::string text = PrintModule(module);
  for (const Function& function : module.functions) {
    for (const StringId id : function.graph.node_locations) {
      absl::StrAppend(&text, id.valid() ? module.string(id) : "", "\n");
    }
  }
  return text;
}

class GoldenTest : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Files, GoldenTest,
                         ::testing::ValuesIn(GoldenNames(kDirectory)),
                         [](const ::testing::TestParamInfo<std::string>& info) {
                           return info.param;
                         });

TEST_P(GoldenTest, IsReadAsItsText) {
  const GoldenModule golden = GoldenText(GetParam());
  const absl::StatusOr<Module> read = Decode(GoldenFile(GetParam()));
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(FirstDifference(golden.module, *read), absl::nullopt);
  EXPECT_EQ(TextOf(golden.module), TextOf(*read));
}

TEST_P(GoldenTest, IsWhatItsTextIsWrittenAs) {
  const absl::StatusOr<std::string> file =
      MakeGoldenFile(GoldenText(GetParam()));
  ASSERT_THAT(file, IsOk());
  EXPECT_TRUE(*file == GoldenFile(GetParam()));
}

TEST_P(GoldenTest, IsWrittenAgainAsTheSameBytes) {
  const std::string file = GoldenFile(GetParam());
  const GoldenModule golden = GoldenText(GetParam());
  const absl::StatusOr<Loaded> loaded = Deserialize(file, golden.writer);
  ASSERT_THAT(loaded, IsOk());
  const absl::StatusOr<std::string> again =
      Serialize(loaded->module, golden.writer);
  ASSERT_THAT(again, IsOk());
  EXPECT_TRUE(*again == file);
}

TEST_P(GoldenTest, IsWrittenAgainAsTheSameBytesByWhoKnowsNoOperator) {
  const std::string file = GoldenFile(GetParam());
  DeserializeOptions options;
  options.keep_unknown_operators = true;
  const absl::StatusOr<Loaded> loaded = Deserialize(file, Runtime(), options);
  ASSERT_THAT(loaded, IsOk());
  const absl::StatusOr<std::string> again =
      Serialize(loaded->module, Runtime());
  ASSERT_THAT(again, IsOk());
  EXPECT_TRUE(*again == file);
}

// Field 5000 in each wire type: a varint, a fixed64, bytes, a fixed32.
const absl::string_view kUnknownFields[] = {
    absl::string_view("\xc0\xb8\x02\x96\x01", 5),
    absl::string_view("\xc1\xb8\x02\1\2\3\4\5\6\7\x08", 11),
    absl::string_view("\xc2\xb8\x02\x03new", 7),
    absl::string_view("\xc5\xb8\x02\1\2\3\4", 7)};

TEST_P(GoldenTest, MeansTheSameWithFieldsThatNobodyKnows) {
  const std::string file = GoldenFile(GetParam());
  const absl::StatusOr<Module> expected = Decode(file);
  ASSERT_THAT(expected, IsOk());
  const std::string text = TextOf(*expected);
  int places = 0;
  for (const absl::string_view field : kUnknownFields) {
    ForEachAddedField(
        file, field, [&](const std::string& changed, const std::string& place) {
          ++places;
          ASSERT_GT(MessageSize(changed), MessageSize(file));
          const absl::StatusOr<Module> read = Decode(changed);
          ASSERT_THAT(read, IsOk()) << place;
          ASSERT_EQ(FirstDifference(*expected, *read), absl::nullopt) << place;
          ASSERT_EQ(TextOf(*read), text) << place;
        });
  }
  EXPECT_GT(places, 40);
}

// What the golden files have of all that the format has.

std::vector<wire::Module> GoldenMessages() {
  std::vector<wire::Module> messages;
  for (const std::string& name : GoldenNames(kDirectory)) {
    messages.emplace_back();
    std::string message = GoldenFile(name);
    message.resize(MessageSize(message));
    EXPECT_TRUE(messages.back().ParseFromString(message)) << name;
  }
  return messages;
}

// `expected` without `found`.
template <typename T>
std::vector<T> Missing(const std::set<T>& expected, const std::set<T>& found) {
  std::vector<T> missing;
  std::set_difference(expected.begin(), expected.end(), found.begin(),
                      found.end(), std::back_inserter(missing));
  return missing;
}

TEST(GoldenFilesTest, HaveEveryFeature) {
  const std::vector<std::string> known = KnownFeatures();
  ASSERT_FALSE(known.empty());
  std::set<std::string> found;
  for (const wire::Module& message : GoldenMessages()) {
    found.insert(message.required_features().begin(),
                 message.required_features().end());
  }
  EXPECT_EQ(Missing({known.begin(), known.end()}, found),
            std::vector<std::string>());
}

// `wire.Argument.neutral` etc., of all messages that a module may hold.
void AddFields(const Descriptor* message, std::set<std::string>* fields) {
  for (int i = 0; i < message->field_count(); ++i) {
    const FieldDescriptor* field = message->field(i);
    if (!fields->insert(field->full_name()).second) continue;
    if (field->message_type() != nullptr) {
      AddFields(field->message_type(), fields);
    }
  }
}

void AddFieldsIn(const Message& message, std::set<std::string>* fields) {
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> present;
  reflection.ListFields(message, &present);
  for (const FieldDescriptor* field : present) {
    fields->insert(field->full_name());
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      AddFieldsIn(reflection.GetMessage(message, field), fields);
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
      AddFieldsIn(reflection.GetRepeatedMessage(message, field, i), fields);
    }
  }
}

TEST(GoldenFilesTest, HaveEveryField) {
  std::set<std::string> expected;
  AddFields(wire::Module::descriptor(), &expected);
  std::set<std::string> found;
  for (const wire::Module& message : GoldenMessages()) {
    AddFieldsIn(message, &found);
  }
  EXPECT_EQ(Missing(expected, found), std::vector<std::string>());
}

// A kind that is added does not compile here until it is named.
bool IsTypeKind(TypeKind kind) {
  switch (kind) {
    case TypeKind::kTensor:
    case TypeKind::kInt:
    case TypeKind::kFloat:
    case TypeKind::kBool:
    case TypeKind::kComplex:
    case TypeKind::kString:
    case TypeKind::kScalar:
    case TypeKind::kScalarType:
    case TypeKind::kLayout:
    case TypeKind::kDevice:
    case TypeKind::kMemoryFormat:
    case TypeKind::kGenerator:
    case TypeKind::kStorage:
    case TypeKind::kStream:
    case TypeKind::kDimname:
    case TypeKind::kQScheme:
    case TypeKind::kSymInt:
    case TypeKind::kSymFloat:
    case TypeKind::kSymBool:
    case TypeKind::kAny:
    case TypeKind::kNone:
    case TypeKind::kVariable:
    case TypeKind::kNamed:
    case TypeKind::kOptional:
    case TypeKind::kList:
    case TypeKind::kDict:
    case TypeKind::kTuple:
    case TypeKind::kNamedTuple:
    case TypeKind::kFuture:
    case TypeKind::kRRef:
    case TypeKind::kAwait:
    case TypeKind::kReduction:
      return true;
  }
  return false;
}

bool IsValueKind(ValueKind kind) {
  switch (kind) {
    case ValueKind::kNone:
    case ValueKind::kBool:
    case ValueKind::kInt:
    case ValueKind::kFloat:
    case ValueKind::kComplex:
    case ValueKind::kString:
    case ValueKind::kWord:
    case ValueKind::kList:
    case ValueKind::kTuple:
    case ValueKind::kDict:
    case ValueKind::kTensor:
      return true;
  }
  return false;
}

TEST(GoldenFilesTest, HaveEveryKindOfTypeAndOfConstant) {
  std::set<uint32_t> types;
  std::set<uint32_t> values;
  for (uint32_t kind = 0; kind < 256; ++kind) {
    if (IsTypeKind(static_cast<TypeKind>(kind))) types.insert(kind);
    if (IsValueKind(static_cast<ValueKind>(kind))) values.insert(kind);
  }
  std::set<uint32_t> found_types;
  std::set<uint32_t> found_values;
  for (const wire::Module& message : GoldenMessages()) {
    for (const wire::Type& type : message.types()) {
      found_types.insert(type.kind());
    }
    for (const wire::Constant& constant : message.constants().others()) {
      found_values.insert(constant.kind());
    }
  }
  EXPECT_EQ(Missing(types, found_types), std::vector<uint32_t>());
  EXPECT_EQ(Missing(values, found_values), std::vector<uint32_t>());
}

// The kinds of the slots and of the attributes of a message.
struct OperandKinds {
  std::set<uint32_t> slots;
  std::set<uint32_t> attributes;
};
OperandKinds KindsIn(const wire::CallForms& forms) {
  OperandKinds kinds;
  for (int i = 0; i < forms.slots_size(); ++i) {
    kinds.slots.insert(forms.slots(i) & 15);
    if ((forms.slots(i) & 15) == 1) ++i;  // the number of values
  }
  for (int i = 1; i < forms.attributes_size(); i += 2) {
    kinds.attributes.insert(forms.attributes(i));
  }
  return kinds;
}

TEST(GoldenFilesTest, HaveEveryKindOfOperand) {
  OperandKinds found;
  for (const wire::Module& message : GoldenMessages()) {
    const OperandKinds kinds = KindsIn(message.forms());
    found.slots.insert(kinds.slots.begin(), kinds.slots.end());
    found.attributes.insert(kinds.attributes.begin(), kinds.attributes.end());
  }
  // What the reader takes for a kind, it says itself.
  wire::Module message;
  ASSERT_TRUE(message.ParseFromString(GoldenFile("node_attributes")));
  ASSERT_GT(message.forms().slots_size(), 0);
  std::set<uint32_t> slots;
  std::set<uint32_t> attributes;
  for (uint32_t kind = 0; kind < 16; ++kind) {
    wire::Module changed = message;
    changed.mutable_forms()->set_slots(0, kind);
    if (!absl::StrContains(Decode(Seal(changed)).status().message(),
                           "which no slot is")) {
      slots.insert(kind);
    }
    changed = message;
    changed.mutable_forms()->set_attributes(1, kind);
    if (!absl::StrContains(Decode(Seal(changed)).status().message(),
                           "which no constant is")) {
      attributes.insert(kind);
    }
  }
  ASSERT_GT(slots.size(), attributes.size());
  ASSERT_LT(slots.size(), 16u);
  // A tensor may stand in a slot, but our writer makes it a prim::Constant.
  constexpr uint32_t kTensor = 10;
  ASSERT_EQ(slots.erase(kTensor), 1u);
  EXPECT_EQ(Missing(slots, found.slots), std::vector<uint32_t>());
  EXPECT_EQ(Missing(attributes, found.attributes), std::vector<uint32_t>());
}

TEST(GoldenFilesTest, AreSmall) {
  for (const std::string& name : GoldenNames(kDirectory)) {
    EXPECT_LT(GoldenFile(name).size(), 8192u) << name;
  }
}

// Files of the future: each is refused, and the text is what a user sees who
// meets one.

struct FutureCase {
  const char* name;
  const char* message;
};

const FutureCase kFutureCases[] = {
    {"feature",
     "the file needs feature \"from_the_future\", which this reader does not "
     "know; a newer reader is needed, or a file written without it"},
    {"features",
     "the file needs features \"from_the_future\", \"from_the_future_too\", "
     "which this reader does not know; a newer reader is needed, or a file "
     "written without it"},
    {"wire_version",
     "the file has wire version 2; this reader reads wire version 1; a newer "
     "reader is needed"},
};

TEST(FutureFilesTest, AreRefusedByName) {
  for (const FutureCase& future : kFutureCases) {
    const std::string file = GoldenFile(absl::StrCat("future/", future.name));
    const absl::Status refused = Decode(file).status();
    EXPECT_EQ(refused.code(), absl::StatusCode::kUnimplemented) << future.name;
    EXPECT_EQ(refused.message(), future.message);
    std::vector<Reason> reasons;
    EXPECT_EQ(Deserialize(file, Runtime(), {}, &reasons).status(), refused);
    ASSERT_EQ(reasons.size(), 1u);
    EXPECT_EQ(reasons[0].message, future.message);
  }
}

TEST(FutureFilesTest, AreAllThatTheDirectoryHas) {
  std::set<std::string> expected;
  for (const FutureCase& future : kFutureCases) expected.insert(future.name);
  const std::vector<std::string> names =
      GoldenNames(absl::StrCat(kDirectory, "/future"));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()), expected);
}

}  // namespace
}  // namespace opcompat
