"""What the text of a game file shows without being run: what Python would let pass, and no player would forgive."""

import ast
from collections.abc import Iterator
from string import Formatter

from tabletop.rules.conformance.awaits import NOT_AWAITED, missing_awaits

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
    found = [(getattr(node, "lineno", 1), complaint) for node in ast.walk(tree) for complaint in _complaints(node)]
    found += [(line, NOT_AWAITED.format(asked)) for line, asked in missing_awaits(tree)]
    yield from sorted(found)


def _complaints(node: ast.AST) -> Iterator[str]:
    for name in _imported(node):
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


def _imported(node: ast.AST) -> Iterator[str]:
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
