"""Runs the opcompat tool as a user does, by the transcripts in testdata/.

A transcript (*.transcript) is a list of steps, run one after the other by a
shell in a directory that begins as a copy of testdata/files:

    # A comment.
    $ opcompat convert net.graph -o net.opc
    > a line that standard output must have
    ! a line that standard error must have
    ? 0

All of standard output, standard error and the exit status must be as the
transcript has them. To write down what the tool says now, and look at the
difference:

    bazel run //tools:opcompat_test -- --update
"""

import difflib
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TESTDATA = os.path.join(HERE, "testdata")
TOOL = os.path.join(HERE, "opcompat")
TESTEES = os.path.join(os.path.dirname(HERE), "compat_matrix", "testees")
# What transcripts may run beside the tool.
PROGRAMS = (os.path.join(TESTEES, "testee_main"),
            os.path.join(TESTEES, "testdata", "bad_testee.py"))
TIMEOUT_SECONDS = 240


class Step:
    """One command with the comments before it, and what came of it."""

    def __init__(self, comments, command):
        self.comments = comments
        self.command = command
        self.out = []
        self.err = []
        self.status = None

    def lines(self):
        return (self.comments + ["$ " + self.command] +
                ["> " + line if line else ">" for line in self.out] +
                ["! " + line if line else "!" for line in self.err] +
                ["? %s" % self.status])


def parse(text):
    """Returns the steps of a transcript, and the comments after the last."""
    steps, comments = [], []
    for number, line in enumerate(text.splitlines(), 1):
        mark, rest = line[:1], line[2:]
        if mark in ("", "#"):
            comments.append(line)
        elif mark == "$":
            steps.append(Step(comments, rest))
            comments = []
        elif mark == ">" and steps:
            steps[-1].out.append(rest)
        elif mark == "!" and steps:
            steps[-1].err.append(rest)
        elif mark == "?" and steps:
            steps[-1].status = int(rest)
        else:
            raise ValueError("line %d is none of # $ > ! ?: %s" % (number, line))
    return steps, comments


def run(steps, directory):
    """Runs the steps in `directory`; returns them with what came of each."""
    environment = dict(os.environ)
    environment["PATH"] = os.path.join(directory, ".bin") + ":" + environment["PATH"]
    environment["OPCOMPAT_OPSETS"] = os.path.join(os.path.dirname(HERE), "opsets")
    environment["LC_ALL"] = "C.UTF-8"
    environment.pop("NO_COLOR", None)
    os.mkdir(os.path.join(directory, ".bin"))
    for program in (TOOL, *PROGRAMS):
        os.symlink(program, os.path.join(directory, ".bin",
                                         os.path.basename(program)))
    results = []
    for step in steps:
        done = subprocess.run(["/bin/sh", "-c", step.command], cwd=directory,
                              env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=TIMEOUT_SECONDS, check=False)
        result = Step(step.comments, step.command)
        result.out = done.stdout.decode("utf-8", "backslashreplace").splitlines()
        result.err = done.stderr.decode("utf-8", "backslashreplace").splitlines()
        result.status = done.returncode
        results.append(result)
    return results


def text_of(steps, comments):
    lines = []
    for step in steps:
        lines += step.lines()
    return "\n".join(lines + comments) + "\n"


def replay(path):
    """Returns what the transcript says, and what it would say now."""
    with open(path, encoding="utf-8") as file:
        expected = file.read()
    steps, comments = parse(expected)
    if not steps:
        raise ValueError(path + ": no step")
    with tempfile.TemporaryDirectory() as scratch:
        directory = os.path.join(scratch, "files")
        shutil.copytree(os.path.join(TESTDATA, "files"), directory)
        actual = text_of(run(steps, directory), comments)
    return expected, actual


def transcripts():
    return sorted(glob.glob(os.path.join(TESTDATA, "*.transcript")))


class TranscriptTest(unittest.TestCase):
    def test_there_are_transcripts(self):
        self.assertGreater(len(transcripts()), 0)


def add_test(path):
    def test(self):
        expected, actual = replay(path)
        if expected != actual:
            self.fail("the tool says something else:\n" + "".join(
                difflib.unified_diff(expected.splitlines(True),
                                     actual.splitlines(True),
                                     "expected", "actual", n=3)))
    name = "test_" + os.path.basename(path).replace(".transcript", "")
    setattr(TranscriptTest, name, test)


def update():
    # `bazel run` says where the sources are; what is here are links to them.
    sources = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    for path in transcripts():
        _, actual = replay(path)
        target = path
        if sources:
            target = os.path.join(sources, "tools", "testdata",
                                  os.path.basename(path))
        with open(target, "w", encoding="utf-8") as file:
            file.write(actual)


if __name__ == "__main__":
    if "--update" in sys.argv:
        update()
    else:
        for transcript in transcripts():
            add_test(transcript)
        unittest.main()
