"""Keeping by hand: what lies there while the others are in the hand, whatever becomes of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from all_seeing import AllSeeing

from tabletop.core.ports import Press
from tabletop.core.values import Die, Moment, Reading, Rest
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

    def show(self) -> "Tray":
        """Let a second pass, and have the match see what lies there then."""
        self.now_s += 1.0
        dice = tuple(Die(face, at * EDGE, 100.0, EDGE, 0.0, "white", 0.99) for face, at, _ in self.dice)
        rest = Rest(Reading(self.now_s, 2000, 480, dice), tuple(at_s for _, _, at_s in self.dice))
        self.session.on_rest(rest, moving_hint=False)
        return self

    def throw(self, *spots: tuple[int, float]) -> "Tray":
        """Have dice come to lie: face and place."""
        self.dice += [(face, at, self.now_s + 0.5) for face, at in spots]
        return self.show()

    def take(self, *places: float) -> "Tray":
        """Take the dice at these places into the hand."""
        self.dice = [die for die in self.dice if die[1] not in places]
        return self.show()

    def press(self, *buttons: str) -> "Tray":
        """Press and look again."""
        for button in buttons:
            self.session.press(Press("hold" if button == "HOLD" else "bank"), self.now_s)
            self.show()
        return self


def tray(game: str, **options: object) -> Tray:
    """Return a tray at which Ann is to throw."""
    taken = list[str]()

    def note(event: Mapping[str, Any]) -> None:
        value = event.get("faces", event.get("kept", event.get("choice")))
        taken.append(f"{event['kind']} {' '.join(map(str, value)) if isinstance(value, list) else value}".strip())

    session = MatchSession(
        Match(game, ["Ann", "Ben"], **options), None, 1, lambda: Moment("1970-01-01T00:00:00Z"), note
    )
    return Tray(session, taken)


SIX = ((1, 0.0), (1, 2.0), (5, 4.0), (2, 6.0), (3, 8.0), (4, 10.0))


def test_the_keep_is_shown_while_the_others_are_in_the_hand() -> None:
    """Two 1s are left lying: at once the screen marks them and BANK names them; the next throw keeps them."""
    table = tray("ten-thousand").throw(*SIX).take(4.0, 6.0, 8.0, 10.0)
    now = snapshot(table.session, None)
    assert now.offer.startswith("keep 1 1")
    assert [face for face, kept in zip(now.thrown, now.kept, strict=True) if kept] == [1, 1]
    table.throw((2, 5.0), (2, 7.0), (3, 9.0), (6, 11.0))
    assert table.taken[1:] == ["keep 1 1", "choose roll", "throw 2 2 3 6"]


def test_an_illegal_keep_is_said_while_it_can_be_mended() -> None:
    """A 2 left lying with the 1s scores nothing: named at once with what may be kept; put right, all is well."""
    table = tray("ten-thousand").throw(*SIX).take(4.0, 8.0, 10.0)
    assert table.session.notices.hint == "1 1 2 cannot be kept: keep 1 1 5, or less"
    table.take(6.0)
    assert table.session.notices.hint == ""
    table.throw((2, 5.0), (2, 7.0), (3, 9.0), (6, 11.0))
    assert table.taken[1:] == ["keep 1 1", "choose roll", "throw 2 2 3 6"]


@pytest.mark.parametrize("face", [1, 3])
def test_a_kept_die_that_is_knocked_away_counts_as_it_was_kept(face: int) -> None:
    """One of two kept 1s is hit by the throw and lies elsewhere, maybe turned: it is none of the throw."""
    table = tray("ten-thousand").throw(*SIX).take(4.0, 6.0, 8.0, 10.0)
    table.dice = [die for die in table.dice if die[1] != 2.0]
    table.throw((face, 3.4), (2, 8.0), (2, 10.0), (5, 12.0), (6, 14.0))
    assert table.taken[1:4] == ["keep 1 1", "choose roll", "throw 2 2 5 6"]


def test_a_kept_die_that_is_knocked_off_the_table_counts_too() -> None:
    """One of two kept 1s is gone when the other four lie, and does not come to lie elsewhere: both were kept."""
    table = tray("ten-thousand").throw(*SIX).take(4.0, 6.0, 8.0, 10.0)
    table.dice = [die for die in table.dice if die[1] != 2.0]
    table.throw((2, 8.0), (2, 10.0), (5, 12.0), (6, 14.0))
    assert len(table.taken) == 1  # it may be in a hand that sorts
    table.show()
    assert table.taken[1:4] == ["keep 1 1", "choose roll", "throw 2 2 5 6"]


def test_dice_laid_back_while_others_are_carried_aside_are_no_throw() -> None:
    """Yahtzee: the 2s kept first lie again among the others while the 4s are carried; only the sorted hand counts."""
    table = tray("yahtzee").throw((2, 0.0), (2, 2.0), (3, 4.0), (4, 6.0), (4, 8.0)).take(0.0, 2.0)
    table.take(6.0, 8.0).throw((2, 12.0), (2, 14.0))
    assert table.taken == ["throw 2 2 3 4 4"]
    table.throw((4, 20.0), (4, 22.0))
    assert table.taken == ["throw 2 2 3 4 4"]


def test_a_die_kept_before_that_is_knocked_away_is_none_of_the_throw() -> None:
    """Yahtzee, kept with BANK: a throw of three hits a kept 6."""
    table = tray("yahtzee").throw((6, 0.0), (6, 2.0), (1, 4.0), (2, 6.0), (3, 8.0)).take(4.0, 6.0, 8.0)
    table.press("BANK")
    table.dice = [die for die in table.dice if die[1] != 2.0]
    table.throw((6, 3.0), (4, 8.0), (4, 10.0), (5, 12.0))
    assert table.taken[1:] == ["keep 6 6", "throw 4 4 5"]


def test_dice_taken_off_the_table_are_inferred_where_one_part_fits() -> None:
    """Three 2s and nothing else of three dice counts: all are gone, three are thrown, so the 2s were kept."""
    table = tray("ten-thousand").throw((2, 0.0), (2, 2.0), (2, 4.0), (5, 6.0), (3, 8.0), (4, 10.0))
    table.take(0.0, 2.0, 4.0, 6.0, 8.0, 10.0).throw((1, 1.0), (3, 3.0), (6, 5.0))
    assert table.taken[1:4] == ["keep 2 2 2", "choose roll", "throw 1 3 6"]


def test_dice_taken_off_the_table_are_asked_for_where_several_parts_fit() -> None:
    """One die is gone, a 1 or the 5: asked; HOLD shows them, nothing is taken until BANK says which."""
    table = tray("ten-thousand").throw(*SIX).take(*(at for _, at in SIX))
    table.throw((2, 1.0), (2, 3.0), (3, 5.0), (4, 7.0), (6, 9.0))
    assert table.session.notices.hint == "which die is kept? press HOLD"
    for _ in range(5):  # of the parts with any number of dice
        table.press("HOLD")
        assert table.taken == ["throw 1 1 2 3 4 5"]
        assert table.session.notices.hint == "HOLD next, BANK keeps it and rolls on"
        if table.session.offer is not None and table.session.offer.kept == (5,):
            break
    assert snapshot(table.session, None).bank == "keep"
    table.press("BANK")
    assert table.taken[1:] == ["keep 5", "choose roll", "throw 2 2 3 4 6"]


def test_a_keep_that_is_obvious_is_not_asked() -> None:
    """Only the 5 counts: it is kept by itself, and the next thing asked is to roll or to bank."""
    table = tray("ten-thousand").throw((5, 0.0), (2, 2.0), (3, 4.0), (4, 6.0), (6, 8.0), (6, 10.0))
    assert table.taken == ["throw 2 3 4 5 6 6", "keep 5"]
    assert table.session.match.request.kind == "choose"


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
