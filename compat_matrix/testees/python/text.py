"""Modules as text, for the matrix to parse: the grammar of `.graph` files."""

from files import INTRINSICS, Ref
from values import name_text, quoted, value_text


def module_text(module):
    lines = ["opset %s %s" % opset for opset in module.opsets]
    for name, declared, value in module.attributes:
        lines.append("attr %s : %s = %s" % (name_text(name), declared,
                                            value_text(value)))
    for name, (_, dtype, shape, data) in module.tensors:
        lines.append('tensor %s : %s[%s] = hex"%s"' % (
            name_text(name), dtype, ", ".join(map(str, shape)), data.hex()))
    for key, value in module.metadata:
        lines.append("meta %s = %s" % (quoted(key), quoted(value)))
    for function in module.functions:
        lines.append("func %s(%s) -> (%s):" % (
            name_text(function.name), _declarations(function.body.parameters),
            ", ".join(map(str, function.result_types))))
        _nodes(function.body, lines)
        lines.append("return (%s)" % _operands(function.body.yields))
    return "\n".join(lines) + "\n"


def _declarations(pairs):
    return ", ".join("%%%d : %s" % pair for pair in pairs)


def _operand(operand):
    return "%%%d" % operand.id if isinstance(operand, Ref) else value_text(operand)


def _operands(operands):
    return ", ".join(map(_operand, operands))


def _nodes(block, lines):
    for node in block.nodes:
        is_intrinsic = isinstance(node.op, int)
        name = INTRINSICS[node.op] if is_intrinsic else node.op.names[0]
        attributes = ", ".join("%s=%s" % (name_text(key), value_text(value))
                               for key, value in node.attributes)
        lines.append("%s = %s%s(%s)" % (
            _declarations(node.results), name,
            "[%s]" % attributes if attributes else "", _arguments(node)))
        for i, inner in enumerate(node.blocks):
            lines.append("block%d(%s):" % (i, _declarations(inner.parameters)))
            _nodes(inner, lines)
            lines.append("-> (%s)" % _operands(inner.yields))


def _arguments(node):
    if isinstance(node.op, int):
        return _operands(node.varargs)
    parts, by_name = [], False
    for i, argument in enumerate(node.op.exposed):
        by_name |= argument.keyword_only or i not in node.args
        if i in node.args:
            prefix = argument.names[0] + "=" if by_name else ""
            parts.append(prefix + _operand(node.args[i]))
    if node.varargs and by_name:
        parts.append("...")
    return ", ".join(parts + list(map(_operand, node.varargs)))
