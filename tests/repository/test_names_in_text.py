"""Docstrings and comments name only what is there."""

import ast
import builtins
import keyword
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OURS = ("tabletop", "hardware", "calibration", "training", "tests")
NAME = re.compile(r"`([A-Za-z_][\w.]*)(?:\(\))?`")  # `word`, `module.function` or `function()`, nothing else inside
OUTSIDE = {"cmp", "nohup"}  # programs


def sources() -> list[Path]:
    """Return every module of ours."""
    return [path for top in OURS for path in sorted((ROOT / top).rglob("*.py"))]


def known_names() -> set[str]:
    """Return what the sources define, use, import, or have as a whole text, such as a choice of an option."""
    known = {*dir(builtins), *keyword.kwlist, *OUTSIDE}
    for path in sources():
        known |= {path.name, path.stem, *path.relative_to(ROOT).parts}
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for field in ("id", "attr", "name", "arg", "module", "value"):
                word = getattr(node, field, None)
                if isinstance(word, str):
                    known |= {word, *(word.split(".") if " " not in word else ())}
    return known


def named_in_text(path: Path) -> Iterator[str]:
    """Yield the names in backticks of a module's docstrings and comments."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from NAME.findall(ast.get_docstring(node) or "")
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.COMMENT:
                yield from NAME.findall(token.string)


def test_each_name_in_a_text_exists() -> None:
    """A name in backticks is a module, a function, a class, a field or a value: none has been renamed or removed."""
    known = known_names()
    unknown = [
        f"{path.relative_to(ROOT)}: `{name}`"
        for path in sources()
        for name in named_in_text(path)
        if name not in known and not all(part in known for part in name.split("."))
    ]
    assert unknown == []
