"""The small drawing of the tray: the die that cannot be read, or was read wrongly, blinks where it lies."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from glass import Glass
from hypothesis import given
from hypothesis import strategies as st
from oled_examples import SCREENS
from oled_snapshots import drawings
from people import People, menu_of, pig_at
from somebody import Somebody
from terminal_pictures import plain

from tabletop.cli.wiring.presenter import Views
from tabletop.core.ports import Frame
from tabletop.core.values import Die, Reading, Rest, Unsure, UnsureReason
from tabletop.dialogs.event_text import tray_drawing
from tabletop.dialogs.setup import OTHER_GAME
from tabletop.interpret.log_views import places_standing
from tabletop.perception.pipeline import FrameResult
from tabletop.rules import Keep, Match, Throw
from tabletop.rules.conformance.trial import random_answer
from tabletop.rules.events import COUNTED
from tabletop.views.i18n.catalogue import Language
from tabletop.views.oled.boxes import tray_pixels, tray_width
from tabletop.views.snapshot import DieInTray, Snapshot, TrayDrawing
from tabletop.views.terminal.panel import beside, tray_lines

LINE_ROWS = 8  # the display's memory is sent in lines of so many rows


def _see(somebody: Somebody, *seen: Die | Unsure, at_s: float = 0.0) -> Snapshot:
    dice = tuple(thing for thing in seen if isinstance(thing, Die))
    unsure = tuple(thing for thing in seen if isinstance(thing, Unsure))
    somebody.now_s += 0.1
    reading = Reading(somebody.now_s, 640, 480, dice, unsure)
    rest = Rest(reading, (at_s,) * len(dice), (at_s,) * len(unsure))
    somebody.camera_thread.newest = FrameResult(
        Frame(np.zeros((4, 4, 3), np.uint8), somebody.now_s), reading, reading, rest
    )
    return somebody.table.tick(somebody.now_s)


def _die(face: int, x: float, y: float) -> Die:
    return Die(face, x, y, 50.0, 0.0, "white", 0.99)


def _asked(shown: Snapshot) -> list[tuple[float, float]]:
    assert shown.tray is not None
    return [(die.x, die.y) for die in shown.tray.dice if die.asked]


def test_unsure_dice_are_asked_about_one_after_the_other(watched: Somebody) -> None:
    """Two lie there: the first blinks at its place until it is set, then the second; then the throw is taken."""
    match = watched.play(Match("going-to-boston", ["Ann", "Ben"]))
    _see(watched)
    seen = (
        _die(6, 160.0, 120.0),
        Unsure(320.0, 240.0, 50.0, UnsureReason.LEANS),
        Unsure(480.0, 360.0, 50.0, UnsureReason.TWO_FACES, faces=(1, 3)),
    )
    since_s = watched.now_s + 0.05
    watched.now_s += 2.0
    shown = _see(watched, *seen, at_s=since_s)
    assert _asked(shown) == [(0.5, 0.5)]
    assert shown.tray is not None
    assert DieInTray(0.25, 0.25, 6) in shown.tray.dice
    assert _asked(watched.press("bank")) == [(0.5, 0.5)]
    watched.tell(5)
    assert _asked(_see(watched, *seen, at_s=since_s)) == [(0.75, 0.75)]
    watched.press("bank")
    watched.tell(3)
    assert _see(watched, *seen, at_s=since_s).tray is None
    assert [event.value for event in match.events if event.kind == "throw"] == [(3, 5, 6)]


def test_the_reader_s_noise_does_not_change_the_drawing(watched: Somebody) -> None:
    """Dice creep by a tenth of their edge from frame to frame: the very same snapshot, so the pages go on turning."""
    watched.play(Match("going-to-boston", ["Ann", "Ben"]))
    _see(watched)
    since_s, chance, drawn = watched.now_s + 0.05, Random(3), set[TrayDrawing | None]()
    watched.now_s += 2.0
    for _ in range(20):
        x, y = chance.uniform(322.0, 328.0), chance.uniform(237.0, 243.0)
        drawn.add(_see(watched, _die(6, x - 100, y), Unsure(x, y, 50.0, UnsureReason.LEANS), at_s=since_s).tray)
    assert len(drawn) == 1


@given(x=st.floats(0, 300), y=st.floats(0, 200), rail=st.floats(-60, 0))
def test_places_are_those_of_the_tray(x: float, y: float, rail: float) -> None:
    """With a profile in parts of its tray; with a die on the rail that widens, so that it is seen as well."""
    unsure, other = Unsure(x, y, 16.0, UnsureReason.LEANS), Die(2, rail, 100.0, 16.0, 0.0, "white", 0.9, "rail")
    alone = Rest(Reading(1.0, 640, 480, (), (unsure,), "mm", (300.0, 200.0)), (), (1.0,))
    drawing = tray_drawing(alone, (unsure,))
    assert drawing is not None
    (die,) = drawing.dice
    assert (die.x, die.y) == pytest.approx((x / 300, y / 200), abs=0.01)
    assert drawing.shape == pytest.approx(1.5)
    both = replace(alone, reading=replace(alone.reading, dice=(other,)), arrived_s=(1.0,))
    wider = tray_drawing(both, (unsure,))
    assert wider is not None
    left, right = wider.dice
    assert 0.0 <= left.x <= right.x + 0.02
    assert not left.asked
    assert right.asked


@given(drawing=drawings, high=st.integers(18, 54))
def test_blinking_changes_only_the_dice_asked_about(drawing: TrayDrawing, high: int) -> None:
    """For each of them at most the inside of its square; where nothing is asked about nothing blinks."""
    wide = tray_width(drawing, high)
    lit, dark = (tray_pixels(drawing, wide, high, dark=dark) for dark in (False, True))
    asked = [die for die in drawing.dice if die.asked]
    changed = lit != dark
    assert changed.any() == bool(asked)
    assert changed.sum() <= 25 * len(asked)
    assert lit[0, 1:-1].all()
    assert lit[1:-1, -1].all()
    for die in asked:
        column, row = round(die.x * (wide - 1)), round(die.y * (high - 1))
        assert changed[max(row - 6, 0) : row + 7, max(column - 6, 0) : column + 7].any()


@pytest.mark.parametrize("name", [name for name in SCREENS if "tray" in name])
@pytest.mark.parametrize("height", [64, 32])
def test_it_blinks_with_the_views_time_and_little_is_sent(name: str, height: int) -> None:
    """Lit for half a second, dark for half a second, on whatever clock; at most two lines of the display change."""
    glass = Glass(height)
    views = Views((glass,), None, Language())
    for n in range(40):
        views.show(SCREENS[name], None, 77.0 + 0.05 * n + 0.01)
    first = glass.pictures[0]
    assert [np.array_equal(picture, first) for picture in glass.pictures] == ([True] * 10 + [False] * 10) * 2
    rows = np.flatnonzero((glass.pictures[10] != first).any(axis=1))
    assert rows.max() // LINE_ROWS - rows.min() // LINE_ROWS <= 1
    assert len(set(map(id, glass.pictures))) <= 4, "drawn only when it changes"


def test_a_terminal_without_pictures_has_it_in_characters() -> None:
    """The die asked about stands in brackets at its place."""
    drawing = TrayDrawing(1.3, (DieInTray(0.1, 0.1, 3), DieInTray(0.9, 0.9, 0, asked=True)))
    lines = tray_lines(drawing)
    assert len({len(line) for line in lines}) == 1
    assert " 3 " in lines[1]
    assert "[?]" in lines[-2]
    shown = Snapshot("Pig", ("Ann",), (0,), tray=drawing)
    assert plain(beside(shown, 40, 20))[2 : 2 + len(lines)] == lines


def test_a_correction_shows_which_die(people: People) -> None:
    """The die stepped to blinks where it lay when it was thrown, on the page after it too."""
    people.table.begin(people.matches.begin(Match("going-to-boston", ["Ann", "Ben"])))
    people.throw(2, 4, 5)
    shown = people.menu("correct", "Ann: 2 4 5")
    assert menu_of(shown).title == "Which die?"
    asked = [_asked(shown), *(_asked(people.press("hold")) for _ in range(2))]
    assert [round(640 * x) for ((x, _),) in asked] == pytest.approx([30, 90, 150], abs=10)
    assert _asked(people.press("bank")) == asked[2]


def test_a_throw_from_another_evening_has_no_drawing(people: People) -> None:
    """After a resume nobody knows where the dice lay."""
    pig_at(people, 4)
    people.menu(OTHER_GAME, "go on: Pig")
    assert people.menu("correct", "Ann: 4").tray is None


@given(seed=st.integers(0, 10_000), deeds=st.lists(st.sampled_from(("answer", "answer", "answer", "undo", "correct"))))
def test_what_stands_is_found_in_the_log(seed: int, deeds: list[str]) -> None:
    """Whatever was undone and corrected: a place for each throw, keep and choice that stands, its kind and player."""
    match, chance = Match("ten-thousand", ["Ann", "Ben"], entry=0), Random(seed)
    for deed in deeds:
        standing = [event for event in match.events if event.kind in COUNTED]
        if deed == "undo" and match.log and standing:
            match.undo()
        elif deed == "correct" and standing and isinstance(standing[0].answer, Throw | Keep):
            number = chance.randrange(len(standing)) + 1
            if standing[number - 1].kind == "throw":
                dice = len(standing[number - 1].value or ())  # type: ignore[arg-type]  # a throw of one player
                match.correct(number, Throw(tuple(sorted(chance.choices(range(1, 7), k=dice)))))
        elif not match.over:
            match.apply(*match.draft(random_answer(match.request, chance)))
    places = places_standing(match.log)
    counted = [event for event in match.events if event.kind in COUNTED]
    assert [(match.log[at].kind, match.log[at].player) for at in places] == [
        (event.kind, event.player) for event in counted
    ]
