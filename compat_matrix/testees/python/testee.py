"""A reader in another language: a second implementation of the rules.

Speaks the protocol of docs/testee_protocol.md. It reads the wire with generated
protobuf code and binds by docs/compatibility.md, and has not a line in common
with the library, so that where page and library differ, the matrix shows it.
It reads only: requests to write are answered with `unsupported`.

  bazel build //compat_matrix/testees/python:testee
  bin=$(bazel info bazel-bin)
  opcompat matrix --testee="$bin/compat_matrix/testees/python/testee"
"""

import struct
import sys
import threading

import files
import steps
import text
from compat_matrix.testees import testee_pb2

PROTOCOL_VERSION = 1

MESSAGES = {
    "unknown_operator": "is not known to {reader}",
    "unknown_argument": "{argument} is unknown to {reader}",
    "no_neutral_value": "{argument} needs a neutral or retired value; there is none",
    "retired_argument": "{argument} is retired in {reader}, at another value",
    "value_does_not_fit": "{argument} does not fit the type in {reader}",
    "type_mismatch": "{argument} has a type that does not fit {reader}",
    "missing_result": "a result that is used is not there in {reader}",
    "alias_changed": "the alias or write marks of {argument} differ in {reader}",
    "newer_revision": "is of a newer revision than {reader} has",
    "no_upgrader": "no upgrader takes the call to the revision of {reader}",
    "other_history": "{argument} is of another history than that of {reader}",
    "limit": "becomes too large in {reader}",
}


def encode(name):
    return name.encode("utf-8", "surrogateescape")


class Service:
    """Answers requests."""

    def __init__(self):
        self.histories = []

    def serve(self, request):
        answer = testee_pb2.Answer(id=request.id)
        kind = request.WhichOneof("what")
        if kind == "hello":
            self.hello(request.hello, answer)
        elif kind == "set_histories":
            self.histories = [files.History(history.compiled)
                              for history in request.set_histories.histories]
            answer.done.SetInParent()
        elif kind == "read":
            self.read(request.read, answer)
        else:
            answer.unsupported.message = b"this program only reads"
        return answer

    def hello(self, request, answer):
        if request.protocol_version != PROTOCOL_VERSION:
            answer.unsupported.message = b"version %d of the testee protocol" % (
                request.protocol_version)
        elif request.required_features:
            answer.unsupported.message = b"feature " + encode(
                request.required_features[0])
        else:
            answer.hello.protocol_version = PROTOCOL_VERSION
            answer.hello.name = b"opcompat testee in Python"
            answer.hello.abilities.append(b"read")

    def opset(self, version):
        name, version_id = files.text(version.history), files.text(version.id)
        for history in self.histories:
            if history.name == name:
                return history.at(version_id)
        raise ValueError("no history %s was told" % name)

    def read(self, request, answer):
        opsets = [self.opset(version) for version in request.reader]
        reader = steps.Reader(opsets)
        try:
            module = reader.read(files.read_module(request.file))
        except files.Refusal as refusal:
            answer.refused.reasons.add(code=refusal.code,
                                       message=encode(str(refusal)))
            return
        if module is None:
            versions = ", ".join("%s %s" % (opset.history.name, opset.ids[-1])
                                 for opset in opsets)
            for reason in reader.reasons.values():
                add_reason(reason, versions, answer.refused)
            return
        answer.accepted.module = encode(text.module_text(module))
        for name, counts in sorted(reader.report.items()):
            answer.accepted.report.operators.add(operator=encode(name), **counts)
        answer.accepted.report.warnings.extend(map(encode, reader.warnings))


def add_reason(reason, versions, refused):
    problem, node = reason.problem, reason.node
    name = reason.operator.names[0]
    what = "the call"
    if problem.argument:
        what = "argument " + problem.argument
        if problem.value:
            what += "=" + problem.value
    message = MESSAGES[problem.code].format(argument=what, reader=versions)
    place = "%%%d" % node.results[0][0] if node.results else "#%d" % node.index
    refused.reasons.add(
        code=problem.code, function=encode(reason.function), node=encode(place),
        operator=encode(name), argument=encode(problem.argument),
        value=encode(problem.value), calls=reason.calls,
        message=encode("%s: %s; %d calls, first at %s:%s" % (
            name, message, reason.calls, reason.function, place)))


def run():
    service, stdin, stdout = Service(), sys.stdin.buffer, sys.stdout.buffer
    while True:
        header = stdin.read(4)
        if len(header) < 4:
            return
        length, = struct.unpack("<I", header)
        request = testee_pb2.Request.FromString(stdin.read(length))
        try:
            answer = service.serve(request)
        except Exception as error:  # pylint: disable=broad-except
            # The request is lost, the program is not.
            answer = testee_pb2.Answer(id=request.id)
            answer.error = encode("%s: %s" % (type(error).__name__, error))
        data = answer.SerializeToString()
        stdout.write(struct.pack("<I", len(data)) + data)
        stdout.flush()


def main():
    # Blocks in blocks are walked by recursion.
    sys.setrecursionlimit(100000)
    threading.stack_size(256 << 20)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()


if __name__ == "__main__":
    main()
