#!/bin/bash
# `bazel run NAME.update` leaves the files here as they are, and would write the
# same entries from scratch.
set -u -o pipefail

export BUILD_WORKSPACE_DIRECTORY=$TEST_TMPDIR/sources
unset XML_OUTPUT_FILE TEST_UNDECLARED_OUTPUTS_DIR TEST_TOTAL_SHARDS
mkdir "$BUILD_WORKSPACE_DIRECTORY"
failures=0

# The entries of a file, without reasons.
entries() {
  sed -e '/^#/d' -e '/^$/d' -e 's/ # .*//' "$1" | sort
}

# update NAME FILE
update() {
  "./$1.update" >"$TEST_TMPDIR/log" 2>&1 && return
  echo "FAILED: $1.update"
  cat "$TEST_TMPDIR/log"
  failures=$((failures + 1))
}

# expect WHAT EXPECTED ACTUAL: two files that are the same.
expect_same() {
  diff -u "$2" "$3" && return
  echo "FAILED: $1"
  failures=$((failures + 1))
}

# check NAME FILE
check() {
  local copy=$BUILD_WORKSPACE_DIRECTORY/$2
  cp -L "$2" "$copy"
  update "$1"
  expect_same "$2 as it is" "$2" "$copy"
  : >"$copy"
  update "$1"
  expect_same "$2 from scratch" <(entries "$2") <(entries "$copy")
}

check audio_check_test known_breaks.txt
check audio_matrix_test expected_refusals.txt

echo "$failures failures"
((failures == 0))
