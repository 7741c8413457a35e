"""A matrix that is ended early takes the programs that it has started with it,
even those that would never end.
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


if __name__ == "__main__":
    unittest.main()
