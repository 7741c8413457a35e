"""fuzz_all.py with a program that stands in for libFuzzer."""

import io
import json
import os
import pathlib
import stat
import sys
import tempfile
import textwrap
import unittest

from fuzz import fuzz_all

QUERY = """<?xml version="1.1" encoding="UTF-8" standalone="no"?>
<query version="2">
  <rule class="cc_test" name="//fuzz:graph_text">
    <list name="args">
      <string value="-runs=5000"/>
      <string value="-seed=1"/>
      <string value="-dict=fuzz/graph_text.dict"/>
      <string value="fuzz/corpus/graph_text"/>
    </list>
  </rule>
  <rule class="cc_test" name="//fuzz:graph_text_crashers">
    <list name="args"><string value="fuzz/crashers/a"/></list>
  </rule>
  <rule class="cc_test" name="//fuzz:bytes">
    <list name="args"><string value="fuzz/corpus/bytes"/></list>
  </rule>
</query>
"""

# Keeps of what it is to merge the files whose names begin with "good"; else
# adds an input, and dies as often as there are words in DEATHS_LEFT.
PROGRAM = """\
    #!/usr/bin/env python3
    import os, pathlib, shutil, sys
    here = pathlib.Path(__file__).parent
    flags = [a for a in sys.argv[1:] if a.startswith("-")]
    places = [pathlib.Path(a) for a in sys.argv[1:] if not a.startswith("-")]
    if "-merge=1" in flags:
        for place in places[1:]:
            for path in place.iterdir():
                if path.name.startswith("good"):
                    shutil.copy(path, places[0])
        sys.exit(0)
    def say(line):
        print(line, file=sys.stderr)
    say("INFO: Seed: 1")
    for path in (p for place in places for p in sorted(place.rglob("*"))):
        if path.is_file() and path.read_text().startswith("poison"):
            prefix = [f for f in flags if f.startswith("-artifact_prefix=")][0]
            found = pathlib.Path(prefix.partition("=")[2] + path.read_text())
            found.write_text(path.read_text())
            say(f"Test unit written to {found}")
            sys.exit(77)
    if (here / "short").exists():
        sys.exit(0)
    say("#100\\tNEW    cov: 20 ft: 30 corp: 4/9b lim: 43 exec/s: 50 rss: 30Mb")
    (places[0] / "good-found").write_text("x")
    (places[0] / "idle-found").write_text("y")
    deaths = here / "deaths"
    words = deaths.read_text().split() if deaths.exists() else []
    if words:
        deaths.write_text(" ".join(words[1:]))
        prefix = [f for f in flags if f.startswith("-artifact_prefix=")][0]
        path = prefix.partition("=")[2] + "crash-" + words[0]
        pathlib.Path(path).write_text("z")
        say(f"SUMMARY: AddressSanitizer: {words[0]} at 0x{os.getpid():x}")
        say(f"artifact_prefix='x'; Test unit written to {path}")
        sys.exit(77)
    if (here / "broken").exists():
        say("no such flag")
        sys.exit(1)
    say("#250\\tDONE   cov: 25 ft: 35 corp: 6/9b lim: 43 exec/s: 60 rss: 30Mb")
    say("stat::number_of_executed_units: 250")
"""


# Dies of every input that says "wild".
CHECKER = """\
    #!/usr/bin/env python3
    import pathlib, sys
    assert "-runs=0" in sys.argv, sys.argv
    prefix = [f for f in sys.argv if f.startswith("-artifact_prefix=")][0]
    for place in [a for a in sys.argv[1:] if not a.startswith("-")]:
        for path in sorted(pathlib.Path(place).iterdir()):
            if path.read_text() != "wild":
                continue
            found = prefix.partition("=")[2] + "crash-replay"
            pathlib.Path(found).write_text("wild")
            print("SUMMARY: AddressSanitizer: wild", file=sys.stderr)
            print("Test unit written to " + found, file=sys.stderr)
            sys.exit(77)
    print("#9\\tDONE   cov: 90 ft: 99 corp: 9/9b lim: 9 exec/s: 9 rss: 9Mb",
          file=sys.stderr)
"""


class TargetsTest(unittest.TestCase):
    def test_are_the_tests_that_are_no_crashers(self):
        targets = fuzz_all.targets_of_query(QUERY, ["//fuzz:bytes"])
        self.assertEqual(targets, [
            fuzz_all.Target("//fuzz:bytes", ("fuzz/corpus/bytes",),
                            is_fast=True),
            fuzz_all.Target("//fuzz:graph_text", ("fuzz/corpus/graph_text",),
                            "fuzz/graph_text.dict"),
        ])
        self.assertEqual(targets[1].fuzzer, "//fuzz:graph_text_fuzzer")


class OutputTest(unittest.TestCase):
    def read(self, *lines):
        state = fuzz_all.State(fuzz_all.Target("//a:b", ()))
        reader = fuzz_all.OutputReader(state)
        for line in lines:
            reader.line(line + "\n")
        return state, reader

    def test_status_lines_of_every_kind(self):
        for line, rate in [
                ("#2\tINITED cov: 5 ft: 6 corp: 1/1b exec/s: 0 rss: 29Mb", 0),
                ("#4096\tpulse  cov: 5 ft: 6 corp: 1/1b lim: 43 exec/s: 2048 "
                 "rss: 30Mb", 2048),
                ("#9\tREDUCE cov: 5 ft: 6 corp: 1/1b lim: 4 exec/s: 7 rss: 29Mb "
                 "L: 1/1 MS: 1 EraseBytes-", 7)]:
            state, _ = self.read(line)
            self.assertEqual(state.executions, int(line[1:].split("\t")[0]))
            self.assertEqual((state.coverage, state.features, state.corpus),
                             (5, 6, 1))
            self.assertEqual(state.per_second, rate)

    def test_what_is_no_status_line_changes_nothing(self):
        state, reader = self.read("INFO: Loaded 1 modules", "#x\tNEW", "")
        self.assertEqual(state.executions, 0)
        self.assertIsNone(reader.finding())

    def test_what_a_target_says_comes_before_what_the_engine_says(self):
        for said in ("# no-misread, read at 2", "does not hold: no-misread, "
                     "read at 2"):
            _, reader = self.read(said, "# a comment",
                                  "SUMMARY: libFuzzer: deadly signal",
                                  "Test unit written to /x/crash-1")
            self.assertEqual(reader.finding(),
                             ("no-misread, read at 2", "/x/crash-1"))

    def test_an_input_without_a_summary_is_a_finding(self):
        _, reader = self.read("Test unit written to /x/crash-1")
        self.assertEqual(reader.finding(),
                         ("died without a word", "/x/crash-1"))


class QuietTest(unittest.TestCase):
    """Standard error goes to sys.stderr.getvalue()."""

    def setUp(self):
        stderr, sys.stderr = sys.stderr, io.StringIO()
        self.addCleanup(setattr, sys, "stderr", stderr)


class RunTest(QuietTest):
    def setUp(self):
        super().setUp()
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.place = pathlib.Path(directory.name)
        self.program = self.make_program("fuzzer", PROGRAM)
        self.checkers = {}
        self.seeds = self.place / "seeds"
        self.seeds.mkdir()
        (self.seeds / "good-seed").write_text("seed")

    def make_program(self, name, text):
        program = self.place / name
        program.write_text(textwrap.dedent(text))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return program

    def run_all(self, num_targets=1):
        states = [fuzz_all.State(fuzz_all.Target(f"//a:t{i}",
                                                 (str(self.seeds),)))
                  for i in range(num_targets)]
        programs = {s.target: self.program for s in states}
        fuzz_all.run_all(states, programs, self.place, 60 * num_targets, 1,
                         checkers=self.checkers)
        return states

    def corpus(self, name="t0"):
        return sorted(os.listdir(self.place / "corpus" / name))

    def test_the_corpus_is_what_merging_keeps_and_no_seed(self):
        [state] = self.run_all()
        self.assertEqual(self.corpus(), ["good-found"])
        self.assertEqual((state.new_inputs, state.corpus), (1, 2))
        self.assertEqual(state.executions, 250)
        self.assertEqual(fuzz_all.exit_status([state]), 0)
        [state] = self.run_all()
        self.assertEqual(state.new_inputs, 0)

    def test_a_target_goes_on_after_it_died(self):
        (self.place / "deaths").write_text("heap stack heap")
        [state] = self.run_all()
        self.assertEqual(sorted(state.findings), [
            "AddressSanitizer: heap at", "AddressSanitizer: stack at"])
        self.assertEqual(state.executions, 3 * 100 + 250)
        self.assertEqual(fuzz_all.exit_status([state]), 1)
        self.assertIn("crash-heap", fuzz_all.findings_text([state]))
        for path in state.findings.values():
            self.assertTrue(os.path.exists(path))

    def test_a_target_gets_beyond_inputs_of_which_it_dies_at_once(self):
        (self.seeds / "bad").write_text("poison-seed")
        (self.place / "corpus" / "t0").mkdir(parents=True)
        (self.place / "corpus" / "t0" / "bad").write_text("poison-corpus")
        [state] = self.run_all()
        self.assertEqual(len(state.findings), 1)  # alike: nobody says why
        self.assertEqual(state.executions, 250)
        self.assertEqual(self.corpus(), ["good-found"])
        self.assertTrue((self.seeds / "bad").exists())
        self.assertEqual(
            sorted(os.listdir(self.place / "findings" / "t0")),
            ["poison-corpus", "poison-seed"])

    def test_where_nothing_ran_nothing_was_found_out(self):
        (self.place / "short").write_text("")
        [state] = self.run_all()
        self.assertIn("nothing was executed", state.error)
        self.assertEqual(fuzz_all.exit_status([state]), 2)

    def test_what_goes_wrong_in_a_target_is_told(self):
        state = fuzz_all.State(fuzz_all.Target("//a:t0", ()))
        fuzz_all.run_all([state], {state.target: self.program}, self.place,
                         float("nan"), 1)
        self.assertEqual(state.status, "failed")
        self.assertEqual(fuzz_all.exit_status([state]), 2)

    def test_a_corpus_that_was_being_replaced_is_taken_up(self):
        old = self.place / "corpus" / "t0.old"
        old.mkdir(parents=True)
        (old / "good-old").write_text("x")
        self.run_all()
        self.assertEqual(self.corpus(), ["good-found", "good-old"])

    def test_what_was_found_without_sanitizers_is_replayed_with_them(self):
        target = fuzz_all.Target("//a:t0", (str(self.seeds),))
        self.checkers = {target: self.make_program("checker", CHECKER)}
        [state] = self.run_all()
        self.assertEqual((state.findings, state.status), ({}, "done"))
        (self.place / "corpus" / "t0" / "good-two").write_text("wild")
        [state] = self.run_all()
        self.assertEqual(list(state.findings), ["AddressSanitizer: wild"])
        # The numbers are of the fuzzing.
        self.assertEqual((state.executions, state.coverage), (250, 25))
        # So that the next run gets beyond it.
        self.assertEqual(self.corpus(), ["good-found"])
        self.assertEqual(self.run_all()[0].findings, {})

    def test_a_program_that_does_not_run_is_no_finding(self):
        (self.place / "broken").write_text("")
        [state] = self.run_all()
        self.assertIn("no such flag", state.error)
        self.assertEqual(fuzz_all.exit_status([state]), 2)

    def test_every_target_runs(self):
        states = self.run_all(3)
        self.assertEqual([s.status for s in states], ["done"] * 3)
        self.assertEqual(self.corpus("t2"), ["good-found"])

    def test_the_reports_say_the_same(self):
        (self.place / "deaths").write_text("heap")
        states = self.run_all()
        rows = fuzz_all.table(states).splitlines()
        self.assertEqual(len(rows), 2)
        self.assertEqual(rows[1].split()[:3], ["t0", "done", "350"])
        self.assertLessEqual(max(map(len, rows)), 80)
        [target] = json.loads(fuzz_all.as_json(states))["targets"]
        self.assertEqual(target["executions"], 350)
        self.assertEqual(target["findings"][0]["summary"],
                         "AddressSanitizer: heap at")
        self.assertIn("| `t0` | 350 |", fuzz_all.markdown(states))


class UsageTest(QuietTest):
    def test_what_makes_no_sense_is_refused(self):
        for arguments in [[], ["0"], ["-1"], ["x"], ["nan"], ["inf"],
                          ["1", "--jobs=0"]]:
            with self.assertRaises(SystemExit) as caught:
                fuzz_all.parse(arguments)
            self.assertEqual(caught.exception.code, 2, arguments)

    def test_reports_that_cannot_be_written_are_told_before_the_run(self):
        for flag in ["--json=/no/such/x", "--markdown=/"]:
            self.assertEqual(fuzz_all.main(["1", flag]), 2)
            self.assertIn("cannot be written", sys.stderr.getvalue())


if __name__ == "__main__":
    unittest.main()
