// What `opcompat readers` says of each module, and the summary over many:
// counts per version, and the operators and arguments that refuse most.
#ifndef OPCOMPAT_TOOLS_READERS_SUMMARY_H_
#define OPCOMPAT_TOOLS_READERS_SUMMARY_H_

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "binding/report.h"
#include "ir/module.h"
#include "nlohmann/json.hpp"
#include "tools/reader_edits.h"

namespace opcompat {

// One version's answer.
struct VersionAnswer {
  std::string history;
  std::string version;
  bool accepted = false;
  std::vector<Reason> reasons;
  ReaderAdvice advice = {};  // if refused, and asked for
};

struct ModuleAnswer {
  std::string path;
  // Not 0: the file could not be judged; then `error` and `reasons` say why.
  int error_code = 0;
  std::string error;
  std::vector<Reason> reasons;

  std::vector<OpsetVersion> written;
  std::vector<VersionAnswer> versions;
};

class ReadersSummary {
 public:
  void Add(const ModuleAnswer& answer);

  // All reasons, those that refuse the most modules first.
  nlohmann::ordered_json ToJson() const;
  // The first twenty of them.
  std::string ToText() const;

 private:
  struct VersionCount {
    std::string history;
    std::string version;
    uint64_t accepted = 0;
    uint64_t refused = 0;
  };
  // Code, operator, argument.
  using ReasonKey = std::tuple<std::string, std::string, std::string>;
  struct ReasonCount {
    uint64_t modules = 0;  // refused for it by at least one version
    uint64_t calls = 0;    // the most that one version has refused, summed
  };

  std::vector<std::pair<ReasonKey, ReasonCount>> SortedReasons() const;

  uint64_t modules_ = 0;
  uint64_t errors_ = 0;
  std::vector<VersionCount> versions_;  // in the order of first answers
  std::map<ReasonKey, ReasonCount> reasons_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_READERS_SUMMARY_H_
