"""The dump of the toy registry is an opset file that the tool takes."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

DUMPER = os.path.abspath("examples/registry_dump/registry_dump")
TOOL = os.path.abspath("tools/opcompat")
PAGE = pathlib.Path("docs/dumping_schemas.md")

EXPECTED = """\
opset toy 1.2
toy::flip(Tensor(a) x, bool copy=False) -> Tensor(a)
toy::pad(Tensor x, int[] size=[1, 1], *, str mode="a \\"quoted\\" word", int? limit=None) -> Tensor
toy::scale(Tensor x, float factor=0.10000000000000001) -> Tensor
toy::scale.out(Tensor x, float factor=0.10000000000000001, *, Tensor(a!) out) -> Tensor(a!)
"""


def dump():
    return subprocess.run([DUMPER], stdout=subprocess.PIPE, check=True,
                          universal_newlines=True).stdout


def tool(*arguments, text=None):
    return subprocess.run([TOOL] + list(arguments), input=text,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False, universal_newlines=True)


class RegistryDumpTest(unittest.TestCase):

    def test_is_as_the_page_shows(self):
        self.assertEqual(dump(), EXPECTED)
        block = re.search(r"```\n(opset toy .*?)```", PAGE.read_text(), re.S)
        self.assertEqual(block.group(1), EXPECTED)

    def test_the_tool_takes_every_schema(self):
        done = tool("schema", "-", "--format=json", text=dump())
        self.assertEqual(done.returncode, 0, done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual(answer["faults"], [])
        self.assertEqual((answer["opset"], answer["version"]), ("toy", "1.2"))
        # Canonical already: each is printed as it came.
        self.assertEqual([s["schema"] for s in answer["schemas"]],
                         EXPECTED.splitlines()[1:])

    def test_it_becomes_a_version_of_a_history(self):
        with tempfile.TemporaryDirectory() as directory:
            place = pathlib.Path(directory)
            (place / "toy-1.1.ops").write_text(
                "opset toy 1.1\ntoy::scale(Tensor x) -> Tensor\n")
            (place / "history.textproto").write_text(
                'name: "toy"\n'
                'versions { id: "1.1" operators: "toy-1.1.ops" }\n')
            done = tool("history", "add-version", directory, "-", text=dump())
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual((place / "toy-1.2.ops").read_text(), EXPECTED)
            self.assertEqual(tool("history", directory).returncode, 0)


if __name__ == "__main__":
    unittest.main()
