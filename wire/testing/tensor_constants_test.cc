// Large tensors as attributes of a module and as parts of its constants: their
// bytes are shared, so that neither their size nor how often they are referred
// to counts against what a file's constants may expand to; unless somebody made
// tensors that only a comparison of their bytes tells apart.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/status_matchers.h"
#include "deserializer/decode.h"
#include "deserializer/decode_options.h"
#include "deserializer/tensor_memory.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "schema/type.h"
#include "schema/value.h"
#include "serializer/serialize.h"
#include "wire/module.pb.h"
#include "wire/testing/sample_modules.h"
#include "wire/testing/seal.h"

namespace opcompat {
namespace {

using ::testing::HasSubstr;

Value ByteTensor(std::string bytes) {
  const auto owner = std::make_shared<const std::string>(std::move(bytes));
  TensorData data;
  data.dtype = "uint8";
  data.shape = {static_cast<int64_t>(owner->size())};
  data.bytes = *owner;
  data.owner = owner;
  return Value::Tensor(std::move(data));
}

// A module with attributes of these types and values.
SampleModule ModuleWith(const std::vector<std::pair<Type, Value>>& attributes) {
  SampleModule sample = ModuleOf("t::f(Tensor x) -> Tensor", R"(
opset t 1
func f() -> ():
  return ()
)");
  Module& module = sample.module;
  for (const auto& [type, value] : attributes) {
    ModuleAttribute attribute;
    attribute.name = absl::StrCat("a", module.attributes.size());
    attribute.type = TypeId(static_cast<uint32_t>(module.types.size()));
    attribute.value =
        ConstantId(static_cast<uint32_t>(module.constants.size()));
    module.types.push_back(type);
    module.constants.push_back(value);
    module.attributes.push_back(std::move(attribute));
  }
  return sample;
}

DecodeOptions Borrowed() {
  DecodeOptions options;
  options.tensors = TensorMemory::Borrowed();
  return options;
}

const Type& TensorType() {
  static const auto* const type = new Type(Type(TypeKind::kTensor));
  return *type;
}

const Value& AttributeOf(const Module& module, size_t i) {
  return module.constant(module.attributes[i].value);
}

TEST(TensorConstantsTest, AreReadBackWhateverTheirSizeAndHoweverOften) {
  const Value tensor = ByteTensor(std::string(size_t{20} << 20, 'w'));
  const Value list = Value::List(std::vector<Value>(100000, tensor));
  const Value tuple =
      Value::Tuple({tensor, ByteTensor(std::string(5000, 'v'))});
  const SampleModule sample =
      ModuleWith({{TensorType(), tensor},
                  {Type::List(TensorType()), list},
                  {Type::Tuple({TensorType(), TensorType()}), tuple}});
  const absl::StatusOr<std::string> file =
      Serialize(sample.module, sample.writer);
  ASSERT_THAT(file, IsOk());
  for (const DecodeOptions& options : {DecodeOptions(), Borrowed()}) {
    const absl::StatusOr<Module> module = Decode(*file, options);
    ASSERT_THAT(module, IsOk());
    ASSERT_EQ(module->attributes.size(), 3u);
    EXPECT_TRUE(AttributeOf(*module, 0) == tensor);
    EXPECT_TRUE(AttributeOf(*module, 2) == tuple);
    const absl::Span<const Value> elements = AttributeOf(*module, 1).elements();
    ASSERT_EQ(elements.size(), 100000u);
    const char* const bytes = AttributeOf(*module, 0).tensor().bytes.data();
    for (const Value& element : elements) {
      ASSERT_EQ(element.tensor().bytes.data(), bytes);
    }
  }
}

// Bytes may collide, and a file's hashes may have been taken as they are.
TEST(TensorConstantsTest, OfOneHashAreWrittenAsTwo) {
  TensorData other = ByteTensor(std::string(5000, 'b')).tensor();
  const Value a = ByteTensor(std::string(5000, 'a'));
  other.hash = a.tensor().hash;
  const Value b = Value::Tensor(std::move(other));
  const SampleModule sample =
      ModuleWith({{TensorType(), a}, {TensorType(), b}});
  const absl::StatusOr<std::string> file =
      Serialize(sample.module, sample.writer);
  ASSERT_THAT(file, IsOk());
  DecodeOptions options = Borrowed();
  options.check_tensor_hashes = false;
  const absl::StatusOr<Module> module = Decode(*file, options);
  ASSERT_THAT(module, IsOk());
  EXPECT_EQ(AttributeOf(*module, 0).tensor().bytes, a.tensor().bytes);
  EXPECT_EQ(AttributeOf(*module, 1).tensor().bytes, b.tensor().bytes);
}

// With hashes that nobody checks, or with bytes that collide, the pairs of one
// number below are told apart by the last byte of a megabyte.
TEST(TensorConstantsTest, ThatOnlyTheirBytesTellApartHaveALimit) {
  const std::string a(size_t{1} << 20, 'a');
  std::string b = a;
  b.back() = 'b';
  const std::vector<Value> tensors = {ByteTensor(a), ByteTensor(b)};
  std::vector<std::pair<Type, Value>> pairs;
  for (int64_t i = 0; i < 20; ++i) {
    for (const Value& tensor : tensors) {
      pairs.emplace_back(Type::Tuple({TensorType(), Type(TypeKind::kInt)}),
                         Value::Tuple({tensor, Value::Int(i)}));
    }
  }
  const SampleModule sample = ModuleWith(pairs);
  const absl::StatusOr<std::string> file =
      Serialize(sample.module, sample.writer);
  ASSERT_THAT(file, IsOk());
  EXPECT_THAT(Decode(*file), IsOk());

  wire::Module message;
  ASSERT_TRUE(message.ParseFromString(file->substr(0, MessageSize(*file))));
  ASSERT_EQ(message.tensors_size(), 2);
  ASSERT_NE(message.tensors(0).bulk_hash(), message.tensors(1).bulk_hash());
  message.mutable_tensors(1)->set_bulk_hash(message.tensors(0).bulk_hash());
  const std::string same_hash = WithBulk(Seal(message), BulkOf(*file));
  EXPECT_THAT(Decode(same_hash), StatusIs(absl::StatusCode::kInvalidArgument,
                                          HasSubstr("the hash of its bytes")));
  DecodeOptions options = Borrowed();
  options.check_tensor_hashes = false;
  EXPECT_THAT(Decode(*file, options), IsOk());
  EXPECT_THAT(Decode(same_hash, options),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("the file's constants expand to more than")));
}

}  // namespace
}  // namespace opcompat
