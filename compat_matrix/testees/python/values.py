"""Types and constants: how they relate between versions, and their text.

docs/compatibility.md, "Values", is what this follows. A constant is a tuple
whose first element says its kind, so that two are equal iff they are bit for
bit the same: ("float", bits), ("int", 1), ("list", (elements...)).
"""

import re
import struct
from typing import NamedTuple, Tuple

WORDS = ("", "Tensor", "int", "float", "bool", "complex", "str", "Scalar",
         "ScalarType", "Layout", "Device", "MemoryFormat", "Generator",
         "Storage", "Stream", "Dimname", "QScheme", "SymInt", "SymFloat",
         "SymBool", "Any", "None")
(TENSOR, INT, FLOAT, BOOL, COMPLEX, STRING, SCALAR, SCALAR_TYPE, LAYOUT, DEVICE,
 MEMORY_FORMAT, GENERATOR, STORAGE, STREAM, DIMNAME, QSCHEME, SYM_INT,
 SYM_FLOAT, SYM_BOOL, ANY, NONE_TYPE, VARIABLE, NAMED, OPTIONAL, LIST, DICT,
 TUPLE, NAMED_TUPLE, FUTURE, RREF, AWAIT, REDUCTION) = range(1, 33)
ENUMS = (SCALAR_TYPE, LAYOUT, MEMORY_FORMAT, REDUCTION)

NONE = ("none",)


class Type(NamedTuple):
    kind: int
    name: str = ""
    size: int = 0
    children: Tuple = ()
    fields: Tuple = ()

    def __str__(self):
        inner = ", ".join(map(str, self.children))
        if self.kind in (VARIABLE, NAMED):
            return self.name
        if self.kind == OPTIONAL:
            return inner + "?"
        if self.kind == LIST:
            return "%s[%s]" % (inner, self.size or "")
        if self.kind == TUPLE:
            return "(%s,)" % inner if len(self.children) == 1 else "(%s)" % inner
        if self.kind == NAMED_TUPLE:
            return "NamedTuple(%s)" % ", ".join(
                "%s : %s" % pair for pair in zip(self.fields, self.children))
        word = {DICT: "Dict", FUTURE: "Future", RREF: "RRef", AWAIT: "Await"}
        if self.kind in word:
            return "%s(%s)" % (word[self.kind], inner)
        return "Reduction" if self.kind == REDUCTION else WORDS[self.kind]


class Typed(NamedTuple):
    """A constant and the type at which it stands."""
    value: Tuple
    type: Type


# --- How constants relate ---------------------------------------------------


def bits_of(number):
    return struct.unpack("<Q", struct.pack("<d", number))[0]


def float_of(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def float_of_int(number):
    """The float constant that is exactly `number`; None if there is none."""
    as_float = float(number)
    return ("float", bits_of(as_float)) if int(as_float) == number else None


def int_of_float(bits):
    """The int constant whose float has these bits: -0.0 has none."""
    number = float_of(bits)
    if not -2.0**63 <= number < 2.0**63:  # also not a number
        return None
    as_int = int(number)
    return ("int", as_int) if float_of_int(as_int) == ("float", bits) else None


def _spelling(kind):
    """The kind that stands for all spellings of one type."""
    return {SYM_INT: INT, SYM_FLOAT: FLOAT, SYM_BOOL: BOOL}.get(kind, kind)


def _fit_atom(value, old, new):
    a, b = _spelling(old.kind), _spelling(new.kind)
    if a == b:
        same = a in (INT, FLOAT, BOOL, COMPLEX, SCALAR) or old == new
    elif (a, b) == (INT, FLOAT):
        return float_of_int(value[1]) if value[0] == "int" else None
    elif (a, b) == (FLOAT, INT):
        return int_of_float(value[1]) if value[0] == "float" else None
    elif (a == INT and b in ENUMS) or (a in ENUMS and b == INT):
        same = value[0] == "int"
    elif b == SCALAR:
        same = a in (INT, FLOAT, COMPLEX)
    elif a == SCALAR:
        same = value[0] == {INT: "int", FLOAT: "float", COMPLEX: "complex"}.get(b)
    else:
        same = False
    return value if same else None


def _fit_all(values, old, new):
    """Tuple of the values fitted; None if one does not."""
    fitted = tuple(map(fit, values, old, new))
    return None if None in fitted else fitted


def _fit_list(value, old, new):
    if old.kind == new.kind:
        if value == NONE and old == new:
            return value  # a default at `T?[]`
        if value[0] != "list":
            return None
        count = len(value[1])
        elements = _fit_all(value[1], old.children * count, new.children * count)
        return None if elements is None else ("list", elements)
    if new.kind == LIST:  # a lone value is n copies
        element = fit(value, old, new.children[0]) if new.size else None
        return None if element is None else ("list", (element,) * new.size)
    if value[0] != "list" or not old.size or len(value[1]) != old.size:
        return None
    if any(element != value[1][0] for element in value[1]):
        return None
    return fit(value[1][0], old.children[0], new)


def fit(value, old, new):
    """The one constant at type `new` that is related to `value` at `old`."""
    if OPTIONAL in (old.kind, new.kind):
        if value == NONE and old.kind in (OPTIONAL, NONE_TYPE):
            return value if new.kind in (OPTIONAL, NONE_TYPE) else None
        return fit(value, old.children[0] if old.kind == OPTIONAL else old,
                   new.children[0] if new.kind == OPTIONAL else new)
    if value[0] == "word" or NAMED in (old.kind, new.kind):
        return None
    if LIST in (old.kind, new.kind):
        return _fit_list(value, old, new)
    if old.kind in (TUPLE, NAMED_TUPLE, DICT):
        parts = "dict" if old.kind == DICT else "tuple"
        if old.kind != new.kind or value[0] != parts or old.fields != new.fields:
            return None
        count = len(value[1]) // 2 if parts == "dict" else 1
        olds, news = old.children * count, new.children * count
        if not len(value[1]) == len(olds) == len(news):
            return None
        elements = _fit_all(value[1], olds, news)
        return None if elements is None else (parts, elements)
    return _fit_atom(value, old, new)


def _same(a, b):
    if a.type == b.type:
        return a.value == b.value  # also what cannot be decoded
    fitted = fit(a.value, a.type, b.type)
    return fitted is not None and fitted == b.value


def _meaning(typed, equal_values):
    for value, means in equal_values:
        if _same(typed, value):
            return means
    return None


def _normal(typed, equal_values):
    for _ in equal_values:  # more steps than these would go in a circle
        means = _meaning(typed, equal_values)
        if means is None:
            break
        typed = means
    return typed


def same_value(a, b, equal_values):
    """Whether two typed constants mean the same."""
    return _same(a, b) or _same(_normal(a, equal_values),
                                _normal(b, equal_values))


def fit_meaning(typed, new, equal_values):
    """`typed` at type `new`: itself if it fits, else what it means."""
    for _ in range(len(equal_values) + 1):
        fitted = fit(typed.value, typed.type, new)
        if fitted is not None:
            return fitted
        typed = _meaning(typed, equal_values)
        if typed is None:
            return None
    return None


def nothing_at(kind):
    """What an ignorable argument of such a type gets; None: nothing will do."""
    if kind in (OPTIONAL, NONE_TYPE, ANY, VARIABLE, NAMED):
        return NONE
    if kind in (INT, SYM_INT, SCALAR) + ENUMS:
        return ("int", 0)
    return {FLOAT: ("float", 0), SYM_FLOAT: ("float", 0), BOOL: ("bool", False),
            SYM_BOOL: ("bool", False), STRING: ("str", b""),
            LIST: ("list", ())}.get(kind)


# --- Subtypes of graph values ------------------------------------------------

NO, SUB, SAME = range(3)


class Subtyping:
    """Compares types of graph values; solves variables while it does."""

    def __init__(self, variables=None):
        self.variables = variables  # None: those of a type are opaque
        self.covariant = False  # some container's elements are subtypes only

    def fits(self, value, expected):
        return self._compare(value, expected) != NO

    def _variable(self, value, name):
        known = self.variables.setdefault(name, value)
        if known is value:
            return SAME
        plain = Subtyping()
        result = plain._compare(value, known)
        if result == NO and plain._compare(known, value) != NO:
            self.variables[name] = value
            result = SAME
        self.covariant |= plain.covariant
        return result

    def _element(self, value, expected):
        result = self._compare(value, expected)
        self.covariant |= result == SUB
        return result

    def _tuple(self, value, expected):
        if expected.kind == NAMED_TUPLE:
            alike = (value.kind == NAMED_TUPLE and value.fields == expected.fields)
        else:
            alike = value.kind in (TUPLE, NAMED_TUPLE)
        if not alike or len(value.children) != len(expected.children):
            return NO
        return min([SAME if value.kind == expected.kind else SUB] +
                   list(map(self._compare, value.children, expected.children)))

    def _compare(self, value, expected):
        if expected.kind == VARIABLE and self.variables is not None:
            return self._variable(value, expected.name)
        if expected.kind == ANY:
            return SAME if value.kind == ANY else SUB
        if expected.kind == OPTIONAL:
            if value.kind == OPTIONAL:
                return self._compare(value.children[0], expected.children[0])
            if value.kind == NONE_TYPE:
                return SUB
            return min(SUB, self._compare(value, expected.children[0]))
        one = lambda kind: INT if kind in ENUMS else _spelling(kind)
        kind = one(value.kind)
        if expected.kind == SCALAR and kind in (INT, FLOAT, COMPLEX):
            return SUB
        if expected.kind in (TUPLE, NAMED_TUPLE):
            return self._tuple(value, expected)
        if kind != one(expected.kind) or value.name != expected.name:
            return NO
        if kind == LIST:
            return self._element(value.children[0], expected.children[0])
        if kind == DICT:
            if self._compare(value.children[0], expected.children[0]) != SAME:
                return NO
            return self._element(value.children[1], expected.children[1])
        if kind in (FUTURE, RREF, AWAIT):
            same = self._compare(value.children[0], expected.children[0]) == SAME
            return SAME if same else NO
        return SAME


def is_subtype(value, expected):
    return Subtyping().fits(value, expected)


def substitute(declared, variables):
    """The type with its variables replaced by what they stand for."""
    if declared.kind == VARIABLE:
        return variables.get(declared.name, declared)
    children = tuple(substitute(child, variables) for child in declared.children)
    if declared.kind == OPTIONAL and children[0].kind in (OPTIONAL, NONE_TYPE):
        return children[0]
    return declared._replace(children=children)


def type_of_literal(value):
    """The type that a constant has by itself; None: it has none."""
    kinds = {"none": NONE_TYPE, "bool": BOOL, "int": INT, "float": FLOAT,
             "complex": COMPLEX, "str": STRING, "tensor": TENSOR}
    if value[0] in kinds:
        return Type(kinds[value[0]])
    types = [type_of_literal(element) for element in value[1]]
    if value[0] == "word" or None in types:
        return None
    if value[0] == "tuple":
        return Type(TUPLE, children=tuple(types))
    if value[0] == "list" and len(set(types)) == 1:
        return Type(LIST, children=(types[0],))
    return None


# --- Text ---------------------------------------------------------------------


def float_text(bits):
    number = float_of(bits)
    if number != number:
        return "nan" if bits == 0x7ff8000000000000 else "nan(0x%016x)" % bits
    return repr(number)


def quoted(data):
    text = "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\'
                   else "\\x%02x" % byte for byte in data)
    return '"%s"' % text


def name_text(name):
    """A name as the module text has it: quoted unless it is plain."""
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]*", name, re.ASCII):
        return name
    return quoted(name.encode("utf-8", "surrogateescape"))


def value_text(value):
    kind, rest = value[0], value[1:]
    if kind == "none":
        return "None"
    if kind in ("bool", "int"):
        return str(rest[0])
    if kind == "float":
        return float_text(rest[0])
    if kind == "complex":
        imaginary = float_text(rest[1])
        sign = "" if imaginary.startswith("-") else "+"
        return float_text(rest[0]) + sign + imaginary + "j"
    if kind == "str":
        return quoted(rest[0])
    if kind == "word":
        return rest[0].decode("utf-8", "surrogateescape")
    if kind == "tensor":
        dtype, shape, data = rest
        return 'tensor(%s, [%s], hex"%s")' % (dtype, ", ".join(map(str, shape)),
                                              data.hex())
    parts = [value_text(element) for element in rest[0]]
    if kind == "list":
        return "[%s]" % ", ".join(parts)
    if kind == "tuple":
        return "(%s,)" % parts[0] if len(parts) == 1 else "(%s)" % ", ".join(parts)
    return "{%s}" % ", ".join("%s: %s" % pair
                              for pair in zip(parts[::2], parts[1::2]))
