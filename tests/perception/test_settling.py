"""Settling: rests are found in time, also those that a hand ends, and nothing that moves is one."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.core.values import Die, Reading, Rest, Unsure, UnsureReason
from tabletop.perception.settler import Settler
from tabletop.perception.tracks import HandEvidence

EDGE = 50.0


def _die(face: int, x: float, y: float, angle: float = 10.0) -> Die:
    return Die(face, x, y, EDGE, angle, "white", 0.99)


def _reading(time_s: float, *seen: Die | Unsure) -> Reading:
    dice = tuple(one for one in seen if isinstance(one, Die))
    return Reading(time_s, 640, 480, dice, tuple(one for one in seen if isinstance(one, Unsure)))


def _feed(settle: Settler, times: list[float], seen: Callable[[float], tuple[Die | Unsure, ...]]) -> list[Rest | None]:
    return [settle.feed(_reading(time_s, *seen(time_s))) for time_s in times]


def _times(begin_s: float, end_s: float, fps: float) -> list[float]:
    return [begin_s + i / fps for i in range(int((end_s - begin_s) * fps + 1e-9) + 1)]


def _last(settle: Settler, times: list[float], *seen: Die | Unsure) -> Rest:
    rest = _feed(settle, times, lambda _: seen)[-1]
    assert rest is not None
    return rest


def _since(rest: Rest | None) -> dict[int, float]:
    assert rest is not None
    return {die.face: at_s for die, at_s in zip(rest.reading.dice, rest.arrived_s, strict=True)}


def _empty_tray() -> Settler:
    settle = Settler()
    _feed(settle, _times(0.0, 0.5, 30), lambda _: ())
    return settle


def test_a_throw_that_flies_when_the_first_frame_comes_is_one() -> None:
    """A film that begins in the middle of a throw: one die lies, one comes rolling in. Both were thrown."""
    rolling = [Unsure(400 - 20 * n, 100, EDGE, UnsureReason.MAY_BE_NO_DIE) for n in range(5)] + [_die(2, 300, 100)] * 12
    settle = Settler()
    rests = [settle.feed(_reading(n / 30, _die(5, 100, 100), one)) for n, one in enumerate(rolling)]
    assert rests[-1] is not None
    assert len(rests[-1].arrived_s) == 2
    assert min(rests[-1].arrived_s) >= 0.0


def test_a_die_taken_away_at_the_start_makes_no_throw_of_the_others() -> None:
    """Two dice lie there when the camera is switched on; one is carried away at once: the other was not thrown."""
    settle = Settler()
    _feed(settle, _times(0.0, 0.3, 30), lambda _: (_die(5, 100, 100), _die(2, 300, 100)))
    _feed(settle, _times(0.33, 0.6, 30), lambda t: (_die(5, 100, 100), _die(2, 300 + 900 * (t - 0.3), 100)))
    last = _last(settle, _times(0.63, 1.4, 30), _die(5, 100, 100))
    assert last.arrived_s == (-inf,)


def test_a_die_spinning_on_its_place_is_no_sure_die() -> None:
    """Faces that change from frame to frame on one place never give a sure die."""
    settle, chance = _empty_tray(), Random(1)
    rests = _feed(settle, _times(1.0, 2.0, 30), lambda _: (_die(chance.choice((2, 4, 6)), 100, 100),))
    assert all(not rest.reading.dice for rest in rests if rest)


def test_a_covered_die_keeps_its_time_and_a_thrown_one_does_not() -> None:
    """A hand hides two dice for a second; one lies there again as before, the other somewhere else."""
    settle = _empty_tray()
    _feed(settle, _times(1.0, 2.0, 30), lambda _: (_die(5, 100, 100), _die(2, 300, 100)))
    _feed(settle, _times(2.05, 3.0, 30), lambda _: ())
    last = _last(settle, _times(3.05, 4.0, 30), _die(5, 102, 99), _die(2, 300, 300))
    assert _since(last)[5] == 1.0
    assert _since(last)[2] >= 3.0


def test_a_die_pushed_a_little_keeps_its_time() -> None:
    """A die nudged by one edge within half a second, seen all the way, is the one that lay there."""
    settle = _empty_tray()
    _feed(settle, _times(1.0, 2.0, 30), lambda _: (_die(5, 100, 100),))
    _feed(settle, _times(2.03, 2.5, 30), lambda t: (_die(5, 100 + EDGE * (t - 2.03) / 0.47, 100),))
    last = _last(settle, _times(2.53, 3.0, 30), _die(5, 100 + EDGE, 100))
    assert last.arrived_s == (1.0,)


def test_frames_of_one_rest_are_joined() -> None:
    """One frame of five that reads a 4 as a 6, or as unsure, does not change the face; half and half is unsure."""
    settle = _empty_tray()
    frames: list[Die | Unsure] = [
        _die(4, 100, 100),
        _die(6, 100, 100),
        _die(4, 100, 100),
        Unsure(100, 100, EDGE, UnsureReason.GLARE),
        _die(4, 100, 100),
    ]
    frames += [_die(4, 100, 100)] * 3
    rests = _feed(settle, [1 + i / 30 for i in range(8)], lambda t: (frames[round((t - 1) * 30)],))
    assert rests[-1] is not None
    assert rests[-1].reading.faces == (4,)
    settle = _empty_tray()
    last = [settle.feed(_reading(1 + i / 30, _die(4 + 2 * (i % 2), 100, 100))) for i in range(12)][-1]
    assert last is not None
    assert [one.reason for one in last.reading.unsure] == [UnsureReason.TWO_FACES]


def test_something_unsure_that_moves_does_not_hold_up_the_rest() -> None:
    """A hand (unsure, moving) beside lying dice is no reason to wait, and is not in the rest."""
    settle = _empty_tray()

    def with_a_hand(time_s: float) -> tuple[Die | Unsure, ...]:
        return _die(1, 100, 100), Unsure(300 + 900 * (time_s - 1), 200, EDGE, UnsureReason.MAY_BE_NO_DIE)

    last = _feed(settle, _times(1.0, 1.3, 30), with_a_hand)[-1]
    assert last is not None
    assert last.reading.faces == (1,)
    assert not last.reading.unsure


def test_the_empty_tray_comes_to_rest_too() -> None:
    """Nothing in view for a while is a rest without dice."""
    last = _feed(Settler(), _times(0.0, 0.5, 10), lambda _: ())[-1]
    assert last is not None
    assert last.reading.dice == ()


def _arrival(settle: Settler, begin_s: float, die: Die) -> float:
    """Let a die lie somewhere for half a second; return when it came to lie there."""
    return _last(settle, _times(begin_s, begin_s + 0.5, 30), die).arrived_s[0]


@given(speed=st.floats(20.0, 40.0), x=st.floats(100, 500))
def test_a_die_that_flew_by_is_not_the_one_that_lies_there_later(speed: float, x: float) -> None:
    """A die flies across the tray and out of it; one thrown seconds later, onto its way, is new."""
    settle = _empty_tray()
    _feed(settle, _times(1.0, 1.5, 30), lambda t: (_die(3, speed * EDGE * (t - 1.0), 100),))
    _feed(settle, _times(1.6, 4.0, 30), lambda _: ())
    assert _arrival(settle, 4.0, _die(3, x, 100)) >= 4.0


def test_what_passes_an_old_place_is_another_die() -> None:
    """A die was taken away; another one rolls over its place, unread for a moment, and comes to lie elsewhere."""
    settle = _empty_tray()
    assert _arrival(settle, 1.0, _die(4, 300, 100)) >= 1.0
    _feed(settle, _times(1.6, 3.0, 30), lambda _: ())
    settle.feed(_reading(3.03, Unsure(300.0, 100.0, EDGE, UnsureReason.MAY_BE_NO_DIE)))
    settle.feed(_reading(3.06, Unsure(315.0, 100.0, EDGE, UnsureReason.MAY_BE_NO_DIE)))
    settle.feed(_reading(3.10, Unsure(330.0, 100.0, EDGE, UnsureReason.MAY_BE_NO_DIE)))
    assert _arrival(settle, 3.13, _die(4, 340, 100)) >= 3.0


def test_a_die_covered_by_a_hand_and_unread_for_a_moment_keeps_its_time() -> None:
    """Coming out from under a hand it is unsure at first, then read at its old place: nobody threw it."""
    settle = _empty_tray()
    arrived_s = _arrival(settle, 1.0, _die(4, 300, 100))
    _feed(settle, _times(1.6, 3.0, 30), lambda _: ())
    _feed(settle, _times(3.03, 3.1, 30), lambda _: (Unsure(302.0, 100.0, EDGE, UnsureReason.PARTLY_HIDDEN),))
    assert _arrival(settle, 3.13, _die(4, 301, 100)) == arrived_s


def test_a_die_seen_half_under_fingers_a_little_off_its_place_keeps_its_time() -> None:
    """A hand that takes another die covers it; half covered it is unsure and an eighth of an edge off, then as before.

    One that comes to lie farther off, or there with another face, is a die that was thrown.
    """
    for back_x, face, same in ((300.0, 4, True), (300.0 + 0.4 * EDGE, 4, False), (300.0, 3, False)):
        settle = _empty_tray()
        arrived_s = _arrival(settle, 1.0, _die(4, 300, 100))
        _feed(settle, _times(1.6, 2.2, 12), lambda _: ())
        _feed(settle, [2.3], lambda _: (Unsure(300.0 + 0.13 * EDGE, 99.0, EDGE, UnsureReason.MAY_BE_NO_DIE),))
        last = _last(settle, _times(2.4, 3.0, 12), _die(face, back_x, 100))
        assert (last.arrived_s == (arrived_s,)) is same


def test_a_die_of_which_fingers_leave_a_part_in_view_keeps_its_time() -> None:
    """Unsure and a third of an edge off for one frame, read again, then covered: when the hand is gone it lay there.

    A die that lies then where only fingers were seen was thrown.
    """
    for x, y, same in ((300.0, 100.0, True), (300.0 - 4.0, 100.0 - 0.3 * EDGE, False)):
        settle = _empty_tray()
        arrived_s = _arrival(settle, 1.0, _die(4, 300, 100))
        part = Unsure(300.0 - 4.0, 100.0 - 0.3 * EDGE, EDGE, UnsureReason.MAY_BE_NO_DIE)
        for time_s, seen in ((1.6, part), (1.7, _die(4, 300, 100)), (1.8, part)):
            settle.feed(_reading(time_s, seen))
        _feed(settle, _times(1.9, 2.5, 12), lambda _: ())
        last = _last(settle, _times(2.6, 3.2, 12), _die(4, x, y))
        assert (last.arrived_s == (arrived_s,)) is same


def test_a_die_that_rolls_onto_the_place_of_one_that_was_taken_up_is_another() -> None:
    """Same face, same turn, and seen coming: it was thrown. One that is there at once was not."""
    for from_x, new in ((300.0 + 2.1 * EDGE, True), (300.0, False)):
        settle = _empty_tray()
        arrived_s = _arrival(settle, 1.0, _die(4, 300, 100))
        _feed(settle, _times(1.6, 3.0, 30), lambda _: ())
        way = [_die(4, 300 + (from_x - 300) * (1 - part / 10), 100) for part in range(11)]
        for n, die in enumerate(way):
            settle.feed(_reading(3.03 + n / 30, die))
        assert (_arrival(settle, 3.43, _die(4, 300, 100)) > arrived_s) is new


def test_where_all_dice_lie_none_is_remembered_as_covered() -> None:
    """Two dice are thrown, taken up and thrown twice; one lies at last as one lay at first, unseen on its way there.

    Where only one of two lies then, the other may still be the one under a hand that lay there all the time.
    """
    for first_throw_again, new in ((True, True), (False, False)):
        settle = _empty_tray()
        _feed(settle, _times(1.0, 2.0, 30), lambda _: (_die(5, 100, 100), _die(2, 300, 100)))
        _feed(settle, _times(2.05, 3.0, 30), lambda _: ())
        other = (_die(5, 200, 200), _die(2, 400, 200)) if first_throw_again else (_die(5, 200, 200),)
        _feed(settle, _times(3.05, 4.0, 30), lambda _, other=other: other)  # type: ignore[misc]
        _feed(settle, _times(4.05, 5.0, 30), lambda _: ())
        assert (_arrival(settle, 5.05, _die(2, 300, 100)) > 3.0) is new


def test_a_die_that_slides_over_an_old_place_and_stops_beside_it_is_another() -> None:
    """Unread until it was nearly there, it passes slowly where one that was taken up showed the same face."""
    settle = _empty_tray()
    _arrival(settle, 1.0, _die(5, 330, 131))
    _feed(settle, _times(1.6, 3.0, 30), lambda _: ())
    for n, (x, y) in enumerate(((326, 131), (322, 126), (320, 124), (318, 122))):  # as it was once seen
        settle.feed(_reading(3.03 + n / 30, _die(5, x, y)))
    assert _arrival(settle, 3.17, _die(5, 318, 122)) >= 3.0


def test_a_die_that_lies_as_one_lay_before_was_thrown_with_the_others() -> None:
    """Three are taken up, their places are bare, three lie: one of them as one lay before, unseen on its way there.

    Something over its place, and it may be the one that lay there all the time; so it may if it comes back alone.
    """
    here = (_die(1, 100, 100), _die(2, 300, 100), _die(3, 500, 100))
    there = (_die(1, 100, 100), _die(5, 300, 300), _die(6, 500, 300))
    bare, covered = HandEvidence(bare=((100.0, 100.0),)), HandEvidence(covered=((100.0, 100.0),))
    for meanwhile, besides, then, new in (
        ((), bare, there, True),
        ((), covered, there, False),
        (here[1:], bare, here, False),
    ):
        settle = _empty_tray()
        _feed(settle, _times(1.0, 2.0, 30), lambda _: here)
        for time_s in _times(2.05, 3.5, 30):
            settle.feed(_reading(time_s, *meanwhile), besides)
        last = _last(settle, _times(3.55, 4.0, 30), *then)
        assert (last.arrived_s[0] > 3.0) is new


def test_frames_that_come_late_in_pairs_show_a_rest() -> None:
    """At 12 frames a second, with a quarter of a second between some, as once seen: five frames of half a second."""
    settle = _empty_tray()
    _feed(settle, [86.78, 86.86], lambda t: (_die(1, 215 - 300 * (t - 86.78), 397),))
    rests = _feed(settle, [86.951, 87.0, 87.228, 87.229, 87.25, 87.48], lambda _: (_die(1, 194, 406),))
    assert any(rest is not None and rest.reading.faces == (1,) for rest in rests)


def test_a_die_that_flies_over_a_kept_one_takes_nothing_of_it() -> None:
    """Thrown out of a hand over a 3 that was left lying: the 3 has lain there all the while, the 6 has not."""
    settle, kept = _empty_tray(), _die(3, 330, 80)
    _feed(settle, _times(1.0, 2.0, 24), lambda _: (kept, _die(1, 540, 180)))
    path = [(3, 326, 105), (5, 344, 109), (5, 346, 119), (4, 349, 129), (6, 360, 135), (6, 371, 146), (6, 378, 155)]
    for n, (face, x, y) in enumerate(path):
        over = () if n < 2 else (kept,)
        settle.feed(_reading(2.0 + (n + 1) / 24, *over, _die(face, x, y, 10.0 + 9 * n), _die(1, 540, 180)))
    rests = _feed(settle, _times(2.4, 3.0, 24), lambda _: (kept, _die(1, 540, 180), _die(6, 381, 160, 80.0)))
    since = _since(rests[-1])
    assert since[6] > 2.0
    assert since[3] == since[1] < 2.0


def test_what_fingers_made_of_a_kept_die_is_forgotten_when_it_lies_as_it_lay() -> None:
    """Fingers over a 6 leave a 3 of it for a moment, then a die is thrown out of them over it: the 6 was not thrown."""
    settle, kept, other = _empty_tray(), _die(6, 353, 352), _die(1, 197, 91)
    _feed(settle, _times(1.0, 2.0, 12), lambda _: (kept, other))
    under = (_die(3, 346, 348),) * 4
    away = [
        Unsure(x, y, EDGE, UnsureReason.LEANS) for x, y in ((340, 349), (324, 363), (309, 359), (300, 350), (293, 332))
    ]
    path: list[Die | Unsure] = [*under, *away]
    for n, seen in enumerate(path):
        back = (kept,) if n > 6 else ()
        settle.feed(_reading(2.1 + n / 12, *back, other, seen))
    rests = _feed(settle, _times(2.9, 3.5, 12), lambda _: (kept, other, _die(4, 283, 327)))
    since = _since(rests[-1])
    assert since[4] > 2.0
    assert since[6] == since[1] < 2.0


def test_a_die_thrown_onto_a_place_that_another_left_long_ago_was_thrown() -> None:
    """A 6 was pushed aside and later taken up with the others; a 6 that lies as it lay at first is a new one."""
    settle, other = _empty_tray(), _die(1, 197, 91)
    _feed(settle, _times(1.0, 2.0, 12), lambda _: (_die(6, 468, 276), other))
    for n in range(12):
        settle.feed(_reading(2.1 + n / 12, _die(6, 468 - 2.4 * n, 276 - 1.8 * n), other))
    _feed(settle, _times(3.2, 3.8, 12), lambda _: (_die(6, 439, 254), other))
    _feed(settle, _times(3.9, 5.0, 12), lambda _: ())
    for n, x in enumerate((380, 400, 420, 440)):
        settle.feed(_reading(5.1 + n / 12, _die(6, x, 250 + 7 * n, 40.0 - 10 * n), _die(3, 300, 300 + 20 * n)))
    last = _last(settle, _times(5.5, 6.0, 12), _die(6, 468, 276), _die(3, 300, 365))
    assert min(last.arrived_s) > 5.0


def test_a_die_misread_under_fingers_and_seen_again_as_it_lay_did_not_come() -> None:
    """Fingers over a 2 make a 1 of it, a little off, and hide it for a moment; the others are taken up meanwhile."""
    settle, kept = _empty_tray(), _die(2, 382, 399)
    _feed(settle, _times(1.0, 2.0, 12), lambda _: (kept, _die(4, 279, 342)))
    settle.feed(_reading(2.083, _die(1, 380, 389), _die(4, 279, 342)))
    _feed(settle, _times(2.167, 2.25, 12), lambda _: ())
    rests = _feed(settle, _times(2.417, 3.0, 12), lambda _: (kept,))
    assert _since(rests[-1])[2] < 2.0


GAP_S = 5.0
FPS = 10


def _arrivals(before: tuple[Die, ...], after: tuple[Die, ...], frames: int) -> tuple[tuple[float, ...], float]:
    """Show some dice for so many frames from the start, then nothing, then others; return when each of those came.

    The second value is the time of the first frame after the gap.
    """
    settler = Settler()
    for index in range(frames):
        settler.feed(_reading(index / FPS, *before))
    back_s = frames / FPS + GAP_S
    rests = [settler.feed(_reading(back_s + index / FPS, *after)) for index in range(6)]
    assert rests[-1] is not None
    assert [die.face for die in rests[-1].reading.dice] == [die.face for die in after]
    return rests[-1].arrived_s, back_s


@pytest.mark.parametrize("frames", [1, 2, 10])
def test_a_die_that_lies_as_it_lay_was_not_thrown(frames: int) -> None:
    """However short it was seen before, even for one frame; what lies beside it now was thrown."""
    arrived_s, back_s = _arrivals((_die(6, 200, 100),), (_die(6, 201, 100), _die(1, 400, 100)), frames)
    assert arrived_s == (-inf, back_s)


@pytest.mark.parametrize("frames", [1, 2])
@pytest.mark.parametrize(
    "after", [_die(5, 200, 100), _die(6, 200, 100, 50), _die(6, 225, 100)], ids=["face", "turned", "place"]
)
def test_a_die_that_lies_otherwise_was_thrown(after: Die, frames: int) -> None:
    """With another face, turned, or half an edge beside: it was picked up while nobody watched."""
    arrived_s, back_s = _arrivals((_die(6, 200, 100),), (after, _die(1, 400, 100)), frames)
    assert arrived_s == (back_s, back_s)


PLACES = ((100.0, 100.0), (300.0, 140.0), (200.0, 300.0))


def _dice(aside_px: float = 0.0) -> tuple[Die, ...]:
    return tuple(Die(n + 1, x + aside_px, y, EDGE, 10.0, "white", 0.99) for n, (x, y) in enumerate(PLACES))


@dataclass
class Watch:
    """Feeds readings at so many frames a second. rests: what was told, with the time of the frame."""

    fps: float
    settle: Settler = field(default_factory=Settler)
    time_s: float = 0.0
    rests: list[tuple[float, Rest]] = field(default_factory=list)

    def see(self, frames: int, *dice: Die, besides: HandEvidence | None = None) -> None:
        for _ in range(frames):
            reading = Reading(self.time_s, 640, 480, dice)
            rest = self.settle.feed(reading, besides or HandEvidence())
            if rest is not None and rest.reading.dice:
                self.rests.append((self.time_s, rest))
            self.time_s += 1 / self.fps

    def fly(self) -> None:
        self.see(round(self.fps))
        for n in range(3):
            self.see(1, *_dice(aside_px=70.0 * (3 - n)))


@pytest.mark.parametrize(("fps", "frames"), [(10.0, 2), (12.0, 2)])
def test_two_frames_of_a_rest_that_a_hand_ends_are_enough(fps: float, frames: int) -> None:
    """At ten frames a second a rest of a quarter of a second shows two. The rest has the time of the last of them."""
    watch = Watch(fps)
    watch.fly()
    watch.see(frames, *_dice())
    last_s = watch.time_s - 1 / fps
    assert not watch.rests
    watch.see(1, *_dice()[1:], besides=HandEvidence(under=PLACES[:1]))
    ((told_s, rest),) = watch.rests
    assert rest.reading.faces == (1, 2, 3)
    assert rest.reading.time_s == pytest.approx(last_s)
    assert told_s > last_s
    assert all(arrived_s > 0.5 for arrived_s in rest.arrived_s)


def test_dice_that_are_gone_without_a_hand_were_no_rest() -> None:
    """Two frames in one place, then nothing: they may have rolled on."""
    watch = Watch(10.0)
    watch.fly()
    watch.see(2, *_dice())
    watch.see(10)
    assert not watch.rests


def test_a_die_that_moves_on_by_itself_was_at_no_rest() -> None:
    """Though a hand comes over another one at that moment."""
    watch = Watch(10.0)
    watch.fly()
    watch.see(2, *_dice())
    moved = Die(3, 240.0, 300.0, EDGE, 10.0, "white", 0.99)
    watch.see(1, _dice()[1], moved, besides=HandEvidence(under=PLACES[:1]))
    watch.see(1, _dice()[1], moved, besides=HandEvidence(under=PLACES[:1]))
    assert not watch.rests


def test_dice_in_a_hand_are_no_rest_that_a_hand_ends() -> None:
    """Held for half a second in plain view, then the hand closes."""
    watch = Watch(10.0)
    watch.fly()
    watch.see(5, *_dice(), besides=HandEvidence(held=_dice()))
    watch.see(3, besides=HandEvidence(under=PLACES))
    assert not watch.rests


def test_a_rest_that_was_told_is_not_told_again_by_the_hand() -> None:
    """It has its time already: what a hand covers then came when it came."""
    watch = Watch(30.0)
    watch.fly()
    watch.see(10, *_dice())
    before = len(watch.rests)
    assert before
    watch.see(5, besides=HandEvidence(under=PLACES))
    assert len(watch.rests) == before


@pytest.mark.parametrize("fps", [10.0, 15.0, 30.0])
def test_a_doubt_about_fingers_ends_after_a_second(fps: float) -> None:
    """What lies still for a second, and no hand is sure to be on it, lies; until then it is no rest."""
    watch = Watch(fps)
    watch.fly()
    begun_s = watch.time_s
    watch.see(round(1.3 * fps), *_dice(), besides=HandEvidence(doubtful=_dice()[:1]))
    told_s, rest = watch.rests[0]
    assert 0.9 <= told_s - begun_s <= 1.0 + 1.5 / fps
    assert rest.reading.faces == (1, 2, 3)


def test_dice_that_are_read_for_two_seconds_in_vain_are_told_with_the_cause() -> None:
    """A hand stays on one of them: not a rest, and not silence."""
    watch = Watch(30.0)
    watch.fly()
    held = HandEvidence(held=_dice()[:1])
    told = []
    for _ in range(63):
        watch.see(1, *_dice(), besides=held)
        told.append(watch.settle.held_back)
    assert not watch.rests
    assert told[:57] == [None] * 57
    assert told[-1] is not None
    assert told[-1].rest.reading.faces == (1, 2, 3)
    assert [(one.face, one.cause) for one in told[-1].hindrances] == [(1, "held")]
    watch.see(8, *_dice())
    assert watch.rests
    assert watch.settle.held_back is None


def test_what_holds_a_rest_back_is_told_with_how_much() -> None:
    """A die that goes on by 0.3 edges a frame moves by so much; the others lie."""
    watch = Watch(30.0)
    watch.fly()
    watch.see(8, *_dice())
    watch.see(1, *_dice()[:2], Die(3, PLACES[2][0] + 15.0, PLACES[2][1], EDGE, 10.0, "white", 0.99))
    (only,) = watch.settle.hindrances()
    assert (only.face, only.cause) == (3, "moves")
    assert only.amount == pytest.approx(0.3)
