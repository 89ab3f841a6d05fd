"""Docstrings and comments name only what is there."""

import ast
import builtins
import io
import keyword
import re
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OURS = ("tabletop", "hardware", "calibration", "tests", "tools", "examples")
NAME = re.compile(r"`([A-Za-z_][\w.]*)(?:\(\))?`")  # `word`, `module.function` or `function()`, nothing else inside
REMARK = re.compile(r"#.*`")  # a line that may hold a comment with such a name
WORDS = {"id", "attr", "name", "arg", "module", "value"}  # fields of a syntax tree
OUTSIDE = {"cmp", "nohup"}  # programs


def sources() -> list[Path]:
    return [path for top in OURS for path in sorted((ROOT / top).rglob("*.py"))]


@cache
def words_of(fields: tuple[str, ...]) -> frozenset[str]:
    """Return those of a node's fields that may hold a name."""
    return frozenset(WORDS & set(fields))


def known_names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        for field in words_of(node._fields):
            word = getattr(node, field)
            if isinstance(word, str):
                yield word
                if " " not in word:
                    yield from word.split(".")


def named_in_text(source: str, nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names in backticks of a module's docstrings and comments."""
    for node in nodes:
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from NAME.findall(ast.get_docstring(node) or "")
    if REMARK.search(source):
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield from NAME.findall(token.string)


def test_each_name_in_a_text_exists() -> None:
    """A name in backticks is a module, a function, a class, a field or a value: none has been renamed or removed."""
    known = {*dir(builtins), *keyword.kwlist, *OUTSIDE}
    named: list[tuple[Path, str]] = []
    for path in sources():
        source = path.read_text(encoding="utf-8")
        nodes = list(ast.walk(ast.parse(source)))
        known |= {path.name, path.stem, *path.relative_to(ROOT).parts, *known_names(nodes)}
        named += [(path, name) for name in named_in_text(source, nodes)]
    assert len(named) > len(OURS)
    unknown = [
        f"{path.relative_to(ROOT)}: `{name}`"
        for path, name in named
        if name not in known and not all(part in known for part in name.split("."))
    ]
    assert unknown == []
