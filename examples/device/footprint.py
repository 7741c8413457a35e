"""What a program costs in bytes, over an empty one built alike.

    bazel run //examples/device:footprint                 prints it
    bazel run //examples/device:footprint_test -- --update   records it

As a test: fails when the stripped program has grown by more than 5 % over what
is recorded in footprint.txt.
"""

import collections
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RECORD = os.path.join(HERE, "footprint.txt")
PROGRAM = os.path.join(HERE, "deserializer_minimal_for_size")
EMPTY = os.path.join(HERE, "empty_for_size")
ALLOWED_GROWTH = 0.05

RECORD_HEAD = """\
# Bytes of deserializer_minimal, stripped, over an empty program: g++ -Oz -flto and
# gold (bazel/size.bzl), no exceptions, the system's C++ library shared, xxHash and
# what is used of abseil inside (//base/lean). To record another one:
#   bazel run //examples/device:footprint_test -- --update
"""


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout


def stripped(program, directory):
    """Returns the path of a copy of `program` without symbols."""
    out = os.path.join(directory, os.path.basename(program))
    run("strip", "--strip-all", "-o", out, os.path.realpath(program))
    return out


def sections(program):
    """Returns the bytes of each section that the file holds."""
    sizes = {}
    for line in run("readelf", "--wide", "--section-headers", program).splitlines():
        match = re.match(r" *\[ *\d+\] (\S+) +(\S+) +\S+ +\S+ +([0-9a-f]+)", line)
        if match and match.group(2) not in ("NOBITS", "NULL"):
            sizes[match.group(1)] = int(match.group(3), 16)
    return sizes


def library_of(symbol):
    """Returns whose code a demangled symbol is."""
    name = re.sub(r"^(vtable for |typeinfo (name )?for |guard variable for )", "",
                  symbol)
    if name.startswith("opcompat"):
        return "opcompat"
    if "absl::" in name.split("(")[0]:
        return "abseil"
    if name.startswith("XXH"):
        return "xxHash"
    return "C++ library" if "std::" in name else "other"


def symbols(program):
    """Returns (bytes, name) of each place in the file that has a symbol."""
    places = {}
    for line in run("nm", "--demangle", "--print-size", "--defined-only",
                    os.path.realpath(program)).splitlines():
        match = re.match(r"([0-9a-f]+) ([0-9a-f]+) ([a-zA-Z]) (.*)", line)
        if match and match.group(3) not in "bB":
            places[match.group(1)] = (int(match.group(2), 16), match.group(4))
    return list(places.values())


def measure(directory):
    """Returns the stripped copies of the program and of the empty one, and
    their sizes."""
    program, empty = stripped(PROGRAM, directory), stripped(EMPTY, directory)
    return program, empty, os.path.getsize(program), os.path.getsize(empty)


def report(directory):
    program, empty, size, empty_size = measure(directory)
    print("deserializer_minimal, stripped  %9d bytes" % size)
    print("an empty program                %9d" % empty_size)
    print("over the empty one              %9d" % (size - empty_size))
    print("\nsections, over the empty one's")
    base = sections(empty)
    for name, count in sorted(sections(program).items(), key=lambda s: -s[1]):
        if count - base.get(name, 0) >= 1024:
            print("  %-20s %9d" % (name, count - base.get(name, 0)))
    total = collections.Counter()
    largest = collections.defaultdict(list)
    for count, name in symbols(PROGRAM):
        library = library_of(name)
        total[library] += count
        largest[library].append((count, name))
    print("\ncode and constants, by library, and the largest of each")
    for library, count in total.most_common():
        print("  %-20s %9d" % (library, count))
        for symbol in sorted(largest[library], reverse=True)[:8]:
            print("    %9d  %s" % (symbol[0], symbol[1][:60]))


def recorded():
    with open(RECORD, encoding="utf-8") as file:
        return int([line for line in file if not line.startswith("#")][0])


def record(size):
    path = os.path.realpath(RECORD)
    with open(path, "w", encoding="utf-8") as file:
        file.write("%s%d\n" % (RECORD_HEAD, size))
    print("%s: %d" % (path, size))


def check(size):
    before = recorded()
    print("%d bytes over an empty program; recorded: %d (%+.1f %%)" %
          (size, before, 100.0 * (size - before) / before))
    if size <= before * (1 + ALLOWED_GROWTH):
        return 0
    print("deserializer_minimal has grown by more than %d %%. What costs:\n"
          "  bazel run //examples/device:footprint\n"
          "If it has to be, record the new size:\n"
          "  bazel run //examples/device:footprint_test -- --update" %
          (100 * ALLOWED_GROWTH))
    return 1


def main():
    with tempfile.TemporaryDirectory() as directory:
        if "--report" in sys.argv:
            report(directory)
            return 0
        _, _, size, empty_size = measure(directory)
        if "--update" in sys.argv:
            record(size - empty_size)
            return 0
        return check(size - empty_size)


if __name__ == "__main__":
    sys.exit(main())
