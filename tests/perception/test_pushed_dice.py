"""Dice that fingers were on are no throw: pushed one after another, turned slowly, held over the tray."""

from math import inf
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from world_table import WorldTable

from tabletop.core.values import Die, Reading, Rest, Unsure, UnsureReason
from tabletop.interpret import hints
from tabletop.perception.settler import Settler
from tabletop.perception.tracks import NO_EVIDENCE, HandEvidence
from tabletop.rules import Match
from tools.bench.end_to_end import watch_world
from tools.room.room import Room
from tools.room.world import RoomWorld

EDGE = 50.0
FPS = 15.0


class Seen:
    """A table of readings: what lies there is told from moment to moment. now_s: of the next reading."""

    def __init__(self) -> None:
        self.settle, self.now_s = Settler(), 0.0
        self.show(0.5)

    def show(self, seconds: float, *seen: Die | Unsure, besides: HandEvidence = NO_EVIDENCE) -> Rest | None:
        """Show this for so long; return the newest rest."""
        rest, dice = None, tuple(one for one in seen if isinstance(one, Die))
        unsure = tuple(one for one in seen if isinstance(one, Unsure))
        for _ in range(round(seconds * FPS)):
            self.now_s += 1 / FPS
            rest = self.settle.feed(Reading(self.now_s, 640, 480, dice, unsure), besides)
        return rest

    def lies_since(self, *dice: Die) -> tuple[float, ...]:
        """Let these dice lie; return when each came."""
        rest = self.show(0.6, *dice)
        assert rest is not None
        assert rest.reading.dice
        return rest.arrived_s


def _die(face: int, x: float, y: float) -> Die:
    return Die(face, x, y, EDGE, 10.0, "white", 0.99)


def _over(*dice: Die) -> HandEvidence:
    return HandEvidence(covered=tuple((die.x, die.y) for die in dice))


def _bare(*dice: Die) -> HandEvidence:
    return HandEvidence(bare=tuple((die.x, die.y) for die in dice))


@settings(max_examples=20, deadline=None)
@given(
    count=st.integers(1, 6),
    far=st.floats(0.25, 1.3),
    way=st.floats(0, 6.28),
    seconds=st.floats(0.3, 4.0),
    order=st.randoms(use_true_random=False),
)
def test_dice_pushed_one_after_another_under_a_hand_keep_their_time(
    count: int, far: float, way: float, seconds: float, order: Random
) -> None:
    """However many, however far (up to 1.3 edges) and long: fingers were on each, and its face is the same."""
    table = Seen()
    dice = [_die(1 + n, 100 + 150 * (n % 3), 100 + 150 * (n // 3)) for n in range(count)]
    since = table.lies_since(*dice)[0]
    for at in order.sample(range(count), count):
        was = dice[at]
        others = [die for die in dice if die is not was]
        table.show(seconds, *others, besides=_over(was))
        dice[at] = _die(was.face, was.x + far * EDGE * np.cos(way), was.y + far * EDGE * np.sin(way))
        assert set(table.lies_since(*dice)) == {since}


def test_a_die_that_was_taken_up_is_thrown_wherever_it_lies() -> None:
    """Its place was seen bare: with the same face half an edge away it has a new time; under fingers it has not."""
    for besides, new in ((_bare, True), (_over, False)):
        table, was = Seen(), _die(4, 300, 200)
        since = table.lies_since(was)[0]
        table.show(0.3, besides=_over(was))
        table.show(0.3, besides=besides(was))
        table.show(0.3, besides=_over(was))
        assert (table.lies_since(_die(4, 325, 200))[0] > since) is new


def test_where_one_die_was_thrown_all_that_came_with_it_were() -> None:
    """Two dice under a hand; one place was seen bare, or one comes to lie far away: both were taken up."""
    for second, besides in ((_die(5, 420, 130), _bare), (_die(5, 100, 400), _over)):
        table, one, two = Seen(), _die(4, 300, 100), _die(5, 400, 100)
        since = table.lies_since(one, two)[0]
        table.show(0.8, besides=HandEvidence(besides(two).bare, (*_over(one).covered, *besides(two).covered)))
        assert min(table.lies_since(_die(4, 320, 110), second)) > since


@pytest.mark.parametrize("seconds", [0.3, 1.2, 2.5, 4.0])
def test_a_die_turned_under_fingers_keeps_its_time(seconds: float) -> None:
    """Up to four seconds; where nobody can tell whether its place was bare, another face is another die."""
    for besides, new in ((_over, False), (_bare, True), (lambda _: NO_EVIDENCE, True)):
        table, was = Seen(), _die(4, 300, 200)
        since = table.lies_since(was)[0]
        table.show(seconds, besides=besides(was))
        assert (table.lies_since(_die(6, 310, 195))[0] > since) is new


def test_a_die_in_fingers_is_no_rest_until_they_let_go() -> None:
    """Held still over the tray for two seconds and put away again, it has never lain there."""
    table, held = Seen(), _die(3, 300, 200)
    assert table.show(2.0, held, besides=HandEvidence(held=(held,))) is None
    rest = table.show(2.0)
    assert rest is not None
    assert rest.passed_s == float("-inf")
    assert table.lies_since(held)[0] > 4.0


HANDLED = [  # what hands do, how many dice and frames a second, whether with a rail, seeds
    # one after another, as fast as anybody
    *(("all_pushed_together", dice, fps, rail, (dice,))
      for dice, fps in ((1, 10.0), (1, 30.0), (2, 15.0), (5, 10.0), (6, 15.0)) for rail in (False, True)),
    # on a hand for up to two seconds; five in one hand are not told in every room: `UNSOLVED` in the scenarios
    *(("shown_to_a_neighbour", dice, fps, dice == 2, (dice,)) for dice, fps in ((1, 10.0), (1, 30.0), (2, 15.0))),
    # with fingers on it for seconds
    *(("turned_slowly_afterwards", dice, fps, dice == 5, (0, 1)) for dice, fps in ((1, 10.0), (1, 30.0), (5, 15.0))),
    # with the flat of the hand, to any side
    *(("all_slid_aside", dice, fps, dice == 5, (0, 1))
      for dice, fps in ((1, 10.0), (1, 30.0), (2, 15.0), (5, 15.0))),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("what", "dice", "fps", "rail", "seeds"), HANDLED)
def test_dice_that_hands_move_are_no_throw(
    what: str, dice: int, fps: float, rail: bool, seeds: tuple[int, ...]
) -> None:
    """In plain rooms: the throw before is taken, and no other, also where one die is all that is thrown."""
    for seed in seeds:
        watched = watch_world([what], Random(seed), dice=dice, fps=fps, room=Room(), rail=rail)
        assert not (watched.wrong + watched.missed + watched.false + watched.unread)


def test_dice_slid_aside_under_a_hand_keep_their_time() -> None:
    """All with the same faces, and a hand in view all the while; not where it was away, nor with another face."""
    for faces, open_view, new in (((4, 5), False, False), ((4, 5), True, True), ((4, 6), False, True)):
        table, lay = Seen(), (_die(4, 300, 100), _die(5, 400, 200))
        since = table.lies_since(*lay)[0]
        table.show(0.6, besides=HandEvidence(bare=_bare(*lay).bare, open=False))
        table.show(0.3, besides=HandEvidence(open=open_view))
        table.show(0.3, besides=HandEvidence(open=False))
        dice = [_die(face, 100 + 80 * n, 400) for n, face in enumerate(faces)]
        assert (min(table.lies_since(*dice)) > since) is new


@pytest.mark.parametrize("alone", [True, False])
def test_what_rolls_with_nothing_round_it_was_thrown(alone: bool) -> None:
    """The same faces again, a hand in view all the while: dice seen rolling by themselves were not slid under it."""
    table, lay = Seen(), (_die(4, 300, 100), _die(5, 400, 200))
    since = table.lies_since(*lay)[0]
    table.show(0.8, besides=HandEvidence(bare=_bare(*lay).bare, open=False))
    for n in range(5):
        rolling = (_die(2, 100 + 12 * n, 400), _die(3, 500 - 12 * n, 330))
        places = tuple((die.x, die.y) for die in rolling)
        table.show(1 / FPS, *rolling, besides=HandEvidence(open=False, alone=places if alone else ()))
    rest = table.show(0.6, _die(4, 150, 400), _die(5, 450, 330), besides=HandEvidence(open=False))
    assert rest is not None
    assert (min(rest.arrived_s) > since) is alone


def test_dice_of_an_earlier_throw_are_none_of_those_slid_aside() -> None:
    """Three lay there just before, and their places are bare; then two were thrown, and those are slid aside."""
    table, three = Seen(), [_die(face, 100 + 90 * face, 330) for face in (1, 2, 3)]
    table.lies_since(*three)
    table.show(1.0, besides=HandEvidence(bare=_bare(*three).bare, open=True))
    lay = (_die(4, 300, 100), _die(5, 400, 200))
    since = table.lies_since(*lay)
    table.show(0.6, besides=HandEvidence(bare=_bare(*lay).bare, open=False))
    assert table.lies_since(_die(4, 100, 400), _die(5, 180, 400)) == since


def test_dice_slid_aside_are_no_throw_though_one_of_them_is_read_later_than_the_others() -> None:
    """Its face is told half a second after it came to lie; where it is another face, they were thrown."""
    for face, new in ((5, False), (6, True)):
        table, lay = Seen(), (_die(4, 300, 100), _die(5, 400, 200))
        since = table.lies_since(*lay)[0]
        table.show(0.6, besides=HandEvidence(bare=_bare(*lay).bare, open=False))
        later = Unsure(180, 400, 50.0, UnsureReason.MAY_BE_NO_DIE)
        table.show(0.5, _die(4, 100, 400), later)
        assert (min(table.lies_since(_die(4, 100, 400), _die(face, 180, 400))) > since) is new


def test_dice_slid_aside_are_no_throw_though_one_of_them_is_doubted_after_a_first_look() -> None:
    """Read once, then in doubt while the hand goes: it is told only once it is read; then all are compared."""
    for face, new in ((5, False), (6, True)):
        table, lay = Seen(), (_die(4, 300, 100), _die(5, 400, 200))
        since = table.lies_since(*lay)[0]
        table.show(0.6, besides=HandEvidence(bare=_bare(*lay).bare, open=False))
        slid = (_die(4, 100, 400), _die(face, 180, 400))
        table.show(1 / FPS, *slid, besides=HandEvidence(open=False))
        table.show(0.4, slid[0], Unsure(180, 400, 50.0, UnsureReason.LEANS), besides=HandEvidence(open=True))
        assert (min(table.lies_since(*slid)) > since) is new


@pytest.mark.slow
def test_that_dice_were_only_moved_is_said() -> None:
    """Pig: the die slid aside is no throw; it is said what to do where it was one, and a throw afterwards counts."""
    ann = WorldTable(RoomWorld(1, chance=Random(3), fps=10.0, noise=0.0), Match("pig", ["Ann", "Ben"]))
    ann.world.throw(faces=[4])
    ann.run()
    ann.world.slide_all()
    assert ann.run().hint == hints.MOVED
    ann.world.throw(faces=[4])
    ann.run()
    assert ann.throws == [(4,), (4,)]


def test_a_die_thrown_onto_the_place_where_it_lay_was_thrown() -> None:
    """Three of five thrown, two left lying; one lands as it lay, to the degree, and another one comes with it."""
    table, kept = Seen(), (_die(1, 500, 400), _die(4, 560, 100))
    was, other = _die(2, 100, 300), _die(6, 300, 300)
    since = max(table.lies_since(*kept, was, other))
    table.show(1.0, *kept, besides=_bare(was, other))
    arrived_s = table.lies_since(*kept, was, _die(3, 400, 200))
    assert sum(at_s > since for at_s in arrived_s) == 2


def test_what_rolls_on_with_no_hand_in_view_was_thrown() -> None:
    """Pig, the same face again: the hand was there until the die rolled, and half a second of rolling was seen."""
    table, was = Seen(), _die(4, 300, 100)
    since = table.lies_since(was)[0]
    table.show(0.8, besides=HandEvidence(bare=_bare(was).bare, open=False))
    for n in range(9):
        table.show(1 / FPS, _die(1 + n % 6, 500 - 40 * n, 300), besides=HandEvidence(open=True))
    rest = table.show(0.6, _die(4, 120, 300), besides=HandEvidence(open=True))
    assert rest is not None
    assert rest.arrived_s[0] > since
    assert rest.rolled_s == -inf, "somebody's fingers may have been round it, of the cloth's colour"


def test_dice_seen_rolling_with_no_hand_in_view_were_surely_thrown() -> None:
    """Neither a hand far off nor fingers round them: whatever they show."""
    for open_, alone in ((True, True), (True, False), (False, True)):
        table = Seen()
        table.show(0.2, besides=HandEvidence(open=False))
        for n in range(9):
            rolling = _die(1 + n % 6, 300 - 15 * n, 300)
            table.show(1 / FPS, rolling, besides=HandEvidence(open=open_, alone=((rolling.x, 300.0),) if alone else ()))
        rest = table.show(0.6, _die(4, 180, 300), besides=HandEvidence(open=open_))
        assert rest is not None
        assert (rest.rolled_s == rest.arrived_s[0]) is (open_ and alone)


def test_a_rest_tells_where_dice_were_taken_up_and_when() -> None:
    """Once for each die, also long after; a place that fingers are over is none."""
    table, was, other = Seen(), _die(4, 300, 100), _die(5, 100, 300)
    table.lies_since(was, other)
    rest = table.show(0.8, besides=HandEvidence(bare=_bare(was).bare, covered=_bare(other).bare))
    assert rest is not None
    ((x, y, seen_s),) = rest.bare
    assert (x, y) == (300, 100)
    again = table.show(0.8, _die(6, 310, 110), besides=HandEvidence(covered=_bare(other).bare))
    assert again is not None
    assert again.bare == ((x, y, seen_s),)


def test_dice_slid_aside_keep_their_time_though_one_of_them_was_off_its_place_under_the_hand() -> None:
    """It was pushed half an edge and seen there before all of them were covered: they lay together all the same."""
    table, lay = Seen(), (_die(4, 300, 100), _die(5, 400, 200), _die(2, 100, 100))
    since = table.lies_since(*lay)
    table.show(0.3, besides=HandEvidence(covered=_over(*lay[1:]).covered, open=False))
    for x in (300, 320, 340):
        table.show(1 / FPS, _die(4, x, 100), besides=HandEvidence(covered=_over(*lay[1:]).covered, open=False))
    table.show(0.6, besides=HandEvidence(bare=_bare(*lay).bare, open=False))
    assert table.lies_since(_die(4, 100, 400), _die(5, 180, 400), _die(2, 260, 400)) == since
