#!/usr/bin/env python3
"""Compares PyTorch's own reading of a graph with opcompat's, side by side.

Debian's python3-torch is needed, which nothing else of opcompat needs; so this
is no target of Bazel. From the root of a checkout:

  apt-get install python3-torch
  bazel build --config=opt //benchmarks:wire_benchmark //benchmarks:workload_torch_text
  /usr/bin/python3 benchmarks/torch_peer.py "$(bazel info --config=opt bazel-bin)"

The graph is the one of 10,000 nodes that //benchmarks:table calls M. PyTorch
reads it from its text (parseIR) and from a TorchScript archive
(torch.jit.load); opcompat from its text, and from its file to a verified module
with use lists. Processor time, medians, in turns.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

NODES = 10000


def seconds_of(call):
    begin = time.process_time()
    call()
    return time.process_time() - begin


def our_seconds(programs, row):
    """Of processor time, for the whole graph."""
    output = subprocess.run(
        [os.path.join(programs, "benchmarks/wire_benchmark"),
         "--benchmark_format=json", "--benchmark_min_time=0.2",
         f"--benchmark_filter=^{re.escape(row)}$"],
        check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return json.loads(output)["benchmarks"][0]["ns_per_node"] * NODES


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", help="bazel-bin of --config=opt")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    import torch  # pylint: disable=import-outside-toplevel
    torch.set_num_threads(1)
    text = subprocess.run(
        [os.path.join(options.programs, "benchmarks/workload_torch_text"),
         str(NODES)], check=True, stdout=subprocess.PIPE, text=True).stdout
    with tempfile.TemporaryDirectory() as directory:
        archive = os.path.join(directory, "graph.pt")
        graph = torch._C.parse_ir(text)
        torch._C._create_function_from_graph("forward", graph).save(archive)
        calls = {"torch.jit.load / read": ("read/M",
                                           lambda: torch.jit.load(archive)),
                 "parseIR / parse text": ("parse/M",
                                          lambda: torch._C.parse_ir(text))}
        ratios = {name: [] for name in calls}
        for run in range(options.runs):
            print(f"run {run + 1} of {options.runs}", file=sys.stderr)
            for name, (row, call) in calls.items():
                theirs, ours = seconds_of(call), our_seconds(options.programs,
                                                             row)
                ratios[name].append(theirs / ours)
                print(f"  {name}: {theirs / NODES * 1e9:,.0f} / "
                      f"{ours / NODES * 1e9:,.0f} ns a node", file=sys.stderr)
    print(f"PyTorch {torch.__version__}, {NODES:,} nodes")
    for name, values in ratios.items():
        print(f"{name:24} {statistics.median(values):8.1f}")


if __name__ == "__main__":
    main()
