#!/usr/bin/env python3
"""Does a fuzz target find faults by itself, and how fast?

  tools/faults/find_by_fuzzing.py                       the ten of docs/fuzzing.md
  tools/faults/find_by_fuzzing.py --faults='entry-*'    others of faults.toml

A scratch copy of the checkout gets all faults (faults.py), and the target is
built there with --config=fuzz_fast. Then, for each fault, the target begins with
an empty corpus and no seeds, and goes on until it finds something or the time is
over. So that it is the fault that is found, the target runs without one first,
for as long.

Status 0: all were found. 1: some were not. 2: nothing was found out: the build
failed, or the target finds something without a fault.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

sys.path[:0] = [str(ROOT / "tools" / "faults"), str(ROOT)]
import faults as fault_list  # noqa: E402  (found by the line above)
import run as mutation_check  # noqa: E402
from fuzz import fuzz_all  # noqa: E402

TARGET = "//fuzz/evolution:evolution_fuzzer"

# Of each part: names and places, values, defaults, revisions, results; reading
# and writing.
TEN = (
    "default-for-neutral",
    "forget-retired-of-writer",
    "reader-default-for-left-out",
    "drop-unknown-argument",
    "rename-backwards-only",
    "bind-by-position",
    "conditions-unread",
    "newer-revision-read-as-ours",
    "elide-minus-zero",
    "entry-forgets-neutral",
)


@dataclasses.dataclass
class Find:
    """What became of one fault; of none, if `fault` is None."""
    fault: object
    found: bool
    seconds: float
    executions: int
    how: str = ""  # what the target said


def fuzz(program, directory, fault, seconds, seed, flags=()):
    """Runs the target with the fault until it finds something, from nothing."""
    environment = dict(os.environ)
    environment.pop(fault_list.ACTIVE_VARIABLE, None)
    if fault is not None:
        environment[fault_list.ACTIVE_VARIABLE] = str(fault.number)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as scratch:
        corpus = pathlib.Path(scratch) / "corpus"
        corpus.mkdir()
        begin = time.monotonic()
        result = subprocess.run(
            [str(program), f"-max_total_time={seconds}", f"-seed={seed}",
             "-print_final_stats=1", "-detect_leaks=0",
             f"-artifact_prefix={scratch}/", *flags,
             str(corpus)],
            cwd=directory, env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", check=False)
        spent = time.monotonic() - begin
    state = fuzz_all.State(fuzz_all.Target(str(program), ()))
    reader = fuzz_all.OutputReader(state)
    for line in result.stdout.splitlines():
        reader.line(line)
    finding = reader.finding()
    if result.returncode != 0 and finding is None:
        raise mutation_check.RunError(
            f"{program} ended with status {result.returncode}:\n{reader.tail}")
    return Find(fault, finding is not None, spent, state.executions,
                finding[0][:120] if finding else "")


def row(find):
    if not find.found:
        return f"not found in {find.seconds:.0f} s, {find.executions:,} executions"
    return f"{find.seconds:.1f} s, {find.executions:,} executions: {find.how}"


def markdown(finds):
    lines = ["| fault | found after | executions | what is told |",
             "|---|---|---|---|"]
    for f in finds:
        after = f"{f.seconds:.1f} s" if f.found else "not found"
        how = f.how.replace("|", "\\|")
        lines.append(f"| {f.fault.id}: {f.fault.meaning} | {after} | "
                     f"{f.executions:,} | {how} |")
    return "\n".join(lines) + "\n"


def as_json(finds):
    return {"faults": [{"id": f.fault.id, "found": f.found,
                        "seconds": round(f.seconds, 2),
                        "executions": f.executions, "how": f.how}
                       for f in finds]}


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", default=",".join(TEN), metavar="IDS",
                        help="by id, separated by commas; * and ? as in a shell")
    parser.add_argument("--target", default=TARGET, metavar="LABEL",
                        help="default: %(default)s")
    parser.add_argument("--seconds", type=int, default=300,
                        help="for each fault, at most; default: %(default)s")
    parser.add_argument("--seed", type=int, default=1,
                        help="libFuzzer's; default: %(default)s")
    mutation_check.add_common_arguments(parser)
    parser.add_argument("--fuzzer-flag", action="append", default=[],
                        metavar="FLAG", help="for libFuzzer")
    options = parser.parse_args(arguments)
    if options.seconds < 1 or options.jobs < 1:
        parser.error("--seconds and --jobs: at least 1")
    return options


def run(options):
    all_faults = fault_list.load()
    faults = mutation_check.chosen(all_faults, options.faults.split(","))
    progress = mutation_check.Progress()
    with mutation_check.faulty_tree(
            options, all_faults, [fuzz_all.FAST_CONFIG, *options.build_flag],
            progress) as tree:
        tree.build([options.target])
    program = tree.executable(options.target)

    def find(fault):
        found = fuzz(program, tree.path, fault, options.seconds, options.seed,
                     options.fuzzer_flag)
        name = "without a fault" if fault is None else fault.id
        progress.say(f"{name}: {row(found)}")
        return found

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        none, *finds = pool.map(find, [None, *faults])
    if none.found:
        raise mutation_check.RunError(
            f"{options.target} finds something without a fault: {none.how}")
    width = max(len(f.fault.id) for f in finds)
    for f in finds:
        print(f"{f.fault.id:{width}}  {row(f)}")
    if options.json:
        options.json.write_text(json.dumps(as_json(finds), indent=2) + "\n")
    if options.markdown:
        options.markdown.write_text(markdown(finds))
    return 0 if all(f.found for f in finds) else 1


if __name__ == "__main__":
    sys.exit(mutation_check.status_of(run, parse_arguments(sys.argv[1:])))
