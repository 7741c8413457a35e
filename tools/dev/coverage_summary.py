#!/usr/bin/env python3
"""Prints the line coverage of each file in lcov reports, and of all of them.

Usage, after `bazel coverage --config=coverage //...`:
  tools/dev/coverage_summary.py \
      "$(bazel info output_path)/_coverage/_coverage_report.dat"
  tools/dev/coverage_summary.py --only=schema/,binding/ --uncovered REPORT
"""
import argparse
import collections
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


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
                    line = int(line)
                    lines[line] = lines.get(line, 0) + int(hits)
    return files


def summary(name, hits):
    hit = sum(h > 0 for h in hits)
    return "%6.1f%% %6d/%-6d %s" % (
        100 * hit / max(1, len(hits)), hit, len(hits), name)


def uncovered(name, lines):
    """The lines without hits, as `FILE:LINE: text`."""
    path = ROOT / name
    text = path.read_text().splitlines() if path.exists() else []
    return ["%s:%d: %s" % (name, line,
                           text[line - 1].strip() if line <= len(text) else "")
            for line, hits in sorted(lines.items()) if hits == 0]


def main(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="+", metavar="REPORT")
    parser.add_argument("--only", default="", metavar="BEGINNINGS",
                        help="of the paths of files, separated by commas")
    parser.add_argument("--not", dest="leave_out", default="",
                        metavar="PARTS", help="files with one of these in their "
                        "paths are left out")
    parser.add_argument("--uncovered", action="store_true",
                        help="also each line that nothing ran")
    options = parser.parse_args(arguments)
    files = {
        name: lines for name, lines in sorted(read(options.reports).items())
        if name.startswith(tuple(options.only.split(",")))
        and not any(part in name for part in options.leave_out.split(",") if part)}
    for name, lines in files.items():
        print(summary(name, lines.values()))
    print(summary("all", [h for lines in files.values()
                          for h in lines.values()]))
    if options.uncovered:
        for name, lines in files.items():
            print("\n".join(uncovered(name, lines)) or f"{name}: all lines")


if __name__ == "__main__":
    main(sys.argv[1:])
