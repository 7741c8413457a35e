"""Whole modules: who an operator is at the reader, steps between revisions and
around versions that lack it, and the module that comes of it.

docs/compatibility.md, "Steps", is what this follows, as far as reading goes:
upgraders, and no downgraders, which only targets take.
"""

import values
from bind import (Call, CallResult, Graph, Problem, bind_call, origins_match)
from files import CONSTANT, Block, Entry, Function, Module, Node, Ref
from values import Typed

MAX_NODES = 100000  # that one call becomes
MAX_DEPTH = 200  # of graphs in graphs


class Reason:
    """Why calls are refused, told once for all that are alike."""

    def __init__(self, problem, function, node, operator):
        self.problem = problem
        self.function = function
        self.node = node
        self.operator = operator
        self.calls = 0


class Derived:
    """What a call becomes: a call, or a graph that takes its place."""

    def __init__(self, call, graph=None, code=""):
        self.call = call
        self.graph = graph
        self.code = code  # of a refusal that is the step's own


# --- Conditions --------------------------------------------------------------------


def _holds(condition, call, graph):
    for i, argument in enumerate(call.entry.arguments):
        if condition.argument not in argument.names:
            continue
        given = call.args.get(i) if argument.exposed else None
        if not argument.exposed:
            value = argument.retired
        elif isinstance(given, Ref):
            return graph.types[given.id] in condition.types
        else:
            constant = argument.default if given is None else given
            value = None if constant is None else Typed(constant, argument.type)
        return argument.type in condition.types or value is not None and any(
            values.same_value(value, literal, argument.equal_values)
            for literal in condition.one_of)
    return False


def _all_hold(conditions, call, graph):
    return all(_holds(condition, call, graph) for condition in conditions)


def _take_graph(call, graphs, none, code, graph, problems):
    """The first graph whose conditions hold, in the place of the call."""
    for step_graph in graphs:
        if not _all_hold(step_graph.when, call, graph):
            continue
        if (step_graph.module is None or call.varargs or call.has_blocks or
                len(call.results) > len(call.entry.results)):
            problems.append(Problem(code))
        elif step_graph.mismatch:
            problems.append(Problem("alias_changed"))
        else:
            return Derived(call, step_graph, code)
        return None
    problems.append(Problem(none))
    return None


class Reader:
    """Reads modules as a program of certain versions would."""

    def __init__(self, opsets):
        self.opsets = opsets
        self.reasons = {}
        self.report = {}  # by operator: counts
        self.warnings = []

    # --- One call ---

    def _opset(self, history):
        for opset in self.opsets:
            if history in opset.history.names:
                return opset
        return None

    def _derive(self, call, module, graph, problems):
        """The call as this reader must have it; None: refused."""
        opset, info, removed = self._opset(call.entry.history), None, False
        for removed in (False, True):
            found = opset.find(call.entry.names, removed) if opset else set()
            if len(found) > 1:
                problems.append(Problem("other_history"))
                return None
            if found:
                info = opset.history.info(found.pop())
                break
        if info is None or info.fault:
            problems.append(Problem("unknown_operator"))
            return None
        if not origins_match(call.entry.origin, info.revisions[-1].last.origin,
                             opset.ids) or any(
                                 name in opset.history.names and
                                 opset.contradicts(version, call.entry)
                                 for name, version in module.opsets):
            problems.append(Problem("other_history"))
            return None
        is_newer = call.entry.revision > len(info.revisions)
        if not removed:
            if is_newer:
                problems.append(Problem("newer_revision"))
                return None
            return self._step_up(call, info, opset, graph, problems)
        # The operator is gone: some graph must lead away from it.
        leads_away = info.removed or any(
            r.last.revision > call.entry.revision and r.step.upgraders
            for r in info.revisions)
        if is_newer or not leads_away:
            problems.append(Problem("unknown_operator"))
            return None
        derived = self._step_up(call, info, opset, graph, problems)
        if derived is None or derived.graph:
            return derived
        if info.removed is None:
            problems.append(Problem("unknown_operator"))
            return None
        return _take_graph(derived.call, info.removed, "unknown_operator",
                           "no_upgrader", graph, problems)

    def _step_up(self, call, info, opset, graph, problems):
        """To the last schema of the last revision, or the graph on the way."""
        if not origins_match(
                call.entry.revision_origin,
                info.revisions[call.entry.revision - 1].last.revision_origin,
                opset.ids):
            problems.append(Problem("other_history"))
            return None
        while True:
            revision = call.entry.revision
            call = bind_call(call, info.revisions[revision - 1].last, opset.ids,
                             graph, problems)
            if call is None or revision == len(info.revisions):
                return call and Derived(call)
            following = info.revisions[revision]
            first = bind_call(call, following.first, opset.ids, graph, [])
            if first is None or not any(
                    _all_hold(conditions, first, graph)
                    for conditions in following.step.unchanged_when):
                call.done.add("upgraded")
                return _take_graph(call, following.step.upgraders, "no_upgrader",
                                   "no_upgrader", graph, problems)
            call = first
            call.done.add("upgraded")

    # --- Modules ---

    def read(self, module):
        """The module at this reader; None: refused, see `reasons`."""
        functions = [FunctionReader(self, module, f).read()
                     for f in module.functions]
        if self.reasons:
            return None
        opsets = []
        for name, _ in module.opsets:
            opset = self._opset(name)
            if opset:
                opsets.append((opset.history.name, opset.ids[-1]))
        return Module(opsets, module.metadata, module.attributes, module.tensors,
                      functions)

    def refuse(self, problems, function, node, entry):
        for problem in dict.fromkeys(problems):
            key = (problem, function.name, entry.names[0])
            if key not in self.reasons:
                self.reasons[key] = Reason(problem, function.name, node, entry)
            self.reasons[key].calls += 1

    def count(self, node, call):
        counts = self.report.setdefault(call.entry.names[0], {"calls": 0})
        counts["calls"] += 1
        done = call.done
        if node.op is call.entry or node.op == call.entry:
            done = {"identical"}
        for word in done:
            counts[word] = counts.get(word, 0) + 1
        for warning in call.warnings:
            if warning not in self.warnings:
                self.warnings.append(warning)


def _writes_containers(node):
    if isinstance(node.op, int):
        return node.op >= 12  # prim::CallMethod, prim::CallFunction
    return any(argument.written for argument in node.op.exposed)


def _all_nodes(block):
    for node in block.nodes:
        yield node
        for inner in node.blocks:
            yield from _all_nodes(inner)


def _operands(node):
    yield from node.args.values()
    yield from node.varargs


class FunctionReader:
    """One function: its calls replaced by what they become."""

    def __init__(self, reader, module, function):
        self.reader = reader
        self.module = module
        self.function = function
        self.next_id = function.num_values
        self.renamed = {}  # id -> operand that stands for it now
        self.types = {}
        self._take_up(function.body)

    def _take_up(self, body):
        """Types and uses of the values of a graph. Returns who is used."""
        self.types.update(body.parameters)
        used = {o.id for o in body.yields if isinstance(o, Ref)}
        for node in _all_nodes(body):
            self.types.update(node.results)
            used |= {o.id for o in _operands(node) if isinstance(o, Ref)}
            for block in node.blocks:
                self.types.update(block.parameters)
                used |= {o.id for o in block.yields if isinstance(o, Ref)}
        return used

    def read(self):
        body = self.function.body
        # Coarse, and never too fine: which container is written is not asked.
        may_write = any(map(_writes_containers, _all_nodes(body)))
        self.graph = Graph(self.types, may_write)
        self.used = self._take_up(body)
        return Function(self.function.name, self._block(body),
                        self.function.result_types, self.next_id)

    def _block(self, block):
        copy = Block(block.parameters)
        for node in block.nodes:
            copy.nodes += self._node(node)
        copy.yields = list(map(self._operand, block.yields))
        return copy

    def _operand(self, operand):
        while isinstance(operand, Ref) and operand.id in self.renamed:
            operand = self.renamed[operand.id]
        return operand

    def _node(self, node):
        given = Node(node.op, {i: self._operand(o) for i, o in node.args.items()},
                     list(map(self._operand, node.varargs)), node.attributes,
                     node.results, index=node.index)
        if isinstance(node.op, int):
            given.blocks = list(map(self._block, node.blocks))
            return [given]
        problems = []
        self.num_nodes = 0
        nodes, done = self._call(given, bool(node.blocks), self.module, 0,
                                 problems)
        if problems:
            self.reader.refuse(problems, self.function, node, node.op)
        else:
            self.reader.count(node, done)
            if len(nodes) == 1:
                nodes[0].blocks = list(map(self._block, node.blocks))
        return nodes

    def _call(self, node, has_blocks, module, depth, problems):
        """The nodes that a call becomes; and the call, as it was derived."""
        results = [CallResult(self.types[i], i in self.used,
                              self.graph.may_write) for i, _ in node.results]
        call = Call(node.op, node.args, node.varargs, results, has_blocks)
        derived = self.reader._derive(call, module, self.graph, problems)
        if derived is None:
            return [], None
        bound = derived.call
        if derived.graph:
            return self._body(node, derived, depth + 1, problems), bound
        ids = [i for i, _ in node.results[:len(bound.results)]]
        while len(ids) < len(bound.results):
            ids.append(self._new_id())
        results = [(i, r.type) for i, r in zip(ids, bound.results)]
        self.types.update(results)
        return [Node(bound.entry, bound.args, bound.varargs, node.attributes,
                     results)], bound

    def _new_id(self):
        self.next_id += 1
        return self.next_id - 1

    # --- Graphs in the place of calls ---

    def _body(self, node, derived, depth, problems):
        """The nodes of the graph that takes the place of a call."""
        if depth > MAX_DEPTH:
            problems.append(Problem("limit"))
            return []
        call = derived.call
        module = derived.graph.module()
        function = module.functions[0]
        instance = Instance(self, function, call)
        if node.attributes and not instance.give(node.attributes):
            problems.append(Problem(derived.code))
            return []
        nodes, inside = [], []
        for inner in instance.nodes:
            self.num_nodes += 1
            if self.num_nodes > MAX_NODES:
                inside.append(Problem("limit"))
                break
            inner.args = {i: self._operand(o) for i, o in inner.args.items()}
            inner.varargs = list(map(self._operand, inner.varargs))
            if isinstance(inner.op, int):
                nodes.append(inner)
            else:
                nodes += self._call(inner, bool(inner.blocks), module, depth,
                                    inside)[0]
        for i, result in enumerate(call.results):
            if not result.used or inside:
                continue
            operand = self._operand(instance.returned[i])
            if isinstance(operand, Ref):
                result_type = self.types[operand.id]
            else:  # a constant stays a node
                result_type = function.result_types[i]
                new = self._new_id()
                nodes.append(Node(CONSTANT, {}, [], [("value", operand)],
                                  [(new, result_type)]))
                self.types[new] = result_type
                operand = Ref(new)
            if not values.is_subtype(result_type,
                                     result.type) and not values.is_subtype(
                                         result_type, call.entry.results[i].type):
                inside.append(Problem("type_mismatch"))
            if i < len(node.results):
                self.renamed[node.results[i][0]] = operand
        # What is wrong inside is told of the call that the graph was for.
        for code in dict.fromkeys(problem.code for problem in inside):
            problems.append(Problem(code))
        return [] if inside else nodes


class Instance:
    """A step graph with a call's operands in the place of its parameters."""

    def __init__(self, reader, function, call):
        self.reader = reader
        self.operands = {}  # by id in the graph
        body = function.body
        for i, (parameter, _) in enumerate(body.parameters):
            self.operands[parameter] = call.args.get(
                i, call.entry.exposed[i].default)
        self.nodes = []
        self.returned = body.yields
        self._copy_all(body.nodes)
        self.returned = list(map(self._operand, body.yields))
        reader.used |= {o.id for o, result in zip(self.returned, call.results)
                        if isinstance(o, Ref) and result.used}

    def _operand(self, operand):
        return self.operands[operand.id] if isinstance(operand, Ref) else operand

    def _results(self, results):
        copies = []
        for old, declared in results:
            new = self.reader._new_id()
            self.operands[old] = Ref(new)
            self.reader.types[new] = declared
            copies.append((new, declared))
        return copies

    def _copy_all(self, nodes):
        self.uses = {}
        for node in nodes:
            for i, operand in node.args.items():
                # Where something is marked, it may be written.
                is_plain = not node.op.arguments[i].alias
                self._use(operand, is_plain)
            for operand in node.varargs:
                self._use(operand, isinstance(node.op, int) and
                          node.op in (6, 7) and node.results[0][0])
            for block in node.blocks:
                for inner in _all_nodes(block):
                    for operand in _operands(inner):
                        self._use(operand, False)
        for operand in self.returned:
            self._use(operand, False)
        for node in nodes:
            self._copy(node)

    def _use(self, operand, how):
        """How a value is used: True: read by a call; False: in a way that may
        write it; an id: as a part of that container."""
        if isinstance(operand, Ref):
            self.uses.setdefault(operand.id, []).append(how)

    def _is_only_read(self, value):
        return all(how is True or how is not False and self._is_only_read(how)
                   for how in self.uses.get(value, []))

    def _copy(self, node):
        varargs = list(map(self._operand, node.varargs))
        # A list or tuple of constants that is only read is a constant.
        if (node.op in (6, 7) and not node.attributes and
                not any(isinstance(o, Ref) for o in varargs) and
                self._is_only_read(node.results[0][0])):
            kind = "list" if node.op == 6 else "tuple"
            self.operands[node.results[0][0]] = (kind, tuple(varargs))
            return
        args = {i: self._operand(o) for i, o in node.args.items()}
        if isinstance(node.op, int):
            varargs = list(map(self._as_node, varargs))
        copy = Node(node.op, args, varargs, list(node.attributes),
                    self._results(node.results))
        self.nodes.append(copy)
        for block in node.blocks:
            copy.blocks.append(self._block(block))
        self.reader.used |= {o.id for o in _operands(copy) if isinstance(o, Ref)}

    def _block(self, block):
        outer, self.nodes = self.nodes, []
        copy = Block(self._results(block.parameters))
        for node in block.nodes:
            self._copy(node)
        copy.nodes, self.nodes = self.nodes, outer
        copy.yields = list(map(self._operand, block.yields))
        self.reader.used |= {o.id for o in copy.yields if isinstance(o, Ref)}
        return copy

    def _as_node(self, operand):
        """A constant that is no literal where no type is expected."""
        if isinstance(operand, Ref) or operand[0] in ("bool", "int", "float",
                                                      "complex", "str"):
            return operand
        declared = values.type_of_literal(operand)
        if declared is None:
            return operand
        new = self.reader._new_id()
        self.reader.types[new] = declared
        self.nodes.append(Node(CONSTANT, {}, [], [("value", operand)],
                               [(new, declared)]))
        return Ref(new)

    def give(self, attributes):
        """The call's attributes go to the call that gives the first result."""
        first = self.returned[0] if self.returned else None
        for node in self.nodes:
            if not isinstance(first, Ref) or first.id not in dict(node.results):
                continue
            names = {name for name, _ in node.attributes}
            if isinstance(node.op, Entry) and not names & {
                    name for name, _ in attributes}:
                node.attributes += attributes
                return True
        return False
