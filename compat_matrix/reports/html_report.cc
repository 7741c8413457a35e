#include "compat_matrix/reports/html_report.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"
#include "binding/report.h"
#include "compat_matrix/reports/html/page.h"
#include "compat_matrix/reports/json_report.h"
#include "compat_matrix/reports/plain_text.h"
#include "compat_matrix/reports/result_database.h"
#include "compat_matrix/result.h"
#include "nlohmann/json.hpp"

namespace opcompat {
namespace {

using nlohmann::ordered_json;

constexpr int64_t kNothingToSay = -1;
constexpr int64_t kLeftOut = -2;

// As the page's script has them.
char StateLetter(CellState state) {
  switch (state) {
    case CellState::kIdentical:
      return 'I';
    case CellState::kAdapted:
      return 'A';
    case CellState::kRefused:
      return 'R';
    case CellState::kUnexpected:
      return 'U';
    case CellState::kMisread:
      return 'M';
    case CellState::kCrashed:
      return 'C';
    case CellState::kHung:
      return 'H';
  }
  return 'C';
}

// JSON that may stand in a script element: nothing in it ends the element or
// begins a comment. `<` occurs in strings only.
std::string ForScript(const ordered_json& json) {
  return absl::StrReplaceAll(
      json.dump(-1, ' ', false, ordered_json::error_handler_t::replace),
      {{"<", "\\u003c"},
       {"\xe2\x80\xa8", "\\u2028"},
       {"\xe2\x80\xa9", "\\u2029"}});
}

// Null: nothing to say.
ordered_json OutcomeToJson(const Cell& cell, const CellOutcome& outcome) {
  ordered_json json;
  if (!outcome.reasons.empty()) json["r"] = ReasonsToJson(outcome.reasons);
  if (!outcome.predicted_reasons.empty() && !IsGood(cell.state)) {
    json["p"] = outcome.predicted_reasons;
  }
  for (const OperatorReport& op : outcome.report.operators) {
    json["l"].push_back({op.op, op.calls, op.identical, op.filled,
                         op.materialized, op.dropped, op.retired, op.renamed,
                         op.upgraded});
  }
  if (!outcome.report.warnings.empty()) json["w"] = outcome.report.warnings;
  if (!outcome.detail.empty()) json["x"] = outcome.detail;
  return json;
}

bool IsNameCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' ||
         c == '.' || c == ':';
}

}  // namespace

std::vector<std::string> OperatorsInText(absl::string_view text) {
  std::set<std::string> operators;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '"') {
      // A string: to the quote that is not escaped.
      for (++i; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\') ++i;
      }
      ++i;
    } else if (text[i] == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else if (IsNameCharacter(text[i])) {
      const size_t from = i;
      while (i < text.size() && IsNameCharacter(text[i])) ++i;
      const absl::string_view name = text.substr(from, i - from);
      const size_t colons = name.find("::");
      if (i < text.size() && (text[i] == '(' || text[i] == '[') &&
          colons != absl::string_view::npos && colons > 0) {
        operators.emplace(name);
      }
    } else {
      ++i;
    }
  }
  return {operators.begin(), operators.end()};
}

// The cells of one testee, author and kind.
struct HtmlReport::Layer {
  size_t versions = 0;
  std::string states;
  // By place in `states`, since cells may come in another order.
  struct Place {
    int64_t outcome = kNothingToSay;
    int64_t since = 0;
  };
  std::map<size_t, Place> places;
  ordered_json changes = ordered_json::array();
  ordered_json bad = ordered_json::array();
};

HtmlReport::HtmlReport(RunNames names, RunInfo run,
                       const DatabaseReport* database,
                       const HtmlOptions& options, ByteSink* sink)
    : names_(std::move(names)),
      run_(std::move(run)),
      database_(database),
      options_(options),
      sink_(*sink) {}

absl::Status HtmlReport::Begin() {
  begun_ = true;
  return sink_.Append(absl::StrCat(
      PageBegin(), "<script type=\"application/json\" id=\"lines\">\n"));
}

void HtmlReport::AddLine(char kind, const ordered_json& json) {
  absl::StrAppend(&lines_, std::string(1, kind), ForScript(json), "\n");
}

int64_t HtmlReport::HistoryNumber(const MatrixHistory& history) {
  const ordered_json json = {{"name", history.name},
                             {"group", history.group},
                             {"versions", history.versions}};
  const auto [it, is_new] = histories_.try_emplace(
      ForScript(json), static_cast<int64_t>(histories_.size()));
  if (is_new) AddLine('H', json);
  return it->second;
}

int64_t HtmlReport::OperatorNumber(const std::string& op) {
  const auto [it, is_new] =
      operators_.try_emplace(op, static_cast<int64_t>(operators_.size()));
  if (is_new) AddLine('O', op);
  return it->second;
}

int64_t HtmlReport::DetailNumber(char kind, const ordered_json& json) {
  std::string line = absl::StrCat(std::string(1, kind), ForScript(json), "\n");
  const auto it = details_.find(line);
  if (it != details_.end()) return it->second;
  if (detail_bytes_ + line.size() > options_.most_detail_bytes) {
    ++left_out_;
    return kLeftOut;
  }
  detail_bytes_ += line.size();
  lines_ += line;
  const int64_t number = kind == 'D' ? outcomes_++ : texts_++;
  details_.emplace(std::move(line), number);
  return number;
}

std::vector<int64_t> HtmlReport::Operators(const ModuleCells& module) {
  std::vector<std::string> names = OperatorsInText(module.text);
  for (const CellOutcome& outcome : module.outcomes) {
    for (const Reason& reason : outcome.reasons) {
      if (!reason.op.empty()) names.push_back(reason.op);
    }
    for (const OperatorReport& op : outcome.report.operators) {
      names.push_back(op.op);
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<int64_t> numbers;
  numbers.reserve(names.size());
  for (const std::string& name : names) numbers.push_back(OperatorNumber(name));
  return numbers;
}

void HtmlReport::AddCell(const ModuleCells& module, size_t index,
                         std::vector<int64_t>* outcomes, Layer* layer) {
  const Cell& cell = module.cells[index];
  const size_t place = cell.writer * layer->versions + cell.reader;
  layer->states[place] = StateLetter(cell.state);
  Layer::Place& added = layer->places[place];
  // Cells share outcomes; a bad one has more to say of it.
  int64_t& shared =
      (*outcomes)[cell.outcome * 2 + (IsGood(cell.state) ? 0 : 1)];
  if (shared == kLeftOut) {
    const ordered_json json = OutcomeToJson(cell, module.outcome(cell));
    shared = json.is_null() ? kNothingToSay : DetailNumber('D', json);
  }
  added.outcome = shared;
  if (!IsGood(cell.state)) {
    layer->bad.push_back(
        {place, cell.predicted_accepted ? 1 : 0, cell.accepted ? 1 : 0});
  }
  if (database_ == nullptr) return;
  const absl::optional<EarlierState>& earlier = database_->earlier()[index];
  if (!earlier.has_value()) return;
  if (earlier->state == cell.state) {
    added.since = earlier->since;
  } else {
    layer->changes.push_back(
        {place, std::string(1, StateLetter(earlier->state))});
  }
}

absl::Status HtmlReport::Add(const ModuleCells& module) {
  if (!begun_) OPCOMPAT_RETURN_IF_ERROR(Begin());
  const size_t versions = module.history->versions.size();
  // (author, testee, target), in this order.
  std::map<std::array<int, 3>, Layer> layers;
  std::vector<int64_t> outcomes(module.outcomes.size() * 2, kLeftOut);
  for (size_t c = 0; c < module.cells.size(); ++c) {
    const Cell& cell = module.cells[c];
    Layer& layer = layers[{cell.author, cell.testee, cell.for_target ? 1 : 0}];
    if (layer.states.empty()) {
      layer.versions = versions;
      layer.states.assign(versions * versions, '-');
    }
    AddCell(module, c, &outcomes, &layer);
  }
  ordered_json json;
  json["m"] = PlainLine(module.module);
  json["h"] = HistoryNumber(*module.history);
  json["t"] = module.text.empty()
                  ? kNothingToSay
                  : DetailNumber('T', ordered_json(PlainText(module.text)));
  json["o"] = Operators(module);
  json["l"] = ordered_json::array();
  for (auto& [key, layer] : layers) {
    ordered_json item = {{"a", key[0]}, {"t", key[1]}, {"g", key[2]}};
    item["s"] = layer.states;
    std::vector<int64_t> numbers;
    std::vector<int64_t> since;
    for (const auto& [place, added] : layer.places) {
      numbers.push_back(added.outcome);
      if (since.empty() || since.back() != added.since) {
        since.push_back(0);
        since.push_back(added.since);
      }
      ++since[since.size() - 2];
    }
    item["d"] = numbers;
    if (database_ != nullptr) item["e"] = since;
    if (!layer.changes.empty()) item["c"] = layer.changes;
    if (!layer.bad.empty()) item["b"] = layer.bad;
    json["l"].push_back(std::move(item));
  }
  AddLine('M', json);
  std::string lines;
  lines.swap(lines_);
  return sink_.Append(lines);
}

absl::Status HtmlReport::Finish(const MatrixSummary& summary) {
  if (!begun_) OPCOMPAT_RETURN_IF_ERROR(Begin());
  ordered_json json;
  json["run"] = {{"name", PlainLine(run_.name)}, {"time", TimeText(run_.time)}};
  json["summary"] = SummaryToJson(summary);
  json["testees"] = names_.testees;
  json["authors"] = names_.authors;
  json["left_out"] = left_out_;
  if (database_ != nullptr) {
    if (database_->stored()) {
      const RunChanges& changes = database_->changes();
      ordered_json& all = json["changes"];
      all["last"] = changes.last.has_value()
                        ? ordered_json(changes.last->info.name)
                        : ordered_json();
      all["changed"] = changes.changed;
      all["fresh"] = changes.fresh;
      all["vanished"] = changes.vanished;
      all["gone"] = changes.gone;
    }
    OPCOMPAT_ASSIGN_OR_RETURN(const std::vector<StoredRun> runs,
                              database_->Runs());
    json["runs"] = ordered_json::object();
    for (const StoredRun& run : runs) {
      json["runs"][absl::StrCat(run.id)] = {run.info.name,
                                            TimeText(run.info.time)};
    }
  }
  return sink_.Append(
      absl::StrCat("</script>\n<script type=\"application/json\" id=\"run\">",
                   ForScript(json), "</script>\n", PageEnd()));
}

}  // namespace opcompat
