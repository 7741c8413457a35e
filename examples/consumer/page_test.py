"""What opcompat's docs/bazel.md shows is what is here.

A block of code after a line `<!-- FILE -->` is part of FILE; what stands between
Bazel's lines of `=` is what that test says.
"""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

OPCOMPAT = os.path.join(os.pardir, "opcompat")
PAGE = os.path.join(OPCOMPAT, "docs", "bazel.md")
TOOL = os.path.join(OPCOMPAT, "tools", "opcompat")

CHANGE = """\
  operators: "audio-4.0.ops"
  changes {
    operator: "audio::normalize"
    renamed_argument { from: "level" to: "loudness" }
  }
"""


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def run_test(name):
    """Returns the status of a test of the package careless, and what it says."""
    # As `bazel run` does, not as a part of this test.
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("TEST_UNDECLARED_OUTPUTS_DIR", "XML_OUTPUT_FILE",
                                   "TEST_TOTAL_SHARDS")}
    environment["BUILD_WORKING_DIRECTORY"] = environment["TEST_TMPDIR"]
    done = subprocess.run([os.path.join("careless", name)], env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", timeout=60)
    return done.returncode, done.stdout


class PageTest(unittest.TestCase):

    def setUp(self):
        self.page = read(PAGE)

    def test_blocks_are_parts_of_the_files(self):
        blocks = re.findall(r"^<!-- (\S+) -->\n```\w*\n(.*?)^```$", self.page,
                            re.M | re.S)
        self.assertGreaterEqual({file for file, _ in blocks},
                                {"WORKSPACE", ".bazelrc", "BUILD", "ops/BUILD",
                                 "models/BUILD"})
        for file, block in blocks:
            # An empty line may stand for what a page leaves out.
            content = read(file)
            for part in block.split("\n\n"):
                self.assertIn(part.strip("\n"), content, file)

    def test_a_careless_change_fails_with_the_message_that_the_page_shows(self):
        shown = dict(re.findall(
            r"^=+ Test output for //careless:(\w+):\n(.*?)^=+$", self.page,
            re.M | re.S))
        self.assertEqual(set(shown), {"audio_check_test", "audio_matrix_test"})
        for name, text in shown.items():
            status, said = run_test(name)
            self.assertEqual(status, 1, name)
            said = "".join(line for line in said.splitlines(True)
                           if not line.startswith("report: "))
            self.assertEqual(said, text, name)

    def test_the_advice_helps(self):
        with tempfile.TemporaryDirectory() as mended:
            for directory in ("ops", "careless"):
                shutil.copytree(directory, os.path.join(mended, directory))
            path = os.path.join(mended, "careless", "history.textproto")
            text = read(path)
            before, change = '  operators: "audio-4.0.ops"\n', CHANGE
            self.assertIn(before, text)
            self.assertIn(change.split("\n", 1)[1], self.page)
            os.remove(path)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace(before, change))
            done = subprocess.run(
                [os.path.abspath(TOOL), "check", "careless", "--newer=4.0",
                 "--category=backward,forward", "--known-breaks=" +
                 os.path.abspath("known_breaks.txt")], cwd=mended,
                stdout=subprocess.PIPE, encoding="utf-8", timeout=60)
            self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
