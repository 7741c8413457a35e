"""The arguments that BUILD files give to tests, for scripts that run tests
themselves."""

import xml.etree.ElementTree


def arguments_of_tests(query_output):
    """{label: [argument]} of the rules in what `bazel query --output=xml`
    prints."""
    return {
        rule.get("name"): [
            argument.get("value")
            for argument in rule.findall("./list[@name='args']/string")]
        for rule in xml.etree.ElementTree.fromstring(query_output).iter("rule")}
