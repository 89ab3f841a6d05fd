"""docs/game-modules.md: every signature is the module's own, every example runs, and its games play to their ends."""

import ast
import re
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from tabletop.rules import Match
from tabletop.rules.catalog import offering
from tabletop.rules.conformance.source import wrong_lines
from tabletop.rules.conformance.trial import random_answer
from tabletop.rules.game import LAYOUTS, Game
from tabletop.rules.options import Choice, Flag, Whole

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "game-modules.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (tabletop\S+)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
SIGNATURES = [
    (module, signature)
    for module, text in SECTIONS.items()
    for signature in re.findall(r"^- `((?:await )?[a-z_]+\(.*?\))`:", text, re.MULTILINE)
]
PLAYERS = ["Ann", "Ben", "Cid"]
MOST_ANSWERS = 4000
MATCHES = 20


def signatures(module: str) -> set[str]:
    """Return the names and arguments, without types, of a module's functions and of the methods of a table."""
    path = ROOT / f"{module.replace('.', '/')}.py"
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for argument in ast.walk(node.args):
                if isinstance(argument, ast.arg):
                    argument.annotation = None
            arguments = ast.unparse(node.args).removeprefix("self, ").removeprefix("self")
            waits = "await " if isinstance(node, ast.AsyncFunctionDef) else ""
            found.add(f"{waits}{node.name}({arguments})")
    return found


def example(module: str) -> str:
    texts: list[str] = re.findall(r"^```python\n(.*?)^```$", SECTIONS[module], re.MULTILINE | re.DOTALL)
    (text,) = texts
    return text


@pytest.mark.parametrize(("module", "signature"), SIGNATURES)
def test_a_signature_is_as_it_is_written(module: str, signature: str) -> None:
    """Name, arguments and defaults, in the words of the module; which of them are awaited."""
    assert signature in signatures(module)


def test_the_modules_are_those_that_are_promised() -> None:
    """None that a game may import has been taken away, and each has more than its name."""
    families = {"race", "rounds", "boxes", "keep_order", "combinations", "order", "counters", "cup"}
    promised = {"tabletop.rules", "tabletop.core.message"}
    promised |= {f"tabletop.rules.{name}" for name in ("game", "options", "table", "requests")}
    assert set(SECTIONS) == promised | {f"tabletop.rules.families.{name}" for name in families}
    assert len(SIGNATURES) == 65


@pytest.mark.parametrize("module", SECTIONS)
def test_an_example_runs_and_what_plays_there_plays_to_its_end(module: str) -> None:
    """Asserts hold; a `play` is a game of three, with random answers, with the options that stand beside it."""
    text = example(module)
    assert list(wrong_lines(text)) == []
    made = ModuleType("example")
    made.__file__ = module
    exec(compile(text, module, "exec"), made.__dict__)  # noqa: S102 - our own page
    if not hasattr(made, "play"):
        return
    options = tuple(value for value in vars(made).values() if isinstance(value, Whole | Flag | Choice))
    made.__dict__["GAME"] = Game("example", "Example", "this page", 6, {"usual": {}}, "an example", options)
    with offering(lambda: {"example": lambda: made}):
        for seed in range(MATCHES):
            chance, match = Random(seed), Match("example", PLAYERS)
            while not match.over:
                assert match.event < MOST_ANSWERS
                match.apply(*match.draft(random_answer(match.request, chance)))
            assert match.winners
            assert Match.replay("example", PLAYERS, match.options, match.log).state() == match.state()


def test_every_layout_is_listed() -> None:
    """A word that a game may give as its layout stands in the section of the facts."""
    assert [word for word in LAYOUTS if not re.search(rf"\b{word}\b", SECTIONS["tabletop.rules.game"])] == []
