"""Reads what the reports write with other programs' parsers: JSON, XML, HTML,
SQLite. docs/matrix.md documents the fields; both are held against each other.
"""

import html.parser
import json
import os
import re
import sqlite3
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
NASTY = ("\"q\" 'a' <b>&amp; </script><script>window.hacked=1</script> <!-- ]]> "
         "`c` | * _ \\ ")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Scripts(html.parser.HTMLParser):
    """The script elements of a page: (attributes, content)."""

    def __init__(self):
        super().__init__()
        self.scripts = []
        self.tags = []
        self._open = None

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self._open = [dict(attrs), ""]

    def handle_data(self, data):
        if self._open:
            self._open[1] += data

    def handle_endtag(self, tag):
        if tag == "script":
            self.scripts.append(tuple(self._open))
            self._open = None


class ReportsTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        subprocess.run([os.path.join(HERE, "sample_reports"), cls.directory],
                       check=True)

    def path(self, name):
        return os.path.join(self.directory, name)

    def page(self, name):
        parser = Scripts()
        parser.feed(read(self.path(name)))
        return parser

    def documented(self, heading):
        """The fields that docs/matrix.md lists in the table below a heading."""
        text = read(os.path.join(HERE, "../../docs/matrix.md"))
        section = text.split("\n### %s\n" % heading, 1)[1].split("\n#", 1)[0]
        return set(re.findall(r"^\| `([a-z_]+)`", section, re.MULTILINE))

    def test_json_has_what_is_documented_and_nothing_else(self):
        report = json.loads(read(self.path("states.json")))
        # A run has these two, what is made by hand has not.
        self.assertEqual(self.documented("The document") - {"run", "expected_refusals"},
                         set(report))
        self.assertEqual(report["schema"], 1)
        self.assertEqual(self.documented("The summary"), set(report["summary"]))
        cells = set().union(*report["cells"])
        self.assertEqual(self.documented("A cell") - {"of_module"}, cells)
        reasons = [r for cell in report["cells"] for r in cell["reasons"]]
        self.assertEqual(self.documented("A reason"), set().union(*reasons))
        rows = [r for cell in report["cells"] for r in cell.get("report", [])]
        self.assertEqual(self.documented("A line of `report`"),
                         set().union(*rows))

    def test_json_keeps_every_character_that_it_can(self):
        report = json.loads(read(self.path("states.json")))
        nasty = [c for c in report["cells"] if c["module"].startswith("nasty")]
        self.assertEqual([c["state"] for c in nasty],
                         ["unexpected", "misread", "crashed", "hung"])
        for cell in nasty:
            self.assertTrue(cell["detail"].startswith(NASTY + "\n\t\r\x1b[31m"))
            self.assertTrue(cell["detail"].endswith("\u2028 \U0001f600 end"))

    def test_json_counts_what_it_lists(self):
        report = json.loads(read(self.path("states.json")))
        states = [cell["state"] for cell in report["cells"]]
        summary = report["summary"]
        self.assertEqual(summary["cells"], len(states))
        for state in "identical", "refused", "misread", "hung", "unexpected":
            self.assertEqual(summary[state], states.count(state))
        self.assertEqual(summary["crashed"],
                         states.count("crashed") + states.count("hung"))

    def test_xml_is_well_formed_and_counts(self):
        root = ElementTree.parse(self.path("states.xml")).getroot()
        self.assertEqual(root.tag, "testsuites")
        self.assertEqual((root.get("tests"), root.get("failures"),
                          root.get("errors"), root.get("skipped")),
                         ("7", "1", "2", "0"))
        for suite in root:
            cases = suite.findall("testcase")
            self.assertEqual(int(suite.get("tests")), len(cases))
            self.assertEqual(int(suite.get("failures")),
                             len(suite.findall("testcase/failure")))
            self.assertEqual(int(suite.get("errors")),
                             len(suite.findall("testcase/error")))
        self.assertEqual(root.findall(".//skipped"), [])

    def test_xml_lists_the_bad_cells(self):
        root = ElementTree.parse(self.path("states.xml")).getroot()
        failure, = root.iter("failure")
        self.assertEqual(failure.get("type"), "misread")
        self.assertEqual(failure.get("message"),
                         "1 misread, 0 crashed, 1 unexpected of 2 cells")
        self.assertIn("misread: nasty/" + NASTY, failure.text)
        self.assertIn("unexpected: nasty/" + NASTY, failure.text)
        self.assertEqual([e.get("type") for e in root.iter("error")],
                         ["crashed", "crashed"])

    def test_a_page_is_one_file_that_asks_for_nothing(self):
        for name in "states.html", "runs.html", "cut.html":
            page = self.page(name)
            for tag, attributes in page.tags:
                self.assertNotIn("src", attributes, tag)
                self.assertFalse([a for a in attributes if a.startswith("on")])
                if tag != "a":
                    self.assertNotIn("href", attributes, tag)
            policy, = [a["content"] for tag, a in page.tags
                       if a.get("http-equiv") == "Content-Security-Policy"]
            self.assertIn("default-src 'none'", policy)
            self.assertNotIn("unsafe", policy)
            # Two of data, one that runs.
            self.assertEqual([s[0].get("id") for s in page.scripts],
                             ["lines", "run", None])

    def test_a_page_has_all_cells(self):
        lines = self.page("states.html").scripts[0][1].strip().split("\n")
        modules = [json.loads(line[1:]) for line in lines if line[0] == "M"]
        states = "".join(l["s"] for m in modules for l in m["l"]).replace("-", "")
        self.assertEqual("".join(sorted(states)), "AAACHIIIMRRU")
        operators = [json.loads(line[1:]) for line in lines if line[0] == "O"]
        self.assertIn("t::f", operators)
        self.assertNotIn("s::no", operators)  # within a string
        for module in modules:
            for layer in module["l"]:
                self.assertEqual(len(layer["d"]),
                                 len(layer["s"].replace("-", "")))

    def test_a_run_without_a_name_tells_its_time_once(self):
        text = read(self.path("first.md"))
        self.assertIn("\nRun of 2027-01-15 08:00:00 UTC.\n", text)
        self.assertEqual(text.count("2027-01-15"), 1)

    def test_equal_details_are_in_a_page_once(self):
        lines = self.page("states.html").scripts[0][1].strip().split("\n")
        details = [line for line in lines if line[0] in "DT"]
        self.assertEqual(len(details), len(set(details)))

    def test_the_database_is_as_documented(self):
        text = read(os.path.join(HERE, "../../docs/matrix.md"))
        section = text.split("\n## The database\n", 1)[1].split("\n## ", 1)[0]
        documented = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", section, re.MULTILINE))
        database = sqlite3.connect(self.path("runs.sqlite"))
        tables = [name for name, in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'")]
        self.assertEqual(set(documented), set(tables))
        for table in tables:
            columns = [row[1] for row in database.execute(
                "PRAGMA table_info(%s)" % table)]
            self.assertEqual(re.findall(r"`(\w+)`", documented[table]), columns)
        self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(),
                         [("ok",)])
        self.assertEqual(database.execute("PRAGMA foreign_key_check").fetchall(), [])
        database.close()

    def test_the_query_in_the_docs_works(self):
        text = read(os.path.join(HERE, "../../docs/matrix.md"))
        query, = re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
        database = sqlite3.connect(self.path("runs.sqlite"))
        self.assertEqual(database.execute(query).fetchall(),
                         [("modules/one.graph", "t", "1.0", "2.0", "misread")])
        database.close()


if __name__ == "__main__":
    unittest.main()
