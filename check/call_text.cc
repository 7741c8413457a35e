#include "check/call_text.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "check/witnesses.h"

namespace opcompat {
namespace {

using Named = std::pair<std::string, Type>;

std::string Join(const std::vector<Named>& values) {
  return absl::StrJoin(values, ", ", [](std::string* out, const Named& value) {
    absl::StrAppend(out, value.first, " : ", value.second.ToString());
  });
}

struct Parts {
  std::vector<Named> parameters;
  std::vector<Named> results;
  // Without results and comment.
  std::string call;
  // The values that something else writes to.
  std::vector<std::string> written;
};

// A name of a value that is no argument's.
std::string FreeName(const OperatorEntry& entry, std::string name) {
  for (const EntryArgument& argument : entry.arguments) {
    if (argument.is_exposed() && absl::StartsWith(argument.name(), name)) {
      return absl::StrCat(name, "_");
    }
  }
  return name;
}

Parts PartsOf(const SampleCall& call) {
  Parts parts;
  const OperatorEntry& entry = *call.entry;
  std::vector<std::string> operands;
  bool by_name = false;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const Passed& passed = call.arguments[i];
    const EntryArgument& argument = entry.arguments[i];
    by_name = by_name || argument.keyword_only;
    if (passed.kind == Passed::Kind::kLeftOut) {
      by_name = true;
      continue;
    }
    std::string text;
    if (passed.kind == Passed::Kind::kConstant) {
      text = passed.constant.ToString();
    } else {
      text = absl::StrCat("%", argument.name());
      parts.parameters.emplace_back(text, passed.type);
      if (passed.is_written) parts.written.push_back(text);
    }
    operands.push_back(by_name ? absl::StrCat(argument.name(), "=", text)
                               : text);
  }
  if (!call.variadic.empty() && by_name) operands.push_back("...");
  for (size_t i = 0; i < call.variadic.size(); ++i) {
    std::string name = absl::StrCat("%", FreeName(entry, "more"), i);
    operands.push_back(name);
    parts.parameters.emplace_back(std::move(name), call.variadic[i]);
  }
  const std::string result = FreeName(entry, "r");
  for (size_t i = 0; i < call.results.size(); ++i) {
    parts.results.emplace_back(call.results.size() == 1
                                   ? absl::StrCat("%", result)
                                   : absl::StrCat("%", result, i),
                               call.results[i]);
  }
  parts.call =
      absl::StrCat(entry.name(), "(", absl::StrJoin(operands, ", "), ")");
  return parts;
}

std::string WriteText(absl::string_view value) {
  return absl::StrCat(" = prim::CallFunction[name=\"fill\"](", value, ")");
}

// `body` is its lines.
std::string Function(absl::string_view name, absl::string_view parameters,
                     const std::vector<std::string>& body,
                     absl::string_view results) {
  std::vector<std::string> names;
  std::vector<std::string> types;
  // Types may have commas of their own: results are told apart by their `%`.
  for (const absl::string_view result :
       absl::StrSplit(results, ", %", absl::SkipWhitespace())) {
    const std::pair<absl::string_view, absl::string_view> split =
        absl::StrSplit(result, absl::MaxSplits(" : ", 1));
    names.push_back(absl::StrCat("%", absl::StripPrefix(split.first, "%")));
    types.emplace_back(split.second);
  }
  return absl::StrCat("func ", name, "(", parameters, ") -> (",
                      absl::StrJoin(types, ", "), "):\n  ",
                      absl::StrJoin(body, "\n  "), "\n  return (",
                      absl::StrJoin(names, ", "), ")\n");
}

}  // namespace

Passed Passed::Constant(opcompat::Value constant) {
  Passed passed;
  passed.kind = Kind::kConstant;
  passed.constant = std::move(constant);
  return passed;
}

Passed Passed::GraphValue(Type type, bool is_written) {
  Passed passed;
  passed.kind = Kind::kValue;
  passed.type = std::move(type);
  passed.is_written = is_written;
  return passed;
}

SampleCall PlainCall(const OperatorEntryPtr& entry) {
  SampleCall call;
  call.entry = entry;
  for (const EntryArgument& argument : entry->arguments) {
    if (!argument.is_exposed()) break;
    call.arguments.push_back(
        argument.default_value.has_value()
            ? Passed::LeftOut()
            : Passed::GraphValue(WithoutVariables(argument.type)));
  }
  for (const EntryResult& result : entry->results) {
    call.results.push_back(WithoutVariables(result.type));
  }
  return call;
}

SampleCall CallWith(const OperatorEntryPtr& entry, size_t i, Passed passed) {
  SampleCall call = PlainCall(entry);
  call.arguments[i] = std::move(passed);
  return call;
}

std::string StatementText(const SampleCall& call) {
  const Parts parts = PartsOf(call);
  std::string text;
  for (const std::string& value : parts.written) {
    absl::StrAppend(&text, WriteText(value), "\n");
  }
  absl::StrAppend(&text, Join(parts.results), " = ", parts.call);
  if (!parts.parameters.empty()) {
    absl::StrAppend(&text, "  # ", Join(parts.parameters));
  }
  return text;
}

std::string FunctionText(absl::string_view name, const SampleCall& call) {
  const Parts parts = PartsOf(call);
  const std::string results = Join(parts.results);
  std::vector<std::string> body;
  for (const std::string& value : parts.written) {
    body.push_back(WriteText(value));
  }
  body.push_back(absl::StrCat(results, " = ", parts.call));
  return Function(name, Join(parts.parameters), body, results);
}

std::string FunctionOfStatement(absl::string_view name,
                                absl::string_view statement) {
  const std::pair<absl::string_view, absl::string_view> split =
      absl::StrSplit(statement, absl::MaxSplits("  # ", 1));
  const std::vector<std::string> body = absl::StrSplit(split.first, '\n');
  const std::pair<absl::string_view, absl::string_view> call =
      absl::StrSplit(body.back(), absl::MaxSplits(" = ", 1));
  if (!absl::StrContains(body.back(), " = ")) return "";
  return Function(name, split.second, body, call.first);
}

}  // namespace opcompat
