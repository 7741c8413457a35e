#!/bin/bash
# Clicks through the pages that sample_reports writes, in a headless Chromium.
set -u
here=compat_matrix/reports
fail() {
  echo "browser_test: $*" >&2
  exit 1
}
for program in node chromium; do
  command -v "$program" >/dev/null ||
    fail "$program is not installed: see third_party/debian/packages-test.txt"
done
modules=${OPCOMPAT_NODE_MODULES:-}
[[ -e $modules/playwright-core/package.json ]] ||
  fail "playwright-core is not in OPCOMPAT_NODE_MODULES ('$modules'): ./test" \
    "installs it; or run npm ci --ignore-scripts beside a copy of" \
    "$here/browser_test/package*.json and set OPCOMPAT_NODE_MODULES to its" \
    "node_modules"
pages=$(mktemp -d "$TEST_TMPDIR/pages.XXXXXX")
"$here/sample_reports" "$pages" || fail "cannot write the pages"
# Where Chromium keeps what it thinks that it needs.
export HOME=$TEST_TMPDIR XDG_CONFIG_HOME=$TEST_TMPDIR XDG_CACHE_HOME=$TEST_TMPDIR
NODE_PATH=$modules exec node "$here/browser_test/browser_test.js" "$pages" \
  "$(command -v chromium)" "${XML_OUTPUT_FILE:-}"
