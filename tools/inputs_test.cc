#include "tools/inputs.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

TEST(FormOfContentTest, BytesAreToldFromTextByContentAlone) {
  const struct {
    std::string content;
    ModuleForm form;
  } kCases[] = {
      {"", ModuleForm::kText},
      {"func f() -> ():\n  return ()\n", ModuleForm::kText},
      {"# h\xc3\xa9\r\n\topset a 1\n", ModuleForm::kText},
      {"\nopcompat", ModuleForm::kText},
      {std::string("\x0a\x08opcompat\x10\x01", 12), ModuleForm::kBytes},
      // Cut short, or with a bit flipped.
      {std::string("\x0a\x08opc", 5), ModuleForm::kBytes},
      {std::string("\x0b\x08opcompat\x10\x01", 12), ModuleForm::kBytes},
      {std::string("\x0a\x48opcompat\x10\x01", 12), ModuleForm::kBytes},
      {std::string("a\0b", 3), ModuleForm::kBytes},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(FormOfContent(test.content), test.form)
        << testing::PrintToString(test.content);
  }
}

TEST(ReadInputTest, AFileComesWholeWhateverItsSize) {
  for (const size_t size : {0, 1, 65535, 65536, 65537, 200000}) {
    std::string content(size, 'x');
    for (size_t i = 0; i < size; i += 7) content[i] = '\0';
    const std::string path = absl::StrCat(testing::TempDir(), "/input", size);
    std::ofstream(path, std::ios::binary) << content;
    EXPECT_THAT(ReadInput(path), IsOkAndHolds(content));
  }
}

TEST(ReadInputTest, WhatCannotBeReadIsSaidWithItsPath) {
  EXPECT_THAT(ReadInput("/no/such/file"),
              StatusIs(absl::StatusCode::kNotFound,
                       testing::HasSubstr("/no/such/file: cannot be read")));
  EXPECT_THAT(ReadInput(testing::TempDir()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       testing::HasSubstr("directory")));
}

}  // namespace
}  // namespace opcompat
