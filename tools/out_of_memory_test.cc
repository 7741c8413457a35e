#include "tools/out_of_memory.h"

#include <new>
#include <string>

#include "gtest/gtest.h"
#include "tools/output.h"

namespace opcompat {
namespace {

TEST(OutOfMemoryTest, ACommandEndsWithAnErrorThatNamesItsInputs) {
  EXPECT_EQ(RunWithinMemory("m", [] { return 1; }), 1);
  testing::internal::CaptureStderr();
  EXPECT_EQ(
      RunWithinMemory("no memory", []() -> int { throw std::bad_alloc(); }),
      kExitBadInput);
  EXPECT_EQ(RunWithinMemory("too long",
                            [] {
                              std::string text;
                              text.resize(text.max_size() + 1);
                              return 0;
                            }),
            kExitBadInput);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "no memory\ntoo long\n");
}

TEST(OutOfMemoryTest, TheMessageNamesTheFirstInputs) {
  const std::string one = OutOfMemoryMessage("opcompat show", {"a.opc"});
  EXPECT_EQ(one.substr(0, one.find(';')),
            "opcompat show: out of memory at a.opc");
  const std::string many =
      OutOfMemoryMessage("opcompat readers", {"a", "b\n", "c", "d"});
  EXPECT_EQ(many.substr(0, many.find(';')),
            "opcompat readers: out of memory at a, b\\n, c, ...");
  const std::string none = OutOfMemoryMessage("opcompat matrix", {});
  EXPECT_EQ(none.substr(0, none.find(';')), "opcompat matrix: out of memory");
}

}  // namespace
}  // namespace opcompat
