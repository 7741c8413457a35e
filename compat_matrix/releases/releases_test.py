"""What builds releases, with a Bazel that only pretends; and the list itself."""

import os
import subprocess
import tempfile
import unittest

from compat_matrix.releases import build_release
from compat_matrix.releases import releases_pb2

# Notes that it was called, and "builds" a program out of what the sources say.
BAZEL = """#!/bin/sh
echo "$@" >> "$LOG"
case " $* " in
  *" info "*) echo "$OUT" ;;
  *" build "*)
    mkdir -p "$OUT/compat_matrix/testees"
    cat library.cc compat_matrix/testees/testee_main.cc \\
      > "$OUT/compat_matrix/testees/testee_main" || exit 1 ;;
esac
"""


class BuildReleaseTest(unittest.TestCase):

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = directory.name
        self.checkout = os.path.join(self.root, "checkout")
        self.cache = os.path.join(self.root, "cache")
        self.bazel = os.path.join(self.root, "bazel")
        self.log = os.path.join(self.root, "log")
        os.environ["LOG"] = self.log
        os.environ["OUT"] = os.path.join(self.root, "out")
        self.write(self.bazel, BAZEL)
        os.chmod(self.bazel, 0o755)

    def write(self, path, text):
        path = os.path.join(self.checkout, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def git(self, *arguments):
        return subprocess.run(
            ("git", "-C", self.checkout, "-c", "user.name=n", "-c",
             "user.email=e") + arguments, check=True, stdout=subprocess.PIPE,
            universal_newlines=True).stdout.strip()

    def commit(self):
        if not os.path.exists(os.path.join(self.checkout, ".git")):
            self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "m")
        return releases_pb2.Release(name="old",
                                    commit=self.git("rev-parse", "HEAD"))

    def build(self, release):
        program = build_release.build(self.checkout, release, self.cache,
                                      bazel=self.bazel, say=lambda line: None)
        with open(program, encoding="utf-8") as file:
            return file.read()

    def builds(self):
        with open(self.log, encoding="utf-8") as file:
            return sum(" build " in line for line in file)

    def failure(self, release):
        with self.assertRaises(build_release.BuildFailure) as caught:
            self.build(release)
        return str(caught.exception)

    def test_the_old_library_gets_the_program_of_today(self):
        self.write("library.cc", "old library\n")
        release = self.commit()
        self.write("library.cc", "new library\n")
        self.write("compat_matrix/testees/testee_main.cc", "new program\n")
        self.assertEqual(self.build(release), "old library\nnew program\n")

    def test_a_program_of_its_own_stays(self):
        self.write("library.cc", "old library\n")
        self.write("compat_matrix/testees/testee_main.cc", "old program\n")
        release = self.commit()
        self.write("compat_matrix/testees/testee_main.cc", "new program\n")
        self.assertEqual(self.build(release), "old library\nold program\n")

    def test_it_is_built_again_only_if_something_changed(self):
        self.write("library.cc", "old library\n")
        release = self.commit()
        self.write("compat_matrix/testees/testee_main.cc", "one\n")
        for _ in range(2):
            self.assertEqual(self.build(release), "old library\none\n")
        self.assertEqual(self.builds(), 1)
        self.write("compat_matrix/testees/testee_main.cc", "two\n")
        self.assertEqual(self.build(release), "old library\ntwo\n")
        self.assertEqual(self.builds(), 2)

    def test_what_does_not_build_is_said_with_the_end_of_the_log(self):
        self.write("README", "no library\n")
        release = self.commit()
        self.write("compat_matrix/testees/testee_main.cc", "one\n")
        message = self.failure(release)
        self.assertIn("release old does not build", message)
        self.assertIn("library.cc", message)

    def test_without_git_it_says_so(self):
        self.write("compat_matrix/testees/testee_main.cc", "one\n")
        # The directory is inside of no other checkout, whatever TMPDIR says.
        os.environ["GIT_CEILING_DIRECTORIES"] = self.root
        self.assertIn("is no git checkout", self.failure(
            releases_pb2.Release(name="old", commit=40 * "a")))

    def test_without_history_it_says_so(self):
        self.write("compat_matrix/testees/testee_main.cc", "one\n")
        self.commit()
        unknown = releases_pb2.Release(name="old", commit=40 * "a")
        self.assertIn("is not in ", self.failure(unknown))
        self.write("README", "two\n")
        self.commit()
        whole = self.checkout
        self.checkout = os.path.join(self.root, "shallow")
        subprocess.run(("git", "clone", "-q", "--depth=1", "file://" + whole,
                        self.checkout), check=True)
        self.assertIn("git fetch --unshallow", self.failure(unknown))

    def test_a_wrong_list_is_told_by_release(self):
        good = ('name: "a" commit: "%s" date: "2026-12-01" reads: true' %
                (40 * "a"))
        self.write(build_release.LIST, "releases { %s }" % good)
        self.assertEqual(
            [r.name for r in build_release.load_releases(self.checkout)], ["a"])
        for text, message in (
                ("releases { %s } releases { %s }" % (good, good), "twice"),
                ("releases { %s }" % good.replace("aaa", "AAA"), "40 digits"),
                ("releases { %s }" % good.replace('"a"', '"a b"'), "its name"),
                ("releases { %s }" % good.replace("12-01", "12"), "its date"),
                ("releases { %s }" % good.replace("reads: true", ""), "neither"),
                ("release {", "release"),
        ):
            self.write(build_release.LIST, text)
            with self.assertRaisesRegex(build_release.BuildFailure, message):
                build_release.load_releases(self.checkout)


class ListTest(unittest.TestCase):

    def test_the_list_is_well_formed(self):
        self.assertTrue(build_release.load_releases("."))


if __name__ == "__main__":
    unittest.main()
