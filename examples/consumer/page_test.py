"""What opcompat's docs/bazel.md and docs/nightly.md show is what is here.

A block of code after a line `<!-- FILE -->` is part of FILE; what stands between
Bazel's lines of `=` is what that test says (`...` for other lines).
"""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

import yaml

OPCOMPAT = os.path.join(os.pardir, "opcompat")
# The one that the tests of //careless run.
TOOL = os.path.abspath(os.path.join(OPCOMPAT, "tools", "opcompat"))
WORKFLOW = ".github/workflows/nightly.yml"

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


def page(name):
    return read(os.path.join(OPCOMPAT, "docs", name))


def run(*command, **options):
    """Returns the status of a program, and what it says."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", timeout=60, **options)
    return done.returncode, done.stdout


class PageTest(unittest.TestCase):

    def test_blocks_are_parts_of_the_files(self):
        blocks = [block for name in ("bazel.md", "nightly.md")
                  for block in re.findall(
                      r"^<!-- (\S+) -->\n```\w*\n(.*?)^```$", page(name),
                      re.M | re.S)]
        self.assertGreaterEqual(
            {file for file, _ in blocks},
            {"WORKSPACE", ".bazelrc", "BUILD", "ops/BUILD", "models/BUILD",
             "nightly.sh", WORKFLOW})
        for file, block in blocks:
            # An empty line may stand for what a page leaves out.
            content = read(file)
            for part in block.split("\n\n"):
                self.assertIn(part.strip("\n"), content, file)

    def test_a_careless_change_fails_with_the_message_that_the_page_shows(self):
        shown = dict(re.findall(
            r"^=+ Test output for //careless:(\w+):\n(.*?)^=+$",
            page("bazel.md"), re.M | re.S))
        self.assertEqual(set(shown), {"audio_check_test", "audio_matrix_test"})
        # Tests that run by themselves, not as parts of this one.
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("TEST_UNDECLARED_OUTPUTS_DIR",
                                       "TEST_TOTAL_SHARDS", "XML_OUTPUT_FILE")}
        environment["BUILD_WORKING_DIRECTORY"] = environment["TEST_TMPDIR"]
        for name, text in shown.items():
            status, said = run(os.path.join("careless", name), env=environment)
            # `...` stands for other lines.
            pattern = "(.*\n)*".join(
                re.escape(part) for part in re.split(r"^\.\.\.\n", text, flags=re.M))
            self.assertTrue(re.fullmatch(pattern, said), said)
            self.assertEqual(status, 1, name)

    def test_the_advice_helps(self):
        with tempfile.TemporaryDirectory() as mended:
            for directory in ("ops", "careless"):
                shutil.copytree(directory, os.path.join(mended, directory))
            path = os.path.join(mended, "careless", "history.textproto")
            text = read(path)
            before = '  operators: "audio-4.0.ops"\n'
            self.assertIn(before, text)
            self.assertIn(CHANGE[len(before):], page("bazel.md"))
            os.remove(path)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace(before, CHANGE))
            status, said = run(
                TOOL, "check", "careless", "--newer=4.0",
                "--category=backward,forward",
                "--known-breaks=" + os.path.abspath("known_breaks.txt"),
                cwd=mended)
            self.assertEqual(status, 0, said)


class NightlyTest(unittest.TestCase):

    def setUp(self):
        self.jobs = yaml.safe_load(read(WORKFLOW))["jobs"]
        self.scripts = [step["run"] for job in self.jobs.values()
                        for step in job["steps"] if "run" in step]

    def test_the_workflow_runs_every_shard_and_then_the_report(self):
        shards = self.jobs["matrix"]["strategy"]["matrix"]["shard"]
        self.assertEqual(shards, list(range(1, len(shards) + 1)))
        self.assertTrue(any("/%d " % len(shards) in s for s in self.scripts))
        self.assertEqual(self.jobs["report"]["needs"], "matrix")

    def test_scripts_are_such_for_bash(self):
        for script in self.scripts + [read("nightly.sh")]:
            # What GitHub puts in, as a word.
            text = re.sub(r"\$\{\{.*?\}\}", "WORD", script)
            self.assertEqual(run("bash", "-n", "-c", text), (0, ""), script)

    def test_flags_are_those_of_the_tool(self):
        scripts = "\n".join(self.scripts + [read("nightly.sh")])
        for command, pattern in (("merge", r"\bmerge .*?(?=\n\S|\n\n|\Z)"),
                                 ("matrix", r"_matrix_test -- .*?(?=\n\S|\n\n|\Z)")):
            calls = re.findall(pattern, scripts, re.S)
            self.assertTrue(calls, command)
            _, flags = run(TOOL, command, "--help")
            for flag in re.findall(r"(?<!\S)--?[a-z]+", "\n".join(calls)):
                self.assertRegex(flags, r"(?<![-\w])%s\b" % flag)


if __name__ == "__main__":
    unittest.main()
