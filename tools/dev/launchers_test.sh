#!/bin/bash
# Tests ./opcompat, ./test and setup.sh in a made-up checkout, with stand-ins for
# bazel, apt-get and dpkg-query.
set -u

source_root=$PWD
failures=0

# expect WHAT ACTUAL EXPECTED
expect() {
  if [[ $2 != "$3" ]]; then
    echo "FAILED: $1: got '$2', not '$3'"
    failures=$((failures + 1))
  fi
}

# expect_match WHAT ACTUAL PATTERN
expect_match() {
  # shellcheck disable=SC2053
  if [[ $2 != $3 ]]; then
    echo "FAILED: $1: got '$2', which does not match '$3'"
    failures=$((failures + 1))
  fi
}

# Makes a checkout and the stand-ins in a new directory, and goes there.
set_up() {
  work=$(mktemp -d "$TEST_TMPDIR/work.XXXXXX")
  checkout="$work/a checkout"
  fake="$work/fake"
  mkdir -p "$checkout"/{tools/dev,third_party/debian,base,examples/consumer,compat_matrix/reports/browser_test} "$fake/bin" "$work/home" "$work/elsewhere"
  cp -L "$source_root"/{opcompat,test} "$checkout"
  cp -L "$source_root"/tools/dev/{setup.sh,test_summary.py} "$checkout/tools/dev"
  printf '# Comment.\ng++\nzlib1g-dev\n' >"$checkout/third_party/debian/packages.txt"
  printf 'clang-19\n' >"$checkout/third_party/debian/packages-dev.txt"
  printf 'npm\n' >"$checkout/third_party/debian/packages-test.txt"
  echo 'a lock' >"$checkout/compat_matrix/reports/browser_test/package-lock.json"
  echo '{}' >"$checkout/compat_matrix/reports/browser_test/package.json"
  echo 'int x;' >"$checkout/base/x.cc"
  printf 'g++\nzlib1g-dev\nclang-19\n' >"$fake/installed"
  # npm is there because another package stands in for it.
  echo 'nodejs-doc, npm (= 9)' >"$fake/provided"
  : >"$fake/calls"

  cat >"$fake/bin/dpkg-query" <<'EOF'
#!/bin/bash
if [[ $* == *Provides* ]]; then
  echo "installed $(cat "$FAKE/provided")"
  exit
fi
for package in $(cat "$FAKE/installed"); do echo "installed $package"; done
EOF
  cat >"$fake/bin/npm" <<'EOF'
#!/bin/bash
echo "npm $*" >>"$FAKE/calls"
echo "noise of npm"
[[ ! -e $FAKE/npm_fails ]] || exit 1
mkdir node_modules
EOF
  cat >"$fake/bin/apt-get" <<'EOF'
#!/bin/bash
echo "apt-get $*" >>"$FAKE/calls"
echo "noise of apt-get"
[[ ! -e $FAKE/apt_fails ]] || exit 100
for word; do if [[ $word != -* ]]; then echo "$word" >>"$FAKE/installed"; fi; done
EOF
  cat >"$fake/bin/bazel" <<'EOF'
#!/bin/bash
echo "bazel $*" >>"$FAKE/calls"
[[ -z ${OPCOMPAT_NODE_MODULES:-} ]] || echo "$OPCOMPAT_NODE_MODULES" >"$FAKE/node_modules"
if [[ $1 == --output_user_root=* ]]; then shift; fi
# For `info`, standard output is the answer and nothing else.
[[ $1 == info ]] || echo "noise of bazel"
echo "INFO: bazel in $PWD" >&2
case $1 in
  info) echo "$FAKE/out" ;;
  build)
    [[ ! -e $FAKE/build_fails ]] || { echo "ERROR: no semicolon" >&2; exit 1; }
    mkdir -p "$FAKE/out/tools"
    printf '#!/bin/bash\necho "tool in $PWD with $OPCOMPAT_OPSETS: $*"\nexit 7\n' \
      >"$FAKE/out/tools/opcompat"
    chmod 555 "$FAKE/out/tools/opcompat"
    ;;
  test)
    at=
    case $PWD in */examples/consumer) at=consumer_ ;; esac
    for word; do
      case $word in --build_event_json_file=*) cat "$FAKE/${at}events" >"${word#*=}" ;; esac
    done
    exit "$(cat "$FAKE/${at}test_status")"
    ;;
esac
EOF
  chmod +x "$fake"/bin/*
  cd "$work/elsewhere" || exit 1
}

# run LAUNCHER ARG...: sets status, out and err.
run() {
  local launcher=$1
  shift
  status=0
  env -i FAKE="$fake" HOME="$work/home" PATH="$fake/bin:/usr/bin:/bin" \
    ${tmpdir:+TMPDIR="$tmpdir"} "$checkout/$launcher" "$@" \
    >"$work/out" 2>"$work/err" || status=$?
  out=$(<"$work/out")
  err=$(<"$work/err")
}

count_calls() {
  grep -c "^$1" "$fake/calls"
}

test_tool_runs_in_the_users_directory() {
  run opcompat convert 'a b' --format=json
  expect status "$status" 7
  expect stdout "$out" \
    "tool in $work/elsewhere with $checkout/opsets: convert a b --format=json"
  expect_match stderr "$err" "*building*"
  expect apt "$(count_calls apt-get)" 0
}

test_second_run_does_no_work() {
  run opcompat
  : >"$fake/calls"
  run opcompat show
  expect status "$status" 7
  expect stderr "$err" ""
  expect calls "$(<"$fake/calls")" ""
}

test_changed_source_is_built() {
  run opcompat
  : >"$fake/calls"
  # Older by its own date, as if copied from elsewhere.
  echo 'int y;' >"$checkout/base/y.cc"
  touch -d '2001-01-01' "$checkout/base/y.cc"
  run opcompat
  expect builds "$(count_calls 'bazel build')" 1
  : >"$fake/calls"
  run opcompat
  expect "builds after that" "$(count_calls 'bazel build')" 0
  echo 'not a source' >"$checkout/report.html"
  run opcompat
  expect "builds after a report" "$(count_calls 'bazel build')" 0
}

test_failed_build_shows_the_log() {
  touch "$fake/build_fails"
  run opcompat matrix
  expect status "$status" 2
  expect stdout "$out" ""
  expect_match stderr "$err" "*no semicolon*the build failed"
  rm "$fake/build_fails"
  run opcompat matrix
  expect "status after repair" "$status" 7
  expect "rest of the cache" "$(find "$work/home" -name 'build.*')" ""
}

test_missing_packages_are_installed() {
  echo g++ >"$fake/installed"
  run opcompat
  expect status "$status" 7
  expect_match stdout "$out" "tool in*"
  expect_match stderr "$err" "*installing zlib1g-dev*"
  expect_match calls "$(<"$fake/calls")" \
    "apt-get *update*apt-get *install*zlib1g-dev*bazel build*"
}

test_failed_installation_shows_the_log() {
  echo g++ >"$fake/installed"
  touch "$fake/apt_fails"
  run opcompat
  expect status "$status" 2
  expect stdout "$out" ""
  expect_match stderr "$err" "*noise of apt-get*could not install zlib1g-dev"
  expect builds "$(count_calls bazel)" 0
}

test_without_root_says_what_is_missing() {
  echo zlib1g-dev >"$fake/installed"
  echo 'is_root() { false; }' >>"$checkout/tools/dev/setup.sh"
  for launcher in opcompat test; do
    run "$launcher"
    expect status "$status" 2
    expect stdout "$out" ""
    expect_match stderr "$err" "*missing, and only root*g++*"
    expect calls "$(<"$fake/calls")" ""
  done
}

test_without_apt_says_what_is_missing() {
  echo g++ >"$fake/installed"
  rm "$fake/bin/apt-get"
  # Everything else that the launcher calls, without the rest of /usr/bin.
  for program in bash env sed mktemp rm readlink dirname mkdir cksum tr git find cat; do
    ln -s "$(command -v "$program")" "$fake/bin/$program" 2>/dev/null
  done
  status=0
  env -i FAKE="$fake" HOME="$work/home" PATH="$fake/bin" /bin/bash "$checkout/opcompat" \
    >"$work/out" 2>"$work/err" || status=$?
  expect status "$status" 2
  expect_match stderr "$(<"$work/err")" "*missing, and*no apt-get*zlib1g-dev*"
}

test_without_home_a_temporary_directory_serves() {
  rm -r "${work:?}/home"
  touch "$work/home" # not a directory
  mkdir "$work/tmp"
  tmpdir=$work/tmp
  run opcompat
  tmpdir=
  expect status "$status" 7
  expect_match calls "$(<"$fake/calls")" \
    "bazel --output_user_root=$work/tmp/*"
}

# Writes the events of a run in which one test has a report of two cases.
write_events() {
  cat >"$work/test.xml" <<EOF
<testsuites><testsuite><testcase name="A" status="run" result="completed"/>
<testcase name="B" status="run" result="completed">$1</testcase></testsuite></testsuites>
EOF
  cat >"$fake/events" <<EOF
{"id":{"testResult":{"label":"//a:t","run":1,"shard":1,"attempt":1}},"testResult":{"status":"$2","testActionOutput":[{"name":"test.xml","uri":"file://$work/test.xml"}]}}
EOF
  echo "$3" >"$fake/test_status"
  : >"$fake/consumer_events"
  echo 0 >"$fake/consumer_test_status"
}

test_test_counts() {
  write_events "" PASSED 0
  run test
  expect status "$status" 0
  expect "last line" "${out##*$'\n'}" "2 passed, 0 failed"
  expect_match calls "$(grep '^bazel' "$fake/calls")" "bazel test *-- //..."

  write_events "<failure/>" FAILED 3
  run test
  expect "status of a failure" "$status" 1
  expect "last line" "${out##*$'\n'}" "1 passed, 1 failed"

  write_events "<skipped/>" PASSED 0
  run test
  expect "status of a skip" "$status" 1
  expect "last line" "${out##*$'\n'}" "1 passed, 0 failed, 1 skipped"

  : >"$fake/events"
  echo 4 >"$fake/test_status"
  run test
  expect "status of nothing" "$status" 1
  expect "last line" "${out##*$'\n'}" "0 passed, 0 failed"

  echo 1 >"$fake/test_status"
  run test
  expect "status of a broken BUILD file" "$status" 1
  expect "last line" "${out##*$'\n'}" "0 passed, 1 failed"
}

test_test_runs_the_consumer_too() {
  write_events "" PASSED 0
  cp "$fake/events" "$fake/consumer_events"
  run test -k
  expect status "$status" 0
  expect "last line" "${out##*$'\n'}" "4 passed, 0 failed"
  expect "runs" "$(count_calls 'bazel test .*-k -- //\.\.\.')" 2
  expect_match stderr "$err" "*bazel in $checkout*bazel in $checkout/examples/consumer*"

  echo 1 >"$fake/consumer_test_status"
  : >"$fake/consumer_events"
  run test
  expect "status of a broken consumer" "$status" 1
  expect "last line" "${out##*$'\n'}" "2 passed, 1 failed"

  # Not with what only this workspace has.
  : >"$fake/calls"
  run test //base/...
  run test --config=asan
  expect "other runs" "$(count_calls 'bazel test')" 2
}

test_test_passes_arguments_on() {
  write_events "" PASSED 0
  printf 'g++\nzlib1g-dev\n' >"$fake/installed"
  run test -c opt --config=opt //base/... -//base:slow_test
  expect_match calls "$(grep '^bazel' "$fake/calls")" \
    "bazel test *-c opt --config=opt -- //base/... -//base:slow_test"
  : >"$fake/calls"
  run test --config=asan --config=ubsan
  expect_match calls "$(<"$fake/calls")" \
    "apt-get *install*clang-19*bazel test *--config=asan --config=ubsan -- //..."
}

test_npm_packages_are_installed_once() {
  write_events "" PASSED 0
  run test
  expect status "$status" 0
  expect npm "$(count_calls 'npm ci --ignore-scripts')" 1
  expect "place" "$([[ -d $(<"$fake/node_modules") ]] && echo there)" there
  expect apt "$(count_calls apt-get)" 0
  run test
  expect "npm, the second time" "$(count_calls npm)" 1
  echo 'another lock' >"$checkout/compat_matrix/reports/browser_test/package-lock.json"
  run test
  expect "npm, after a change" "$(count_calls npm)" 2
  run opcompat
  expect "npm for the tool" "$(count_calls npm)" 2
}

test_without_npm_packages_the_tests_run() {
  write_events "" PASSED 0
  touch "$fake/npm_fails"
  run test
  expect status "$status" 0
  expect_match stderr "$err" "*noise of npm*npm could not install them*"
  expect "last line" "${out##*$'\n'}" "2 passed, 0 failed"
}

for function in $(compgen -A function | grep '^test_'); do
  echo "$function"
  set_up
  "$function"
done
echo "$failures failures"
((failures == 0))
