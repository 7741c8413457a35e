#include "tools/progress.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

// What `use` makes a line draw.
std::string Drawn(const std::function<void(ProgressLine*)>& use) {
  char* text = nullptr;
  size_t size = 0;
  std::FILE* const out = open_memstream(&text, &size);
  {
    ProgressLine line(out);
    use(&line);
  }
  std::fclose(out);
  std::string drawn(text, size);
  std::free(text);
  return drawn;
}

constexpr uint64_t kGibibyte = uint64_t{1} << 30;

TEST(ProgressLineTest, ShowsHowFarItIsAndGoesAtTheEnd) {
  EXPECT_EQ(Drawn([](ProgressLine* line) { line->Show("torch", 1, 3); }),
            "\r\x1b[Ktorch [##########....................] 1/3"
            "\r\x1b[K");
  EXPECT_EQ(Drawn([](ProgressLine* line) {
              line->ShowBytes("net.opc", kGibibyte, 4 * kGibibyte);
            }),
            "\r\x1b[Knet.opc [#######.......................]  25% of 4.0 GiB"
            "\r\x1b[K");
}

TEST(ProgressLineTest, DrawsOnlyWhatHasChanged) {
  const std::string once = Drawn([](ProgressLine* line) {
    line->ShowBytes("f", kGibibyte, 4 * kGibibyte);
  });
  EXPECT_EQ(Drawn([](ProgressLine* line) {
              for (uint64_t i = 0; i < 1000; ++i) {
                line->ShowBytes("f", kGibibyte + i, 4 * kGibibyte);
              }
            }),
            once);
}

TEST(ProgressLineTest, SmallFilesShowNothing) {
  EXPECT_EQ(Drawn([](ProgressLine* line) {
              line->ShowBytes("f", 0, 1000);
              line->ShowBytes("f", 1000, 1000);
            }),
            "");
}

TEST(ProgressLineTest, NothingOfNothingIsAll) {
  EXPECT_THAT(Drawn([](ProgressLine* line) { line->Show("f", 0, 0); }),
              testing::HasSubstr("[##############################] 0/0"));
}

// Standard error of tests is no terminal.
TEST(ByteProgressTest, IsNullWhereNothingWouldBeShown) {
  OutputOptions options;
  options.quiet = true;
  EXPECT_EQ(ByteProgress(options, "f"), nullptr);
}

}  // namespace
}  // namespace opcompat
