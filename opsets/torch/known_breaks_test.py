"""Holds known_breaks.txt to what `opcompat check` finds in the torch history.

Every finding is either healed by a declaration in history.textproto or known,
with a reason, and nothing is known that is not found.
"""

import os
import re
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TOOL = os.path.join(ROOT, "tools", "opcompat")
KNOWN = os.path.join(HERE, "known_breaks.txt")
MIB = 1 << 20


def check(known):
    """The exit status, and the last line of what the tool prints."""
    done = subprocess.run(
        [TOOL, "check", HERE, "--known-breaks", known],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout.decode().strip().splitlines()[-1]


class KnownBreaksTest(unittest.TestCase):

    def test_every_finding_is_known_and_every_known_break_is_found(self):
        status, summary = check(KNOWN)
        self.assertEqual(status, 0, summary)
        found = re.match(r"torch: 0 new findings, (\d+) known, 0 stale$", summary)
        self.assertTrue(found, summary)
        self.assertGreater(int(found.group(1)), 1000)

    def test_neither_a_missing_nor_a_stale_entry_passes(self):
        with open(KNOWN) as file:
            lines = file.read().splitlines()
        entry = next(i for i, line in enumerate(lines)
                     if line and not line.startswith("#"))
        lines[entry] = ("aten::gelu 1.7.1->1.13.1 backward operator-removed: "
                        "the operator is not there in 1.13.1")
        with tempfile.TemporaryDirectory() as directory:
            changed = os.path.join(directory, "known_breaks.txt")
            with open(changed, "w") as file:
                file.write("\n".join(lines) + "\n")
            status, summary = check(changed)
        self.assertEqual(status, 1, summary)
        self.assertRegex(
            summary, r"^torch: 1 new finding .*, \d+ known, 1 stale")

    def test_each_entry_stands_below_a_reason(self):
        with open(KNOWN) as file:
            paragraphs = file.read().strip().split("\n\n")
        for paragraph in paragraphs:
            self.assertTrue(paragraph.startswith("# "), paragraph[:200])
        self.assertLess(os.path.getsize(KNOWN), MIB)


if __name__ == "__main__":
    unittest.main()
