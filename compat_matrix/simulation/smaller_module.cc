#include "compat_matrix/simulation/smaller_module.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace opcompat {
namespace simulation {
namespace {

using Lines = std::vector<std::string>;
// nullopt: it cannot be made.
using LazyLines = std::function<absl::optional<Lines>()>;

struct NamedType {
  std::string name;  // with `%`
  std::string type;
};

bool IsNameCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' ||
         c == '.';
}

// Where a string literal that begins at `i` ends.
size_t EndOfString(absl::string_view text, size_t i) {
  for (++i; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] == '\\') ++i;
  }
  return std::min(i + 1, text.size());
}

// Calls `part` with the pieces of `line`, one after the other; `is_name` of
// those that name a value.
template <typename Part>
void ForEachPart(absl::string_view line, const Part& part) {
  size_t begin = 0;  // of what is no name
  for (size_t i = 0; i < line.size();) {
    if (line[i] == '"') {
      i = EndOfString(line, i);
    } else if (line[i] != '%') {
      ++i;
    } else {
      size_t end = i + 1;
      while (end < line.size() && IsNameCharacter(line[end])) ++end;
      part(line.substr(begin, i - begin), /*is_name=*/false);
      part(line.substr(i, end - i), /*is_name=*/true);
      begin = i = end;
    }
  }
  part(line.substr(begin), /*is_name=*/false);
}

// `line` with the values in `names` renamed.
std::string Renamed(absl::string_view line,
                    const std::map<std::string, std::string>& names) {
  std::string out;
  ForEachPart(line, [&](absl::string_view part, bool is_name) {
    const auto found = is_name ? names.find(std::string(part)) : names.end();
    absl::StrAppend(&out, found != names.end() ? found->second : part);
  });
  return out;
}

// The values that `lines` name.
std::set<std::string> NamesIn(const Lines& lines) {
  std::set<std::string> names;
  for (const std::string& line : lines) {
    ForEachPart(line, [&](absl::string_view part, bool is_name) {
      if (is_name) names.insert(std::string(part));
    });
  }
  return names;
}

// `text` at its top-level commas.
std::vector<std::string> Split(absl::string_view text) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      const size_t end = EndOfString(text, i);
      absl::StrAppend(&part, text.substr(i, end - i));
      i = end - 1;
      continue;
    }
    if (absl::StrContains("([{", text.substr(i, 1))) ++depth;
    if (absl::StrContains(")]}", text.substr(i, 1))) --depth;
    if (text[i] == ',' && depth == 0) {
      parts.push_back(std::string(absl::StripAsciiWhitespace(part)));
      part.clear();
    } else {
      part.push_back(text[i]);
    }
  }
  if (!absl::StripAsciiWhitespace(part).empty()) {
    parts.push_back(std::string(absl::StripAsciiWhitespace(part)));
  }
  return parts;
}

std::vector<NamedType> Definitions(absl::string_view text) {
  std::vector<NamedType> definitions;
  for (const std::string& part : Split(text)) {
    const size_t colon = part.find(" : ");
    if (colon == std::string::npos) continue;
    definitions.push_back({part.substr(0, colon), part.substr(colon + 3)});
  }
  return definitions;
}

size_t IndentOf(absl::string_view line) {
  return line.size() - absl::StripLeadingAsciiWhitespace(line).size();
}

// What stands before ` = ` of a statement.
std::string ResultsText(absl::string_view line) {
  const size_t equals = line.find(" = ");
  return equals == absl::string_view::npos
             ? std::string()
             : std::string(absl::StripAsciiWhitespace(line.substr(0, equals)));
}

bool IsBlockHead(absl::string_view line) {
  return absl::StartsWith(absl::StripLeadingAsciiWhitespace(line), "block");
}
bool IsEnd(absl::string_view line) {
  line = absl::StripLeadingAsciiWhitespace(line);
  return absl::StartsWith(line, "-> ") || absl::StartsWith(line, "return (");
}
bool IsStatement(absl::string_view line) {
  return IndentOf(line) > 0 && !IsBlockHead(line) && !IsEnd(line);
}

// Between the last `(` that opens at depth 0 and its `)`.
struct Parentheses {
  size_t begin = 0;
  size_t end = 0;  // of `)`
};
bool FindOperands(absl::string_view line, size_t from, Parentheses* found) {
  int depth = 0;
  bool is_there = false;
  for (size_t i = from; i < line.size(); ++i) {
    if (line[i] == '"') {
      i = EndOfString(line, i) - 1;
    } else if (line[i] == '(' || line[i] == '[' || line[i] == '{') {
      if (depth++ == 0 && line[i] == '(') {
        found->begin = i + 1;
        is_there = true;
      }
    } else if (line[i] == ')' || line[i] == ']' || line[i] == '}') {
      if (--depth == 0 && line[i] == ')') found->end = i;
    }
  }
  return is_there;
}

class Function {
 public:
  // `lines` of one function: the head, statements, `return`.
  Function(Lines lines, bool may_change_parameters)
      : lines_(std::move(lines)), may_change_(may_change_parameters) {}

  // Each makes the lines of the function, for as long as this object is there.
  std::vector<LazyLines> Smaller() const {
    std::vector<LazyLines> smaller;
    RemoveStatements(&smaller);
    Bypass(&smaller);
    Unwrap(&smaller);
    DropReturned(&smaller);
    if (may_change_) ChangeParameters(&smaller);
    DropOperands(&smaller);
    return smaller;
  }

 private:
  // The lines of the statement at `i`: its blocks too.
  size_t EndOfStatement(size_t i) const {
    size_t end = i + 1;
    while (end < lines_.size() && IndentOf(lines_[end]) > IndentOf(lines_[i])) {
      ++end;
    }
    return end;
  }

  std::vector<NamedType> Parameters(const std::string& head) const {
    const size_t begin = head.find('(');
    const size_t end = head.rfind(") -> (");
    return Definitions(
        absl::string_view(head).substr(begin + 1, end - begin - 1));
  }

  static std::string WithParameters(const std::string& head,
                                    const std::vector<NamedType>& parameters) {
    const size_t begin = head.find('(');
    const size_t end = head.rfind(") -> (");
    return absl::StrCat(head.substr(0, begin + 1),
                        absl::StrJoin(parameters, ", ",
                                      [](std::string* out, const NamedType& p) {
                                        absl::StrAppend(out, p.name, " : ",
                                                        p.type);
                                      }),
                        head.substr(end));
  }

  // Values that are used and no longer made: parameters, or others.
  bool Mend(const std::vector<NamedType>& gone, Lines* lines) const {
    std::vector<NamedType> parameters = Parameters((*lines)[0]);
    const std::set<std::string> used = NamesIn(*lines);
    std::map<std::string, std::string> names;
    for (const NamedType& value : gone) {
      if (used.count(value.name) == 0) continue;
      const auto same = std::find_if(
          parameters.begin(), parameters.end(),
          [&](const NamedType& p) { return p.type == value.type; });
      if (same != parameters.end()) {
        names[value.name] = same->name;
      } else if (may_change_) {
        parameters.push_back(value);
      } else {
        return false;
      }
    }
    for (std::string& line : *lines) line = Renamed(line, names);
    (*lines)[0] = WithParameters((*lines)[0], parameters);
    return true;
  }

  void RemoveStatements(std::vector<LazyLines>* smaller) const {
    std::vector<size_t> statements;
    for (size_t i = 1; i < lines_.size(); ++i) {
      if (IsStatement(lines_[i])) statements.push_back(i);
    }
    for (size_t chunk = statements.size(); chunk > 0; chunk /= 2) {
      for (size_t first = 0; first < statements.size(); first += chunk) {
        const auto begin = statements.begin() + static_cast<ptrdiff_t>(first);
        const auto end =
            statements.begin() +
            static_cast<ptrdiff_t>(std::min(first + chunk, statements.size()));
        smaller->push_back([this, removed = std::vector<size_t>(begin, end)] {
          return Without(removed);
        });
      }
    }
  }

  // `instead`: other values in place of those that are gone.
  absl::optional<Lines> Without(
      const std::vector<size_t>& statements,
      const std::map<std::string, std::string>& instead = {}) const {
    std::vector<bool> removed(lines_.size(), false);
    for (const size_t statement : statements) {
      std::fill(
          removed.begin() + static_cast<ptrdiff_t>(statement),
          removed.begin() + static_cast<ptrdiff_t>(EndOfStatement(statement)),
          true);
    }
    Lines left;
    std::vector<NamedType> gone;
    for (size_t i = 0; i < lines_.size(); ++i) {
      if (!removed[i]) {
        left.push_back(Renamed(lines_[i], instead));
      } else if (IsStatement(lines_[i])) {
        for (NamedType& value : Definitions(ResultsText(lines_[i]))) {
          gone.push_back(std::move(value));
        }
      }
    }
    if (!Mend(gone, &left)) return absl::nullopt;
    return left;
  }

  // An operand in place of what a node makes of it: what hangs on the node then
  // hangs on what it hung on.
  void Bypass(std::vector<LazyLines>* smaller) const {
    std::map<std::string, std::string> types;
    for (const NamedType& value : Parameters(lines_[0])) {
      types[value.name] = value.type;
    }
    for (size_t i = 1; i < lines_.size(); ++i) {
      // (What blocks define is not seen; they are unwrapped first.)
      if (!IsStatement(lines_[i])) continue;
      const std::vector<NamedType> results =
          Definitions(ResultsText(lines_[i]));
      for (const NamedType& value : results) types[value.name] = value.type;
      if (results.empty()) continue;
      const std::string operands = lines_[i].substr(lines_[i].find(" = "));
      for (const std::string& name : NamesIn({operands})) {
        const auto type = types.find(name);
        if (type == types.end() || type->second != results[0].type) continue;
        smaller->push_back([this, i, made = results[0].name, name] {
          return Without({i}, {{made, name}});
        });
      }
    }
  }

  // A block in place of the node that has it.
  void Unwrap(std::vector<LazyLines>* smaller) const {
    for (size_t i = 1; i < lines_.size(); ++i) {
      if (!IsStatement(lines_[i]) || i + 1 >= lines_.size() ||
          !IsBlockHead(lines_[i + 1])) {
        continue;
      }
      const size_t end = EndOfStatement(i);
      const std::vector<NamedType> results =
          Definitions(ResultsText(lines_[i]));
      for (size_t head = i + 1; head < end;) {
        size_t last = head + 1;
        while (last < end && IndentOf(lines_[last]) > IndentOf(lines_[head])) {
          ++last;
        }
        smaller->push_back([this, i, end, head, last, results] {
          return UnwrapBlock(i, end, head, last, results);
        });
        head = last;
      }
    }
  }

  absl::optional<Lines> UnwrapBlock(
      size_t node, size_t node_end, size_t head, size_t last,
      const std::vector<NamedType>& results) const {
    Lines left(lines_.begin(), lines_.begin() + static_cast<ptrdiff_t>(node));
    for (size_t i = head + 1; i + 1 < last; ++i) {
      left.push_back(lines_[i].substr(4));
    }
    Parentheses yields;
    std::vector<std::string> yielded;
    if (FindOperands(lines_[last - 1], 0, &yields)) {
      yielded = Split(absl::string_view(lines_[last - 1])
                          .substr(yields.begin, yields.end - yields.begin));
    }
    // A loop yields its condition first.
    if (yielded.size() > results.size()) yielded.erase(yielded.begin());
    if (yielded.size() != results.size()) return absl::nullopt;
    std::map<std::string, std::string> names;
    for (size_t i = 0; i < results.size(); ++i) {
      names[results[i].name] = yielded[i];
    }
    for (size_t i = node_end; i < lines_.size(); ++i) {
      left.push_back(Renamed(lines_[i], names));
    }
    Parentheses parameters;
    std::vector<NamedType> gone;
    if (FindOperands(lines_[head], 0, &parameters)) {
      gone = Definitions(
          absl::string_view(lines_[head])
              .substr(parameters.begin, parameters.end - parameters.begin));
    }
    if (!Mend(gone, &left)) return absl::nullopt;
    return left;
  }

  void DropReturned(std::vector<LazyLines>* smaller) const {
    if (!may_change_) return;
    Parentheses values;
    Parentheses types;
    const std::string& head = lines_[0];
    if (!FindOperands(lines_.back(), 0, &values) ||
        !FindOperands(head, head.rfind(") -> (") + 1, &types)) {
      return;
    }
    const std::vector<std::string> returned =
        Split(absl::string_view(lines_.back())
                  .substr(values.begin, values.end - values.begin));
    const std::vector<std::string> declared = Split(
        absl::string_view(head).substr(types.begin, types.end - types.begin));
    if (returned.size() != declared.size()) return;
    for (size_t drop = 0; drop < returned.size(); ++drop) {
      smaller->push_back([this, returned, declared, types, drop] {
        std::vector<std::string> v = returned;
        std::vector<std::string> t = declared;
        v.erase(v.begin() + static_cast<ptrdiff_t>(drop));
        t.erase(t.begin() + static_cast<ptrdiff_t>(drop));
        Lines left = lines_;
        left.back() = absl::StrCat("  return (", absl::StrJoin(v, ", "), ")");
        left[0] =
            absl::StrCat(lines_[0].substr(0, types.begin),
                         absl::StrJoin(t, ", "), lines_[0].substr(types.end));
        return absl::make_optional(std::move(left));
      });
    }
  }

  // Unused ones go, and two of one type become one.
  void ChangeParameters(std::vector<LazyLines>* smaller) const {
    const size_t num_parameters = Parameters(lines_[0]).size();
    for (size_t i = 0; i < num_parameters; ++i) {
      smaller->push_back([this, i] { return WithoutParameter(i); });
    }
  }

  absl::optional<Lines> WithoutParameter(size_t i) const {
    std::vector<NamedType> left = Parameters(lines_[0]);
    const NamedType gone = left[i];
    left.erase(left.begin() + static_cast<ptrdiff_t>(i));
    const Lines body(lines_.begin() + 1, lines_.end());
    std::map<std::string, std::string> names;
    if (NamesIn(body).count(gone.name) > 0) {
      const auto same =
          std::find_if(left.begin(), left.end(),
                       [&](const NamedType& p) { return p.type == gone.type; });
      if (same == left.end()) return absl::nullopt;
      names[gone.name] = same->name;
    }
    Lines changed = {WithParameters(lines_[0], left)};
    for (const std::string& line : body) {
      changed.push_back(Renamed(line, names));
    }
    return changed;
  }

  void DropOperands(std::vector<LazyLines>* smaller) const {
    for (size_t i = 1; i < lines_.size(); ++i) {
      if (!IsStatement(lines_[i])) continue;
      Parentheses operands;
      if (!FindOperands(lines_[i], lines_[i].find(" = ") + 3, &operands)) {
        continue;
      }
      const std::vector<std::string> given =
          Split(absl::string_view(lines_[i]).substr(
              operands.begin, operands.end - operands.begin));
      for (size_t drop = given.size(); drop-- > 0;) {
        smaller->push_back([this, i, operands, given, drop] {
          std::vector<std::string> left = given;
          left.erase(left.begin() + static_cast<ptrdiff_t>(drop));
          Lines changed = lines_;
          changed[i] = absl::StrCat(lines_[i].substr(0, operands.begin),
                                    absl::StrJoin(left, ", "),
                                    lines_[i].substr(operands.end));
          return absl::make_optional(std::move(changed));
        });
      }
    }
  }

  const Lines lines_;
  const bool may_change_;
};

std::string Joined(const Lines& lines) {
  return absl::StrCat(absl::StrJoin(lines, "\n"), "\n");
}

}  // namespace

std::vector<SmallerText> SmallerModules(absl::string_view text,
                                        bool may_change_parameters) {
  const auto shared = std::make_shared<const Lines>(
      absl::StrSplit(text, '\n', absl::SkipWhitespace()));
  const Lines& lines = *shared;
  const size_t whole = Joined(lines).size();
  std::vector<SmallerText> smaller;
  const auto add = [&](size_t begin, size_t end, LazyLines instead) {
    smaller.push_back(
        [shared, whole, begin, end, instead]() -> absl::optional<std::string> {
          const absl::optional<Lines> middle = instead();
          if (!middle.has_value()) return absl::nullopt;
          Lines changed(shared->begin(),
                        shared->begin() + static_cast<ptrdiff_t>(begin));
          changed.insert(changed.end(), middle->begin(), middle->end());
          changed.insert(changed.end(),
                         shared->begin() + static_cast<ptrdiff_t>(end),
                         shared->end());
          std::string joined = Joined(changed);
          if (joined.size() >= whole) return absl::nullopt;
          return joined;
        });
  };
  const LazyLines nothing = [] { return absl::make_optional(Lines()); };
  for (size_t begin = 0; begin < lines.size(); ++begin) {
    if (!absl::StartsWith(lines[begin], "func ")) {
      if (!absl::StartsWith(lines[begin], "opset ") && lines[begin][0] != ' ') {
        add(begin, begin + 1, nothing);  // metadata, attributes, tensors
      }
      continue;
    }
    size_t end = begin + 1;
    while (end < lines.size() && lines[end][0] == ' ') ++end;
    add(begin, end, nothing);
    const auto function = std::make_shared<const Function>(
        Lines(lines.begin() + static_cast<ptrdiff_t>(begin),
              lines.begin() + static_cast<ptrdiff_t>(end)),
        may_change_parameters);
    for (LazyLines& instead : function->Smaller()) {
      // (What is in it looks at the function.)
      add(begin, end,
          [function, instead = std::move(instead)] { return instead(); });
    }
  }
  return smaller;
}

}  // namespace simulation
}  // namespace opcompat
