// Module files with the bytes of tensors behind the message: whether those are
// copied, used in place, or left unchecked, the answer is the same where it
// must be.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "deserializer/decode.h"
#include "deserializer/decode_options.h"
#include "deserializer/tensor_memory.h"
#include "fuzz/check.h"
#include "fuzz/sealed_mutator.h"
#include "fuzz/sealed_target.h"
#include "fuzz/targets/bulk_layout.h"
#include "ir/equality.h"
#include "ir/module.h"
#include "wire/testing/answer_problem.h"

namespace opcompat {
namespace {

constexpr size_t kAlignment = 64;

// The bytes at a multiple of 64, as a mapped file has them, and no byte more.
class AlignedBytes {
 public:
  explicit AlignedBytes(absl::string_view bytes)
      : size_(bytes.size()),
        data_(static_cast<char*>(
            ::operator new (size_, std::align_val_t{kAlignment}))) {
    std::copy(bytes.begin(), bytes.end(), data_);
  }
  ~AlignedBytes() { ::operator delete (data_, std::align_val_t{kAlignment}); }
  AlignedBytes(const AlignedBytes&) = delete;
  AlignedBytes& operator=(const AlignedBytes&) = delete;

  absl::string_view view() const { return absl::string_view(data_, size_); }

 private:
  const size_t size_;
  char* const data_;
};

void CheckTensors(const Module& module, absl::string_view file,
                  bool may_be_views) {
  for (const Value& constant : module.constants) {
    if (constant.kind() != ValueKind::kTensor) continue;
    const absl::string_view bytes = constant.tensor().bytes;
    if (bytes.empty()) continue;
    if (reinterpret_cast<uintptr_t>(bytes.data()) % kAlignment != 0) {
      Fail("a tensor does not begin at a multiple of 64");
    }
    if (!may_be_views && bytes.data() >= file.data() &&
        bytes.data() < file.data() + file.size()) {
      Fail("a tensor that should be a copy refers to the file");
    }
    // Reads all of it: AddressSanitizer sees what is not there.
    static_cast<void>(ChoiceOf(bytes));
  }
}

}  // namespace

SealedForm FormOfInputs() {
  SealedForm form = ModuleForm();
  form.fit_bulk = FitBulk;
  return form;
}

void TestFile(absl::string_view input) {
  const AlignedBytes aligned(input);
  const absl::string_view file = aligned.view();
  ExpectNone(AnswerProblem(file), "decoding");
  const absl::StatusOr<Module> copied = Decode(file);

  DecodeOptions options;
  options.tensors = TensorMemory::Borrowed();
  const absl::StatusOr<Module> borrowed = Decode(file, options);
  if (borrowed.status() != copied.status()) {
    Fail("with views the answer is another one");
  }
  options.check_tensor_hashes = false;
  const absl::StatusOr<Module> unchecked = Decode(file, options);
  ExpectAnswerCode(unchecked.status(), "decoding without hashes");
  if (unchecked.ok()) CheckTensors(*unchecked, file, true);
  if (!copied.ok()) return;
  CheckTensors(*copied, file, false);
  CheckTensors(*borrowed, file, true);
  ExpectNone(FirstDifference(*copied, *borrowed).value_or(""), "with views");
  ExpectOk(unchecked.status(), "without the check of hashes");
  ExpectNone(FirstDifference(*copied, *unchecked).value_or(""),
             "without the check of hashes");
}

}  // namespace opcompat
