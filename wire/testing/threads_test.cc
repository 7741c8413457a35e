// One history, its versions and the runtimes made of them, used by several
// threads at once: each gets what one thread alone gets. Run it under
// ThreadSanitizer (--config=tsan).

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_matchers.h"
#include "binding/report.h"
#include "deserializer/deserialize.h"
#include "ir/module.h"
#include "ir/text/history_loader.h"
#include "ir/text/module_parser.h"
#include "ir/text/module_printer.h"
#include "schema/history.h"
#include "schema/opset.h"
#include "serializer/options.h"
#include "serializer/serialize.h"
#include "wire/testing/sample_modules.h"

namespace opcompat {
namespace {

constexpr int kThreads = 4;

// What all threads share.
struct Shared {
  std::shared_ptr<const OpsetHistory> history;
  std::vector<Runtime> readers;  // by version
  std::vector<SampleModule> samples;
};

Shared MakeShared() {
  Shared shared;
  // Some of each version.
  std::vector<SampleModule> samples = DemoModules();
  for (size_t i = 0; i < samples.size(); i += 5) {
    shared.samples.push_back(std::move(samples[i]));
  }
  auto history = LoadHistoryOrError("opsets/demo/history.textproto");
  EXPECT_THAT(history, IsOk());
  if (!history.ok()) return shared;
  shared.history = *history;
  for (const Opset& opset : shared.history->versions()) {
    absl::StatusOr<Runtime> reader = Runtime::Create({opset});
    EXPECT_THAT(reader, IsOk());
    if (reader.ok()) shared.readers.push_back(*std::move(reader));
  }
  return shared;
}

std::string Text(const absl::StatusOr<std::string>& file) {
  return file.ok() ? *file : file.status().ToString();
}

// Everything that one does with one sample; the results as one string.
std::string Use(const Shared& shared, const SampleModule& sample) {
  std::string results;
  const absl::StatusOr<std::string> file =
      Serialize(sample.module, sample.writer);
  absl::StrAppend(&results, Text(file), "\n");
  for (const Runtime& reader : shared.readers) {
    // From the shared history too, not only from what was made before.
    const absl::StatusOr<Opset> opset =
        shared.history->At(reader.opsets()[0].version());
    if (opset.ok()) absl::StrAppend(&results, opset->version(), "\n");
    if (file.ok()) {
      const absl::StatusOr<Loaded> loaded = Deserialize(*file, reader);
      absl::StrAppend(&results, loaded.ok() ? PrintModule(loaded->module)
                                            : loaded.status().ToString());
    }
    SerializeOptions options;
    options.targets = {&reader};
    absl::StrAppend(&results,
                    Text(Serialize(sample.module, sample.writer, options)));
  }
  const absl::StatusOr<Module> parsed =
      ParseModule(PrintModule(sample.module), sample.writer);
  absl::StrAppend(&results, parsed.ok() ? PrintModule(*parsed)
                                        : parsed.status().ToString());
  return results;
}

TEST(ThreadsTest, GetFromOneHistoryWhatOneThreadGets) {
  std::vector<std::vector<std::string>> results(kThreads);
  {
    // Nothing was used before: whatever is made at first use is made now.
    const Shared shared = MakeShared();
    ASSERT_FALSE(shared.samples.empty());
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&shared, t, out = &results[t]] {
        const size_t size = shared.samples.size();
        out->resize(size);
        for (size_t i = 0; i < size; ++i) {
          // Half of the threads meet at the same sample, half at others.
          const size_t s = t % 2 == 0 ? i : (i + t * size / kThreads) % size;
          (*out)[s] = Use(shared, shared.samples[s]);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  const Shared alone = MakeShared();
  for (size_t i = 0; i < alone.samples.size(); ++i) {
    const std::string expected = Use(alone, alone.samples[i]);
    ASSERT_FALSE(expected.empty());
    for (int t = 0; t < kThreads; ++t) {
      EXPECT_TRUE(results[t][i] == expected)
          << alone.samples[i].name << " in thread " << t;
    }
  }
}

}  // namespace
}  // namespace opcompat
