#include "tools/progress.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "absl/strings/string_view.h"
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

// A terminal of so many columns, and what was written to it.
class Terminal {
 public:
  explicit Terminal(unsigned short columns)
      : us_(posix_openpt(O_RDWR | O_NOCTTY)) {
    EXPECT_EQ(grantpt(us_), 0);
    EXPECT_EQ(unlockpt(us_), 0);
    out_ = std::fopen(ptsname(us_), "w");
    EXPECT_NE(out_, nullptr);
    struct winsize window = {};
    window.ws_row = 24;
    window.ws_col = columns;
    EXPECT_EQ(ioctl(fileno(out_), TIOCSWINSZ, &window), 0);
  }
  ~Terminal() {
    std::fclose(out_);
    close(us_);
  }
  std::FILE* out() { return out_; }

  // The line that `use` makes a ProgressLine draw first.
  std::string Line(const std::function<void(ProgressLine*)>& use) {
    ProgressLine line(out_);
    use(&line);
    constexpr char kEnd = '$';
    std::fputc(kEnd, out_);
    std::fflush(out_);
    std::string drawn;
    for (char c; read(us_, &c, 1) == 1 && c != kEnd;) drawn += c;
    constexpr absl::string_view kClear = "\r\x1b[K";
    EXPECT_EQ(drawn.substr(0, kClear.size()), kClear);
    return drawn.substr(kClear.size());
  }

 private:
  const int us_;
  std::FILE* out_;
};

TEST(ProgressLineTest, OneLineIsNeverLongerThanTheWindow) {
  const std::string path = "reading " + std::string(60, 'd') + "/net.opc";
  const auto use = [&](ProgressLine* line) {
    line->ShowBytes(path, kGibibyte, 4 * kGibibyte);
  };
  EXPECT_EQ(Terminal(80).Line(use),
            "..." + std::string(19, 'd') +
                "/net.opc "
                "[#######.......................]  25% of 4.0 GiB");
  EXPECT_EQ(Terminal(200).Line(use),
            path + " [#######.......................]  25% of 4.0 GiB");
  EXPECT_EQ(Terminal(30).Line(use), "...dd/net.opc  25% of 4.0 GiB");
  for (unsigned short columns = 2; columns < 200; ++columns) {
    EXPECT_LT(Terminal(columns).Line(use).size(), columns);
  }
}

TEST(ProgressLineTest, ALetterOfALabelIsNotCutInTwo) {
  std::string label;
  for (int i = 0; i < 50; ++i) label += "\xc3\xa9";
  const auto use = [&](ProgressLine* line) { line->Show(label, 1, 2); };
  for (unsigned short columns = 50; columns < 60; ++columns) {
    const std::string line = Terminal(columns).Line(use);
    EXPECT_EQ(line.substr(0, 5), "...\xc3\xa9") << line;
  }
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
