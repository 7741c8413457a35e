// Reading for a version other than the writer's: calls that are bound as they
// are read come out as binding the module that was written makes them.

#include "wire/testing/bound_reading.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_matchers.h"
#include "binding/bind_options.h"
#include "binding/form_binder.h"
#include "deserializer/decode.h"
#include "deserializer/deserialize.h"
#include "deserializer/module_reader.h"
#include "ir/module.h"
#include "ir/module_generator.h"
#include "ir/text/history_for_testing.h"
#include "ir/text/history_loader.h"
#include "ir/text/module_parser.h"
#include "ir/text/module_printer.h"
#include "schema/history.h"
#include "schema/opset.h"
#include "serializer/serialize.h"
#include "wire/testing/sample_modules.h"

namespace opcompat {
namespace {

// Whether every call of the file can be bound by its form alone.
bool IsBoundAsRead(const std::string& file, const Runtime& reader) {
  const absl::StatusOr<decoding::FileTables> read =
      decoding::ReadFileTables(file, DecodeOptions(), &reader);
  if (!read.ok()) return false;
  const BindOptions options;
  const FormBinder binder(reader, options, read->entries, read->header);
  decoding::FunctionFindings findings;
  return binder.may_bind() &&
         decoding::ReadModule(*read, DecodeLimits(), &binder, &findings).ok();
}

// What Deserialize gives is what BindModule gives for the decoded module.
void ExpectTheSame(const std::string& file, const Runtime& reader,
                   const std::string& what) {
  ASSERT_THAT(Decode(file), IsOk()) << what;
  EXPECT_EQ(BoundReadingProblem(file, reader), "") << what;
}

TEST(BoundReading, GivesWhatBindingGivesForGeneratedModules) {
  constexpr uint64_t kSeeds = 12;
  int num_bound = 0;
  for (const std::vector<const char*>& history :
       {std::vector<const char*>{"demo", "1.0", "1.1", "1.2"},
        std::vector<const char*>{"torch", "1.7.1", "1.13.1", "2.6.0"}}) {
    std::vector<Runtime> versions;
    for (size_t v = 1; v < history.size(); ++v) {
      versions.push_back(ShippedRuntime(history[0], history[v]));
    }
    for (size_t w = 0; w < versions.size(); ++w) {
      for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        const absl::StatusOr<std::string> file =
            Serialize(GenerateModule(versions[w], seed), versions[w]);
        ASSERT_THAT(file, IsOk());
        for (size_t r = 0; r < versions.size(); ++r) {
          ExpectTheSame(*file, versions[r],
                        absl::StrCat(history[0], " ", history[w + 1], " to ",
                                     history[r + 1], ", seed ", seed, ": "));
          num_bound += IsBoundAsRead(*file, versions[r]);
        }
      }
    }
  }
  EXPECT_GT(num_bound, 0);
}

class EvolvedTest : public ::testing::Test {
 protected:
  // Of version 1, read at version 2.
  void Expect(const std::string& body, const std::string& expected,
              bool is_bound_as_read) {
    const Runtime writer = Runtime::Create({history_->At("1").value()}).value();
    const Runtime reader = Runtime::Create({history_->At("2").value()}).value();
    const absl::StatusOr<Module> module = ParseModule(
        absl::StrCat("opset t 1\nfunc forward(%x : Tensor, %n : int) "
                     "-> (Tensor):\n",
                     body, "  return (%r)\n"),
        writer);
    ASSERT_THAT(module, IsOk());
    const absl::StatusOr<std::string> file = Serialize(*module, writer);
    ASSERT_THAT(file, IsOk());
    EXPECT_EQ(IsBoundAsRead(*file, reader), is_bound_as_read) << body;
    ExpectTheSame(*file, reader, body);
    const absl::StatusOr<Loaded> loaded = Deserialize(*file, reader);
    ASSERT_THAT(loaded, IsOk());
    EXPECT_NE(PrintModule(loaded->module).find(expected), std::string::npos)
        << PrintModule(loaded->module);
  }

  const std::shared_ptr<const OpsetHistory> history_ =
      LoadText({{"1",
                 "t::f(Tensor x, float eps=1e-05) -> Tensor\n"
                 "t::g(Tensor x, Tensor? y=None, int n=3) -> Tensor\n"
                 "t::h(Tensor x, Scalar s=1) -> Tensor"},
                {"2",
                 "t::f(Tensor x, float eps=1e-06, str mode=\"sum\") -> Tensor\n"
                 "t::g(Tensor x, int n=3, Tensor? z=None) -> Tensor\n"
                 "t::h(Tensor x, int s=1) -> Tensor",
                 "changes { operator: \"t::g\" renamed_argument { from: \"y\" "
                 "to: \"z\" } }"}})
          .history;
};

TEST_F(EvolvedTest, WritesOutWhatIsNoDefaultAnyMore) {
  Expect("  %r : Tensor = t::f(%x)\n", "1e-05", true);
  Expect("  %q : Tensor = t::f(%x, 0.5)\n  %r : Tensor = t::f(%q)\n", "1e-05",
         true);
}

TEST_F(EvolvedTest, MovesOperandsToWhereTheReaderHasThem) {
  Expect("  %r : Tensor = t::g(%x, %x, 5)\n", "t::g(%x, 5, %x)", true);
}

TEST_F(EvolvedTest, LooksAtNodesWhoseConstantsDecide) {
  // Scalar 2 is int 2, which only the value shows.
  Expect("  %r : Tensor = t::h(%x, 2)\n", "t::h(%x, 2)", false);
}

}  // namespace
}  // namespace opcompat
