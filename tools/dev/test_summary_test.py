#!/usr/bin/env python3
"""Tests of test_summary.py on events as Bazel writes them."""
import json
import os
import tempfile
import unittest

from tools.dev import test_summary


def result(label, report=None, status="PASSED", shard=1, attempt=1):
    """A testResult event; `report` is the content of its test.xml."""
    outputs = []
    if report is not None:
        with tempfile.NamedTemporaryFile(
                "w", dir=os.environ.get("TEST_TMPDIR"), prefix="a b",
                suffix=".xml", delete=False) as file:
            file.write("<testsuites>%s</testsuites>" % report)
        uri = "file://" + file.name.replace(" ", "%20")
        outputs = [{"name": "test.log", "uri": "file:///none"},
                   {"name": "test.xml", "uri": uri}]
    return {
        "id": {"testResult": {"label": label, "run": 1, "shard": shard,
                              "attempt": attempt}},
        "testResult": {"status": status, "testActionOutput": outputs},
    }


def configured(label, kind, *tags):
    event = {"id": {"targetConfigured": {"label": label}},
             "configured": {"targetKind": kind + " rule"}}
    if tags:
        event["configured"]["tag"] = list(tags)
    return event


def options(*flags):
    return {"id": {"optionsParsed": {}},
            "optionsParsed": {"cmdLine": list(flags)}}


def completed(label, success):
    return {"id": {"targetCompleted": {"label": label}},
            "completed": {"success": True} if success else {}}


def started(workspace):
    return {"id": {"started": {}}, "started": {"workspaceDirectory": workspace}}


CASE = '<testcase name="%s" status="run" result="completed">%s</testcase>'


def summarize(*events):
    return test_summary.summarize([json.dumps(e) for e in events])


class TestSummaryTest(unittest.TestCase):

    def test_counts_cases(self):
        counts, report = summarize(
            result("//a", CASE % ("A", "") + CASE % ("B", "")),
            result("//b", CASE % ("C", "")))
        self.assertEqual(counts, (3, 0, 0))
        self.assertEqual(report, [])

    def test_failures_and_errors(self):
        counts, report = summarize(
            result("//a", CASE % ("A", "<failure/>") + CASE % ("B", "<error/>")
                   + CASE % ("C", ""), status="FAILED"))
        self.assertEqual(counts, (1, 2, 0))
        self.assertEqual(report, ["FAILED: //a .A", "FAILED: //a .B"])

    def test_skips(self):
        counts, report = summarize(
            result("//a", '<testcase name="A" status="run" result="skipped"/>'
                   '<testcase name="B" status="notrun" result="suppressed"/>'))
        self.assertEqual(counts, (0, 0, 2))
        self.assertEqual(report, ["SKIPPED: //a .A", "SKIPPED: //a .B"])

    def test_shards_add_up_and_the_last_attempt_counts(self):
        counts, _ = summarize(
            result("//a", CASE % ("A", ""), shard=1),
            result("//a", CASE % ("B", "<failure/>"), "FAILED", shard=2),
            result("//a", CASE % ("B", ""), shard=2, attempt=2))
        self.assertEqual(counts, (2, 0, 0))

    def test_failed_without_a_failed_case(self):
        counts, report = summarize(
            result("//crash", CASE % ("A", ""), status="TIMEOUT"),
            result("//none", None, status="FAILED"))
        self.assertEqual(counts, (1, 2, 0))
        self.assertEqual(report, ["FAILED: //crash (TIMEOUT)",
                                  "FAILED: //none (FAILED)"])

    def test_passed_without_a_report(self):
        self.assertEqual(summarize(result("//a"))[0], (1, 0, 0))

    def test_what_did_not_build_failed(self):
        counts, report = summarize(
            configured("//a", "cc_test"), configured("//l", "cc_library"),
            configured("//b", "cc_test"), completed("//a", False),
            completed("//l", True), completed("//b", True),
            result("//b", CASE % ("A", "")))
        self.assertEqual(counts, (1, 1, 0))
        self.assertEqual(report, ["FAILED: //a (not built)"])

    def test_what_was_built_and_not_run_failed(self):
        counts, report = summarize(configured("//a", "cc_test"),
                                   completed("//a", True))
        self.assertEqual(counts, (0, 1, 0))
        self.assertEqual(report, ["FAILED: //a (not run)"])

    def test_what_the_tag_filters_leave_out_need_not_run(self):
        ran = [configured("//a", "cc_test", "fast", "nightly"),
               configured("//b", "cc_test", "fast"),
               configured("//c", "cc_test")]
        built = [completed("//a", True), completed("//b", True),
                 completed("//c", True)]
        cases = [
            ([], ["//a", "//b", "//c"]),
            (["--test_tag_filters="], ["//a", "//b", "//c"]),
            (["--test_tag_filters=-nightly"], ["//b", "//c"]),
            (["--test_tag_filters=nightly"], ["//a"]),
            (["--test_tag_filters=+fast, -nightly"], ["//b"]),
            (["--test_tag_filters=-nightly", "--jobs=2",
              "--test_tag_filters=slow,fast"], ["//a", "//b"]),
        ]
        for flags, expected in cases:
            with self.subTest(flags=flags):
                _, report = summarize(options(*flags), *ran, *built)
                self.assertEqual(
                    report, ["FAILED: %s (not run)" % label
                             for label in expected])

    def test_what_the_tag_filters_leave_out_must_build(self):
        _, report = summarize(options("--test_tag_filters=-nightly"),
                              configured("//a", "cc_test", "nightly"),
                              completed("//a", False))
        self.assertEqual(report, ["FAILED: //a (not built)"])

    def test_runs_in_two_workspaces_add_up(self):
        broken = CASE % ("B", "<failure/>")
        runs = [(0, [started("/w"), result("//a", CASE % ("A", ""))]),
                (3, [started("/w/x/y"), result("//a", broken, "FAILED")])]
        counts, report = test_summary.add_up(
            [(status, [json.dumps(e) for e in events])
             for status, events in runs])
        self.assertEqual(counts, (1, 1, 0))
        self.assertEqual(report, ["FAILED: x/y//a .B"])

    def test_a_run_that_broke_is_a_failure_whatever_the_others_did(self):
        good = [json.dumps(started("/w")),
                json.dumps(result("//a", CASE % ("A", "")))]
        broken = [json.dumps(started("/w/x"))]
        self.assertEqual(test_summary.add_up([(0, good), (1, broken)]),
                         ((1, 1, 0), ["FAILED: x: bazel ended with status 1"]))
        self.assertEqual(test_summary.add_up([(0, good), (37, [])])[0],
                         (1, 1, 0))
        # Filters that leave nothing of one workspace.
        self.assertEqual(test_summary.add_up([(0, good), (4, broken)]),
                         ((1, 0, 0), []))

    def test_a_status_belongs_to_the_file_after_it(self):
        self.assertEqual(
            test_summary.parse_runs(["--bazel_status=3", "a", "b",
                                     "--bazel_status=4", "c"]),
            [(3, "a"), (0, "b"), (4, "c")])


if __name__ == "__main__":
    unittest.main()
