#include "tools/wire_text.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"
#include "schema/value.h"
#include "tools/output.h"

namespace opcompat {
namespace {

using nlohmann::ordered_json;

std::string Text(const ordered_json& json) {
  return OneLine(json.get<std::string>());
}

uint64_t Number(const ordered_json& json) { return json.get<uint64_t>(); }

std::string Place(const ordered_json& item) {
  return absl::StrCat(Number(item["size"]), " bytes at ",
                      Number(item["offset"]));
}

// A table of texts, numbered as the file numbers them.
void AppendTable(const ordered_json& items, const std::string& title,
                 bool quoted, std::string* out) {
  if (items.empty()) return;
  absl::StrAppend(out, "\n", title, " (", items.size(), ")\n");
  for (size_t i = 0; i < items.size(); ++i) {
    absl::StrAppendFormat(
        out, "%6d  %s\n", i,
        quoted ? QuoteString(items[i].get<std::string>()) : Text(items[i]));
  }
}

void AppendHeader(const ordered_json& model, std::string* out) {
  absl::StrAppend(out, Text(model["module"]), ": ", Number(model["size"]),
                  " bytes, wire version ", Number(model["wire_version"]),
                  ", checksum ", Text(model["checksum"]), "\n");
  for (const auto& opset : model["written"].items()) {
    absl::StrAppend(out, "written by ", OneLine(opset.key()), " ",
                    Text(opset.value()), "\n");
  }
  for (const ordered_json& feature : model["required_features"]) {
    absl::StrAppend(out, "requires ", Text(feature), "\n");
  }
  for (const ordered_json& metadata : model["metadata"]) {
    absl::StrAppend(out, "meta ",
                    QuoteString(metadata["key"].get<std::string>()), " = ",
                    QuoteString(metadata["value"].get<std::string>()), "\n");
  }
  absl::StrAppend(out, "\nlayout\n  offset      size  what\n");
  for (const ordered_json& part : model["layout"]) {
    absl::StrAppendFormat(out, "%8d  %8d  %s", Number(part["offset"]),
                          Number(part["size"]), Text(part["field"]));
    const uint64_t count = Number(part["count"]);
    if (count > 1) absl::StrAppend(out, " (", count, ")");
    absl::StrAppend(out, "\n");
  }
}

void AppendOperators(const ordered_json& operators, std::string* out) {
  if (operators.empty()) return;
  absl::StrAppend(out, "\noperators (", operators.size(), ")\n");
  for (size_t i = 0; i < operators.size(); ++i) {
    const ordered_json& op = operators[i];
    absl::StrAppendFormat(out,
                          "%6d  %s\n        %s, %s, revision %d, since %s, "
                          "fingerprint %s",
                          i, Text(op["schema"]), Place(op), Text(op["history"]),
                          Number(op["revision"]), Text(op["origin"]),
                          Text(op["fingerprint"]));
    if (op.contains("earlier_names")) {
      for (const ordered_json& name : op["earlier_names"]) {
        absl::StrAppend(out, ", was ", Text(name));
      }
    }
    absl::StrAppend(out, "\n");
    for (const ordered_json& argument : op["arguments"]) {
      const std::string& state =
          argument["state"].get_ref<const std::string&>();
      absl::StrAppend(out, "        ", Text(argument["argument"]), ": ",
                      Text(argument["type"]), ", since ",
                      Text(argument["origin"]));
      if (state == "exposed") {
        absl::StrAppend(out, ", default ", Text(argument["default"]));
      }
      absl::StrAppend(out, ", neutral ", Text(argument["neutral"]));
      if (state == "retired") {
        absl::StrAppend(out, ", retired at ", Text(argument["retired"]));
      }
      if (argument.contains("ignorable")) absl::StrAppend(out, ", ignorable");
      if (argument.contains("equal_values")) {
        for (const ordered_json& equal : argument["equal_values"]) {
          absl::StrAppend(out, ", ", Text(equal["value"]), " means ",
                          Text(equal["means"]));
        }
      }
      if (argument.contains("earlier_names")) {
        for (const ordered_json& name : argument["earlier_names"]) {
          absl::StrAppend(out, ", was ", Text(name));
        }
      }
      absl::StrAppend(out, "\n");
    }
  }
}

void AppendForms(const ordered_json& forms, std::string* out) {
  if (forms.empty()) return;
  absl::StrAppend(out, "\ncall forms (", forms.size(), ")\n");
  for (size_t i = 0; i < forms.size(); ++i) {
    const ordered_json& form = forms[i];
    const uint64_t calls = Number(form["calls"]);
    absl::StrAppendFormat(out, "%6d  %s", i, Text(form["operator"]));
    if (form.contains("revision")) {
      absl::StrAppend(out, " revision ", Number(form["revision"]));
    }
    absl::StrAppend(out, ", ", calls, calls == 1 ? " node" : " nodes");
    if (form.contains("blocks")) {
      absl::StrAppend(out, ", ", Number(form["blocks"]), " blocks");
    }
    std::string results;
    for (const ordered_json& type : form["result_types"]) {
      absl::StrAppend(&results, results.empty() ? " -> " : ", ", Text(type));
    }
    absl::StrAppend(out, results, "\n");
    for (const ordered_json& slot : form["written"]) {
      absl::StrAppend(out, "        ", Text(slot["argument"]), ": ",
                      Text(slot["kind"]), "\n");
    }
    for (const ordered_json& argument : form["left_out"]) {
      absl::StrAppend(out, "        ", Text(argument["argument"]),
                      ": left out, default ", Text(argument["default"]), "\n");
    }
    if (form.contains("attributes")) {
      for (const ordered_json& attribute : form["attributes"]) {
        absl::StrAppend(out, "        [", Text(attribute["name"]),
                        "]: ", Text(attribute["kind"]), "\n");
      }
    }
  }
}

void AppendFunctions(const ordered_json& model, std::string* out) {
  for (const ordered_json& attribute : model["attributes"]) {
    absl::StrAppend(out, "\nattr ", Text(attribute["name"]), " : ",
                    Text(attribute["type"]), " = ", Text(attribute["value"]),
                    "\n");
  }
  for (const ordered_json& tensor : model["named_tensors"]) {
    absl::StrAppend(out, "\ntensor ", Text(tensor["name"]), " = tensors[",
                    Number(tensor["tensor"]), "]\n");
  }
  for (const ordered_json& function : model["functions"]) {
    absl::StrAppend(out, "\nfunction ", Text(function["function"]), ": ",
                    Place(function), ", ", Number(function["nodes"]),
                    " nodes\n");
    for (const ordered_json& column : function["columns"]) {
      absl::StrAppendFormat(out, "        %-9s  %d elements in %s\n",
                            Text(column["column"]), Number(column["elements"]),
                            Place(column));
    }
  }
  if (model.contains("debug")) {
    const ordered_json& debug = model["debug"];
    absl::StrAppend(out, "\ndebug information: ", Place(debug), ", ",
                    Number(debug["strings"]), " names and locations\n");
  }
}

}  // namespace

std::string WireText(const ordered_json& model) {
  std::string text;
  AppendHeader(model, &text);
  AppendTable(model["strings"], "strings", true, &text);
  AppendTable(model["types"], "types", false, &text);
  const ordered_json& constants = model["constants"];
  AppendTable(constants["floats"], "floats", false, &text);
  AppendTable(constants["int_lists"], "lists of integers", false, &text);
  AppendTable(constants["others"], "other constants", false, &text);
  AppendTable(model["tensors"], "tensors", false, &text);
  AppendOperators(model["operators"], &text);
  AppendForms(model["forms"], &text);
  AppendFunctions(model, &text);
  return text;
}

}  // namespace opcompat
