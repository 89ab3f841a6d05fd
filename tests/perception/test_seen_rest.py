"""Rests that a hand ends, doubts that end, and dice that are read for long in vain."""

from dataclasses import dataclass, field

import pytest

from tabletop.core.values import Die, Reading, Rest
from tabletop.perception.settler import Settler
from tabletop.perception.track import HandEvidence

EDGE = 50.0
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
        """Feed so many frames with these dice."""
        for _ in range(frames):
            reading = Reading(self.time_s, 640, 480, dice)
            rest = self.settle.feed(reading, besides or HandEvidence())
            if rest is not None and rest.reading.dice:
                self.rests.append((self.time_s, rest))
            self.time_s += 1 / self.fps

    def fly(self) -> None:
        """See nothing for a second, then the dice in flight for three frames."""
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
