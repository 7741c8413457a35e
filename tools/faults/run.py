#!/usr/bin/env python3
"""Mutation check: does a test notice each of the small faults of faults.toml?

  tools/faults/run.py                        every fault; for hours, at night
  tools/faults/run.py --faults='entry-*'     some
  tools/faults/run.py --list                 what there is; builds nothing

A scratch copy of the checkout gets all faults at once, each behind a question
(faults.py); so everything is built once. Then every test runs without a fault,
which tells how long it takes and which faults it comes by, and then, for each
fault in turn, those that come by it: first the tests of the compatibility
matrix, then the others, quick ones first. A test that fails, crashes or takes
far longer than before has killed the fault.

Status 0: all faults were killed. 1: some survived; write a test, or replace a
fault that changes nothing. 2: nothing was found out: the list is stale, the
build failed, or a test failed without a fault.
"""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import fnmatch
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]

sys.path[:0] = [str(ROOT / "tools" / "faults"), str(ROOT)]
import faults as fault_list  # noqa: E402  (found by the line above)
from tools.dev.test_arguments import arguments_of_tests  # noqa: E402

# Tests that cannot tell anything here.
EXCLUDED = {
    "//benchmarks:table_test": "measures speed, and takes long",
    "//examples/device:footprint_test": "measures the size of the program",
    "//tools/faults:faults_test": "reads the sources, which have faults now",
}

# What counts as the matrix: the tests that read what another version wrote and
# have the oracle judge. Not those of the oracle itself, nor the golden files.
MATRIX = re.compile(r"^//compat_matrix(/simulation[^:]*|/testees[^:]*)?:")
NOT_MATRIX = {"//compat_matrix:golden_test"}

# Where the tests of a package are, if not there. They are likely to kill, so
# they come before those that are quicker.
NEAR = {
    "//serializer": "//wire/testing",
    "//deserializer": "//wire/testing",
    "//schema/evolution": "//schema",
}

# A test with a fault hangs if it takes this many times more of the processor
# than without, and at least so many seconds of it: so it does not matter what
# else the machine does.
SLOWER = 10
LEAST_SECONDS = 20
# Without a fault.
BASELINE_SECONDS = 900
# By the clock, for one that waits.
MOST_SECONDS = 3600
# Of address space: a fault may ask for anything.
MEMORY_BYTES = 16 << 30


class RunError(Exception):
    """Nothing can be found out. Its text says why."""


@dataclasses.dataclass
class Test:
    label: str
    is_matrix: bool
    arguments: tuple = ()
    seconds: float = 0.0  # of the processor, without a fault
    reached: frozenset = frozenset()


@dataclasses.dataclass
class Outcome:
    """What became of one test run."""
    passed: bool
    # If not passed: `Suite.Case`, `signal 11`, `hangs`, ...
    how: str = ""
    seconds: float = 0.0  # of the processor
    output: str = ""


@dataclasses.dataclass
class Verdict:
    """What became of one fault."""
    fault: fault_list.Fault
    # [(label, how)] in the order in which they were run.
    matrix_killers: list = dataclasses.field(default_factory=list)
    other_killers: list = dataclasses.field(default_factory=list)
    tests_that_reach: int = 0

    @property
    def killed(self):
        return bool(self.matrix_killers or self.other_killers)


class Progress:
    """A line on standard error that says how far we are. Thread-safe."""

    def __init__(self):
        self._lock = threading.Lock()
        self._terminal = sys.stderr.isatty()

    def say(self, text):
        with self._lock:
            if self._terminal:
                sys.stderr.write("\r\033[K")
            sys.stderr.write(text + "\n")
            sys.stderr.flush()

    def show(self, text):
        with self._lock:
            if self._terminal:
                sys.stderr.write("\r\033[K" + text[:100])
            else:
                sys.stderr.write(text + "\n")
            sys.stderr.flush()

    def done(self):
        if self._terminal:
            self.show("")


class Tree:
    """The scratch copy, and Bazel in it."""

    def __init__(self, work, startup_flags, build_flags):
        self.path = work / "tree"
        self._startup_flags = startup_flags
        self._build_flags = build_flags

    def sync(self, faulty_texts):
        """Makes it what the checkout is, with the faults. Files that are right
        stay as they are, so that a second run has little to build."""
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others",
             "--exclude-standard"],
            cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
        wanted = set()
        for name in listed.decode().split("\0"):
            source = ROOT / name
            if not name or not (source.is_file() or source.is_symlink()):
                continue
            wanted.add(name)
            target = self.path / name
            if name in faulty_texts:
                content = faulty_texts[name].encode()
            elif source.is_symlink():
                link = os.readlink(source)
                if not (target.is_symlink() and os.readlink(target) == link):
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.unlink(missing_ok=True)
                    target.symlink_to(link)
                continue
            else:
                content = source.read_bytes()
            if target.is_file() and target.read_bytes() == content:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            shutil.copymode(source, target)
        for path in sorted(self.path.rglob("*"), reverse=True):
            if path.is_dir() and not path.is_symlink():
                continue
            if path.relative_to(self.path).as_posix() not in wanted:
                path.unlink()
        # Without a word of ours: a warning of a fault is no error.
        quiet = "|".join(
            re.escape(f"{os.path.dirname(f)}:{os.path.basename(f)}")
            for f in faulty_texts)
        self._quiet_flag = f"--per_file_copt=^//({quiet})$@-Wno-error,-w"

    def bazel(self, command, *arguments, flags=(), capture=False):
        if command not in ("query", "shutdown"):
            flags = [self._quiet_flag, *self._build_flags]
        result = subprocess.run(
            ["bazel", *self._startup_flags, command, "--color=no",
             "--curses=no", "--show_progress_rate_limit=30", *flags,
             "--", *arguments],
            cwd=self.path, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if capture else sys.stderr, text=True)
        if result.returncode != 0:
            raise RunError(f"bazel {command} failed in {self.path}")
        return result.stdout

    def tests(self, patterns):
        """The quick tests among the patterns: arguments by label."""
        union = " + ".join(patterns)
        output = self.bazel(
            "query",
            f"kind('(cc|py)_test rule', {union}) except "
            f"attr(tags, '\\b(nightly|manual|footprint)\\b', {union})",
            flags=["--output=xml"], capture=True)
        return {label: arguments for label, arguments
                in arguments_of_tests(output).items() if label not in EXCLUDED}

    def build(self, labels):
        self.bazel("build", *labels)
        self._bin = pathlib.Path(
            self.bazel("info", "bazel-bin", capture=True).strip())

    def executable(self, label):
        package, name = label[2:].split(":")
        return self._bin / package / name


@contextlib.contextmanager
def faulty_tree(options, all_faults, build_flags, progress):
    """The scratch copy with all faults in it, while Bazel runs there."""
    texts = fault_list.apply_all(ROOT, all_faults)
    options.work.mkdir(parents=True, exist_ok=True)
    tree = Tree(options.work.resolve(), options.startup_flag, build_flags)
    progress.say(f"{len(all_faults)} faults in {len(texts)} files; copy in "
                 f"{tree.path}")
    tree.sync(texts)
    try:
        yield tree
    finally:
        tree.bazel("shutdown")


def run_test(tree, label, arguments, cpu_seconds, number=None, reached=None):
    """Runs one test, with fault `number` if given, for at most so long.
    `reached`: a file that gets the faults that it comes by."""
    executable = tree.executable(label)
    runfiles = pathlib.Path(f"{executable}.runfiles")
    with tempfile.TemporaryDirectory(prefix="faults-") as scratch:
        environment = {
            "PATH": os.environ.get("PATH", "/bin:/usr/bin"),
            "LANG": "C.UTF-8",
            "HOME": scratch,
            "TMPDIR": scratch,
            "TEST_TMPDIR": scratch,
            "TEST_SRCDIR": str(runfiles),
            "RUNFILES_DIR": str(runfiles),
            "TEST_WORKSPACE": "opcompat",
            "TEST_TARGET": label,
        }
        if number is not None:
            environment[fault_list.ACTIVE_VARIABLE] = str(number)
            # The first failure is enough.
            environment["GTEST_FAIL_FAST"] = "1"
        if reached is not None:
            environment[fault_list.REACHED_VARIABLE] = str(reached)
        output_path = pathlib.Path(scratch) / "faults-output"
        with open(output_path, "wb") as output:
            process = subprocess.Popen(
                [str(executable), *arguments],
                cwd=runfiles / "opcompat", env=environment,
                stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True,
                preexec_fn=lambda: limit_resources(cpu_seconds))
            timer = threading.Timer(MOST_SECONDS, kill_group, [process.pid])
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            was_late = not timer.is_alive()
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            kill_group(process.pid)  # what it has started
        code = process.returncode
        if was_late or code == -signal.SIGXCPU:
            code = None
        text = output_path.read_bytes().decode("utf-8", "replace")
    return Outcome(code == 0, how_it_failed(code, text),
                   usage.ru_utime + usage.ru_stime, text)


def limit_resources(cpu_seconds):
    """In the process that becomes the test."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    cpu_seconds = int(cpu_seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 5))


def kill_group(group):
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


def how_it_failed(code, output):
    """The first test case that failed, or what happened instead."""
    if code == 0:
        return ""
    if code is None:
        return "hangs"
    for pattern in (r"^\[  FAILED  \] ([^\s,]+)",
                    r"^(?:FAIL|ERROR): (\S+)"):
        found = re.search(pattern, output, re.MULTILINE)
        if found:
            return found.group(1)
    running = re.findall(r"^\[ RUN      \] (\S+)", output, re.MULTILINE)
    died = f"signal {-code}" if code < 0 else f"status {code}"
    return f"{running[-1]}: {died}" if running else died


def run_baseline(tree, arguments, jobs, work, progress, reuse=False):
    """The tests, each with what it comes by. Raises RunError if one fails.
    `arguments`: by label. `reuse`: what an earlier run has found out of a test
    is taken as it is."""
    kept = work / "baseline.json"
    known = {}
    if reuse and kept.is_file():
        known = {entry["test"]: entry for entry in json.loads(kept.read_text())}
    tests = []
    failed = []

    def run(label):
        reached = work / f"reached-{os.getpid()}-{threading.get_ident()}"
        reached.write_bytes(bytes(fault_list.REACHED_SIZE))
        outcome = run_test(tree, label, arguments[label], BASELINE_SECONDS,
                           reached=reached)
        numbers = frozenset(
            i for i, byte in enumerate(reached.read_bytes()) if byte)
        reached.unlink()
        return label, outcome, numbers

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        runs = [pool.submit(run, label) for label in sorted(arguments)
                if label not in known]
        for n, future in enumerate(concurrent.futures.as_completed(runs), 1):
            label, outcome, numbers = future.result()
            progress.show(f"without a fault: {n} of {len(runs)}, {label} "
                          f"{outcome.seconds:.1f} s")
            if not outcome.passed:
                failed.append(f"{label} ({outcome.how})\n"
                              f"{outcome.output[-2000:]}")
                continue
            known[label] = {"test": label, "seconds": outcome.seconds,
                            "reached": sorted(numbers)}
            kept.write_text(json.dumps([known[k] for k in sorted(known)]))
    if failed:
        raise RunError("these tests fail without a fault: " +
                       "\n".join(failed))
    for label in sorted(arguments):
        is_matrix = bool(MATRIX.match(label)) and label not in NOT_MATRIX
        tests.append(Test(label, is_matrix, tuple(arguments[label]),
                          known[label]["seconds"],
                          frozenset(known[label]["reached"])))
    return sorted(tests, key=lambda test: (test.seconds, test.label))


def is_near(test, fault):
    """Whether the test is one of the package that the fault is in."""
    package = "//" + os.path.dirname(fault.file)
    return test.label.split(":")[0] in (package, NEAR.get(package))


def try_fault(tree, fault, tests, all_killers=False,
              quick_seconds=float("inf")):
    """Runs the tests that come by `fault`. `tests`: quick ones first."""
    verdict = Verdict(fault)
    reaching = [test for test in tests if fault.number in test.reached]
    reaching.sort(key=lambda test: not is_near(test, fault))
    verdict.tests_that_reach = len(reaching)
    for is_quick in (True, False):
        if verdict.killed:
            break
        for is_matrix, killers in ((True, verdict.matrix_killers),
                                   (False, verdict.other_killers)):
            for test in reaching:
                if (test.is_matrix != is_matrix or
                        (test.seconds <= quick_seconds) != is_quick):
                    continue
                limit = max(LEAST_SECONDS, SLOWER * test.seconds)
                outcome = run_test(tree, test.label, test.arguments, limit,
                                   fault.number)
                if outcome.passed:
                    continue
                killers.append((test.label, outcome.how))
                if not all_killers:
                    break
    return verdict


def try_all(tree, faults, tests, options, progress):
    verdicts = {}
    survivors = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = [pool.submit(try_fault, tree, fault, tests,
                            options.all_killers, options.quick)
                for fault in faults]
        for future in concurrent.futures.as_completed(runs):
            verdict = future.result()
            verdicts[verdict.fault.number] = verdict
            survivors += not verdict.killed
            if not verdict.killed:
                progress.say(f"SURVIVES: {verdict.fault.id}")
            by = verdict.matrix_killers + verdict.other_killers
            progress.show(f"{len(verdicts)} of {len(faults)} faults, "
                          f"{survivors} survive; {verdict.fault.id}: "
                          f"{'; '.join(name(killer) for killer in by)}")
    progress.done()
    return [verdicts[fault.number] for fault in faults]


def name(killer):
    label, how = killer
    return f"{label} {how}" if how else label


def table(verdicts):
    """For the terminal: a line a fault."""
    width = max(len(v.fault.id) for v in verdicts)
    lines = []
    for v in verdicts:
        if not v.killed:
            what = ("SURVIVES; no test comes by it" if v.tests_that_reach == 0
                    else f"SURVIVES {v.tests_that_reach} tests")
        else:
            killers = v.matrix_killers + v.other_killers
            what = "; ".join(name(killer) for killer in killers)
        matrix = "matrix" if v.matrix_killers else "-"
        lines.append(f"{v.fault.id:{width}}  {matrix:6}  {what}")
    return "\n".join(lines)


def summary(verdicts):
    killed = sum(v.killed for v in verdicts)
    matrix = sum(bool(v.matrix_killers) for v in verdicts)
    return (f"{len(verdicts)} faults: {killed} killed, "
            f"{len(verdicts) - killed} survive; the matrix alone kills "
            f"{matrix}, {killed - matrix} only other tests")


def markdown(verdicts):
    """The table of docs/faults.md."""
    lines = ["| file | fault | the matrix | other tests |", "|---|---|---|---|"]

    def cell(killers):
        if not killers:
            return "no"
        return "<br>".join(f"`{label}` {how}" for label, how in killers)

    for v in verdicts:
        lines.append(f"| {v.fault.file} | {v.fault.id}: "
                     f"{v.fault.meaning.replace('|', chr(92) + '|')} | "
                     f"{cell(v.matrix_killers)} | {cell(v.other_killers)} |")
    return "\n".join(lines) + "\n"


def as_json(verdicts):
    def killers(pairs):
        return [{"test": label, "how": how} for label, how in pairs]

    return {
        "faults": [{
            "id": v.fault.id,
            "file": v.fault.file,
            "meaning": v.fault.meaning,
            "killed": v.killed,
            "killed_by_matrix": killers(v.matrix_killers),
            "killed_by_others": killers(v.other_killers),
            "tests_that_reach": v.tests_that_reach,
        } for v in verdicts],
        "killed": sum(v.killed for v in verdicts),
        "killed_by_matrix": sum(bool(v.matrix_killers) for v in verdicts),
        "survivors": [v.fault.id for v in verdicts if not v.killed],
    }


def chosen(faults, patterns):
    """The faults whose id one of the patterns matches; all if there is none."""
    if not patterns:
        return faults
    picked = set()
    for pattern in patterns:
        found = [f for f in faults if fnmatch.fnmatchcase(f.id, pattern)]
        if not found:
            raise RunError(f"--faults: no fault is called {pattern}; "
                           "tools/faults/run.py --list has those that there "
                           "are")
        picked.update(f.number for f in found)
    return [f for f in faults if f.number in picked]


def default_work():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(base) / "opcompat" / "faults"


def add_common_arguments(parser):
    """Where the copy is, how it is built, and what is written."""
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE",
                        help="write what came out as JSON")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE",
                        help="write the table that is in docs/")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1,
                        metavar="N",
                        help="so many at once; default: one per processor")
    parser.add_argument("--work", type=pathlib.Path, default=default_work(),
                        metavar="DIR",
                        help="for the scratch copy; stays, so that the next\n"
                             "run builds less; default: %(default)s")
    parser.add_argument("--build-flag", action="append", default=[],
                        metavar="FLAG", help="for bazel build, such as "
                        "--build-flag=--disk_cache=DIR")
    parser.add_argument("--startup-flag", action="append", default=[],
                        metavar="FLAG", help="for bazel itself, such as "
                        "--startup-flag=--output_base=DIR")


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--faults", action="append", default=[], metavar="IDS",
        help="only these, by id, separated by commas; * and ? as in a shell")
    parser.add_argument(
        "--tests", action="append", default=[], metavar="PATTERNS",
        help="only these tests, Bazel's patterns, separated by commas;\n"
             "default: //...")
    parser.add_argument(
        "--all-killers", action="store_true",
        help="run every test that comes by a fault, not only until one of the\n"
             "matrix and one other has killed it; takes much longer")
    parser.add_argument(
        "--quick", type=float, default=60, metavar="SECONDS",
        help="tests that take more of a processor without a fault run only\n"
             "for faults that all others let live; default: %(default)s")
    add_common_arguments(parser)
    parser.add_argument(
        "--reuse-baseline", action="store_true",
        help="do not run tests without a fault that an earlier run has run so;\n"
             "right only while neither the list nor a test has changed")
    parser.add_argument("--list", action="store_true",
                        help="print the faults and end")
    options = parser.parse_args(arguments)
    if options.jobs < 1:
        parser.error("--jobs: at least 1")
    for key in ("faults", "tests"):
        given = getattr(options, key)
        setattr(options, key,
                [part for text in given for part in text.split(",") if part])
    return options


def run(options):
    all_faults = fault_list.load()
    faults = chosen(all_faults, options.faults)
    if options.list:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # into `head`
        for fault in faults:
            print(f"{fault.id}  ({fault.file})\n    {fault.meaning}")
        return 0
    progress = Progress()
    with faulty_tree(options, all_faults, options.build_flag, progress) as tree:
        arguments = tree.tests(options.tests or ["//..."])
        if not arguments:
            raise RunError("--tests: no quick test matches")
        progress.say(f"building {len(arguments)} tests")
        tree.build(sorted(arguments))
    tests = run_baseline(tree, arguments, options.jobs, options.work, progress,
                         options.reuse_baseline)
    verdicts = try_all(tree, faults, tests, options, progress)
    print(table(verdicts))
    print(summary(verdicts))
    if options.json:
        options.json.write_text(json.dumps(as_json(verdicts), indent=2) + "\n")
    if options.markdown:
        options.markdown.write_text(markdown(verdicts))
    return 0 if all(v.killed for v in verdicts) else 1


def status_of(run_options, options):
    """What `run_options` returns for the options; 2 if nothing was found out,
    and then it is said why."""
    try:
        return run_options(options)
    except (RunError, fault_list.FaultListError) as error:
        print(f"{os.path.basename(sys.argv[0])}: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(status_of(run, parse_arguments(sys.argv[1:])))
