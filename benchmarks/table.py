#!/usr/bin/env python3
"""Prints what the wire's benchmarks measure as one table of ratios.

Usage: table.py [--runs=N] [--all] [--json=FILE] [BENCHMARK]

BENCHMARK is the program wire_benchmark, built with optimization:

  bazel run --config=opt //benchmarks:table -- --runs=5

Each run measures all rows one after the other, so that a ratio compares what
the machine did at about the same time, and each row in a process of its own:
what a row finds in the heap of those before it, memory that is warm already or
must be asked for, would be half of the time. Printed are medians over the runs.
Single times say little about another machine; the few that have a budget are
printed too.
"""
import argparse
import collections
import json
import os
import re
import statistics
import subprocess
import sys

# What is compared: a name, the row and the case, those it is compared with, and
# whether more is better (how many times faster) or less (how many times slower).
Ratio = collections.namedtuple("Ratio", "name top bottom must")

# "must" is the budget: ">= 4" or "<= 1.15"; None: for information.
RATIOS = [
    Ratio("read M: nested protobuf / ours", "read_nested_protobuf/M", "read/M",
          ">= 4"),
    Ratio("read L: nested protobuf / ours", "read_nested_protobuf/L", "read/L",
          ">= 4"),
    Ratio("read R: nested protobuf / ours", "read_nested_protobuf/R", "read/R",
          None),
    Ratio("read S: nested protobuf / ours", "read_nested_protobuf/S", "read/S",
          None),
    Ratio("write M: nested protobuf / ours", "write_nested_protobuf/M",
          "write/M", ">= 5"),
    Ratio("write L: nested protobuf / ours", "write_nested_protobuf/L",
          "write/L", ">= 5"),
    Ratio("read M: for another version / for the same", "read_evolved/M",
          "read/M", "<= 1.15"),
    Ratio("read L: for another version / for the same", "read_evolved/L",
          "read/L", "<= 1.15"),
    Ratio("read M: upgrading 10 % of the nodes / none", "read_upgraded/M",
          "read/M", "<= 2"),
    Ratio("read L: upgrading 10 % of the nodes / none", "read_upgraded/L",
          "read/L", "<= 2"),
    Ratio("read, a node: M / 1,000", "read/M", "read/1k", None),
    Ratio("read, a node: 100,000 / M", "read/100k", "read/M", None),
    Ratio("read, a node: L / M", "read/L", "read/M", "<= 2"),
    Ratio("read, a node: X / M", "read/X", "read/M", "<= 2"),
    Ratio("write, a node: L / M", "write/L", "write/M", "<= 2"),
    Ratio("write, a node: X / M", "write/X", "write/M", "<= 2"),
    Ratio("read M: ours / a copy of the module", "read/M", "copy_module/M",
          None),
    Ratio("read L: ours / a copy of the module", "read/L", "copy_module/L",
          None),
    Ratio("read W: ours / a copy of the bytes", "read/W", "copy_bytes/W", None),
    Ratio("read W: in place / a copy of the bytes", "read_in_place/W",
          "copy_bytes/W", None),
    Ratio("readers of three versions M / read M", "readers/M", "read/M", None),
    Ratio("write W: ours / a copy of the bytes", "write/W", "copy_bytes/W",
          None),
    Ratio("matrix cell M / read M", "cell/M", "read/M", "<= 15"),
    Ratio("matrix cell M, other version / read M", "cell_evolved/M", "read/M",
          "<= 15"),
    Ratio("matrix cell M, upgrading 10 % / read M", "cell_upgraded/M",
          "read/M", None),
    Ratio("parse text M / read M", "parse/M", "read/M", None),
    Ratio("print text M / write M", "print/M", "write/M", None),
]

# Counters of a row with their budgets.
FIGURES = [
    ("file M: bytes per node, schemas apart", "read/M", "bytes_per_node",
     "<= 5"),
    ("file M: bytes per node after zstd -3, schemas too", "read/M",
     "packed_bytes_per_node", "<= 3.5"),
    ("file M: bytes per used schema", "read/M", "schema_bytes", "<= 130"),
    ("module M: memory per node with uses, bytes", "read/M", "memory_per_node",
     "<= 90"),
    ("module L: memory per node with uses, bytes", "read/L", "memory_per_node",
     "<= 90"),
    ("module X: memory per node with uses, bytes", "read/X", "memory_per_node",
     "<= 90"),
]

# Sizes whose figures per node are set side by side.
GROWTH = ["1k", "M", "100k", "L", "X"]

NUM_OPERATORS = 40

# Rows whose time is a budget itself, in milliseconds.
TIMES = [
    ("opset of 5,000 operators, compiled, ms", "load_opset_compiled/5000",
     "<= 5"),
    ("opset of 5,000 operators, text, ms", "load_opset_text/5000", None),
]


def meets(value, must):
    """Whether `value` is within a budget such as "<= 2"."""
    relation, limit = must.split()
    return value >= float(limit) if relation == ">=" else value <= float(limit)


def output_of(program, *flags):
    return subprocess.run([program, *flags], check=True, text=True,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


# What the library adds to the names of rows that are timed by the program.
TIMED_BY_PROGRAM = "/manual_time"


def run_row(program, name):
    """Returns the counters of one row/case, in a process of its own."""
    [row] = json.loads(output_of(
        program, "--benchmark_format=json", "--benchmark_min_time=0.2",
        "--benchmark_filter=^%s(%s)?$" % (re.escape(name), TIMED_BY_PROGRAM)
    ))["benchmarks"]
    return row


def peer_options(doc):
    """Returns what a program that measures a peer beside ours is given:
    `programs`, the directory of ours, and `runs`. `doc` is its help."""
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", help="bazel-bin of --config=opt")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    options.programs = os.path.join(options.programs, "benchmarks")
    return options


def run_once(program, cases):
    """Returns row/case -> its counters, of one run."""
    names = output_of(program, "--benchmark_list_tests=true",
                      "--benchmark_filter=/(%s)(%s)?$" %
                      ("|".join(cases), TIMED_BY_PROGRAM))
    return {name: run_row(program, name)
            for name in names.replace(TIMED_BY_PROGRAM, "").split()}


def lines_of(runs):
    """Returns (name, value, must) for all that was measured in every run."""
    lines = []
    for ratio in RATIOS:
        values = [run[ratio.top]["ns_per_node"] / run[ratio.bottom]["ns_per_node"]
                  for run in runs
                  if ratio.top in run and ratio.bottom in run]
        if values:
            lines.append((ratio.name, statistics.median(values), ratio.must))
    for name, row, counter, must in FIGURES:
        values = [run[row][counter] for run in runs if row in run]
        if not values:
            continue
        value = statistics.median(values)
        if counter == "schema_bytes":
            value /= NUM_OPERATORS
        lines.append((name, value, must))
    for name, row, must in TIMES:
        values = [run[row]["cpu_time"] for run in runs if row in run]
        if values:
            lines.append((name, statistics.median(values), must))
    return lines


def format_table(lines):
    width = max(len(name) for name, _, _ in lines)
    out = ["%-*s  %8s  %s" % (width, "", "median", "budget")]
    for name, value, must in lines:
        verdict = ""
        if must is not None:
            verdict = "%-8s %s" % (must, "" if meets(value, must) else "MISSED")
        out.append(("%-*s  %8.2f  %s" % (width, name, value, verdict)).rstrip())
    return "\n".join(out)


def growth_of(runs):
    """Returns (case, nodes, ns to read, ns to write, bytes of memory, bytes of
    file, schemas apart): medians, all but the second a node."""
    sizes = {"1k": 1000, "M": 10000, "100k": 100000, "L": 1000000,
             "X": 10000000}
    lines = []
    for case in GROWTH:
        rows = ["read/" + case, "write/" + case]
        known = [run for run in runs if all(row in run for row in rows)]
        if not known:
            continue

        def median(row, counter):
            return statistics.median(run[row][counter] for run in known)
        lines.append((case, sizes[case],
                      median(rows[0], "ns_per_node") * 1e9,
                      median(rows[1], "ns_per_node") * 1e9,
                      median(rows[0], "memory_per_node"),
                      median(rows[0], "bytes_per_node")))
    return lines


def format_growth(lines):
    out = ["%-6s  %12s  %12s  %12s  %12s  %12s" % (
        "a node", "nodes", "read, ns", "write, ns", "memory", "file, bytes")]
    for line in lines:
        out.append("%-6s  %12d  %12.1f  %12.1f  %12.1f  %12.2f" % line)
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0],
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--all", action="store_true",
                        help="with 10,000,000 nodes, which take 4 GB")
    parser.add_argument("--json", help="also write what each run measured")
    parser.add_argument("program", nargs="?",
                        default=os.path.join(os.path.dirname(__file__),
                                             "wire_benchmark"))
    args = parser.parse_args()
    cases = ["5000", "S", "1k", "M", "R", "100k", "L", "W"] + (["X"] if args.all else [])
    runs = []
    for i in range(args.runs):
        print("run %d of %d" % (i + 1, args.runs), file=sys.stderr)
        runs.append(run_once(args.program, cases))
    if args.json:
        with open(args.json, "w", encoding="utf-8") as out:
            json.dump(runs, out, indent=1)
    print(format_table(lines_of(runs)))
    print("\n" + format_growth(growth_of(runs)))


if __name__ == "__main__":
    main()
