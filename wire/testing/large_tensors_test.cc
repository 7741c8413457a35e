// Tensors whose bytes follow the message: where they stand, how they are used
// in place, what is refused, and that sizes beyond 32 bits are no special case.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status_matchers.h"
#include "deserializer/decode.h"
#include "deserializer/decode_options.h"
#include "deserializer/deserialize.h"
#include "deserializer/mapped_file.h"
#include "deserializer/tensor_memory.h"
#include "ir/equality.h"
#include "ir/module.h"
#include "schema/value.h"
#include "serializer/byte_sink.h"
#include "serializer/options.h"
#include "serializer/output_file.h"
#include "serializer/serialize.h"
#include "wire/module.pb.h"
#include "wire/testing/sample_modules.h"
#include "wire/testing/seal.h"

namespace opcompat {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kMalformed = absl::StatusCode::kInvalidArgument;
constexpr auto kTooMuch = absl::StatusCode::kResourceExhausted;

// Bytes of which no two long pieces are the same.
std::string Bytes(size_t size, uint32_t seed) {
  std::string bytes(size, '\0');
  for (char& c : bytes) {
    seed = seed * 1664525 + 1013904223;
    c = static_cast<char>(seed >> 24);
  }
  return bytes;
}

Value Tensor(absl::string_view dtype, std::vector<int64_t> shape,
             const std::string& bytes) {
  TensorData data;
  data.dtype = std::string(dtype);
  data.shape = std::move(shape);
  const auto owner = std::make_shared<const std::string>(bytes);
  data.bytes = *owner;
  data.owner = owner;
  return Value::Tensor(std::move(data));
}

Value ByteTensor(const std::string& bytes) {
  return Tensor("uint8", {static_cast<int64_t>(bytes.size())}, bytes);
}

// A module with these tensors and a function that uses none.
SampleModule ModuleWith(const std::vector<Value>& tensors) {
  SampleModule sample = ModuleOf("t::f(Tensor x) -> Tensor", R"(
opset t 1
func f(%x : Tensor) -> (Tensor):
  %y : Tensor = t::f(%x)
  return (%y)
)");
  for (const Value& tensor : tensors) {
    Module& module = sample.module;
    module.tensors.push_back(
        {absl::StrCat("w", module.tensors.size()),
         ConstantId(static_cast<uint32_t>(module.constants.size()))});
    module.constants.push_back(tensor);
  }
  return sample;
}

std::string Write(const SampleModule& sample) {
  absl::StatusOr<std::string> file = Serialize(sample.module, sample.writer);
  EXPECT_THAT(file, IsOk());
  return file.ok() ? *std::move(file) : "";
}

wire::Module MessageOf(absl::string_view file) {
  wire::Module message;
  EXPECT_TRUE(
      message.ParseFromString(std::string(file.substr(0, MessageSize(file)))));
  return message;
}

const TensorData& TensorOf(const Module& module, size_t i) {
  return module.constant(module.tensors[i].value).tensor();
}

size_t Aligned(size_t offset) { return (offset + 63) / 64 * 64; }

// Sizes at and around every border: of what stays inside, of alignment.
const SampleModule& Sample() {
  static const auto* const sample = [] {
    std::vector<Value> tensors;
    for (const size_t size : {0, 1, 1023, 1024, 1025, 1500, 2048, 70000}) {
      tensors.push_back(ByteTensor(Bytes(size, static_cast<uint32_t>(size))));
    }
    return new SampleModule(ModuleWith(tensors));
  }();
  return *sample;
}

TEST(LargeTensorsTest, EachBeginsAtAMultipleOf64InTheOrderOfTheTable) {
  const std::string file = Write(Sample());
  const wire::Module message = MessageOf(file);
  EXPECT_THAT(message.required_features(), ElementsAre("bulk_tensors"));
  const size_t begin = Aligned(MessageSize(file));
  size_t end = MessageSize(file);
  size_t num_bulk = 0;
  for (int i = 0; i < message.tensors_size(); ++i) {
    const wire::Tensor& tensor = message.tensors(i);
    const absl::string_view bytes =
        TensorOf(Sample().module, static_cast<size_t>(i)).bytes;
    if (bytes.size() < 1024) {
      EXPECT_EQ(tensor.data(), bytes);
      EXPECT_EQ(tensor.bulk_size(), 0);
      continue;
    }
    ++num_bulk;
    EXPECT_TRUE(tensor.data().empty());
    const size_t offset = begin + tensor.bulk_offset();
    EXPECT_EQ(offset, Aligned(end));
    EXPECT_EQ(file.substr(end, offset - end), std::string(offset - end, '\0'));
    EXPECT_EQ(file.substr(offset, tensor.bulk_size()), bytes);
    EXPECT_EQ(tensor.bulk_hash(), XXH3_64bits(bytes.data(), bytes.size()));
    end = offset + bytes.size();
  }
  EXPECT_EQ(num_bulk, 5);
  EXPECT_EQ(file.size(), end);
}

TEST(LargeTensorsTest, AFileWithoutLargeTensorsIsOneMessage) {
  const std::string file = Write(ModuleWith({ByteTensor(Bytes(1023, 1))}));
  EXPECT_EQ(MessageSize(file), file.size());
  EXPECT_EQ(MessageOf(file).required_features_size(), 0);
}

TEST(LargeTensorsTest, WhatIsWrittenIsReadAndWrittenAgainAsTheSameBytes) {
  const std::string file = Write(Sample());
  SampleModule read = Sample();
  absl::StatusOr<Module> module = Decode(file);
  ASSERT_THAT(module, IsOk());
  EXPECT_EQ(FirstDifference(Sample().module, *module), absl::nullopt);
  read.module = *std::move(module);
  EXPECT_TRUE(Write(read) == file);
  // Protobuf's own code writes the message again as it is.
  const std::string message = MessageOf(file).SerializeAsString();
  EXPECT_TRUE(message == file.substr(0, MessageSize(file)));
}

TEST(LargeTensorsTest, IdenticalBytesAreStoredOnceWhateverTheirType) {
  const std::string bytes = Bytes(4096, 1);
  const SampleModule sample = ModuleWith(
      {Tensor("float32", {32, 32}, bytes), Tensor("float32", {32, 32}, bytes),
       Tensor("float32", {1024}, bytes), Tensor("int32", {1024}, bytes),
       ByteTensor(Bytes(4096, 2))});
  const std::string file = Write(sample);
  EXPECT_EQ(MessageOf(file).tensors_size(), 4);
  EXPECT_EQ(file.size(), Aligned(MessageSize(file)) + 2 * 4096);
  for (const TensorMemory& memory :
       {TensorMemory::Copied(), TensorMemory::Borrowed()}) {
    DecodeOptions options;
    options.tensors = memory;
    const absl::StatusOr<Module> module = Decode(file, options);
    ASSERT_THAT(module, IsOk());
    EXPECT_EQ(FirstDifference(sample.module, *module), absl::nullopt);
    // In memory too.
    for (size_t i = 1; i < 4; ++i) {
      EXPECT_EQ(TensorOf(*module, i).bytes.data(),
                TensorOf(*module, 0).bytes.data());
    }
  }
}

TEST(LargeTensorsTest, CopiesDoNotReferToTheFileAndAreAligned) {
  std::string file = Write(Sample());
  const absl::StatusOr<Module> module = Decode(file);
  ASSERT_THAT(module, IsOk());
  file.assign(file.size(), 'x');
  EXPECT_EQ(FirstDifference(Sample().module, *module), absl::nullopt);
  for (size_t i = 0; i < module->tensors.size(); ++i) {
    EXPECT_EQ(
        reinterpret_cast<uintptr_t>(TensorOf(*module, i).bytes.data()) % 64, 0)
        << i;
  }
}

// A file in the directory of this test.
class FileTest : public testing::Test {
 protected:
  FileTest()
      : path_(absl::StrCat(
            testing::TempDir(), "/",
            testing::UnitTest::GetInstance()->current_test_info()->name(),
            ".opc")) {}
  ~FileTest() override { unlink(path_.c_str()); }

  void WriteFile(const SampleModule& sample,
                 const SerializeOptions& options = {}) const {
    absl::StatusOr<std::unique_ptr<OutputFile>> out = OutputFile::Create(path_);
    ASSERT_THAT(out, IsOk());
    ASSERT_THAT(SerializeTo(sample.module, sample.writer, options, out->get()),
                IsOk());
    ASSERT_THAT((*out)->Commit(), IsOk());
  }
  std::shared_ptr<const MappedFile> Map() const {
    absl::StatusOr<std::shared_ptr<const MappedFile>> file =
        MappedFile::Open(path_);
    EXPECT_THAT(file, IsOk());
    return file.ok() ? *file : nullptr;
  }

  const std::string path_;
};

TEST_F(FileTest, TensorsOfAMappedFileAreUsedInPlaceAndKeepItMapped) {
  WriteFile(Sample());
  std::shared_ptr<const MappedFile> file = Map();
  ASSERT_NE(file, nullptr);
  EXPECT_TRUE(file->bytes() == Write(Sample()));
  const std::weak_ptr<const MappedFile> watch = file;
  const char* const begin = file->bytes().data();
  const char* const end = begin + file->bytes().size();
  DeserializeOptions options;
  options.tensors = TensorMemory::KeptBy(file);
  absl::StatusOr<Loaded> loaded =
      Deserialize(file->bytes(), Sample().writer, options);
  ASSERT_THAT(loaded, IsOk());
  options = {};
  file = nullptr;
  EXPECT_FALSE(watch.expired());
  EXPECT_EQ(FirstDifference(Sample().module, loaded->module), absl::nullopt);
  for (size_t i = 0; i < loaded->module.tensors.size(); ++i) {
    const absl::string_view bytes = TensorOf(loaded->module, i).bytes;
    EXPECT_EQ(bytes.data() >= begin && bytes.data() < end, bytes.size() >= 1024)
        << i;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes.data()) % 64, 0) << i;
  }
  // One tensor is enough to keep it; without any it is unmapped.
  Value last = loaded->module.constant(loaded->module.tensors.back().value);
  loaded->module = Module();
  EXPECT_FALSE(watch.expired());
  EXPECT_EQ(last.tensor().bytes, Bytes(70000, 70000));
  last = Value();
  EXPECT_TRUE(watch.expired());
}

TEST_F(FileTest, WhatIsMappedIsTheOldFileAfterItIsReplaced) {
  WriteFile(Sample());
  const std::shared_ptr<const MappedFile> file = Map();
  ASSERT_NE(file, nullptr);
  WriteFile(ModuleWith({}));
  EXPECT_TRUE(file->bytes() == Write(Sample()));
}

TEST(MappedFileTest, WhatCannotBeMappedIsSaid) {
  EXPECT_THAT(MappedFile::Open("/no/such/file").status(),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("/no/such/file: cannot be mapped")));
  EXPECT_THAT(
      MappedFile::Open("/dev/null").status(),
      StatusIs(absl::StatusCode::kUnavailable, HasSubstr("no ordinary file")));
}

// Memory of whole pages that nobody may touch.
TEST(LazyTest, WithoutTheHashesTheBytesOfTensorsAreNotTouched) {
  const SampleModule sample =
      ModuleWith({ByteTensor(Bytes(300000, 1)), ByteTensor(Bytes(5001, 2)),
                  ByteTensor(Bytes(9000, 3))});
  const std::string file = Write(sample);
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  ASSERT_LT(MessageSize(file), page);
  void* const memory = mmap(nullptr, file.size(), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  std::memcpy(memory, file.data(), file.size());
  char* const bulk = static_cast<char*>(memory) + page;
  const size_t bulk_size = file.size() - page;
  ASSERT_EQ(mprotect(bulk, bulk_size, PROT_NONE), 0);
  DeserializeOptions options;
  options.tensors = TensorMemory::Borrowed();
  options.check_tensor_hashes = false;
  const absl::StatusOr<Loaded> loaded = Deserialize(
      absl::string_view(static_cast<const char*>(memory), file.size()),
      sample.writer, options);
  ASSERT_EQ(mprotect(bulk, bulk_size, PROT_READ | PROT_WRITE), 0);
  ASSERT_THAT(loaded, IsOk());
  EXPECT_EQ(FirstDifference(sample.module, loaded->module), absl::nullopt);
  // What is given up: damage is not seen.
  bulk[1000] ^= 1;
  const absl::string_view damaged(static_cast<const char*>(memory),
                                  file.size());
  EXPECT_THAT(Decode(damaged, options), IsOk());
  options.check_tensor_hashes = true;
  EXPECT_THAT(Decode(damaged, options),
              StatusIs(kMalformed, HasSubstr("hash of its bytes")));
  munmap(memory, file.size());
}

TEST(ProgressTest, RisesToTheSizeOfTheFileInBothDirections) {
  const SampleModule sample = ModuleWith(
      {ByteTensor(Bytes(20 << 20, 1)), ByteTensor(Bytes(10 << 20, 2))});
  const size_t size = Write(sample).size();
  std::vector<uint64_t> steps;
  const auto note = [&](uint64_t done, uint64_t total) {
    EXPECT_EQ(total, size);
    EXPECT_GE(done, steps.empty() ? 1 : steps.back());
    steps.push_back(done);
  };
  SerializeOptions write_options;
  write_options.progress = note;
  const absl::StatusOr<std::string> file =
      Serialize(sample.module, sample.writer, write_options);
  ASSERT_THAT(file, IsOk());
  EXPECT_GE(steps.size(), 4);
  EXPECT_LE(steps.size(), 32);
  EXPECT_EQ(steps.back(), size);

  for (const bool check : {true, false}) {
    steps.clear();
    DecodeOptions options;
    options.check_tensor_hashes = check;
    options.progress = note;
    ASSERT_THAT(Decode(*file, options), IsOk());
    EXPECT_GE(steps.size(), 4);
    EXPECT_LE(steps.size(), 32);
    EXPECT_EQ(steps.back(), size);
  }
}

class FailingSink : public ByteSink {
 public:
  absl::Status Append(absl::string_view) override {
    ++calls;
    return absl::UnavailableError("the sink is full");
  }
  int calls = 0;
};

TEST(SinkTest, AnErrorOfTheSinkEndsTheWriting) {
  FailingSink sink;
  EXPECT_THAT(
      SerializeTo(Sample().module, Sample().writer, {}, &sink),
      StatusIs(absl::StatusCode::kUnavailable, HasSubstr("the sink is full")));
  EXPECT_EQ(sink.calls, 1);
}

TEST(SinkTest, WhatCannotBeWrittenReachesNoSink) {
  SampleModule sample = ModuleWith({});
  sample.module.opsets.push_back({"", ""});
  FailingSink sink;
  EXPECT_THAT(SerializeTo(sample.module, sample.writer, {}, &sink),
              StatusIs(kMalformed, HasSubstr("")));
  EXPECT_EQ(sink.calls, 0);
}

// ---- Hostile files

// Two tensors behind the message, and padding before each.
struct Parts {
  wire::Module message;
  std::string bulk;  // from where bulk data begins

  std::string File() const {
    std::string file = Seal(message);
    file.resize(Aligned(file.size()));
    return file + bulk;
  }
};

Parts GoodParts() {
  const std::string file = Write(
      ModuleWith({ByteTensor(Bytes(1100, 1)), ByteTensor(Bytes(2000, 2))}));
  Parts parts;
  parts.message = MessageOf(file);
  parts.bulk = file.substr(Aligned(MessageSize(file)));
  EXPECT_TRUE(parts.File() == file);
  return parts;
}

struct Fault {
  const char* name;
  std::function<void(Parts*)> change;
  absl::StatusCode code;
  const char* message;
};

class FaultTest : public testing::TestWithParam<Fault> {};

TEST_P(FaultTest, IsRefusedWithAReason) {
  Parts parts = GoodParts();
  ASSERT_THAT(Decode(parts.File()), IsOk());
  GetParam().change(&parts);
  const std::string file = parts.File();
  for (const TensorMemory& memory :
       {TensorMemory::Copied(), TensorMemory::Borrowed()}) {
    DecodeOptions options;
    options.tensors = memory;
    EXPECT_THAT(Decode(file, options),
                StatusIs(GetParam().code, HasSubstr(GetParam().message)));
  }
}

wire::Tensor* First(Parts* parts) { return parts->message.mutable_tensors(0); }
wire::Tensor* Second(Parts* parts) { return parts->message.mutable_tensors(1); }

INSTANTIATE_TEST_SUITE_P(
    Tensors, FaultTest,
    testing::Values(
        Fault{"FeatureNotRequired",
              [](Parts* p) { p->message.clear_required_features(); },
              kMalformed, "uses the feature \"bulk_tensors\""},
        Fault{"Gap",
              [](Parts* p) {
                Second(p)->set_bulk_offset(Second(p)->bulk_offset() + 64);
                p->bulk.insert(1152, 64, '\0');
              },
              kMalformed, "1152, where those before end"},
        Fault{"GapAtTheBeginning",
              [](Parts* p) {
                First(p)->set_bulk_offset(64);
                p->bulk.insert(0, 64, '\0');
              },
              kMalformed, "begin at bulk offset 64; 0"},
        Fault{"Misaligned", [](Parts* p) { Second(p)->set_bulk_offset(1100); },
              kMalformed, "begin at bulk offset 1100"},
        Fault{"Overlap", [](Parts* p) { Second(p)->set_bulk_offset(1088); },
              kMalformed, "begin at bulk offset 1088"},
        Fault{"OffsetFarBeyondTheEnd",
              [](Parts* p) { Second(p)->set_bulk_offset(uint64_t{1} << 40); },
              kMalformed, "begin at bulk offset"},
        Fault{"OffsetOverflows",
              [](Parts* p) { Second(p)->set_bulk_offset(~uint64_t{63}); },
              kMalformed, "begin at bulk offset"},
        Fault{"SizeOverflows",
              [](Parts* p) {
                Second(p)->set_bulk_size(~uint64_t{0});
                Second(p)->set_dtype(0);  // "f": no dtype whose size we know
              },
              kMalformed, "but the file ends at"},
        Fault{"SizeBeyondTheEnd",
              [](Parts* p) {
                Second(p)->set_bulk_size(2001);
                Second(p)->set_shape(0, 2001);
              },
              kMalformed, "but the file ends at"},
        Fault{"SizeIsNotThatOfTheShape",
              [](Parts* p) { Second(p)->set_bulk_size(1999); }, kMalformed,
              "its 1999 bytes are not what its shape and dtype uint8 need"},
        Fault{"Shorter",
              [](Parts* p) {
                Second(p)->set_bulk_size(1999);
                Second(p)->set_shape(0, 1999);
              },
              kMalformed, "the hash of its bytes"},
        Fault{"CutOff", [](Parts* p) { p->bulk.pop_back(); }, kMalformed,
              "it was cut off"},
        Fault{"CutOffBehindTheMessage", [](Parts* p) { p->bulk.clear(); },
              kMalformed, "it was cut off"},
        Fault{"BytesBehindTheLastTensor",
              [](Parts* p) { p->bulk.push_back('\0'); }, kMalformed,
              "1 byte (offset"},
        Fault{"BytesOfNoTensor",
              [](Parts* p) {
                for (wire::Tensor& tensor : *p->message.mutable_tensors()) {
                  tensor.clear_bulk_size();
                  tensor.clear_bulk_offset();
                  tensor.clear_bulk_hash();
                  tensor.set_data(Bytes(tensor.shape(0), 1));
                }
              },
              kMalformed, "behind its checksum"},
        Fault{"PaddingIsNotZero", [](Parts* p) { p->bulk[1151] = 1; },
              kMalformed, "other than zeros before its bytes"},
        Fault{"OtherBytes", [](Parts* p) { p->bulk[1500] ^= 4; }, kMalformed,
              "the hash of its bytes"},
        Fault{"OtherHash", [](Parts* p) { First(p)->set_bulk_hash(1); },
              kMalformed, "the hash of its bytes"},
        Fault{"BytesInBothPlaces",
              [](Parts* p) { First(p)->set_data(Bytes(1100, 1)); }, kMalformed,
              "in the message and behind it"},
        Fault{"APlaceWithoutASize",
              [](Parts* p) {
                First(p)->clear_bulk_size();
                First(p)->set_shape(0, 0);
              },
              kMalformed, "a place behind the message, but no bytes"},
        Fault{"TheSamePlaceWithAnotherSize",
              [](Parts* p) {
                Second(p)->set_bulk_offset(0);
                p->bulk.resize(1100);
              },
              kMalformed, "another size or another hash"},
        Fault{"TheSameTensorTwice",
              [](Parts* p) {
                *Second(p) = *First(p);
                p->bulk.resize(1100);
              },
              kMalformed, "is there twice"},
        Fault{"ManyOfOneHash",
              [](Parts* p) {
                // As if somebody had found bytes that collide.
                const wire::Tensor good = *First(p);
                const std::string bytes = p->bulk.substr(0, 1152);
                p->bulk.clear();
                p->message.clear_tensors();
                for (int i = 0; i < 9; ++i) {
                  wire::Tensor* tensor = p->message.add_tensors();
                  *tensor = good;
                  tensor->add_shape(1);
                  for (int j = 0; j < i; ++j) tensor->add_shape(1);
                  tensor->set_bulk_offset(p->bulk.size());
                  p->bulk += bytes;
                }
                p->bulk.resize(p->bulk.size() - 52);
              },
              kTooMuch, "more than 8 tensors of 1100 bytes"}),
    [](const testing::TestParamInfo<Fault>& info) { return info.param.name; });

TEST(HostileTest, EveryTruncationAndEveryFlippedBitIsAnError) {
  std::string file = GoodParts().File();
  for (size_t size = 0; size < file.size(); ++size) {
    EXPECT_THAT(Decode(absl::string_view(file).substr(0, size)),
                StatusIs(kMalformed, HasSubstr("")))
        << size;
  }
  for (size_t i = 0; i < file.size() * 8; i += 3) {
    file[i / 8] ^= 1 << (i % 8);
    EXPECT_THAT(Decode(file), StatusIs(kMalformed, HasSubstr(""))) << i;
    file[i / 8] ^= 1 << (i % 8);
  }
}

TEST(HostileTest, EveryFlippedBitOfASealedMessageGetsAnAnswer) {
  const Parts parts = GoodParts();
  std::string message = Seal(parts.message);
  message.resize(message.size() - 10);
  DecodeOptions options;
  options.tensors = TensorMemory::Borrowed();
  for (const bool check : {true, false}) {
    options.check_tensor_hashes = check;
    for (size_t i = 0; i < message.size() * 8; ++i) {
      message[i / 8] ^= 1 << (i % 8);
      std::string file = Reseal(message);
      file.resize(Aligned(file.size()));
      file += parts.bulk;
      const absl::StatusOr<Module> module = Decode(file, options);
      if (module.ok()) {
        // All of what it claims to have is there.
        for (const Value& constant : module->constants) {
          if (constant.kind() == ValueKind::kTensor) {
            const absl::string_view bytes = constant.tensor().bytes;
            XXH3_64bits(bytes.data(), bytes.size());
          }
        }
      }
      message[i / 8] ^= 1 << (i % 8);
    }
  }
}

TEST(HostileTest, CopiesHaveALimitAndViewsNeedNone) {
  const std::string file = GoodParts().File();
  DecodeOptions options;
  options.limits.max_tensor_bytes = 3100;
  EXPECT_THAT(Decode(file, options), IsOk());
  options.limits.max_tensor_bytes = 3099;
  EXPECT_THAT(Decode(file, options), StatusIs(kTooMuch, HasSubstr("3099")));
  options.tensors = TensorMemory::Borrowed();
  EXPECT_THAT(Decode(file, options), IsOk());
}

// The limit of bytes is about what must be read, not about what is mapped.
TEST(HostileTest, TheLimitOfBytesIsThatOfTheMessage) {
  const std::string file = GoodParts().File();
  DecodeOptions options;
  options.limits.max_bytes = MessageSize(file);
  EXPECT_THAT(Decode(file, options), IsOk());
  --options.limits.max_bytes;
  EXPECT_THAT(Decode(file, options), StatusIs(kTooMuch, HasSubstr("limit")));
}

// ---- Beyond 32 bits

// Zeros of which nothing is in memory.
class Zeros {
 public:
  explicit Zeros(size_t size) : size_(size) {
    memory_ = mmap(nullptr, size, PROT_READ,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    EXPECT_NE(memory_, MAP_FAILED);
  }
  ~Zeros() { munmap(memory_, size_); }
  absl::string_view bytes() const {
    return {static_cast<const char*>(memory_), size_};
  }

 private:
  void* memory_;
  size_t size_;
};

// A file with holes where pieces are all zeros, so that it takes no place.
class SparseSink : public ByteSink {
 public:
  explicit SparseSink(const std::string& path)
      : file_(std::fopen(path.c_str(), "wb")) {}
  ~SparseSink() override { std::fclose(file_); }
  absl::Status Append(absl::string_view bytes) override {
    size_ += bytes.size();
    if (bytes[0] == '\0' &&
        bytes.substr(1) == bytes.substr(0, bytes.size() - 1)) {
      EXPECT_EQ(fseeko(file_, static_cast<off_t>(size_), SEEK_SET), 0);
    } else {
      EXPECT_EQ(std::fwrite(bytes.data(), 1, bytes.size(), file_),
                bytes.size());
    }
    return absl::OkStatus();
  }
  uint64_t size() const { return size_; }

 private:
  std::FILE* file_;
  uint64_t size_ = 0;
};

TEST_F(FileTest, ATensorBeyondTwoGigabytesAndWhatFollowsItComeBack) {
  const size_t size = (size_t{1} << 31) + 5000;
  const Zeros zeros(size);
  TensorData huge;
  huge.dtype = "uint8";
  huge.shape = {static_cast<int64_t>(size)};
  huge.bytes = zeros.bytes();
  const SampleModule sample =
      ModuleWith({Value::Tensor(std::move(huge)), ByteTensor(Bytes(5000, 1))});
  {
    SparseSink sink(path_);
    ASSERT_THAT(SerializeTo(sample.module, sample.writer, {}, &sink), IsOk());
    ASSERT_GT(sink.size(), size + 5000);
  }
  const std::shared_ptr<const MappedFile> file = Map();
  ASSERT_NE(file, nullptr);
  DeserializeOptions options;  // its limits are the usual ones
  options.tensors = TensorMemory::KeptBy(file);
  for (const bool check : {false, true}) {
    options.check_tensor_hashes = check;
    const absl::StatusOr<Loaded> loaded =
        Deserialize(file->bytes(), sample.writer, options);
    ASSERT_THAT(loaded, IsOk());
    EXPECT_EQ(TensorOf(loaded->module, 0).bytes.size(), size);
    EXPECT_EQ(TensorOf(loaded->module, 1).bytes, Bytes(5000, 1));
    EXPECT_EQ(TensorOf(loaded->module, 1).bytes.data(),
              file->bytes().data() + file->bytes().size() - 5000);
  }
}

}  // namespace
}  // namespace opcompat
