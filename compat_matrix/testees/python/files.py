"""Module files and compiled histories, read with generated protobuf code.

docs/wire_format.md is what this follows. Of what it says a reader refuses, this
checks what decides what a file means (magic, version, features, checksum,
indices); whether a module makes sense otherwise, the matrix sees for itself.
"""

import functools
import struct
from dataclasses import dataclass, field
from typing import NamedTuple, Tuple

import xxhash
from google.protobuf.message import DecodeError

from values import Type, Typed
from wire import compiled_history_pb2
from wire import module_pb2

INTRINSICS = {3: "prim::Constant", 4: "prim::If", 5: "prim::Loop",
              6: "prim::ListConstruct", 7: "prim::TupleConstruct",
              8: "prim::DictConstruct", 9: "prim::ListUnpack",
              10: "prim::GetAttr", 11: "prim::SetAttr", 12: "prim::CallMethod",
              13: "prim::CallFunction"}
BEGIN, END, CONSTANT = 1, 2, 3
FEATURES = set(INTRINSICS.values()) | {
    "neutral_values", "retired_arguments", "ignorable_arguments",
    "equal_values", "origins", "revisions", "covered_marks", "bulk_tensors"}


class Refusal(Exception):
    """The file as a whole is refused."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def malformed(message):
    return Refusal("malformed", message)


def text(data):
    return data.decode("utf-8", "surrogateescape")


# --- Entries ------------------------------------------------------------------


class Origin(NamedTuple):
    first: str = ""  # empty: base
    after: str = ""


class Alias(NamedTuple):
    place: int
    before: Tuple
    after: Tuple
    write: bool


class Argument(NamedTuple):
    names: Tuple
    origin: Origin
    exposed: bool
    type: Type
    alias: Tuple
    keyword_only: bool
    ignorable: bool
    equal_values: Tuple  # of (Typed, Typed)
    default: object  # a constant at `type`, or None
    neutral: object  # a Typed, or None
    retired: object

    @property
    def written(self):
        return any(alias.write for alias in self.alias)


class Result(NamedTuple):
    name: str
    type: Type
    alias: Tuple


class Covered(NamedTuple):
    arguments: Tuple  # of (name, alias)
    results: Tuple  # of alias


class Entry(NamedTuple):
    names: Tuple
    history: str
    origin: Origin
    revision: int
    revision_origin: Origin
    arguments: Tuple
    vararg: bool
    results: Tuple
    varret: bool
    covered: Tuple

    @property
    def exposed(self):
        return [argument for argument in self.arguments if argument.exposed]


def read_message(cls, magic, data):
    """The message that `data` begins with, and where it ends."""
    if not data.startswith(bytes([10, len(magic)]) + magic):
        raise malformed("the file does not begin as such a file does")
    place = 0

    def varint():
        nonlocal place
        number = shift = 0
        while True:
            byte = data[place]
            place += 1
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number
            if shift > 63:
                raise malformed("a number is longer than 64 bits")

    try:
        while True:
            begin = place
            tag = varint()
            if tag == 100 << 3 | 1:
                break
            if tag & 7 not in (0, 1, 2, 5):
                raise malformed("a field of wire type %d" % (tag & 7))
            if tag & 7 == 0:
                varint()
            else:
                size = varint() if tag & 7 == 2 else 8 if tag & 7 == 1 else 4
                place += size
        checksum, = struct.unpack_from("<Q", data, place)
        message = cls.FromString(data[:place + 8])
    except (IndexError, struct.error, DecodeError) as error:
        raise malformed("the message is cut off or damaged") from error
    version = getattr(message, "wire_version", None) or getattr(
        message, "form_version", 0)
    if version != 1:
        raise Refusal("wire_version", "the file has version %d; this reader "
                      "reads version 1" % version)
    if xxhash.xxh3_64_intdigest(data[:begin]) != checksum:
        raise malformed("the checksum is not that of the bytes")
    for feature in message.required_features:
        if feature not in FEATURES:
            raise Refusal("unknown_feature", 'the file needs feature "%s", which '
                          "this reader does not know" % feature)
    return message, place + 8


class Tables:
    """What modules and compiled histories have under the same numbers.

    Nothing is made before it is asked for: a history has thousands of entries.
    """

    def __init__(self, message, bulk=b""):
        self.message = message
        self.bulk = bulk

    def string(self, i):
        return text(self.message.strings[i])

    def strings(self, indices):
        return tuple(map(self.string, indices))

    @functools.lru_cache(maxsize=None)
    def type(self, i):
        m = self.message.types[i]
        if not 0 < m.kind <= 32 or any(child >= i for child in m.children):
            raise malformed("type %d is none" % i)
        return Type(m.kind, self.string(m.name - 1) if m.name else "", m.size,
                    tuple(map(self.type, m.children)),
                    self.strings(m.field_names))

    @functools.lru_cache(maxsize=None)
    def tensor(self, i):
        m = self.message.tensors[i]
        data = m.data
        if m.bulk_size:
            data = self.bulk[m.bulk_offset:m.bulk_offset + m.bulk_size]
            if (len(data) < m.bulk_size or
                    xxhash.xxh3_64_intdigest(data) != m.bulk_hash):
                raise malformed("the bytes of tensor %d are damaged" % i)
        return ("tensor", self.string(m.dtype), tuple(m.shape), data)

    @functools.lru_cache(maxsize=None)
    def constant(self, i):
        m = self.message.constants.others[i]
        if any(element >= i for element in m.elements):
            raise malformed("constant %d contains itself" % i)
        if m.kind in (7, 8, 9):
            return (("list", "tuple", "dict")[m.kind - 7],
                    tuple(map(self.constant, m.elements)))
        simple = {0: ("none",), 1: ("bool", m.integer != 0),
                  2: ("int", m.integer), 3: ("float", m.bits),
                  4: ("complex", m.bits, m.imaginary_bits)}
        if m.kind in simple:
            return simple[m.kind]
        if m.kind in (5, 6):
            return ("str" if m.kind == 5 else "word", self.message.strings[m.text])
        if m.kind == 10:
            return self.tensor(m.tensor)
        raise malformed("a constant of kind %d" % m.kind)

    @functools.cached_property
    def int_lists(self):
        values = iter(self.message.constants.int_list_values)
        return [("list", tuple(("int", next(values)) for _ in range(length)))
                for length in self.message.constants.int_list_lengths]

    def typed(self, i, type_index):
        return Typed(self.constant(i), self.type(type_index))

    def value_or_none(self, reference, what):
        """The constant of `1` (none) or `2 + i`."""
        if reference == 0:
            raise malformed("an argument does not say its %s value" % what)
        return None if reference == 1 else self.constant(reference - 2)

    def origin(self, m):
        return Origin(self.string(m.first - 1) if m.first else "",
                      self.string(m.after - 1) if m.after else "")

    def alias(self, messages):
        return tuple(Alias(m.place, self.strings(m.before),
                           self.strings(m.after), m.write) for m in messages)

    def argument(self, m):
        if m.state not in (1, 2):
            raise malformed("an argument is neither exposed nor retired")
        neutral = self.value_or_none(m.neutral, "neutral")
        retired = self.value_or_none(m.retired, "retired")
        return Argument(
            self.strings(m.names), self.origin(m.origin), m.state == 1,
            self.type(m.type), self.alias(m.alias), m.keyword_only, m.ignorable,
            tuple((self.typed(e.value, e.value_type),
                   self.typed(e.means, e.means_type)) for e in m.equal_values),
            self.value_or_none(m.default_value, "default"),
            None if neutral is None
            else Typed(neutral, self.type(m.neutral_type - 1)),
            None if retired is None
            else Typed(retired, self.type(m.retired_type - 1)))

    @functools.lru_cache(maxsize=None)
    def entry(self, i):
        m = self.message.operators[i]
        if not m.names or not m.revision:
            raise malformed("operator %d has no name or no revision" % i)
        return Entry(
            self.strings(m.names), self.string(m.history), self.origin(m.origin),
            m.revision, self.origin(m.revision_origin),
            tuple(map(self.argument, m.arguments)), m.is_vararg,
            tuple(Result(self.string(r.name - 1) if r.name else "",
                         self.type(r.type), self.alias(r.alias))
                  for r in m.results), m.is_varret,
            tuple(Covered(tuple((self.string(a.name), self.alias(a.alias))
                                for a in c.arguments),
                          tuple(self.alias(r.alias) for r in c.results))
                  for c in m.covered_marks))


# --- Modules ------------------------------------------------------------------


class Ref(NamedTuple):
    """An operand that is a value of the graph. (Others are constants.)"""
    id: int


@dataclass
class Node:
    op: object  # an Entry, or the number of an intrinsic
    args: dict  # by exposed argument; what is not there was left out
    varargs: list
    attributes: list  # of (name, constant)
    results: list  # of (id, Type)
    blocks: list = field(default_factory=list)
    index: int = 0  # in preorder, as the file counts


@dataclass
class Block:
    parameters: list = field(default_factory=list)  # of (id, Type)
    nodes: list = field(default_factory=list)
    yields: list = field(default_factory=list)


@dataclass
class Function:
    name: str
    body: Block
    result_types: list
    num_values: int


@dataclass
class Module:
    opsets: list  # of (name, version)
    metadata: list
    attributes: list  # of (name, Type, constant)
    tensors: list  # of (name, constant)
    functions: list


def read_module(data):
    """The Module that a file holds."""
    m, end = read_message(module_pb2.Module, b"opcompat", data)
    tables = Tables(m, data[-(-end // 64) * 64:])
    try:
        return _module(m, tables)
    except (IndexError, StopIteration) as error:
        raise malformed("an index or a column leads to nothing") from error


def _module(m, tables):
    forms = list(_forms(m.forms, tables))
    return Module(
        [(text(o.name), text(o.version)) for o in m.opsets],
        [(item.key, item.value) for item in m.metadata],
        [(tables.string(a.name), tables.type(a.type), tables.constant(a.value))
         for a in m.attributes],
        [(tables.string(t.name), tables.tensor(t.tensor))
         for t in m.named_tensors],
        [_function(f, forms, tables) for f in m.functions])


def _forms(m, tables):
    """Of each form: op, required arguments, slots, attributes, types of results,
    number of blocks."""
    slots, attributes = iter(m.slots), iter(m.attributes)
    result_types = iter(m.result_types)
    for op, num_slots, num_attributes, num_results, num_blocks in zip(
            m.operators, m.slot_counts, m.attribute_counts, m.result_counts,
            m.block_counts):
        of_form = []
        for _ in range(num_slots):
            slot = next(slots)
            # Of kind 1 come several; of the others one.
            count = next(slots) if slot & 15 == 1 else 1
            of_form.append((slot >> 4, slot & 15, count))
        entry = tables.entry(op - 32) if op >= 32 else op
        required = set() if op < 32 else {
            i for i, a in enumerate(entry.exposed) if a.default is None}
        yield (entry, required, of_form,
               [(tables.string(next(attributes)), next(attributes))
                for _ in range(num_attributes)],
               [tables.type(next(result_types)) for _ in range(num_results)],
               num_blocks)


def _function(m, forms, tables):
    values, constants = iter(m.values), iter(m.constants)
    num_values = 0

    def constant(kind):
        if kind in (2, 3, 4):
            return (("none",), ("bool", True), ("bool", False))[kind - 2]
        number = next(constants)
        if kind == 5:
            return ("int", number >> 1 ^ -(number & 1))
        if kind == 6:
            return ("float", tables.message.constants.floats[number])
        if kind == 7:
            return ("str", tables.message.strings[number])
        if kind == 8:
            return tables.int_lists[number]
        if kind == 9:
            return tables.constant(number)
        if kind == 10:
            return tables.tensor(number)
        raise malformed("an operand of kind %d" % kind)

    def operand(kind):
        if kind > 1:
            return constant(kind)
        back = next(values)
        if not 0 < back <= num_values:
            raise malformed("an operand comes before its value")
        return Ref(num_values - back)

    # Nodes with blocks that are still to come, and how many; the function is
    # as a node with one.
    top = Node(0, {}, [], [], [])
    open_nodes, open_blocks, expects_block = [[top, 1]], [], True
    for index, number in enumerate(m.forms):
        op, required, slots, attributes, result_types, num_blocks = forms[number]
        args, varargs = {}, []
        limit = 0 if isinstance(op, int) else len(op.exposed)
        for argument, kind, count in slots:
            for _ in range(count):
                if argument == limit:
                    varargs.append(operand(kind))
                elif argument < limit and argument not in args:
                    args[argument] = operand(kind)
                else:
                    raise malformed("an argument is retired, unknown or twice")
        if not required <= args.keys():
            raise malformed("a required argument was left out")
        named = [(name, constant(kind)) for name, kind in attributes]
        results = [(num_values + i, t) for i, t in enumerate(result_types)]
        num_values += len(results)
        if not open_nodes or (op == BEGIN) != expects_block:
            raise malformed("blocks do not nest")
        expects_block = False
        if op == BEGIN:
            open_nodes[-1][1] -= 1
            open_blocks.append(Block(results))
            open_nodes[-1][0].blocks.append(open_blocks[-1])
        elif op == END:
            open_blocks.pop().yields = varargs
            expects_block = open_nodes[-1][1] > 0
            if not expects_block:
                open_nodes.pop()
        else:
            node = Node(op, args, varargs, named, results, index=index)
            open_blocks[-1].nodes.append(node)
            if num_blocks:
                open_nodes.append([node, num_blocks])
                expects_block = True
    if open_blocks or not top.blocks or any(True for _ in values) or any(
            True for _ in constants):
        raise malformed("the columns of a function do not fit together")
    return Function(tables.string(m.name), top.blocks[0],
                    [tables.type(t) for t in m.result_types], num_values)


# --- Histories ------------------------------------------------------------------


class Condition(NamedTuple):
    argument: str
    one_of: Tuple  # of Typed
    types: Tuple


class Graph(NamedTuple):
    when: Tuple  # of Condition
    path: str
    module: object  # returns the Module; None: nobody read it
    mismatch: str


class Step(NamedTuple):
    upgraders: Tuple
    unchanged_when: Tuple  # of tuples of Condition


class Revision(NamedTuple):
    first: Entry
    last: Entry
    step: object


class Info(NamedTuple):
    """What a version knows of an operator."""
    revisions: Tuple
    fault: str
    removed: object  # upgraders for those that lack it; None: none declared


class History:
    """All versions of a compiled history."""

    def __init__(self, data):
        self.message, _ = read_message(compiled_history_pb2.CompiledHistory,
                                       b"opcompat-history", data)
        self.tables = Tables(self.message)
        self.name = text(self.message.name)
        self.names = {self.name} | {text(a) for a in self.message.aliases}
        self.ids = [text(version.id) for version in self.message.versions]

    @functools.lru_cache(maxsize=None)
    def at(self, version):
        return Opset(self, self.ids.index(version))

    def conditions(self, messages):
        return tuple(
            Condition(self.tables.string(m.argument),
                      tuple(self.tables.typed(c.value, c.type) for c in m.one_of),
                      tuple(map(self.tables.type, m.types))) for m in messages)

    def graphs(self, messages):
        return tuple(
            Graph(self.conditions(m.when), self.tables.string(m.path),
                  functools.partial(self.step_module, m.module - 1)
                  if m.module else None,
                  self.tables.string(m.mismatch - 1) if m.mismatch else "")
            for m in messages)

    @functools.lru_cache(maxsize=None)
    def step_module(self, i):
        return read_module(self.message.modules[i])

    def step(self, reference):
        if reference == 0:
            return None
        m = self.message.revision_steps[reference - 1]
        return Step(self.graphs(m.upgraders),
                    tuple(self.conditions(c.all) for c in m.unchanged_when))

    @functools.lru_cache(maxsize=None)
    def info(self, i):
        m = self.message.infos[i]
        return Info(
            tuple(Revision(self.tables.entry(r.first), self.tables.entry(r.last),
                           self.step(r.step)) for r in m.revisions),
            self.tables.string(m.fault - 1) if m.fault else "",
            self.graphs(self.message.presence_steps[m.removed - 1].graphs)
            if m.removed else None)


class Opset:
    """What a program of one version knows."""

    def __init__(self, history, place):
        self.history = history
        self.ids = history.ids[:place + 1]  # later ones are not known here
        version = history.message.versions[place]
        self.operators = self._by_name(version.operators)
        self.removed = self._by_name(version.removed_operators)

    def _by_name(self, infos):
        message, found = self.history.message, {}
        for i in infos:
            # All names of an operator are in the last entry that it has.
            last = message.operators[message.infos[i].revisions[-1].last]
            for name in last.names:
                found[self.history.tables.string(name)] = i
        return found

    def find(self, names, removed=False):
        """The infos of operators that have one of these names."""
        table = self.removed if removed else self.operators
        return {table[name] for name in names if name in table}

    def contradicts(self, version, entry):
        """Whether a version known here had another entry of the operator."""
        if version not in self.ids:
            return False
        for i in self.history.at(version).find(entry.names):
            revisions = self.history.info(i).revisions
            return (entry.revision <= len(revisions) and
                    revisions[entry.revision - 1].last != entry)
        return False
