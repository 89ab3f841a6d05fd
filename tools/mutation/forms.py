"""Built-in mutations, using only the standard library, if no mutation tool is installed.

A number one higher or lower, a comparison with or without equality, `and` for `or`, the smallest for the largest, a
sign, a negated condition, a loop that ends or continues, a loop without an iteration.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

COMPARED: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">")),
    ast.LtE: ("<=", ("<", "==")),
    ast.Gt: (">", (">=", "<")),
    ast.GtE: (">=", (">", "==")),
    ast.Eq: ("==", ("!=", ">=", "<=")),
    ast.NotEq: ("!=", ("==",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
}
COMPUTED: dict[type[ast.operator], tuple[str, tuple[str, ...]]] = {
    ast.Add: ("+", ("-",)),
    ast.Sub: ("-", ("+",)),
    ast.Mult: ("*", ("+",)),
    ast.FloorDiv: ("//", ("*",)),
    ast.Mod: ("%", ("+",)),
}
JOINED: dict[type[ast.boolop], tuple[str, str]] = {ast.And: ("and", "or"), ast.Or: ("or", "and")}
OTHER_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Form:
    """A part of a text, in bytes of its lines, and its replacement. line, end_line: from 1."""

    line: int
    start: int
    end_line: int
    end: int
    instead: str
    way: str

    def applied(self, text: str) -> str:
        """Return the text with the change applied."""
        lines = text.encode().splitlines(keepends=True)
        before = b"".join(lines[: self.line - 1]) + lines[self.line - 1][: self.start]
        after = lines[self.end_line - 1][self.end :] + b"".join(lines[self.end_line :])
        return (before + self.instead.encode() + after).decode()


def forms(text: str) -> Iterator[Form]:
    """Yield all changes, in the order of the syntax tree; some may not change the program (in an annotation)."""
    for node in ast.walk(ast.parse(text)):
        yield from _other_values(node)
        yield from _other_operators(text, node)
        yield from _other_ways(text, node)


def _other_values(node: ast.AST) -> Iterator[Form]:
    match node:
        case ast.Constant(value=bool() as flag):
            yield _whole(node, str(not flag), "boolean")
        case ast.Constant(value=int() as number):
            yield _whole(node, str(number + 1), "number")
            yield _whole(node, str(number - 1), "number")
        case ast.Name(id=name) if name in OTHER_NAMES:
            yield _whole(node, OTHER_NAMES[name], "name")


def _other_operators(text: str, node: ast.AST) -> Iterator[Form]:
    match node:
        case ast.Compare():
            operands = [node.left, *node.comparators]
            for left, op, right in zip(operands, node.ops, operands[1:], strict=False):
                yield from _between(text, left, right, *COMPARED[type(op)], "comparison")
        case ast.BinOp() if type(node.op) in COMPUTED:
            yield from _between(text, node.left, node.right, *COMPUTED[type(node.op)], "sign")
        case ast.AugAssign() if type(node.op) in COMPUTED:
            yield from _between(text, node.target, node.value, *COMPUTED[type(node.op)], "sign")
        case ast.BoolOp():
            was, now = JOINED[type(node.op)]
            for left, right in zip(node.values, node.values[1:], strict=False):
                yield from _between(text, left, right, was, (now,), "joint")
        case ast.UnaryOp(op=ast.Not()):
            yield Form(node.lineno, node.col_offset, node.lineno, node.col_offset + len("not"), "", "condition")


def _other_ways(text: str, node: ast.AST) -> Iterator[Form]:
    match node:
        case ast.Break():
            yield _whole(node, "continue", "loop")
        case ast.Continue():
            yield _whole(node, "break", "loop")
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield _whole(test, f"(not ({_segment(text, test)}))", "condition")
        case ast.For(iter=turns) | ast.comprehension(iter=turns):
            yield _whole(turns, "()", "turns")


def _whole(node: ast.expr | ast.stmt, instead: str, way: str) -> Form:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return Form(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, instead, way)


def _segment(text: str, node: ast.expr) -> str:
    segment = ast.get_source_segment(text, node)
    assert segment is not None
    return segment


def _between(
    text: str, left: ast.expr, right: ast.expr, was: str, instead: tuple[str, ...], way: str
) -> Iterator[Form]:
    """Change the operator between two operands."""
    assert left.end_lineno is not None
    assert left.end_col_offset is not None
    lines = text.encode().splitlines()
    line, start = left.end_lineno, left.end_col_offset
    while (place := lines[line - 1].find(was.encode(), start)) < 0:
        line, start = line + 1, 0
    assert (line, place) < (right.lineno, right.col_offset)
    for now in instead:
        yield Form(line, place, line, place + len(was), now, way)
