#include "tools/matrix_progress.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "compat_matrix/run_units.h"

namespace opcompat {
namespace {

RunProgress Done(size_t units, uint64_t cells) {
  RunProgress progress;
  progress.units_done = units;
  progress.units = 100;
  progress.cells = cells;
  return progress;
}

// What is shown when units are done at these seconds.
std::string Shown(bool is_terminal, const std::vector<double>& seconds) {
  std::FILE* const file = std::tmpfile();
  double now = 0;
  {
    MatrixProgress progress(file, is_terminal, [&now] { return now; });
    for (size_t i = 0; i < seconds.size(); ++i) {
      now = seconds[i];
      progress.Show(Done(10 * (i + 1), 1000 * (i + 1)));
    }
  }
  std::string text(10000, '\0');
  std::rewind(file);
  text.resize(std::fread(&text[0], 1, text.size(), file));
  std::fclose(file);
  return text;
}

TEST(MatrixProgress, ARateAndTheTimeLeftAreThereOnceTheyMeanSomething) {
  EXPECT_EQ(MatrixProgress::Rate(Done(0, 0), 10), "");
  EXPECT_EQ(MatrixProgress::Rate(Done(10, 1000), 0.1), "");
  EXPECT_EQ(MatrixProgress::Rate(Done(10, 1000), 10),
            "100 cells/s, 1 min 30 s left");
  EXPECT_EQ(MatrixProgress::Rate(Done(50, 20), 10), "2.0 cells/s, 10 s left");
  EXPECT_EQ(MatrixProgress::Rate(Done(1, 1000), 100),
            "10 cells/s, 2 h 45 min left");
  EXPECT_EQ(MatrixProgress::Rate(Done(100, 1000), 100), "10 cells/s, 0 s left");
}

TEST(MatrixProgress, ATerminalHasABar) {
  const std::string shown = Shown(/*is_terminal=*/true, {10});
  EXPECT_NE(shown.find("matrix [###"), std::string::npos) << shown;
  EXPECT_NE(shown.find("10/100, 100 cells/s, 1 min 30 s left"),
            std::string::npos)
      << shown;
}

TEST(MatrixProgress, ALogHasALineNowAndThen) {
  EXPECT_EQ(Shown(/*is_terminal=*/false, {1, 29, 30, 31, 59, 60.5}),
            "matrix: 30 of 100 modules, 3000 cells, 100 cells/s, 1 min 10 s "
            "left\n"
            "matrix: 60 of 100 modules, 6000 cells, 99 cells/s, 41 s left\n");
}

}  // namespace
}  // namespace opcompat
