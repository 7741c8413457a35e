"""Tests of the importer, on the opsets that it made."""

import contextlib
import io
import os
import pathlib
import random
import sys
import tempfile
import types
import unittest
from unittest import mock

from tools import import_torch_opset

OPSETS = pathlib.Path("opsets/torch")


def run(*arguments):
    """Returns the exit status and what went to both outputs."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = import_torch_opset.main(list(arguments))
        except SystemExit as stop:
            status = stop.code
    return status, out.getvalue(), err.getvalue()


class ImportTorchOpsetTest(unittest.TestCase):

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dump = os.path.join(directory.name, "dump.txt")

    def write_dump(self, text):
        pathlib.Path(self.dump).write_text(text, encoding="utf-8")

    def test_makes_the_shipped_files_from_their_schemas_in_any_order(self):
        files = sorted(OPSETS.glob("*.ops"))
        self.assertEqual(len(files), 3)
        for file in files:
            text = file.read_text(encoding="utf-8")
            version = text.split()[2]
            schemas = [line for line in text.split("\n")[1:]
                       if not line.startswith("#")]
            for seed in range(3):
                random.Random(seed).shuffle(schemas)
                self.write_dump("\n".join(schemas) + "\n# a comment\n")
                self.assertEqual(run("--version", version, self.dump),
                                 (0, text, ""))

    def test_the_same_schema_twice_is_kept_once(self):
        self.write_dump("a::f() -> ()\na::e() -> ()\na::f() -> ()\n")
        status, text, _ = run("--version", "1", self.dump)
        self.assertEqual(status, 0)
        self.assertTrue(text.endswith("\na::e() -> ()\na::f() -> ()\n"))
        self.assertEqual(text.count("a::f("), 1)

    def test_what_is_no_list_of_schemas_is_refused_with_its_line(self):
        for text, message in (
            ("", "found no schema"),
            ("# only this\n\n", "found no schema"),
            ("a::f() -> ()\nTraceback:\n", "2: expected `ns::name(...)"),
            ("a::f()\n", "1: expected `ns::name(...)"),
            ("a::f() -> ()\n\na::f(int b) -> ()\n", "3: a::f has two"),
        ):
            self.write_dump(text)
            status, out, err = run("--version", "1", self.dump)
            self.assertEqual((status, out), (1, ""), text)
            self.assertIn(message, err)

    def test_a_dump_that_cannot_be_read_is_an_error(self):
        status, _, err = run("--version", "1", self.dump)
        self.assertEqual(status, 1)
        self.assertIn("No such file", err)
        pathlib.Path(self.dump).write_bytes(b"\xff\n")
        self.assertEqual(run("--version", "1", self.dump)[0], 1)

    def test_reads_the_registry_of_an_installed_pytorch(self):
        torch = types.ModuleType("torch")
        torch.__version__ = "2.7.0+cpu"
        torch._C = types.SimpleNamespace(
            _jit_get_all_schemas=lambda: ["a::f() -> ()", "a::e() -> ()"])
        with mock.patch.dict(sys.modules, {"torch": torch}):
            status, text, _ = run("--installed")
            renamed = run("--installed", "--version", "2.7.0")[1]
        self.assertEqual(status, 0)
        self.assertTrue(text.startswith("opset torch 2.7.0+cpu\n#"))
        self.assertTrue(text.endswith("\na::e() -> ()\na::f() -> ()\n"))
        self.assertTrue(renamed.startswith("opset torch 2.7.0\n#"))

    def test_says_so_if_there_is_no_pytorch(self):
        with mock.patch.dict(sys.modules, {"torch": None}):
            status, _, err = run("--installed")
        self.assertEqual(status, 1)
        self.assertIn("cannot import torch", err)

    def test_wrong_arguments_are_refused(self):
        for arguments in ((), ("--installed", "x"), ("dump.txt",)):
            self.assertEqual(run(*arguments)[0], 2)
        self.write_dump("a::f() -> ()\n")
        self.assertEqual(run("--version", "1 2", self.dump)[0], 1)


if __name__ == "__main__":
    unittest.main()
