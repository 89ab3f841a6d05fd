"""Roll Your Luck in random matches, beside a bookkeeping written here from the rule alone."""

from collections import Counter
from random import Random

import pytest

from tabletop.rules import Match

NAMES = ["Ann", "Ben", "Cid", "Dan"]
Faces = dict[str, int]


class Round:
    """One round on paper: running totals of those in it, and who owns which face."""

    def __init__(self, least: int, points: Counter[str]) -> None:
        self.least = least
        self.points = points
        self.total = dict.fromkeys(NAMES, 0)
        self.owners: dict[int, set[str]] = {face: set() for face in range(1, 7)}

    def thrown(self, faces: Faces, *, ends: bool) -> None:
        """Note a step; ends: a face that is not accepted ends the turn."""
        for name, face in faces.items():
            for owner in self.owners[face]:
                self.points[owner] += face
            self.total[name] = self.total[name] + face if face >= self.least else 0
            if self.owners[face] or (ends and face < self.least):
                del self.total[name]

    def banked(self, name: str) -> None:
        self.points[name] += self.total.pop(name)


def throw(match: Match, faces: Faces) -> None:
    if match.options["together"]:
        assert match.request.dice == dict.fromkeys(faces, 1)
        match.throw({name: [face] for name, face in faces.items()})
        return
    for name, face in faces.items():
        assert (match.request.player, match.request.dice) == (name, 1)
        match.throw([face])


def play_step(match: Match, paper: Round, rng: Random) -> None:
    assert match.sheet["total"] == {name: paper.total.get(name) for name in NAMES}
    faces = {name: rng.randint(1, 6) for name in paper.total}
    throw(match, faces)
    paper.thrown(faces, ends=match.options["refused"] == "ends")
    assert match.scores == {name: paper.points[name] for name in NAMES}
    claims = {}
    for name in [player for player in paper.total if faces[player] >= paper.least]:
        assert (match.request.kind, match.request.player) == ("choose", name)
        assert match.request.gives == {"bank": match.at_stake} == {"bank": paper.total[name]}
        choice = rng.choice(["roll", "roll", "bank"])
        match.choose(choice)
        if choice == "bank":
            paper.banked(name)
            claims[name] = faces[name]
        assert match.scores == {name: paper.points[name] for name in NAMES}
    for name, face in claims.items():
        paper.owners[face].add(name)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("refused", ["wipes", "ends"])
def test_random_matches(seed: int, together: bool, refused: str) -> None:
    """Points, running totals and questions are those of the bookkeeping at every step."""
    rng = Random(f"{seed} {together} {refused}")
    match, points = Match("roll-your-luck", NAMES, together=together, refused=refused), Counter[str]()
    for least in range(1, 6):
        paper = Round(least, points)
        assert set(match.sheet["accepts"].values()) == {f"{least}-6"}
        while paper.total:
            play_step(match, paper, rng)
    assert match.over
    assert set(match.winners) == {name for name in NAMES if points[name] == max(points.values())}
