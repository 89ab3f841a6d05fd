"""The table begins to watch in the middle of a turn, while somebody sorts and throws: only what flew was thrown.

It does so when it is switched on, and when the camera was moved so far that no place means anything any more.
"""

import pytest
from table_in_words import Table

from tabletop.core.values import Die, Reading
from tabletop.perception.settler import Settler
from tabletop.rules import Keep, Match
from tabletop.session.match_session import MatchSession

EDGE = 50.0
AT = {place: (80.0 + 100 * (place % 5), 100.0 + 150 * (place // 5)) for place in range(10)}


def resumed(evening: Table) -> MatchSession:
    """Return the match as the table takes it up after a cut of power: it remembers nothing but the events."""
    match = Match.replay("yahtzee", evening.session.match.seated, {}, evening.session.match.log)
    return MatchSession(match)


def watch(
    session: MatchSession,
    settle: Settler,
    scenes: list[tuple[float, dict[int, int]]],
    until_s: float,
    start_s: float = 0.0,
) -> None:
    for n in range(round(start_s * 10), round(until_s * 10) + 1):
        now_s = n / 10
        scene = [scene for since_s, scene in scenes if since_s <= now_s][-1]
        dice = tuple(Die(face, *AT[place], EDGE, 10.0, "white", 0.99) for place, face in scene.items())
        session.on_rest(settle.feed(Reading(now_s, 640, 480, dice, ())), moving_hint=False)


@pytest.mark.parametrize("kept_first", [False, True])
def test_dice_kept_as_it_is_switched_on_are_kept(kept_first: bool) -> None:
    """Yahtzee, 1 4 5 5 6 thrown; the first picture shows all five, then the 4 is picked up and thrown: a 3."""
    evening = Table("yahtzee", "px").do("throw 1 4 5 5 6")
    if kept_first:
        evening.session.give(Keep((1, 5, 5, 6)))
    again = resumed(evening)
    lying = {0: 1, 2: 5, 3: 5, 4: 6}
    watch(again, Settler(), [(0.0, {**lying, 1: 4}), (0.1, lying), (0.9, {**lying, 7: 3})], 2.5)
    assert [event.kind for event in again.match.log] == ["throw", "keep", "throw"]
    assert again.match.kept == (1, 5, 5, 6)
    assert again.match.thrown == (3,)


def test_a_throw_that_flies_as_it_is_switched_on_is_one() -> None:
    """Nothing was thrown before: the die that lay there first is part of the throw."""
    again = resumed(Table("yahtzee", "px"))
    four = {0: 1, 2: 5, 3: 5, 4: 6}
    watch(again, Settler(), [(0.0, {0: 1, 6: 2}), (0.1, {0: 1}), (0.6, {**four, 7: 3})], 2.0)
    assert again.match.thrown == (1, 3, 5, 5, 6)


@pytest.mark.parametrize("moved", [{}, {place: place + 5 for place in range(5)}], ids=["as it was", "elsewhere"])
def test_dice_kept_as_the_camera_is_knocked_are_kept(moved: dict[int, int]) -> None:
    """Yahtzee, 3 4 4 4 6 thrown; a new view shows all five, then 3 and 4 alone, then 1 3 5 beside them."""
    session = Table("yahtzee", "px").session
    thrown = {0: 3, 1: 4, 2: 4, 3: 4, 4: 6}
    watch(session, Settler(), [(0.0, {}), (0.5, thrown)], 2.0)
    assert [event.kind for event in session.match.log] == ["throw"]
    view = {moved.get(place, place): face for place, face in thrown.items()}
    aside = {moved.get(place, place): face for place, face in {0: 3, 1: 4}.items()}
    free = [place for place in AT if place not in view]
    after = aside | dict(zip(free, (1, 3, 5), strict=False))
    watch(session, Settler(), [(2.1, view), (2.2, aside), (3.1, after)], 5.0, 2.1)
    assert [event.kind for event in session.match.log] == ["throw", "keep", "throw"]
    assert session.match.kept == (3, 4)
    assert session.match.thrown == (1, 3, 5)


def test_a_die_kept_as_the_camera_is_knocked_is_not_thrown_for_one_that_is_not_seen() -> None:
    """The 6 is kept, four dice are thrown and one is not seen; buttons keep the 6: one is still missing."""
    session = Table("yahtzee", "px").session
    thrown = {0: 1, 1: 1, 2: 2, 3: 5, 4: 6}
    watch(session, Settler(), [(0.0, {}), (0.5, thrown)], 2.0)
    settle = Settler()
    lying = {4: 6, 5: 1, 7: 5, 8: 6}
    watch(session, settle, [(2.1, thrown), (2.2, {4: 6}), (3.1, lying)], 5.0, 2.1)
    assert [event.kind for event in session.match.log] == ["throw"]
    session.give(Keep((6,)))
    watch(session, settle, [(5.1, lying)], 8.0, 5.1)
    assert [event.kind for event in session.match.log] == ["throw", "keep"]
    watch(session, settle, [(8.1, {**lying, 9: 3})], 10.0, 8.1)
    assert session.match.thrown == (1, 3, 5, 6)
