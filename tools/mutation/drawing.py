"""Draw mutants of a module's text: cosmic-ray's, or from a few built-in mutations if that is not installed."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from tools.mutation.forms import forms

IDENTITY, BITS = {"Is", "IsNot"}, {"BitOr", "BitAnd", "BitXor", "LShift", "RShift", "Invert"}
Change = Callable[[], str | None]  # the changed text, None where there is none


@dataclass(frozen=True)
class Mutant:
    """A changed text, with the line and the kind of the change."""

    text: str
    line: int
    way: str

    def difference(self, was: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the changed lines before and after, without their indents."""
        old, new = was.splitlines(), self.text.splitlines()
        start = next((place for place, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), 0)
        end = 0
        while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
            end += 1
        return _bare(old[start : len(old) - end]), _bare(new[start : len(new) - end])


def _bare(lines: list[str]) -> tuple[str, ...]:
    return tuple(line.strip() for line in lines if line.strip())


def drawn(text: str, count: int, chance: Random, *, own: bool = False) -> list[Mutant]:
    """Draw mutants, or return all if there are fewer. own: use the built-in mutations, which need nothing installed.

    First a line is drawn, then a kind of change, then one of that kind, so that kinds with many forms do not dominate.
    """
    by_line: dict[int, dict[str, list[tuple[str, Change]]]] = {}
    for line, way, change in _own(text) if own else _of_the_tool(text):
        by_line.setdefault(line, {}).setdefault(way.partition("_")[0], []).append((way, change))
    found: list[Mutant] = []
    seen = {None, _meaning(text)}
    while len(found) < count and by_line:
        line = chance.choice(sorted(by_line))
        kind = chance.choice(sorted(by_line[line]))
        left = by_line[line][kind]
        way, change = left.pop(chance.randrange(len(left)))
        if not left:
            del by_line[line][kind]
        if not by_line[line]:
            del by_line[line]
        changed = change()
        if changed is not None and (meaning := _meaning(changed)) not in seen and not _orders_words(changed):
            seen.add(meaning)
            found.append(Mutant(changed, line, way))
    return found


def _own(text: str) -> Iterator[tuple[int, str, Change]]:
    for form in forms(text):
        yield form.line, form.way, lambda form=form: form.applied(text)  # type: ignore[misc] # bound now, not later


def _of_the_tool(text: str) -> Iterator[tuple[int, str, Change]]:
    """Yield the changes of cosmic-ray's operators that are slips of the hand.

    Nobody replaces or inserts a variable by name; `is` for `==` is another program for large numbers only; and nobody
    takes bits where a sum is meant.
    """
    from cosmic_ray.ast import ast_nodes, get_ast  # noqa: PLC0415 - only who draws by it installs it
    from cosmic_ray.mutating import mutate_code  # noqa: PLC0415
    from cosmic_ray.plugins import get_operator, operator_names  # noqa: PLC0415

    nodes = list(ast_nodes(get_ast(text)))  # in the order in which an occurrence is counted
    for name in sorted(operator_names()):
        operator = get_operator(name)
        was, _, now = name.rpartition("_")
        changes_kind = any(now in kind and was.rpartition("_")[2] not in kind for kind in (IDENTITY, BITS))
        if operator.arguments() or changes_kind:
            continue
        places = [start for node in nodes for start, _ in operator().mutation_positions(node)]
        for occurrence, (line, _) in enumerate(places):
            change = _changer(mutate_code, text, operator, occurrence)
            yield line, name.removeprefix("core/"), change


def _changer(mutate: Callable[..., str | None], text: str, operator: Callable[[], object], occurrence: int) -> Change:
    return lambda: mutate(text, operator(), occurrence)


def _orders_words(text: str) -> bool:
    """Whether a word stands on a side of `<` or the like: nobody writes this, and words of an option have no order."""
    order = ast.Lt | ast.LtE | ast.Gt | ast.GtE
    return any(
        isinstance(side, ast.Constant) and isinstance(side.value, str)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Compare) and any(isinstance(op, order) for op in node.ops)
        for side in (node.left, *node.comparators)
    )


def _meaning(text: str) -> str | None:
    """Return the syntax tree without what is never executed, so that annotations and texts make no mutant.

    None where it is no Python.
    """
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        elif isinstance(node, ast.arguments):  # which of them are told by name is seen where they are told
            node.args = node.posonlyargs + node.args + node.kwonlyargs
            node.defaults = node.defaults + [default for default in node.kw_defaults if default is not None]
            node.posonlyargs, node.kwonlyargs, node.kw_defaults = [], [], []
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return ast.dump(tree)
