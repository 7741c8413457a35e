# shellcheck shell=bash
# What the launchers ./opcompat and ./test share: installing the packages that
# are missing, and calling Bazel. To be sourced by a bash script that has set
# `root`, the absolute path of the checkout. All messages go to standard error.

say() {
  echo "opcompat: $*" >&2
}

# Prints the packages that the given lists name: one a line, # starts a comment.
packages_in() {
  sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$@"
}

# Prints those of the given packages that are not installed, by that name or by
# a package that stands in for them (NodeSource's nodejs for npm).
missing_packages() {
  local installed package provided
  installed=$(dpkg-query --show \
    --showformat='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null)
  provided=$(dpkg-query --show \
    --showformat='${db:Status-Status} ${Provides}\n' 2>/dev/null |
    sed -n 's/^installed //p' | tr ',' '\n' | sed -e 's/(.*//' -e 's/[[:space:]]//g')
  for package; do
    case $'\n'$installed$'\n' in
      *$'\n'"installed $package"$'\n'*) continue ;;
    esac
    case $'\n'$provided$'\n' in
      *$'\n'"$package"$'\n'*) ;;
      *) echo "$package" ;;
    esac
  done
}

is_root() {
  ((EUID == 0))
}

# Installs what is missing of the packages in the given lists, or ends the
# script with status 2 and says what is missing.
ensure_packages() {
  local packages missing
  mapfile -t packages < <(packages_in "$@")
  mapfile -t missing < <(missing_packages "${packages[@]}")
  if ((${#missing[@]} == 0)); then return 0; fi
  local reason=
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    reason="this is not Debian: there is no apt-get here"
  elif ! is_root; then
    reason="only root may install them"
  fi
  if [[ -n $reason ]]; then
    say "these Debian 12 packages are missing, and $reason:"
    say "  ${missing[*]}"
    say "as root: apt-get update && apt-get install --no-install-recommends ${missing[*]}"
    exit 2
  fi
  say "installing ${missing[*]}"
  local log
  log=$(mktemp)
  if ! {
    apt-get -q -o DPkg::Lock::Timeout=300 update &&
      DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 \
        install --no-install-recommends "${missing[@]}"
  } </dev/null >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    say "apt-get could not install ${missing[*]}"
    exit 2
  fi
  rm -f "$log"
}

# Sets `cache` to a directory of this user's for this checkout; makes it.
find_cache() {
  local base=${XDG_CACHE_HOME:-}
  if [[ $base != /* ]]; then base=${HOME:-/nonexistent}/.cache; fi
  if ! mkdir -p "$base/opcompat" 2>/dev/null || ! [[ -w $base/opcompat ]]; then
    # No home, as for a daemon or in a container.
    base=${TMPDIR:-/tmp}/opcompat-$EUID
    mkdir -m 700 "$base" 2>/dev/null
    if ! [[ -O $base && ! -L $base ]] || ! mkdir -p "$base/opcompat"; then
      say "cannot write to $base"
      exit 2
    fi
  fi
  # shellcheck disable=SC2154 # root: see above
  cache=$base/opcompat/$(printf '%s' "$root" | cksum | tr ' ' -)
  mkdir -p "$cache"
}

# Installs what DIRECTORY/package-lock.json names into the cache directory,
# unless it is there, and exports OPCOMPAT_NODE_MODULES. What cannot be
# installed is said; the tests that need it fail and the others run.
ensure_npm_packages() {
  local place=$cache/npm scratch
  export OPCOMPAT_NODE_MODULES=$place/node_modules
  if cmp -s "$1/package-lock.json" "$place/package-lock.json"; then return; fi
  say "installing what $1/package-lock.json names"
  scratch=$(mktemp -d "$cache/npm.XXXXXX") || return
  if cp "$1"/package{,-lock}.json "$scratch" && (
    cd "$scratch" &&
      npm ci --ignore-scripts --no-audit --no-fund --cache "$scratch/.npm" \
        </dev/null >log 2>&1 && rm -rf .npm
  ); then
    rm -rf "$place" && mv "$scratch" "$place"
    return
  fi
  cat "$scratch/log" >&2
  rm -rf "$scratch"
  say "npm could not install them; tests that need them will fail"
}

# Runs Bazel in the checkout.
run_bazel() {
  run_bazel_in . "$@"
}

# run_bazel_in WORKSPACE ARG...: runs Bazel in a directory of the checkout. Where
# there is no home directory to write to, its output tree goes to the cache
# directory.
run_bazel_in() {
  local workspace=$1
  shift
  local startup=()
  if ! [[ -n ${HOME:-} && -d $HOME && -w $HOME ]]; then
    startup+=("--output_user_root=$cache/bazel")
    local -x HOME=$cache
  fi
  (cd "$root/$workspace" && exec bazel "${startup[@]}" "$@")
}

# bazel_build LOG ARG...: builds so that standard error shows that it goes on:
# on a terminal by Bazel's own progress; else by a line a minute, and the log of
# a build that failed. Nothing goes to standard output.
bazel_build() {
  local log=$1
  shift
  if [[ -t 2 ]]; then
    run_bazel build --show_result=0 "$@" </dev/null >&2
    return
  fi
  run_bazel build --color=no --curses=no --show_progress_rate_limit=5 "$@" \
    </dev/null >"$log" 2>&1 &
  local pid=$! status=0 seconds=$SECONDS
  while kill -0 "$pid" 2>/dev/null; do
    sleep 0.2
    if ((SECONDS - seconds >= 60)); then
      seconds=$SECONDS
      say "still building: $(grep -a '^\[' "$log" | tail -n 1)"
    fi
  done
  wait "$pid" || status=$?
  if ((status != 0)); then cat "$log" >&2; fi
  return "$status"
}
