"""Binding: a call as its writer made it, as a reader's entry has it.

docs/compatibility.md, "Binding", is what this follows, one call at a time:
whatever is wrong is a Problem, and a call with problems is refused.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import values
from files import Entry, Origin, Ref
from values import Typed


class Problem(NamedTuple):
    code: str
    argument: str = ""
    value: str = ""


@dataclass
class CallResult:
    type: object  # as declared at the call
    used: bool
    written: bool  # something may write the container that it is


@dataclass
class Call:
    entry: Entry
    args: dict  # by exposed argument: Ref or constant; not there: left out
    varargs: list
    results: list  # of CallResult
    has_blocks: bool = False
    # What was done to it: `filled`, `materialized`, `dropped`, `retired`,
    # `renamed`, `upgraded`.
    done: set = field(default_factory=set)
    warnings: list = field(default_factory=list)


class Graph:
    """What binding must know of the graph values that a call is given."""

    def __init__(self, types, may_write):
        self.types = types  # by id
        self.may_write = may_write  # containers may be written to

    def fits(self, ref, expected, variables):
        subtyping = values.Subtyping(variables)
        return (subtyping.fits(self.types[ref.id], expected) and
                not (subtyping.covariant and self.may_write))


# --- Who is who ---------------------------------------------------------------


def origins_match(a: Origin, b: Origin, ids):
    """Whether they overlap in the order of the version ids of the reader."""
    if not a.first or not b.first:
        return True  # base
    spans = []
    for origin in (a, b):
        if origin.first not in ids or (origin.after and
                                       origin.after not in ids):
            return False
        first = ids.index(origin.first)
        spans.append((ids.index(origin.after) if origin.after else first - 1,
                      first))
    return max(s[0] for s in spans) < min(s[1] for s in spans)


def pair(w: Entry, r: Entry, ids):
    """Which arguments are one: {index in w: index in r}; and problems."""
    by_name = {name: j for j, argument in enumerate(r.arguments)
               for name in argument.names}
    pairs, problems = {}, []
    for i, argument in enumerate(w.arguments):
        found = {by_name[name] for name in argument.names if name in by_name}
        if not found:
            continue
        j = min(found)
        if len(found) > 1 or j in pairs.values() or not origins_match(
                argument.origin, r.arguments[j].origin, ids):
            problems.append(Problem("other_history", argument.names[0]))
        else:
            pairs[i] = j
    return pairs, problems


# --- Alias sets and write marks -------------------------------------------------


def _places(declared, next_place=0):
    """By node of the type in preorder: its number with `?` left out."""
    numbers = [next_place]
    if declared.kind != values.OPTIONAL:
        next_place += 1
    for child in declared.children:
        inner, next_place = _places(child, next_place)
        numbers += inner
    return numbers, next_place


def _without_optionals(alias, declared):
    numbers, _ = _places(declared)
    return tuple(a._replace(place=numbers[a.place]) if a.place < len(numbers)
                 else a for a in alias)


def _described(marks):
    """What the marks say at each place, whatever the sets are called: a set is
    known by all the places where it stands."""
    stands_at = {}
    for p, alias in enumerate(marks):
        for a in alias:
            for side, names in (("b", a.before), ("a", a.after)):
                for name in names:
                    stands_at.setdefault(name, []).append((p, a.place, side))
    known = {name: name if name == "*" else tuple(sorted(at))
             for name, at in stands_at.items()}
    return [sorted([(a.place, "written", "") for a in alias if a.write] +
                   [(a.place, side, repr(known[name])) for a in alias
                    for side, names in (("b", a.before), ("a", a.after))
                    for name in names]) for alias in marks]


def _differences(a, b):
    return [p for p, (x, y) in enumerate(zip(_described(a), _described(b)))
            if x != y]


def _covers(entry, arguments, others, num_results):
    """Whether `entry` says that these other marks mean the same as its own."""
    for covered in entry.covered:
        by_name = dict(covered.arguments)
        marks = []
        for argument in arguments:
            found = [by_name[n] for n in argument.names if n in by_name]
            marks.append(found[0] if found else ())
        results = covered.results + ((),) * num_results
        marks += results[:num_results]
        if any(not _differences(marks, other) for other in others):
            return True
    return False


def changed_marks(w: Entry, r: Entry, pairs):
    """A problem for each place whose marks differ; none: they agree."""
    shared = [(w.arguments[i], r.arguments[j]) for i, j in sorted(pairs.items())
              if w.arguments[i].exposed and r.arguments[j].exposed]
    num_results = min(len(w.results), len(r.results))
    raw, plain = [], []
    for side, entry in enumerate((w, r)):
        places = [p[side] for p in shared] + list(entry.results[:num_results])
        raw.append([p.alias for p in places])
        plain.append([_without_optionals(p.alias, p.type) for p in places])
    differences = _differences(*plain)
    if not differences:
        return []
    for side, entry in enumerate((w, r)):
        if _covers(entry, [p[side] for p in shared],
                   (raw[1 - side], plain[1 - side]), num_results):
            return []
    return [Problem("alias_changed",
                    shared[p][0].names[0] if p < len(shared) else "")
            for p in differences]


# --- Arguments ------------------------------------------------------------------

LEFT_OUT = object()


def _bind_argument(w, r, given, graph):
    """One line of the table: (code, None), or (None, what R's call gets).

    `w` or `r` may be None, not both; `given` is None or LEFT_OUT unless
    something was written.
    """
    if isinstance(given, Ref):  # equals no constant
        if r is None:
            return ("unknown_argument" if w.neutral else "no_neutral_value"), None
        if not r.exposed:
            return ("retired_argument" if r.retired else "no_neutral_value"), None
        if not graph.fits(given, r.type, {}):
            return "type_mismatch", None
        return None, given

    if w is None:
        v = r.neutral
    elif not w.exposed:
        v = w.retired
    elif given is not LEFT_OUT:
        v = Typed(given, w.type)
    else:
        v = None if w.default is None else Typed(w.default, w.type)
    if v is None:
        agreed = w and r and not w.exposed and not r.exposed and not r.retired
        return (None if agreed else "no_neutral_value"), LEFT_OUT

    equal = (w.equal_values if w else ()) + (r.equal_values if r else ())
    if r is None or not r.exposed:
        expected = w.neutral if r is None else r.retired
        if expected is None:
            return "no_neutral_value", None
        if not values.same_value(v, expected, equal):
            return "unknown_argument" if r is None else "retired_argument", None
        return None, LEFT_OUT
    fitted = values.fit_meaning(v, r.type, equal)
    if fitted is None:
        return "value_does_not_fit", None
    if (w and w.exposed and given is LEFT_OUT and r.default is not None and
            values.same_value(v, Typed(r.default, r.type), equal)):
        return None, LEFT_OUT
    return None, fitted


def _may_be_dropped(w, r):
    sides = [side for side in (w, r) if side]
    return (any(side.ignorable for side in sides) and
            not any(side.written for side in sides))


def _bind_or_drop(w, r, given, graph, may_drop, bound):
    """As _bind_argument; a hint that cannot be bound is dropped."""
    code, got = _bind_argument(w, r, given, graph)
    if code is None:
        if r is None:
            bound.done.add("dropped")
        elif not r.exposed and w and w.exposed:
            bound.done.add("retired")
        elif r.exposed and got is LEFT_OUT:
            bound.done.add("filled")
        elif r.exposed and given in (LEFT_OUT, None):
            bound.done.add("materialized")
        if w and r and w.names[0] != r.names[0] and given is not LEFT_OUT:
            bound.done.add("renamed")
        return code, got
    if not may_drop or not _may_be_dropped(w, r):
        return code, got
    got = LEFT_OUT
    if r and r.exposed and r.default is None:
        got = values.nothing_at(r.type.kind)
        if got is None:
            return code, None
    bound.done.add("dropped")
    bound.warnings.append("%s: argument %s was dropped" %
                          (bound.entry.names[0], (w or r).names[0]))
    return None, got


def bind_call(call: Call, r: Entry, ids, graph: Graph, problems, may_drop=True):
    """The call at the entry `r` of a reader with these version ids.

    None: refused, with what is wrong appended to `problems`.
    """
    w = call.entry
    bound = Call(r, {}, call.varargs, call.results, call.has_blocks,
                 set(call.done), list(call.warnings))
    if w is r or w == r:
        bound.args = call.args
        return bound
    pairs, found = pair(w, r, ids)
    if found:
        problems += found
        return None
    found += changed_marks(w, r, pairs)
    if w.names[0] != r.names[0]:
        bound.done.add("renamed")

    exposed = {}  # index among the entry's arguments -> among those exposed
    for j, argument in enumerate(r.arguments):
        if argument.exposed:
            exposed[j] = len(exposed)
    lines = [(i, pairs.get(i)) for i in range(len(w.arguments))]
    lines += [(None, j) for j in range(len(r.arguments))
              if j not in pairs.values()]
    for i, j in lines:
        of_w = None if i is None else w.arguments[i]
        of_r = None if j is None else r.arguments[j]
        given = None
        if of_w and of_w.exposed:  # these come first, so i is its place
            given = call.args.get(i, LEFT_OUT)
        code, got = _bind_or_drop(of_w, of_r, given, graph, may_drop, bound)
        if code:
            text = "" if given in (None, LEFT_OUT) or isinstance(
                given, Ref) else values.value_text(given)
            found.append(Problem(code, (of_w or of_r).names[0], text))
        elif j in exposed and got is not LEFT_OUT:
            bound.args[exposed[j]] = got
    if call.varargs and not r.vararg:
        found.append(Problem("unknown_argument", "..."))
    if not found:
        found += _bind_results(call, bound, graph)
    problems += found
    return None if found else bound


# --- Results, and the call as a whole --------------------------------------------


def _solve(call, graph, problems):
    """The type variables of a call; a problem for each argument that does not
    fit with the others. (A variable may widen: the second pass counts.)"""
    variables = {}
    for last in (False, True):
        for i, argument in enumerate(call.entry.exposed):
            given = call.args.get(i)
            fits = True
            if isinstance(given, Ref):
                fits = graph.fits(given, argument.type, variables)
            elif given is not None and _has_variables(argument.type):
                literal = values.type_of_literal(given)
                fits = literal is None or values.Subtyping(variables).fits(
                    literal, argument.type)
            if not fits and last:
                problems.append(Problem("type_mismatch", argument.names[0]))
    return variables


def _has_variables(declared):
    return declared.kind == values.VARIABLE or any(
        map(_has_variables, declared.children))


def _result_type(result, at_writer, at_reader):
    """The type that a result has at the reader; None: it cannot have one."""
    declared_fits = values.is_subtype(result.type, at_reader)
    if result.used:
        subtyping = values.Subtyping()
        if not subtyping.fits(at_reader, at_writer) or (
                subtyping.covariant and result.written):
            return None
        if not declared_fits and not values.is_subtype(at_reader, result.type):
            return None
    return result.type if declared_fits else at_reader


def _bind_results(call, bound, graph):
    problems = []
    at_writer = _solve(call, graph, [])
    at_reader = _solve(bound, graph, problems)
    w, r = call.entry, bound.entry
    bound.results = []
    for i in range(max(len(call.results), len(r.results))):
        result = call.results[i] if i < len(call.results) else None
        if i >= len(r.results):
            if r.varret:
                bound.results.append(result)
            elif result.used:
                return problems + [Problem("missing_result")]
            continue
        declared = values.substitute(r.results[i].type, at_reader)
        if result is None:
            bound.results.append(CallResult(declared, False, False))
            continue
        there = (values.substitute(w.results[i].type, at_writer)
                 if i < len(w.results) else result.type)
        result_type = _result_type(result, there, declared)
        if result_type is None:
            return problems + [Problem("type_mismatch")]
        bound.results.append(CallResult(result_type, result.used,
                                        result.written))
    return problems
