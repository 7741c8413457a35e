"""A matrix that is ended early takes the programs that it has started with it,
even those that would never end. A reduction that is ended early prints what it
has, and leaves nothing behind.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL = os.path.join(HERE, "opcompat")
ROOT = os.path.dirname(HERE)
TESTEE = os.path.join(ROOT, "compat_matrix", "testees", "testdata",
                      "bad_testee.py")
CASE = os.path.join(HERE, "testdata", "files", "bad_call.case")
# More than any machine needs.
LONG_SECONDS = 50


def wait_until(condition):
    """Whether it comes true in time."""
    deadline = time.monotonic() + LONG_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def runs(pid):
    """A zombie does not: nobody may be there to wait for it."""
    try:
        with open("/proc/%d/stat" % pid, encoding="latin-1") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def hear_signals():
    """In the child: whoever runs this test in the background, or with nohup,
    has it ignore them."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class InterruptTest(unittest.TestCase):

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.pids = os.path.join(directory.name, "pids")
        self.tool = subprocess.Popen(
            [TOOL, "matrix", "--history=demo", "--threads=2",
             "--testee-timeout=100000", "--testee-memory=0",
             "--testee=hang=%s %s hang %s" % (sys.executable, TESTEE, self.pids)],
            env=dict(os.environ, OPCOMPAT_OPSETS=os.path.join(ROOT, "opsets")),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            preexec_fn=hear_signals)
        self.addCleanup(self.end)
        self.assertTrue(wait_until(lambda: len(self.numbers()) == 4),
                        "the testees do not run")

    def numbers(self):
        """Two programs, each with one that it has started."""
        try:
            with open(self.pids, encoding="ascii") as file:
                return [int(line) for line in file]
        except (FileNotFoundError, ValueError):
            return []

    def end(self):
        self.tool.kill()
        self.tool.wait()
        for group in self.numbers()[::2]:
            try:
                os.killpg(group, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def check(self, number, which):
        self.tool.send_signal(number)
        self.assertEqual(self.tool.wait(LONG_SECONDS), -number)
        for pid in self.numbers()[which]:
            self.assertTrue(wait_until(lambda pid=pid: not runs(pid)), pid)

    def test_interrupted(self):
        self.check(signal.SIGINT, slice(None))

    def test_terminated(self):
        self.check(signal.SIGTERM, slice(None))

    def test_hung_up(self):
        self.check(signal.SIGHUP, slice(None))

    def test_killed(self):
        # What they have started is out of reach.
        self.check(signal.SIGKILL, slice(0, None, 2))


class ReduceTest(unittest.TestCase):

    def test_interrupted(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with tempfile.TemporaryDirectory() as directory:
                self.check(directory, number)

    def check(self, directory, number):
        scratch = os.path.join(directory, "scratch")
        os.mkdir(scratch)
        tried = os.path.join(directory, "tried")
        smallest = os.path.join(directory, "smallest.case")
        # Fails the first time; then it waits for its end.
        command = ("sh -c 'echo >> %s; test $(wc -l < %s) -gt 1 && "
                   "exec sleep 100; exit 1'" % (tried, tried))
        tool = subprocess.Popen(
            [TOOL, "reduce", CASE, "--run=" + command, "-o", smallest],
            env=dict(os.environ, TMPDIR=scratch), stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, preexec_fn=hear_signals,
            start_new_session=True)
        self.addCleanup(tool.kill)
        self.assertTrue(wait_until(
            lambda: os.path.exists(tried) and os.path.getsize(tried) == 2))
        os.killpg(tool.pid, number)  # as a terminal does: the command, too
        _, errors = tool.communicate(timeout=LONG_SECONDS)
        self.assertEqual(tool.returncode, 130)
        self.assertIn("interrupted", errors)
        self.assertEqual(os.listdir(scratch), [])
        with open(CASE, encoding="utf-8") as before:
            with open(smallest, encoding="utf-8") as after:
                self.assertEqual(after.read(), before.read())


if __name__ == "__main__":
    unittest.main()
