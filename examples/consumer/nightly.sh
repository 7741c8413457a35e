#!/bin/bash
# What a night does on one machine: all tests, and one report of all shards of
# the matrix, which knows the nights before.
#
#   ./nightly.sh DIRECTORY    where the reports go, and where matrix.db stays
#
# Status: that of the tests, or else of the report.
set -u -o pipefail

out=$(realpath -m "${1:?where do the reports go?}")
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" || exit 2
mkdir -p "$out" || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

# Not from the cache: a night is a run.
tests=0
bazel test --nocache_test_results --keep_going //... || tests=$?

# The results of the shards: files, or in a zip file.
logs=$(bazel info bazel-testlogs) || exit 2
results=()
for shard in "$logs"/audio_matrix_test/shard_*_of_*/test.outputs; do
  copy=$scratch/$(basename "$(dirname "$shard")").json
  if [[ -e $shard/outputs.zip ]]; then
    python3 -m zipfile -e "$shard/outputs.zip" "$scratch/unzipped"
    mv "$scratch/unzipped/matrix.json" "$copy"
  else
    cp "$shard/matrix.json" "$copy"
  fi
  results+=("$copy")
done

merged=0
bazel run @opcompat//tools:opcompat -- merge "${results[@]}" \
  --expect="$PWD/expected_refusals.txt" \
  -o "$out/matrix.json" --html="$out/matrix.html" \
  --markdown="$out/matrix.md" --db="$out/matrix.db" || merged=$?
exit $((tests ? tests : merged))
