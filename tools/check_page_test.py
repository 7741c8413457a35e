"""What docs/check.md shows is what the tool prints today.

Checked are, in its blocks of code: a command after `$ ` with the lines after it
(a line `...` stands for any others, up to the end of the block), lines of
findings as a file of known breaks has them, and workflow commands (up to a
`...`).
"""

import json
import os
import re
import shlex
import subprocess
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
TOOL = os.path.join(HERE, "opcompat")
PAGE = os.path.join(ROOT, "docs", "check.md")


def blocks(text):
    return [b.splitlines() for b in re.findall(r"^```\n(.*?)^```$", text, re.M | re.S)]


def tool(*arguments):
    environment = dict(os.environ, LC_ALL="C.UTF-8",
                       OPCOMPAT_OPSETS=os.path.join(ROOT, "opsets"))
    return subprocess.run([TOOL] + list(arguments), cwd=ROOT, env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", timeout=240).stdout


class PageTest(unittest.TestCase):

    def setUp(self):
        with open(PAGE, encoding="utf-8") as page:
            self.blocks = blocks(page.read())

    def test_commands_print_what_the_page_shows(self):
        shown = [b for b in self.blocks if b[0].startswith("$ opcompat ")]
        self.assertGreaterEqual(len(shown), 2)
        for block in shown:
            printed = tool(*shlex.split(block[0])[2:]).splitlines()
            expected = block[1:]
            if expected[-1] == "...":
                expected = expected[:-1]
                printed = printed[:len(expected)]
            self.assertEqual(printed, expected, block[0])

    def test_lines_of_known_breaks_are_findings(self):
        findings = json.loads(tool("check", "opsets/demo", "--format=json"))["findings"]
        texts = {finding["text"] for finding in findings}
        lines = [line for b in self.blocks for line in b
                 if re.match(r"demo::\S+ \S+->\S+ ", line)]
        self.assertTrue(lines)
        for line in lines:
            self.assertIn(line.split(" # ")[0], texts)

    def test_workflow_commands_are_printed(self):
        printed = tool("check", "opsets/demo", "--format=github").splitlines()
        lines = [line for b in self.blocks for line in b if line.startswith("::")]
        self.assertTrue(lines)
        for line in lines:
            begin = line.split("...")[0]
            self.assertTrue(any(p.startswith(begin) for p in printed), line)


if __name__ == "__main__":
    unittest.main()
