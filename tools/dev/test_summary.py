#!/usr/bin/env python3
"""Counts the test cases of `bazel test --build_event_json_file=FILE` runs.

Usage: test_summary.py [--bazel_status=N] FILE [[--bazel_status=N] FILE]...

A status belongs to the file after it. Labels of another workspace than the
first run's have its directory before them.

Lists what failed or was skipped; the last line is `N passed, N failed`, with
`, N skipped` after it if any was. A test that did not build, that did not run
though --test_tag_filters lets it, or that ended without a report, is one
failure; so is a run that Bazel ended with a status other than 0 for a reason
that no test shows.

Status 0 iff something ran, nothing failed and nothing was skipped.
"""
import collections
import json
import os
import sys
import urllib.parse
import xml.etree.ElementTree as ElementTree

# Bazel's exit status when there was no test to run.
NO_TESTS = 4

Counts = collections.namedtuple("Counts", "passed failed skipped")


def read_cases(result):
    """Returns the <testcase> elements of a testResult's XML report."""
    for output in result.get("testActionOutput", []):
        if output["name"] == "test.xml":
            path = urllib.parse.unquote(urllib.parse.urlparse(output["uri"]).path)
            try:
                return list(ElementTree.parse(path).iter("testcase"))
            except (OSError, ElementTree.ParseError):
                return []
    return []


def is_failed(case):
    return case.find("failure") is not None or case.find("error") is not None


def is_skipped(case):
    return (case.get("status") == "notrun" or
            case.get("result") in ("skipped", "suppressed") or
            case.find("skipped") is not None)


def tag_filters(command_line):
    """Returns the tags of the last --test_tag_filters among Bazel's options.

    Returns:
      The set of tags of which a test needs one (empty: it needs none), and the
      set of those that it must not have.
    """
    filters = ""
    for option in command_line:
        name, _, value = option.partition("=")
        if name == "--test_tag_filters":
            filters = value
    tags = [tag.strip() for tag in filters.split(",") if tag.strip()]
    return ({tag.lstrip("+") for tag in tags if not tag.startswith("-")},
            {tag[1:] for tag in tags if tag.startswith("-")})


def summarize(lines):
    """Counts test cases.

    Args:
      lines: the events, a JSON object each.

    Returns:
      Counts, and a line of text for each case that failed or was skipped.
    """
    results = {}  # (label, run, shard) -> the testResult of the last attempt
    tests = {}  # label of a test target -> its tags
    needed, excluded = set(), set()  # tags; see tag_filters
    built = {}  # label of a target -> whether it was built
    for line in lines:
        event = json.loads(line)
        event_id = event["id"]
        if "testResult" in event_id and "testResult" in event:
            key = event_id["testResult"]
            results[key["label"], key.get("run", 1),
                    key.get("shard", 1)] = event["testResult"]
        elif "optionsParsed" in event_id:
            needed, excluded = tag_filters(
                event.get("optionsParsed", {}).get("cmdLine", []))
        elif "targetConfigured" in event_id:
            configured = event.get("configured", {})
            if configured.get("targetKind", "").endswith("_test rule"):
                tests[event_id["targetConfigured"]["label"]] = set(
                    configured.get("tag", []))
        elif "targetCompleted" in event_id:
            built[event_id["targetCompleted"]["label"]] = event.get(
                "completed", {}).get("success", False)

    passed = failed = skipped = 0
    report = []
    for (label, _, _), result in sorted(results.items(), key=lambda r: r[0]):
        cases = read_cases(result)
        bad = [c for c in cases if is_failed(c)]
        out = [c for c in cases if not is_failed(c) and is_skipped(c)]
        for case in bad + out:
            report.append("%s: %s %s.%s" %
                          ("FAILED" if is_failed(case) else "SKIPPED", label,
                           case.get("classname", ""), case.get("name", "")))
        status = result.get("status", "NO_STATUS")
        if status != "PASSED" and not bad:
            report.append("FAILED: %s (%s)" % (label, status))
            failed += 1
        elif not cases:
            # It passed, but does not say what: one case.
            passed += 1
        failed += len(bad)
        skipped += len(out)
        passed += len(cases) - len(bad) - len(out)

    tested = {label for label, _, _ in results}
    # A test that the filters leave out is built all the same.
    wanted = {label for label, tags in tests.items()
              if not tags & excluded and (not needed or tags & needed)}
    for label, success in sorted(built.items()):
        if not success and label not in tested:
            report.append("FAILED: %s (not built)" % label)
            failed += 1
        elif label in wanted and label not in tested:
            report.append("FAILED: %s (not run)" % label)
            failed += 1
    return Counts(passed, failed, skipped), report


def workspace_of(lines):
    """Returns the directory of the workspace that was tested; "": unknown."""
    for line in lines:
        event = json.loads(line)
        if "started" in event["id"]:
            return event.get("started", {}).get("workspaceDirectory", "")
    return ""


def add_up(runs):
    """Counts the test cases of several runs.

    Args:
      runs: for each run, Bazel's status and its events, a JSON object each.

    Returns:
      What summarize does, for all together; a run that failed for a reason that
      no test shows is one failure.
    """
    total = Counts(0, 0, 0)
    report = []
    root = None
    for status, lines in runs:
        counts, lines_of_run = summarize(lines)
        if status not in (0, NO_TESTS) and not counts.failed + counts.skipped:
            lines_of_run.append("FAILED: bazel ended with status %d" % status)
            counts = counts._replace(failed=1)
        workspace = workspace_of(lines)
        root = root or workspace
        place = os.path.relpath(workspace, root) if workspace else "."
        for line in lines_of_run:
            outcome, _, what = line.partition(": ")
            if place != ".":
                what = place + (what if what.startswith("//") else ": " + what)
            report.append("%s: %s" % (outcome, what))
        total = Counts(*(a + b for a, b in zip(total, counts)))
    return total, report


def parse_runs(arguments):
    """Returns the (status, file) pairs that the command line names."""
    runs = []
    status = 0
    for argument in arguments:
        if argument.startswith("--bazel_status="):
            status = int(argument.partition("=")[2])
        else:
            runs.append((status, argument))
            status = 0
    return runs


def main():
    runs = []
    for status, path in parse_runs(sys.argv[1:]):
        with open(path, encoding="utf-8") as lines:
            runs.append((status, list(lines)))
    if not runs:
        sys.exit(__doc__)
    counts, report = add_up(runs)
    for line in report:
        print(line)
    text = "%d passed, %d failed" % (counts.passed, counts.failed)
    if counts.skipped:
        text += ", %d skipped" % counts.skipped
    print(text)
    sys.exit(not counts.passed or counts.failed > 0 or counts.skipped > 0)


if __name__ == "__main__":
    main()
