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
import os
import statistics
import sys
import tempfile
import time

import table

NODES = 10000


def seconds_of(call):
    begin = time.process_time()
    call()
    return time.process_time() - begin


def main():
    options = table.peer_options(__doc__)
    import torch  # pylint: disable=import-outside-toplevel
    torch.set_num_threads(1)
    text = table.output_of(os.path.join(options.programs, "workload_torch_text"),
                           str(NODES))
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
                theirs = seconds_of(call) / NODES
                ours = table.run_row(os.path.join(options.programs, "wire_benchmark"),
                                     row)["ns_per_node"]
                ratios[name].append(theirs / ours)
                print(f"  {name}: {theirs * 1e9:,.0f} / {ours * 1e9:,.0f} ns a "
                      "node", file=sys.stderr)
    print(f"PyTorch {torch.__version__}, {NODES:,} nodes")
    for name, values in ratios.items():
        print(f"{name:24} {statistics.median(values):8.1f}")


if __name__ == "__main__":
    main()
