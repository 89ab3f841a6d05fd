"""Static checks of a game file.

A question asked without `await` may only be passed on: to `table.turn`, `table.among` or another function, or assigned
to a name that is awaited or passed on later in the same function. Anywhere else it is never answered.
"""

import ast
import builtins
from collections.abc import Iterator
from importlib import import_module
from inspect import iscoroutinefunction
from string import Formatter

from tabletop.rules.table import Table

OURS = "tabletop."  # modules elsewhere cannot be judged without running them
QUESTIONS = frozenset(name for name, value in vars(Table).items() if iscoroutinefunction(value))
NOT_AWAITED = "expected `await` before {}, got none: nobody is asked"
_Parents = dict[ast.AST, ast.AST]


def missing_awaits(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the source text of each question that is not awaited, in any order."""
    names = _Names(tree)
    parents = {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and names.asks(node) and not _handed_on(node, parents, names):
            yield node.lineno, ast.unparse(node.func)


class _Names:
    """What is known of the names in a file: which calls make a coroutine, and which surely do not take one."""

    def __init__(self, tree: ast.Module) -> None:
        self._known: dict[str, object] = dict(vars(builtins))
        self._tables, self._asking, self._plain = {"table"}, set[str](), set[str]()
        for node in ast.walk(tree):
            if isinstance(node, ast.arg) and node.annotation is not None and ast.unparse(node.annotation) == "Table":
                self._tables.add(node.arg)
            elif isinstance(node, ast.AsyncFunctionDef):
                self._asking.add(node.name)
            elif isinstance(node, ast.FunctionDef):
                self._plain.add(node.name)
            self._known.update(_imported(node))

    def asks(self, call: ast.Call) -> bool:
        """Return whether this call makes a coroutine."""
        return self._is_question(call.func) is True

    def may_take_one(self, call: ast.Call) -> bool:
        """Return whether a coroutine may be handed to this call: to another question, or to an unknown function."""
        return self._is_question(call.func) is not False

    def _is_question(self, called: ast.expr) -> bool | None:
        """Return whether what is called is a coroutine function, None where that is not known."""
        match called:
            case ast.Name(id=name) if name in self._asking or name in self._plain:
                return name in self._asking
            case ast.Name(id=name) if name in self._known:
                return iscoroutinefunction(self._known[name])
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in self._tables:
                return attribute in QUESTIONS
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in self._known:
                return iscoroutinefunction(getattr(self._known[name], attribute, None))
        return None


def _imported(node: ast.AST) -> Iterator[tuple[str, object]]:
    """Yield the names that an import of ours binds, with what they stand for; none where it cannot be imported."""
    if not (isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(OURS) and not node.level):
        return
    for alias in node.names:
        try:
            module = import_module(node.module)
            found = getattr(module, alias.name, None) or import_module(f"{node.module}.{alias.name}")
        except ImportError:
            continue
        yield alias.asname or alias.name, found


def _handed_on(call: ast.AST, parents: _Parents, names: _Names) -> bool:
    """Return whether the coroutine is awaited, or goes on to where it may be."""
    node, parent = call, parents[call]
    while isinstance(parent, ast.IfExp | ast.keyword | ast.Starred) and node is not getattr(parent, "test", None):
        node, parent = parent, parents[parent]
    match parent:
        case ast.Await() | ast.Lambda():
            handed = True
        case ast.Call():
            handed = node is not parent.func and names.may_take_one(parent)
        case ast.Return():
            handed = isinstance(_function(parent, parents), ast.FunctionDef)
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            handed = _used_later(name, _function(parent, parents), parents, names)
        case _:
            handed = False
    return handed


def _function(node: ast.AST, parents: _Parents) -> ast.AST | None:
    inside: ast.AST | None = node
    while inside is not None and not isinstance(inside, ast.FunctionDef | ast.AsyncFunctionDef):
        inside = parents.get(inside)
    return inside


def _used_later(name: str, function: ast.AST | None, parents: _Parents, names: _Names) -> bool:
    uses = (node for node in ast.walk(function) if isinstance(node, ast.Name)) if function is not None else ()
    return any(use.id == name and isinstance(use.ctx, ast.Load) and _handed_on(use, parents, names) for use in uses)


FORBIDDEN = frozenset({
    "asyncio", "concurrent", "cv2", "datetime", "glob", "io", "logging", "multiprocessing", "numpy", "os",
    "pathlib", "queue", "random", "secrets", "select", "shutil", "signal", "socket", "sqlite3", "subprocess",
    "sys", "tempfile", "threading", "time", "uuid",
})  # fmt: skip
FORBIDDEN_CALLS = frozenset({"open", "input", "print", "exec", "eval"})


def wrong_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and complaint for everything that a game file must not contain, in order."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:  # ValueError: null bytes
        yield getattr(error, "lineno", None) or 1, f"expected Python, got {getattr(error, 'msg', error)}"
        return
    found = [(getattr(node, "lineno", 1), complaint) for node in ast.walk(tree) for complaint in _complaints(node)]
    found += [(line, NOT_AWAITED.format(asked)) for line, asked in missing_awaits(tree)]
    yield from sorted(found)


def _complaints(node: ast.AST) -> Iterator[str]:
    for name in _bound_names(node):
        if name.partition(".")[0] in FORBIDDEN:
            yield f"expected a game without chance, clock, file or thread of its own, got an import of {name}"
        if name.startswith("tabletop.games."):
            yield f"expected a game that imports no other one, got an import of {name}: copy what you need"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS:
        yield f"expected a game that asks and tells by its table only, got a call of {node.func.id}()"
    if isinstance(node, ast.Call):
        yield from _wrong_messages(node)
    if isinstance(node, ast.AugAssign) and any(isinstance(inner, ast.Await) for inner in ast.walk(node.value)):
        yield (
            f"expected the answer to be named first, got {ast.unparse(node)!r}: what stands before the sign is read "
            "before the answer comes"
        )


def _wrong_messages(call: ast.Call) -> Iterator[str]:
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name == "say" and call.args:
        texts = [call.args[0].body, call.args[0].orelse] if isinstance(call.args[0], ast.IfExp) else call.args[:1]
        yield from (wrong for text in texts if (wrong := _wrong_message(text, call.keywords)))
    elif name in ("Result", "highest", "lowest"):
        texts = [*call.args, *(keyword.value for keyword in call.keywords)]
        yield from (_wrong_message(text, []) for text in texts if isinstance(text, ast.JoinedStr))


def _wrong_message(text: ast.expr, given: list[ast.keyword]) -> str:
    """Return what no language could look up, or what is not filled in; empty if all is well."""
    if isinstance(text, ast.JoinedStr | ast.BinOp | ast.Call):
        return f'expected say("... {{name}} ...", name=...), which can be translated, got {ast.unparse(text)}'
    if not isinstance(text, ast.Constant):
        return ""  # a constant of the game
    if not isinstance(text.value, str):
        return f"expected a text, got {text.value!r}"
    try:
        names = {name for _, name, _, _ in Formatter().parse(text.value) if name is not None}
    except ValueError as error:
        return f"expected a text with names in braces, got {text.value!r} ({error})"
    filled = {keyword.arg for keyword in given}
    missing = set() if None in filled else names - filled
    return f"expected say(..., {', '.join(f'{name}=...' for name in sorted(missing))}), got none" if missing else ""


def _bound_names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def line_of(text: str, name: str) -> int:
    """Return the line that first binds this name at module level, 1 if there is none."""
    for node in ast.parse(text).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        bound = {target.id for target in targets if isinstance(target, ast.Name)} | {getattr(node, "name", None)}
        if name in bound:
            return getattr(node, "lineno", 1)
    return 1
