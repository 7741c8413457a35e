#!/usr/bin/env python3
"""Prints the line coverage of each file in lcov reports, and of all of them.

Usage, after `bazel coverage --config=coverage //...`:
  tools/dev/coverage_summary.py \
      "$(bazel info output_path)/_coverage/_coverage_report.dat"
"""
import collections
import sys


def read(reports):
    """Returns file -> line -> hits, summed over the reports."""
    files = collections.defaultdict(dict)
    for report in reports:
        with open(report, encoding="utf-8") as records:
            lines = {}
            for record in records:
                key, _, value = record.strip().partition(":")
                if key == "SF":
                    lines = files[value]
                elif key == "DA":
                    line, hits = value.split(",")[:2]
                    lines[line] = lines.get(line, 0) + int(hits)
    return files


def show(name, hits):
    hit = sum(h > 0 for h in hits)
    print("%6.1f%% %6d/%-6d %s" %
          (100 * hit / max(1, len(hits)), hit, len(hits), name))


def main():
    files = read(sys.argv[1:])
    for name in sorted(files):
        show(name, list(files[name].values()))
    show("all", [h for lines in files.values() for h in lines.values()])


if __name__ == "__main__":
    main()
