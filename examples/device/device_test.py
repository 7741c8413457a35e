"""deserializer_minimal reads what the tool writes, built as ever and built for
size, and the compiled history inside it is the one that the tool makes today."""

import filecmp
import os
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TOOL = os.path.join(ROOT, "tools", "opcompat")
DEMO = os.path.join(ROOT, "opsets", "demo")
# Which one is tested: as ever, or built for size.
PROGRAM = os.path.join(HERE, os.environ["DEVICE_PROGRAM"])


def run(*command):
    environment = dict(os.environ, OPCOMPAT_OPSETS=os.path.dirname(DEMO))
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, env=environment)
    return done.returncode, done.stdout, done.stderr


class DeviceTest(unittest.TestCase):

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.file = os.path.join(directory.name, "module.opc")

    def write(self, module, version):
        self.assertEqual(
            run(TOOL, "convert", os.path.join(DEMO, "modules", module),
                "--history=demo", "--version=" + version, "-o", self.file),
            (0, "", ""))

    def test_the_history_inside_is_that_of_the_tool(self):
        inside = os.path.join(HERE, "demo.opch")
        self.assertTrue(
            filecmp.cmp(inside, os.path.join(DEMO, "demo.opch"), shallow=False),
            "to update it: ./opcompat history demo --compile "
            "-o examples/device/demo.opch")
        out = os.path.join(os.path.dirname(self.file), "demo.opch")
        self.assertEqual(
            run(TOOL, "history", "demo", "--compile", "-o", out)[0], 0)
        self.assertTrue(filecmp.cmp(inside, out, shallow=False))

    def test_a_file_of_the_same_version_is_read(self):
        self.write("pipeline.graph", "2.1")
        status, out, err = run(PROGRAM, self.file)
        self.assertEqual((status, err), (0, ""))
        self.assertIn("forward: ", out)

    def test_an_older_device_reads_or_refuses_as_the_tool_does(self):
        for module in sorted(os.listdir(os.path.join(DEMO, "modules"))):
            path = os.path.join(DEMO, "modules", module)
            status = run(TOOL, "convert", path, "--history=demo",
                         "--version=2.1", "-o", self.file)[0]
            if status != 0:
                continue  # not valid at 2.1
            wanted, _, reasons = run(TOOL, "convert", self.file,
                                     "--history=demo", "--version=1.0",
                                     "-o", "/dev/null")
            status, _, err = run(PROGRAM, self.file, "1.0")
            self.assertEqual((status, err), (wanted, reasons), module)

    def test_what_is_no_file_is_refused(self):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write("no module")
        status, out, err = run(PROGRAM, self.file)
        self.assertEqual((status, out), (1, ""))
        self.assertIn("malformed file: it does not begin with", err)
        self.assertEqual(run(PROGRAM, self.file + ".none")[0], 2)
        self.assertEqual(run(PROGRAM)[0], 2)
        status, _, err = run(PROGRAM, self.file, "3.0")
        self.assertEqual(status, 2)
        self.assertIn("the history demo has no version 3.0", err)


if __name__ == "__main__":
    unittest.main()
