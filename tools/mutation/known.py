"""The mutants known to be harmless, in `equivalents.toml`, and the report of the results."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tools.mutation.drawing import Mutant

KIN = {  # code shared by two games
    "going-to-boston": "tabletop.rules.families.boston",
    "multiplication": "tabletop.rules.families.boston",
    "pig": "tabletop.rules.families.pig",
    "two-dice-pig": "tabletop.rules.families.pig",
}
EQUIVALENTS = Path(__file__).with_name("equivalents.toml")
REPORT = Path(__file__).with_name("SURVIVORS.md")
ROW = re.compile(r"^\| ([a-z-]+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE)
HEAD = """\
# What the tests of each game notice

Written by

```console
$ {command}
```

which tries mutants of every game; [README.md](README.md) tells how. A game has fewer where its text has no more. A
mutant is noticed where a proof of its game fails. Equivalent are those below: the game does the same in every state
that it can reach, or the difference is not a rule. The others are gaps.

| game | drawn | noticed | equivalent | gaps |
|---|---|---|---|---|
"""
SURVIVORS = """
## The survivors

All that were found with any seed, from `equivalents.toml`: the game's text, what the mutant has instead,
and why nobody can tell.
"""


@dataclass(frozen=True)
class Equivalent:
    """A change of a game's lines, without their indents, and why it is harmless."""

    game: str
    was: tuple[str, ...]
    now: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class Row:
    """The results for the mutants of one game."""

    game: str
    drawn: int
    noticed: int
    equivalent: int
    gaps: int

    def __add__(self, more: "Row") -> "Row":
        """Add up what two of its modules have come to."""
        sums = (self.drawn + more.drawn, self.noticed + more.noticed)
        return Row(self.game, *sums, self.equivalent + more.equivalent, self.gaps + more.gaps)


def modules_of(game: str) -> tuple[str, ...]:
    """Return the modules that hold a game's rules, its own file first."""
    own = f"tabletop.games.{game.replace('-', '_')}"
    return (own, KIN[game]) if game in KIN else (own,)


def equivalents() -> tuple[Equivalent, ...]:
    """Return the known equivalents, in the order of the file."""
    found = tomllib.loads(EQUIVALENTS.read_text(encoding="utf-8"))["equivalent"]
    return tuple(
        Equivalent(one["game"], tuple(one["was"].splitlines()), tuple(one["now"].splitlines()), one["why"])
        for one in found
    )


def is_known(game: str, text: str, mutant: Mutant) -> bool:
    """Whether a mutant of this text is known to be harmless."""
    was, now = mutant.difference(text)
    return any(
        one.game == game and _squeezed(one.was) == _squeezed(was) and _squeezed(one.now) == _squeezed(now)
        for one in equivalents()
    )


def _squeezed(lines: Iterable[str]) -> list[str]:
    """Return the lines without spaces: cosmic-ray writes some more."""
    return ["".join(line.split()) for line in lines]


def report(rows: Iterable[Row], command: str, before: str) -> str:
    """Return the report: these rows, the others from the previous report, and the reasons."""
    standing = {name: Row(name, *map(int, numbers)) for name, *numbers in ROW.findall(before)}
    standing |= {row.game: row for row in rows}
    lines = [
        f"| {row.game} | {row.drawn} | {row.noticed} | {row.equivalent} | {row.gaps} |\n"
        for row in sorted(standing.values(), key=lambda row: row.game)
    ]
    drawn, noticed, equivalent, gaps = (
        sum(getattr(row, name) for row in standing.values()) for name in ("drawn", "noticed", "equivalent", "gaps")
    )
    share = noticed / max(1, drawn)
    told = f"\n{drawn} drawn, {noticed} noticed ({share:.1%}), {equivalent} equivalent, {gaps} gaps. "
    told += f"Of those that are faults {noticed / max(1, noticed + gaps):.1%} are noticed.\n"
    return f"{HEAD.format(command=command)}{''.join(lines)}{told}{SURVIVORS}{_reasons()}"


def _reasons() -> str:
    text, last = "", ""
    for one in sorted(equivalents(), key=lambda one: one.game):
        text += f"\n### {one.game}\n" if one.game != last else ""
        last = one.game
        lines = "".join([*(f"- {line}\n" for line in one.was), *(f"+ {line}\n" for line in one.now)])
        text += f"\n```diff\n{lines}```\n{one.why}\n"
    return text
