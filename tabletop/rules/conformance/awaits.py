"""A question asked without `await`, found in the text of a game: Python makes a coroutine of it, and nobody is asked.

Called without `await`, a question may only be handed on: to `table.turn` or `table.among`, to another function, or
under a name that is awaited or handed on later in the same function. Everywhere else its answer would be used, and
there is none.
"""

import ast
import builtins
from collections.abc import Iterator
from importlib import import_module
from inspect import iscoroutinefunction

from tabletop.rules.table import Table

OURS = "tabletop."  # of modules elsewhere nothing is known without running them
QUESTIONS = frozenset(name for name, value in vars(Table).items() if iscoroutinefunction(value))
NOT_AWAITED = "expected `await` before {}, got none: nobody is asked"
_Parents = dict[ast.AST, ast.AST]


def missing_awaits(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and what is called, as it stands there, of each question that is not awaited; in any order."""
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
        """Return whether a coroutine may be handed to this call: to another question, or to what nobody knows."""
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
    """Return whether the name is awaited or handed on somewhere in the function."""
    uses = (node for node in ast.walk(function) if isinstance(node, ast.Name)) if function is not None else ()
    return any(use.id == name and isinstance(use.ctx, ast.Load) and _handed_on(use, parents, names) for use in uses)
