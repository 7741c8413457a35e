"""find_by_fuzzing.py with a program that stands in for a fuzz target."""

import pathlib
import stat
import tempfile
import unittest

from tools.faults import find_by_fuzzing

# Finds what the fault with the number 7 does.
PROGRAM = """\
#!/bin/bash
echo "#32	NEW    cov: 1 ft: 1 corp: 1/1b exec/s: 0 rss: 1Mb"
if [[ ${OPCOMPAT_FAULT-} == 7 ]]; then
  echo "# no-misread, written at 1, read at 2: 3 / 4"
  echo "SUMMARY: libFuzzer: deadly signal"
  echo "Test unit written to ./crash-1"
  exit 77
fi
if [[ ${OPCOMPAT_FAULT-} == 8 ]]; then exit 1; fi
echo "stat::number_of_executed_units: 50"
"""


class Fault:

    def __init__(self, number):
        self.number = number
        self.id = f"fault-{number}"
        self.meaning = "a"


class FuzzTest(unittest.TestCase):

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name
        self.program = pathlib.Path(directory.name) / "fuzzer"
        self.program.write_text(PROGRAM)
        self.program.chmod(self.program.stat().st_mode | stat.S_IXUSR)

    def fuzz(self, fault):
        return find_by_fuzzing.fuzz(self.program, self.directory, fault, 1, 1)

    def test_what_is_found_is_told_by_its_law(self):
        find = self.fuzz(Fault(7))
        self.assertTrue(find.found)
        self.assertEqual(find.executions, 32)
        self.assertEqual(find.how,
                         "no-misread, written at 1, read at 2: 3 / 4")

    def test_what_is_not_found_says_how_long_it_was_tried(self):
        for fault in (None, Fault(6)):
            find = self.fuzz(fault)
            self.assertFalse(find.found)
            self.assertEqual(find.executions, 50)

    def test_a_program_that_does_not_run_is_an_error(self):
        with self.assertRaisesRegex(Exception, "status 1"):
            self.fuzz(Fault(8))

    def test_the_table_has_a_row_for_each(self):
        lines = find_by_fuzzing.markdown([self.fuzz(Fault(7)), self.fuzz(Fault(6))])
        self.assertIn("| fault-7: a |", lines)
        self.assertIn("| not found |", lines)

    def test_the_ten_are_in_the_list(self):
        known = {fault.id for fault in find_by_fuzzing.fault_list.load()}
        self.assertEqual([i for i in find_by_fuzzing.TEN if i not in known], [])
        self.assertEqual(len(set(find_by_fuzzing.TEN)), 10)


if __name__ == "__main__":
    unittest.main()
