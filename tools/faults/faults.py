"""The list of small faults (faults.toml) and how they get into a source file.

For run.py, and for the test that keeps the list true to the sources. Nothing
here builds or runs anything.

Every fault of a file is compiled in at once, each behind a question: is this
the active one? So one build serves all of them. Which one is active, a number
from 1 on, is read once from the environment variable OPCOMPAT_FAULT; without
it the program is the one that ships.
"""

import collections
import dataclasses
import pathlib
import re
import tomllib

LIST = pathlib.Path(__file__).parent / "faults.toml"

# How a fault is written into the source; see the comment in faults.toml.
KINDS = ("expression", "statement", "before", "text")
# Stands in a fault of kind `text` for the question whether it is active.
ACTIVE = "FAULT"

ACTIVE_VARIABLE = "OPCOMPAT_FAULT"
REACHED_VARIABLE = "OPCOMPAT_FAULTS_REACHED"
# Bytes of the file that says which faults a program has come by.
REACHED_SIZE = 4096

# What each file with faults begins with. A program asks by the number of a
# fault; that it has asked is noted in a file, if there is one, so that run.py
# knows which tests can notice which fault.
_PRELUDE = """\
#ifndef OPCOMPAT_FAULTS_PRELUDE_
#define OPCOMPAT_FAULTS_PRELUDE_
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
namespace opcompat_faults {
struct State {
  int active = 0;
  unsigned char* reached = nullptr;
};
inline const State& TheState() {
  static const State state = [] {
    State made;
    if (const char* number = getenv("%(active)s")) made.active = atoi(number);
    const char* path = getenv("%(reached)s");
    const int file = path == nullptr ? -1 : open(path, O_RDWR);
    if (file >= 0) {
      void* map = mmap(nullptr, %(size)d, PROT_READ | PROT_WRITE, MAP_SHARED,
                       file, 0);
      if (map != MAP_FAILED) made.reached = static_cast<unsigned char*>(map);
      close(file);
    }
    return made;
  }();
  return state;
}
inline bool IsActive(int fault) {
  const State& state = TheState();
  if (state.reached != nullptr) state.reached[fault] = 1;
  return state.active == fault;
}
}  // namespace opcompat_faults
#endif  // OPCOMPAT_FAULTS_PRELUDE_
#line 1 "%(file)s"
"""


class FaultListError(Exception):
    """The list does not fit the sources, or itself."""


@dataclasses.dataclass(frozen=True)
class Fault:
    number: int
    id: str
    file: str
    kind: str
    original: str
    faulty: str
    count: int
    meaning: str


def load(path=LIST):
    """The faults of the list, numbered from 1. Raises FaultListError."""
    with open(path, "rb") as file:
        try:
            data = tomllib.load(file)
        except tomllib.TOMLDecodeError as error:
            raise FaultListError(f"{path}: {error}") from error
    problems = []
    faults = []
    seen = set()
    for i, entry in enumerate(data.get("fault", []), start=1):
        fault_id = entry.get("id", f"number {i}")
        missing = {"id", "file", "original", "faulty", "meaning"} - set(entry)
        unknown = set(entry) - {"id", "file", "kind", "original", "faulty",
                                "count", "meaning"}
        for key in sorted(missing):
            problems.append(f"fault {fault_id}: no `{key}`")
        for key in sorted(unknown):
            problems.append(f"fault {fault_id}: what is `{key}`?")
        if missing or unknown:
            continue
        fault = Fault(i, fault_id, entry["file"],
                      entry.get("kind", "expression"),
                      entry["original"].strip("\n"),
                      entry["faulty"].strip("\n"), entry.get("count", 1),
                      entry["meaning"])
        if fault.kind not in KINDS:
            problems.append(f"fault {fault.id}: kind `{fault.kind}`, expected "
                            f"one of {', '.join(KINDS)}")
        if fault.kind == "text" and ACTIVE not in fault.faulty:
            problems.append(f"fault {fault.id}: its text never asks {ACTIVE}")
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fault.id):
            problems.append(f"fault {fault.id}: ids are words and hyphens")
        if not fault.meaning.strip():
            problems.append(f"fault {fault.id}: it does not say what it means")
        if fault.id in seen:
            problems.append(f"fault {fault.id}: listed twice")
        seen.add(fault.id)
        faults.append(fault)
    if not faults:
        problems.append(f"{path}: no fault")
    if len(faults) >= REACHED_SIZE:
        problems.append(f"{path}: more than {REACHED_SIZE - 1} faults")
    if problems:
        raise FaultListError("\n".join(problems))
    return faults


def by_file(faults):
    """The faults by the file that they are in, files in order of the list."""
    files = collections.OrderedDict()
    for fault in faults:
        files.setdefault(fault.file, []).append(fault)
    return files


def _places(text, part):
    begin = text.find(part)
    while begin >= 0:
        yield begin
        begin = text.find(part, begin + len(part))


def _with_faults(original, faults):
    """`original` with the faults, all of which have that original text."""
    text = original
    for fault in reversed(faults):
        active = f"opcompat_faults::IsActive({fault.number})"
        if fault.kind == "expression":
            text = f"({active} ? ({fault.faulty}) : ({text}))"
        elif fault.kind == "statement":
            text = f"if ({active}) {{ {fault.faulty} }} else {{ {text} }}"
        elif fault.kind == "before":
            text = f"if ({active}) {{ {fault.faulty} }}\n{text}"
        elif len(faults) > 1:
            raise FaultListError(
                f"fault {fault.id}: one of kind `text` shares its original "
                "text with another")
        else:
            text = fault.faulty.replace(ACTIVE, active)
    return text


def apply(file, source, faults):
    """The text of `file` with all of `faults`. Raises FaultListError, with all
    that does not fit: such a fault is stale, or the list wrong."""
    problems = []
    originals = collections.OrderedDict()
    for fault in faults:
        found = source.count(fault.original)
        if found != fault.count:
            problems.append(
                f"fault {fault.id} is stale: {file} has its original text "
                f"{found} times, expected {fault.count}")
        else:
            originals.setdefault(fault.original, []).append(fault)
    places = []  # (begin, end, faults)
    for original, of_text in originals.items():
        for begin in _places(source, original):
            places.append((begin, begin + len(original), of_text))
    places.sort(key=lambda place: place[:2])
    for before, after in zip(places, places[1:]):
        if after[0] < before[1]:
            problems.append(
                f"the faults {before[2][0].id} and {after[2][0].id} overlap "
                f"in {file}")
    text = []
    end = 0
    for begin, place_end, of_text in places:
        text.append(source[end:begin])
        try:
            text.append(_with_faults(source[begin:place_end], of_text))
        except FaultListError as error:
            problems.append(str(error))
        end = place_end
    text.append(source[end:])
    if problems:
        raise FaultListError("\n".join(problems))
    prelude = _PRELUDE % {"active": ACTIVE_VARIABLE,
                          "reached": REACHED_VARIABLE,
                          "size": REACHED_SIZE, "file": file}
    return prelude + "".join(text)


def apply_all(root, faults):
    """{file: its text with the faults} for every file that has any. Raises
    FaultListError with the problems of all files."""
    problems = []
    texts = {}
    for file, of_file in by_file(faults).items():
        path = pathlib.Path(root) / file
        if not path.is_file():
            problems.append(f"{of_file[0].id}: there is no file {file}")
            continue
        try:
            texts[file] = apply(file, path.read_text(encoding="utf-8"),
                                of_file)
        except FaultListError as error:
            problems.append(str(error))
    if problems:
        raise FaultListError("\n".join(problems))
    return texts
