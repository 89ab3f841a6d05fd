"""Keeping by hand: what lies there while the others are in the hand, whatever becomes of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from all_seeing import AllSeeing

from tabletop.core.ports import Press
from tabletop.core.values import Die, Reading, Rest
from tabletop.perception.pipeline import PerceptionPipeline
from tabletop.rules import Match
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import snapshot
from tabletop.simulator.tray import Pace, profile_of
from tools.room.world import RoomWorld

EDGE = 50.0
ONES = (1, 1)  # what is kept in the world


@dataclass
class Tray:
    """Dice at places of their own, and a match that watches them. dice: face, place in edges, when it came there."""

    session: MatchSession
    taken: list[str]
    now_s: float = 1.0
    dice: list[tuple[int, float, float]] = field(default_factory=list)

    def do(self, deeds: str) -> "Tray":
        """Do what the words say, with commas between; a second passes at each, and the match sees what lies there.

        `throw 3@2 5@4` has dice come to lie at these places; `take 2 4` takes the dice at these places into the hand;
        `knock 2` has the die there gone before the next throw is seen; `look` changes nothing; HOLD and BANK.
        """
        for deed in deeds.split(", "):
            word, *rest = deed.split()
            if word in ("HOLD", "BANK"):
                self.session.press(Press("hold" if word == "HOLD" else "bank"), self.now_s)
            elif word == "throw":
                dice = [spot.split("@") for spot in rest]
                self.dice += [(int(face), float(at), self.now_s + 0.5) for face, at in dice]
            elif word in ("take", "knock"):
                self.dice = [die for die in self.dice if die[1] not in map(float, rest)]
            if word != "knock":
                self.now_s += 1.0
                seen = tuple(Die(face, at * EDGE, 100.0, EDGE, 0.0, "white", 0.99) for face, at, _ in self.dice)
                reading = Reading(self.now_s, 2000, 480, seen)
                self.session.on_rest(Rest(reading, tuple(at_s for _, _, at_s in self.dice)), moving_hint=False)
        return self


def tray(game: str, **options: object) -> Tray:
    taken = list[str]()

    def note(event: Mapping[str, Any]) -> None:
        value = event.get("faces", event.get("kept", event.get("choice")))
        taken.append(f"{event['kind']} {' '.join(map(str, value)) if isinstance(value, list) else value}".strip())

    return Tray(MatchSession(Match(game, ["Ann", "Ben"], **options), listener=note), taken)


SIX = "throw 1@0 1@2 5@4 2@6 3@8 4@10"
ONES_LEFT = f"{SIX}, take 4 6 8 10"
FIVE_OF_YAHTZEE = "throw 2@0 2@2 3@4 4@6 4@8"
CARRIED = f"{FIVE_OF_YAHTZEE}, take 0 2, take 6 8, throw 2@12 2@14"
GONE = f"{SIX}, take 0 2 4 6 8 10, throw 2@1 2@3 3@5 4@7 6@9"
ON = ["keep 1 1", "choose roll"]


@pytest.mark.parametrize(
    ("game", "deeds", "events", "hint"),
    [
        # two 1s are left lying: the next throw keeps them
        ("ten-thousand", f"{ONES_LEFT}, throw 2@5 2@7 3@9 6@11", [*ON, "throw 2 2 3 6"], ""),
        # a 2 left lying with them scores nothing: named at once with what may be kept; put right, all is well
        ("ten-thousand", f"{SIX}, take 4 8 10", [], "1 1 2 cannot be kept: keep 1 1 5, or less"),
        ("ten-thousand", f"{SIX}, take 4 8 10, take 6", [], ""),
        ("ten-thousand", f"{SIX}, take 4 8 10, take 6, throw 2@5 2@7 3@9 6@11", [*ON, "throw 2 2 3 6"], ""),
        # one of them is hit by the throw and lies elsewhere, maybe turned: it is none of the throw
        ("ten-thousand", f"{ONES_LEFT}, knock 2, throw 1@3.4 2@8 2@10 5@12 6@14", [*ON, "throw 2 2 5 6"], None),
        ("ten-thousand", f"{ONES_LEFT}, knock 2, throw 3@3.4 2@8 2@10 5@12 6@14", [*ON, "throw 2 2 5 6"], None),
        # it is knocked off the table: it may be in a hand that sorts, then both were kept
        ("ten-thousand", f"{ONES_LEFT}, knock 2, throw 2@8 2@10 5@12 6@14", [], None),
        ("ten-thousand", f"{ONES_LEFT}, knock 2, throw 2@8 2@10 5@12 6@14, look", [*ON, "throw 2 2 5 6"], None),
        # 2s kept first lie again among the others while the 4s are carried: only the sorted hand counts
        ("yahtzee", CARRIED, [], None),
        ("yahtzee", f"{CARRIED}, throw 4@20 4@22", [], None),
        (  # a kept 6 is hit by a throw of three
            "yahtzee", "throw 6@0 6@2 1@4 2@6 3@8, take 4 6 8, BANK, knock 2, throw 6@3 4@8 4@10 5@12",
            ["keep 6 6", "throw 4 4 5"], None,
        ),
        (  # three 2s and nothing else of three dice counts: all are gone and three are thrown, so the 2s were kept
            "ten-thousand", "throw 2@0 2@2 2@4 5@6 3@8 4@10, take 0 2 4 6 8 10, throw 1@1 3@3 6@5",
            ["keep 2 2 2", "choose roll", "throw 1 3 6"], None,
        ),
        # one die is gone, a 1 or the 5: asked, and nothing is taken until BANK says which
        ("ten-thousand", GONE, [], "which die is kept? press HOLD"),
        ("ten-thousand", f"{GONE}, HOLD", [], "HOLD next, BANK keeps it and rolls on"),
        # only the 5 counts: it is kept automatically
        ("ten-thousand", "throw 5@0 2@2 3@4 4@6 6@8 6@10", ["keep 5"], ""),
    ],
)  # fmt: skip
def test_what_lies_there_is_kept_whatever_becomes_of_it(
    game: str, deeds: str, events: list[str], hint: str | None
) -> None:
    table = tray(game).do(deeds)
    assert table.taken[1 : len(events) + 1] == events
    assert bool(events) or len(table.taken) == 1
    assert hint in (None, table.session.notices.hint)


def test_the_keep_is_shown_while_the_others_are_in_the_hand() -> None:
    now = snapshot(tray("ten-thousand").do(ONES_LEFT).session, None)
    assert now.offer.startswith("keep 1 1")
    assert [face for face, kept in zip(now.thrown, now.kept, strict=True) if kept] == [1, 1]


def test_hold_shows_the_parts_that_may_be_gone_from_the_table() -> None:
    """Of the parts with any number of dice HOLD leads to the 5, and BANK keeps it."""
    table = tray("ten-thousand").do(GONE)
    for _ in range(5):
        table.do("HOLD")
        if table.session.offer is not None and table.session.offer.kept == (5,):
            break
    assert snapshot(table.session, None).bank == "keep"
    assert table.do("BANK").taken[1:] == ["keep 5", "choose roll", "throw 2 2 3 4 6"]


@pytest.mark.slow
@pytest.mark.parametrize("rail", [False, True])
def test_hands_keep_in_the_world(*, rail: bool) -> None:
    """Two 1s stay, or are carried to the rail; four dice are shaken in the hand: shown then, and kept by the throw."""
    world = RoomWorld(6, chance=Random(7), fps=10.0, pace=Pace(in_hand_s=1.2), noise=0.0)
    eye = AllSeeing(world)
    watch = PerceptionPipeline(eye, profile_of(world.tray) if rail else None)
    table = tray("ten-thousand")
    shown: list[str] = []

    def run(end_s: float) -> None:
        while world.now_s < end_s or world.busy:
            frame = world.camera.read()
            assert frame is not None
            table.session.on_rest(watch.process(frame, 6).rest)
            if world.truth().still and len(world.truth().dice) == len(ONES):
                shown.append(snapshot(table.session, None).offer)

    run(0.4)
    world.throw(faces=[1, 1, 2, 3, 4, 5])
    run(world.tray.busy_until_s + 0.6)
    ones = [die.index for die in world.truth().dice if die.face == 1]
    if rail:
        world.keep(ones)
    else:
        world.tray.set_aside(ones, leave=True)
    run(world.tray.busy_until_s + 0.3)
    world.throw(faces=[2, 2, 3, 6])
    run(world.tray.busy_until_s + 0.6)
    assert table.taken == ["throw 1 1 2 3 4 5", "keep 1 1", "choose roll", "throw 2 2 3 6"]
    assert shown[-1].startswith("keep 1 1")
