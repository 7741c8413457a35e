#!/usr/bin/env python3
"""The small cases run, and the table says what was measured."""
import os
import unittest

from benchmarks import table

PROGRAM = os.path.join(os.path.dirname(__file__), "wire_benchmark")


class TableTest(unittest.TestCase):

    def test_medians_of_ratios_within_runs(self):
        def run(read, nested):
            return {"read/M": {"ns_per_node": read, "bytes_per_node": 4.5,
                               "schema_bytes": 4000, "memory_per_node": 50},
                    "read_nested_protobuf/M": {"ns_per_node": nested}}
        lines = table.lines_of([run(1, 4), run(10, 60), run(2, 10)])
        self.assertEqual(lines, [
            ("read M: nested protobuf / ours", 5, ">= 4"),
            ("file M: bytes per node, schemas apart", 4.5, "<= 5"),
            ("file M: bytes per used schema", 100, "<= 130"),
            ("module M: memory per node with uses, bytes", 50, "<= 90"),
        ])
        text = table.format_table(lines + [("x", 3, "<= 2")])
        self.assertEqual(text.splitlines()[-1].split(),
                         ["x", "3.00", "<=", "2", "MISSED"])
        self.assertEqual(text.count("MISSED"), 1)

    def test_growth_is_per_node_and_leaves_out_what_did_not_run(self):
        def run(read):
            return {"read/M": {"ns_per_node": read * 1e-9,
                               "memory_per_node": 50, "bytes_per_node": 4.5},
                    "write/M": {"ns_per_node": 2e-9},
                    "read/L": {"ns_per_node": 1e-9}}
        lines = table.growth_of([run(3), run(100), run(4)])
        self.assertEqual(len(lines), 1)
        case, nodes, read, write, memory, size = lines[0]
        self.assertEqual((case, nodes, memory, size), ("M", 10000, 50, 4.5))
        self.assertAlmostEqual(read, 4)
        self.assertAlmostEqual(write, 2)
        self.assertEqual(len(table.format_growth(lines).splitlines()), 2)

    def test_every_row_of_the_small_cases_runs(self):
        rows = table.run_once(PROGRAM, ["S"])
        self.assertGreater(len(rows), 10)
        for name, row in rows.items():
            self.assertNotIn("error_message", row, name)
            self.assertGreater(row["ns_per_node"], 0, name)
        for ratio in table.RATIOS:
            for name in (ratio.top, ratio.bottom):
                self.assertIn(name.split("/")[0] + "/S", rows)


if __name__ == "__main__":
    unittest.main()
