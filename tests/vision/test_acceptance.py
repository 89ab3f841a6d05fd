"""What the reader makes of what was found: which things are dice, which dice are sure, and why the others are not."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tabletop.core.message import reason_text
from tabletop.core.values import UnsureReason
from tabletop.vision.acceptance import (
    SURE,
    SURE_UNKNOWN_SIZE,
    agreed_size,
    chosen,
    close_up,
    doubt,
    only_size,
    plausible,
    to_dice,
)
from tabletop.vision.classifier import Found

Faces = tuple[float, float, float, float, float, float]
Kinds = tuple[float, float, float, float]


def found(chance: float, faces: Faces = (1, 0, 0, 0, 0, 0), x: float = 50.0, kinds: Kinds | None = None) -> Found:
    """Return something found, at y = 50 with an edge of 20 px; a flat die by that chance, or whatever `kinds` say."""
    return Found(x, 50.0, 20.0, 0.0, kinds or (1 - chance, chance, 0.0, 0.0), faces)


@given(st.lists(st.floats(0.08, 1.0), max_size=9), st.integers(0, 9))
def test_expecting_never_makes_a_sure_die(chances: list[float], expect: int) -> None:
    """However many dice are expected, each sure die is as sure as without, and sureness is never below the bar."""
    frame = np.full((100, 100, 3), 90, np.uint8)
    things = [found(chance, x=40.0 * index) for index, chance in enumerate(sorted(chances, reverse=True))]
    told, _ = to_dice(frame, chosen(things, expect), things)
    blind, _ = to_dice(frame, chosen(things, None), things)
    assert set(told) <= set(blind)
    assert all(die.confidence >= SURE for die in told)


def test_expected_number_chooses_the_likeliest() -> None:
    """Two expected: a third that is unlikely is left out; a third that is sure is told as well."""
    assert len(chosen([found(0.99), found(0.98), found(0.5)], 2)) == 2
    assert len(chosen([found(0.999), found(0.998), found(0.997)], 2)) == 3
    assert len(chosen([found(0.99), found(0.98), found(0.7, x=80.0)], 2)) == 3
    assert len(chosen([found(0.99), found(0.98), found(0.7, x=60.0)], 2)) == 2  # half on another die
    assert len(chosen([found(0.95), found(0.3)], 2)) == 2
    assert len(chosen([found(0.95), found(0.3)], None)) == 1


def test_what_fills_a_picture_is_what_it_was_taken_of() -> None:
    """A faint thing is looked at again if it is half as large as the picture; a likely one from a quarter of it on."""
    faint, likely = found(0.3), found(0.6)
    assert close_up([faint], 40) == faint
    assert close_up([faint], 41) is None
    assert close_up([likely], 80) == likely
    assert close_up([likely], 81) is None
    assert close_up([likely, faint], 40) == likely
    assert close_up([likely, likely], 40) is None
    assert close_up([found(0.1)], 20) is None
    assert close_up([found(0.9)], 40) is None  # sure already
    assert close_up([], 40) is None


def test_reasons_are_for_people() -> None:
    """The reason names what is wrong: two faces, darkness, glare, the border, how it lies, or that it may be none."""
    grey = np.full((100, 100, 3), 90, np.uint8)
    split = (0.0, 0.0, 0.0, 0.55, 0.45, 0.0)
    assert reason_text(doubt(grey, found(0.99, split))) == "could be 4 or 5"
    assert reason_text(doubt(grey // 9, found(0.99, split))) == "too dark"
    ace = grey // 9
    ace[46:55, 46:55] = 220  # the pip of a black die in a bright room
    assert reason_text(doubt(ace, found(0.99, split))) == "could be 4 or 5"
    assert reason_text(doubt(grey, found(0.99, split, x=3.0))) == "part of it is outside the picture"
    assert reason_text(doubt(grey, found(0.4))) == "may not be a die"
    assert reason_text(doubt(grey, found(0.99, (0.2, 0.2, 0.2, 0.2, 0.1, 0.1)))) == "its face cannot be read"
    assert reason_text(doubt(grey, found(0.1, kinds=(0.1, 0.1, 0.7, 0.1)))) == "leans"
    assert reason_text(doubt(grey, found(0.1, kinds=(0.1, 0.1, 0.1, 0.7)))) == "part of it is hidden"
    shiny = np.full((100, 100, 3), 255, np.uint8)
    shiny[::2, ::2] = 90
    assert reason_text(doubt(shiny, found(0.99, split))) == "glare"
    streak = grey.copy()
    streak[40:60, 47:50] = 245  # across the top, 20 px wide, of a die that is no ace
    assert reason_text(doubt(streak, found(0.99, split))) == "glare"
    pips = grey.copy()
    pips[45:48, 45:48] = pips[53:56, 53:56] = 245
    assert reason_text(doubt(pips, found(0.99, split))) == "could be 4 or 5"


def test_a_die_seen_from_another_side_than_the_others_leans() -> None:
    """Three dice show the same way up; a fourth that shows another leans. Of two, it is the one that shows its side."""
    grey = np.full((100, 100, 3), 90, np.uint8)
    three = [replace(found(0.95, x=20.0 * index), up=(0.3, -0.3)) for index in range(3)]
    other = replace(found(0.95, x=80.0), up=(-0.3, 0.3))
    dice, unsure = to_dice(grey, [*three, other], [*three, other])
    assert [die.x for die in dice] == [0, 20, 40]
    assert [one.reason for one in unsure] == [UnsureReason.LEANS]
    straight = replace(other, up=(0.0, 0.0))
    steep = replace(three[0], up=(0.45, -0.45))
    assert [die.x for die in to_dice(grey, [steep, straight], [steep, straight])[0]] == [80]
    assert len(to_dice(grey, [steep], [steep])[0]) == 1


def test_expecting_fewer_never_makes_a_leaning_die_sure() -> None:
    """A die that leans beside another one leans as well where only one die is expected and it is the likeliest."""
    grey = np.full((100, 100, 3), 90, np.uint8)
    straight, steep = found(0.9, x=20.0), replace(found(0.95, x=80.0), up=(0.4, -0.5))
    both = [steep, straight]
    for expect in (None, 1, 2):
        dice, _ = to_dice(grey, chosen(both, expect), both)
        assert steep.x not in [die.x for die in dice]


def test_sure_dice_of_one_size_tell_the_size() -> None:
    """Two sure dice of 30 and 33 px tell it, beside a sure one of 90; two that differ, or doubtful ones, do not."""
    sizes = [replace(found(0.9, x=50.0 * index), size=size) for index, size in enumerate((30.0, 33.0, 90.0))]
    assert 30 <= (agreed_size(sizes) or 0) <= 33
    assert agreed_size(sizes[1:]) is None
    assert agreed_size([replace(one, kinds=(0.5, 0.5, 0.0, 0.0)) for one in sizes]) is None
    assert agreed_size([]) is None


def test_a_single_sure_die_tells_a_size() -> None:
    """Of 0.95: its size. A tiny one of 0.75, one beside another sure die, or none: none."""
    certain = replace(found(0.95), size=30.0)
    assert only_size([certain, replace(found(0.5), size=90.0)]) == 30
    assert only_size([replace(found(0.75), size=30.0)]) == 30
    assert only_size([replace(found(0.75), size=20.0)]) is None
    assert only_size([certain, replace(found(0.75), size=90.0)]) is None
    assert only_size([]) is None


def test_sizes_unlike_the_others_are_no_dice() -> None:
    """Blind, what is four times as large as the sure dice and doubtful is left out, and small things but several sure.

    A sure one that is larger stays, and a small one that is very sure; sizes that were told bind.
    """
    four = [replace(found(0.95, x=30.0 * index), size=25.0) for index in range(4)]
    doubtful, certain = replace(found(SURE_UNKNOWN_SIZE - 0.04), size=100.0), replace(found(0.95, x=300.0), size=100.0)
    assert plausible([*four, doubtful, certain], None) == (*four, certain)
    assert plausible([*four, certain], 25.0) == tuple(four)
    assert plausible([replace(four[0], size=15.0)], None) == ()
    small = [replace(found(0.8, x=30.0 * index), size=19.0) for index in range(4)]
    unsure = replace(found(SURE_UNKNOWN_SIZE - 0.04, x=200.0), size=20.0)
    assert plausible([*small[:2], unsure], None) == ()  # two small sure things may be stars
    assert plausible([*small[:3], unsure], None) == (*small[:3], unsure)
    assert plausible([replace(four[0], size=19.0), unsure], None) == (replace(four[0], size=19.0),)
    assert plausible([replace(one, size=12.0) for one in four], None) == ()
    assert plausible([], None) == ()
