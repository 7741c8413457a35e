"""A testee that does whatever the file that it is to read says: crash, hang,
answer nonsense. It knows the bytes of a few messages and no protobuf.

The argument, if there is one, goes wrong before that: at the first greeting.
`reader` says that it only reads; `hang FILE` writes its process number into
FILE before its first answer to a reading, which never comes.
"""

import os
import signal
import struct
import sys
import time


def take(size):
    data = sys.stdin.buffer.read(size)
    if len(data) < size:
        sys.exit(0)
    return data


def frame(message):
    return struct.pack("<I", len(message)) + message


def send(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def varint(number):
    data = bytearray()
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    data.append(number)
    return bytes(data)


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def answer(number, kind, content):
    """A frame with the message Answer that has the field `kind`."""
    return frame(b"\x08" + varint(number) + field(kind, content))


HELLO, DONE, ACCEPTED, REFUSED, WRITTEN, ERROR, UNSUPPORTED = range(2, 9)
GOOD_HELLO = b"\x08\x01"
MODULE = b"opset t 1\nfunc f(%x : Tensor) -> (Tensor):\n  return (%x)\n"


def obey(number, request):
    """Answers, or not, as a word in the request says."""
    if b"do:segv" in request:
        os.kill(os.getpid(), signal.SIGSEGV)
    elif b"do:exit" in request:
        print("out of ideas", file=sys.stderr)
        sys.exit(3)
    elif b"do:hang" in request:
        sys.stdin.buffer.read()  # until the input ends: never, while asked
        while True:
            time.sleep(1000)
    elif b"do:babble" in request:
        while True:
            print("still thinking", file=sys.stderr)
    elif b"do:garbage" in request:
        send(frame(b"\xff\xff\xff\xff"))
    elif b"do:half" in request:
        send(answer(number, ACCEPTED, field(1, MODULE))[:-10])
        sys.exit(0)
    elif b"do:long" in request:
        send(struct.pack("<I", 0xfffffff0))
        while True:
            send(b"x" * 65536)
    elif b"do:twice" in request:
        send(2 * answer(number, ACCEPTED, field(1, MODULE)))
    elif b"do:other id" in request:
        send(answer(number + 1, ACCEPTED, field(1, MODULE)))
    elif b"do:other kind" in request:
        send(answer(number, DONE, b""))
    elif b"do:nothing" in request:
        send(frame(b""))
    elif b"do:no reason" in request:
        send(answer(number, REFUSED, b""))
    elif b"do:no code" in request:
        send(answer(number, REFUSED, field(1, field(1, b"whim"))))
    elif b"do:many words" in request:
        send(answer(number, REFUSED, field(1, field(1, b"alias_changed") +
                                           field(9, b"no, " * 2000000))))
    elif b"do:no module" in request:
        send(answer(number, ACCEPTED, field(1, b"func f(:\n")))
    elif b"do:error" in request:
        send(answer(number, ERROR, b"no memory"))
    elif b"do:unsupported" in request:
        send(answer(number, UNSUPPORTED, field(1, b"reading")))
    elif b"do:refuse" in request:
        send(answer(number, REFUSED, field(1, field(1, b"alias_changed") +
                                           field(9, b"not today"))))
    elif b"do:write" in request:
        send(answer(number, WRITTEN, field(1, b"a file")))
    elif b"do:memory" in request:
        bytearray(1 << 40)
    else:
        send(answer(number, ACCEPTED, field(1, MODULE)))


def main():
    at_start = sys.argv[1] if len(sys.argv) > 1 else ""
    if at_start == "crash":
        sys.exit(4)
    number = 0
    told = b""
    hello = {"newer": b"\x08\x02",
             "reader": GOOD_HELLO + field(3, b"read")}.get(at_start, GOOD_HELLO)
    while True:
        request = take(struct.unpack("<I", take(4))[0])
        # The id comes first; tests ask less than 16384 times.
        number = request[1]
        if number > 127:
            number = number & 127 | request[2] << 7
        kind = request[2 if request[1] < 128 else 3] >> 3
        if kind == 2:
            send(answer(number, HELLO, hello))
        elif kind == 3:
            told = request
            send(answer(number, DONE, b""))
        elif at_start == "hang":
            child = os.fork()  # what it has started goes with it
            if child > 0:
                with open(sys.argv[2], "a", encoding="ascii") as file:
                    file.write("%d\n%d\n" % (os.getpid(), child))
            while True:
                time.sleep(1000)
        elif at_start == "histories":
            send(answer(number, ERROR,
                        b"told: opcompat-history" if b"opcompat-history" in told
                        and b"/a/history.textproto" in told else told))
        else:
            obey(number, request)


main()
