"""Faults that the text of a game file shows without being run."""

import ast
from collections.abc import Iterator

FORBIDDEN = frozenset({
    "asyncio", "concurrent", "cv2", "datetime", "glob", "io", "logging", "multiprocessing", "numpy", "os",
    "pathlib", "queue", "random", "secrets", "select", "shutil", "signal", "socket", "sqlite3", "subprocess",
    "sys", "tempfile", "threading", "time", "uuid",
})  # fmt: skip
FORBIDDEN_CALLS = frozenset({"open", "input", "print", "exec", "eval"})


def wrong_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and complaint of all that a game's text must not have, in its order."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:  # ValueError: null bytes
        yield getattr(error, "lineno", None) or 1, f"expected Python, got {getattr(error, 'msg', error)}"
        return
    yield from sorted((getattr(node, "lineno", 1), wrong) for node in ast.walk(tree) for wrong in _complaints(node))


def _complaints(node: ast.AST) -> Iterator[str]:
    for name in _bound_names(node):
        if name.partition(".")[0] in FORBIDDEN:
            yield f"expected a game without chance, clock, file or thread of its own, got an import of {name}"
        if name.startswith("tabletop.games."):
            yield f"expected a game that imports no other one, got an import of {name}: copy what you need"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS:
        yield f"expected a game that asks and tells by its table only, got a call of {node.func.id}()"
    if isinstance(node, ast.AugAssign) and any(isinstance(inner, ast.Await) for inner in ast.walk(node.value)):
        yield (
            f"expected the answer to be named first, got {ast.unparse(node)!r}: what stands before the sign is read "
            "before the answer comes"
        )


def _bound_names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def line_of(text: str, name: str) -> int:
    """Return the line at which this name is first bound at the top of the file, 1 if it is not."""
    for node in ast.parse(text).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        bound = {target.id for target in targets if isinstance(target, ast.Name)} | {getattr(node, "name", None)}
        if name in bound:
            return getattr(node, "lineno", 1)
    return 1
