"""The simulated tray: fair, possible, apart, truthful, and the same again with the same seed."""

import hashlib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tabletop.core.errors import InputError
from tabletop.core.ports import BUTTON_NAMES, Press
from tabletop.input.presses import Presses
from tabletop.simulator.hands import TrayWithHands
from tabletop.simulator.tray import SIZE_PX, Tray, TrueDie

CHI_SQUARE_5_AT_1_PER_MILLE = 20.515  # table of the chi-square distribution, 5 degrees of freedom
RIM = np.ones((480, 640), bool)  # the wood around the felt: only what comes from outside is seen there
RIM[4:-4, :-4] = RIM[:, :160] = False


def until_rest(tray: Tray) -> NDArray[np.uint8]:
    while True:
        frame = tray.camera.read()
        assert frame is not None
        if not tray.busy:
            return frame.pixels


def pips_counted(picture: NDArray[np.uint8], die: TrueDie) -> int:
    """Count dark spots on the light top face: an oracle that knows nothing of the renderer."""
    half = die.size * 0.40
    cut = cv2.getRectSubPix(picture, (int(2 * die.size), int(2 * die.size)), (die.x, die.y))
    middle = (cut.shape[1] / 2 - 0.5, cut.shape[0] / 2 - 0.5)
    upright = cv2.warpAffine(cut, cv2.getRotationMatrix2D(middle, die.angle, 1.0), cut.shape[1::-1])
    grey = cv2.cvtColor(upright, cv2.COLOR_BGR2GRAY)
    low, high = round(middle[0] - half), round(middle[0] + half)
    dark = (grey[low:high, low:high] < 110).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(dark)
    return sum(1 for part in range(1, count) if stats[part][cv2.CC_STAT_AREA] >= 12)


def loose_faces(tray: Tray) -> tuple[int, ...]:
    return tuple(sorted(piece.face for piece in tray.pieces if piece.place and not piece.aside))


def counts(tray: Tray) -> tuple[int, int]:
    return len(loose_faces(tray)), len(tray.aside)


def test_faces_are_fair() -> None:
    """Thrown faces are uniform: chi-square over 6,000 throws stays below what chance exceeds once in 1,000."""
    tray = Tray(dice=6, chance=Random(7))
    counted: Counter[int] = Counter()
    for _ in range(1000):
        tray.throw()
        counted.update(loose_faces(tray))
    expected = sum(counted.values()) / 6
    assert sum(counted.values()) == 6000
    assert sum((counted[face] - expected) ** 2 / expected for face in range(1, 7)) < CHI_SQUARE_5_AT_1_PER_MILLE


def test_faces_do_not_depend_on_the_flight() -> None:
    """The same seed gives the same faces, however often dice are nudged between two throws."""
    calm, busy = (Tray(dice=5, chance=Random(3)) for _ in range(2))
    for _ in range(5):
        calm.throw()
        busy.throw()
        busy.nudge(2)
        assert loose_faces(calm) == loose_faces(busy)


@pytest.mark.parametrize("seed", range(2))
def test_the_picture_shows_the_truth(seed: int) -> None:
    """Dark spots counted on the pictures at rest are the faces the tray tells, all at their places."""
    tray = Tray(dice=6, chance=Random(seed))
    for _ in range(2):
        tray.throw(6)
        picture = until_rest(tray)
        dice = tray.truth().dice
        assert len(dice) == 6
        assert [pips_counted(picture, die) for die in dice] == [die.face for die in dice]
        tray.set_aside([0, 3])
        picture = until_rest(tray)
        assert [pips_counted(picture, die) for die in tray.truth().dice] == [die.face for die in dice]


@settings(max_examples=8, deadline=None)
@given(dice=st.integers(1, 20), seed=st.integers(0, 10**6))
def test_dice_at_rest_never_overlap_and_lie_on_the_felt(dice: int, seed: int) -> None:
    """OpenCV's own intersection of rotated rectangles finds none among dice at rest."""
    tray = Tray(dice=dice, chance=Random(seed))
    tray.throw(faces=[1 + index % 6 for index in range(dice)])
    places = [piece.place for piece in tray.pieces if piece.place]
    assert len(places) == dice
    squares = [((p.x, p.y), (SIZE_PX, SIZE_PX), p.angle_deg) for p in places]
    for index, one in enumerate(squares):
        assert tray.layout.felt.holds(*one[0], margin=SIZE_PX * 0.7)
        for other in squares[:index]:
            assert cv2.rotatedRectangleIntersection(one, other)[0] == cv2.INTERSECT_NONE


def test_a_die_in_flight_is_always_the_same_possible_die() -> None:
    """In every frame of a throw each die is a proper rotation of itself, so opposite faces go on adding to seven."""
    tray = Tray(dice=5, chance=Random(11), fps=30)
    end_s = tray.throw()
    frames, moving = 0, 0
    for count in range(int(end_s * 30) + 2):
        for piece in tray.pieces:
            piece.settle(count / 30)
            pose = piece.pose(count / 30)
            if pose is None:
                continue
            turn = np.asarray(pose.rotation)
            np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-5)
            assert np.linalg.det(turn) == pytest.approx(1.0, abs=1e-5)
            frames += 1
            moving += piece.moving(count / 30)
    assert frames > moving > 5 * 20


def test_a_throw_is_seen_as_motion_and_then_as_perfect_rest() -> None:
    """Between hand and rest lie several frames that differ; afterwards every frame is the very same array."""
    tray = Tray(dice=2, chance=Random(5))
    tray.throw()
    seen: list[NDArray[np.uint8]] = []
    while tray.busy or not seen:
        frame = tray.camera.read()
        assert frame is not None
        seen.append(frame.pixels)
    assert len({hashlib.sha256(picture.tobytes()).digest() for picture in seen}) >= 10
    first, second = tray.camera.read(), tray.camera.read()
    assert first is not None
    assert second is not None
    assert first.pixels is second.pixels
    assert second.time_s > first.time_s


def _film(seed: int) -> list[bytes]:
    tray = Tray(dice=3, chance=Random(seed))
    tray.throw()
    tray.set_aside([1])
    tray.throw()
    pictures = [until_rest(tray).tobytes()]
    tray.nudge(0)
    tray.press("bank")
    pictures.append(until_rest(tray).tobytes())
    return [*pictures, repr(tray.truth()).encode(), repr(tray.buttons.edges()).encode()]


def test_the_same_seed_gives_the_same_bytes() -> None:
    """Two trays with one seed give equal pictures, truth and edges; another seed gives others."""
    film = _film(1)
    assert film == _film(1)
    assert film[0] != _film(2)[0]


def test_dice_set_aside_go_to_the_rail_and_stay_while_the_others_fly() -> None:
    """Kept dice lie in the rail with their faces and do not move in any frame of the next throw."""
    tray = Tray(dice=5, chance=Random(4))
    tray.throw(faces=[1, 5, 2, 3, 6])
    until_rest(tray)
    tray.set_aside([3])
    tray.sort_out([1, 5])
    tray.sort_out([4])  # does not lie there: nothing moves
    until_rest(tray)
    kept = {die.index: die for die in tray.truth().dice if die.aside}
    assert sorted(die.face for die in kept.values()) == [1, 5]
    assert all(tray.layout.rail.holds(die.x, die.y) for die in kept.values())
    tray.throw()
    alone = 0
    while tray.busy:
        tray.camera.read()
        truth = tray.truth()
        assert {die.index: die for die in truth.dice if die.aside} == kept
        alone += len(truth.dice) == 2
    assert alone >= 4  # frames in which only the kept dice are seen: the others are in the hand
    assert sorted(face for _, face in tray.aside) == [1, 5]


def test_a_full_rail_leaves_dice_where_they_lie() -> None:
    """Nine dice kept, six places on the rail: the others stay on the felt, aside all the same, and none overlaps."""
    tray = Tray(dice=9, chance=Random(6))
    tray.throw()
    tray.set_aside(range(9))
    until_rest(tray)
    dice = tray.truth().dice
    on_rail = [die for die in dice if tray.layout.rail.holds(die.x, die.y)]
    assert len(on_rail) == 6
    assert all(die.aside for die in dice)
    assert counts(tray) == (0, 9)
    tray.nudge(dice.index(on_rail[2]))
    tray.take_back([dice.index(on_rail[0]), dice.index(on_rail[1])])
    until_rest(tray)
    assert sum(tray.layout.rail.holds(die.x, die.y) for die in tray.truth().dice) == 4
    assert counts(tray) == (2, 7)


def test_throw_takes_as_many_as_asked() -> None:
    """Fewer than are loose: the rest stays in the hand; more: those aside come too, then new dice."""
    tray = Tray(dice=5, chance=Random(4))
    tray.throw(2)
    assert len(loose_faces(tray)) == 2
    tray.throw(5)
    tray.set_aside([0, 1])
    tray.throw(3)
    assert counts(tray) == (3, 2)
    tray.throw(5)
    assert counts(tray) == (5, 0)
    tray.set_aside(range(5), leave=True)
    tray.throw()
    assert counts(tray) == (5, 0)
    tray.throw(7)
    assert counts(tray) == (7, 0)
    tray.throw(which=[3], faces=[6])
    assert counts(tray) == (7, 0)


def test_a_nudged_die_moves_a_little_and_keeps_its_face() -> None:
    """A nudge moves one die, by less than an edge where there is room, and leaves all faces as they were."""
    tray = Tray(dice=4, chance=Random(9))
    tray.throw()
    until_rest(tray)
    before = tray.truth().dice
    tray.nudge(2)
    until_rest(tray)
    after = tray.truth().dice
    assert [die.face for die in after] == [die.face for die in before]
    moved = [abs(a.x - b.x) + abs(a.y - b.y) for a, b in zip(after, before, strict=True)]
    assert [index for index, far in enumerate(moved) if far] == [2]
    assert 5 < moved[2] < 1.5 * SIZE_PX
    assert tray.nearest(after[2].x, after[2].y) == 2


@pytest.mark.parametrize("act", [lambda tray: tray.throw(), lambda tray: tray.keep(1), lambda tray: tray.nudge(1)])
def test_a_hand_reaches_over_the_rim_and_is_gone_afterwards(act: Callable[[TrayWithHands], float]) -> None:
    tray = TrayWithHands(dice=3, chance=Random(1))
    tray.throw()
    empty = until_rest(tray)[RIM]
    act(tray)
    rims = []
    while tray.busy:
        frame = tray.camera.read()
        assert frame is not None
        rims.append(frame.pixels[RIM])
    changed = [bool((rim != empty).any()) for rim in rims]
    assert any(changed)
    assert not changed[-1]


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (lambda tray: tray.own(0), "expected 1 to 24 dice"),
        (lambda tray: tray.throw(99), "expected 1 to 24 dice"),
        (lambda tray: tray.nudge(7), "expected the number of a die, 0 to 2, got 7"),
        (lambda tray: tray.throw(faces=[1]), "expected 3 faces"),
    ],
)
def test_what_cannot_be_done_is_said(wrong: Callable[[Tray], float | None], text: str) -> None:
    """A verb that asks the impossible says what was expected, and changes nothing."""
    tray = Tray(dice=3, chance=Random(1))
    tray.throw(faces=[1, 2, 6])
    with pytest.raises(InputError, match=text):
        wrong(tray)
    assert loose_faces(tray) == (1, 2, 6)


def test_a_live_camera_goes_by_the_clock_and_drops_what_is_late() -> None:
    """With a clock, frames come at their times, waited for; after a long pause the next one shows now."""
    now_s, waits = [100.0], list[float]()

    def wait(how_long_s: float) -> None:
        waits.append(how_long_s)
        now_s[0] += how_long_s

    tray = Tray(dice=1, chance=Random(1), fps=10, clock=lambda: now_s[0], wait=wait)
    times = [frame.time_s for _ in range(3) if (frame := tray.camera.read())]
    now_s[0] += 5.0
    times += [frame.time_s for _ in range(2) if (frame := tray.camera.read())]
    assert tray.camera.live
    assert times == pytest.approx([100.0, 100.1, 100.2, 105.2, 105.3])
    assert waits == pytest.approx([0.1, 0.1, 0.1])
    tray.camera.close()
    tray.camera.close()
    assert tray.camera.read() is None


def test_pressed_buttons_chatter_and_are_understood_all_the_same() -> None:
    """100 presses in simulated time, with chattering contacts, come out as exactly those meant, in order."""
    chance = Random(8)
    tray = Tray(dice=1, chance=Random(1))
    contacts = Presses()
    meant = [Press(chance.choice(BUTTON_NAMES), long=chance.random() < 0.3) for _ in range(100)]
    understood: list[Press] = []
    edges, now_s = 0, 0.0
    for press in meant:
        up_s = tray.press(press.button, long=press.long)
        while now_s < up_s + 0.05:
            now_s += 1 / 15
            tray.advance(now_s)
            seen = tray.buttons.edges()
            assert [edge.time_s for edge in seen] == sorted(edge.time_s for edge in seen)
            assert all(edge.time_s <= now_s for edge in seen)
            edges += len(seen)
            understood += contacts.feed(seen, now_s)
    assert understood == meant
    assert edges > 2.5 * 2 * len(meant)  # a contact without chatter would give two
    tray.press("bank")
    tray.buttons.close()
    tray.advance(now_s + 9.0)
    assert not tray.buttons.edges()


def test_the_recipe_of_the_readme_runs() -> None:
    """The ten lines in the simulator's README print five faces."""
    text = (Path(__file__).parents[2] / "tabletop" / "simulator" / "README.md").read_text(encoding="utf-8")
    recipe = text.split("```python\n")[1].split("```")[0]
    done = subprocess.run([sys.executable, "-c", recipe], capture_output=True, text=True, check=True)
    assert re.fullmatch(r"\((\d, ){4}\d\)\n", done.stdout)
