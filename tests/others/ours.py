"""A match of ours as any other program has it: one command a line, one JSON object back. And what was compared."""

import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tabletop.rules.protocol import new_match, obey

NAMES = ("Ann", "Ben", "Cid", "Dan")


class Ours:
    """state: what the referee told last. A refused command is an error of the comparison."""

    def __init__(self, game: str, *settings: str, players: int = 2) -> None:
        self._match = new_match(game, ",".join(NAMES[:players]), settings)
        self.state: dict[str, Any] = {}
        self.tell("state")

    def tell(self, line: str) -> None:
        told = json.loads(json.dumps(obey(self._match, line)))
        if "error" in told:
            raise ValueError(f"{line}: {told['error']}")
        self.state = told

    def throw(self, faces: list[int]) -> None:
        self.tell("throw " + " ".join(map(str, faces)))

    def keep(self, faces: list[int]) -> None:
        self.tell(" ".join(["keep", *map(str, faces)]))

    @property
    def kind(self) -> str:
        """What is waited for: roll, keep, choose or over."""
        return str(self.state["request"]["kind"])

    @property
    def player(self) -> int:
        """Whose answer is waited for, from 0."""
        return NAMES.index(self.state["request"]["player"])

    @property
    def options(self) -> list[str]:
        return list(self.state["request"]["options"])

    @property
    def gives(self) -> dict[str, int]:
        return dict(self.state["request"]["gives"])

    @property
    def scores(self) -> list[int]:
        return [self.state["scores"][name] for name in NAMES if name in self.state["scores"]]

    @property
    def winners(self) -> list[int]:
        return [NAMES.index(name) for name in self.state["winners"]]


@dataclass(slots=True)
class Compared:
    """How many matches and events, and which differences were seen how often."""

    matches: int = 0
    events: int = 0
    differences: Counter[str] = field(default_factory=Counter)

    def same(self, what: str, theirs: object, ours: object, *, known: str = "") -> None:
        """Note a difference; known: the name of the difference in rule that it is, where it is one."""
        if theirs != ours:
            self.differences[known or f"{what}: theirs {theirs}, ours {ours}"] += 1

    def tell(self) -> None:
        told = {"matches": self.matches, "events": self.events, "differences": self.differences}
        sys.stdout.write(json.dumps(told) + "\n")
