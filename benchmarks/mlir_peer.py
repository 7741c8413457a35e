#!/usr/bin/env python3
"""Compares MLIR's reading and writing of a graph with opcompat's, side by side.

Debian's libmlir-19-dev is needed, which nothing else of opcompat needs; so this
is no target of Bazel, and builds mlir_peer.cc itself. From the root of a
checkout:

  apt-get install libmlir-19-dev llvm-19-dev
  bazel build --config=opt //benchmarks:wire_benchmark //benchmarks:workload_mlir_text
  python3 benchmarks/mlir_peer.py "$(bazel info --config=opt bazel-bin)"

The graph is the one of 10,000 nodes that //benchmarks:table calls M, as
operations of dialects that nobody registers (their own verifiers would cost
more), with constants as attributes and what is its argument's default left out.
MLIR reads its bytecode to a verified module, in a context that knows its types
and attributes already and in a new one, and without the verifier, and writes
it; opcompat reads its file to a verified module with use lists, and writes it.
Processor time, medians, in turns.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile

import table

NODES = 10000
LLVM = "/usr/lib/llvm-19"
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mlir_peer.cc")

# MLIR's counter, ours, and the least ratio.
RATIOS = [("read", "read/M", 15), ("read_new_context", "read/M", None),
          ("read_unverified", "read/M", None), ("write", "write/M", None)]


def build(program):
    # MLIR itself is linked in: calls into a shared library would cost it time.
    libraries = ["MLIRParser", "MLIRAsmParser", "MLIRBytecodeReader",
                 "MLIRBytecodeWriter", "MLIRBytecodeOpInterface", "MLIRIR",
                 "MLIRSupport"]
    subprocess.run(
        ["g++", "-std=c++17", "-O2", "-fno-rtti", f"-I{LLVM}/include", SOURCE,
         "-o", program, f"-L{LLVM}/lib", "-Wl,--start-group"] +
        [f"-l:lib{library}.a" for library in libraries] +
        ["-Wl,--end-group", "-lLLVM-19"], check=True)


def main():
    options = table.peer_options(__doc__)
    ours_program = os.path.join(options.programs, "wire_benchmark")
    text = table.output_of(os.path.join(options.programs, "workload_mlir_text"),
                           str(NODES))
    results = {name: [] for name, _, _ in RATIOS}
    with tempfile.TemporaryDirectory() as directory:
        program = os.path.join(directory, "mlir_peer")
        build(program)
        graph = os.path.join(directory, "graph.mlir")
        with open(graph, "w", encoding="utf-8") as file:
            file.write(text)
        for run in range(options.runs):
            print(f"run {run + 1} of {options.runs}", file=sys.stderr)
            theirs = json.loads(table.output_of(program, graph))
            for name, row, _ in RATIOS:
                ours = table.run_row(ours_program, row)
                results[name].append((theirs[name] / NODES,
                                      ours["ns_per_node"]))
    print(f"MLIR 19, {NODES:,} nodes, {theirs['bytes'] / NODES:.2f} bytes a node")
    for name, row, must in RATIOS:
        times = results[name]
        ratio = statistics.median(their / our for their, our in times)
        their = statistics.median(their for their, _ in times) * 1e9
        our = statistics.median(our for _, our in times) * 1e9
        missed = " MISSED" if must is not None and ratio < must else ""
        budget = f">= {must}{missed}" if must is not None else ""
        print(f"{name + ' / ' + row:26} {ratio:6.1f}  ({their:,.0f} / {our:,.0f} "
              f"ns a node)  {budget}".rstrip())


if __name__ == "__main__":
    main()
