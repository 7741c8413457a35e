#include "compat_matrix/reports/plain_text.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/result.h"

namespace opcompat {
namespace {

constexpr absl::string_view kReplacement = "\xef\xbf\xbd";

// A character and its length; length 0: no valid one begins here.
struct Character {
  uint32_t code = 0;
  size_t length = 0;
};

Character First(absl::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t length = lead >= 0xf0   ? 4
                        : lead >= 0xe0 ? 3
                        : lead >= 0xc2 ? 2
                                       : 0;
  if (length == 0 || lead > 0xf4 || text.size() < length) return {};
  uint32_t code = lead & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool overlong =
      (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (overlong || surrogate || code > 0x10ffff) return {};
  return {code, length};
}

std::string Plain(absl::string_view text, bool one_line) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const Character c = First(text);
    if (c.length == 0) {
      absl::StrAppend(&plain, kReplacement);
      text.remove_prefix(1);
      continue;
    }
    if (one_line && (c.code == '\n' || c.code == '\t')) {
      absl::StrAppend(&plain, c.code == '\n' ? "\\n" : "\\t");
    } else if ((c.code < 0x20 && c.code != '\n' && c.code != '\t') ||
               (c.code >= 0x7f && c.code < 0xa0)) {
      absl::StrAppend(&plain, absl::StrFormat("\\x%02x", c.code));
    } else if (c.code == 0x2028 || c.code == 0x2029 || c.code == 0xfeff ||
               c.code == 0xfffe || c.code == 0xffff) {
      // Line breaks to some, and what XML does not have.
      absl::StrAppend(&plain, absl::StrFormat("\\u%04x", c.code));
    } else {
      absl::StrAppend(&plain, text.substr(0, c.length));
    }
    text.remove_prefix(c.length);
  }
  return plain;
}

}  // namespace

std::string PlainText(absl::string_view text) {
  return Plain(text, /*one_line=*/false);
}

std::string PlainLine(absl::string_view text) {
  return Plain(text, /*one_line=*/true);
}

std::string Shortened(absl::string_view text, size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  while (bytes > 0 && (static_cast<uint8_t>(text[bytes]) & 0xc0) == 0x80) {
    --bytes;
  }
  return absl::StrCat(text.substr(0, bytes), " ...");
}

std::string CellName(const RunNames& names, const ModuleCells& module,
                     const Cell& cell) {
  std::string name = absl::StrCat(
      module.module, " ", module.history->name, " ", module.writer(cell), "->",
      module.reader(cell), cell.for_target ? "!" : "");
  if (cell.author != 0) {
    absl::StrAppend(&name, " ", names.authors[cell.author], "=>",
                    names.testees[cell.testee]);
  } else if (names.testees.size() > 1) {
    absl::StrAppend(&name, " ", names.testees[cell.testee]);
  }
  return PlainLine(name);
}

}  // namespace opcompat
