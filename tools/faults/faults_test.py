#!/usr/bin/env python3
"""Tests of the list of faults against the sources, and of what runs it."""
import collections
import os
import pathlib
import tempfile
import textwrap
import unittest

from tools.faults import run

faults = run.fault_list


def root():
    return (pathlib.Path(os.environ["TEST_SRCDIR"]) /
            os.environ["TEST_WORKSPACE"])


def fault(number=1, original="a == b", faulty="true", kind="expression",
          count=1, name=None):
    return faults.Fault(number, name or f"fault-{number}", "x.cc", kind,
                        original, faulty, count, "It is wrong.")


def applied(source, *of_file):
    """The text with the faults, without what stands before it."""
    text = faults.apply("x.cc", source, of_file)
    return text.split('#line 1 "x.cc"\n')[1]


class TheListTest(unittest.TestCase):

    def test_every_fault_applies_to_the_sources(self):
        texts = faults.apply_all(root(), faults.load())
        self.assertGreater(len(texts), 0)

    def test_it_covers_each_part_that_can_misread(self):
        parts = collections.Counter(
            os.path.dirname(f.file) for f in faults.load())
        for part in ("binding", "deserializer", "schema", "schema/evolution",
                     "serializer", "check"):
            self.assertGreaterEqual(parts[part], 4, part)
        self.assertGreaterEqual(sum(parts.values()), 40)

    def test_every_fault_says_in_one_sentence_what_goes_wrong(self):
        for f in faults.load():
            self.assertRegex(f.meaning, r"^[^\n]+\.$", f.id)


class ApplyTest(unittest.TestCase):

    def test_an_expression_is_one_of_two(self):
        self.assertEqual(
            applied("if (a == b) {}", fault(7)),
            "if ((opcompat_faults::IsActive(7) ? (true) : (a == b))) {}")

    def test_a_statement_is_done_or_the_other(self):
        self.assertEqual(
            applied("{ x = 1; }", fault(7, "x = 1;", "x = 2;", "statement")),
            "{ if (opcompat_faults::IsActive(7)) { x = 2; } "
            "else { x = 1; } }")

    def test_what_comes_before_leaves_the_original(self):
        self.assertEqual(
            applied("{ f(); }", fault(7, "f();", "return;", "before")),
            "{ if (opcompat_faults::IsActive(7)) { return; }\nf(); }")

    def test_text_asks_where_it_likes(self):
        self.assertEqual(
            applied("for (;;) {}",
                    fault(7, "(;;)", "(; !FAULT;)", "text")),
            "for (; !opcompat_faults::IsActive(7);) {}")

    def test_two_faults_of_one_text_exclude_each_other(self):
        text = applied("a == b", fault(1, faulty="true"),
                       fault(2, faulty="false"))
        self.assertEqual(
            text, "(opcompat_faults::IsActive(1) ? (true) : "
            "((opcompat_faults::IsActive(2) ? (false) : (a == b))))")

    def test_every_occurrence_that_is_counted_is_replaced(self):
        text = applied("a == b; a == b;", fault(3, count=2))
        self.assertEqual(text.count("IsActive(3)"), 2)

    def test_a_fault_whose_text_is_gone_or_elsewhere_too_is_stale(self):
        for source in ("a != b", "a == b; a == b;"):
            with self.assertRaisesRegex(faults.FaultListError,
                                        "fault-1 is stale: x.cc"):
                applied(source, fault())

    def test_all_stale_faults_are_told_at_once(self):
        with self.assertRaises(faults.FaultListError) as caught:
            applied("", fault(1), fault(2, "c"))
        self.assertIn("fault-1", str(caught.exception))
        self.assertIn("fault-2", str(caught.exception))

    def test_faults_must_not_overlap(self):
        with self.assertRaisesRegex(faults.FaultListError,
                                    "fault-1 and fault-2 overlap"):
            applied("a == b && c", fault(1, "a == b"), fault(2, "b && c"))

    def test_a_file_that_is_gone_is_told(self):
        with self.assertRaisesRegex(faults.FaultListError, "no file x.cc"):
            faults.apply_all(tempfile.gettempdir() + "/none", [fault()])


class LoadTest(unittest.TestCase):

    def load(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write(textwrap.dedent(text))
            file.flush()
            return faults.load(file.name)

    GOOD = """
        [[fault]]
        id = "one"
        file = "x.cc"
        original = "a"
        faulty = "b"
        meaning = "Wrong."
        """

    def test_faults_are_numbered_from_one(self):
        self.assertEqual([f.number for f in self.load(self.GOOD)], [1])

    def test_what_is_wrong_with_the_list_is_told(self):
        for text, message in (
                ("", "no fault"),
                (self.GOOD + self.GOOD, "one: listed twice"),
                (self.GOOD.replace("meaning", "means"), "no `meaning`"),
                (self.GOOD.replace("meaning", "means"), "what is `means`"),
                (self.GOOD.replace('"one"', '"One!"'), "words and hyphens"),
                (self.GOOD + "kind = 'text'", "never asks FAULT"),
                (self.GOOD + "kind = 'magic'", "kind `magic`"),
                ("[[fault", "Expected"),
        ):
            with self.assertRaisesRegex(faults.FaultListError, message):
                self.load(text)


class FakeTree:
    """Tests that are shell scripts."""

    def __init__(self, directory, **scripts):
        self._directory = pathlib.Path(directory)
        for label_name, script in scripts.items():
            path = self._directory / label_name
            path.write_text("#!/bin/sh\n" + script + "\n")
            path.chmod(0o755)
            (self._directory / f"{label_name}.runfiles/opcompat").mkdir(
                parents=True)

    def executable(self, label):
        return self._directory / label.split(":")[1]


GTEST_FAILURE = """
if [ "$OPCOMPAT_FAULT" = 1 ]; then
  echo '[ RUN      ] ATest.IsRight'
  echo '[  FAILED  ] ATest.IsRight (0 ms)'
  exit 1
fi
"""


class TryFaultTest(unittest.TestCase):

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def made(self, *labels, reached=frozenset({1, 2})):
        return [
            run.Test(label, label.startswith("//compat_matrix"), (), 0.1,
                     reached)
            for label in labels
        ]

    def attempt(self, number, tests, all_killers=False, **scripts):
        return run.try_fault(FakeTree(self.directory, **scripts),
                             fault(number), tests, all_killers)

    def test_a_test_that_fails_kills_and_names_the_case(self):
        verdict = self.attempt(1, self.made("//a:t"), t=GTEST_FAILURE)
        self.assertTrue(verdict.killed)
        self.assertEqual(verdict.other_killers, [("//a:t", "ATest.IsRight")])
        self.assertEqual(verdict.matrix_killers, [])

    def test_a_fault_that_no_test_notices_survives(self):
        verdict = self.attempt(2, self.made("//a:t"), t=GTEST_FAILURE)
        self.assertFalse(verdict.killed)
        self.assertEqual(verdict.tests_that_reach, 1)

    def test_a_test_that_does_not_come_by_a_fault_is_not_run(self):
        verdict = self.attempt(1, self.made("//a:t", reached=frozenset({5})),
                               t=GTEST_FAILURE)
        self.assertFalse(verdict.killed)
        self.assertEqual(verdict.tests_that_reach, 0)

    def test_a_crash_kills(self):
        verdict = self.attempt(1, self.made("//a:t"),
                               t="echo '[ RUN      ] ATest.Dies'; kill -9 $$")
        self.assertEqual(verdict.other_killers,
                         [("//a:t", "ATest.Dies: signal 9")])

    def test_the_matrix_is_asked_beside_another_test(self):
        tests = self.made("//a:t", "//a:u", "//compat_matrix:m")
        verdict = self.attempt(1, tests, t=GTEST_FAILURE, u=GTEST_FAILURE,
                               m=GTEST_FAILURE)
        self.assertEqual(len(verdict.matrix_killers), 1)
        self.assertEqual(len(verdict.other_killers), 1)

    def test_one_that_runs_on_and_on_hangs(self):
        tree = FakeTree(self.directory, t="while :; do :; done")
        self.assertEqual(run.run_test(tree, "//a:t", (), 0).how, "hangs")

    def test_a_test_runs_with_its_arguments(self):
        tree = FakeTree(self.directory, t='test "$*" = "--only=b --fast"')
        for arguments, passes in [(("--only=b", "--fast"), True), ((), False)]:
            self.assertEqual(
                run.run_test(tree, "//a:t", arguments, 10).passed, passes)

    def test_slow_tests_are_for_what_quick_ones_let_live(self):
        tests = self.made("//a:quick", "//a:slow")
        tests[1].seconds = 100
        scripts = {"quick": GTEST_FAILURE, "slow": "exit 1"}
        tree = FakeTree(self.directory, **scripts)
        killers = [
            run.try_fault(tree, fault(n), tests, True, 10).other_killers
            for n in (1, 2)
        ]
        self.assertEqual(killers, [[("//a:quick", "ATest.IsRight")],
                                   [("//a:slow", "status 1")]])

    def test_all_killers_are_found_if_asked_for(self):
        tests = self.made("//a:t", "//a:u")
        verdict = self.attempt(1, tests, True, t=GTEST_FAILURE,
                               u=GTEST_FAILURE)
        self.assertEqual([label for label, _ in verdict.other_killers],
                         ["//a:t", "//a:u"])

    def test_a_test_that_fails_without_a_fault_ends_the_run(self):
        tree = FakeTree(self.directory, t="echo broken; exit 3")
        with self.assertRaisesRegex(run.RunError, "//a:t .status 3.\nbroken"):
            run.run_baseline(tree, {"//a:t": ()}, 1, pathlib.Path(self.directory),
                             run.Progress())


class ReportTest(unittest.TestCase):

    VERDICTS = [
        run.Verdict(fault(1), [("//compat_matrix:m", "M.X")],
                    [("//a:t", "T.Y")], 2),
        run.Verdict(fault(2), [], [("//a:t", "hangs")], 1),
        run.Verdict(fault(3), [], [], 4),
        run.Verdict(fault(4), [], [], 0),
    ]

    def test_the_table_says_what_killed_each_and_what_survives(self):
        lines = run.table(self.VERDICTS).splitlines()
        self.assertEqual(lines[0].split(maxsplit=2)[1:],
                         ["matrix", "//compat_matrix:m M.X; //a:t T.Y"])
        self.assertEqual(lines[1].split(maxsplit=2)[1:], ["-", "//a:t hangs"])
        self.assertIn("SURVIVES 4 tests", lines[2])
        self.assertIn("no test comes by it", lines[3])

    def test_the_summary_counts_what_the_matrix_alone_kills(self):
        self.assertEqual(
            run.summary(self.VERDICTS),
            "4 faults: 2 killed, 2 survive; the matrix alone kills 1, "
            "1 only other tests")

    def test_json_has_what_the_table_has(self):
        data = run.as_json(self.VERDICTS)
        self.assertEqual(data["survivors"], ["fault-3", "fault-4"])
        self.assertEqual(data["faults"][0]["killed_by_matrix"],
                         [{"test": "//compat_matrix:m", "how": "M.X"}])

    def test_markdown_has_a_row_for_each(self):
        self.assertEqual(len(run.markdown(self.VERDICTS).splitlines()), 6)

    def test_faults_are_chosen_by_id(self):
        listed = [v.fault for v in self.VERDICTS]
        self.assertEqual(run.chosen(listed, ["fault-[12]"]), listed[:2])
        with self.assertRaisesRegex(run.RunError, "no fault is called x"):
            run.chosen(listed, ["x*"])


if __name__ == "__main__":
    unittest.main()
