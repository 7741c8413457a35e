// The examples of docs/evolving_operators.md, run.
//
// A block marked `example` is a history (`version ID`, its schemas and
// declarations, indented; `graph NAME`, a step graph) and what becomes of
// calls: `write ID: CALL`, or `write ID for TARGET: CALL`; then for readers
// `read ID: CALLS` or `read ID: refused: CODES`, and for a target that refuses
// `refused: CODES`. `check ID -> ID: CATEGORY RULE, ...` are all findings of
// the pair.
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "check/check.h"
#include "check/finding.h"
#include "deserializer/deserialize.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/text/history_loader.h"
#include "ir/text/module_parser.h"
#include "ir/text/module_printer.h"
#include "serializer/serialize.h"

namespace opcompat {
namespace {

struct Example {
  std::string section;
  // By path.
  std::map<std::string, std::string> files;
  // `write`, `read`, `refused` and `check` lines.
  std::vector<std::string> steps;
};

// Reads the lines of one block.
Example ParseExample(const std::string& section,
                     const std::vector<std::string>& lines) {
  Example example;
  example.section = section;
  std::string& history = example.files["h/history.textproto"];
  history = "name: \"mine\"\n";
  std::string* graph = nullptr;
  std::string* operators = nullptr;
  const auto end_version = [&] {
    if (operators != nullptr) history += "}\n";
    operators = nullptr;
  };
  for (const std::string& line : lines) {
    absl::string_view rest = line;
    if (absl::ConsumePrefix(&rest, "version ")) {
      end_version();
      absl::StrAppend(&history, "versions { id: \"", rest, "\" operators: \"",
                      rest, ".ops\"\n");
      operators = &example.files[absl::StrCat("h/", rest, ".ops")];
      *operators = absl::StrCat("opset mine ", rest, "\n");
    } else if (absl::ConsumePrefix(&rest, "graph ")) {
      end_version();
      graph = &example.files[absl::StrCat("h/", rest)];
    } else if (!absl::StartsWith(line, " ") ||
               absl::StartsWith(line, "  read") ||
               absl::StartsWith(line, "  refused")) {
      end_version();
      graph = nullptr;
      example.steps.push_back(std::string(absl::StripAsciiWhitespace(line)));
    } else if (graph != nullptr) {
      absl::StrAppend(graph, line.substr(2), "\n");
    } else if (absl::StartsWith(line, "  mine::")) {
      absl::StrAppend(operators, line, "\n");
    } else {
      absl::StrAppend(&history, line, "\n");
    }
  }
  end_version();
  return example;
}

std::vector<Example> Examples() {
  std::ifstream file("docs/evolving_operators.md");
  std::vector<Example> examples;
  std::string section;
  std::vector<std::string> block;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (absl::StartsWith(line, "## ")) section = line.substr(3);
    if (inside && line == "```") {
      examples.push_back(ParseExample(section, block));
      block.clear();
      inside = false;
    } else if (inside) {
      block.push_back(line);
    } else if (line == "```example") {
      inside = true;
    }
  }
  return examples;
}

class ExampleRun {
 public:
  explicit ExampleRun(const Example& example) : example_(example) {
    LoadedHistory loaded = LoadHistory(
        "h", {[&](const std::string& path) -> absl::StatusOr<std::string> {
          const auto found = example.files.find(path);
          if (found == example.files.end()) return absl::NotFoundError(path);
          return found->second;
        }});
    for (const HistoryFault& fault : loaded.faults) {
      ADD_FAILURE() << fault.ToString();
    }
    for (const HistoryFault& warning : loaded.warnings) {
      ADD_FAILURE() << warning.ToString();
    }
    history_ = loaded.history;
  }

  void Run() {
    ASSERT_NE(history_, nullptr);
    for (const std::string& step : example_.steps) {
      SCOPED_TRACE(step);
      const std::pair<std::string, std::string> parts =
          absl::StrSplit(step, absl::MaxSplits(": ", 1));
      absl::string_view what = parts.first;
      if (absl::ConsumePrefix(&what, "write ")) {
        Write(what, parts.second);
      } else if (absl::ConsumePrefix(&what, "read ")) {
        Read(what, parts.second);
      } else if (absl::ConsumePrefix(&what, "check ")) {
        Check(what, parts.second);
      } else if (what == "refused") {
        EXPECT_EQ(written_, step);
      } else {
        ADD_FAILURE() << "what is this?";
      }
    }
  }

 private:
  Runtime At(absl::string_view version) {
    return *Runtime::Create({*history_->At(version)});
  }

  void Write(absl::string_view versions, const std::string& call) {
    const std::vector<std::string> ids = absl::StrSplit(versions, " for ");
    const Runtime writer = At(ids[0]);
    const OperatorInfo* info = writer.Find(call.substr(0, call.find('(')));
    ASSERT_NE(info, nullptr);
    std::vector<std::string> definitions, names, types;
    for (const EntryResult& result : info->current()->results) {
      names.push_back(absl::StrCat("%r", names.size()));
      types.push_back(result.type.ToString());
      definitions.push_back(absl::StrCat(names.back(), " : ", types.back()));
    }
    const absl::StatusOr<Module> module = ParseModule(
        absl::StrCat("func forward(%x : Tensor, %y : Tensor) -> (",
                     absl::StrJoin(types, ", "), "):\n  ",
                     absl::StrJoin(definitions, ", "), " = ", call,
                     "\n  return (", absl::StrJoin(names, ", "), ")\n"),
        writer);
    ASSERT_TRUE(module.ok()) << module.status();
    SerializeOptions options;
    Runtime target;
    if (ids.size() > 1) {
      target = At(ids[1]);
      options.targets = {&target};
    }
    std::vector<TargetRefusal> refusals;
    const absl::StatusOr<std::string> bytes =
        Serialize(*module, writer, options, &refusals);
    if (bytes.ok()) {
      written_ = *bytes;
      return;
    }
    ASSERT_FALSE(refusals.empty()) << bytes.status();
    written_ = Codes(refusals[0].reasons);
  }

  void Read(absl::string_view version, const std::string& expected) {
    std::vector<Reason> reasons;
    const absl::StatusOr<Loaded> loaded =
        Deserialize(written_, At(version), {}, &reasons);
    if (!loaded.ok()) {
      EXPECT_EQ(Codes(reasons), expected) << loaded.status();
      return;
    }
    std::vector<std::string> calls;
    for (absl::string_view line :
         absl::StrSplit(PrintModule(loaded->module), '\n')) {
      if (absl::StrContains(line, " = ") && absl::StartsWith(line, "  ")) {
        calls.emplace_back(absl::StripAsciiWhitespace(line));
      }
    }
    // One call is shown without its results.
    if (calls.size() == 1) calls[0] = calls[0].substr(calls[0].find("= ") + 2);
    EXPECT_EQ(WithoutRevisions(absl::StrJoin(calls, "; ")), expected);
  }

  void Check(absl::string_view pair, const std::string& expected) {
    const std::vector<std::string> ids = absl::StrSplit(pair, " -> ");
    std::vector<std::string> findings;
    for (const Finding& finding :
         CheckPair(*history_->At(ids[0]), *history_->At(ids[1]))) {
      findings.push_back(absl::StrCat(FindingCategoryName(finding.category),
                                      " ", finding.rule));
    }
    EXPECT_EQ(absl::StrJoin(findings, ", "), expected);
  }

  static std::string Codes(const std::vector<Reason>& reasons) {
    std::vector<std::string> codes;
    for (const Reason& reason : reasons) {
      codes.emplace_back(ReasonCodeName(reason.code));
    }
    return absl::StrCat("refused: ", absl::StrJoin(codes, ", "));
  }

  static std::string WithoutRevisions(const std::string& text) {
    const size_t comment = text.find("  #");
    return text.substr(0, comment);
  }

  const Example& example_;
  std::shared_ptr<const OpsetHistory> history_;
  // Bytes, or "refused: CODES".
  std::string written_;
};

TEST(EvolvingOperators, EachExampleIsTrue) {
  const std::vector<Example> examples = Examples();
  ASSERT_GT(examples.size(), 15u);
  for (const Example& example : examples) {
    SCOPED_TRACE(example.section);
    EXPECT_GE(example.steps.size(), 2u);
    ExampleRun(example).Run();
  }
}

TEST(EvolvingOperators, EachKindOfChangeHasAnExample) {
  std::ifstream file("docs/evolving_operators.md");
  std::vector<std::string> sections;
  for (std::string line; std::getline(file, line);) {
    if (absl::StartsWith(line, "## ")) sections.push_back(line.substr(3));
  }
  for (const std::string& section : sections) {
    bool found = false;
    for (const Example& example : Examples()) {
      found = found || example.section == section;
    }
    EXPECT_TRUE(found) << section;
  }
}

}  // namespace
}  // namespace opcompat
