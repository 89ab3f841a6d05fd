"""Size is a cost: the code stays within a budget, and a class within what a reader can hold in mind.

Parameters have their limit in ruff (`max-args` of pyproject.toml).
"""

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("tabletop", "hardware", "calibration")
MOST_CODE_LINES = (
    35_950  # 31,158 before the table told other programs what happens, 33,081 and 35,094 before an evening and a card
)
MOST_ATTRIBUTES = 15
BESIDE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def sources() -> Iterator[str]:
    for package in PRODUCT:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path.read_text(encoding="utf-8")


def code_lines(text: str) -> int:
    """Return how many lines hold code: no blank lines, comments and docstrings."""
    lines = set[int]()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in BESIDE:
            lines |= set(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(
            node
        ):
            lines -= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return len(lines)


def attributes(text: str) -> dict[str, int]:
    found = dict[str, int]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef):
            stored = [part for part in ast.walk(node) if isinstance(part, ast.Attribute)]
            own = {
                part.attr for part in stored if isinstance(part.ctx, ast.Store) and ast.unparse(part.value) == "self"
            }
            found[node.name] = len(own)
    return found


def test_the_code_stays_within_its_budget() -> None:
    """More than that must go elsewhere, or something must go for it."""
    assert sum(map(code_lines, sources())) <= MOST_CODE_LINES


def test_no_class_holds_more_than_a_reader_can() -> None:
    """Without an exception."""
    assert {name for text in sources() for name, count in attributes(text).items() if count > MOST_ATTRIBUTES} == set()


def test_it_counts_what_it_says() -> None:
    """A line with code counts once, however many statements and lines of text it has."""
    method = "    def f(self):  # why\n        # why\n        self.a, b = (\n            1, self.c)\n"
    text = f'"""Doc."""\n\nclass A:\n    """Doc\n\n    more.\n    """\n\n{method}'
    assert code_lines(text) == len(("class", "def", "assign", "its second line"))
    assert attributes(text) == {"A": 1}
