// The page of the matrix without its data, as make_page.py puts it together
// from page.html, the styles and the scripts beside it.
#ifndef OPCOMPAT_COMPAT_MATRIX_REPORTS_HTML_PAGE_H_
#define OPCOMPAT_COMPAT_MATRIX_REPORTS_HTML_PAGE_H_

#include "absl/strings/string_view.h"

namespace opcompat {

// What comes before the data, and after them.
absl::string_view PageBegin();
absl::string_view PageEnd();

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_REPORTS_HTML_PAGE_H_
