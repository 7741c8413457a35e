#include "schema/text/schema_parser.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "schema/text/literal_parser.h"
#include "schema/text/scanner.h"
#include "schema/text/type_parser.h"
#include "schema/type.h"
#include "schema/typing.h"
#include "schema/value.h"

namespace opcompat {
namespace {

// Whether a repeated argument name is an error.
enum class RepeatedNames { kRefused, kAllowed };

class SchemaParser {
 public:
  SchemaParser(absl::string_view text, int line, RepeatedNames repeated_names)
      : scanner_(text, /*report_newlines=*/true, line),
        repeated_names_(repeated_names) {}

  absl::StatusOr<OperatorSchema> Parse() {
    SkipNewline();
    const size_t begin = scanner_.peek().offset;
    OPCOMPAT_RETURN_IF_ERROR(ParseName());
    OPCOMPAT_RETURN_IF_ERROR(ParseArguments());
    OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect("->"));
    OPCOMPAT_RETURN_IF_ERROR(ParseResults());
    SkipNewline();
    if (!scanner_.AtEnd()) return scanner_.Expected("the end of the schema");
    const auto create = repeated_names_ == RepeatedNames::kAllowed
                            ? &OperatorSchema::CreateLenient
                            : &OperatorSchema::Create;
    absl::StatusOr<OperatorSchema> schema =
        create(std::move(name_), std::move(overload_), std::move(arguments_),
               std::move(results_.results), is_vararg_, results_.is_varret,
               results_.spelling);
    if (schema.ok()) return schema;
    return scanner_.ErrorAt(begin, schema.status().message());
  }

 private:
  struct Results {
    std::vector<Result> results;
    bool is_varret = false;
    SchemaSpelling spelling;
  };

  // A schema stands in one line; there may be empty ones around it.
  void SkipNewline() {
    if (scanner_.peek().kind == Token::Kind::kNewline) scanner_.Next();
  }

  bool AtEnd() const {
    return scanner_.AtEnd() || scanner_.peek().kind == Token::Kind::kNewline;
  }

  // `ns::name` or `ns::name.overload`.
  absl::Status ParseName() {
    if (scanner_.peek().kind != Token::Kind::kWord) {
      return scanner_.Expected("an operator such as `ns::name`");
    }
    name_ = std::string(scanner_.TakeDottedName());
    if (!scanner_.Is("::") || !scanner_.FollowsDirectly()) {
      return scanner_.Expected("'::' after the namespace");
    }
    scanner_.Next();
    if (scanner_.peek().kind != Token::Kind::kWord ||
        !scanner_.FollowsDirectly()) {
      return scanner_.Expected("the operator's name");
    }
    absl::StrAppend(&name_, "::", scanner_.Next().text);
    // The overload is all after the first point.
    if (!scanner_.Is(".") || !scanner_.FollowsDirectly()) {
      return absl::OkStatus();
    }
    scanner_.Next();
    if (scanner_.FollowsDirectly()) {
      overload_ = std::string(scanner_.TakeDottedName());
    }
    if (overload_.empty()) return scanner_.Expected("the overload's name");
    return absl::OkStatus();
  }

  absl::Status ParseArguments() {
    OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect("("));
    if (scanner_.Take(")")) return absl::OkStatus();
    bool keyword_only = false;
    while (true) {
      if (scanner_.Is("*")) {
        if (keyword_only) {
          return scanner_.Error(
              "found a second '*': the arguments after the first are "
              "keyword-only already");
        }
        keyword_only = true;
        scanner_.Next();
        if (!scanner_.Is(",")) {
          return scanner_.Expected("',' and a keyword-only argument after '*'");
        }
        scanner_.Next();
        if (scanner_.Is("*")) continue;
        OPCOMPAT_RETURN_IF_ERROR(ParseArgument(keyword_only));
      } else if (scanner_.Take("...")) {
        is_vararg_ = true;
        if (!scanner_.Is(")")) {
          return scanner_.Expected("')' (nothing follows '...')");
        }
      } else {
        OPCOMPAT_RETURN_IF_ERROR(ParseArgument(keyword_only));
      }
      if (scanner_.Take(")")) return absl::OkStatus();
      if (!scanner_.Is(",")) return scanner_.Expected("',' or ')'");
      scanner_.Next();
    }
  }

  absl::Status ParseArgument(bool keyword_only) {
    Argument argument;
    argument.keyword_only = keyword_only;
    OPCOMPAT_ASSIGN_OR_RETURN(argument.type,
                              ParseType(scanner_, &argument.alias));
    if (scanner_.peek().kind != Token::Kind::kWord) {
      return scanner_.Expected("the name of an argument");
    }
    const size_t name_at = scanner_.peek().offset;
    argument.name = std::string(scanner_.Next().text);
    if (!names_.insert(argument.name).second &&
        repeated_names_ == RepeatedNames::kRefused) {
      return scanner_.ErrorAt(name_at,
                              absl::StrCat("argument '", argument.name,
                                           "' is repeated: expected a name "
                                           "that no other argument has"));
    }
    if (scanner_.Take("=")) {
      OPCOMPAT_RETURN_IF_ERROR(ParseDefault(&argument));
      positional_default_ = positional_default_ || !keyword_only;
    } else if (!keyword_only && positional_default_) {
      return scanner_.ErrorAt(
          name_at,
          absl::StrCat("argument '", argument.name,
                       "' is required but stands after one with a default: "
                       "expected a default, or '*' before it"));
    }
    arguments_.push_back(std::move(argument));
    return absl::OkStatus();
  }

  absl::Status ParseDefault(Argument* argument) {
    const size_t begin = scanner_.peek().offset;
    OPCOMPAT_ASSIGN_OR_RETURN(Value literal, ParseLiteral(scanner_));
    const Type& type = argument->type.kind() == TypeKind::kOptional
                           ? argument->type.child()
                           : argument->type;
    if (type.kind() == TypeKind::kList && type.size() > 1 &&
        literal.kind() == ValueKind::kList && !literal.elements().empty() &&
        literal.elements().size() != static_cast<size_t>(type.size())) {
      return scanner_.ErrorAt(
          begin, absl::StrCat("expected a list of ", type.size(),
                              " elements (or none) for ", type.ToString(),
                              ", found ", literal.ToShortString()));
    }
    absl::StatusOr<Value> value = CoerceLiteral(literal, argument->type);
    if (!value.ok()) {
      return scanner_.ErrorAt(begin,
                              absl::StrCat("default of '", argument->name,
                                           "': ", value.status().message()));
    }
    const absl::string_view spelling = scanner_.TextSince(begin);
    if (spelling != DefaultToString(*value)) {
      argument->default_spelling = std::string(spelling);
    }
    argument->default_value = *std::move(value);
    return absl::OkStatus();
  }

  // After `->`. A parenthesis begins a list of results; or one result whose
  // type begins with one, `(str, t)[]`, which only what follows can tell.
  absl::Status ParseResults() {
    if (scanner_.Take("...")) {
      results_.is_varret = true;
      return absl::OkStatus();
    }
    if (!scanner_.Is("(")) return ParseResult(&results_);
    const Scanner::Position position = scanner_.Save();
    absl::Status status = ParseResultList();
    if (status.ok() && AtEnd()) return status;
    if (status.ok()) status = scanner_.Expected("the end of the schema");
    scanner_.Restore(position);
    Results one;
    if (!ParseResult(&one).ok() || !AtEnd()) return status;
    results_ = std::move(one);
    return absl::OkStatus();
  }

  absl::Status ParseResultList() {
    OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect("("));
    if (scanner_.Take(")")) return absl::OkStatus();
    while (!results_.is_varret) {
      if (scanner_.Take("...")) {
        results_.is_varret = true;
        break;
      }
      OPCOMPAT_RETURN_IF_ERROR(ParseResult(&results_));
      if (scanner_.Is(")")) break;
      if (!scanner_.Is(",")) return scanner_.Expected("',' or ')'");
      scanner_.Next();
    }
    OPCOMPAT_RETURN_IF_ERROR(scanner_.Expect(")"));
    results_.spelling.single_result_in_parentheses =
        results_.results.size() + (results_.is_varret ? 1 : 0) == 1;
    return absl::OkStatus();
  }

  absl::Status ParseResult(Results* results) {
    Result result;
    OPCOMPAT_ASSIGN_OR_RETURN(result.type, ParseType(scanner_, &result.alias));
    if (scanner_.peek().kind == Token::Kind::kWord) {
      result.name = std::string(scanner_.Next().text);
    }
    results->results.push_back(std::move(result));
    return absl::OkStatus();
  }

  Scanner scanner_;
  const RepeatedNames repeated_names_;
  std::string name_;
  std::string overload_;
  std::vector<Argument> arguments_;
  absl::flat_hash_set<std::string> names_;
  bool positional_default_ = false;
  bool is_vararg_ = false;
  Results results_;
};

// The words of a line up to a comment.
std::vector<absl::string_view> WordsOf(absl::string_view line) {
  return absl::StrSplit(line.substr(0, line.find('#')),
                        absl::ByAnyChar(" \t\r\f\v"), absl::SkipEmpty());
}

}  // namespace

absl::StatusOr<OperatorSchema> ParseSchema(absl::string_view text, int line) {
  return SchemaParser(text, line, RepeatedNames::kRefused).Parse();
}

absl::StatusOr<OperatorSchema> ParseSchemaLenient(absl::string_view text,
                                                  int line) {
  return SchemaParser(text, line, RepeatedNames::kAllowed).Parse();
}

SchemaFile ParseSchemaFile(absl::string_view text) {
  SchemaFile file;
  absl::flat_hash_map<std::string, int> line_of_operator;
  bool has_header = false;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    const size_t indent = static_cast<size_t>(
        std::find_if_not(line.begin(), line.end(), absl::ascii_isspace) -
        line.begin());
    const auto fault = [&](absl::string_view message) {
      file.faults.push_back(absl::InvalidArgumentError(
          absl::StrCat(number, ":", indent + 1, ": ", message)));
    };
    if (indent == line.size() || line[indent] == '#') continue;

    const std::vector<absl::string_view> words = WordsOf(line);
    if (words[0] == "opset") {
      if (words.size() != 3) {
        fault(absl::StrCat("expected the header `opset NAME VERSION`, found ",
                           words.size() - 1, " words after `opset`"));
      } else if (has_header) {
        fault("found a second header: a file holds one opset at one version");
      } else if (!file.lines.empty()) {
        fault("found the header after a schema: it must be the first line");
      } else {
        file.opset = std::string(words[1]);
        file.version = std::string(words[2]);
      }
      has_header = true;
      continue;
    }

    file.lines.push_back({number, ParseSchemaLenient(line, number)});
    if (!file.lines.back().schema.ok()) continue;
    const std::string name = file.lines.back().schema->full_name();
    const auto [known, is_new] = line_of_operator.try_emplace(name, number);
    // Bare lines may be of several versions.
    if (!is_new && has_header) {
      fault(absl::StrCat("operator ", name, " is repeated; it stands in line ",
                         known->second, " already"));
    }
  }
  return file;
}

}  // namespace opcompat
