#!/usr/bin/env python3
"""Runs every fuzz target in turn and says what was found.

  ./fuzz-all MINUTES                     all targets; MINUTES are of the whole
  ./fuzz-all 10 --targets='graph*'       some, by the names of their tests
  ./fuzz-all --list                      what there is

Builds the targets with --config=fuzz (libFuzzer, AddressSanitizer, Undefined-
BehaviorSanitizer); those of structured inputs, which laws judge, with
--config=fuzz_fast (libFuzzer alone), and once more with --config=fuzz, by which
their corpora are replayed at the end. Each begins with its seeds and with what
earlier runs have found, which stays in the directory of --corpus, and ends with
that made small: of inputs that reach the same code the smallest is kept.

On a terminal a table shows how each target stands; else a line a minute. The
last thing printed is the table; --json=FILE and --markdown=FILE write it. An
input under which a target dies goes to CORPUS/findings/TARGET; the target goes
on after it. How it becomes a test: docs/fuzzing.md.

Status 0: nothing was found. 1: findings. 2: usage, or a target could not be
built or run.
"""

import argparse
import dataclasses
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]

sys.path.insert(0, str(ROOT))
from tools.dev.test_arguments import arguments_of_tests  # noqa: E402

# An input that takes longer, or more memory, is a finding.
INPUT_SECONDS = 25
MEMORY_MIB = 4096
# So often a target that dies is started again.
MOST_DEATHS = 20
# Of a target's time, for making its corpus small: at most.
MERGE_SECONDS = 600

FUZZ_CONFIG = "--config=fuzz"
FAST_CONFIG = "--config=fuzz_fast"


class FuzzError(Exception):
    """The run cannot go on. Its text says why."""


@dataclasses.dataclass(frozen=True)
class Target:
    """A cc_fuzz_test (fuzz/defs.bzl)."""
    label: str  # of the test
    seeds: tuple  # directories, relative to the checkout
    dictionary: str = ""
    is_fast: bool = False  # fuzzed without sanitizers, replayed with them

    @property
    def name(self):
        return self.label.rpartition(":")[2]

    @property
    def fuzzer(self):
        return self.label + "_fuzzer"


@dataclasses.dataclass
class State:
    """How a target stands."""
    target: Target
    status: str = "waits"
    executions: int = 0
    seconds: float = 0.0  # of the clock, while it ran
    per_second: int = 0
    coverage: int = 0  # edges, as libFuzzer counts them
    features: int = 0
    corpus: int = 0  # inputs
    new_inputs: int = 0
    # {what libFuzzer or a sanitizer says of it: the path of an input}
    findings: dict = dataclasses.field(default_factory=dict)
    error: str = ""


def targets_of_query(text, fast=()):
    """The targets in what `bazel query --output=xml` prints of tests; `fast`:
    the labels of those that are."""
    targets = []
    for label, arguments in arguments_of_tests(text).items():
        seeds, dictionary = [], ""
        for value in arguments:
            if value.startswith("-dict="):
                dictionary = value[len("-dict="):]
            elif not value.startswith("-"):
                seeds.append(value)
        if not label.endswith("_crashers"):
            targets.append(Target(label, tuple(seeds), dictionary,
                                  label in fast))
    return sorted(targets, key=lambda t: t.label)


# `#4096  pulse  cov: 27 ft: 30 corp: 5/9b lim: 43 exec/s: 2048 rss: 30Mb`
_STATUS = re.compile(
    r"#(?P<executions>\d+)\t\S+ +cov: (?P<coverage>\d+) ft: (?P<features>\d+)"
    r" corp: (?P<corpus>\d+)/\S+(?: .*?exec/s: (?P<rate>\d+))?")
# What a target says of the property that does not hold: the first line of a
# case (docs/fuzzing.md), or fuzz/check.h; more than the engine knows.
_PROPERTY = re.compile(r"^(?:# |does not hold: )(.*)$")
_SUMMARY = re.compile(r"^SUMMARY: (.*)$")
_WRITTEN = re.compile(r"Test unit written to (\S+)")
_FINAL = re.compile(r"^stat::number_of_executed_units: +(\d+)")


class OutputReader:
    """Takes the lines that one libFuzzer process prints."""

    def __init__(self, state, executions_before=0):
        self._state = state
        self._before = executions_before
        self._property = ""
        self._summary = ""
        self._written = []
        self._tail = []

    def line(self, line):
        state = self._state
        line = line.rstrip("\n")
        self._tail = (self._tail + [line])[-15:]
        match = _STATUS.match(line)
        if match:
            state.executions = self._before + int(match["executions"])
            state.coverage = max(state.coverage, int(match["coverage"]))
            state.features = max(state.features, int(match["features"]))
            state.corpus = int(match["corpus"])
            if match["rate"]:
                state.per_second = int(match["rate"])
            return
        match = _FINAL.match(line)
        if match:
            state.executions = self._before + int(match[1])
            return
        match = _PROPERTY.match(line)
        if match and not self._property:
            self._property = match[1]
        match = _SUMMARY.match(line)
        if match:
            self._summary = match[1]
        match = _WRITTEN.search(line)
        if match:
            self._written.append(match[1])

    @property
    def tail(self):
        return "\n".join(self._tail)

    def finding(self):
        """(what, path of the input), or None if no input was written."""
        if not self._written:
            return None
        what = self._property or self._summary or "died without a word"
        return what, self._written[-1]


def plain_summary(summary):
    """A summary without what differs from run to run."""
    return re.sub(r"0x[0-9a-f]+|==\d+==", "", summary).strip()


def table(states):
    """The table, for people."""
    head = ("target", "state", "executions", "per s", "edges", "corpus", "new",
            "findings")
    rows = [head]
    for s in states:
        rows.append((s.target.name, s.status, f"{s.executions:,}",
                     f"{s.per_second:,}", f"{s.coverage:,}", f"{s.corpus:,}",
                     f"{s.new_inputs:,}", str(len(s.findings))))
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0]), row[1].ljust(widths[1])]
        cells += [row[i].rjust(widths[i]) for i in range(2, len(head))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines) + "\n"


def findings_text(states):
    """What was found, a paragraph each; empty if nothing."""
    parts = []
    for s in states:
        for what, path in s.findings.items():
            parts.append(f"{s.target.label}: {what}\n  {path}\n")
        if s.error:
            parts.append(f"{s.target.label}: {s.error}\n")
    return "".join(parts)


def markdown(states):
    lines = ["| target | executions | per second | edges | corpus | new inputs "
             "| findings |", "|---|---|---|---|---|---|---|"]
    for s in states:
        lines.append(f"| `{s.target.name}` | {s.executions:,} | {s.per_second:,} "
                     f"| {s.coverage:,} | {s.corpus:,} | {s.new_inputs:,} "
                     f"| {len(s.findings)} |")
    text = "\n".join(lines) + "\n"
    found = findings_text(states)
    return text + (f"\n```\n{found}```\n" if found else "")


def as_json(states):
    return json.dumps({"targets": [{
        "target": s.target.label,
        "executions": s.executions,
        "seconds": round(s.seconds, 1),
        "executions_per_second": s.per_second,
        "edges": s.coverage,
        "features": s.features,
        "corpus": s.corpus,
        "new_inputs": s.new_inputs,
        "findings": [{"summary": what, "input": path}
                     for what, path in s.findings.items()],
        "error": s.error,
    } for s in states]}, indent=2) + "\n"


class Display:
    """The table on a terminal, drawn in place; else lines. Thread-safe."""

    def __init__(self, states):
        self._states = states
        self._stream = sys.stderr
        self._terminal = self._stream.isatty()
        self._lines = 0
        self._last = 0.0 if self._terminal else time.monotonic()
        self._lock = threading.Lock()

    def update(self):
        with self._lock:
            now = time.monotonic()
            if now - self._last < (1 if self._terminal else 60):
                return
            self._last = now
            if self._terminal:
                width = shutil.get_terminal_size().columns
                text = table(self._states)
                lines = [line[:width - 1] for line in text.splitlines()]
                if self._lines:
                    self._stream.write(f"\033[{self._lines}F\033[J")
                self._stream.write("\n".join(lines) + "\n")
                self._lines = len(lines)
            else:
                for s in self._states:
                    if s.status == "runs":
                        self._stream.write(
                            f"{s.target.name}: {s.executions:,} executions, "
                            f"{s.per_second:,} per second, {s.coverage:,} edges, "
                            f"{s.corpus:,} inputs, {len(s.findings)} findings\n")
            self._stream.flush()

    def say(self, text):
        with self._lock:
            self._lines = 0
            self._stream.write(text + "\n")
            self._stream.flush()


class Processes:
    """The fuzzers that run, so that none outlives us. Thread-safe."""

    def __init__(self):
        self._lock = threading.Lock()
        self._running = set()
        self._stopped = False

    def start(self, command, **options):
        with self._lock:
            if self._stopped:
                raise OSError("interrupted")
            process = subprocess.Popen(  # pylint: disable=consider-using-with
                command, cwd=ROOT, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, text=True, errors="replace",
                start_new_session=True, **options)
            self._running.add(process)
            return process

    def wait(self, process, seconds):
        """Its status; kills it after so many seconds."""
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return process.wait()
        finally:
            with self._lock:
                self._running.discard(process)

    def stop(self):
        with self._lock:
            self._stopped = True
            for process in self._running:
                os.killpg(process.pid, signal.SIGKILL)


class Runner:
    """Runs one target: its program, corpus and findings."""

    def __init__(self, state, program, place, display, processes, flags=(),
                 checker=None):
        self._state = state
        self._program = program
        self._checker = checker  # the program with sanitizers, if another
        self._corpus = place / "corpus" / state.target.name
        self._findings = place / "findings" / state.target.name
        self._display = display
        self._processes = processes
        self._flags = list(flags)
        self._seeds = [str(ROOT / s) for s in state.target.seeds
                       if (ROOT / s).is_dir()]
        # Seeds without those that the target dies of, once there are such.
        self._good_seeds = place / "seeds" / state.target.name
        shutil.rmtree(self._good_seeds, ignore_errors=True)
        if self._old.exists() and not self._corpus.exists():
            self._old.rename(self._corpus)  # we ended between the two steps
        self._corpus.mkdir(parents=True, exist_ok=True)
        self._findings.mkdir(parents=True, exist_ok=True)

    @property
    def _old(self):
        return self._corpus.with_name(self._corpus.name + ".old")

    def run(self, seconds):
        """Fuzzes for so long, whatever the target dies of."""
        state = self._state
        state.status = "runs"
        before = {p.name for p in self._corpus.iterdir()}
        begin = time.monotonic()
        for _ in range(MOST_DEATHS):
            left = int(seconds - (time.monotonic() - begin))
            if left < 1:
                break
            reader = OutputReader(state, state.executions)
            command = self._command(f"-max_total_time={left}",
                                    "-print_final_stats=1", str(self._corpus),
                                    *self._seeds)
            status = self._listen(command, left, reader)
            if not self._is_finding(status, reader):
                break
        else:
            self._display.say(f"{state.target.name}: gave up after "
                              f"{MOST_DEATHS} deaths")
        state.seconds = time.monotonic() - begin
        if state.seconds > 0:
            state.per_second = int(state.executions / state.seconds)
        if not state.executions and not state.findings and not state.error:
            state.error = "nothing was executed: too little time for a target"
        if not state.error:
            state.status = "merges"
            self._display.update()
            self._merge()
        if not state.error and self._checker:
            state.status = "replays"
            self._display.update()
            self._replay()
        state.new_inputs = len(
            {p.name for p in self._corpus.iterdir()} - before)
        state.status = "failed" if state.error else "done"

    def _is_finding(self, status, reader):
        """Takes note of it, or of what went wrong otherwise."""
        state = self._state
        found = reader.finding()
        if found:
            what, path = plain_summary(found[0]), found[1]
            state.findings.setdefault(what, path)
            self._display.say(f"{state.target.name}: {what}\n  {path}")
            self._leave_out(pathlib.Path(path))
        elif status != 0:
            state.error = (f"ended with status {status} and no input:\n"
                           f"{reader.tail}")
        return bool(found)

    def _leave_out(self, finding):
        """So that the target gets beyond an input with which it begins."""
        if not finding.exists():
            return
        input_ = finding.read_bytes()
        for path in list(self._corpus.iterdir()):
            if path.read_bytes() == input_:
                path.unlink()
        bad = [p for s in self._seeds for p in pathlib.Path(s).rglob("*")
               if p.is_file() and p.read_bytes() == input_]
        if not bad:
            return
        if self._seeds != [str(self._good_seeds)]:
            for i, seeds in enumerate(self._seeds):
                shutil.copytree(seeds, self._good_seeds / str(i))
            self._seeds = [str(self._good_seeds)]
            bad = [p for p in self._good_seeds.rglob("*")
                   if p.is_file() and p.read_bytes() == input_]
        for path in bad:
            path.unlink()

    def _replay(self):
        """The corpus with sanitizers; what dies under them is taken out."""
        for _ in range(MOST_DEATHS):
            reader = OutputReader(State(self._state.target))
            command = self._command("-runs=0", str(self._corpus), *self._seeds,
                                    program=self._checker)
            status = self._listen(command, MERGE_SECONDS, reader)
            if not self._is_finding(status, reader):
                return

    def _command(self, *flags, program=None):
        command = [str(program or self._program), f"-timeout={INPUT_SECONDS}",
                   f"-rss_limit_mb={MEMORY_MIB}",
                   # Slow is what takes longer than that, and no death.
                   f"-report_slow_units={INPUT_SECONDS}",
                   f"-artifact_prefix={self._findings}/", *flags, *self._flags]
        if self._state.target.dictionary:
            command.append(f"-dict={ROOT / self._state.target.dictionary}")
        return command

    def _listen(self, command, seconds, reader):
        """Runs what should take so long at most; returns its status."""
        process = self._processes.start(command, stderr=subprocess.PIPE)
        # libFuzzer looks at the clock between inputs only; so it may hang.
        watch = threading.Timer(seconds + 4 * INPUT_SECONDS, os.killpg,
                                (process.pid, signal.SIGKILL))
        watch.start()
        with process.stderr:
            for line in process.stderr:
                reader.line(line)
                self._display.update()
        watch.cancel()
        return self._processes.wait(process, INPUT_SECONDS)

    def _merge(self):
        """Keeps of the corpus what the seeds do not reach, each as small as one
        was found."""
        small = self._corpus.with_name(self._corpus.name + ".small")
        shutil.rmtree(small, ignore_errors=True)
        small.mkdir()
        try:
            process = self._processes.start(
                self._command("-merge=1", f"-max_total_time={MERGE_SECONDS}",
                              str(small), *self._seeds, str(self._corpus)),
                stderr=subprocess.DEVNULL)
            if self._processes.wait(process, 2 * MERGE_SECONDS) == 0:
                self._adopt(small)
        finally:
            shutil.rmtree(small, ignore_errors=True)

    def _adopt(self, small):
        """Merging copies the seeds that matter, too; those are in the
        repository."""
        seeds = {hashlib.sha1(p.read_bytes()).digest()
                 for s in self._seeds for p in pathlib.Path(s).rglob("*")
                 if p.is_file()}
        for path in list(small.iterdir()):
            if hashlib.sha1(path.read_bytes()).digest() in seeds:
                path.unlink()
        shutil.rmtree(self._old, ignore_errors=True)
        self._corpus.rename(self._old)
        small.rename(self._corpus)
        shutil.rmtree(self._old)
        self._state.corpus = sum(1 for _ in self._corpus.iterdir()) + len(seeds)


def bazel(*arguments, capture=False):
    result = subprocess.run(
        ["bazel", *arguments], cwd=ROOT, stdin=subprocess.DEVNULL, text=True,
        stdout=subprocess.PIPE if capture else sys.stderr, check=False)
    if result.returncode != 0:
        raise FuzzError(f"bazel {arguments[0]} failed")
    return result.stdout


def check_writable(path):
    """Before hours of fuzzing, and not after them."""
    directory = path.absolute().parent
    if path.is_dir() or not os.access(
            path if path.exists() else directory, os.W_OK):
        raise FuzzError(f"{path} cannot be written")


def all_targets():
    def query(form, tag):
        return bazel("query", f"--output={form}", "--noshow_progress",
                     f"attr(tags, '\\b{tag}\\b', kind(cc_test, //...))",
                     capture=True)

    return targets_of_query(query("xml", "fuzz"),
                            query("label", "fuzz_fast").split())


def built_programs(targets, config, flags):
    """Builds the fuzzers; returns their paths by target."""
    if not targets:
        return {}
    labels = [t.fuzzer for t in targets]
    bazel("build", config, "--noshow_progress" if not sys.stderr.isatty()
          else "--show_progress", *flags, "--", *labels)
    base = bazel("info", "--noshow_progress", config, *flags, "bazel-bin",
                 capture=True).strip()
    programs = {}
    for target in targets:
        package, _, name = target.fuzzer[2:].partition(":")
        programs[target] = pathlib.Path(base) / package / name
    return programs


def run_all(states, programs, place, seconds, jobs, flags=(), checkers=None):
    """Runs every target for its share of the time; `jobs` at once."""
    checkers = checkers or {}
    display = Display(states)
    processes = Processes()
    share = seconds * jobs / len(states)
    waiting = list(states)
    lock = threading.Lock()

    def work():
        while True:
            with lock:
                if not waiting:
                    return
                state = waiting.pop(0)
            try:
                Runner(state, programs[state.target], place, display,
                       processes, flags,
                       checkers.get(state.target)).run(share)
            except Exception as error:  # pylint: disable=broad-except
                state.status = "failed"
                state.error = str(error) or type(error).__name__
            display.update()

    threads = [threading.Thread(target=work, daemon=True) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    finally:
        processes.stop()


def exit_status(states):
    if any(s.error for s in states):
        return 2
    return 1 if any(s.findings for s in states) else 0


def default_place():
    base = os.environ.get("OPCOMPAT_FUZZ_CORPUS")
    if base:
        return pathlib.Path(base)
    return pathlib.Path.home() / ".cache" / "opcompat" / "fuzz"


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="fuzz-all", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("minutes", nargs="?", type=float, metavar="MINUTES",
                        help="of all targets together, besides building")
    parser.add_argument("--targets", default="*", metavar="NAMES",
                        help="only these, separated by commas; * and ? as in a "
                             "shell")
    parser.add_argument("--corpus", type=pathlib.Path, default=default_place(),
                        metavar="DIR",
                        help="where inputs stay from run to run; default: "
                             "%(default)s")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1,
                        metavar="N", help="so many targets at once; default: "
                                          "one per processor")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--build-flag", action="append", default=[],
                        metavar="FLAG", help="for bazel, such as "
                                             "--build-flag=--disk_cache=DIR")
    parser.add_argument("--fuzzer-flag", action="append", default=[],
                        metavar="FLAG", help="for libFuzzer, such as "
                                             "--fuzzer-flag=-max_len=2000")
    parser.add_argument("--list", action="store_true",
                        help="print the targets and end")
    options = parser.parse_args(arguments)
    if not options.list and options.minutes is None:
        parser.error("how many MINUTES?")
    if options.minutes is not None and not 0 < options.minutes < 1e6:
        parser.error("MINUTES must be more than 0, and less than a million")
    if options.jobs < 1:
        parser.error("--jobs must be at least 1")
    return options


def main(arguments):
    options = parse(arguments)
    try:
        for path in (options.json, options.markdown):
            if path:
                check_writable(path)
        patterns = options.targets.split(",")
        targets = [t for t in all_targets()
                   if any(fnmatch.fnmatchcase(t.name, p) for p in patterns)]
        if not targets:
            raise FuzzError(f"no target is named {options.targets}; --list "
                            "prints all")
        if options.list:
            print("\n".join(t.name for t in targets))
            return 0
        fast = [t for t in targets if t.is_fast]
        with_sanitizers = built_programs(targets, FUZZ_CONFIG,
                                         options.build_flag)
        programs = {**with_sanitizers,
                    **built_programs(fast, FAST_CONFIG, options.build_flag)}
        checkers = {t: with_sanitizers[t] for t in fast}
    except FuzzError as error:
        print(f"fuzz-all: {error}", file=sys.stderr)
        return 2
    states = [State(t) for t in targets]
    place = options.corpus.absolute()
    interrupted = False
    try:
        run_all(states, programs, place, options.minutes * 60,
                min(options.jobs, len(states)), options.fuzzer_flag, checkers)
    except KeyboardInterrupt:
        interrupted = True  # what was found until then is told
    print(table(states) + findings_text(states), end="")
    if options.json:
        options.json.write_text(as_json(states))
    if options.markdown:
        options.markdown.write_text(markdown(states))
    return 130 if interrupted else exit_status(states)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
