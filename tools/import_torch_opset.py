#!/usr/bin/env python3
"""Makes an opset file (.ops) of the operators that a PyTorch has registered.

    tools/import_torch_opset.py --version 2.6.0 schemas.txt -o torch-2.6.0.ops
    tools/import_torch_opset.py --installed -o torch.ops

Reads either a dump, one schema a line as PyTorch prints it, in any order; or
the registry of the PyTorch that this Python can import. Writes the schemas
byte for byte, sorted by operator, so that the same registry always gives the
same file. Needs nothing but the standard library (and torch for --installed).
"""

import argparse
import re
import sys

# `ns::name.overload(arguments) -> results`. The schema parser says what is
# wrong inside; this only tells a schema from a stray line of a log.
_SCHEMA = re.compile(r"([\w.]+::[\w.]+)\(.*\) -> \S.*")

# As versions name themselves: 1.7.1, 2.6.0, 2.7.0a0+git1234.
_VERSION = re.compile(r"[\w.+-]+")

_HEADER = """\
opset torch {version}
# The operators that PyTorch {version} has registered, as it prints their
# schemas itself, sorted by name. Made by tools/import_torch_opset.py from
# {source}; run it again rather than edit this.
#
# The schemas are PyTorch's, Copyright (c) 2016- Facebook, Inc. and the other
# contributors that https://github.com/pytorch/pytorch/blob/main/LICENSE names.
# SPDX-License-Identifier: BSD-3-Clause
"""


class ImportFailure(Exception):
    """What is wrong with the input, for people."""


def installed_schemas():
    """Returns the version of the installed PyTorch and its schemas as text."""
    try:
        import torch  # pylint: disable=import-outside-toplevel
    except ImportError as error:
        raise ImportFailure(
            f"cannot import torch ({error}); give a dump instead") from error
    # pylint: disable=protected-access
    return torch.__version__, [str(s) for s in torch._C._jit_get_all_schemas()]


def opset_text(lines, version, source):
    """Returns the opset file for the schemas in `lines`.

    Blank lines and lines that begin with # are left out, a schema that occurs
    again is kept once. Raises ImportFailure for a line that is no schema and
    for two different schemas of one operator.
    """
    schemas = {}
    for number, line in enumerate(lines, 1):
        schema = line.strip()
        if not schema or schema.startswith("#"):
            continue
        match = _SCHEMA.fullmatch(schema)
        if match is None:
            raise ImportFailure(f"{number}: expected `ns::name(...) -> ...`, "
                                f"found {schema[:80]!r}")
        name = match.group(1)
        if schemas.setdefault(name, schema) != schema:
            raise ImportFailure(f"{number}: {name} has two schemas:\n"
                                f"  {schemas[name]}\n  {schema}")
    if not schemas:
        raise ImportFailure("found no schema")
    header = _HEADER.format(version=version, source=source)
    return header + "".join(schemas[name] + "\n" for name in sorted(schemas))


def main(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump", nargs="?", help="file of schemas; - is stdin")
    parser.add_argument("--installed", action="store_true",
                        help="read the registry of the installed PyTorch")
    parser.add_argument("--version",
                        help="the PyTorch version that made the dump; "
                        "default with --installed: its own")
    parser.add_argument("-o", "--output", default="-", help="default: stdout")
    options = parser.parse_args(arguments)
    if options.installed == (options.dump is not None):
        parser.error("give either a dump or --installed")
    if not options.installed and not options.version:
        parser.error("a dump needs --version")

    try:
        version = options.version
        if options.installed:
            installed, lines = installed_schemas()
            version = version or installed
            source = "an installed PyTorch"
        else:
            # Newlines as they are: only "\n" ends a line.
            is_stdin = options.dump == "-"
            with open(0 if is_stdin else options.dump, encoding="utf-8",
                      newline="\n", closefd=not is_stdin) as dump:
                lines = dump.read().split("\n")
            source = "a dump of its registry"
        if _VERSION.fullmatch(version) is None:
            raise ImportFailure(f"{version!r} is no version id")
        text = opset_text(lines, version, source)
        if options.output == "-":
            sys.stdout.write(text)
        else:
            with open(options.output, "w", encoding="utf-8",
                      newline="\n") as output:
                output.write(text)
    except (ImportFailure, OSError, UnicodeDecodeError) as error:
        print(f"import_torch_opset.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
