// The matrix as one HTML page that needs nothing else: no server, no network,
// no other file. The page's own sources are in html/; what is said here is how
// the results come into it.
#ifndef OPCOMPAT_COMPAT_MATRIX_REPORTS_HTML_REPORT_H_
#define OPCOMPAT_COMPAT_MATRIX_REPORTS_HTML_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/reports/report.h"
#include "compat_matrix/reports/result_database.h"
#include "compat_matrix/result.h"
#include "nlohmann/json.hpp"
#include "serializer/byte_sink.h"

namespace opcompat {

struct HtmlOptions {
  // Reasons, LoadReports and module texts beyond this many bytes stay out of
  // the page, which says so where they would be; the states of cells never do.
  size_t most_detail_bytes = size_t{32} << 20;
};

// Writes while the run goes on. Keeps the details that the page has, so that
// equal ones are in it once.
//
// The data are lines of JSON, each after a letter that says what it is, in a
// script element that is no script; `<` in them is `\u003c`:
//   H{"name", "group", "versions"}   a history, numbered from 0 as they come
//   O"aten::gelu"                    an operator, numbered
//   D{...}                           an outcome, numbered; read when opened
//   T"..."                           a module's text, numbered
//   M{"m": module, "h": history, "t": text or -1, "o": [operators],
//     "l": [{"a": author, "t": testee, "g": target, "s": states,
//            "d": outcomes, "e": since, "c": changes, "b": bad cells}]}
// `s` has a letter for each writer and reader, readers first; `-`: no cell. The
// others have a number for each cell there is: `d`, -1: nothing to say, -2:
// left out; `e`, as (count, id of a run; 0: this one); `c`: [cell, state
// before]; `b`: [cell, predicted accepted, accepted].
class HtmlReport : public MatrixReport {
 public:
  // `sink` must outlive the report, and so must `database`, which may be null:
  // there is none. It is added to, and finished, before this report.
  HtmlReport(RunNames names, RunInfo run, const DatabaseReport* database,
             const HtmlOptions& options, ByteSink* sink);

  absl::Status Add(const ModuleCells& module) override;
  absl::Status Finish(const MatrixSummary& summary) override;

 private:
  struct Layer;

  absl::Status Begin();
  // Appends a line of `kind` to lines_.
  void AddLine(char kind, const nlohmann::ordered_json& json);
  // The number of a history or an operator, whose line is written the first
  // time.
  int64_t HistoryNumber(const MatrixHistory& history);
  int64_t OperatorNumber(const std::string& op);
  // The number of a detail or a text (`kind`), or -2: no room.
  int64_t DetailNumber(char kind, const nlohmann::ordered_json& json);
  std::vector<int64_t> Operators(const ModuleCells& module);
  void AddCell(const ModuleCells& module, size_t index,
               std::vector<int64_t>* outcomes, Layer* layer);

  RunNames names_;
  RunInfo run_;
  const DatabaseReport* database_;
  HtmlOptions options_;
  ByteSink& sink_;
  bool begun_ = false;
  std::string lines_;  // not written yet
  absl::flat_hash_map<std::string, int64_t> histories_;
  absl::flat_hash_map<std::string, int64_t> operators_;
  absl::flat_hash_map<std::string, int64_t> details_;
  int64_t outcomes_ = 0;
  int64_t texts_ = 0;
  size_t detail_bytes_ = 0;
  uint64_t left_out_ = 0;
};

// The operators that a module's text calls, each once, in order.
std::vector<std::string> OperatorsInText(absl::string_view text);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_REPORTS_HTML_REPORT_H_
